// Requests for which a stateless server requests input.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/roots.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>

#include <deque>
#include <stdexcept>

#include "support/connector_case.hpp"
#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(input_exchange_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto requests_name =
    R"({"name":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object"}}}})";
constexpr auto requests_roots = R"({"r":{"method":"roots/list"}})";
constexpr auto asks_both =
    R"({"name":{"method":"elicitation/create","params":{}},"s":{"method":"sampling/createMessage","params":{"maxTokens":1}}})";

struct exchange_world : session_world {
    std::deque<responder> kept;

    exchange_world() { server.dialogue().protocol_versions = {protocol_version::v2026_07_28}; }

    // Returns the received calls in order.
    std::vector<std::string> calls() const
    {
        std::vector<std::string> out;
        for (auto const& message : server.received())
            if (contains(message, R"("method":"tools/call")"))
                out.push_back(message);
        return out;
    }

    session& make_with(std::string method, std::string result)
    {
        make().on_request(std::move(method), [result](std::string_view, responder reply) { reply(raw_json(result)); });
        return *client;
    }

    // Adds handlers that do not respond by themselves.
    session& make_thinking()
    {
        make();
        for (auto const* method : {"elicitation/create", "roots/list", "sampling/createMessage"})
            client->on_request(method, [this](std::string_view, responder reply) { kept.push_back(std::move(reply)); });
        return *client;
    }

    void clean_up()
    {
        session_world::clean_up();
        kept.clear();
    }
};

std::string param(std::string const& message, std::string_view key)
{
    return std::string(json_scan::member(json_scan::member(message, "params"), key));
}

} // namespace

