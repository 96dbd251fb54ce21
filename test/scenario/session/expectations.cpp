// Expectations of a test in C++ and of scripts: the order of rules, header fields, and the end of connections.

#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/rule_order.hpp>

#include <boost/json/object.hpp>

#include <string>

#include "support/contains.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(expectations_test)

using namespace linkspan;
using namespace linkspan::test;
using linkspan::test::contains;

namespace {

constexpr auto closed = R"({"mock":1,"expect":[{"stdinClosed":true}]})";

std::string closed_report(int opened, int by_client, int by_server)
{
    return "expected all connections to be closed by the client; opened: " + std::to_string(opened) +
           ", closed by the client: " + std::to_string(by_client) + ", ended by the server: " +
           std::to_string(by_server) + ", open: " + std::to_string(opened - by_client - by_server);
}

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

LINKSPAN_CASE_IN(session_world, connections_that_the_client_closes_are_verified)
{
    auto const script = mock_script::parse(closed);
    BOOST_TEST(server.verify_closed_by_client().report() == closed_report(0, 0, 0));
    co_await make().async_open();
    BOOST_TEST(server.verify_closed_by_client().report() == closed_report(1, 0, 0));
    BOOST_TEST(script.verify(server).report() == "/expect/0: " + closed_report(1, 0, 0));
    client.reset();
    co_await settle(executor);
    BOOST_TEST(server.verify_closed_by_client());
    BOOST_TEST(script.verify(server));

    co_await make().async_open();
    co_await client->async_shutdown(in_tuple);
    co_await settle(executor);
    BOOST_TEST(server.verify_closed_by_client());

    co_await make().async_open();
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(server.verify_closed_by_client().report() == closed_report(3, 2, 1));
}

LINKSPAN_CASE_IN(session_world, connection_that_an_action_ends_is_not_closed_by_the_client)
{
    server.on(call("end")).then(drop_connection());
    co_await make().async_open();
    co_await client->async_call_tool("end", {}, in_tuple);
    co_await settle(executor);
    BOOST_TEST(server.verify_closed_by_client().report() == closed_report(1, 0, 1));
}

HTTP_CASE(session_that_the_client_ends_is_closed)
{
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    BOOST_TEST(server->verify_closed_by_client().report() == closed_report(1, 0, 0));
    co_await client->async_shutdown(in_tuple);
    co_await settle(executor);
    BOOST_TEST(web->requests("DELETE", "") == 1u);
    BOOST_TEST(server->verify_closed_by_client());
}

HTTP_CASE(stateless_request_is_closed_by_its_response)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    co_await call_add();
    co_await settle(executor);
    BOOST_TEST(server->connections() >= 2u);
    BOOST_TEST(server->verify_closed_by_client());
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
        BOOST_TEST(report.starts_with("/expect/1: expected no tools/call, where #/http/headers/X-TENANT is "
                                      R"({"prefix":"other"}; found 1 among 2 of this kind)"),
                   report);
        BOOST_TEST(!contains(report, "/expect/0"), report);
        expectation second(call("add"));
        second.where("#/http/headers/x-tenant", "Other one");
        auto const missed = server->verify(second).report();
        BOOST_TEST(contains(missed, R"(#/http/headers/x-tenant: expected "Other one", found "other one"; the texts )"
                                    "differ in case only"),
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
