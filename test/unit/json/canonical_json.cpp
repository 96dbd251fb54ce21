#include <linkspan/json/detail/canonical_json.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(canonical_json_test)

using linkspan::detail::append_canonical_text;
using linkspan::detail::canonical_style;
namespace data = boost::unit_test::data;

namespace {

std::string canonical(std::string_view json, canonical_style const& style = {})
{
    std::string out;
    return append_canonical_text(out, json, style) ? out : "malformed";
}

struct row {
    std::string_view json, text;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.json; }

constexpr row rows[] = {
    {R"( { "b" : 1 , "a" : [ true , null ] } )", R"({"a":[true,null],"b":1})"},
    {R"({"a":1,"a":2})", R"({"a":2})"},
    {R"({"a":1,"\u0061":2})", R"({"a":2})"},
    {R"(["\u0041\/\n\t"])", R"(["A/\n\t"])"},
    {R"([1,1.0,1e0,-0,10E1,0.50,1E-1])", R"([1,1,1,0,100,0.5,0.1])"},
    {"[9007199254740993,18446744073709551615,-9223372036854775808]",
     "[9007199254740993,18446744073709551615,-9223372036854775808]"},
    {"[1e18,1000000000000000000,1000000000000000000.0,10E+17]",
     "[1000000000000000000,1000000000000000000,1000000000000000000,1000000000000000000]"},
    {"[9007199254740992,9007199254740993.0,9007199254740993e0]",
     "[9007199254740992,9007199254740993,9007199254740993]"},
    {"[100000000000000000001,100000000000000000002,-9223372036854775809]",
     "[100000000000000000001,100000000000000000002,-9223372036854775809]"},
    {"[0.1000000000000000055,0.1,3.14159265358979323846]", "[0.1000000000000000055,0.1,3.14159265358979323846]"},
    {"[1e19,1E20,100000000000000000000,-3e25]", "[10000000000000000000,1e+20,1e+20,-3e+25]"},
    {"[0.001,0.0001,0.00012,0.000012,123.4500,1e-7,-2.50e-9]", "[0.001,1e-04,0.00012,1.2e-05,123.45,1e-07,-2.5e-09]"},
    {"[1e400,10e399,1e+0400,1e-400]", "[1e+400,1e+400,1e+400,1e-400]"},
    {"[0.0,-0.000,0e5,-0e999999999999999999999]", "[0,0,0,0]"},
    {"[1e99999999999999999,1e100000000000000000]", "[1e+99999999999999999,1e100000000000000000]"},
    {R"({"Z":1,"a":2,"\u00e9":3,"A":4})", "{\"A\":4,\"Z\":1,\"a\":2,\"\xc3\xa9\":3}"},
    {"{}", "{}"},
    {"[]", "[]"},
    {"\"x\"", "\"x\""},
    {"", "malformed"},
    {"{", "malformed"},
    {"[1] 2", "malformed"},
    {R"(["\x"])", "malformed"},
    {R"({"\x":1})", "malformed"},
};

} // namespace

BOOST_DATA_TEST_CASE(equal_values_have_equal_canonical_text, data::make(rows))
{
    BOOST_TEST(canonical(sample.json) == sample.text);
}

// Fingerprints in lock files of earlier versions depend on this form.
BOOST_AUTO_TEST_CASE(shortest_text_of_double_is_canonical)
{
    std::mt19937_64 bits(1);
    for (int i = 0; i != 20'000; ++i) {
        // Every second number is small, because most numbers with random bits have a large exponent.
        auto number = std::bit_cast<double>(bits());
        if (i % 2 != 0)
            number = static_cast<double>(static_cast<std::int64_t>(bits() >> 20)) / (i % 4 == 1 ? 1e3 : 1e12);
        // Between 2^53 and 10^23, std::to_chars adds digits of the binary value.
        if (!std::isfinite(number) || (std::abs(number) >= 9007199254740992 && std::abs(number) < 1e23))
            continue;
        char shortest[400], scientific[400];
        std::string_view const text(shortest, std::to_chars(shortest, std::end(shortest), number).ptr);
        std::string_view const other(
            scientific, std::to_chars(scientific, std::end(scientific), number, std::chars_format::scientific).ptr);
        BOOST_TEST(canonical(other) == text);
        BOOST_TEST(canonical(text) == text);
    }
}