LINKSPAN_CASE_IN(exchange_world, input_request_is_handled_and_call_is_sent_again)
{
    server.on(call("greet")).once(input_required(requests_name, R"("s\u0041\"")")).then(text("hello Ada"));
    std::string seen;
    make().on_request("elicitation/create", [&](std::string_view params, responder reply) {
        seen = params;
        BOOST_TEST(reply.is_awaited());
        reply(raw_json(R"({"action":"accept","content":{"name":"Ada"}})"));
    });
    co_await client->async_open();
    boost::json::object const args{{"loud", true}};
    auto const result = co_await client->async_call_tool("greet", args);
    BOOST_TEST(result.text() == "hello Ada");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(contains(seen, "Who?"));
    auto const sent = calls();
    BOOST_TEST_REQUIRE(sent.size() == 2u);
    BOOST_TEST(json_scan::member(sent[0], "id") != json_scan::member(sent[1], "id"));
    BOOST_TEST(param(sent[1], "name") == R"("greet")");
    BOOST_TEST(param(sent[1], "arguments") == R"({"loud":true})");
    BOOST_TEST(param(sent[1], "inputResponses") == R"({"name":{"action":"accept","content":{"name":"Ada"}}})");
    BOOST_TEST(param(sent[1], "requestState") == R"("s\u0041\"")");
    BOOST_TEST(contains(param(sent[1], "_meta"), "io.modelcontextprotocol/protocolVersion"));
    BOOST_TEST(client->in_flight() == 0u);
    BOOST_TEST((since_start(time) == 0s));
}

LINKSPAN_CASE_IN(exchange_world, each_round_has_its_own_keys_and_state)
{
    server.on(call("greet"))
        .once(input_required(requests_name, R"("one")"))
        .once(input_required(requests_roots))
        .then(text("done"));
    make_with("elicitation/create", R"({"action":"cancel"})")
        .on_request("roots/list", [](std::string_view params, responder reply) {
            BOOST_TEST(params == "{}");
            reply(raw_json(R"({"roots":[]})"));
        });
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("greet");
    BOOST_TEST(result.text() == "done");
    auto const sent = calls();
    BOOST_TEST_REQUIRE(sent.size() == 3u);
    BOOST_TEST(param(sent[1], "requestState") == R"("one")");
    BOOST_TEST(param(sent[2], "inputResponses") == R"({"r":{"roots":[]}})");
    BOOST_TEST(param(sent[2], "requestState") == ""); // the last response has no state
}

LINKSPAN_CASE_IN(exchange_world, prompts_and_resources_support_input_requests_but_completion_does_not)
{
    for (auto const* method : {"prompts/get", "resources/read"})
        server.on(request(method)).once(input_required(requests_roots)).then(result(R"("done":1)"));
    server.on(request("completion/complete")).then(input_required(requests_roots));
    make_with("roots/list", R"({"roots":[]})");
    co_await client->async_open();
    boost::json::object const prompt{{"name", "p"}}, resource{{"uri", "file:///r"}};
    auto const first = co_await client->async_request("prompts/get", prompt);
    BOOST_TEST(contains(first.raw(), R"("done":1)"));
    auto const second = co_await client->async_request("resources/read", resource);
    BOOST_TEST(contains(second.raw(), R"("done":1)"));
    boost::json::object const wanted{{"ref", {{"type", "ref/prompt"}, {"name", "p"}}},
                                     {"argument", {{"name", "a"}, {"value", "b"}}}};
    auto const other = co_await client->async_request("completion/complete", wanted);
    BOOST_TEST(other.type() == "input_required");
}

LINKSPAN_CASE_IN(exchange_world, input_exchanges_of_concurrent_calls_are_independent)
{
    for (auto const* tool : {"a", "b"})
        server.on(call(tool))
            .once(input_required(requests_roots, "\"state of " + std::string(tool) + "\""))
            .then(text(tool));
    make_thinking();
    co_await client->async_open();
    completion_box a, b;
    client->async_call_tool("a", {}, a.handler());
    client->async_call_tool("b", {}, b.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(kept.size() == 2u);
    BOOST_TEST(client->in_flight() == 2u);
    kept[1](raw_json(R"({"roots":[{"uri":"file:///b"}]})"));
    co_await settle(executor);
    BOOST_TEST((a.count == 0u && b.count == 1u));
    kept[0](raw_json(R"({"roots":[{"uri":"file:///a"}]})"));
    co_await settle(executor);
    BOOST_TEST((a.result.text() == "a" && b.result.text() == "b"));
    for (auto const& message : calls())
        if (auto const state = param(message, "requestState"); !state.empty()) {
            auto const tool = state.substr(state.size() - 2, 1);
            BOOST_TEST(param(message, "name") == "\"" + tool + "\"");
            BOOST_TEST(param(message, "inputResponses") == R"({"r":{"roots":[{"uri":"file:///)" + tool + R"("}]}})");
        }
}

LINKSPAN_CASE_IN(exchange_world, input_responses_are_collected_in_any_order)
{
    server.on(call("work")).once(input_required(asks_both)).then(text("done"));
    make_thinking();
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(kept.size() == 2u);
    kept[1](raw_json(R"({"role":"assistant","content":{"type":"text","text":"2"},"model":"m"})"));
    co_await settle(executor);
    BOOST_TEST(calls().size() == 1u);
    BOOST_TEST(!kept[1].is_awaited());
    BOOST_TEST(kept[0].is_awaited());
    kept[0](raw_json(R"({"action":"accept","content":{"n":1}})"));
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "done");
    BOOST_TEST(param(calls()[1], "inputResponses") ==
               R"({"name":{"action":"accept","content":{"n":1}},)"
               R"("s":{"role":"assistant","content":{"type":"text","text":"2"},"model":"m"}})");
}

LINKSPAN_CASE_IN(exchange_world, input_required_with_state_only_is_resent_after_delay)
{
    server.on(call("work")).once(input_required("", R"("later")")).then(text("done"));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST((since_start(time) == 100ms));
    BOOST_TEST(param(calls()[1], "requestState") == R"("later")");
    BOOST_TEST(param(calls()[1], "inputResponses") == "");
}

LINKSPAN_CASE_IN(exchange_world, number_of_input_rounds_is_limited)
{
    server.on(call("work")).then(input_required("", R"("again")"));
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::too_many_input_rounds));
    BOOST_TEST(calls().size() == 11u);
    auto const& record = result.attempts()[0];
    BOOST_TEST((record.result.certainty == certainty::completed));
    BOOST_TEST((record.result.has_response && record.result.input_requested));
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(exchange_world, number_of_input_requests_per_round_is_limited)
{
    auto const asking = [](int requests) {
        std::string out = "{";
        for (int i = 0; i != requests; ++i)
            out += (i == 0 ? "\"r" : ",\"r") + std::to_string(i) + R"(":{"method":"roots/list"})";
        return out + "}";
    };
    server.on(call("work")).once(input_required(asking(100))).then(input_required(asking(101)));
    std::size_t input_requests = 0;
    make().on_request("roots/list", [&](std::string_view, responder reply) {
        ++input_requests;
        reply(raw_json(R"({"roots":[]})"));
    });
    co_await client->async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::too_many_input_rounds));
    BOOST_TEST(result.attempts()[0].detail == "101 input requests in one round, expected at most 100");
    BOOST_TEST(input_requests == 100u);
    BOOST_TEST(calls().size() == 2u);
}

LINKSPAN_CASE_IN(exchange_world, input_request_without_handler_fails_call_before_any_handler_runs)
{
    server.on(call("work")).then(input_required(asks_both));
    std::size_t input_requests = 0;
    make().on_request("elicitation/create", [&](std::string_view, responder) { ++input_requests; });
    co_await client->async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::unsupported_input_request));
    BOOST_TEST(result.attempts()[0].detail == "sampling/createMessage");
    BOOST_TEST(input_requests == 0u);
    BOOST_TEST(calls().size() == 1u);
}

