#ifndef LINKSPAN_TEST_SUPPORT_BOTH_SOURCES_HPP
#define LINKSPAN_TEST_SUPPORT_BOTH_SOURCES_HPP

#include <linkspan/describe/decode.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Decodes the text into a T. Returns the mismatches, or an empty string. Decoding the parsed value must have the same
// result.
template<class T>
std::string problems_of(std::string_view text, T& out, decode_limits const& limits = {})
{
    mismatches of_text, of_value;
    bool const ok = decode(out, text, of_text, limits);
    BOOST_TEST(ok == of_text.empty(), text.substr(0, 100));
    boost::system::error_code ec;
    boost::json::parse_options options;
    options.max_depth = 1'000;
    auto const parsed = boost::json::parse({text.data(), text.size()}, ec, {}, options);
    BOOST_REQUIRE_MESSAGE(!ec, text << " is not valid JSON");
    T other{};
    BOOST_TEST(decode(other, parsed, of_value, limits) == ok, text.substr(0, 100));
    BOOST_TEST(to_string(of_value) == to_string(of_text), text.substr(0, 100));
    if constexpr (requires { other == out; })
        BOOST_TEST((!ok || other == out), text.substr(0, 100));
    return to_string(of_text);
}

template<class T>
std::string problems_of(std::string_view text)
{
    T out{};
    return problems_of(text, out);
}

// Decodes the text, and fails the test on mismatches.
template<class T>
T read(std::string_view text)
{
    T out{};
    auto const found = problems_of(text, out);
    BOOST_TEST(found == "", text.substr(0, 100));
    return out;
}

// Returns `inner` enclosed in `count` levels of `open` and `close`.
inline std::string nested(std::string_view open, std::size_t count, std::string_view inner, std::string_view close)
{
    std::string out;
    for (std::size_t i = 0; i != count; ++i)
        out += open;
    out += inner;
    for (std::size_t i = 0; i != count; ++i)
        out += close;
    return out;
}

} // namespace linkspan::test

#endif
