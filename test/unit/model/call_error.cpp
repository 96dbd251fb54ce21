#include <linkspan/model/call_error.hpp>

#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(call_error_test)

using namespace linkspan;
using linkspan::test::contains;
using namespace std::chrono_literals;

namespace {

attempt_record attempt(std::string server, request_id id, certainty delivery, error_code ec, duration elapsed,
                       std::string detail = {})
{
    attempt_record record;
    record.server = std::move(server);
    record.id = id;
    record.result.certainty = delivery;
    record.result.ec = ec;
    record.result.elapsed = elapsed;
    record.detail = std::move(detail);
    return record;
}

call_result two_attempts()
{
    call_result result;
    result.trail({attempt("files", 7, certainty::unknown, error::attempt_timed_out, 30s),
                  attempt("backup", 0, certainty::not_sent, error::not_connected, {}, "spawn failed")});
    return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(explanation_without_attempts_is_the_error_message)
{
    BOOST_TEST(explain(error::no_eligible_server, {}) == error_code(error::no_eligible_server).message());
}

BOOST_AUTO_TEST_CASE(detail_follows_the_error_message)
{
    call_result result;
    result.trail({}, "'red'; similar names: read");
    auto const text = explain(error::tool_not_found, result);
    BOOST_TEST(text == error_code(error::tool_not_found).message() + ": 'red'; similar names: read");
}

BOOST_AUTO_TEST_CASE(each_attempt_is_one_line)
{
    auto const text = explain(error::outcome_unknown, two_attempts());
    auto const first = text.find("\n  1. files (request 7): unknown");
    auto const second = text.find("\n  2. backup: not_sent");
    BOOST_TEST_REQUIRE(first != text.npos);
    BOOST_TEST_REQUIRE(second != text.npos);
    BOOST_TEST(first < second);
    auto const line = text.substr(first, second - first);
    BOOST_TEST(contains(line, error_code(error::attempt_timed_out).message()));
    BOOST_TEST(contains(line, "30000 ms"));
    BOOST_TEST(contains(text.substr(second), "spawn failed"));
}

BOOST_AUTO_TEST_CASE(successful_attempt_is_explained_without_error)
{
    call_result result;
    result.trail({attempt("files", 1, certainty::completed, {}, 5ms)});
    auto const text = explain(error::no_eligible_server, result);
    BOOST_TEST(contains(text, "1. files (request 1): completed, after 5 ms"));
}

BOOST_AUTO_TEST_CASE(exception_has_code_text_and_attempts)
{
    call_error const thrown(error::outcome_unknown, two_attempts());
    BOOST_TEST((thrown.code() == error::outcome_unknown));
    BOOST_TEST_REQUIRE(thrown.attempts().size() == 2u);
    BOOST_TEST(thrown.attempts()[0].server == "files");
    BOOST_TEST(thrown.detail().empty());
    std::string const what = thrown.what();
    BOOST_TEST(contains(what, "1. files"));
    BOOST_TEST(contains(what, "2. backup"));
}

BOOST_AUTO_TEST_CASE(exception_is_a_system_error)
{
    call_result result;
    result.trail({}, "why");
    try {
        throw call_error(error::tool_not_found, result);
    } catch (boost::system::system_error const& e) {
        BOOST_TEST((e.code() == error::tool_not_found));
        BOOST_TEST(contains(e.what(), "why"));
    }
}

BOOST_AUTO_TEST_CASE(exception_text_contains_tool_message_code_and_attempts_once)
{
    call_result result;
    result.trail({attempt("files", 7, certainty::completed, {-32602, rpc_category()}, 5ms, "no path")}, "no path",
                 "read");
    call_error const thrown({-32602, rpc_category()}, result);
    BOOST_TEST(std::string(thrown.what()) ==
               "call of tool 'read' failed: the server refused the parameters: no path [linkspan.rpc:-32602]\n"
               "  1. files (request 7): completed, the server refused the parameters [linkspan.rpc:-32602], "
               "after 5 ms: no path");
    BOOST_TEST(thrown.result().tool() == "read");
    call_error const copy(thrown);
    BOOST_TEST(std::string(copy.what()) == thrown.what());
}

BOOST_AUTO_TEST_CASE(timed_out_recognizes_timeouts_of_all_layers)
{
    error_code const timeouts[] = {
        error::attempt_timed_out, error::deadline_exceeded, make_error_code(boost::system::errc::timed_out),
        {504, http_category()},   {408, http_category()},   {504, proxy_category()}};
    for (auto const& ec : timeouts) {
        BOOST_TEST(timed_out(ec), ec.message());
        BOOST_TEST(timed_out(ec, call_result()), ec.message());
    }
    error_code const others[] = {error::outcome_unknown, error::stream_ended,      {},
                                 {503, http_category()}, {-32603, rpc_category()}, {504, rpc_category()}};
    for (auto const& ec : others)
        BOOST_TEST(!timed_out(ec, call_result()), ec.message());
}

BOOST_AUTO_TEST_CASE(error_that_summarizes_attempts_is_a_timeout_if_one_attempt_timed_out)
{
    auto const late = two_attempts();
    BOOST_TEST(timed_out(error::outcome_unknown, late));
    BOOST_TEST(timed_out(error::all_servers_failed, late));
    BOOST_TEST(timed_out(late));
    BOOST_TEST(timed_out(call_error(error::outcome_unknown, late)));
    BOOST_TEST(!timed_out({-32602, rpc_category()}, late)); // this code does not summarize attempts
    call_result lost;
    lost.trail({attempt("files", 7, certainty::unknown, error::stream_ended, 30s)});
    BOOST_TEST(!timed_out(error::outcome_unknown, lost));
    BOOST_TEST(!timed_out(lost));
}

BOOST_AUTO_TEST_CASE(each_kind_of_failure_has_an_exception_class)
{
    using namespace linkspan;
    auto const thrown = [](error_code ec) { std::rethrow_exception(make_exception(ec, call_result())); };
    BOOST_CHECK_THROW(thrown(error::tool_not_found), tool_not_found_error);
    BOOST_CHECK_THROW(thrown(error::invalid_tool_name), tool_not_found_error);
    BOOST_CHECK_THROW(thrown(error::all_servers_failed), all_servers_failed_error);
    BOOST_CHECK_THROW(thrown(error::outcome_unknown), outcome_unknown_error);
    BOOST_CHECK_THROW(thrown({-32603, rpc_category()}), protocol_error);
    BOOST_CHECK_THROW(thrown(error::malformed_message), protocol_error);
    BOOST_CHECK_THROW(thrown(error::deadline_exceeded), call_error);
    BOOST_CHECK_THROW(thrown(error::no_eligible_server), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