LINKSPAN_CASE_IN(exchange_world, refusal_declines_elicitation_and_fails_call_for_other_requests)
{
    server.on(call("greet")).once(input_required(requests_name)).then(text("no name"));
    server.on(call("where")).then(input_required(requests_roots));
    for (bool const drops : {false, true}) {
        make();
        for (auto const* method : {"elicitation/create", "roots/list"})
            client->on_request(method, [drops](std::string_view, responder reply) {
                if (!drops)
                    reply.refuse(-1, "not for you");
            });
        co_await client->async_open();
        if (!drops) {
            auto const declined = co_await client->async_call_tool("greet");
            BOOST_TEST(declined.text() == "no name");
            BOOST_TEST(param(calls()[1], "inputResponses") == R"({"name":{"action":"decline"}})");
        }
        auto const [ec, result] = co_await client->async_call_tool("where", {}, in_tuple);
        BOOST_TEST(ec == make_error_code(error::input_refused));
        BOOST_TEST((result.attempts()[0].result.certainty == certainty::completed));
        BOOST_TEST(contains(result.attempts()[0].detail, drops ? "sent no response" : "not for you"));
    }
}

LINKSPAN_CASE_IN(exchange_world, input_required_without_requests_and_state_is_malformed)
{
    server.on(call("work")).then(result(R"("resultType":"input_required")"));
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
}

// Timeouts

LINKSPAN_CASE_IN(exchange_world, idle_timeout_is_suspended_while_handler_runs)
{
    server.on(call("work")).once(delay(29s), input_required(requests_roots)).then(delay(29s), text("done"));
    make_thinking();
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await pass(executor, 200s);
    BOOST_TEST(box.count == 0u);
    BOOST_TEST_REQUIRE(kept.size() == 1u);
    kept[0](raw_json(R"({"roots":[]})"));
    co_await pass(executor, 30s);
    BOOST_TEST(box.result.text() == "done");
}

LINKSPAN_CASE_IN(exchange_world, deadline_and_attempt_timeout_apply_while_handler_runs)
{
    server.on(call("work")).then(input_required(requests_roots));
    make_thinking();
    co_await client->async_open();
    completion_box hurried, patient;
    call_options soon;
    soon.timeout = 5s;
    client->async_call_tool("work", {}, soon, hurried.handler());
    client->async_call_tool("work", {}, patient.handler());
    co_await pass(executor, 5s);
    BOOST_TEST(hurried.ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST((hurried.delivery() == certainty::unknown));
    BOOST_TEST(!kept[0].is_awaited());
    BOOST_TEST(kept[1].is_awaited());
    co_await pass(executor, 295s);
    BOOST_TEST(patient.ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST(server.received("notifications/cancelled") == 0u); // no request is in flight
    kept[0](raw_json(R"({"roots":[]})"));
    co_await settle(executor);
    BOOST_TEST(calls().size() == 2u);
}

LINKSPAN_CASE_IN(exchange_world, idle_timeout_applies_to_later_round)
{
    server.on(call("work")).once(input_required(requests_roots)).then(hang());
    make_with("roots/list", R"({"roots":[]})");
    co_await client->async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 30s));
    BOOST_TEST(result.attempts()[0].result.input_requested);
    co_await settle(executor);
    BOOST_TEST(server.received("notifications/cancelled") == 1u);
}

// Cancellation and closing

