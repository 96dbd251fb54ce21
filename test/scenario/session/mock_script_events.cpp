// Events of connections, of HTTP requests and of signals, as triggers of rules.

#include <linkspan/session/notifications.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "support/contains.hpp"
#include "support/http_case.hpp"
#include "support/line_client.hpp"
#include "support/script_problems.hpp"
#include "support/script_world.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_events_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::test::contains;
namespace asio = boost::asio;
using linkspan::changed_list;
using linkspan::http_admission;
using linkspan::http_server_request;
using linkspan::inproc;
using linkspan::via;

namespace {

// Appends the name of an event to the variable `log`.
action logs(std::string name)
{
    return [name = std::move(name)](exchange& on, std::function<void()> const& next) {
        auto& log = on.values().vars["log"];
        log = (log.is_string() ? std::string(log.get_string()) + " " : "") + name;
        next();
    };
}

struct event_world : script_world {
    std::string log() const
    {
        auto const* const found = values().vars.if_contains("log");
        return found ? std::string(found->get_string()) : "";
    }
    script_values const& values() const { return const_cast<scripted_server&>(server).values(); }
};

} // namespace

LINKSPAN_CASE_IN(event_world, end_of_the_input_precedes_the_end_of_the_connection)
{
    server.on(input_closed()).then(logs("closed"), delay(2s), logs("2 s later"));
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    client.reset();
    co_await pass(executor, 1s);
    BOOST_TEST(log() == "closed");
    BOOST_TEST(server.verify(closed_by_client()));
    co_await pass(executor, 2s);
    BOOST_TEST(log() == "closed 2 s later disconnected");
}

LINKSPAN_CASE_IN(event_world, actions_without_a_wait_precede_the_end_of_the_connection_at_once)
{
    server.on(input_closed()).once(logs("first")).then(logs("second"));
    server.on(connection_closed()).then(logs("disconnected"));
    for (int i = 0; i != 3; ++i) {
        co_await make().async_open();
        client.reset();
        co_await settle(executor);
    }
    BOOST_TEST(log() == "first disconnected second disconnected second disconnected");
}

LINKSPAN_CASE_IN(event_world, connection_that_is_lost_or_that_the_server_ends_has_no_end_of_the_input)
{
    server.on(input_closed()).then(logs("closed"));
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected");
    server.cut_responses_after(10);
    co_await make().async_open(in_tuple);
    BOOST_TEST(log().size() > std::string("disconnected").size());
    BOOST_TEST(!contains(log(), "closed"), log());
}

LINKSPAN_CASE_IN(event_world, server_ends_a_connection_during_the_actions_at_the_end_of_the_input)
{
    server.on(input_closed()).once(delay(1h), logs("late")).then(drop_connection());
    server.on(connection_closed()).then(logs("disconnected"));
    co_await make().async_open();
    client.reset();
    co_await pass(executor, 1s);
    BOOST_TEST(log() == "");
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected");
    co_await make().async_open();
    client.reset();
    co_await settle(executor);
    BOOST_TEST(log() == "disconnected disconnected");
    co_await pass(executor, 2h);
    BOOST_TEST(log() == "disconnected disconnected");
}

BOOST_AUTO_TEST_CASE(action_that_waits_forever_at_the_end_of_the_input_ends_with_the_context)
{
    auto const used = std::make_shared<int>();
    {
        world here;
        auto& server = here.add_server("weather");
        server.on(input_closed()).then([used](exchange&, std::function<void()> const& next) { next(); }, gate("never"));
        linkspan::session client(here.executor, linkspan::via<linkspan::inproc>(server));
        here.await(client.async_open(asio::use_awaitable));
        here.await(client.async_shutdown(asio::use_awaitable));
        here.run_until_idle();
        BOOST_TEST(used.use_count() > 1);
    }
    BOOST_TEST(used.use_count() == 1);
}

LINKSPAN_CASE_IN(script_world, script_counts_clients_that_close_their_input)
{
    co_await open(script_with(R"("vars":{"n":0},"rules":[
        {"on":{"stdin-eof":true},"times":1,"set":{"$n":{"add":1}},"do":[{"delay":"1s"},{"set":{"$n":{"add":10}}}]},
        {"on":{"disconnect":true},"set":{"$n":{"add":100}},"do":[]},
        {"on":{"call":"t"},"do":[{"text":"${vars.n}"}]}])"));
    client.reset();
    co_await settle(executor);
    co_await make().async_open();
    BOOST_TEST(co_await reply("t") == "1");
    co_await pass(executor, 2s);
    BOOST_TEST(co_await reply("t") == "111");
}

