// A connector stores results of read-only tools, and uses a result for equal calls until its time ends, the tools of
// the server may have changed, or its connection ends.

#include <linkspan/connector/interceptor.hpp>
#include <linkspan/connector/stored_results.hpp>
#include <linkspan/connector/tasks.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/observe/metrics.hpp>

#include <memory>
#include <vector>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(stored_tool_results_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto list_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

// Up to two servers with the read-only tool "look" and the tool "pay", whose first results differ from the later ones.
struct storing_world : world {
    scripted_server a, b;
    std::optional<hub_type> hub;

    storing_world()
    {
        for (auto* const server : {&a, &b}) {
            server->dialogue().capabilities = R"({"tools":{"listChanged":true}})";
            server->tool("look", R"({"type":"object"})", nullptr, R"({"readOnlyHint":true})");
            server->tool("pay", R"({"type":"object"})", nullptr);
        }
    }

    // Adds the rules of both servers. Those that a case has added before take precedence.
    void add_rules()
    {
        a.on(call("look")).once(text("first")).then(text("second"));
        a.on(call("pay")).once(text("first")).then(text("second"));
        b.on(call("look")).then(text("from b"));
    }

    // Options of a server whose read-only tools are stored for a minute.
    static server_options storing(int priority = 1)
    {
        auto options = with(priority);
        options.restart = {};
        options.trust_annotations = true;
        options.result_ttl = 60s;
        return options;
    }

    asio::awaitable<void> open(server_options one, std::optional<server_options> two = {})
    {
        add_rules();
        hub.emplace(executor);
        hub->add<inproc>("a", a, std::move(one));
        if (two)
            hub->add<inproc>("b", b, *std::move(two));
        co_await hub->async_open();
        co_await settle(executor);
    }

    asio::awaitable<void> open() { co_await open(storing()); }

    // Calls a tool. Returns the text of the result, after a star if it is a stored one.
    asio::awaitable<std::string> ask(std::string tool = "look", std::string args = "{}", call_options options = {})
    {
        linkspan::arguments const given{raw_json(args)};
        auto const result = co_await hub->async_call(tool, given, options);
        bool const is_stored = !result.attempts().empty() && result.attempts().back().from_store;
        co_return (is_stored ? "*" : "") + result.text();
    }

    static std::size_t calls(scripted_server const& of) { return of.received("\"tools/call\""); }
};

} // namespace

LINKSPAN_CASE_IN(storing_world, result_is_used_for_its_time_and_causes_no_request_at_its_end)
{
    co_await open();
    BOOST_TEST(co_await ask() == "first");
    co_await pass(executor, 59s);
    auto const stored = co_await hub->async_call("look");
    BOOST_TEST(stored.text() == "first");
    BOOST_TEST(stored.server() == "a");
    BOOST_TEST_REQUIRE(stored.attempts().size() == 1u);
    auto const& record = stored.attempts()[0];
    BOOST_TEST(record.from_store);
    BOOST_TEST(record.server == "a");
    BOOST_TEST(record.id == 0);
    BOOST_TEST((record.result.certainty == certainty::completed));
    BOOST_TEST(!record.result.ec);
    BOOST_TEST(calls(a) == 1u);
    BOOST_TEST(hub->state().servers.at(0).calls == 1u);
    co_await pass(executor, 10s);
    BOOST_TEST(calls(a) == 1u);
    BOOST_TEST(co_await ask() == "second");
    BOOST_TEST(co_await ask() == "*second");
    BOOST_TEST(calls(a) == 2u);
}

