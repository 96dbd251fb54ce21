// Rules of a scripted server in front of a server.

#include <linkspan/model/elicitation.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/test/http_server.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstdlib>
#include <optional>
#include <string>

#include "support/contains.hpp"
#include "support/http_case.hpp"
#include "support/line_client.hpp"
#include "support/operands.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(rules_before_server_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

//[ rules_before_server
// Puts rules with faults in front of a server with a tool "add".
void add_faults(scripted_server& rules)
{
    rules.on(call("add")).once(rpc_error(-32000, "busy")).once(delay(2s), default_response()).once(drop_connection());
}
//]

// A server with a tool "own", and rules in front of it, in memory or over HTTP.
struct ruled_world : server_world {
    std::optional<scripted_server> rules;
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    std::optional<http_server> web;
    http_config config;

    ruled_world()
    {
        config.url = "http://server/mcp";
        config.dialer = net;
        net->accept = [this](std::unique_ptr<byte_stream> stream) { web->serve(std::move(stream)); };
    }

    scripted_server& make_ruled(std::optional<protocol_version> only = {})
    {
        client.reset();
        web.reset();
        make(only).add(any_tool("own"), [](server_request request) { request.complete(tool_output::text("server")); });
        return rules.emplace(*served);
    }

    session& dial() { return client.emplace(executor, via<inproc>(*rules)); }

    session& dial_http()
    {
        web.emplace(executor, *rules);
        return client.emplace(executor, via<streamable_http>(config));
    }

    void clean_up()
    {
        client.reset();
        web.reset();
        served.reset();
    }
};

// Servers that are made during the lifetime of an object do not record their messages for the validation against
// schemas: the test sends invalid ones.
class unrecorded {
public:
    unrecorded()
    {
        if (auto const* const set = std::getenv(name))
            folder_ = set;
        ::unsetenv(name);
    }
    unrecorded(unrecorded const&) = delete;
    unrecorded& operator=(unrecorded const&) = delete;
    ~unrecorded()
    {
        if (folder_)
            ::setenv(name, folder_->c_str(), 1);
    }

private:
    static constexpr auto name = "LINKSPAN_MESSAGE_LOG";
    std::optional<std::string> folder_; // set by the constructor; empty: nothing is recorded
};

// Adds a tool whose requests are stored in `held`.
void add_holding_tool(server& own, std::optional<server_request>& held)
{
    own.add(any_tool("hold"), [&held](server_request request) { held.emplace(std::move(request)); });
}

// Adds a tool that asks the end user for a confirmation.
void add_asking_tool(server& own)
{
    own.add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
        elicit_request asked;
        asked.message = "Continue?";
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        bool const is_accepted = !std::get<0>(answer) && std::get<1>(answer).action == elicit_action::accept;
        request.complete(tool_output::text(is_accepted ? "accepted" : "not accepted"));
    });
}

// Opens a session, and cancels a call of the tool "hold", whose request is stored in `held`.
asio::awaitable<void> check_cancellation(ruled_world& world, session& calls, std::optional<server_request>& held)
{
    co_await calls.async_open();
    asio::cancellation_signal cancel;
    completion_box result;
    calls.async_call_tool("hold", asio::bind_cancellation_slot(cancel.slot(), result.handler()));
    co_await settle(world.executor);
    BOOST_TEST_REQUIRE(held.has_value());
    BOOST_TEST(!held->is_over());
    cancel.emit(asio::cancellation_type::terminal);
    co_await settle(world.executor);
    BOOST_TEST(held->is_over());
    BOOST_TEST(result.count == 1u);
    BOOST_TEST(world.served->counters().cancelled == 1u);
    BOOST_TEST(world.rules->verify(expectation(call("hold")).cancelled().exactly(1)));
}

struct waits_for_the_server : ruled_world {
    std::optional<server_request> held;

    asio::awaitable<void> body()
    {
        make_ruled();
        add_holding_tool(*served, held);
        co_await dial().async_open();
        co_await client->async_call_tool("hold");
    }
};

void accept_elicitations(session& calls)
{
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation> reply) {
        elicit_result accepted;
        accepted.action = elicit_action::accept;
        reply(accepted);
    });
}

} // namespace

LINKSPAN_CASE_IN(ruled_world, events_of_connections_and_times_have_rules)
{
    auto& before = make_ruled();
    int opened = 0;
    before.on(connection_opened()).then([&opened](exchange&, auto const&) { ++opened; });
    before.on(time_reached(5s)).then(drop_connection());
    auto& used = dial();
    co_await used.async_open();
    auto const first = co_await used.async_call_tool("own");
    BOOST_TEST(first.text() == "server");
    BOOST_TEST(opened == 1);
    co_await pass(executor, 6s);
    auto const [ec, late] = co_await used.async_call_tool("own", {}, in_tuple);
    BOOST_TEST((ec == make_error_code(error::not_connected)), ec.message());
    clean_up();
}

