#ifndef LINKSPAN_CORE_IMPL_REDACT_IPP
#define LINKSPAN_CORE_IMPL_REDACT_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/redact.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Parts of `scheme://user@host/path?query#fragment` that may contain secrets. Each part is a view of the address.
struct address_parts {
    std::string_view user;  // without its '@'
    std::string_view query; // without its '?'
};

// The user information ends at the last '@' before the path, so that a password may contain an '@'.
inline std::optional<address_parts> split_address(std::string_view address) noexcept
{
    auto const scheme = address.find("://");
    if (scheme == address.npos || scheme == 0)
        return std::nullopt;
    address.remove_prefix(scheme + 3);
    auto const authority = address.substr(0, address.find_first_of("/?#"));
    auto const at = authority.rfind('@');
    address_parts parts{authority.substr(0, at == authority.npos ? 0 : at), {}};
    if (auto const mark = address.find('?'); mark != address.npos)
        parts.query = address.substr(mark + 1, address.find('#', mark) - mark - 1);
    return parts;
}

inline std::string percent_decoded(std::string_view text)
{
    auto const digit = [&](std::size_t at) {
        constexpr std::string_view digits = "0123456789abcdef";
        return at < text.size() ? digits.find(static_cast<char>(text[at] | (text[at] >= 'A' ? 0x20 : 0))) : digits.npos;
    };
    std::string out;
    for (std::size_t i = 0; i != text.size(); ++i) {
        auto const high = text[i] == '%' ? digit(i + 1) : std::string_view::npos;
        auto const low = high != std::string_view::npos ? digit(i + 2) : std::string_view::npos;
        if (low == std::string_view::npos) {
            out += text[i];
        } else {
            out += static_cast<char>(high << 4 | low);
            i += 2;
        }
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL void redactor::add_text(std::string_view text)
{
    if (text.size() < min_length || std::ranges::find(secrets_, text) != secrets_.end())
        return;
    auto const shorter = [&](std::string const& other) { return other.size() < text.size(); };
    secrets_.emplace(std::ranges::find_if(secrets_, shorter), text);
}

LINKSPAN_DECL void redactor::add(std::string_view secret)
{
    add_text(secret);
    std::string quoted;
    append_quoted(quoted, secret);
    add_text(std::string_view(quoted).substr(1, quoted.size() - 2));
    while (secret.find('\n') != secret.npos) {
        auto const line = secret.substr(0, secret.find('\n'));
        add_text(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        secret.remove_prefix(line.size() + 1);
        if (secret.find('\n') == secret.npos)
            add_text(secret);
    }
}

LINKSPAN_DECL void redactor::add_header(std::string_view value)
{
    add(value);
    if (auto const blank = value.find(' '); blank != value.npos)
        add(value.substr(blank + 1));
}

LINKSPAN_DECL void redactor::add_address(std::string_view address)
{
    auto const parts = detail::split_address(address);
    if (!parts)
        return;
    auto const add_both = [this](std::string_view text) {
        add(text);
        add(detail::percent_decoded(text));
    };
    add_both(parts->user);
    if (auto const colon = parts->user.find(':'); colon != parts->user.npos) {
        add_both(parts->user.substr(0, colon));
        add_both(parts->user.substr(colon + 1));
    }
    for (auto query = parts->query; !query.empty();) {
        auto const pair = query.substr(0, query.find('&'));
        add_both(pair.substr(pair.find('=') + 1)); // the whole parameter if it has no '='
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
    }
}

LINKSPAN_DECL void redactor::add(redactor const& other)
{
    for (auto const& secret : other.secrets_)
        add_text(secret);
}

LINKSPAN_DECL std::string redactor::operator()(std::string_view text) const
{
    std::vector<bool> hidden; // for each byte of the text: part of a secret; empty if no secret occurs
    for (auto const& secret : secrets_) {
        for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at + 1)) {
            hidden.resize(text.size());
            std::fill_n(hidden.begin() + static_cast<std::ptrdiff_t>(at), secret.size(), true);
        }
    }
    if (hidden.empty())
        return std::string(text);
    std::string out;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (!hidden[i])
            out += text[i];
        else if (i == 0 || !hidden[i - 1])
            out += "***";
    }
    return out;
}

} // namespace linkspan

#endif
