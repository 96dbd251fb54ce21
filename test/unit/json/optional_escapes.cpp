#include <linkspan/json/detail/optional_escapes.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string_view>

BOOST_AUTO_TEST_SUITE(optional_escapes_test)

using linkspan::detail::has_optional_escape;
using linkspan::detail::without_optional_escapes;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view text, decoded;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.text; }

constexpr row decoded[] = {
    {R"("tools\/list")", R"("tools/list")"},           {R"({"\u0069d":1})", R"({"id":1})"},
    {R"("\u0020\u007e\u007E")", R"(" ~~")"},           {R"("\\\/")", R"("\\/")"},
    {R"(["a\/b","\n\/"])", R"(["a/b","\n/"])"},        {R"("\u00e9\/")", R"("\u00e9/")"},
    {R"("\ud83d\ude00\u0041")", R"("\ud83d\ude00A")"},
};

constexpr std::string_view unchanged[] = {
    "",
    R"("")",
    R"("tools/list")",
    R"("\"\\\b\f\n\r\t")",
    R"("\u0022\u005c\u005C")",       // would end the string, or begin an escape
    R"("\u0000\u001f\u007f\u0080")", // not printable, or outside of ASCII
    R"("\u0161")",
    R"("\\u0069")", // a backslash and a text
    R"("\u006)",    // truncated
    R"("\u00 9")",
    R"("\u00-9")",
    R"("\)",
};

} // namespace

BOOST_DATA_TEST_CASE(optional_escapes_are_decoded, data::make(decoded))
{
    BOOST_TEST(has_optional_escape(sample.text));
    BOOST_TEST(without_optional_escapes(sample.text) == sample.decoded);
    BOOST_TEST(!has_optional_escape(sample.decoded));
}

BOOST_DATA_TEST_CASE(other_text_is_not_changed, data::make(unchanged), text)
{
    BOOST_TEST(!has_optional_escape(text));
    BOOST_TEST(without_optional_escapes(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
