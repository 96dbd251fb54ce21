#include <linkspan/model/required_elicitations.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

#include "support/rpc_error.hpp"

BOOST_AUTO_TEST_SUITE(required_elicitations_test)

using namespace linkspan;
using linkspan::test::rpc;

namespace {

// Returns the result of a call whose last attempt received an error response with this data.
call_result failed_with(std::string data)
{
    attempt_record first, last;
    first.data = R"({"elicitations":[{"mode":"url","url":"https://a.example/other"}]})";
    last.server = "bank";
    last.data = std::move(data);
    call_result out;
    out.trail({first, last});
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(elicitations_of_the_last_attempt_are_read)
{
    auto const result = failed_with(
        R"({"elicitations":[{"mode":"url","url":"https://a.example/1","message":"Sign in","elicitationId":"e1"},)"
        R"({"mode":"url","url":"https://a.example/2","message":"Pay","elicitationId":"e2","more":1}]})");
    auto const pages = required_elicitations(rpc(url_elicitation_required), result);
    BOOST_TEST_REQUIRE(pages.size() == 2u);
    BOOST_TEST(pages[0].server == "bank");
    BOOST_TEST((pages[0].mode == elicit_mode::url));
    BOOST_TEST(pages[0].url == "https://a.example/1");
    BOOST_TEST(pages[0].message == "Sign in");
    BOOST_TEST(pages[0].elicitation_id == "e1");
    BOOST_TEST(pages[1].elicitation_id == "e2");
}

BOOST_AUTO_TEST_CASE(elicitations_that_are_not_valid_are_omitted)
{
    auto const result = failed_with(R"({"elicitations":[7,{"mode":"form","message":"m"},{"mode":"url"},{"mode":"x"},)"
                                    R"({"mode":"url","url":"https://a.example/1"}]})");
    BOOST_TEST(required_elicitations(rpc(url_elicitation_required), result).size() == 1u);
    for (auto const* data : {"", "7", "[]", "{}", R"({"elicitations":{}})", R"({"elicitations":null})"})
        BOOST_TEST(required_elicitations(rpc(url_elicitation_required), failed_with(data)).empty(), data);
    BOOST_TEST(required_elicitations(rpc(url_elicitation_required), call_result()).empty());
}

BOOST_AUTO_TEST_CASE(other_errors_require_no_elicitation)
{
    auto const result = failed_with(R"({"elicitations":[{"mode":"url","url":"https://a.example/1"}]})");
    for (auto const& ec :
         {error_code(), rpc(-32602), error_code(-32042, http_category()), error_code(error::tool_failed)})
        BOOST_TEST(required_elicitations(ec, result).empty());
}

BOOST_AUTO_TEST_SUITE_END()
