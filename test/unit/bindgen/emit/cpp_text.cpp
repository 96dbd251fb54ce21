#include <linkspan/bindgen/emit/cpp_text.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(cpp_text_test)

using namespace linkspan::bindgen;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view text, expected;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.expected; }

constexpr row comments[] = {
    {"City name", "// City name\n"},
    {"one\ntwo\r\nthree\rfour", "// one\n// two\n// three\n// four\n"},
    {"\n\none\n\n\n\ntwo  \n\n", "// one\n//\n// two\n"},
    {"ends */ a comment /* begins", "// ends */ a comment /* begins\n"},
    {"a path C:\\", "// a path C:\\ .\n"},
    {"a path C:\\  \nint evil;", "// a path C:\\ .\n// int evil;\n"},
    {"a trigraph ?\?/\nint evil;", "// a trigraph ?\?/ .\n// int evil;\n"},
    {"bell\a and escape \x1b[31m and \x7f", "// bell and escape [31m and\n"},
    {"right to left: \xe2\x80\xae"
     "evil\xe2\x80\xac",
     "// right to left: evil\n"},
    {"isolated: \xe2\x81\xa6x\xe2\x81\xa9", "// isolated: x\n"},
    {"a line\xe2\x80\xa8separator", "// a line\n// separator\n"},
    {"next line\xc2\x85of C1", "// next lineof C1\n"},
    {"no UTF-8: \xff", "// no UTF-8: \xef\xbf\xbd\n"},
    {"\xe2\x80\x8b\xef\xbb\xbf", ""},
    {"", ""},
    {" \n\t", ""},
};

constexpr row literals[] = {
    {"plain", R"("plain")"},
    {R"(a "quote" and a \ slash)", R"("a \"quote\" and a \\ slash")"},
    {"two\nlines\tand a tab", R"("two\nlines\tand a tab")"},
    {"?\?/ is a trigraph, ?\?\? not more", R"("?\?/ is a trigraph, ?\?\? not more")"},
    {std::string_view("\0"
                      "1",
                      2),
     R"("\0001")"},
    {"\x1b\xe2\x80\xae", R"("\033\342\200\256")"},
    {"\xff", R"("\377")"},
    {"\xc3\xa9", "\"\xc3\xa9\""},
    {"", R"("")"},
};

} // namespace

BOOST_DATA_TEST_CASE(text_cannot_end_its_comment, data::make(comments))
{
    BOOST_TEST(comment_lines(sample.text) == sample.expected);
}

BOOST_DATA_TEST_CASE(string_literal_has_the_bytes_of_its_text, data::make(literals))
{
    BOOST_TEST(string_literal(sample.text) == sample.expected);
}

BOOST_AUTO_TEST_CASE(view_literal_includes_bytes_after_a_zero_byte)
{
    BOOST_TEST(view_literal("plain") == R"("plain")");
    BOOST_TEST(view_literal({"a\0b", 3}) == R"(std::string_view("a\000b", 3))");
    BOOST_TEST(view_literal({"\0", 1}) == R"(std::string_view("\000", 1))");
}

BOOST_AUTO_TEST_CASE(comments_are_at_most_120_columns_wide)
{
    std::string text;
    for (int i = 0; i != 100; ++i)
        text += "w\xc3\xb6rd\\ ";
    text += std::string(500, 'x');
    for (std::size_t const indentation : {0U, 4U, 8U}) {
        auto const lines = comment_lines(text, indentation);
        for (std::string_view left = lines; !left.empty();) {
            auto const line = left.substr(0, left.find('\n'));
            std::size_t columns = 0;
            for (char const c : line)
                columns += (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
            BOOST_TEST(columns <= 120U);
            BOOST_TEST(line.starts_with(std::string(indentation, ' ') + "// "));
            BOOST_TEST(!line.ends_with('\\'));
            left.remove_prefix(line.size() + 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(long_string_literal_is_split_into_several_lines)
{
    BOOST_TEST(wrapped_literal("one two three four", 8) == "\"one two \"\n\"three \"\n\"four\"");
    BOOST_TEST(wrapped_literal("abcdefghij", 4) == "\"abcd\"\n\"efgh\"\n\"ij\"");
    BOOST_TEST(wrapped_literal("\x01\x02", 5) == "\"\\001\"\n\"\\002\"");
    BOOST_TEST(wrapped_literal("", 5) == "\"\"");
}

BOOST_AUTO_TEST_CASE(long_text_is_truncated)
{
    auto const text = visible_text(std::string(100'000, 'x'));
    BOOST_TEST(text.size() == (16U << 10) + 3);
    BOOST_TEST(text.ends_with("x..."));
    std::string wide;
    for (int i = 0; i != 20'000; ++i)
        wide += "\xe2\x82\xac";
    BOOST_TEST(visible_text(wide).find("\xef\xbf\xbd") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(schema_text_cannot_end_its_raw_literal)
{
    BOOST_TEST(json_literal("{}") == R"x(R"json({})json")x");
    BOOST_TEST(json_literal(R"x([")json"])x") == "R\"json1([\")json\"])json1\"");
    BOOST_TEST(json_literal(R"x([")json",")json1"])x").starts_with("R\"json2("));
    BOOST_TEST(json_literal("[\"?\?/?\?\?\"]") == "R\"json([\"?\\u003f/?\\u003f?\"])json\"");
}

BOOST_AUTO_TEST_CASE(long_schema_literal_is_split_between_characters)
{
    std::string json = "[\"";
    for (int i = 0; i != 20'000; ++i)
        json += "\xe2\x82\xac";
    json += "\"]";
    auto const literal = json_literal(json);
    std::string joined;
    for (std::string_view rest = literal; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        auto const piece = rest.substr(0, end);
        BOOST_TEST_REQUIRE(piece.size() < (16U << 10));
        BOOST_TEST_REQUIRE(piece.starts_with("R\"json("));
        BOOST_TEST_REQUIRE(piece.ends_with(")json\""));
        auto const inner = piece.substr(7, piece.size() - 13);
        BOOST_TEST_REQUIRE((static_cast<unsigned char>(inner.front()) & 0xc0U) != 0x80U);
        joined += inner;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    BOOST_TEST(joined == json);
}

BOOST_AUTO_TEST_CASE(number_literal_has_the_value_of_the_json_number)
{
    auto const of = [](std::string_view json) { return number_literal(boost::json::parse(json)).value_or("none"); };
    BOOST_TEST(of("3") == "3");
    BOOST_TEST(of("-3") == "-3");
    BOOST_TEST(of("3.0") == "3.0");
    BOOST_TEST(of("0.1") == "0.1");
    BOOST_TEST(of("1e300") == "1e+300");
    BOOST_TEST(of("9007199254740991") == "9007199254740991");
    BOOST_TEST(of("-9223372036854775808") == "(-9223372036854775807 - 1)");
    BOOST_TEST(of("18446744073709551615") == "none");
    BOOST_TEST(of("\"3\"") == "none");
    BOOST_TEST(number_literal(std::numeric_limits<double>::infinity()).value_or("none") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
