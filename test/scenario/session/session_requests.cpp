#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>

#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(session_requests_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::call_options;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::protocol_version;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

constexpr auto aborted = asio::error::operation_aborted;

// Returns the last received message that contains this part.
std::string last(scripted_server const& server, std::string_view part)
{
    std::string found;
    for (auto const& message : server.received())
        if (contains(message, part))
            found = message;
    return found;
}

} // namespace

LINKSPAN_CASE_IN(session_world, request_without_response_completes_after_thirty_seconds)
{
    server.on(call("slow")).then(hang());
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("slow", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 30s));
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST((result.attempts()[0].result.elapsed == 30s));
    BOOST_TEST(!result.attempts()[0].result.has_response);
}

LINKSPAN_CASE(timed_out_request_is_cancelled_at_server_with_reason)
{
    for (auto const version :
         {protocol_version::v2024_11_05, protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        scripted_server server({version});
        server.on(call("slow")).then(hang());
        linkspan::session client(executor, linkspan::via<linkspan::inproc>(server));
        co_await client.async_open();
        auto const [ec, result] = co_await client.async_call_tool("slow", {}, in_tuple);
        co_await settle(executor);
        BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
        BOOST_TEST(server.received("notifications/cancelled") == 1u);
        auto const notification = last(server, "notifications/cancelled");
        BOOST_TEST(contains(notification, "\"requestId\":" + std::to_string(result.attempts()[0].id)), notification);
        BOOST_TEST(contains(notification, R"("reason":"timeout")"), notification);
    }
}

LINKSPAN_CASE_IN(session_world, progress_restarts_idle_timeout)
{
    server.on(call("slow")).then(delay(29s), progress(1, 3), delay(29s), progress(2, 3), delay(29s), text("done"));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("slow");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST((since_start(time) == 87s));
}

LINKSPAN_CASE_IN(session_world, idle_timeout_applies_after_last_progress)
{
    server.on(call("slow")).then(delay(20s), progress(1, 3), hang());
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("slow", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 50s));
    BOOST_TEST(result.attempts()[0].result.started);
}

LINKSPAN_CASE_IN(session_world, progress_does_not_extend_request_beyond_five_minutes)
{
    auto& steps = server.on(call("slow"));
    steps.then([](exchange& on, std::function<void()> const&) {
        // Sends progress without end.
        struct ticker {
            static void tick(exchange& on, double value)
            {
                on.progress(value, 1000);
                on.wait(20s, [&on, value] { tick(on, value + 1); });
            }
        };
        ticker::tick(on, 1);
    });
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("slow", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 300s));
    BOOST_TEST(server.received("notifications/cancelled") == 0u); // the cancellation is still being sent
}

LINKSPAN_CASE_IN(session_world, timeouts_can_be_set_per_request)
{
    server.on(call("slow")).then(hang());
    co_await make().async_open();
    call_options idle;
    idle.idle_timeout = 2s;
    auto const [first, ignored] = co_await client->async_call_tool("slow", {}, idle, in_tuple);
    BOOST_TEST(first == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 2s));
    call_options whole;
    whole.attempt_timeout = 3s;
    auto const [second, ignored_too] = co_await client->async_call_tool("slow", {}, whole, in_tuple);
    BOOST_TEST(second == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 5s));
    call_options deadline;
    deadline.timeout = 4s;
    auto const [third, trail] = co_await client->async_call_tool("slow", {}, deadline, in_tuple);
    BOOST_TEST(third == make_error_code(error::deadline_exceeded));
    BOOST_TEST((since_start(time) == 9s));
    BOOST_TEST((trail.attempts()[0].result.certainty == certainty::unknown));
}

