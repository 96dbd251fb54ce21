// Limits of a server per principal, and per address of anonymous clients.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/session/tasks.hpp>
#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(principals_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// An endpoint for which the header Authorization is the principal.
struct principals_world : endpoint_world {
    std::vector<server_request> held; // requests of the tool "hold"
    std::vector<typed_responder<elicitation>> asked;
    std::optional<session> ada, eve;

    principals_world()
    {
        serving.authenticate = [](http_server_request const& request, std::function<void(http_admission)> done) {
            http_admission admission;
            admission.principal = request.header("Authorization");
            done(admission);
        };
    }

    server& make_tools()
    {
        auto& own = make_endpoint(protocol_version::v2026_07_28);
        tool hold = any_tool("hold");
        hold.tasks = task_support::optional;
        own.add(hold, [this](server_request request) {
            if (!request.become_task())
                return request.complete(tool_output::text("no task"));
            held.push_back(std::move(request));
        });
        own.add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
            elicit_request question;
            question.message = "Who?";
            auto const answer = co_await request.async_ask<elicitation>(question, in_tuple);
            request.complete(tool_output::text(std::get<0>(answer) ? "failed" : "asked"));
        });
        return own;
    }

    // `address`: of the connections, for limits; empty: not known.
    session& dial_as(std::optional<session>& which, std::string principal, std::string address = {})
    {
        auto own = config;
        if (!principal.empty())
            own.headers["Authorization"] = std::move(principal);
        auto from = std::make_shared<memory_dialer>();
        from->accept = [this, address = std::move(address)](std::unique_ptr<byte_stream> stream) {
            endpoint->serve(std::move(stream), address);
        };
        own.dialer = std::move(from);
        auto& out = which.emplace(executor, via<streamable_http>(own));
        out.set_handler<elicitation>(
            [this](elicit_request const&, typed_responder<elicitation> reply) { asked.push_back(std::move(reply)); });
        return out;
    }

    // Opens a session for each of the two principals.
    asio::awaitable<void> open_both()
    {
        make_tools();
        co_await dial_as(ada, "ada").async_open();
        co_await dial_as(eve, "eve").async_open();
    }

    // Ends the requests whose completions a case records, before the records are destroyed.
    asio::awaitable<void> close_both()
    {
        ada.reset();
        eve.reset();
        co_await settle(executor);
    }

    void clean_up()
    {
        asked.clear();
        held.clear();
        ada.reset();
        eve.reset();
        endpoint_world::clean_up();
    }
};

// Anonymous clients: two with the same address, one with another address, and two without an address.
struct anonymous_world : principals_world {
    std::optional<session> second, other, unknown, second_unknown;

    // Opens a session for each client.
    asio::awaitable<void> open_all()
    {
        co_await dial_as(ada, "", "192.0.2.1").async_open();
        co_await dial_as(second, "", "192.0.2.1").async_open();
        co_await dial_as(other, "", "192.0.2.2").async_open();
        co_await dial_as(unknown, "").async_open();
        co_await dial_as(second_unknown, "").async_open();
    }

    std::vector<session*> all() { return {&*ada, &*second, &*other, &*unknown, &*second_unknown}; }

    // Ends the requests whose completions a case records, before the records are destroyed.
    asio::awaitable<void> close_all()
    {
        for (auto* const each : {&ada, &second, &other, &unknown, &second_unknown})
            each->reset();
        co_await settle(executor);
    }

    void clean_up()
    {
        asked.clear();
        held.clear();
        for (auto* const each : {&ada, &second, &other, &unknown, &second_unknown})
            each->reset();
        principals_world::clean_up();
    }
};

// Requests a change of the subscriptions of a session, and returns the error code of the response; 0: none.
asio::awaitable<int> change_subscription(session& by, std::string method, std::string uri)
{
    boost::json::object const params{{"uri", uri}};
    auto const [ec, result] = co_await by.async_request("resources/" + method, params, in_tuple);
    co_return ec.value();
}

} // namespace

