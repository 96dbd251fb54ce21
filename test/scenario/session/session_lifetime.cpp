#include <boost/asio/bind_executor.hpp>
#include <boost/asio/strand.hpp>

#include <deque>

#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(session_lifetime_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::session_state;
namespace asio = boost::asio;

namespace {

error_code const aborted = asio::error::operation_aborted;

struct slow_world : session_world {
    slow_world()
    {
        server.on(call("slow")).then(delay(5s), text("done"));
        server.on(call("quick")).then(text("quick"));
    }
};

} // namespace

// Execution of handlers

LINKSPAN_CASE_IN(slow_world, handlers_run_on_associated_executor)
{
    make();
    auto const strand = asio::make_strand(executor);
    std::size_t inside = 0;
    auto const on_strand = [&](auto handler) { return asio::bind_executor(strand, std::move(handler)); };
    client->async_open(on_strand([&](error_code) { inside += strand.running_in_this_thread(); }));
    co_await settle(executor);
    auto const on_result = [&](error_code, linkspan::call_result) { inside += strand.running_in_this_thread(); };
    client->async_call_tool("quick", {}, on_strand(on_result));
    client->async_call_tool("unknown", {}, on_strand(on_result));
    client->async_list_tools(on_strand([&](error_code, auto) { inside += strand.running_in_this_thread(); }));
    client->async_ping(on_strand([&](error_code) { inside += strand.running_in_this_thread(); }));
    co_await settle(executor);
    client->async_shutdown(on_strand([&](error_code) { inside += strand.running_in_this_thread(); }));
    client->async_call_tool("quick", {}, on_strand(on_result)); // refused: not connected
    co_await settle(executor);
    BOOST_TEST(inside == 7u);
}

LINKSPAN_CASE_IN(slow_world, handlers_never_run_inside_initiating_function)
{
    make();
    std::size_t done = 0;
    auto const on_error = [&](error_code) { ++done; };
    auto const on_result = [&](error_code, linkspan::call_result) { ++done; };
    auto const on_list = [&](error_code, linkspan::tool_list) { ++done; };
    auto const start_all = [&] {
        client->async_call_tool("quick", {}, on_result);
        client->async_request("tools/list", {}, on_result);
        client->async_list_tools(on_list);
        client->async_ping(on_error);
    };
    start_all(); // the session is not open
    BOOST_TEST(done == 0u);
    co_await settle(executor);
    BOOST_TEST(done == 4u);
    client->async_open(on_error);
    start_all();
    client->async_open(on_error); // the session is already opening
    BOOST_TEST(done == 4u);
    co_await settle(executor);
    BOOST_TEST(done == 10u);
    start_all();
    client->async_shutdown(on_error);
    start_all();
    client->close();
    client->async_shutdown(on_error);
    BOOST_TEST(done == 10u);
    co_await settle(executor);
    BOOST_TEST(done == 20u);
}

// Destruction and closing

LINKSPAN_CASE_IN(slow_world, session_that_is_not_open_refuses_operations)
{
    make();
    auto const [early, trail] = co_await client->async_call_tool("quick", {}, in_tuple);
    BOOST_TEST(early == make_error_code(error::not_connected));
    BOOST_TEST((trail.attempts()[0].result.certainty == certainty::not_sent));
    co_await client->async_open();
    client->close();
    auto const [late, ignored] = co_await client->async_call_tool("quick", {}, in_tuple);
    BOOST_TEST(late == make_error_code(error::not_connected));
    auto const [list_ec, list] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(list_ec == make_error_code(error::not_connected));
}

LINKSPAN_CASE_IN(slow_world, destroyed_session_completes_outstanding_operations)
{
    options.max_in_flight = 2;
    co_await make().async_open();
    std::deque<completion_box> boxes(4); // two of them are queued
    for (auto& box : boxes)
        client->async_call_tool("slow", {}, box.handler());
    std::size_t lists = 0;
    client->async_list_tools([&](error_code ec, linkspan::tool_list) { lists += ec == aborted; });
    co_await settle(executor);
    client.reset();
    for (auto const& box : boxes)
        BOOST_TEST(box.count == 0u); // not invoked by the destructor
    co_await settle(executor);
    for (auto const& box : boxes) {
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == aborted);
    }
    BOOST_TEST((boxes[0].delivery() == certainty::unknown));
    BOOST_TEST((boxes[3].delivery() == certainty::not_sent));
    BOOST_TEST(lists == 1u);
}

LINKSPAN_CASE_IN(slow_world, session_may_be_destroyed_in_call_handler)
{
    co_await make().async_open();
    std::deque<completion_box> boxes(3);
    client->async_call_tool("quick", {}, [&](error_code, linkspan::call_result) { client.reset(); });
    for (auto& box : boxes)
        client->async_call_tool("quick", {}, box.handler());
    co_await pass(executor, 10s);
    for (auto const& box : boxes) {
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == aborted);
    }
}