LINKSPAN_CASE_IN(ruled_world, requests_without_a_rule_have_the_responses_of_the_server_in_each_version)
{
    for (auto const version : linkspan::protocol_versions) {
        make_ruled(version.id);
        served->add(resource{.uri = "own://text", .name = "text"}, [] { return std::string("content"); });
        served->add(prompt{.name = "greet"}, [] { return std::string("hello"); });
        auto& calls = dial();
        co_await calls.async_open();
        BOOST_TEST(calls.server().name == "own");
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        auto const read = co_await async_read_resource(calls, "own://text");
        BOOST_TEST(read->at(0).text == "content");
        auto const greeting = co_await async_get_prompt(calls, "greet");
        BOOST_TEST(greeting->messages.size() == 1u);
        auto const unknown = co_await calls.async_call_tool("other", in_tuple);
        BOOST_TEST(std::get<0>(unknown).value() == -32602);
    }
}

LINKSPAN_CASE_IN(ruled_world, a_rule_responds_in_place_of_the_server_until_it_is_used_up)
{
    for (auto const version : newest_of_both_eras) {
        make_ruled(version).on(call("own")).once(rpc_error(-32000, "busy")).pass(1).once(text("rule"));
        auto& calls = dial();
        co_await calls.async_open();
        auto const before = served->counters().requests;
        BOOST_TEST(std::get<0>(co_await calls.async_call_tool("own", in_tuple)).value() == -32000);
        BOOST_TEST(served->counters().requests == before);
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "rule");
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        BOOST_TEST(served->counters().requests == before + 2);
        BOOST_TEST(rules->received(R"("tools/call")") == 4u);
    }
}

LINKSPAN_CASE_IN(ruled_world, the_default_response_may_follow_other_actions)
{
    make_ruled().on(call("own")).then(progress(1, 2), delay(2s), default_response());
    rules->on(request("initialize")).then(delay(1s), default_response());
    rules->on(request("server/discover")).then(delay(1s), default_response());
    for (auto const version : newest_of_both_eras) {
        options.protocol_versions = {version};
        auto& calls = dial();
        auto const start = since_start(time);
        co_await calls.async_open();
        BOOST_TEST((since_start(time) - start == 1s));
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        BOOST_TEST((since_start(time) - start == 3s));
    }
}

LINKSPAN_CASE_IN(ruled_world, the_default_response_without_a_server_is_that_of_the_scripted_server)
{
    scripted_server alone;
    alone.on(call("add")).then(delay(2s), default_response());
    alone.on(request("server/discover")).then(delay(1s), default_response());
    auto& calls = client.emplace(executor, via<inproc>(alone));
    co_await calls.async_open();
    BOOST_TEST((since_start(time) == 1s));
    auto const result = co_await calls.async_call_tool("add");
    BOOST_TEST(result.text() == "");
    BOOST_TEST((since_start(time) == 3s));
}

LINKSPAN_CASE_IN(ruled_world, a_cancelled_call_is_cancelled_in_the_server)
{
    for (auto const version : newest_of_both_eras) {
        std::optional<server_request> held;
        make_ruled(version);
        add_holding_tool(*served, held);
        co_await check_cancellation(*this, dial(), held);
    }
}

LINKSPAN_CASE_IN(ruled_world, a_pending_call_counts_as_cancelled_when_the_client_ends_the_connection)
{
    std::optional<server_request> held;
    make_ruled();
    add_holding_tool(*served, held);
    auto& calls = dial();
    co_await calls.async_open();
    completion_box result;
    calls.async_call_tool("hold", result.handler());
    co_await settle(executor);
    BOOST_TEST(!rules->verify(expectation(call("hold")).cancelled()));
    client.reset();
    co_await settle(executor);
    BOOST_TEST(rules->verify(expectation(call("hold")).cancelled().exactly(1)));
}

LINKSPAN_CASE_IN(ruled_world, requests_and_notifications_of_the_server_reach_the_client)
{
    for (auto const version : newest_of_both_eras) {
        make_ruled(version);
        add_asking_tool(*served);
        auto& calls = dial();
        accept_elicitations(calls);
        co_await calls.async_open();
        BOOST_TEST((co_await calls.async_call_tool("ask")).text() == "accepted");
        co_await calls.async_list_tools();
        served->add(any_tool("later"), [](server_request request) { request.complete(tool_output::text("new")); });
        co_await settle(executor);
        BOOST_TEST((co_await calls.async_call_tool("later")).text() == "new");
        BOOST_TEST(served->counters().suspended == 0u);
        BOOST_TEST(served->counters().bad_states == 0u);
    }
}