LINKSPAN_CASE_IN(principals_world, sessions_of_a_principal_are_limited)
{
    serving.session_limits.max_per_principal = 1;
    make_endpoint();
    auto const body = std::string(initialize);
    auto const first = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(first, "HTTP/1.1 200"), first);
    auto const second = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(second, "HTTP/1.1 429"), second);
    auto const other = co_await exchange(post("\r\nAuthorization: eve"), body);
    BOOST_TEST(contains(other, "HTTP/1.1 200"), other);
    for (int i = 0; i != 2; ++i) {
        auto const anonymous = co_await exchange(post(), body);
        BOOST_TEST(contains(anonymous, "HTTP/1.1 200"), anonymous);
    }
    auto const ended = co_await exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: ada\r\n"
                                         "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " +
                                             header(first, "Mcp-Session-Id"),
                                         "");
    BOOST_TEST(contains(ended, "HTTP/1.1 200"), ended);
    auto const third = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(third, "HTTP/1.1 200"), third);
}

LINKSPAN_CASE_IN(principals_world, session_after_idle_timeout_is_not_counted_for_the_limit_of_its_principal)
{
    serving.session_limits.max_per_principal = 1;
    serving.session_limits.idle_timeout = 10min;
    make_endpoint();
    auto const body = std::string(initialize);
    co_await exchange(post("\r\nAuthorization: ada"), body);
    co_await pass(executor, 12min);
    auto const second = co_await exchange(post("\r\nAuthorization: ada"), body);
    BOOST_TEST(contains(second, "HTTP/1.1 200"), second);
}