LINKSPAN_CASE_IN(slow_world, session_may_be_destroyed_while_opening)
{
    for (auto const method : {"server/discover", "initialize"}) {
        scripted_server unresponsive;
        if (std::string_view(method) == "initialize")
            unresponsive.on(request("server/discover")).then(rpc_error(-32601, ""));
        unresponsive.on(request(method)).then(hang());
        client.emplace(executor, linkspan::via<linkspan::inproc>(unresponsive));
        error_code opened;
        client->async_open([&](error_code ec) { opened = ec; });
        co_await pass(executor, 1s);
        client.reset();
        co_await settle(executor);
        BOOST_TEST(opened == aborted);
    }
}

LINKSPAN_CASE_IN(slow_world, session_may_be_destroyed_in_request_handler)
{
    server.dialogue().protocol_versions = {linkspan::protocol_version::v2025_11_25};
    server.on(call("roots")).then(send_request("roots/list"), text("done"));
    make().on_request("roots/list", [&](std::string_view, linkspan::responder) { client.reset(); });
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("roots", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST(box.ec == aborted);
}

LINKSPAN_CASE_IN(slow_world, session_may_be_destroyed_in_notification_or_progress_handler)
{
    server.on(call("notify")).then(notify("notifications/x"), progress(1, 2), text("done"));
    for (bool const by_progress : {false, true}) {
        make();
        if (!by_progress)
            client->on_notification("notifications/x", [&](std::string_view) { client.reset(); });
        co_await client->async_open();
        completion_box box;
        linkspan::call_options with;
        with.on_progress = [&](auto const&) { client.reset(); };
        client->async_call_tool("notify", {}, with, box.handler());
        co_await settle(executor);
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == aborted);
    }
}

LINKSPAN_CASE_IN(slow_world, repeated_close_has_no_effect)
{
    co_await make().async_open();
    completion_box box;
    client->async_call_tool("slow", {}, box.handler());
    client->close();
    client->close();
    BOOST_TEST((client->state() == session_state::closed));
    co_await settle(executor);
    client->close();
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == aborted);
    co_await client->async_shutdown();
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(slow_world, closed_session_can_be_reopened)
{
    co_await make().async_open();
    for (bool const at_once : {false, true}) {
        completion_box box;
        client->async_call_tool("slow", {}, box.handler());
        co_await settle(executor);
        client->close();
        if (!at_once)
            co_await settle(executor);
        auto const [ec] = co_await client->async_open(in_tuple);
        BOOST_TEST(!ec, ec.message());
        BOOST_TEST(box.ec == aborted);
        auto const [call_ec, result] = co_await client->async_call_tool("quick", {}, in_tuple);
        BOOST_TEST(!call_ec, call_ec.message());
        BOOST_TEST(result.text() == "quick");
    }
    BOOST_TEST(server.connections() == 3u);
}

LINKSPAN_CASE_IN(slow_world, lost_session_can_be_reopened)
{
    co_await make().async_open();
    std::deque<completion_box> boxes(2);
    for (auto& box : boxes)
        client->async_call_tool("slow", {}, box.handler());
    co_await pass(executor, 1s);
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST((client->state() == session_state::closed));
    for (auto const& box : boxes) {
        BOOST_TEST(box.ec == make_error_code(error::stream_ended));
        BOOST_TEST((box.delivery() == certainty::unknown));
    }
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("quick");
    BOOST_TEST(result.text() == "quick");
}

LINKSPAN_CASE_IN(slow_world, shutdown_leaves_no_outstanding_calls)
{
    co_await make().async_open();
    completion_box box;
    client->async_call_tool("slow", {}, box.handler());
    co_await settle(executor);
    auto const [ec] = co_await client->async_shutdown(in_tuple);
    BOOST_TEST(!ec);
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec.failed());
    BOOST_TEST((box.delivery() == certainty::unknown));
    BOOST_TEST((client->state() == session_state::closed));
    auto const [again] = co_await client->async_shutdown(in_tuple);
    BOOST_TEST(!again);
}

LINKSPAN_CASE_IN(slow_world, handler_may_start_next_call)
{
    co_await make().async_open();
    std::size_t left = 100;
    std::function<void()> next = [&] {
        client->async_call_tool("quick", {}, [&](error_code ec, linkspan::call_result) {
            if (!ec && --left != 0)
                next();
        });
    };
    next();
    co_await settle(executor);
    BOOST_TEST(left == 0u);
}

LINKSPAN_CASE_IN(slow_world, call_started_in_handler_of_lost_call_is_refused)
{
    co_await make().async_open();
    completion_box second;
    client->async_call_tool("slow", {}, [&](error_code ec, linkspan::call_result) {
        BOOST_TEST(ec == make_error_code(error::stream_ended));
        client->async_call_tool("quick", {}, second.handler());
    });
    co_await settle(executor);
    server.drop_connections();
    co_await settle(executor);
    BOOST_TEST(second.ec == make_error_code(error::not_connected));
}

BOOST_AUTO_TEST_SUITE_END()
