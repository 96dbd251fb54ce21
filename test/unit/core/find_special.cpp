#include <linkspan/core/detail/find_special.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "support/guarded_memory.hpp"

BOOST_AUTO_TEST_SUITE(find_special_test)

using linkspan::detail::find_escape;
using linkspan::detail::find_quote_or_slash;
using linkspan::detail::has_control;

namespace {

constexpr std::size_t max_size = 150; // more than two steps of each loop

// Calls `check(text)` with texts of all sizes that have at most one character other than 'x', at each position.
template<class Check>
void for_each_text(std::string_view characters, Check check)
{
    support::guarded_memory const memory;
    for (std::size_t size = 0; size <= max_size; ++size) {
        std::string text(size, 'x');
        check(memory(text));
        for (std::size_t at = 0; at != size; ++at)
            for (char const c : characters) {
                text[at] = c;
                check(memory(text));
                text[at] = 'x';
            }
    }
}

constexpr std::string_view characters("\0\t\n\r\x1f \"\\\x7f\x80\xff", 11);

} // namespace

BOOST_AUTO_TEST_CASE(control_character_is_found_at_each_position)
{
    for_each_text(characters, [](std::string_view text) {
        bool expected = false;
        for (char const c : text)
            expected |= static_cast<unsigned char>(c) < 0x20;
        if (has_control(text.data(), text.data() + text.size()) != expected)
            BOOST_ERROR("control character in a text of " << text.size() << " bytes");
    });
}

BOOST_AUTO_TEST_CASE(first_special_character_is_found_at_each_position)
{
    for_each_text(characters, [](std::string_view text) {
        auto const* const begin = text.data();
        auto const* const end = begin + text.size();
        auto const* escape = begin;
        while (escape != end && *escape != '"' && *escape != '\\' && static_cast<unsigned char>(*escape) >= 0x20)
            ++escape;
        auto const quote = std::min(text.find_first_of("\"\\"), text.size());
        if (find_escape(begin, end) != escape || find_quote_or_slash(begin, end) != begin + quote)
            BOOST_ERROR("special character in a text of " << text.size() << " bytes");
    });
}

// Without SSE2 both functions are the same.
BOOST_AUTO_TEST_CASE(portable_searches_have_the_same_results_at_each_position)
{
    namespace portable = linkspan::detail::portable;
    for_each_text(characters, [](std::string_view text) {
        auto const* const begin = text.data();
        auto const* const end = begin + text.size();
        if (portable::has_control(begin, end) != has_control(begin, end) ||
            portable::find_escape(begin, end) != find_escape(begin, end) ||
            portable::find_quote_or_slash(begin, end) != find_quote_or_slash(begin, end))
            BOOST_ERROR("portable search in a text of " << text.size() << " bytes");
    });
}

// Texts of all sizes with two special characters at many positions.
BOOST_AUTO_TEST_CASE(portable_searches_find_the_first_of_two_special_characters)
{
    namespace portable = linkspan::detail::portable;
    support::guarded_memory const memory;
    for (std::size_t size = 2; size <= max_size; ++size)
        for (std::size_t first = 0; first + 1 < size; first += 1 + size / 16)
            for (std::size_t second = first + 1; second < size; second += 1 + size / 16)
                for (std::string_view const pair : {"\"\\", "\\\"", "\n\"", "\x80\"", "!\x1f", "\xff\t"}) {
                    std::string text(size, 'x');
                    text[first] = pair[0];
                    text[second] = pair[1];
                    auto const in = memory(text);
                    auto const* const begin = in.data();
                    auto const* const end = begin + in.size();
                    auto const quote = std::min(text.find_first_of("\"\\"), size);
                    if (portable::find_escape(begin, end) != find_escape(begin, end) ||
                        portable::find_quote_or_slash(begin, end) != begin + quote ||
                        portable::has_control(begin, end) != has_control(begin, end))
                        BOOST_ERROR("portable search in a text of " << size << " bytes");
                }
}

BOOST_AUTO_TEST_SUITE_END()