LINKSPAN_CASE_IN(principals_world, subscriptions_of_a_principal_are_limited)
{
    options.max_subscriptions_per_principal = 1;
    co_await open_both();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    completion_box first, second, other;
    ada->async_request("subscriptions/listen", wanted, first.handler());
    co_await settle(executor);
    ada->async_request("subscriptions/listen", wanted, second.handler());
    eve->async_request("subscriptions/listen", wanted, other.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(other.count == 0u);
    BOOST_TEST(second.ec.value() == -32603);
    ada.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().subscriptions == 1u);
    co_await dial_as(ada, "ada").async_open();
    completion_box third;
    ada->async_request("subscriptions/listen", wanted, third.handler());
    co_await settle(executor);
    BOOST_TEST(third.count == 0u);
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world,
                 subscription_above_max_subscriptions_is_refused_until_a_stream_of_another_principal_ends)
{
    auto const each = options.max_subscriptions_per_principal;
    BOOST_TEST_REQUIRE(4 * each == options.max_subscriptions);
    make_tools();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    std::vector<completion_box> streams(4 * each);
    completion_box refused, refused_of_same, next, last;
    asio::cancellation_signal end;
    std::array<std::optional<session>, 6> clients; // the last one is a second session of the second principal
    std::size_t acknowledged = 0;
    for (std::size_t i = 0; i != clients.size(); ++i) {
        auto& opened = dial_as(clients[i], "principal " + std::to_string(i == 5 ? 1 : i));
        opened.on_notification("notifications/subscriptions/acknowledged", [&](std::string_view) { ++acknowledged; });
        co_await opened.async_open();
    }
    for (std::size_t i = 0; i != streams.size(); ++i) {
        auto& of = *clients[i / each];
        if (i == 0)
            of.async_request("subscriptions/listen", wanted,
                             asio::bind_cancellation_slot(end.slot(), streams[i].handler()));
        else
            of.async_request("subscriptions/listen", wanted, streams[i].handler());
        if (i % each == each - 1)
            co_await settle(executor);
    }
    auto const is_open = [](completion_box const& stream) { return stream.count == 0; };
    BOOST_TEST(std::ranges::all_of(streams, is_open));
    BOOST_TEST(acknowledged == 1'024u);
    BOOST_TEST(served->counters().subscriptions == 1'024u);
    clients[4]->async_request("subscriptions/listen", wanted, refused.handler());
    co_await settle(executor);
    BOOST_TEST(refused.ec.value() == -32603);
    BOOST_TEST_REQUIRE(refused.result.attempts().size() == 1u);
    BOOST_TEST(contains(refused.result.attempts()[0].detail, "Too many subscriptions"));
    BOOST_TEST(acknowledged == 1'024u);

    end.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(streams[0].count == 1u);
    BOOST_TEST(served->counters().subscriptions == 1'023u);
    clients[5]->async_request("subscriptions/listen", wanted, refused_of_same.handler()); // the principal has 256
    co_await settle(executor);
    BOOST_TEST(refused_of_same.ec.value() == -32603);
    clients[4]->async_request("subscriptions/listen", wanted, next.handler());
    co_await settle(executor);
    BOOST_TEST(is_open(next));
    BOOST_TEST(acknowledged == 1'025u);
    BOOST_TEST(served->counters().subscriptions == 1'024u);
    clients[0]->async_request("subscriptions/listen", wanted, last.handler());
    co_await settle(executor);
    BOOST_TEST(last.ec.value() == -32603);
    BOOST_TEST(std::ranges::count_if(streams, is_open) == 1'023);
    for (auto& opened : clients)
        opened.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().subscriptions == 0u);
}

LINKSPAN_CASE_IN(principals_world, requests_of_a_principal_that_wait_for_input_are_limited)
{
    options.max_suspended_per_principal = 1;
    co_await open_both();
    completion_box first, second, other;
    ada->async_call_tool("ask", first.handler());
    co_await settle(executor);
    ada->async_call_tool("ask", second.handler());
    eve->async_call_tool("ask", other.handler());
    co_await settle(executor);
    BOOST_TEST(asked.size() == 2u); // of ada and of eve
    BOOST_TEST(second.ec.value() == -32603);
    BOOST_TEST(first.count + other.count == 0u);
    asked.at(0)(elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    BOOST_TEST(first.result.text() == "asked");
    completion_box third;
    ada->async_call_tool("ask", third.handler());
    co_await settle(executor);
    BOOST_TEST(asked.size() == 3u);
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world, state_and_task_of_another_principal_are_refused_and_remain_usable_by_their_own)
{
    make_tools();
    auto const send = [this](std::string principal, std::string method, std::string name, std::string members) {
        auto head = stateless_head(method, "\r\nMcp-Name: " + name + "\r\nAuthorization: " + principal);
        auto body = stateless_body(method, members, "c",
                                   R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})");
        return exchange(std::move(head), std::move(body), "}}");
    };
    auto const required = co_await send("ada", "tools/call", "ask", R"("name":"ask",)");
    auto const begin = required.find("{\"jsonrpc");
    BOOST_TEST_REQUIRE(begin != required.npos, required);
    auto const result = json_scan::member(std::string_view(required).substr(begin), "result");
    auto const state = std::string(json_scan::member(result, "requestState"));
    BOOST_TEST_REQUIRE(state != "", required);
    auto const again =
        R"("name":"ask","inputResponses":{"input-1":{"action":"decline"}},"requestState":)" + state + ",";
    auto const state_of_other = co_await send("eve", "tools/call", "ask", again);
    BOOST_TEST(contains(state_of_other, R"("code":-32602)"), state_of_other);
    BOOST_TEST(served->counters().bad_states == 1u);
    auto const own_state = co_await send("ada", "tools/call", "ask", again);
    BOOST_TEST(contains(own_state, R"("text":"asked")"), own_state);

    co_await dial_as(ada, "ada").async_open();
    auto const started = co_await async_start_task(*ada, any_tool("hold"));
    BOOST_TEST_REQUIRE(started.task.has_value());
    auto const& id = started.task->id;
    auto const member = R"("taskId":")" + id + "\",";
    for (std::string const method : {"tasks/get", "tasks/cancel"}) {
        auto const refused = co_await send("eve", method, id, member);
        BOOST_TEST(contains(refused, R"("code":-32602)"), refused);
    }
    auto const own_task = co_await send("ada", "tasks/get", id, member);
    BOOST_TEST(contains(own_task, R"("status":"working")"), own_task);
    BOOST_TEST(served->counters().bad_states == 1u);
}

LINKSPAN_CASE_IN(principals_world, tasks_of_a_principal_are_limited)
{
    options.max_tasks_per_principal = 1;
    co_await open_both();
    tool const hold = any_tool("hold");
    auto const first = co_await async_start_task(*ada, hold);
    BOOST_TEST(first.task.has_value());
    auto const second = co_await async_start_task(*ada, hold);
    BOOST_TEST(second.result.text() == "no task");
    auto const other = co_await async_start_task(*eve, hold);
    BOOST_TEST(other.task.has_value());
}

LINKSPAN_CASE_IN(principals_world, subscribed_resources_of_the_sessions_of_a_principal_are_limited)
{
    options.max_subscribed_resources_per_principal = 2;
    auto& own = make_endpoint(protocol_version::v2025_11_25);
    own.add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); });
    std::optional<session> second;
    co_await dial_as(ada, "ada").async_open();
    co_await dial_as(second, "ada").async_open();
    co_await dial_as(eve, "eve").async_open();
    auto const request = change_subscription;
    std::string const subscribe = "subscribe", unsubscribe = "unsubscribe", a = "note://a", b = "note://b";
    BOOST_TEST(co_await request(*ada, subscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, b) == -32603);
    BOOST_TEST(co_await request(*second, subscribe, a) == 0); // again
    BOOST_TEST(co_await request(*eve, subscribe, b) == 0);
    BOOST_TEST(co_await request(*ada, unsubscribe, b) == 0); // not subscribed
    BOOST_TEST(co_await request(*second, subscribe, b) == -32603);
    BOOST_TEST(co_await request(*ada, unsubscribe, a) == 0);
    BOOST_TEST(co_await request(*second, subscribe, b) == 0);
    BOOST_TEST(own.counters().refused == 2u);
    second.reset();
    co_await close_both();
}

LINKSPAN_CASE_IN(principals_world, subscribed_resources_of_the_streams_of_a_principal_are_limited)
{
    options.max_subscribed_resources_per_principal = 2;
    co_await open_both();
    served->add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); });
    auto const wanted = [](boost::json::array uris) {
        return boost::json::object{{"notifications", {{"resourceSubscriptions", std::move(uris)}}}};
    };
    auto const of_one = wanted({"note://a"}), of_two = wanted({"note://a", "note://b"});
    completion_box first, refused, other;
    ada->async_request("subscriptions/listen", of_one, first.handler());
    co_await settle(executor);
    ada->async_request("subscriptions/listen", of_two, refused.handler());
    eve->async_request("subscriptions/listen", of_two, other.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(refused.ec.value() == -32603);
    BOOST_TEST(other.count == 0u);
    BOOST_TEST(served->counters().subscriptions == 2u);
    co_await close_both();
}

