#include "address.hpp"

#include <algorithm>
#include <cstddef>

namespace mock_email {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool is_of_atom(char c)
{
    return is_letter_or_digit(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

bool is_atom(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_of_atom); }

bool is_label(std::string_view text)
{
    return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
           std::ranges::all_of(text, [](char c) { return c == '-' || is_letter_or_digit(c); });
}

// Returns whether each part between the dots satisfies the condition.
bool is_dotted(std::string_view text, bool (*is_part)(std::string_view))
{
    for (;;) {
        auto const dot = text.find('.');
        if (!is_part(text.substr(0, dot)))
            return false;
        if (dot == text.npos)
            return true;
        text.remove_prefix(dot + 1);
    }
}

} // namespace

bool is_address(std::string_view text)
{
    constexpr std::size_t max_local = 64, max_size = 254; // 256 with the angle brackets of a path
    auto const at = text.rfind('@');
    return at != text.npos && at <= max_local && text.size() <= max_size && is_dotted(text.substr(0, at), is_atom) &&
           is_dotted(text.substr(at + 1), is_label);
}

} // namespace mock_email
