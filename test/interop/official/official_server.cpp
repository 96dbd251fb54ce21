// A session with a server on the official package, server.mjs in this folder, in both eras.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/session/logging.hpp>
#include <linkspan/session/notifications.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/harness.hpp"
#include "support/http_mock.hpp"
#include "support/npm.hpp"
#include "support/recorded_transport.hpp"

namespace official_server_test {

using namespace harness;
using namespace linkspan;
using namespace std::chrono_literals;
using auto_http = linkspan::test::recorded_client<linkspan::auto_http>;
using boost::json::object;
using stdio = linkspan::test::recorded_client<linkspan::stdio>;

namespace {

struct installed_packages {
    installed_packages()
    {
        npm::require({});
        for (std::string const name : {"server", "node"})
            if (auto const path = npm::folder() + "/node_modules/@modelcontextprotocol/" + name;
                !std::filesystem::exists(path))
                skip(path + " is not installed: run test/interop/npm/install.sh");
    }
};

stdio_config server_over(std::string const& carrier)
{
    auto const* const tests = std::getenv("LINKSPAN_TEST_DIR");
    BOOST_TEST_REQUIRE(tests, "LINKSPAN_TEST_DIR is not set");
    stdio_config config;
    config.command = npm::node();
    config.args = {std::string(tests) + "/interop/official/server.mjs", npm::folder(), carrier};
    return config;
}

session_options options_for(std::optional<era> remembered)
{
    session_options out;
    out.remembered = remembered;
    return out;
}

// Waits for an event. The limit of the test case applies.
asio::awaitable<void> becomes_true(std::function<bool()> condition)
{
    timer pause(co_await asio::this_coro::executor);
    while (!condition()) {
        pause.expires_after(2ms);
        co_await pause.async_wait(in_tuple);
    }
}

asio::awaitable<std::string> text_of(session& calls, std::string tool, call_options options = {})
{
    object const none;
    auto const [ec, result] = co_await calls.async_call_tool(tool, none, options, in_tuple);
    BOOST_TEST_REQUIRE(!ec, tool << ": " << explain(ec, result));
    BOOST_TEST(!result.is_error(), tool << ": " << result.text());
    co_return result.text();
}

// Requests of the server and its notifications.
struct received {
    std::vector<log_message> logs;
    std::vector<std::string> updated;
    int changes = 0;

    void record(session& calls)
    {
        on_log_message(calls, [this](log_message const& message) { logs.push_back(message); });
        on_resource_updated(calls, [this](std::string_view uri) { updated.emplace_back(uri); });
        on_list_changed(calls, changed_list::tools, [this] { ++changes; });
        calls.set_handler<elicitation>([](elicit_request const& asked, typed_responder<elicitation> reply) {
            BOOST_TEST(asked.message == "Who?");
            elicit_result result;
            result.action = elicit_action::accept;
            result.content["name"] = "Ada";
            reply(result);
        });
        calls.set_handler<sampling>([](sampling_request const& asked, typed_responder<sampling> reply) {
            BOOST_TEST((asked.max_tokens == 10));
            sampling_result result;
            result.text = "Hi";
            result.model = "a model";
            reply(result);
        });
        calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
            roots_result result;
            result.roots.push_back({"file:///work", "work"});
            reply(result);
        });
    }
};

asio::awaitable<void> opens_in(session& calls, era expected)
{
    co_await opens(calls);
    BOOST_TEST((calls.protocol_version() ==
                (expected == era::handshake ? protocol_version::v2025_11_25 : protocol_version::v2026_07_28)));
    BOOST_TEST(calls.server().name == "official-server");
    auto const [ec] = co_await calls.async_ping(in_tuple);
    BOOST_TEST(!ec, ec.message());
}

asio::awaitable<void> calls_tools(session& calls)
{
    auto const list = co_await calls.async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 7u);
    BOOST_TEST(list.tools[0].name == "add");
    BOOST_TEST(contains(list.tools[0].output_schema, R"("sum")"), list.tools[0].output_schema);
    object const two_and_three{{"a", 2}, {"b", 3}}, invalid{{"a", "2"}};
    auto const [ec, sum] = co_await calls.async_call_tool("add", two_and_three, in_tuple);
    BOOST_TEST(!ec, explain(ec, sum));
    BOOST_TEST(sum.text() == "5");
    BOOST_TEST(sum.structured() == R"({"sum":5})");
    auto const [no_error, refused] = co_await calls.async_call_tool("add", invalid, in_tuple);
    BOOST_TEST(!no_error, explain(no_error, refused));
    BOOST_TEST(refused.is_error());
    auto const [unknown_tool, no_result] = co_await calls.async_call_tool("subtract", two_and_three, in_tuple);
    BOOST_TEST((unknown_tool == error_code(-32602, rpc_category())), explain(unknown_tool, no_result));
    auto const [unknown, nothing] = co_await calls.async_request("no/such", object(), in_tuple);
    BOOST_TEST((unknown == error_code(-32601, rpc_category())), explain(unknown, nothing));
}

