// Expectations of a test in C++ and of scripts: the order of rules, header fields, and the end of connections.

#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/any_expectation.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/contains.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(expectations_test)

using namespace linkspan;
using namespace linkspan::test;
using linkspan::test::contains;

namespace {

constexpr auto unlimited = std::numeric_limits<std::size_t>::max();
constexpr auto closed = R"({"mock":1,"expect":[{"stdinClosed":true}]})";

std::string closed_report(int opened, int by_client, int by_server, int lost = 0)
{
    return "expected all connections to be closed by the client; opened: " + std::to_string(opened) +
           ", closed by the client: " + std::to_string(by_client) + ", lost: " + std::to_string(lost) +
           ", ended by the server: " + std::to_string(by_server) +
           ", open: " + std::to_string(opened - by_client - by_server - lost);
}

//[ verification
// Checks that the client has logged in, has then paid once, and has closed its connections.
void check_payment(scripted_server const& bank)
{
    BOOST_TEST(bank.verify(expectation(call("pay")).where("/arguments/amount", 5).exactly(1)));
    BOOST_TEST(bank.verify(expectation(call("delete")).exactly(0)));
    BOOST_TEST(bank.verify(rule_order({"login", "pay"}))); // names, as of bank.on(call("pay")).named("pay")
    BOOST_TEST(bank.verify(closed_by_client()));
}
//]

} // namespace

LINKSPAN_CASE_IN(session_world, order_of_rules_is_verified)
{
    server.on(call("login")).named("login").then(text("welcome"));
    server.on(call("pay")).named("pay").then(text("paid"));
    server.on(notification("notifications/initialized")).named("ready");
    rule_order const order({"login", "pay"});
    co_await make().async_open();
    co_await client->async_call_tool("pay");
    co_await client->async_call_tool("login");
    auto const early = server.verify(order);
    BOOST_TEST(!early);
    BOOST_TEST(early.report() == "expected the rules 'login', 'pay' in this order; rule 'pay' was not selected after "
                                 "'login'; selected rules: 'pay' 'login'");
    co_await client->async_call_tool("pay");
    BOOST_TEST(server.verify(order));
    BOOST_TEST(!server.verify(rule_order({"ready"}))); // a rule of an event without a request
}

LINKSPAN_CASE_IN(session_world, expectations_are_exported)
{
    server.on(call("login")).named("login").then(text("welcome"));
    server.on(call("pay")).named("pay").then(text("paid"));
    expectation large(call("pay"));
    large.where("/arguments/amount", boost::json::object{{"gt", 5}}).where("/arguments/amount", 7);
    std::vector<any_expectation> const expected{large,
                                                expectation(call("login")).exactly(2),
                                                expectation(request("tools/call")).between(0, 1),
                                                expectation(call("")).between(9, unlimited),
                                                expectation(call("pay")).exactly(0),
                                                expectation(call("pay")).cancelled(),
                                                rule_order({"pay", "login"}),
                                                closed_by_client()};
    auto const script = to_script(server, expected);
    BOOST_TEST(script.ends_with(R"("expect": [
  {"call":"pay","where":{"/arguments/amount":{"all":[{"gt":5},7]}}},
  {"call":"login","count":2},
  {"request":"tools/call","count":{"min":0,"max":1}},
  {"request":"tools/call","count":{"min":9}},
  {"never":{"call":"pay"}},
  {"cancelled":{"call":"pay"}},
  {"order":["pay","login"]},
  {"stdinClosed":true}
]
}
)"),
               script);
    co_await make().async_open();
    co_await client->async_call_tool("login");
    co_await client->async_call_tool("pay");
    std::string reports;
    for (std::size_t i = 1; i != expected.size(); ++i) {
        auto const report = std::visit([&](auto const& one) { return server.verify(one).report(); }, expected[i]);
        BOOST_TEST(!report.empty(), i);
        reports += "\nscript: /expect/" + std::to_string(i) + ": " + report;
    }
    // The two conditions of the first expectation are one in the script.
    auto const report = mock_script::parse(script).verify(server).report();
    BOOST_TEST(report.substr(std::min(report.find("\nscript: /expect/1"), report.size())) == reports);
}

BOOST_AUTO_TEST_CASE(expectation_without_a_form_is_a_problem)
{
    scripted_server server;
    server.on(call("t")).named("a").then(text("x"));
    trigger own = call("t");
    own.where = [](std::string_view) { return true; };
    std::vector<any_expectation> const expected{expectation(own), expectation(call("t")).cancelled().exactly(2),
                                                rule_order({"a", "b"}), expectation(call("absent"))};
    BOOST_CHECK_EXCEPTION(to_script(server, expected), script_error, [](script_error const& failure) {
        BOOST_TEST(
            failure.what() ==
            "to_script: expectation #1: /expect/0: the condition on the arguments is a function of this program; "
            "conditions such as arg<...>(eq(...)) have a form\n"
            "to_script: expectation #2: /expect/1: a script expects at least one cancelled request, and no other "
            "number\n"
            "to_script: expectation #3: /expect/2/order/1: expected the name of a rule, found \"b\"\n"
            "to_script: expectation #4: /expect/3/call: expected a tool of the server, found \"absent\"");
        return true;
    });
}

BOOST_AUTO_TEST_CASE(minimum_of_an_expectation_is_at_most_its_maximum)
{
    BOOST_TEST(scripted_server().verify(expectation(call("t")).between(0, 0)));
    BOOST_CHECK_EXCEPTION(expectation(call("t")).between(3, 2), std::invalid_argument, [](auto const& failure) {
        BOOST_TEST(failure.what() == std::string("linkspan: expectation: expected a minimum of at most 2, found 3"));
        return true;
    });
}

