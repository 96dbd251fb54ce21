#include <linkspan/connector/detail/call_failure.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "support/add_server.hpp"
#include "support/scripted_policies.hpp"

BOOST_AUTO_TEST_SUITE(call_failure_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::call_flow;
using detail::connector_core;
using detail::server_entry;

namespace {

struct fixture {
    fixture() { candidates.resolve(query, core->publisher(), core->servers()); }

    std::shared_ptr<server_entry> add(std::string key) { return test::add_server(*core, std::move(key)); }

    void look_up() { candidates.resolve_among_unknown(query, core->servers()); }

    detail::call_failure end(error_code ec, bool last_response = false)
    {
        call_flow::action action{call_flow::action::kind::finish, {}, {}, ec, last_response};
        return detail::failure_at_end({*core, query, candidates, nullptr, trail, {}}, action);
    }

    void add_sent(error_code ec, std::string detail)
    {
        outcome result;
        result.certainty = certainty::completed;
        result.ec = ec;
        trail.add_attempt("a", 1, result, std::move(detail));
    }

    boost::asio::io_context context;
    std::shared_ptr<connector_core> core =
        std::make_shared<connector_core>(context.get_executor(), std::make_unique<test::scripted_policies>());
    detail::tool_query query{"read", {}, nullptr, false};
    detail::call_candidates candidates;
    detail::attempt_trail trail;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(call_without_candidates_fails_with_the_error_of_the_flow, fixture)
{
    auto const failure = end(error::no_eligible_server);
    BOOST_TEST((failure.ec == error::no_eligible_server));
    BOOST_TEST(failure.detail == "");
}

BOOST_FIXTURE_TEST_CASE(candidates_that_are_not_connected_are_recorded_as_failed, fixture)
{
    add("a");
    look_up();
    auto const failure = end(error::no_eligible_server);
    BOOST_TEST((failure.ec == error::all_servers_failed));
    BOOST_REQUIRE(!trail.empty());
    BOOST_TEST(trail.last().server == "a");
    BOOST_TEST((trail.last().result.ec == error::not_connected));
}

BOOST_FIXTURE_TEST_CASE(last_response_is_the_failure_of_the_call, fixture)
{
    add_sent(error::attempt_timed_out, "the message");
    auto const failure = end(error::attempt_timed_out, true);
    BOOST_TEST((failure.ec == error::attempt_timed_out));
    BOOST_TEST(failure.detail == "the message");
    BOOST_TEST(end(error::attempt_timed_out).detail == "");
    BOOST_TEST(end(error::all_servers_failed).detail == "last attempt on 'a': the message");
}

BOOST_FIXTURE_TEST_CASE(arguments_that_the_schemas_of_all_servers_reject_are_invalid, fixture)
{
    trail.add_attempt("a", 0, detail::rejection_of_arguments(), "/path: must be a string");
    auto const failure = end(error::all_servers_failed);
    BOOST_TEST((failure.ec == error::invalid_arguments));
    BOOST_TEST(failure.detail == "/path: must be a string");
}

BOOST_FIXTURE_TEST_CASE(tool_that_no_server_has_is_unknown, fixture)
{
    add("a");
    look_up();
    trail.add_not_reached("a", error::tool_not_found, {}, {});
    auto const failure = end(error::all_servers_failed);
    BOOST_TEST((failure.ec == error::tool_not_found));
    BOOST_TEST(failure.detail.starts_with("'read'"));
}

BOOST_FIXTURE_TEST_CASE(only_server_with_unknown_tools_was_not_reached, fixture)
{
    add("a");
    query.target = "a";
    candidates.resolve(query, core->publisher(), core->servers());
    auto const failure = end(error::no_eligible_server);
    BOOST_TEST((failure.ec == error::not_connected));
    BOOST_TEST(failure.detail == "server 'a'");
    BOOST_TEST(!trail.empty());
    BOOST_TEST((end(error::deadline_exceeded).ec == error::deadline_exceeded));
}

BOOST_FIXTURE_TEST_CASE(exposed_name_without_a_known_owner_is_invalid, fixture)
{
    query.is_exposed = true;
    auto const failure = detail::unknown_tool_failure({*core, query, candidates, nullptr, trail, {}});
    BOOST_TEST((failure.ec == error::invalid_tool_name));
    BOOST_TEST(failure.detail == "'read'; searched: none");
}

BOOST_FIXTURE_TEST_CASE(timeout_before_the_lists_names_the_servers_whose_lists_are_outstanding, fixture)
{
    auto const text = [this] {
        auto const failure = detail::list_timeout_failure({*core, query, candidates, nullptr, trail, {}}, 1500ms);
        BOOST_TEST((failure.ec == error::deadline_exceeded));
        return failure.detail;
    };
    std::string const rest = " within the timeout of the call, 1500 ms; raise call_options::timeout";
    auto const a = add("a"), b = add("b");
    BOOST_TEST(text() == "the catalog was not published" + rest);
    BOOST_TEST(a->tools.on_list_started({}).empty());
    BOOST_TEST(text() == "server 'a' did not list its tools" + rest);
    b->life.on_starting();
    BOOST_TEST(text() == "servers 'a', 'b' did not list their tools" + rest);
    query.target = "b";
    BOOST_TEST(text() == "server 'b' did not list its tools" + rest);
    query.target = {};
    for (char key = 'c'; key != 'i'; ++key)
        add(std::string(1, key))->life.on_starting();
    BOOST_TEST(text() == "servers 'a', 'b', 'c', 'd', 'e' and 3 more did not list their tools" + rest);
}

BOOST_FIXTURE_TEST_CASE(text_about_a_server_that_is_not_ready_names_the_server_and_the_time, fixture)
{
    auto const a = add("a");
    BOOST_TEST(detail::not_ready_text(*a, 2s, false) ==
               "server 'a' was not ready within the timeout of the call, 2000 ms; raise call_options::timeout");
    BOOST_TEST(detail::not_ready_text(*a, 250ms, true) ==
               "server 'a' was not ready within attempt_share of the remaining time, 250 ms; raise "
               "call_options::attempt_share or timeout");
}

BOOST_AUTO_TEST_SUITE_END()