LINKSPAN_CASE_IN(anonymous_world, subscriptions_of_the_anonymous_clients_of_an_address_are_limited)
{
    options.max_subscriptions_per_principal = 1;
    make_tools();
    co_await open_all();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    std::vector<completion_box> done(5);
    for (std::size_t i = 0; i != 5; ++i) {
        all()[i]->async_request("subscriptions/listen", wanted, done[i].handler());
        co_await settle(executor);
    }
    BOOST_TEST(done[1].ec.value() == -32603);
    for (std::size_t const i : {0u, 2u, 3u, 4u})
        BOOST_TEST(done[i].count == 0u);
    BOOST_TEST(served->counters().subscriptions == 4u);
    ada.reset();
    co_await settle(executor);
    completion_box again;
    second->async_request("subscriptions/listen", wanted, again.handler());
    co_await settle(executor);
    BOOST_TEST(again.count == 0u);
    co_await close_all();
}

LINKSPAN_CASE_IN(anonymous_world, requests_of_the_anonymous_clients_of_an_address_that_wait_for_input_are_limited)
{
    options.max_suspended_per_principal = 1;
    make_tools();
    co_await open_all();
    std::vector<completion_box> done(5);
    for (std::size_t i = 0; i != 5; ++i) {
        all()[i]->async_call_tool("ask", done[i].handler());
        co_await settle(executor);
    }
    BOOST_TEST(done[1].ec.value() == -32603);
    BOOST_TEST_REQUIRE(asked.size() == 4u);
    for (auto& each : asked)
        each(elicit_result{elicit_action::accept, {}});
    co_await settle(executor);
    for (std::size_t const i : {0u, 2u, 3u, 4u})
        BOOST_TEST(done[i].result.text() == "asked");
    completion_box again;
    second->async_call_tool("ask", again.handler());
    co_await settle(executor);
    BOOST_TEST(asked.size() == 5u);
    co_await close_all();
}

