#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <deque>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_sessions_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::http_exchange;
using linkspan::http_server_request;
using linkspan::protocol_version;
namespace asio = boost::asio;
using form = http_server_options::form;

namespace {

constexpr auto changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

struct resumable_world : http_world {
    resumable_world()
    {
        serving.response_form = form::stream;
        serving.resumable = true;
        serving.retry = 500ms;
        config.resume_pause = 2s;
    }

    // Opens a session of the era `handshake` with a GET stream, and counts its notifications of changed tools.
    asio::awaitable<void> open_counting()
    {
        serve(handshake_era);
        client.emplace(executor, linkspan::via<linkspan::streamable_http>(config), options);
        client->on_notification("notifications/tools/list_changed", [this](std::string_view) { ++notifications; });
        BOOST_TEST_REQUIRE(!std::get<0>(co_await client->async_open(in_tuple)));
        co_await settle(executor);
    }

    std::size_t notifications = 0; // incremented by the handler of open_counting()
};

} // namespace

// The GET stream of a session

HTTP_CASE(refused_get_stream_is_requested_once)
{
    serving.get_stream = false;
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    co_await pass(executor, 120s);
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST(web->requests("GET") == 1u);
}

LINKSPAN_CASE_IN(resumable_world, ended_get_stream_is_resumed_after_last_event)
{
    co_await open_counting();
    server->broadcast(changed);
    co_await settle(executor);
    BOOST_TEST(notifications == 1u);
    auto const began = time.now();
    web->drop_connections();
    server->broadcast(changed);
    while (web->requests("GET") < 2)
        co_await pass(executor, 100ms);
    BOOST_TEST((time.now() - began >= 500ms));
    BOOST_TEST((time.now() - began <= 700ms));
    BOOST_TEST(last("GET").header("last-event-id") == "0-1");
    BOOST_TEST(last("GET").header("mcp-session-id") == last("POST", "initialized").header("mcp-session-id"));
    co_await settle(executor);
    BOOST_TEST(notifications == 2u);
}

HTTP_CASE(get_stream_ended_immediately_is_reopened_with_delay)
{
    serve(handshake_era);
    auto first = [](http_server_request const& what, http_exchange with) {
        if (what.method() != "GET")
            return false;
        with.begin_stream();
        with.text("retry: 0\nid: 1\ndata:\n\n");
        with.end();
        return true;
    };
    web->set_interceptor(first);
    co_await open();
    co_await pass(executor, 60s);
    BOOST_TEST(web->requests("GET") >= 4u);
    BOOST_TEST(web->requests("GET") <= 10u);
}

HTTP_CASE(get_stream_ended_after_each_event_is_reopened_at_limited_rate)
{
    serve(handshake_era);
    std::size_t streams = 0;
    auto const log_message = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})";
    auto first = [&streams, log_message](http_server_request const& what, http_exchange with) {
        if (what.method() != "GET")
            return false;
        with.begin_stream();
        with.text("retry: 0\nid: " + std::to_string(++streams) + "\ndata: " + log_message + "\n\n");
        with.end();
        return true;
    };
    web->set_interceptor(first);
    co_await open();
    co_await pass(executor, 10s);
    BOOST_TEST(streams > 1u);
    BOOST_TEST(streams <= 201u); // at most one per 50 ms
}

// Resumed responses

LINKSPAN_CASE_IN(resumable_world, response_with_broken_stream_is_resumed_without_second_execution)
{
    serve(handshake_era);
    std::size_t ran = 0;
    auto cut = [&](exchange&, std::function<void()> const& next) {
        ++ran;
        web->drop_connections();
        next();
    };
    add().then(delay(1s), action(cut), delay(100ms), text("5"));
    co_await open();
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "5");
    BOOST_TEST(ran == 1u);
    BOOST_TEST(web->requests("POST", "tools/call") == 1u);
}

LINKSPAN_CASE_IN(resumable_world, response_that_is_too_long_is_not_requested_again)
{
    config.max_event = 4096;
    serve(handshake_era);
    add().then(text(std::string(5000, 'x')));
    co_await open();
    auto const before = web->requests("GET");
    auto const began = time.now();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::body_too_long), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "unknown");
    BOOST_TEST((time.now() == began));
    co_await pass(executor, 60s);
    BOOST_TEST(web->requests("GET") == before);
}