LINKSPAN_CASE_IN(session_world, documented_expectations_are_met)
{
    server.on(call("login")).named("login").then(text("welcome"));
    server.on(call("pay")).named("pay").then(text("paid"));
    co_await make().async_open();
    boost::json::object const five{{"amount", 5}};
    co_await client->async_call_tool("login");
    co_await client->async_call_tool("pay", five);
    client.reset();
    co_await settle(executor);
    check_payment(server);
}

LINKSPAN_CASE_IN(session_world, connections_that_the_client_closes_are_verified)
{
    auto const script = mock_script::parse(closed);
    BOOST_TEST(server.verify(closed_by_client()).report() == closed_report(0, 0, 0));
    co_await make().async_open();
    BOOST_TEST(server.verify(closed_by_client()).report() == closed_report(1, 0, 0));
    BOOST_TEST(script.verify(server).report() == "script: /expect/0: " + closed_report(1, 0, 0));
    client.reset();
    co_await settle(executor);
    BOOST_TEST(server.verify(closed_by_client()));
    BOOST_TEST(script.verify(server));

    co_await make().async_open();
    co_await client->async_shutdown(in_tuple);
    co_await settle(executor);
    BOOST_TEST(server.verify(closed_by_client()));

    co_await make().async_open();
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(server.verify(closed_by_client()).report() == closed_report(3, 2, 1));
}

LINKSPAN_CASE_IN(session_world, connection_that_an_action_ends_is_not_closed_by_the_client)
{
    server.on(call("end")).then(drop_connection());
    co_await make().async_open();
    co_await client->async_call_tool("end", {}, in_tuple);
    co_await settle(executor);
    BOOST_TEST(server.verify(closed_by_client()).report() == closed_report(1, 0, 1));
}

LINKSPAN_CASE_IN(session_world, connection_that_is_lost_is_not_closed_by_the_client)
{
    server.cut_requests_after(1000);
    server.on(call("t")).then(text("x"));
    co_await make().async_open();
    boost::json::object const large{{"text", std::string(2000, 'x')}};
    auto const [ec, result] = co_await client->async_call_tool("t", large, in_tuple);
    BOOST_TEST(!!ec);
    co_await settle(executor);
    BOOST_TEST(server.verify(closed_by_client()).report() == closed_report(1, 0, 0, 1));
}

HTTP_CASE(session_that_the_client_ends_is_closed)
{
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    BOOST_TEST(server->verify(closed_by_client()).report() == closed_report(1, 0, 0));
    co_await client->async_shutdown(in_tuple);
    co_await settle(executor);
    BOOST_TEST(web->requests("DELETE", "") == 1u);
    BOOST_TEST(server->verify(closed_by_client()));
}

HTTP_CASE(stateless_request_is_closed_by_its_response)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    co_await settle(executor);
    BOOST_TEST(server->connections() >= 2u);
    BOOST_TEST(server->verify(closed_by_client()));
}

HTTP_CASE(header_fields_of_requests_are_verified)
{
    for (auto const& versions : {handshake_era, stateless_era}) {
        auto const script = mock_script::parse(R"({"mock":1,"tools":[{"name":"add"}],"expect":[
            {"call":"add","where":{"#/http/headers/x-tenant":"acme"},"count":1},
            {"never":{"request":"tools/call","where":{"#/http/headers/X-TENANT":{"prefix":"other"}}}},
            {"call":"add","where":{"#/http/headers/x-none":{"absent":true}}}]})");
        config.headers["X-Tenant"] = "acme";
        serve(versions);
        add().then(text("5"));
        co_await open();
        co_await call_add();
        expectation acme(call("add"));
        acme.where("#/http/headers/x-tenant", "acme").exactly(1);
        BOOST_TEST(server->verify(acme));
        BOOST_TEST(script.verify(*server));
        auto const last = server->requests().back();
        BOOST_TEST_REQUIRE(last.header("x-TENANT"));
        BOOST_TEST(*last.header("x-TENANT") == "acme");
        BOOST_TEST(!last.header("x-none"));

        config.headers["X-Tenant"] = "other one";
        co_await open();
        co_await call_add();
        BOOST_TEST(server->verify(acme));
        auto const report = script.verify(*server).report();
        BOOST_TEST(report.starts_with("script: /expect/1: expected no tools/call, where #/http/headers/X-TENANT is "
                                      R"({"prefix":"other"}; found 1 among 2 of this kind)"),
                   report);
        BOOST_TEST(!contains(report, "/expect/0"), report);
        expectation second(call("add"));
        second.where("#/http/headers/x-tenant", "Other one");
        auto const missed = server->verify(second).report();
        BOOST_TEST(contains(missed, R"(#/http/headers/x-tenant: expected "Other one", found another value; the )"
                                    "texts differ in case only"),
                   missed);
    }
}

LINKSPAN_CASE_IN(session_world, request_without_http_has_no_header_fields)
{
    server.on(call("t")).then(text("5"));
    co_await make().async_open();
    co_await client->async_call_tool("t");
    boost::json::object const absent{{"absent", true}}, present{{"present", true}};
    expectation without(call("t")), with(call("t"));
    without.where("#/http/headers/accept", absent);
    with.where("#/http/headers/accept", present);
    BOOST_TEST(server.verify(without));
    BOOST_TEST(!server.verify(with));
    BOOST_TEST(server.requests().back().headers.empty());
}

BOOST_AUTO_TEST_SUITE_END()
