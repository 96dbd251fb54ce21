#include <linkspan/test/sample/smaller_values.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

BOOST_AUTO_TEST_SUITE(smaller_values_test)

using linkspan::test::smaller_values;

namespace {

// Returns the smaller forms of a JSON text, each on a line.
std::string forms_of(std::string const& json)
{
    std::string out;
    smaller_values forms(boost::json::parse(json));
    while (auto const form = forms.next())
        (out += out.empty() ? "" : "\n") += boost::json::serialize(*form);
    return out;
}

// Follows the first smaller form that is not below a limit. Returns the number of steps.
std::size_t steps_to(boost::json::value value, double limit)
{
    for (std::size_t steps = 0;; ++steps) {
        smaller_values forms(value);
        auto form = forms.next();
        while (form && !(form->to_number<double>() >= limit))
            form = forms.next();
        if (!form) {
            BOOST_TEST(value.to_number<double>() == limit);
            return steps;
        }
        value = *form;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(scalars_have_forms_that_are_nearer_to_zero)
{
    BOOST_TEST(forms_of("null") == "");
    BOOST_TEST(forms_of("false") == "");
    BOOST_TEST(forms_of("true") == "false");
    BOOST_TEST(forms_of("0") == "");
    BOOST_TEST(forms_of("1") == "0");
    BOOST_TEST(forms_of("10") == "0\n5\n8\n9");
    BOOST_TEST(forms_of("-3") == "3\n0\n-2");
    BOOST_TEST(forms_of("0.0") == "");
    BOOST_TEST(forms_of("2.725") == "0E0\n2E0\n2.7E0\n2.72E0\n0E0\n1E0");
    BOOST_TEST(forms_of("-1.5") == "0E0\n1.5E0\n-1E0\n-0E0");
}

BOOST_AUTO_TEST_CASE(texts_and_lists_have_forms_with_fewer_and_smaller_parts)
{
    BOOST_TEST(forms_of(R"("")") == "");
    BOOST_TEST(forms_of(R"("aA0")") == R"(""
"A0"
"a0"
"aA"
"aa0"
"aAa"
"aAA")");
    BOOST_TEST(forms_of("\"\u00e9\U00010000\"") ==
               "\"\"\n\"\U00010000\"\n\"\u00e9\"\n\"a\U00010000\"\n\"A\U00010000\"\n"
               "\"0\U00010000\"\n\"\u00e9a\"\n\"\u00e9A\"\n\"\u00e90\"");
    BOOST_TEST(forms_of("[]") == "");
    BOOST_TEST(forms_of("[1,true]") == "[]\n[true]\n[1]\n[0,true]\n[1,false]");
    BOOST_TEST(forms_of(R"({"a":1,"b":[0]})") == R"({}
{"b":[0]}
{"a":1}
{"a":0,"b":[0]}
{"a":1,"b":[]})");
}

BOOST_AUTO_TEST_CASE(numbers_reach_their_bound_in_few_steps)
{
    BOOST_TEST(steps_to(std::numeric_limits<std::int64_t>::max(), 5) < 80u);
    BOOST_TEST(steps_to(std::numeric_limits<std::uint64_t>::max(), 5) < 80u);
    BOOST_TEST(steps_to(1000, 999) == 1u);
    BOOST_TEST(steps_to(0.5000001, 0.5) == 1u);
    BOOST_TEST(steps_to(-1e300, 3) < 80u);
    BOOST_TEST(steps_to(0x1p1000, 0x1p990) == 10u);
    BOOST_TEST(steps_to(std::numeric_limits<std::int64_t>::min(), 0) < 3u);
}

BOOST_AUTO_TEST_SUITE_END()