LINKSPAN_CASE_IN(resumable_world, get_stream_continues_after_a_notification_that_is_too_long)
{
    config.max_event = 4096;
    co_await open_counting();
    server->broadcast(changed);
    server->broadcast(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":")" +
                      std::string(5000, 'x') + "\"}}");
    while (web->requests("GET") < 2)
        co_await pass(executor, 100ms);
    BOOST_TEST(last("GET").header("last-event-id").empty());
    server->broadcast(changed);
    co_await pass(executor, 60s);
    BOOST_TEST(notifications == 2u);
    BOOST_TEST(web->requests("GET") == 2u);
}

LINKSPAN_CASE_IN(resumable_world, response_is_resumed_if_server_ends_stream_after_first_event)
{
    serving.ends_after_first_event = true;
    serve(handshake_era);
    add().then(delay(3s), text("5"));
    co_await open();
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "5");
    BOOST_TEST(server->received("tools/call") == 1u);
}

LINKSPAN_CASE_IN(resumable_world, call_whose_resumption_is_refused_has_unknown_outcome)
{
    for (int const status : {400, 404, 405, 500}) {
        serving.ends_after_first_event = true;
        serve(handshake_era);
        add().then(delay(3s), text("5"));
        co_await open();
        for (int i = 0; i != 8; ++i)
            web->respond_next("GET", "", status);
        auto const got = co_await call_add();
        BOOST_TEST(got.ec.failed(), status);
        BOOST_TEST(to_string(got.delivery()) == "unknown", status);
        BOOST_TEST(server->received("tools/call") == 1u, status);
    }
}

LINKSPAN_CASE_IN(resumable_world, resumption_without_events_is_limited)
{
    serving.ends_after_first_event = true;
    serve(handshake_era);
    add().then(hang());
    options.idle_timeout = 1h;
    config.max_resumes = 3;
    co_await open();
    auto const before = web->requests("GET");
    auto first = [](http_server_request const& what, http_exchange with) {
        if (what.method() != "GET")
            return false;
        with.begin_stream();
        with.end();
        return true;
    };
    web->set_interceptor(first);
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::stream_ended), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "unknown");
    BOOST_TEST(web->requests("GET") - before == 3u);
}

LINKSPAN_CASE_IN(resumable_world, call_waiting_for_resumption_times_out)
{
    serving.ends_after_first_event = true;
    serving.retry = 5s;
    serve(handshake_era);
    add().then(hang());
    options.idle_timeout = 2s;
    co_await open();
    auto const before = web->requests("GET");
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::attempt_timed_out), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "unknown");
    co_await pass(executor, 20s);
    BOOST_TEST(web->requests("GET") == before);
    BOOST_TEST(server->received("notifications/cancelled") == 1u);
}

// Sessions

HTTP_CASE(session_discarded_by_server_is_renewed_and_call_is_resent)
{
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    auto const old = std::string(last("POST", "initialized").header("mcp-session-id"));
    web->discard_sessions();
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "5");
    BOOST_TEST(web->requests("POST", "\"initialize\"") == 2u);
    BOOST_TEST(web->requests("POST", "tools/call") == 2u);
    BOOST_TEST(server->received("tools/call") == 1u);
    BOOST_TEST(last("POST", "tools/call").header("mcp-session-id") != old);
    BOOST_TEST(web->sessions() == 1u);
}

HTTP_CASE(concurrent_calls_in_discarded_session_renew_the_session_once)
{
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    web->discard_sessions();
    std::deque<completion_box> boxes(8);
    for (auto& box : boxes)
        client->async_call_tool("add", {}, box.handler());
    co_await pass(executor, 5s);
    for (auto const& box : boxes)
        BOOST_TEST(box.result.text() == "5", box.ec.message());
    BOOST_TEST(web->requests("POST", "\"initialize\"") == 2u);
    BOOST_TEST(server->received("tools/call") == 8u);
}

// An event id of a stream of the old session is not valid in the new one.
HTTP_CASE(stream_of_discarded_session_is_not_resumed_in_new_session)
{
    serve(handshake_era);
    add().then(text("5"));
    bool is_first = true;
    auto begin = [&](http_server_request const& request, http_exchange with) {
        if (!has_part(request.body, "tools/call") || !std::exchange(is_first, false))
            return false;
        with.raw("HTTP/1.1 " + std::string(ok_events) + "\r\n\r\nid: 7\ndata:\n\n");
        return true;
    };
    web->set_interceptor(begin);
    co_await open();
    completion_box lost;
    client->async_call_tool("add", {}, lost.handler());
    co_await pass(executor, 1s);
    web->discard_sessions();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST(web->requests("POST", "\"initialize\"") == 2u);
    web->drop_connections();
    co_await pass(executor, 5s);
    BOOST_TEST(lost.count == 1u);
    BOOST_TEST(to_string(lost.delivery()) == "unknown");
    for (auto const& request : web->requests())
        BOOST_TEST(request.header("last-event-id") != "7");
}