LINKSPAN_CASE_IN(session_world, progress_is_delivered_to_caller)
{
    server.on(call("slow")).then(progress(1, 4), delay(1s), progress(2.5, 4), text("done"));
    co_await make().async_open();
    std::vector<double> seen;
    call_options with;
    with.on_progress = [&](linkspan::progress_update const& update) {
        seen.push_back(update.progress);
        BOOST_TEST((update.total == 4.0));
    };
    co_await client->async_call_tool("slow", {}, with);
    BOOST_TEST(seen == (std::vector<double>{1, 2.5}), boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(session_world, late_response_is_dropped_and_counted)
{
    server.on(call("slow")).once(raw(R"({"jsonrpc":"2.0","id":999,"result":{}})"), hang()).then(text("on time"));
    co_await make().async_open();
    call_options with;
    with.idle_timeout = 1s;
    auto const [ec, ignored] = co_await client->async_call_tool("slow", {}, with, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST(client->counters().late_responses == 1u);
    server.broadcast(R"({"jsonrpc":"2.0","id":2,"result":{"content":[]}})"); // late response to the cancelled request
    auto const result = co_await client->async_call_tool("slow");
    BOOST_TEST(result.text() == "on time");
    BOOST_TEST(client->counters().late_responses == 2u);
}

LINKSPAN_CASE_IN(session_world, error_response_is_returned_with_code_of_server)
{
    server.on(call("bad")).then(rpc_error(-32602, "no such thing"));
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("bad", {}, in_tuple);
    BOOST_TEST(ec == error_code(-32602, linkspan::rpc_category()));
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    BOOST_TEST(result.attempts()[0].detail == "no such thing");
    BOOST_TEST(result.attempts()[0].result.has_response);
}

LINKSPAN_CASE_IN(session_world, tool_error_is_returned_as_result)
{
    server.on(call("bad")).then(tool_error("division by zero"));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("bad");
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "division by zero");
    BOOST_TEST(result.attempts().empty());
}

// Cancellation

LINKSPAN_CASE_IN(session_world, request_in_flight_is_cancelled_by_terminal_and_partial_cancellation)
{
    server.on(call("slow")).then(hang());
    co_await make().async_open();
    std::size_t cancelled = 0;
    for (auto const type : {cancel::terminal, cancel::partial}) {
        asio::cancellation_signal signal;
        completion_box box;
        client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
        co_await settle(executor);
        signal.emit(type);
        BOOST_TEST(box.count == 0u); // never invoked inside `emit`
        co_await settle(executor);
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == error_code(aborted));
        BOOST_TEST((box.delivery() == certainty::unknown));
        BOOST_TEST(server.received("notifications/cancelled") == ++cancelled);
        BOOST_TEST(!contains(last(server, "notifications/cancelled"), "timeout"));
        BOOST_TEST(client->in_flight() == 0u);
    }
}

LINKSPAN_CASE_IN(session_world, total_cancellation_does_not_complete_request_in_flight)
{
    server.on(call("slow")).then(delay(2s), text("done"));
    co_await make().async_open();
    asio::cancellation_signal signal;
    completion_box box;
    client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
    co_await settle(executor);
    signal.emit(cancel::total);
    co_await pass(executor, 3s);
    BOOST_TEST(!box.ec);
    BOOST_TEST(box.result.text() == "done");
    BOOST_TEST(server.received("notifications/cancelled") == 0u);
}

LINKSPAN_CASE_IN(session_world, request_cancelled_before_sending_is_not_sent)
{
    server.on(call("slow")).then(hang());
    co_await make().async_open();
    for (auto const type : {cancel::terminal, cancel::partial}) {
        asio::cancellation_signal signal;
        completion_box box;
        client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
        signal.emit(type);
        co_await settle(executor);
        BOOST_TEST(box.ec == error_code(aborted));
        BOOST_TEST((box.delivery() == certainty::not_sent));
    }
    BOOST_TEST(server.received("tools/call") == 0u);
    BOOST_TEST(server.received("notifications/cancelled") == 0u);
}

LINKSPAN_CASE_IN(session_world, queued_request_is_cancelled_by_each_cancellation_type)
{
    options.max_in_flight = 1;
    server.on(call("slow")).then(delay(1s), text("done"));
    co_await make().async_open();
    for (auto const type : {cancel::total, cancel::partial, cancel::terminal}) {
        asio::cancellation_signal signal;
        completion_box first, second;
        client->async_call_tool("slow", {}, first.handler());
        client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), second.handler()));
        co_await settle(executor);
        signal.emit(type);
        co_await pass(executor, 2s);
        BOOST_TEST(!first.ec);
        BOOST_TEST(second.ec == error_code(aborted));
        BOOST_TEST((second.delivery() == certainty::not_sent));
    }
    BOOST_TEST(server.received("tools/call") == 3u);
}

