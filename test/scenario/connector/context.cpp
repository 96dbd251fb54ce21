#include <linkspan/connector/interceptor.hpp>
#include <linkspan/observe/text_log.hpp>
#include <linkspan/session/call_context.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(context_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct tenant {
    std::string name;
    int level = 0;
};

BOOST_DESCRIBE_STRUCT(tenant, (), (name, level))

using lines = std::vector<std::string>;

// Returns an interceptor that logs the beginning and the completion of each call.
interceptor notes(std::shared_ptr<lines> log, std::string name)
{
    return [log, name](tool_request request, next_call next) -> asio::awaitable<call_result> {
        log->push_back(name + " > " + request.server + ":" + request.tool + request.arguments);
        auto result = co_await next(std::move(request));
        log->push_back(name + " < " + result.text());
        co_return result;
    };
}

// Two scripted servers with the tool "pay", and a connector without servers.
struct context_world : world {
    scripted_server a, b;
    std::shared_ptr<lines> log = std::make_shared<lines>();
    hub_type hub{executor};

    context_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
    }

    // Returns options of a server with one interceptor.
    server_options around(interceptor one, int priority = 0)
    {
        auto options = with(priority);
        options.interceptors.push_back(std::move(one));
        return options;
    }
};

// Returns the `_meta` of the first call that the server received.
std::string meta_of(scripted_server const& server)
{
    for (auto const& message : server.received())
        if (contains(message, "tools/call")) {
            auto const value = boost::json::parse(message);
            return boost::json::serialize(value.at("params").at("_meta"));
        }
    return {};
}

} // namespace

// Values sent in `_meta`

LINKSPAN_CASE_IN(context_world, call_context_is_sent_in_meta)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    call_deps deps;
    deps.user_context["user"] = "ada";
    deps.request_id = "r-1";
    call_options options;
    pass_deps(options, deps);
    co_await hub.async_call("pay", {}, options);
    BOOST_TEST(contains(meta_of(a), R"("deps":{"user_context":{"user":"ada"},"request_id":"r-1"})"), meta_of(a));
}

LINKSPAN_CASE_IN(context_world, request_id_of_call_context_is_default_correlation_of_observers)
{
    auto const lines = std::make_shared<std::vector<std::string>>();
    text_log const to_lines([lines](std::string_view line) { lines->emplace_back(line); });
    connector<transports<inproc>, text_log> watched(executor, to_lines);
    a.on(call("fail")).then(rpc_error(-32603, "no"));
    watched.add<inproc>("a", a);
    co_await watched.async_open();
    call_deps deps;
    deps.request_id = "r-1";
    for (std::string const own : {"", "mine"}) {
        lines->clear();
        call_options options;
        options.correlation = own;
        pass_deps(options, deps);
        co_await watched.async_call("fail", {}, options, in_tuple);
        BOOST_TEST_REQUIRE(lines->size() == 1u);
        auto const start = "[MCP] a: fail failed, attempt 1 for " + (own.empty() ? "r-1" : own) + ": ";
        BOOST_TEST(lines->front().starts_with(start), lines->front());
    }
}

LINKSPAN_CASE_IN(context_world, described_struct_is_sent_in_meta_under_given_key)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    call_options options;
    pass_deps(options, tenant{"acme", 3}, "example.org/tenant");
    pass_deps(options, call_deps(), "deps");
    co_await hub.async_call("pay", {}, options);
    BOOST_TEST(contains(meta_of(a), R"("example.org/tenant":{"name":"acme","level":3})"), meta_of(a));
    BOOST_TEST(contains(meta_of(a), R"("deps":{"user_context":{},"request_id":null})"), meta_of(a));
}

LINKSPAN_CASE_IN(context_world, trace_context_is_sent_in_meta_under_standard_keys)
{
    hub.add<inproc>("a", a);
    co_await hub.async_open();
    call_options options;
    trace_context trace;
    trace.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    trace.tracestate = "vendor=1";
    BOOST_TEST(!pass_trace(options, trace));
    co_await hub.async_call("pay", {}, options);
    BOOST_TEST(contains(meta_of(a), R"("traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")"));
    BOOST_TEST(contains(meta_of(a), R"("tracestate":"vendor=1")"));
    BOOST_TEST(!contains(meta_of(a), "baggage"));
}

// Interceptors