asio::awaitable<void> observes_progress_and_cancels(session& calls)
{
    std::vector<progress_update> updates;
    call_options options;
    options.on_progress = [&](progress_update const& update) { updates.push_back(update); };
    BOOST_TEST((co_await text_of(calls, "count", options)) == "counted");
    BOOST_TEST_REQUIRE(updates.size() == 3u);
    BOOST_TEST(updates[2].progress == 3.0);
    BOOST_TEST((updates[2].total == 3.0));
    BOOST_TEST(updates[2].message == "step 3");

    asio::cancellation_signal stop;
    options.on_progress = [&](progress_update const&) { stop.emit(asio::cancellation_type::terminal); };
    object const none;
    completions call(co_await asio::this_coro::executor, 1);
    calls.async_call_tool("wait", none, options, asio::bind_cancellation_slot(stop.slot(), call.handler(0)));
    co_await call.wait();
    BOOST_TEST((call.entries()[0].ec == asio::error::operation_aborted), call.entries()[0].ec.message());
    for (std::string count = "0"; count != "1";) // the notification of the cancellation may arrive later
        count = co_await text_of(calls, "cancelled");
}

asio::awaitable<void> reads_resources_and_prompts(session& calls)
{
    auto const resources = co_await async_list_resources(calls);
    BOOST_TEST_REQUIRE(resources.entries.size() == 1u);
    BOOST_TEST(resources.entries[0].uri == "note://a");
    auto const templates = co_await async_list_resource_templates(calls);
    BOOST_TEST_REQUIRE(templates.entries.size() == 1u);
    BOOST_TEST(templates.entries[0].uri_template == "note://day/{day}");
    auto const note = co_await async_read_resource(calls, "note://a");
    BOOST_TEST(note->at(0).text == "note a");
    auto const monday = co_await async_read_resource(calls, "note://day/monday");
    BOOST_TEST(monday->at(0).text == "note of monday");
    auto const missing = co_await async_read_resource(calls, "note://none", in_tuple);
    BOOST_TEST((std::get<0>(missing) == error_code(-32602, rpc_category())), std::get<0>(missing).message());
    auto const prompts = co_await async_list_prompts(calls);
    BOOST_TEST_REQUIRE(prompts.entries.size() == 1u);
    BOOST_TEST(prompts.entries[0].arguments.at(0).name == "who");
    argument_values const ada{{"who", "Ada"}};
    auto const greeting = co_await async_get_prompt(calls, "greet", ada);
    BOOST_TEST(std::get<text_content>(greeting->messages.at(0).content).text == "Hello, Ada");
    completion_request asked;
    asked.name = "greet";
    asked.argument = "who";
    asked.value = "A";
    auto const completed = co_await async_complete(calls, asked);
    BOOST_TEST((completed->values == std::vector<std::string>{"Ada", "Alan"}));
}

asio::awaitable<void> receives_log_messages(session& calls, received const& from)
{
    co_await async_set_log_level(calls, log_level::warning);
    co_await text_of(calls, "log");
    BOOST_TEST_REQUIRE(from.logs.size() == 1u);
    BOOST_TEST((from.logs[0] == log_message{log_level::warning, "disk", R"({"disk":"full"})"}));
}

asio::awaitable<void> responds_to_requests(session& calls)
{
    BOOST_TEST((co_await text_of(calls, "ask")) == "Ada, Hi, file:///work");
}

asio::awaitable<void> is_notified_of_changes(session& calls, received const& from)
{
    co_await async_subscribe_resource(calls, "note://a");
    co_await text_of(calls, "change");
    co_await becomes_true([&] { return !from.updated.empty() && from.changes != 0; });
    BOOST_TEST(from.updated.front() == "note://a");
    co_await async_unsubscribe_resource(calls, "note://a");
}

asio::awaitable<void> uses_every_feature(session& calls, received& from, era in)
{
    co_await opens_in(calls, in);
    co_await calls_tools(calls);
    co_await observes_progress_and_cancels(calls);
    co_await reads_resources_and_prompts(calls);
    co_await receives_log_messages(calls, from);
    co_await responds_to_requests(calls);
    co_await is_notified_of_changes(calls, from);
    BOOST_TEST(calls.counters().malformed == 0u);
    co_await shuts_down(calls);
}

} // namespace

} // namespace official_server_test

BOOST_FIXTURE_TEST_SUITE(official_server_test, official_server_test::installed_packages)

HARNESS_CASE(every_feature_is_used_over_stdio_in_both_eras)
{
    for (auto const in : {era::handshake, era::stateless}) {
        received from;
        auto const remembered = in == era::handshake ? std::optional(in) : std::nullopt;
        session calls(executor, via<stdio>(server_over("stdio")), options_for(remembered));
        from.record(calls);
        co_await uses_every_feature(calls, from, in);
    }
}

HARNESS_CASE(every_feature_is_used_over_http)
{
    http_mock server(executor, server_over("http"));
    auto const url = co_await server.url();
    {
        received from;
        session calls(executor, via<auto_http>({.url = url}));
        from.record(calls);
        co_await uses_every_feature(calls, from, era::stateless);
    }
    { // without sessions: each request is complete in itself
        session calls(executor, via<auto_http>({.url = url}), options_for(era::handshake));
        co_await opens_in(calls, era::handshake);
        co_await calls_tools(calls);
        co_await reads_resources_and_prompts(calls);
        co_await shuts_down(calls);
    }
    co_await server.ends();
}

BOOST_AUTO_TEST_SUITE_END()