LINKSPAN_CASE_IN(storing_world, only_selected_tools_are_stored)
{
    auto const calls_after_two = [&](server_options options, std::string tool) -> asio::awaitable<std::size_t> {
        auto const before = calls(a);
        co_await open(std::move(options));
        co_await ask(tool);
        co_await ask(tool);
        co_return calls(a) - before;
    };
    BOOST_TEST(co_await calls_after_two(with(1), "look") == 2u); // nothing is stored by default
    BOOST_TEST(co_await calls_after_two(storing(), "pay") == 2u);
    BOOST_TEST(co_await calls_after_two(storing(), "look") == 1u);
    auto suspect = storing();
    suspect.trust_annotations = false;
    BOOST_TEST(co_await calls_after_two(suspect, "look") == 2u);
    suspect.tools["look"].replay = replay_class::read_only;
    BOOST_TEST(co_await calls_after_two(suspect, "look") == 1u);
    auto named = with(1);
    named.tools["pay"].result_ttl = 60s;
    BOOST_TEST(co_await calls_after_two(named, "pay") == 1u);
    BOOST_TEST(co_await calls_after_two(named, "look") == 2u);
    auto excepted = storing();
    excepted.tools["look"].result_ttl = 0s;
    BOOST_TEST(co_await calls_after_two(excepted, "look") == 2u);
}

LINKSPAN_CASE_IN(storing_world, result_is_used_for_equal_arguments_of_the_same_tool)
{
    auto options = storing();
    options.tools["pay"].result_ttl = 60s;
    co_await open(options);
    co_await ask("look", R"({"a":1,"b":{"c":"x","d":[1,2]}})");
    BOOST_TEST(co_await ask("look", R"( { "b" : {"d":[1, 2],"c":"\u0078"}, "a":1 } )") == "*first");
    for (std::string const args : {R"({"a":1.0,"b":{"c":"x","d":[1,2]}})", R"({"a":1,"b":{"c":"x","d":[2,1]}})", "{}"})
        BOOST_TEST(co_await ask("look", args) == "second", args);
    BOOST_TEST(co_await ask("pay", R"({"a":1,"b":{"c":"x","d":[1,2]}})") == "first");
    BOOST_TEST(calls(a) == 5u);
}

LINKSPAN_CASE_IN(storing_world, errors_are_not_stored)
{
    auto options = storing();
    options.result_classifier = find_status_error;
    a.on(call("look"))
        .once(tool_error("busy"))
        .once(text(R"({"status":"error","error":"quota"})"))
        .once(rpc_error(-32602, "no"))
        .then(text("good"));
    co_await open(options);
    BOOST_TEST((co_await hub->async_call("look")).is_error());
    BOOST_TEST((co_await hub->async_call("look")).text() == "quota");
    auto const [ec, failed] = co_await hub->async_call("look", {}, in_tuple);
    BOOST_TEST(ec.value() == -32602);
    BOOST_TEST(co_await ask() == "good");
    BOOST_TEST(co_await ask() == "*good");
    BOOST_TEST(calls(a) == 4u);
}

LINKSPAN_CASE_IN(storing_world, notification_of_changed_tools_drops_the_results_of_the_server)
{
    co_await open(storing(9), storing());
    co_await ask();
    BOOST_TEST((co_await hub->on_server("b").async_call("look")).text() == "from b");
    a.broadcast(list_changed);
    co_await settle(executor);
    BOOST_TEST((co_await hub->on_server("a").async_call("look")).text() == "second");
    BOOST_TEST((co_await hub->on_server("b").async_call("look")).attempts().size() == 1u);
    BOOST_TEST(calls(a) == 2u);
    BOOST_TEST(calls(b) == 1u);
}

LINKSPAN_CASE_IN(storing_world, changed_list_drops_the_results_without_a_notification)
{
    co_await open();
    co_await ask();
    co_await hub->async_refresh_tools();
    BOOST_TEST(co_await ask() == "*first"); // the list is the same
    a.tool("other", R"({"type":"object"})", nullptr);
    co_await hub->async_refresh_tools();
    BOOST_TEST(co_await ask() == "second");
}

LINKSPAN_CASE_IN(storing_world, result_of_call_during_which_the_tools_changed_is_not_stored)
{
    a.on(call("look")).then(delay(1s), text("old"));
    co_await open();
    bool is_complete = false;
    hub->async_call("look", {}, [&](error_code ec, call_result const&) { is_complete = !ec; });
    co_await settle(executor);
    a.broadcast(list_changed);
    co_await pass(executor, 2s);
    BOOST_TEST(is_complete);
    BOOST_TEST(co_await ask() == "old");
    BOOST_TEST(calls(a) == 2u);
}