LINKSPAN_CASE_IN(anonymous_world, tasks_of_the_anonymous_clients_of_an_address_are_limited)
{
    options.max_tasks_per_principal = 1;
    make_tools();
    co_await open_all();
    tool const hold = any_tool("hold");
    std::vector<std::string> ids;
    for (auto* const each : all()) {
        auto const started = co_await async_start_task(*each, hold);
        ids.push_back(started.task ? started.task->id : started.result.text());
    }
    BOOST_TEST(ids[1] == "no task");
    for (std::size_t const i : {0u, 2u, 3u, 4u})
        BOOST_TEST(ids[i].size() == 32u); // an id
    auto const [ec, read] = co_await async_get_task(*second, ids[2], in_tuple);
    BOOST_TEST_REQUIRE(!ec, ec.message()); // the limits do not change the owner of a task
    BOOST_TEST(read->id == ids[2]);
}

LINKSPAN_CASE_IN(anonymous_world, subscribed_resources_of_the_anonymous_sessions_of_an_address_are_limited)
{
    options.max_subscribed_resources_per_principal = 1;
    auto& own = make_endpoint(protocol_version::v2025_11_25);
    own.add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); });
    co_await open_all();
    std::vector<int> codes;
    for (auto* const each : all()) {
        auto const code = co_await change_subscription(*each, "subscribe", "note://a");
        codes.push_back(code);
    }
    BOOST_TEST(codes == (std::vector<int>{0, -32603, 0, 0, 0}), boost::test_tools::per_element());
    BOOST_TEST(co_await change_subscription(*ada, "unsubscribe", "note://a") == 0);
    BOOST_TEST(co_await change_subscription(*second, "subscribe", "note://a") == 0);
}

LINKSPAN_CASE_IN(anonymous_world, principal_has_one_account_over_all_carriers)
{
    options.max_subscriptions_per_principal = 1;
    make_tools();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    auto const served_as = [this](std::string principal) {
        inproc_config out;
        out.connect = [this, principal](asio::any_io_executor const& on, memory_end const& end) {
            served->async_serve(any_transport::make<inproc_server>(on, {end}), principal, [](error_code) {});
            return error_code();
        };
        return via<inproc>(out);
    };
    std::vector<completion_box> done(4);
    co_await dial_as(ada, "ada", "192.0.2.1").async_open();
    co_await dial_as(other, "", "192.0.2.2").async_open();
    co_await second.emplace(executor, served_as("ada")).async_open();
    co_await unknown.emplace(executor, served_as("192.0.2.2")).async_open();
    std::size_t i = 0;
    for (auto* const each : {&*ada, &*second, &*other, &*unknown}) {
        each->async_request("subscriptions/listen", wanted, done[i++].handler());
        co_await settle(executor);
    }
    BOOST_TEST(done[1].ec.value() == -32603);
    for (std::size_t const open : {0u, 2u, 3u})
        BOOST_TEST(done[open].count == 0u);
    co_await close_all();
}

BOOST_AUTO_TEST_SUITE_END()