BOOST_AUTO_TEST_CASE(numbers_are_kept_as_written_on_request)
{
    BOOST_TEST(canonical("[1.0,1e0,0.50]", {.keeps_numbers = true}) == "[1.0,1e0,0.50]");
}

BOOST_AUTO_TEST_CASE(members_and_elements_are_on_separate_lines_on_request)
{
    BOOST_TEST(canonical(R"({"b":[1,[]],"a":{"c":{}}})", {.has_lines = true}) == R"({
  "a": {
    "c": {}
  },
  "b": [
    1,
    []
  ]
})");
}

BOOST_AUTO_TEST_CASE(invisible_characters_are_escaped_on_request)
{
    std::string const hidden = "\"a\xe2\x80\xae"           // right-to-left override
                               "b\xef\xbb\xbf"             // byte order mark
                               "c\x7f"                     // delete character
                               "d\xf3\xa0\x80\xa1"         // tag character
                               "e\xc3\xa9\xf0\x9f\x98\x80" // visible characters
                               "\xff\"";                   // invalid UTF-8
    canonical_style style;
    style.escapes_invisible = true;
    BOOST_TEST(canonical(hidden, style) ==
               "\"a\\u202eb\\ufeffc\\u007fd\\udb40\\udc21e\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd\"");
    BOOST_TEST(canonical(canonical(hidden, style), style) == canonical(hidden, style));
}

// The byte \xc0 precedes \xef, the first byte of U+FFFD, which replaces it.
BOOST_AUTO_TEST_CASE(keys_are_ordered_as_they_are_written)
{
    canonical_style style;
    style.escapes_invisible = true;
    std::string const keys = "{\"a\xef\xbf\xbd!\":1,\"a\xc0~\":2}";
    BOOST_TEST(canonical(keys, style) == "{\"a\xef\xbf\xbd!\":1,\"a\xef\xbf\xbd~\":2}");
    BOOST_TEST(canonical("{\"a\xff\":1,\"a\xfe\":2}", style) == "{\"a\xef\xbf\xbd\":2}");
}

// The maximum depth is that of json_scan.
BOOST_AUTO_TEST_CASE(text_nested_deeper_than_512_is_malformed)
{
    std::string const deep(512, '[');
    BOOST_TEST(canonical(deep + std::string(512, ']')).size() == 1024U);
    BOOST_TEST(canonical("[" + deep + std::string(513, ']')) == "malformed");
    BOOST_TEST(canonical(std::string(10'000, '[') + std::string(10'000, ']')) == "malformed");
}

// The members of each level are in the wrong order, so that all of them have to be moved.
BOOST_AUTO_TEST_CASE(large_and_deep_text_is_canonicalized)
{
    std::string json = "[";
    std::string expected = "[";
    for (int i = 0; i != 100'000; ++i) {
        json += R"([1.0,{"d":"x","c":[]}],)";
        expected += R"([1,{"c":[],"d":"x"}],)";
    }
    json += "0]";
    expected += "0]";
    std::string opening, closing, expected_opening, expected_closing;
    for (int i = 0; i != 250; ++i) {
        opening += R"({"b":[)";
        closing += R"(],"a":{}})";
        expected_opening += R"({"a":{},"b":[)";
        expected_closing += "]}";
    }
    BOOST_TEST((canonical(opening + json + closing) == expected_opening + expected + expected_closing));
}

BOOST_AUTO_TEST_SUITE_END()