HTTP_CASE(http_request_has_a_response_before_its_message_is_read)
{
    serve(stateless_era);
    mock_script::parse(R"({"mock":1,"protocolVersions":["2026-07-28"],"tools":[{"name":"add","reply":{"text":"5"}}],
        "rules":[
        {"on":{"http":{"method":"GET"}},"do":[{"http":{"status":500}}]},
        {"on":{"http":{"path":"/other"}},"do":[{"http":{"status":500}}]},
        {"on":{"http":{"method":"POST","path":"/mcp"}},"where":{"#/http/headers/x-tenant":"acme"},"times":1,
         "do":[{"http":{"status":403,"body":"no ${method}"}}]}]})")
        .add_to(*server);
    config.headers["X-Tenant"] = "acme";
    BOOST_TEST(!!co_await open_and_fail());
    BOOST_TEST(contains(client->diagnostics(), "403"), client->diagnostics());
    BOOST_TEST(web->requests("POST") == 1u);
    BOOST_TEST(server->received().empty());
    BOOST_TEST(server->connections() == 0u);
    co_await open();
    auto const called = co_await call_add();
    BOOST_TEST(called.result.text() == "5");
}

HTTP_CASE(http_request_is_handled_after_the_actions_without_a_response)
{
    for (auto const& versions : {handshake_era, stateless_era}) {
        serve(versions);
        add().then(text("5"));
        config.url = "http://server/mcp?a=b";
        server->on(http_request("POST", "/mcp")).then(delay(2s));
        server->on(http_request("DELETE")).then(respond_http(200));
        server->on(notification("notifications/initialized")).then();
        co_await open();
        co_await pass(executor, 5s); // the notification of the handshake is handled
        auto const before = linkspan::test::since_start(time);
        auto const requests = web->requests("POST");
        auto const called = co_await call_add();
        BOOST_TEST(called.result.text() == "5");
        BOOST_TEST((linkspan::test::since_start(time) - before).count() == linkspan::duration(2s).count());
        BOOST_TEST(web->requests("POST") == requests + 1);
    }
}

HTTP_CASE(token_is_checked_after_the_actions_of_the_http_request)
{
    serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> const& done) {
        done(request.header("x-tenant").empty() ? http_admission{.status = 401} : http_admission{.status = 200});
    };
    serve(stateless_era);
    add().then(text("5"));
    server->on(http_request()).then(delay(1s));
    BOOST_TEST(!!co_await open_and_fail());
    BOOST_TEST(server->received().empty());
    config.headers["X-Tenant"] = "acme";
    co_await open();
}

HTTP_CASE(http_request_without_a_response_ends_with_its_connection)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    auto const used = std::make_shared<int>();
    server->on(http_request()).once(drop_connection()).once([used](exchange&, auto const& next) { next(); }, hang());
    auto const cut = co_await call_add();
    BOOST_TEST(!!cut.ec);
    BOOST_TEST(server->received("tools/call") == 0u);
    completion_box waiting;
    client->async_call_tool("add", waiting.handler());
    co_await pass(executor, 1s);
    BOOST_TEST(waiting.count == 0u);
    net->close_all();
    co_await settle(executor);
    BOOST_TEST(waiting.count == 1u);
    BOOST_TEST(server->received("tools/call") == 0u);
}