LINKSPAN_CASE_IN(storing_world, end_of_connection_drops_the_results)
{
    co_await open();
    co_await ask();
    a.drop_connections();
    co_await pass(executor, 10s);
    BOOST_TEST(co_await ask() == "second");
    BOOST_TEST(co_await ask() == "*second");
    co_await hub->async_disconnect("a");
    co_await hub->async_connect("a");
    BOOST_TEST(co_await ask() == "second");
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, disconnected_server_returns_no_stored_result)
{
    co_await open();
    co_await ask();
    co_await hub->async_disconnect("a");
    auto const [ec, result] = co_await hub->async_call("look", {}, in_tuple);
    BOOST_TEST(ec.failed());
    BOOST_TEST(calls(a) == 1u);
}

LINKSPAN_CASE_IN(storing_world, call_can_require_a_request_whose_result_replaces_the_stored_one)
{
    co_await open();
    co_await ask();
    call_options fresh;
    fresh.use_stored_results = false;
    BOOST_TEST(co_await ask("look", "{}", fresh) == "second");
    BOOST_TEST(co_await ask() == "*second");
}

LINKSPAN_CASE_IN(storing_world, call_with_metadata_neither_uses_nor_stores_a_result)
{
    co_await open();
    call_options options;
    options.meta = R"({"user":"me"})";
    BOOST_TEST(co_await ask("look", "{}", options) == "first");
    BOOST_TEST(co_await ask() == "second");
    BOOST_TEST(co_await ask("look", "{}", options) == "second");
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, task_neither_uses_nor_stores_a_result)
{
    co_await open();
    auto const started = co_await async_start_task(*hub, "look");
    static_cast<void>(started);
    BOOST_TEST(co_await ask() == "second");
    co_await async_start_task(*hub, "look");
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, result_that_followed_an_input_request_is_not_stored)
{
    a.dialogue().protocol_versions = {protocol_version::v2026_07_28};
    a.on(call("look")).once(input_required(R"({"q":{"method":"roots/list"}})", R"("state")")).then(text("with input"));
    hub.emplace(executor);
    hub->add<inproc>("a", a, storing());
    hub->set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply(roots_result()); });
    co_await hub->async_open();
    BOOST_TEST(co_await ask() == "with input");
    BOOST_TEST(calls(a) == 2u); // the second one with the input
    BOOST_TEST(co_await ask() == "with input");
    BOOST_TEST(co_await ask() == "*with input");
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, result_of_server_with_interceptors_is_not_stored)
{
    auto options = storing();
    options.interceptors.push_back([](tool_request request, next_call next) { return next(std::move(request)); });
    co_await open(options);
    co_await ask();
    BOOST_TEST(co_await ask() == "second");
}

LINKSPAN_CASE_IN(storing_world, interceptor_of_connector_receives_stored_result)
{
    co_await open();
    std::string seen;
    hub->add_interceptor([&](tool_request request, next_call next) -> asio::awaitable<call_result> {
        auto out = co_await next(std::move(request));
        (seen += out.text()) += out.attempts().empty() ? " " : "* ";
        co_return out;
    });
    co_await ask();
    BOOST_TEST(co_await ask() == "*first");
    BOOST_TEST(seen == "first first* ");
}

LINKSPAN_CASE_IN(storing_world, result_of_interchangeable_server_is_used)
{
    co_await open(storing(1), storing(9));
    BOOST_TEST((co_await hub->on_server("a").async_call("look")).text() == "first");
    BOOST_TEST(co_await ask() == "*first"); // "b" has the higher priority
    BOOST_TEST((co_await hub->on_server("b").async_call("look")).text() == "from b");
    BOOST_TEST(calls(b) == 1u);
}

