#include <linkspan/config/detail/config_text.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(config_text_test)

using namespace linkspan::detail;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view text;
    std::string_view blanked;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.text; }

constexpr row rows[] = {
    {"", ""},
    {R"({"a":1})", R"({"a":1})"},
    {"{} // end", "{}       "},
    {"{ // x\n}", "{     \n}"},
    {"{ // x\r\n}", "{     \r\n}"},
    {"/* a\n b */{}", "    \n     {}"},
    {"/**/{}", "    {}"},
    {"/* // */{}", "        {}"},
    {"{} // /*", "{}      "},
    {R"(["// no", "/* no */"])", R"(["// no", "/* no */"])"},
    {R"(["\"// no"])", R"(["\"// no"])"},
    {R"(["\\"// yes)", "[\"\\\\\"      "},
    {"[1,]", "[1 ]"},
    {R"({"a":1 , })", R"({"a":1   })"},
    {R"(["a",])", R"(["a" ])"},
    {R"(["a", /* x */ ])", R"(["a"          ])"},
    {R"([",]"])", R"([",]"])"},
    {"[[],]", "[[] ]"},
    {"\xef\xbb\xbf{}", "   {}"},
    // Invalid JSON remains invalid.
    {"[,]", "[,]"},
    {"{,}", "{,}"},
    {"[1,,]", "[1,,]"},
    {"[1,2", "[1,2"},
    {"{\"a\":,}", "{\"a\":,}"},
    {"/* open", "/* open"},
    {"/", "/"},
    {"\"open", "\"open"},
    {"\"open\\", "\"open\\"},
    {"# x", "# x"},
};

} // namespace

BOOST_DATA_TEST_CASE(comments_are_blanked_without_moving_other_text, data::make(rows))
{
    BOOST_TEST(blank_comments(sample.text) == sample.blanked);
    BOOST_TEST(sample.text.size() == sample.blanked.size());
}

BOOST_AUTO_TEST_CASE(repeated_key_is_found_at_any_depth)
{
    auto const found =
        find_repeated_keys(R"({"a":1,"b":{"x":1,"\u0078":2,"x":3},"a":[{"y/z":{"k":1,"k":2}},{"k":1}],"c":{"a":1}})");
    BOOST_TEST_REQUIRE(found.size() == 3u);
    BOOST_TEST(found[0].object == "/b");
    BOOST_TEST(found[0].key == "x");
    BOOST_TEST(found[1].object == "/a/0/y~1z");
    BOOST_TEST(found[1].key == "k");
    BOOST_TEST(found[2].object == "");
    BOOST_TEST(found[2].key == "a");
    BOOST_TEST(find_repeated_keys(R"([1,1,{"a":1}])").empty());
}

BOOST_AUTO_TEST_SUITE_END()
