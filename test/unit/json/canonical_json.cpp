#include <linkspan/json/detail/canonical_json.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
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
    {"[1e400]", "[1e400]"},
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
