#include <linkspan/model/progress.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(progress_test)

using linkspan::read_progress;
using linkspan::request_id;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view params;
    request_id token;
    double progress;
    std::optional<double> total = {};
    std::string_view message = {};
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.params; }

constexpr row updates[] = {
    {R"({"progressToken":7,"progress":1})", 7, 1},
    {R"({"progress":1,"progressToken":7})", 7, 1},
    {R"({"progressToken":"7","progress":1})", 7, 1},
    {R"({"progressToken":7,"progress":0})", 7, 0},
    {R"({"progressToken":7,"progress":-2.5})", 7, -2.5},
    {R"({"progressToken":7,"progress":0.25,"total":1})", 7, 0.25, 1.0},
    {R"({"progressToken":7,"progress":1e2,"total":1E+3,"message":"half \"way\""})", 7, 100, 1000.0, "half \"way\""},
    {R"({"progressToken":7,"progress":1,"total":0})", 7, 1, 0.0},
    {R"({"progressToken":7,"progress":1,"total":null,"message":null})", 7, 1},
    {R"({"progressToken":7,"progress":1,"total":"2","message":5})", 7, 1},
    {R"({"progressToken":7,"progress":1,"message":""})", 7, 1},
    {R"({"progressToken":7,"progress":1,"message":"\u00e9"})", 7, 1, {}, "é"},
    {R"({ "_meta" : {"progressToken":8} , "progressToken" : 7 , "x" : [1] , "progress" : 1 })", 7, 1},
    {R"({"progressToken":9223372036854775807,"progress":1})", 9223372036854775807, 1},
};

constexpr std::string_view invalid_params[] = {
    R"({"progress":1})",
    R"({"progressToken":null,"progress":1})",
    R"({"progressToken":"abc","progress":1})",
    R"({"progressToken":"","progress":1})",
    R"({"progressToken":1.5,"progress":1})",
    R"({"progressToken":[7],"progress":1})",
    R"({"progressToken":9223372036854775808,"progress":1})",
    R"({"progressToken":7})",
    R"({"progressToken":7,"progress":null})",
    R"({"progressToken":7,"progress":"1"})",
    R"({"progressToken":7,"progress":true})",
    R"({"progressToken":7,"progress":NaN})",
    R"({"progressToken":7,"progress":inf})",
    R"({"_meta":{"progressToken":7},"progress":1})",
    "{}",
    "[7,1]",
    "null",
    "",
};

} // namespace

BOOST_DATA_TEST_CASE(progress_notification_with_token_and_number_is_read, data::make(updates))
{
    auto const read = read_progress(sample.params);
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->token == sample.token);
    BOOST_TEST(read->update.progress == sample.progress);
    BOOST_TEST((read->update.total == sample.total));
    BOOST_TEST(read->update.message == sample.message);
}

BOOST_DATA_TEST_CASE(params_without_integer_token_or_numeric_progress_are_ignored, data::make(invalid_params))
{
    BOOST_TEST(!read_progress(sample).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
