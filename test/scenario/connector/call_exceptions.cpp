#include <linkspan/connector/call_with_fallback.hpp>
#include <linkspan/describe/struct.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/object.hpp>

#include "support/connector_case.hpp"
#include "support/refused_connection.hpp"

BOOST_AUTO_TEST_SUITE(call_exceptions_test)

// Messages of the exceptions that calls throw, for each completion token, and the forms of arguments.

using namespace linkspan;
using namespace linkspan::literals;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct payment {
    static constexpr std::string_view tool = "pay";
    using result_type = int;
    int amount = 0;
};
LINKSPAN_STRUCT(payment, (amount))

// Returns the message of the exception that the operation throws, or "none".
template<class Operation>
asio::awaitable<std::string> message_of(Operation operation)
{
    try {
        co_await std::move(operation);
    } catch (call_error const& failed) {
        co_return failed.what();
    } catch (boost::system::system_error const& failed) {
        co_return std::string("no call_error: ") + failed.what();
    }
    co_return "none";
}

bool reports(std::string_view what, std::string_view words)
{
    return what.starts_with("call of tool 'pay' failed: ") && contains(what, words) && contains(what, "\n  1. ");
}

} // namespace

LINKSPAN_CASE_IN(hub_world, exception_with_default_token_has_tool_message_and_trail)
{
    a.on(call("pay")).then(rpc_error(-32600, "not on Sundays"));
    b.on(call("pay")).then(rpc_error(-32602, "amount is missing"));
    co_await make().async_open();
    auto const what = co_await message_of(hub->async_call("pay"));
    BOOST_TEST(reports(what, "amount is missing [linkspan.rpc:-32602]\n  1. a (request "), what);
    BOOST_TEST(contains(what, "not on Sundays"), what);
    BOOST_TEST(contains(what, "[linkspan.rpc:-32600]"), what);
    BOOST_TEST(contains(what, "\n  2. b (request "), what);
}

LINKSPAN_CASE_IN(hub_world, exception_with_each_coroutine_token_has_tool_message_and_trail)
{
    a.on(call("pay")).then(rpc_error(-32602, "amount is missing"));
    co_await make({}, 1).async_open();
    boost::json::object const args{{"amount", 3}};
    payment const request{3};
    call_options const options;
    auto part = hub->on_server("a");
    BOOST_TEST(reports(co_await message_of(hub->async_call("pay", args)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call("pay", throwing)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call("pay", args, options)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call("pay", args, asio::use_awaitable)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call(request)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call(request, throwing)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_call(request, asio::use_awaitable)), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(hub->async_invoke("pay")), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(part.async_call("pay")), "amount is missing"));
    BOOST_TEST(reports(co_await message_of(part.async_call(request)), "amount is missing"));
    std::vector<std::string> const none;
    BOOST_TEST(reports(co_await message_of(async_call_with_fallback(*hub, "a", none, "pay")), "amount is missing"));
    // The exception with `asio::deferred` is made by Asio.
    auto const plain = co_await message_of(hub->async_call("pay", asio::deferred));
    BOOST_TEST(plain.starts_with("no call_error: "), plain);
}

LINKSPAN_CASE_IN(session_world, exception_of_session_call_has_tool_and_message)
{
    server.on(call("pay")).then(rpc_error(-32602, "amount is missing"));
    co_await make().async_open();
    BOOST_TEST(reports(co_await message_of(client->async_call_tool("pay")), "amount is missing [linkspan.rpc:-32602]"));
    BOOST_TEST(reports(co_await message_of(client->async_call_tool("pay", throwing)), "amount is missing"));
    auto const message = co_await message_of(client->async_call_tool("pay", {}, asio::use_awaitable));
    BOOST_TEST(reports(message, "amount is missing"));
    auto const what = co_await message_of(client->async_request("no/such"));
    BOOST_TEST(contains(what, "[linkspan.rpc:-32601]"), what);
}

LINKSPAN_CASE_IN(hub_world, exception_of_typed_call_has_tool_message_and_server)
{
    a.on(call("pay")).once(tool_error("account 7 is closed")).then(text("many"));
    co_await make({}, 1).async_open();
    payment const request{3};
    auto const failed = co_await message_of(hub->async_call(request));
    BOOST_TEST(failed == "call of tool 'pay' failed: the tool failed: account 7 is closed (server 'a') [linkspan:" +
                             std::to_string(static_cast<int>(error::tool_failed)) + "]");
    auto const misread = co_await message_of(hub->async_call(request));
    BOOST_TEST(misread.starts_with("call of tool 'pay' failed: "), misread);
    BOOST_TEST(contains(misread, "(server 'a')"), misread);
}