HTTP_CASE(actions_of_an_http_request_end_with_the_server)
{
    auto const used = std::make_shared<int>();
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    server->on(http_request()).then([used](exchange&, auto const& next) { next(); }, delay(1h), gate("g"));
    completion_box waiting;
    client->async_call_tool("add", waiting.handler());
    co_await pass(executor, 1s);
    client.reset();
    web.reset();
    server.reset();
    co_await pass(executor, 2h);
    BOOST_TEST(used.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(rule_of_an_http_request_rejects_actions_that_need_a_message)
{
    scripted_server server;
    BOOST_CHECK_THROW(server.on(http_request()).then(text("x")), std::invalid_argument);
    BOOST_CHECK_THROW(server.on(http_request()).then(notify("n")), std::invalid_argument);
    BOOST_CHECK_THROW(server.on(connection_opened()).then(respond_http(200)), std::invalid_argument);
    BOOST_CHECK_NO_THROW(server.on(http_request()).then(delay(1s), gate("g"), hang(), drop_connection()));
    BOOST_CHECK_NO_THROW(server.on(call("t")).then(respond_http(200)));
    auto const on = [](std::string const& actions) {
        return script_problems(R"({"mock":1,"rules":[{"on":{"http":{}},"do":[)" + actions + "]}]}");
    };
    BOOST_TEST(on(R"({"http":{"status":200}},{"delay":"1s"},{"gate":"g"},{"set":{}},{"reset":true},{"openGate":"g"},
        {"stderr":"x"},{"exit":1},{"close":true},{"hang":true})") == "");
    BOOST_TEST(on(R"({"notify":{"method":"n"}})") ==
               "x: /rules/0/do/0: expected 'http', 'hang', 'delay', 'gate', 'set', 'reset', 'openGate', 'stderr', "
               "'close' or 'exit', because the message of the HTTP request was not read, found "
               R"({"notify":{"method":"n"}})");
}

LINKSPAN_CASE_IN(event_world, signal_executes_the_actions_of_its_rule)
{
    BOOST_TEST(!server.receive_signal(executor, "SIGTERM"));
    server.on(signal_received("SIGINT")).then(logs("interrupted"));
    BOOST_TEST(!server.receive_signal(executor, "SIGTERM"));
    BOOST_TEST(server.receive_signal(executor, "SIGINT"));
    BOOST_TEST(log() == "interrupted");
    server.on(signal_received()).then(delay(1s), logs("signal"), notify("notifications/message", R"({"data":1})"));
    co_await make().async_open();
    BOOST_TEST(server.receive_signal(executor, "SIGTERM"));
    BOOST_TEST(log() == "interrupted");
    server.drop_connections(); // the actions continue without a connection
    co_await pass(executor, 2s);
    BOOST_TEST(log() == "interrupted signal");
}

LINKSPAN_CASE_IN(event_world, actions_of_a_signal_end_with_the_server)
{
    auto const used = std::make_shared<int>();
    {
        scripted_server other;
        other.on(signal_received()).then([used](exchange&, auto const& next) { next(); }, delay(1h), gate("g"));
        BOOST_TEST(other.receive_signal(executor, "SIGTERM"));
    }
    co_await pass(executor, 2h);
    BOOST_TEST(used.use_count() == 1);
}

LINKSPAN_CASE_IN(event_world, messages_of_a_signal_are_sent_over_open_connections)
{
    server.on(signal_received("SIGTERM")).then(notify("notifications/tools/list_changed"));
    auto const first = line_client::open(executor, server), second = line_client::open(executor, server);
    co_await settle(executor);
    BOOST_TEST(server.receive_signal(executor, "SIGTERM"));
    co_await settle(executor);
    for (auto const& one : {first, second}) {
        BOOST_TEST_REQUIRE(one->messages.size() == 1u);
        BOOST_TEST(contains(one->messages[0], "notifications/tools/list_changed"), one->messages[0]);
        one->close();
    }
    co_await settle(executor);
}

constexpr auto changing_script = R"({"mock":1,
    "resources":[{"uri":"a:1","text":"one"},{"uri":"a:2/b","text":"two"}],
    "rules":[{"on":{"call":"change"},"do":[{"tools":{"add":[{"name":"new"}]}},{"resource":{"uri":"a:1","text":"1"}},
        {"resource":{"uri":"a:2/b","text":"2"}},{"resources":{"remove":["a:2/b"]}},{"text":"changed"}]},
        {"on":{"at":"5s"},"do":[{"notify":{"method":"notifications/tools/list_changed","params":{"x":1}}}]}]})";

LINKSPAN_CASE_IN(script_world, changes_are_notified_in_both_eras)
{
    for (auto const version : {linkspan::protocol_version::v2025_11_25, linkspan::protocol_version::v2026_07_28}) {
        scripted_server own({version});
        mock_script::parse(changing_script).add_to(own);
        client.emplace(executor, via<inproc>(own));
        std::string changes;
        on_list_changed(*client, changed_list::tools, [&] { changes += "tools "; });
        on_list_changed(*client, changed_list::resources, [&] { changes += "resources "; });
        on_resource_updated(*client, [&](std::string_view uri) { (changes += uri) += ' '; });
        co_await client->async_open();
        co_await async_subscribe_resource(*client, "a:1");
        co_await async_subscribe_resource(*client, "a:2");
        BOOST_TEST(co_await reply("change") == "changed");
        BOOST_TEST(changes == "tools a:1 a:2/b resources ", to_string(version));
        changes.clear();
        co_await pass(executor, 6s);
        BOOST_TEST(changes == "tools ", to_string(version));
    }
}

LINKSPAN_CASE_IN(event_world, change_is_notified_over_each_subscription_that_was_granted_it)
{
    mock_script::parse(changing_script).add_to(server);
    auto const listener = line_client::open(executor, server), caller = line_client::open(executor, server);
    listener->is_recorded = false; // the script sends a member that no schema has
    co_await settle(executor);
    co_await listener->ask("subscriptions/listen", R"("notifications":{"toolsListChanged":true,"taskIds":["t"],)"
                                                   R"("resourceSubscriptions":["a:1","b:1"]})");
    co_await listener->ask("subscriptions/listen", R"("notifications":{"resourcesListChanged":true,)"
                                                   R"("promptsListChanged":true,"resourceSubscriptions":["a:2"]})");
    auto const notified = [&](std::string const& method, std::string const& members, int id) {
        return R"({"jsonrpc":"2.0","method":"notifications/)" + method + R"(","params":{)" + members +
               R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::to_string(id) + "}}}";
    };
    std::vector<std::string> expected{
        notified("subscriptions/acknowledged",
                 R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:1","b:1"]},)", 1),
        notified("subscriptions/acknowledged",
                 R"("notifications":{"resourcesListChanged":true,"resourceSubscriptions":["a:2"]},)", 2)};
    BOOST_TEST(listener->messages == expected, boost::test_tools::per_element());
    auto const response = co_await caller->ask("tools/call", R"("name":"change")");
    BOOST_TEST(contains(response, "changed"), response);
    BOOST_TEST(caller->messages.size() == 1u); // the caller has no subscription
    expected.push_back(notified("tools/list_changed", "", 1));
    expected.push_back(notified("resources/updated", R"("uri":"a:1",)", 1));
    expected.push_back(notified("resources/updated", R"("uri":"a:2/b",)", 2));
    expected.push_back(notified("resources/list_changed", "", 2));
    BOOST_TEST(listener->messages == expected, boost::test_tools::per_element());
    co_await pass(executor, 6s);
    expected.push_back(notified("tools/list_changed", R"("x":1,)", 1));
    BOOST_TEST(listener->messages == expected, boost::test_tools::per_element());
    listener->send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    co_await caller->ask("tools/call", R"("name":"change")");
    expected.push_back(notified("resources/updated", R"("uri":"a:2/b",)", 2)); // the first subscription has ended
    expected.push_back(notified("resources/list_changed", "", 2));
    BOOST_TEST(listener->messages == expected, boost::test_tools::per_element());
    BOOST_TEST(caller->messages.size() == 2u);
    listener->close();
    caller->close();
    co_await settle(executor);
}

HTTP_CASE(change_of_a_call_over_http_is_notified_over_the_stream_of_the_subscription)
{
    serve(stateless_era);
    mock_script::parse(changing_script).add_to(*server);
    std::size_t changes = 0;
    on_list_changed(make(), changed_list::tools, [&] { ++changes; });
    co_await client->async_open();
    co_await settle(executor);
    co_await client->async_call_tool("change");
    co_await settle(executor);
    BOOST_TEST(changes == 1u);
}

LINKSPAN_CASE_IN(script_world, server_that_stops_slowly_continues_after_a_signal_and_the_end_of_its_input)
{
    co_await open(project_script("slow-stop.json"));
    BOOST_TEST(co_await reply("status") == "starts: 1");
    BOOST_TEST(!server.receive_signal(executor, "SIGINT"));
    BOOST_TEST(server.receive_signal(executor, "SIGTERM"));
    BOOST_TEST(co_await reply("status") == "starts: 1");
    std::optional<int> status;
    server.values().exit = [&](int by_action) { status = by_action; };
    client.reset();
    co_await pass(executor, 9s);
    BOOST_TEST(!status.has_value());
    co_await pass(executor, 2s);
    BOOST_TEST(status.value_or(0) == 1);
    server.drop_connections(); // as serve_stdio() does
    co_await settle(executor);
}

HTTP_CASE(server_that_starts_slowly_refuses_its_first_http_request)
{
    serve(stateless_era);
    project_script("slow-stop.json").add_to(*server);
    BOOST_TEST(!!co_await open_and_fail());
    BOOST_TEST(contains(client->diagnostics(), "503"), client->diagnostics());
    co_await open();
}

BOOST_AUTO_TEST_SUITE_END()