LINKSPAN_CASE_IN(storing_world, result_of_one_of_many_replicas_is_used)
{
    hub.emplace(executor);
    std::vector<std::unique_ptr<scripted_server>> servers;
    for (int i = 0; i != 40; ++i) {
        auto& server = *servers.emplace_back(std::make_unique<scripted_server>());
        server.tool("look", R"({"type":"object"})", nullptr, R"({"readOnlyHint":true})");
        server.on(call("look")).then(text("same"));
        hub->add<inproc>("s" + std::to_string(i), server, storing());
    }
    co_await hub->async_open();
    BOOST_TEST(co_await ask() == "same");
    for (int i = 0; i != 20; ++i)
        BOOST_TEST(co_await ask() == "*same");
    hub.reset();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(storing_world, stored_results_are_limited_in_number_and_size)
{
    co_await open();
    limit_tool_results(*hub, default_stored_bytes, 2);
    for (auto const* const args : {R"({"n":1})", R"({"n":2})", R"({"n":3})"}) {
        co_await ask("look", args);
        co_await pass(executor, 1s);
    }
    BOOST_TEST(co_await ask("look", R"({"n":3})") == "*second");
    BOOST_TEST(co_await ask("look", R"({"n":2})") == "*second");
    BOOST_TEST(calls(a) == 3u);
    co_await ask("look", R"({"n":1})"); // whose time ended first
    BOOST_TEST(calls(a) == 4u);
    limit_tool_results(*hub, 10); // less than a result has
    co_await ask();
    co_await ask();
    BOOST_TEST(calls(a) == 6u);
    limit_tool_results(*hub, default_stored_bytes, 0);
    co_await ask();
    co_await ask();
    BOOST_TEST(calls(a) == 8u);
}

LINKSPAN_CASE_IN(storing_world, dropped_results_are_requested_again)
{
    a.on(call("look")).then(delay(1s), text("text"));
    co_await open();
    drop_tool_results(*hub);
    co_await ask();
    BOOST_TEST(co_await ask() == "*text");
    drop_tool_results(*hub);
    hub->async_call("look", {}, [](error_code ec, call_result const&) { BOOST_TEST(!ec); });
    co_await settle(executor);
    drop_tool_results(*hub); // also the result of the outstanding call
    co_await pass(executor, 2s);
    BOOST_TEST(co_await ask() == "text");
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(storing_world, result_of_retried_call_is_stored_without_its_attempts)
{
    a.on(call("look")).once(drop_connection()).then(text("good"));
    auto options = storing();
    options.restart.wait = 0s;
    co_await open(options);
    auto const first = co_await hub->async_call("look");
    BOOST_TEST(first.attempts().size() > 1u);
    auto const stored = co_await hub->async_call("look");
    BOOST_TEST_REQUIRE(stored.attempts().size() == 1u);
    BOOST_TEST(stored.attempts()[0].from_store);
}

LINKSPAN_CASE_IN(storing_world, stored_result_that_does_not_match_the_type_is_explained_as_stored)
{
    constexpr typed_tool<"look", boost::json::object, int> look;
    co_await open();
    boost::json::object const nothing;
    co_await ask();
    auto const [ec, result] = co_await hub->async_call(look, nothing, in_tuple);
    BOOST_TEST((ec == error::unexpected_result));
    BOOST_TEST(contains(explain(ec, result.result()), "1. a: completed, stored result"), explain(ec, result.result()));
}

LINKSPAN_CASE_IN(storing_world, stored_result_is_no_attempt_in_metrics)
{
    add_rules();
    metrics counted;
    connector<transports<inproc>, metrics> other(executor, counted);
    other.add<inproc>("a", a, storing());
    co_await other.async_open();
    for (int i = 0; i != 3; ++i)
        co_await other.async_call("look");
    auto const all = counted.snapshot().attempts;
    BOOST_TEST_REQUIRE(all.size() == 1u);
    BOOST_TEST(all.begin()->second.count == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
