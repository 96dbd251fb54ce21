#include <linkspan/json/json_scan.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "support/guarded_memory.hpp"

BOOST_AUTO_TEST_SUITE(json_scan_string_test)

namespace json_scan = linkspan::json_scan;
namespace data = boost::unit_test::data;
using namespace std::string_view_literals;

namespace {

struct decoded {
    std::string_view text, characters;
};

std::ostream& operator<<(std::ostream& out, decoded const& d) { return out << d.text; }

constexpr decoded strings[] = {
    {R"("")", ""},
    {R"("plain")", "plain"},
    {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
    {R"("a\nb")", "a\nb"},
    {R"("\\n")", "\\n"},
    {R"("\u0000")", "\0"sv},
    {R"("\u0041\u007f")", "A\x7f"},
    {R"("\u0080\u07FF")", "\xc2\x80\xdf\xbf"},
    {R"("\u0800\uFFFF\ufffe")", "\xe0\xa0\x80\xef\xbf\xbf\xef\xbf\xbe"},
    {R"("\uD7FF\uE000")", "\xed\x9f\xbf\xee\x80\x80"},
    {R"("\ud800\udc00\uDBFF\uDFFF")", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
    {R"("\ud83d\ude00!")", "\xf0\x9f\x98\x80!"},
    {R"("\ud83d")", "\xef\xbf\xbd"},
    {R"("\ude00")", "\xef\xbf\xbd"},
    {R"("\ud83dx")", "\xef\xbf\xbdx"},
    {R"("\ud83d\n")", "\xef\xbf\xbd\n"},
    {R"("\ud83d\u0041")", "\xef\xbf\xbd"
                          "A"},
    {R"("\ude00\ud83d")", "\xef\xbf\xbd\xef\xbf\xbd"},
    {R"("\ud83d\ud83d\ude00")", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
    {"\"\xc3\xa9\\u00e9\xf0\x9f\x98\x80\"", "\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80"},
};

} // namespace

BOOST_AUTO_TEST_CASE(quoted_returns_the_raw_text_of_strings_only)
{
    BOOST_TEST(json_scan::quoted(R"("")").value() == "");
    BOOST_TEST(json_scan::quoted(R"("a\n")").value() == R"(a\n)");
    for (auto const other : {"", R"(")", R"("a)", "a", "1", "12", "null", "[]", R"(["a"])"})
        BOOST_TEST(!json_scan::quoted(other), other);
}

BOOST_DATA_TEST_CASE(string_is_decoded, data::make(strings))
{
    BOOST_TEST(json_scan::string(sample.text).value() == sample.characters);
    std::string out = "before ";
    BOOST_TEST(json_scan::append_string(out, sample.text));
    BOOST_TEST(out == "before " + std::string(sample.characters));
}

BOOST_AUTO_TEST_CASE(string_with_invalid_escape_is_rejected)
{
    for (auto const text :
         {R"("\x")", R"("\U0041")", R"("\u")", R"("\u123")", R"("\u12g4")", R"("\u-123")", R"("\u 123")",
          R"("\ud83d\u12")", R"("\ud83d\uzzzz")", R"("\ud83d\x")", R"("a\")", "1", "null", "", R"(")"})
        BOOST_TEST(!json_scan::string(text), text);
}

// Strings of each length around the sizes of the blocks that are searched at once, at the end of readable memory.
BOOST_AUTO_TEST_CASE(string_of_each_length_ends_at_its_closing_quote)
{
    support::guarded_memory const memory;
    for (std::size_t size = 0; size != 230; ++size)
        for (std::size_t const rest : {0u, 1u, 15u, 40u}) {
            auto const text = '"' + std::string(size, 'x') + '"' + std::string(rest, ' ');
            auto const left = linkspan::json_scan::skip_value(memory(text));
            BOOST_TEST((left && left->size() == rest), text);
            BOOST_TEST(!linkspan::json_scan::skip_value(memory(std::string_view(text).substr(0, size + 1))));
        }
}

BOOST_AUTO_TEST_CASE(escaped_quote_at_each_position_does_not_end_a_string)
{
    support::guarded_memory const memory;
    for (std::size_t size = 2; size != 230; ++size)
        for (std::size_t at = 0; at + 2 <= size; at += size < 70 ? 1 : 7)
            for (std::string_view const escape : {R"(\")", R"(\\)"}) {
                auto text = '"' + std::string(size, 'x') + '"';
                text.replace(at + 1, 2, escape);
                BOOST_TEST(linkspan::json_scan::is_value(memory(text)), text);
                text.pop_back();
                BOOST_TEST(!linkspan::json_scan::is_value(memory(text)), text);
            }
}

BOOST_AUTO_TEST_SUITE_END()