HTTP_CASE(session_is_renewed_at_most_once_per_call)
{
    serve(handshake_era);
    add().then(text("5"));
    co_await open();
    web->set_interceptor([](http_server_request const& what, http_exchange with) {
        if (!has_part(what.body, "tools/call"))
            return false;
        with.respond(404);
        return true;
    });
    auto const got = co_await call_add();
    BOOST_TEST(got.ec.failed());
    BOOST_TEST(to_string(got.delivery()) == "refused");
    BOOST_TEST(web->requests("POST", "\"initialize\"") == 2u);
    BOOST_TEST(web->requests("POST", "tools/call") == 2u);
}

HTTP_CASE(shutdown_sends_delete_and_ignores_its_refusal)
{
    for (bool const takes : {true, false}) {
        serving.delete_session = takes;
        serve(handshake_era);
        co_await open();
        auto const [ec] = co_await client->async_shutdown(in_tuple);
        BOOST_TEST(!ec);
        BOOST_TEST(web->requests("DELETE") == 1u);
        co_await settle(executor);
        BOOST_TEST(web->open_connections() == 0u);
    }
}

HTTP_CASE(shutdown_takes_at_most_shutdown_timeout)
{
    enum class slow { head, body, stream, redirect, connection, token };
    for (auto const what : {slow::head, slow::body, slow::stream, slow::redirect, slow::connection, slow::token}) {
        bool gives = true;
        config.auth = linkspan::token_provider{[&](auto const&, auto done) {
            if (gives)
                done({}, {"token-1", 3s});
        }};
        net->completes = true;
        serve(handshake_era);
        auto first = [&](http_server_request const& request, http_exchange with) {
            if (request.method() != "DELETE")
                return false;
            if (what == slow::body)
                with.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx");
            if (what == slow::stream)
                with.begin_stream();
            if (what == slow::redirect)
                asio::co_spawn(
                    executor,
                    [this, with]() mutable -> asio::awaitable<void> {
                        co_await pass(executor, 1500ms);
                        with.respond(307, {{"Location", "/mcp"}});
                    },
                    asio::detached);
            return true;
        };
        web->set_interceptor(first);
        co_await open();
        if (what == slow::connection) {
            web->drop_connections();
            co_await settle(executor);
            net->completes = false;
        }
        gives = what != slow::token;
        if (!gives)
            co_await pass(executor, 4s);
        auto const began = time.now();
        auto const [ec] = co_await client->async_shutdown(in_tuple);
        BOOST_TEST(!ec, static_cast<int>(what));
        BOOST_TEST((time.now() - began == 2s), static_cast<int>(what));
        co_await pass(executor, 2s);
        co_await settle(executor);
        BOOST_TEST(web->open_connections() == 0u);
    }
}

HTTP_CASE(notification_with_endless_response_delays_calls_up_to_control_timeout)
{
    for (bool const streams : {false, true}) {
        config.control_timeout = 3s;
        serve(handshake_era);
        add().then(text("5"));
        auto first = [&](http_server_request const& request, http_exchange with) {
            if (!has_part(request.body, "notifications/initialized"))
                return false;
            if (streams)
                with.begin_stream();
            else
                with.raw("HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\nx");
            return true;
        };
        web->set_interceptor(first);
        auto const began = time.now();
        co_await open();
        BOOST_TEST((co_await call_add()).result.text() == "5");
        BOOST_TEST((time.now() - began == 3s));
    }
}

HTTP_CASE(call_is_not_sent_before_initialized_notification_is_accepted)
{
    serve(handshake_era);
    add().then(text("5"));
    auto first = [&](http_server_request const& request, http_exchange with) {
        if (!has_part(request.body, "notifications/initialized"))
            return false;
        BOOST_TEST(web->requests("POST", "tools/call") == 0u);
        asio::co_spawn(
            executor,
            [this, with]() mutable -> asio::awaitable<void> {
                co_await pass(executor, 1s);
                BOOST_TEST(web->requests("POST", "tools/call") == 0u);
                with.respond(202);
            },
            asio::detached);
        return true;
    };
    web->set_interceptor(first);
    co_await open();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST((since_start(time) == 1s));
}

// Cancellation

struct cancel_row {
    bool is_stateless;
    enum class when { queued, unsent, sent } at;
};