LINKSPAN_CASE_IN(session_world, cancelled_request_frees_slot_for_queued_request)
{
    options.max_in_flight = 1;
    server.on(call("slow")).once(hang()).then(delay(1s), text("done"));
    co_await make().async_open();
    asio::cancellation_signal signal;
    completion_box first, second;
    client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), first.handler()));
    client->async_call_tool("slow", {}, second.handler());
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await pass(executor, 2s);
    BOOST_TEST(first.ec == error_code(aborted));
    BOOST_TEST(second.count == 1u);
    BOOST_TEST(second.result.text() == "done");
}

LINKSPAN_CASE_IN(session_world, cancellation_type_none_has_no_effect)
{
    server.on(call("slow")).then(delay(1s), text("done"));
    co_await make().async_open();
    asio::cancellation_signal signal;
    completion_box box;
    client->async_call_tool("slow", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
    co_await settle(executor);
    signal.emit(cancel::none);
    co_await pass(executor, 2s);
    BOOST_TEST(box.result.text() == "done");
    signal.emit(cancel::terminal); // too late: the operation has completed
}

// Queue

LINKSPAN_CASE_IN(session_world, requests_beyond_max_in_flight_are_queued_and_excess_is_refused)
{
    server.on(call("slow")).then(delay(1s), text("done"));
    co_await make().async_open();
    std::deque<completion_box> boxes(256 + 1024 + 2);
    for (auto& box : boxes)
        client->async_call_tool("slow", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST(server.received("tools/call") == 256u);
    BOOST_TEST(client->in_flight() == 256u + 1024u);
    for (std::size_t i = boxes.size() - 2; i != boxes.size(); ++i) {
        BOOST_TEST(boxes[i].ec == make_error_code(error::queue_full));
        BOOST_TEST((boxes[i].delivery() == certainty::not_sent));
    }
    co_await pass(executor, 10s);
    for (std::size_t i = 0; i != boxes.size() - 2; ++i)
        if (boxes[i].count != 1 || boxes[i].ec)
            BOOST_ERROR("request " << i << ": " << boxes[i].ec.message());
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(session_world, time_in_queue_does_not_count_for_idle_timeout)
{
    options.max_in_flight = 1;
    server.on(call("slow")).then(delay(25s), text("done"));
    co_await make().async_open();
    completion_box first, second;
    client->async_call_tool("slow", {}, first.handler());
    client->async_call_tool("slow", {}, second.handler());
    co_await pass(executor, 60s);
    BOOST_TEST(!first.ec);
    BOOST_TEST(!second.ec, second.ec.message()); // 25 s in the queue and 25 s at the server
}

LINKSPAN_CASE_IN(session_world, request_that_times_out_in_queue_is_not_sent)
{
    options.max_in_flight = 1;
    server.on(call("slow")).then(delay(20s), text("done"));
    co_await make().async_open();
    completion_box first, second;
    client->async_call_tool("slow", {}, first.handler());
    call_options short_timeout;
    short_timeout.timeout = 5s;
    client->async_call_tool("slow", {}, short_timeout, second.handler());
    co_await pass(executor, 5s);
    BOOST_TEST(second.ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST((second.delivery() == certainty::not_sent));
    co_await pass(executor, 20s);
    BOOST_TEST(!first.ec);
    BOOST_TEST(server.received("tools/call") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