LINKSPAN_CASE_IN(exchange_world, call_with_running_handler_completes_once_if_cancelled_closed_lost_or_shut_down)
{
    server.on(call("work")).then(input_required(requests_roots));
    for (int const how : {0, 1, 2, 3}) {
        kept.clear();
        make_thinking();
        co_await client->async_open();
        boost::asio::cancellation_signal signal;
        completion_box box;
        client->async_call_tool("work", {}, boost::asio::bind_cancellation_slot(signal.slot(), box.handler()));
        co_await settle(executor);
        BOOST_TEST_REQUIRE(kept.size() == 1u);
        signal.emit(boost::asio::cancellation_type::total); // ignored: the tool may have been executed
        co_await settle(executor);
        BOOST_TEST(box.count == 0u);
        if (how == 0)
            signal.emit(boost::asio::cancellation_type::terminal);
        else if (how == 1)
            client->close();
        else if (how == 2)
            server.drop_connections();
        else
            co_await client->async_shutdown();
        co_await settle(executor);
        BOOST_TEST((box.count == 1u && box.ec && box.delivery() == certainty::unknown), how);
        BOOST_TEST(!kept[0].is_awaited());
        kept[0](raw_json(R"({"roots":[]})"));
        BOOST_TEST(client->in_flight() == 0u);
    }
}

LINKSPAN_CASE_IN(exchange_world, handler_may_close_or_destroy_session)
{
    server.on(call("work")).then(input_required(asks_both));
    for (bool const destroys : {false, true}) {
        std::size_t input_requests = 0;
        make();
        for (auto const* method : {"elicitation/create", "sampling/createMessage"})
            client->on_request(method, [&, destroys](std::string_view, responder) {
                ++input_requests;
                if (destroys)
                    client.reset();
                else
                    client->close();
            });
        co_await client->async_open();
        completion_box box;
        client->async_call_tool("work", {}, box.handler());
        co_await settle(executor);
        BOOST_TEST(box.ec == error_code(boost::asio::error::operation_aborted));
        BOOST_TEST(input_requests == 1u);
    }
}

LINKSPAN_CASE_IN(exchange_world, call_waiting_for_handler_frees_its_slot)
{
    options.max_in_flight = 1;
    server.on(call("work")).once(input_required(requests_roots)).then(text("done"));
    server.on(call("other")).then(text("too"));
    make_thinking();
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    auto const other = co_await client->async_call_tool("other");
    BOOST_TEST(other.text() == "too");
    kept.at(0)(raw_json(R"({"roots":[]})"));
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "done");
}

// Through a connector

LINKSPAN_CASE_IN(exchange_world, call_with_input_round_is_retried_only_on_its_server)
{
    scripted_server other({protocol_version::v2026_07_28});
    other.on(call("work")).then(text("from the other"));
    server.on(call("work")).once(input_required("", R"("s")")).once(drop_connection()).then(text("from the first"));
    hub_type hub(executor);
    server_options first, second;
    first.priority = 50;
    first.tools["work"].replay = second.tools["work"].replay = replay_class::read_only;
    hub.add<inproc>("first", server, first);
    hub.add<inproc>("second", other, second);
    co_await hub.async_open();
    auto const result = co_await hub.async_call("work");
    BOOST_TEST(result.text() == "from the first"); // after its restart
    BOOST_TEST(result.attempts()[0].result.input_requested);
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST(other.received("tools/call") == 0u);
    co_await hub.async_shutdown();
}

LINKSPAN_CASE_IN(exchange_world, refused_input_request_fails_call_without_failover)
{
    scripted_server other({protocol_version::v2026_07_28});
    other.on(call("work")).then(text("from the other"));
    server.on(call("work")).then(input_required(requests_roots));
    hub_type hub(executor);
    server_options first, second;
    first.priority = 50;
    first.tools["work"].replay = second.tools["work"].replay = replay_class::read_only;
    hub.add<inproc>("first", server, first);
    hub.add<inproc>("second", other, second);
    hub.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply.refuse(-1, "private"); });
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::input_refused));
    BOOST_TEST(result.attempts()[0].detail == "roots/list: private");
    BOOST_TEST(other.received("tools/call") == 0u);
    co_await hub.async_shutdown();
}

LINKSPAN_CASE_IN(exchange_world, unsafe_call_lost_after_input_round_has_unknown_outcome)
{
    server.on(call("work")).once(input_required("", R"("s")")).then(drop_connection());
    hub_type hub(executor);
    hub.add<inproc>("first", server);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    BOOST_TEST(calls().size() == 2u);
    co_await hub.async_shutdown();
}

BOOST_AUTO_TEST_SUITE_END()
