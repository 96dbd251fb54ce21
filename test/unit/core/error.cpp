#include <linkspan/core/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_category.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

BOOST_AUTO_TEST_SUITE(error_test)

using linkspan::condition;
using linkspan::error;
using linkspan::error_code;
using linkspan::error_condition;
namespace asio = boost::asio;
namespace errc = boost::system::errc;

namespace {

struct row {
    error code;
    error_condition meaning;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << error_code(r.code).what(); }

row const table[] = {
    {error::stream_ended, condition::transport_failed},
    {error::truncated_line, condition::transport_failed},
    {error::line_too_long, condition::protocol_violated},
    {error::not_connected, condition::not_executed},
    {error::queue_full, condition::not_executed},
    {error::connection_failed, condition::transport_failed},
    {error::not_json, condition::protocol_violated},
    {error::malformed_message, condition::protocol_violated},
    {error::no_common_protocol_version, condition::protocol_violated},
    {error::repeated_cursor, condition::protocol_violated},
    {error::list_too_long, condition::protocol_violated},
    {error::session_lost, condition::transport_failed},
    {error::unsupported_input_request, condition::protocol_violated},
    {error::input_refused, condition::error_response},
    {error::too_many_input_rounds, condition::protocol_violated},
    {error::subscription_refused, condition::tool_refused},
    {error::tool_not_found, condition::tool_refused},
    {error::ambiguous_tool, condition::tool_refused},
    {error::invalid_arguments, condition::tool_refused},
    {error::unexpected_result, condition::protocol_violated},
    {error::no_eligible_server, condition::not_executed},
    {error::attempt_timed_out, make_error_condition(errc::timed_out)},
    {error::all_servers_failed, condition::not_executed},
    {error::deadline_exceeded, make_error_condition(errc::timed_out)},
    {error::outcome_unknown, condition::outcome_unknown},
    {error::task_cancelled, condition::error_response},
    {error::entry_not_found, condition::tool_refused},
    {error::ambiguous_prompt, condition::tool_refused},
    {error::too_many_clients, condition::not_executed},
};

condition const all_conditions[] = {condition::transport_failed, condition::protocol_violated,
                                    condition::tool_refused,     condition::error_response,
                                    condition::not_executed,     condition::outcome_unknown};

} // namespace

BOOST_DATA_TEST_CASE(error_code_has_exactly_one_condition, boost::unit_test::data::make(table))
{
    error_code const ec = sample.code;
    BOOST_TEST(ec.failed());
    BOOST_TEST((ec == sample.meaning));
    for (auto const other : all_conditions)
        BOOST_TEST((ec == other) == (sample.meaning == other));
}

BOOST_AUTO_TEST_CASE(rpc_error_code_is_tool_refused_or_error_response)
{
    for (int const code : {-32700, -32600, -32601, -32602, -32020, -32021, -32022}) {
        error_code const ec(code, linkspan::rpc_category());
        for (auto const meaning : all_conditions)
            BOOST_TEST((ec == meaning) == (meaning == condition::tool_refused), ec.what());
    }
    for (int const code : {-32603, -32000, -32002, -1, 0, 7}) {
        error_code const ec(code, linkspan::rpc_category());
        BOOST_TEST(ec.failed());
        for (auto const meaning : all_conditions)
            BOOST_TEST((ec == meaning) == (meaning == condition::error_response), ec.what());
    }
}

BOOST_AUTO_TEST_CASE(every_code_and_condition_has_a_distinct_text)
{
    std::set<std::string> texts;
    for (auto const& [code, meaning] : table)
        BOOST_TEST(texts.insert(error_code(code).message()).second);
    for (auto const meaning : all_conditions)
        BOOST_TEST(texts.insert(error_condition(meaning).message()).second);
}

BOOST_AUTO_TEST_CASE(both_overloads_of_message_return_the_same_text)
{
    char unused[1];
    error_code const ec = error::line_too_long;
    error_condition const meaning = condition::tool_refused;
    BOOST_TEST(ec.message() == ec.message(unused, sizeof unused));
    BOOST_TEST(meaning.message() == meaning.message(unused, sizeof unused));
}

BOOST_AUTO_TEST_CASE(categories_have_names_and_differ)
{
    BOOST_TEST(linkspan::category().name() == std::string("linkspan"));
    BOOST_TEST(linkspan::condition_category().name() == std::string("linkspan.condition"));
    BOOST_TEST((linkspan::category() != linkspan::condition_category()));
}

BOOST_AUTO_TEST_CASE(error_code_of_another_library_has_condition_transport_failed)
{
    error_code const foreign[] = {asio::error::eof, asio::error::host_not_found, asio::error::connection_refused,
                                  make_error_code(errc::broken_pipe)};
    for (auto const& ec : foreign)
        for (auto const meaning : all_conditions)
            BOOST_TEST((ec == meaning) == (meaning == condition::transport_failed), ec.what());
}

BOOST_AUTO_TEST_CASE(success_and_cancellation_have_no_condition)
{
    for (auto const meaning : all_conditions) {
        BOOST_TEST((error_code() != meaning));
        BOOST_TEST((error_code(asio::error::operation_aborted) != meaning));
    }
    BOOST_TEST((error_code(asio::error::operation_aborted) == errc::operation_canceled));
}

BOOST_AUTO_TEST_CASE(unknown_value_has_a_text_and_no_condition)
{
    error_code const ec(10'000, linkspan::category());
    error_condition const meaning(10'000, linkspan::condition_category());
    BOOST_TEST(ec.message() == "unknown linkspan error");
    BOOST_TEST(meaning.message() == "unknown linkspan condition");
    for (auto const known : all_conditions)
        BOOST_TEST((ec != known));
}

BOOST_AUTO_TEST_SUITE_END()