LINKSPAN_CASE_IN(session_world, exception_of_session_open_has_cause)
{
    server.on(request("server/discover")).then(rpc_error(-32603, "license expired"));
    server.on(request("initialize")).then(rpc_error(-32603, "license expired"));
    std::string what = "none";
    try {
        co_await make().async_open();
    } catch (boost::system::system_error const& failed) {
        what = failed.what();
    }
    BOOST_TEST(what.starts_with("open session: "), what);
    BOOST_TEST(contains(what, "license expired"), what);
}

LINKSPAN_CASE_IN(hub_world, exception_of_connector_open_has_line_per_server)
{
    hub.emplace(executor)
        .add<inproc>("a", refused_connection(), with(2))
        .add<inproc>("b", refused_connection(), with(1));
    std::string what = "none";
    try {
        co_await hub->async_open();
    } catch (connection_error const& failed) {
        what = failed.what();
    }
    BOOST_TEST(contains(what, "]\na: start failed after 0 ms: Connection refused\nb: start failed"), what);
}

LINKSPAN_CASE_IN(hub_world, operation_without_token_starts_when_awaited)
{
    a.on(call("pay")).then(text("paid"));
    co_await make({}, 1).async_open();
    {
        auto const never = hub->async_call("pay");
        co_await settle(executor);
    }
    auto later = hub->async_call("pay");
    co_await settle(executor);
    BOOST_TEST(calls(a) == 0u);
    auto const first = co_await std::move(later);
    BOOST_TEST(first.text() == "paid");
    using namespace asio::experimental::awaitable_operators;
    auto const both = co_await (hub->async_call("pay") && hub->async_call("pay"));
    BOOST_TEST(std::get<1>(both).text() == "paid");
    completion_box box;
    auto with_token = hub->async_call("pay", asio::deferred);
    std::move(with_token)(box.handler());
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "paid");
    BOOST_TEST(calls(a) == 4u);
}

// Timeouts

LINKSPAN_CASE_IN(hub_world, timed_out_is_true_for_call_completed_by_timeout_with_any_error)
{
    a.on(call("pay")).then(hang());
    b.on(call("pay")).then(rpc_error(-32600, "no"));
    co_await make().async_open();
    auto const [unknown, trail] = co_await hub->async_call("pay", in_tuple);
    BOOST_TEST(unknown == make_error_code(error::outcome_unknown));
    BOOST_TEST(timed_out(unknown, trail));
    BOOST_TEST(timed_out(trail));
    co_await make(replay_class::read_only).async_open();
    auto const [failed, both] = co_await hub->async_call("pay", in_tuple);
    BOOST_TEST(failed == make_error_code(error::all_servers_failed));
    BOOST_TEST(timed_out(failed, both));
    call_options options;
    options.timeout = 2s;
    auto const [late, none] = co_await hub->on_server("a").async_call("pay", {}, options, in_tuple);
    BOOST_TEST(timed_out(late, none), late.message());
    payment const request{3};
    auto const [slow, reply] = co_await hub->on_server("a").async_call(request, options, in_tuple);
    BOOST_TEST(timed_out(slow, reply), slow.message());
    auto const [refused, words] = co_await hub->on_server("b").async_call("pay", in_tuple);
    BOOST_TEST(!timed_out(refused, words));
}

LINKSPAN_CASE_IN(session_world, timed_out_request_names_the_timeout_and_its_option)
{
    server.on(call("slow")).then(hang());
    co_await make().async_open();
    auto const [idle, first] = co_await client->async_call_tool("slow", in_tuple);
    BOOST_TEST_REQUIRE(first.attempts().size() == 1u);
    BOOST_TEST(first.attempts()[0].detail == "no response or progress within idle_timeout, 30000 ms; raise "
                                             "call_options::idle_timeout");
    call_options short_timeout;
    short_timeout.attempt_timeout = 7s;
    auto const [cap, second] = co_await client->async_call_tool("slow", {}, short_timeout, in_tuple);
    BOOST_TEST(second.attempts()[0].detail == "attempt_timeout, 7000 ms; raise call_options::attempt_timeout");
    BOOST_TEST(timed_out(cap, second));
    short_timeout.timeout = 3s;
    auto const [late, third] = co_await client->async_call_tool("slow", {}, short_timeout, in_tuple);
    BOOST_TEST(late == make_error_code(error::deadline_exceeded));
    BOOST_TEST(third.attempts()[0].detail == "timeout of the call, 3000 ms; raise call_options::timeout");
}