HTTP_CASE(effect_of_cancellation_depends_on_state_of_request)
{
    using when = cancel_row::when;
    for (bool const is_stateless : {true, false})
        for (auto const at : {when::queued, when::unsent, when::sent}) {
            config.max_connections = at == when::queued ? 1 : 4;
            serve(is_stateless ? stateless_era : handshake_era);
            add().then(hang());
            co_await open();
            completion_box busy, box;
            if (at == when::queued) {
                client->async_call_tool("add", {}, busy.handler());
                co_await settle(executor);
            }
            asio::cancellation_signal signal;
            if (at == when::unsent)
                for (auto const& end : net->ends)
                    end.out->capacity(16);
            client->async_call_tool("add", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
            if (at == when::unsent) {
                // The signal precedes the first turn, so that the server reads nothing.
                signal.emit(asio::cancellation_type::terminal);
            } else {
                co_await settle(executor);
                signal.emit(asio::cancellation_type::terminal);
            }
            co_await settle(executor);
            auto const label =
                std::string(is_stateless ? "stateless " : "handshake ") + std::to_string(static_cast<int>(at));
            BOOST_TEST(box.count == 1u, label);
            BOOST_TEST((box.ec == asio::error::operation_aborted), label << box.ec.message());
            BOOST_TEST(to_string(box.delivery()) == (at == when::sent ? "unknown" : "not_sent"), label);
            auto const calls = server->received("tools/call");
            BOOST_TEST(calls == (at == when::unsent ? 0u : 1u), label);
            BOOST_TEST(server->received("notifications/cancelled") == (at == when::sent && !is_stateless ? 1u : 0u),
                       label);
            if (is_stateless && at == when::sent)
                BOOST_TEST(web->open_connections() == 0u);
            client.reset();
            co_await settle(executor);
        }
}

HTTP_CASE(call_without_response_completes_after_idle_timeout)
{
    for (auto const each_form : {form::json, form::stream}) {
        serving.response_form = each_form;
        serve(stateless_era);
        add().then(hang());
        co_await open();
        auto const began = time.now();
        auto const got = co_await call_add();
        BOOST_TEST((got.ec == error::attempt_timed_out), got.ec.message());
        BOOST_TEST(to_string(got.delivery()) == "unknown");
        BOOST_TEST((time.now() - began == options.idle_timeout));
        co_await settle(executor);
        BOOST_TEST(web->open_connections() == 0u);
    }
}

HTTP_CASE(call_whose_response_arrives_byte_by_byte_completes_after_idle_timeout)
{
    serve(stateless_era);
    auto first = [this](http_server_request const& what, http_exchange with) {
        if (!has_part(what.body, "tools/call"))
            return false;
        with.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n");
        asio::co_spawn(
            executor,
            [this, with]() mutable -> asio::awaitable<void> {
                while (!with.is_over()) {
                    co_await pass(executor, 1s);
                    with.raw(" ");
                }
            },
            asio::detached);
        return true;
    };
    web->set_interceptor(first);
    add();
    co_await open();
    auto const began = time.now();
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == error::attempt_timed_out), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "unknown");
    BOOST_TEST((time.now() - began == options.idle_timeout));
    co_await pass(executor, 2s);
}

HTTP_CASE(connection_attempt_completes_after_connect_timeout)
{
    config.connect_timeout = 4s;
    serve(stateless_era);
    net->completes = false;
    auto const ec = co_await open_and_fail();
    BOOST_TEST((ec == asio::error::timed_out), ec.message());
    BOOST_TEST((since_start(time) == 4s));
    co_await settle(executor);
    BOOST_TEST(net->aborted == net->dials);
    net->completes = true;
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    web->drop_connections();
    co_await settle(executor);
    net->completes = false;
    auto const began = time.now();
    auto const got = co_await call_add();
    BOOST_TEST(to_string(got.delivery()) == "not_sent");
    BOOST_TEST((time.now() - began == 4s));
}

HTTP_CASE(call_is_not_sent_if_connection_is_refused)
{
    serve(stateless_era);
    add().then(text("5"));
    co_await open();
    web->drop_connections();
    co_await settle(executor);
    net->refusal = asio::error::connection_refused;
    auto const got = co_await call_add();
    BOOST_TEST((got.ec == asio::error::connection_refused), got.ec.message());
    BOOST_TEST(to_string(got.delivery()) == "not_sent");
    net->refusal = {};
    BOOST_TEST((co_await call_add()).result.text() == "5");
}

// Close and destruction at any turn of the event loop