LINKSPAN_CASE_IN(ruled_world, a_response_to_a_request_of_an_action_does_not_reach_the_server)
{
    make_ruled(protocol_version::v2025_11_25)
        .on(call("own"))
        .then(send_request("ping"), send_request("ping"), default_response());
    auto& calls = dial();
    co_await calls.async_open();
    BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
    BOOST_TEST(rules->received(R"("id":"q)") == 2u);
}

LINKSPAN_CASE_IN(ruled_world, a_lost_connection_cancels_the_requests_of_the_server)
{
    std::optional<server_request> held;
    make_ruled(protocol_version::v2025_11_25).on(call("own")).once(drop_connection());
    add_holding_tool(*served, held);
    auto& calls = dial();
    co_await calls.async_open();
    completion_box result;
    calls.async_call_tool("hold", result.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.has_value());
    co_await calls.async_call_tool("own", in_tuple);
    co_await settle(executor);
    BOOST_TEST(held->is_over());
    BOOST_TEST(result.count == 1u);
    BOOST_TEST(served->counters().clients == 0u);
}

LINKSPAN_CASE_IN(ruled_world, a_closed_server_ends_its_connections_and_refuses_others)
{
    make_ruled();
    auto const open = line_client::open(executor, *rules);
    co_await settle(executor);
    BOOST_TEST(served->counters().clients == 1u);
    served->close();
    co_await settle(executor);
    BOOST_TEST(open->has_ended);
    auto const refused = line_client::open(executor, *rules);
    co_await settle(executor);
    BOOST_TEST(refused->has_ended);
}

BOOST_AUTO_TEST_CASE(the_report_of_a_stall_names_a_request_without_a_response_of_the_server)
{
    auto const names_request = [](stalled const& stall) {
        return contains(stall.what(), "own: no response to tools/call hold, id ");
    };
    BOOST_CHECK_EXCEPTION(run_case<waits_for_the_server>(5s), stalled, names_request);
}

LINKSPAN_CASE_IN(server_world, rules_add_faults_to_a_server_with_described_tools)
{
    server own(executor, {.name = "calculator", .version = "1"});
    own.add(local_tool("add", "Adds two numbers", [](operands const& two) { return two.a + two.b; }));
    scripted_server ruled(own);
    add_faults(ruled);
    auto& calls = client.emplace(executor, via<inproc>(ruled));
    co_await calls.async_open();
    arguments const two{{"a", 1}, {"b", 2}};
    BOOST_TEST(std::get<0>(co_await calls.async_call_tool("add", two, in_tuple)).value() == -32000);
    auto const start = time.now();
    BOOST_TEST((co_await calls.async_call_tool("add", two)).text() == "3");
    BOOST_TEST((time.now() - start == 2s));
    BOOST_TEST(!!std::get<0>(co_await calls.async_call_tool("add", two, in_tuple)));
    client.reset();
}

LINKSPAN_CASE_IN(ruled_world, invalid_messages_have_the_responses_of_the_server)
{
    unrecorded const invalid;
    make_ruled();
    auto const raw = line_client::open(executor, *rules);
    co_await settle(executor);
    raw->send("no JSON");
    raw->send(R"({"jsonrpc":"2.0","id":1,"method":7})");
    raw->send(R"({"jsonrpc":"2.0","id":2,"method":"own/unknown"})");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(raw->messages.size() == 3u);
    BOOST_TEST(contains(raw->messages[0], "-32700"));
    BOOST_TEST(contains(raw->messages[1], "-32600"));
    BOOST_TEST(contains(raw->messages[2], "-32601"));
    raw->close();
}

LINKSPAN_CASE_IN(ruled_world, rules_precede_a_server_over_http)
{
    for (auto const version : newest_of_both_eras) {
        make_ruled(version).on(call("own")).once(http_response(503)).pass(1).once(text("rule"));
        add_asking_tool(*served);
        auto& calls = dial_http();
        accept_elicitations(calls);
        co_await calls.async_open();
        BOOST_TEST(!!std::get<0>(co_await calls.async_call_tool("own", in_tuple)));
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "rule");
        BOOST_TEST((co_await calls.async_call_tool("own")).text() == "server");
        BOOST_TEST((co_await calls.async_call_tool("ask")).text() == "accepted");
        BOOST_TEST(web->sessions() == (version == protocol_version::v2025_11_25 ? 1u : 0u));
        BOOST_TEST(served->counters().suspended == 0u);
    }
}

LINKSPAN_CASE_IN(ruled_world, a_cancelled_call_over_http_is_cancelled_in_the_server)
{
    for (auto const version : newest_of_both_eras) {
        std::optional<server_request> held;
        make_ruled(version);
        add_holding_tool(*served, held);
        co_await check_cancellation(*this, dial_http(), held);
    }
}

LINKSPAN_CASE_IN(ruled_world, a_server_that_stops_refuses_clients_over_http_with_503)
{
    make_ruled();
    dial_http();
    served->async_stop(1s, [](error_code) {});
    auto const [ec] = co_await client->async_open(in_tuple);
    BOOST_TEST(!!ec);
    BOOST_TEST(contains(client->diagnostics(), "503"));
}

BOOST_AUTO_TEST_SUITE_END()