LINKSPAN_CASE_IN(hub_world, line_over_max_line_reports_limit_value_and_configuration_key)
{
    a.on(call("pay")).then(text(std::string(5000, 'x')));
    inproc_config config = a;
    config.max_line = 4000;
    hub.emplace(executor).add<inproc>("a", config, with(1));
    co_await hub->async_open();
    auto const what = co_await message_of(hub->async_call("pay"));
    BOOST_TEST(contains(what, "a line is longer than max_line [linkspan:"), what);
    BOOST_TEST(
        contains(what,
                 "line of the peer exceeds max_line, 4000 bytes; raise max_line, or shorten the lines of the peer"),
        what);
    BOOST_TEST(contains(hub->state().servers[0].last_error, "4000 bytes"), hub->state().servers[0].last_error);
}

// Forms of a call

LINKSPAN_CASE_IN(hub_world, arguments_of_connector_call_may_be_omitted_or_literals)
{
    a.on(call("pay")).then(text("paid"));
    co_await make({}, 1).async_open();
    co_await hub->async_call("pay", throwing);
    BOOST_TEST(a.received(R"("arguments":{},)") == 1u);
    co_await hub->async_call("pay", {{"amount", 3}, {"to", "Ann"}, {"now", true}, {"note", nullptr}});
    BOOST_TEST(a.received(R"("arguments":{"amount":3,"to":"Ann","now":true,"note":null})") == 1u);
    std::string const bob = "Bob";
    co_await hub->async_call("pay", {{"to", bob}}, in_tuple);
    BOOST_TEST(a.received(R"("arguments":{"to":"Bob"})") == 1u);
    co_await hub->async_call("pay", R"({"amount": 4})"_json);
    BOOST_TEST(a.received(R"("arguments":{"amount": 4})") == 1u);
    co_await hub->on_server("a").async_call("pay", {{"amount", 5}});
    BOOST_TEST(a.received(R"("arguments":{"amount":5})") == 1u);
    co_await hub->async_invoke("pay", {{"amount", 6}});
    BOOST_TEST(a.received(R"("arguments":{"amount":6})") == 1u);
    auto nested = hub->async_call("pay", {{"who", {{"name", "Ann"}}}, {"sums", {1, 2, 3}}}); // rejected in co_await by
                                                                                             // g++ 12
    co_await std::move(nested);
    BOOST_TEST(a.received(R"("arguments":{"who":{"name":"Ann"},"sums":[1,2,3]})") == 1u);
    co_await hub->async_invoke("pay", in_tuple);
    completion_box box;
    hub->async_call("pay", box.handler());
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
}

LINKSPAN_CASE_IN(session_world, arguments_of_session_call_may_be_omitted_or_literals)
{
    server.on(call("pay")).then(text("paid"));
    co_await make().async_open();
    co_await client->async_call_tool("pay", throwing);
    co_await client->async_call_tool("pay", {{"amount", 3}, {"to", "Ann"}});
    BOOST_TEST(server.received(R"("arguments":{"amount":3,"to":"Ann"})") == 1u);
    co_await client->async_call_tool("pay", R"({"amount":4})"_json, in_tuple);
    BOOST_TEST(server.received(R"("arguments":{"amount":4})") == 1u);
    auto const [ec, list] = co_await client->async_request("tools/list", in_tuple);
    BOOST_TEST(!ec.failed());
}

LINKSPAN_CASE_IN(hub_world, call_with_use_future_completes_future)
{
    a.on(call("pay")).then(text("paid"));
    co_await make({}, 1).async_open();
    auto future = hub->async_call("pay", asio::use_future);
    co_await settle(executor);
    co_await settle(executor);
    BOOST_TEST_REQUIRE((future.wait_for(0s) == std::future_status::ready));
    BOOST_TEST(future.get().text() == "paid");
}

BOOST_AUTO_TEST_SUITE_END()