struct scene {
    std::vector<protocol_version> protocol_versions;
    form response_form = form::json;
    enum class kind { streamable, automatic, sse } transport = kind::streamable;
    bool ends_after_first_event = false;
    bool asks_for_tokens = false;
};

// Runs `turns` handlers of an opening and three calls, and then ends the session: by `close` (way 0), by its destructor
// (way 1), or by the destruction of its execution context (way 2). Returns true if all calls completed before.
static bool ends_after(std::size_t turns, scene const& what, int way)
{
    std::deque<completion_box> boxes(3);
    http_world here;
    here.serving.response_form = what.response_form;
    here.serving.resumable = here.serving.ends_after_first_event = what.ends_after_first_event;
    if (what.protocol_versions.front() == protocol_version::v2024_11_05) {
        here.serving.sse_path = "/sse";
        here.config.url = "http://server/sse";
    }
    if (what.asks_for_tokens)
        here.config.auth = linkspan::token_provider{[](auto const&, auto done) { done({}, {"t", 500ms}); }};
    here.serve(what.protocol_versions);
    here.add().then(linkspan::test::progress(1, 2), delay(1s), text("5"));
    auto& client = what.transport == scene::kind::streamable  ? here.make()
                   : what.transport == scene::kind::automatic ? here.make<linkspan::auto_http>()
                                                              : here.make<linkspan::http_sse>();
    bool opened = false;
    client.async_open([&](linkspan::error_code ec) {
        opened = true;
        if (!ec)
            for (auto& box : boxes)
                client.async_call_tool("add", {}, box.handler());
    });
    for (std::size_t ran = 0; ran != turns; ++ran) {
        here.context.restart();
        if (here.context.poll_one() == 0)
            here.time.run_until([jumps = 0]() mutable { return jumps++ == 1; }); // to the next timer
        if (std::ranges::all_of(boxes, [](auto const& box) { return box.count == 1; })) {
            for (auto const& box : boxes)
                BOOST_TEST(box.result.text() == "5", box.ec.message());
            return true;
        }
    }
    if (way == 2)
        return false; // everything is destroyed with `here`
    if (way == 0)
        client.close();
    else
        here.client.reset();
    here.time.run_for(5s);
    BOOST_TEST(opened);
    for (auto const& box : boxes)
        BOOST_TEST(box.count == boxes[0].count);
    return false;
}

BOOST_AUTO_TEST_CASE(session_over_http_may_be_destroyed_or_closed_at_any_turn)
{
    std::vector<protocol_version> const old{protocol_version::v2024_11_05};
    using kind = scene::kind;
    scene const scenes[] = {
        {stateless_era},
        {stateless_era, form::stream},
        {stateless_era, form::json, kind::streamable, false, true},
        {handshake_era},
        {handshake_era, form::stream},
        {handshake_era, form::stream, kind::streamable, true},
        {handshake_era, form::json, kind::automatic, false, true},
        {old, form::json, kind::automatic},
        {old, form::json, kind::sse},
        {old, form::json, kind::sse, false, true},
    };
    for (auto const& each : scenes)
        for (int const way : {0, 1, 2}) {
            // The destructor calls `close`, so that each of the two ways is tested at every second turn.
            auto turns = static_cast<std::size_t>(way % 2);
            for (; !ends_after(turns, each, way); turns += 2)
                BOOST_TEST_REQUIRE(turns < 1000u);
            BOOST_TEST(turns > 20u);
        }
}

// Bytes accepted by the connection count as sent even before the write operation completes.
HTTP_CASE(call_cancelled_in_turn_of_its_write_has_unknown_outcome)
{
    serve(stateless_era);
    std::size_t ran = 0;
    add().then([&ran](exchange& on, std::function<void()> const& next) {
        ++ran;
        on.reply(R"("content":[])");
        next();
    });
    co_await open();
    asio::cancellation_signal signal;
    completion_box box;
    client->async_call_tool("add", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
    signal.emit(asio::cancellation_type::terminal);
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(to_string(box.delivery()) == "unknown");
}

HTTP_CASE(second_shutdown_during_shutdown_completes_with_the_first)
{
    serve(handshake_era);
    co_await open();
    std::size_t completed = 0;
    auto const on_shutdown = [&completed](linkspan::error_code ec) {
        BOOST_TEST(!ec, ec.message());
        ++completed;
    };
    client->async_shutdown(on_shutdown);
    client->async_shutdown(on_shutdown);
    co_await settle(executor);
    BOOST_TEST(completed == 2u);
    BOOST_TEST(web->requests("DELETE") == 1u);
    BOOST_TEST(web->sessions() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