LINKSPAN_CASE_IN(context_world, interceptors_are_nested_in_order_of_registration)
{
    auto options = around(notes(log, "inner"));
    options.interceptors.push_back(notes(log, "innermost"));
    hub.add<inproc>("a", a, options);
    hub.add_interceptor(notes(log, "outer"));
    hub.add_interceptor(notes(log, "middle"));
    co_await hub.async_open();
    boost::json::object const args{{"n", 1}};
    auto const result = co_await hub.async_call("pay", args);
    BOOST_TEST(result.text() == "a");
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(*log == (lines{R"(outer > :pay{"n":1})", R"(middle > :pay{"n":1})", R"(inner > a:pay{"n":1})",
                              R"(innermost > a:pay{"n":1})", "innermost < a", "inner < a", "middle < a", "outer < a"}),
               boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(context_world, interceptor_can_change_arguments_and_options)
{
    interceptor const change = [](tool_request request, next_call next) -> asio::awaitable<call_result> {
        request.arguments = R"({"n":2})";
        call_deps deps;
        deps.request_id = "r-2";
        pass_deps(request.options, deps);
        auto result = co_await next(std::move(request));
        co_return result;
    };
    hub.add<inproc>("a", a, around(change));
    co_await hub.async_open();
    co_await hub.async_call("pay");
    BOOST_TEST(a.received(R"("arguments":{"n":2})") == 1u);
    BOOST_TEST(contains(meta_of(a), R"("request_id":"r-2")"));
}

LINKSPAN_CASE_IN(context_world, interceptor_can_return_result_without_sending)
{
    interceptor const cache = [](tool_request, next_call) -> asio::awaitable<call_result> {
        std::string_view const kept = R"({"content":[{"type":"text","text":"kept"}]})";
        co_return call_result(linkspan::detail::shared_text(kept), {});
    };
    hub.add<inproc>("a", a, around(cache));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "kept");
    BOOST_TEST(a.received("tools/call") == 0u);
}

LINKSPAN_CASE_IN(context_world, interceptor_can_refuse_arguments_without_sending)
{
    interceptor const guard = [](tool_request request, next_call next) -> asio::awaitable<call_result> {
        static std::regex const forbidden(R"(\b(insert|update|delete|drop)\b)", std::regex::icase);
        if (std::regex_search(request.arguments, forbidden)) {
            std::string_view const refusal = R"({"content":[{"type":"text","text":"only queries"}],"isError":true})";
            co_return call_result(linkspan::detail::shared_text(refusal), {});
        }
        co_return co_await next(std::move(request));
    };
    hub.add<inproc>("a", a, around(guard));
    co_await hub.async_open();
    boost::json::object query, deletion;
    query["sql"] = "select updated from prices";
    deletion["sql"] = "DELETE from prices";
    auto const refused = co_await hub.async_call("pay", deletion);
    BOOST_TEST(refused.is_error());
    BOOST_TEST(refused.text() == "only queries");
    BOOST_TEST(a.received("tools/call") == 0u);
    auto const sent = co_await hub.async_call("pay", query);
    BOOST_TEST(sent.text() == "a");
}

LINKSPAN_CASE_IN(context_world, interceptor_can_wait_within_timeout_of_call)
{
    interceptor const slow = [](tool_request request, next_call next) -> asio::awaitable<call_result> {
        timer rest(co_await asio::this_coro::executor);
        rest.expires_after(5s);
        co_await rest.async_wait(asio::use_awaitable);
        auto result = co_await next(std::move(request));
        co_return result;
    };
    hub.add<inproc>("a", a, around(slow));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    BOOST_TEST((since_start(time) == 5s));
    call_options brief;
    brief.timeout = 2s;
    auto const [ec, late] = co_await hub.async_call("pay", {}, brief, in_tuple);
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST(trail_of(late) == "a not_sent");
    BOOST_TEST((since_start(time) == 7s));
    co_await pass(executor, 10s);
    BOOST_TEST(a.received("tools/call") == 1u);
}

LINKSPAN_CASE_IN(context_world, throwing_interceptor_of_a_server_fails_only_attempts_at_this_server)
{
    interceptor const angry = [](tool_request, next_call) -> asio::awaitable<call_result> {
        throw std::runtime_error("no token");
        co_return call_result();
    };
    hub.add<inproc>("a", a, around(angry, 9)).add<inproc>("b", b, with(1));
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST(trail_of(result) == "a not_sent, b completed");
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::interceptor_failed));
    BOOST_TEST(result.attempts()[0].detail == "no token");
}

LINKSPAN_CASE_IN(context_world, throwing_interceptor_of_the_connector_fails_the_call)
{
    hub.add<inproc>("a", a);
    hub.add_interceptor([](tool_request, next_call) -> asio::awaitable<call_result> {
        throw std::runtime_error("not allowed");
        co_return call_result();
    });
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::interceptor_failed));
    BOOST_TEST(result.detail() == "not allowed");
}

LINKSPAN_CASE_IN(context_world, failure_of_call_passes_interceptors_unchanged)
{
    scripted_server lost;
    lost.on(call("pay")).then(drop_connection());
    hub.add<inproc>("lost", lost, around(notes(log, "inner")));
    hub.add_interceptor(notes(log, "outer"));
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    BOOST_TEST(trail_of(result) == "lost unknown");
    BOOST_TEST(log->size() == 2u);
}

LINKSPAN_CASE_IN(context_world, interceptor_can_call_next_twice)
{
    hub.add<inproc>("a", a);
    hub.add_interceptor([](tool_request request, next_call next) -> asio::awaitable<call_result> {
        tool_request again = request;
        auto first = co_await next(std::move(request));
        auto second = co_await next(std::move(again));
        co_return second;
    });
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "a");
    BOOST_TEST(a.received("tools/call") == 2u);
}

LINKSPAN_CASE_IN(context_world, call_inside_interceptors_can_be_cancelled)
{
    scripted_server slow;
    slow.on(call("pay")).then(hang());
    hub.add<inproc>("slow", slow, around(notes(log, "inner")));
    hub.add_interceptor(notes(log, "outer"));
    co_await hub.async_open();
    completion_box box;
    asio::cancellation_signal stop;
    hub.async_call("pay", {}, asio::bind_cancellation_slot(stop.slot(), box.handler()));
    co_await pass(executor, 1s);
    stop.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == error_code(asio::error::operation_aborted));
    BOOST_TEST(slow.received("notifications/cancelled") == 1u);
}

LINKSPAN_CASE_IN(context_world, close_completes_calls_inside_interceptors)
{
    scripted_server slow;
    slow.on(call("pay")).then(hang());
    hub.add<inproc>("slow", slow, around(notes(log, "inner")));
    hub.add_interceptor(notes(log, "outer"));
    co_await hub.async_open();
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await pass(executor, 1s);
    hub.close();
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
