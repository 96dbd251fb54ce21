// Cancellation of the operations of a session and of `async_diagnose`, at every turn of the loop.

#include <linkspan/config/diagnose.hpp>
#include <linkspan/test/fail_at_every_step.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/every_turn.hpp"
#include "support/fake_transport.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(session_cancellation_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error_code;
using linkspan::session;
using linkspan::session_state;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

error_code const aborted = asio::error::operation_aborted;

// Adds delays to the server, so that operations have phases that only the passing of time completes.
void slow_down(scripted_server& server)
{
    server.on(call("quick")).then(text("quick"));
    server.on(call("slow")).then(delay(2s), text("slow"));
    server.on(request("ping")).then(delay(1s), result(""));
    server.on(request("tools/list"))
        .then(delay(1s), result(R"("tools":[{"name":"quick","inputSchema":{"type":"object"}}])"));
}

// A session over a line transport, as with a child process.
struct line_world : world {
    scripted_server script;
    std::shared_ptr<std::size_t> open = std::make_shared<std::size_t>(0);
    std::optional<session> client;

    session& make_session()
    {
        slow_down(script);
        tracked_config const config{script, open, 3s};
        return client.emplace(executor, linkspan::via<tracked>(config), linkspan::session_options());
    }

    std::size_t connections() const { return *open; }
};

// A session over HTTP whose server does not respond to DELETE.
template<class Transport, bool Stateless>
struct web_world : http_world {
    session& make_session()
    {
        if constexpr (std::same_as<Transport, linkspan::http_sse>) {
            serving.sse_path = "/sse";
            config.url = "http://server/sse";
        }
        auto& served = serve(Stateless ? stateless_era : handshake_era);
        served.set_interceptor([](linkspan::http_server_request const& request, linkspan::http_exchange const&) {
            return request.method() == "DELETE";
        });
        slow_down(*server);
        net->takes = 1s;
        return make<Transport>();
    }

    std::size_t connections() const { return web->open_connections(); }
};

// A server whose list of tools is one page that a session reads in four turns.
struct large_page_world : line_world {
    static constexpr std::size_t tools = 40; // few, because a case lets each allocation of a turn fail

    session& make_session()
    {
        std::string page = R"("tools":[)";
        for (std::size_t i = 0; i != tools; ++i)
            page += std::string(i == 0 ? "" : ",") + R"({"name":"t)" + std::to_string(i) + R"(","description":")" +
                    std::string(20'480, 'x') + R"(","inputSchema":{"type":"object"}})";
        script.on(request("tools/list")).then(result(page + "]"));
        return line_world::make_session();
    }
};

using session_starter = std::function<void(session&, asio::cancellation_slot, end_handler)>;

template<class Start>
session_starter starting(Start start)
{
    return [start](session& one, asio::cancellation_slot slot, end_handler done) {
        start(one, asio::bind_cancellation_slot(slot,
                                                [done = std::move(done)](error_code ec, auto const&...) { done(ec); }));
    };
}

// An operation of a session: opening, shutdown or request.
enum class kind { open, shutdown, request };

template<class World>
struct session_trial : World {
    session_trial(kind what, session_starter start) : what_(what), operation_(std::move(start)) {}

    void prepare()
    {
        this->make_session();
        if (what_ != kind::open)
            open_all();
    }

    void start(asio::cancellation_slot slot, end_handler done) { operation_(*this->client, slot, std::move(done)); }

    void check(error_code ec)
    {
        auto& mine = *this->client;
        if (what_ == kind::shutdown || (what_ == kind::open && ec)) {
            BOOST_TEST((mine.state() == session_state::closed));
            BOOST_TEST(this->connections() == 0u);
            open_all();
        }
        BOOST_TEST((mine.state() == session_state::ready));
        BOOST_TEST(mine.in_flight() == 0u);
        std::string reply_text;
        run([&](auto done) {
            mine.async_call_tool("quick", {},
                                 [&reply_text, done](error_code failed, linkspan::call_result const& result) {
                                     reply_text = result.text();
                                     done(failed);
                                 });
        });
        BOOST_TEST(reply_text == "quick");
        run([&](auto done) { mine.async_shutdown(done); });
        BOOST_TEST((mine.state() == session_state::closed));
        this->context.restart();
        this->context.poll();
        BOOST_TEST(this->connections() == 0u);
    }

private:
    template<class Start>
    error_code run(Start start)
    {
        std::optional<error_code> ended;
        start([&](error_code ec) { ended = ec; });
        this->time.run_until([&] { return ended.has_value(); });
        return *ended;
    }

    void open_all()
    {
        auto const ec = run([&](auto done) { this->client->async_open(done); });
        BOOST_TEST_REQUIRE(!ec, ec.message() << ": " << this->client->diagnostics());
    }

    kind what_;
    session_starter operation_;
};

// Checks the operation over all transports.
void check(kind what, session_starter const& start, std::size_t min_turns = 2)
{
    using linkspan::http_sse;
    using linkspan::streamable_http;
    for (auto const type : {cancel::terminal, cancel::partial}) {
        BOOST_TEST(cancel_at_every_turn<session_trial<line_world>>(type, what, start) >= min_turns);
        BOOST_TEST((cancel_at_every_turn<session_trial<web_world<streamable_http, true>>>(type, what, start)) >= 1u);
        BOOST_TEST((cancel_at_every_turn<session_trial<web_world<streamable_http, false>>>(type, what, start)) >=
                   min_turns);
        BOOST_TEST((cancel_at_every_turn<session_trial<web_world<http_sse, false>>>(type, what, start)) >= 1u);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(open_cancelled_at_any_turn_closes_connection)
{
    check(kind::open, starting([](session& client, auto done) { client.async_open(std::move(done)); }), 4);
}

BOOST_AUTO_TEST_CASE(shutdown_cancelled_at_any_turn_closes_connection)
{
    check(kind::shutdown, starting([](session& client, auto done) { client.async_shutdown(std::move(done)); }));
}

BOOST_AUTO_TEST_CASE(call_cancelled_at_any_turn_leaves_session_open)
{
    check(kind::request,
          starting([](session& client, auto done) { client.async_call_tool("slow", {}, std::move(done)); }));
}

BOOST_AUTO_TEST_CASE(list_tools_cancelled_at_any_turn_leaves_session_open)
{
    auto const list = starting([](session& client, auto done) { client.async_list_tools(std::move(done)); });
    check(kind::request, list);
    cancel_at_every_turn<session_trial<line_world>>(cancel::total, kind::request, list);
}

// Each part of the page is read in a turn of its own.
BOOST_AUTO_TEST_CASE(list_tools_with_a_large_page_cancelled_at_any_turn_leaves_session_open)
{
    auto const list = starting([](session& client, auto done) { client.async_list_tools(std::move(done)); });
    auto const turns = cancel_at_every_turn<session_trial<line_world>>(cancel::terminal, kind::request, list);
    BOOST_TEST(cancel_at_every_turn<session_trial<large_page_world>>(cancel::terminal, kind::request, list) >=
               turns + 3);
}

// The session is closed at any turn, and opened again. The operation ends with the error of the first connection.
BOOST_AUTO_TEST_CASE(large_page_of_a_closed_session_ends_with_its_error)
{
    std::size_t completed = 0;
    for (std::size_t turns = 0; completed == 0; ++turns) {
        large_page_world here;
        std::optional<error_code> opened, ended;
        std::size_t ends = 0;
        here.make_session().async_open([&](error_code ec) { opened = ec; });
        here.time.run_until([&] { return opened.has_value(); });
        here.client->async_list_tools([&](error_code ec, linkspan::tool_list const& list) {
            ended = ec;
            ++ends;
            BOOST_TEST(list.tools.size() == (ec ? 0u : here.tools));
        });
        std::size_t left = turns;
        here.time.run_until([&] { return ended || left-- == 0; });
        completed = ends;
        BOOST_TEST(here.client->in_flight() == 1u - completed);
        here.client->close();
        opened.reset();
        here.client->async_open([&](error_code ec) { opened = ec; });
        here.time.run_until([&] { return opened.has_value(); });
        BOOST_TEST(!*opened, opened->message());
        BOOST_TEST(ends == 1u);
        BOOST_TEST((*ended == (completed == 0 ? aborted : error_code())), ended->message());
        BOOST_TEST(here.client->in_flight() == 0u);
    }
}

// The session is destroyed with its event loop while it reads the page.
BOOST_AUTO_TEST_CASE(large_page_is_released_with_the_event_loop_at_any_turn)
{
    for (std::size_t turns = 0, ends = 0; ends == 0; ++turns) {
        large_page_world here;
        std::optional<error_code> opened;
        here.make_session().async_open([&](error_code ec) { opened = ec; });
        here.time.run_until([&] { return opened.has_value(); });
        here.client->async_list_tools([&](error_code, linkspan::tool_list const& list) {
            ++ends;
            BOOST_TEST(list.tools.size() == here.tools);
        });
        std::size_t left = turns;
        here.time.run_until([&] { return ends != 0 || left-- == 0; });
    }
}

// An allocation fails in one of the turns that read the page.
BOOST_AUTO_TEST_CASE(failed_allocation_while_a_large_page_is_read_ends_the_operation)
{
    auto const list = [](std::size_t turns, std::size_t number) {
        large_page_world here;
        std::optional<error_code> opened, ended;
        here.make_session().async_open([&](error_code ec) { opened = ec; });
        here.time.run_until([&] { return opened.has_value(); });
        here.client->async_list_tools([&](error_code ec, linkspan::tool_list const&) { ended = ec; });
        std::size_t run = 0;
        here.time.run_until([&] { return ended || run++ == turns; });
        if (ended)
            return std::pair(run, true);
        bool has_failed = false;
        try {
            failing_allocation const failing(number);
            here.context.poll_one();
            has_failed = failing.has_failed();
        } catch (std::bad_alloc const&) {
            has_failed = true;
        }
        here.time.run_until([&] { return ended.has_value(); });
        BOOST_TEST(ended.has_value(), turns << ' ' << number);
        return std::pair(run, has_failed);
    };
    auto const turns = list(std::numeric_limits<std::size_t>::max(), 0).first;
    for (auto at = turns - 4; at != turns; ++at)
        for (std::size_t number = 0; list(at, number).second; ++number)
            continue;
}

BOOST_AUTO_TEST_CASE(ping_cancelled_at_any_turn_leaves_session_open)
{
    check(kind::request, starting([](session& client, auto done) { client.async_ping(std::move(done)); }));
}

BOOST_AUTO_TEST_CASE(open_over_message_transport_can_be_cancelled_at_any_turn)
{
    struct transport_trial : fake_transport_world {
        void prepare() { make(); }
        void start(asio::cancellation_slot slot, end_handler done)
        {
            client->async_open(asio::bind_cancellation_slot(slot, std::move(done)));
        }
        void check(error_code ec)
        {
            BOOST_TEST(fake->connections - fake->closed == (ec ? 0u : 1u));
            BOOST_TEST((client->state() == (ec ? session_state::closed : session_state::ready)));
        }
    };
    BOOST_TEST(cancel_at_every_turn<transport_trial>(cancel::terminal) > 2u);
}

LINKSPAN_CASE_IN(session_world, total_cancellation_of_open_and_shutdown_is_ignored)
{
    make();
    asio::cancellation_signal signal;
    std::size_t good = 0;
    auto const on_end = [&](error_code ec) { good += ec ? 0 : 1; };
    client->async_open(asio::bind_cancellation_slot(signal.slot(), on_end));
    signal.emit(cancel::total);
    co_await settle(executor);
    client->async_shutdown(asio::bind_cancellation_slot(signal.slot(), on_end));
    signal.emit(cancel::total);
    co_await settle(executor);
    BOOST_TEST(good == 2u);
}

// The signal belongs to the first opening only.
LINKSPAN_CASE_IN(session_world, signal_of_cancelled_open_does_not_cancel_next_open)
{
    make();
    asio::cancellation_signal signal;
    error_code first;
    client->async_open(asio::bind_cancellation_slot(signal.slot(), [&](error_code ec) { first = ec; }));
    signal.emit(cancel::terminal);
    auto second = client->async_open(asio::as_tuple(asio::deferred));
    error_code opened = aborted;
    std::move(second)([&](std::tuple<error_code> const& end) { opened = std::get<0>(end); });
    signal.emit(cancel::terminal);
    co_await settle(executor);
    BOOST_TEST(first == aborted);
    BOOST_TEST(!opened, opened.message());
}

LINKSPAN_CASE_IN(session_world, open_is_cancelled_if_timer_expires_first)
{
    using namespace asio::experimental::awaitable_operators;
    server.on(request("server/discover")).then(hang());
    server.on(request("initialize")).then(hang());
    linkspan::timer limit(executor);
    limit.expires_after(1s);
    auto opens = make().async_open(asio::as_tuple(asio::use_awaitable));
    auto waits = limit.async_wait(asio::as_tuple(asio::use_awaitable));
    auto const first = co_await (std::move(opens) || std::move(waits));
    BOOST_TEST(first.index() == 1u);
    BOOST_TEST((since_start(time) == 1s));
    BOOST_TEST((client->state() == session_state::closed));
}

BOOST_AUTO_TEST_CASE(signal_may_be_emitted_after_session_and_context_are_destroyed)
{
    asio::cancellation_signal signal;
    std::size_t count = 0;
    {
        session_world here;
        here.make().async_open(asio::bind_cancellation_slot(signal.slot(), [&](error_code) { ++count; }));
        here.client.reset();
        signal.emit(cancel::terminal);
    }
    signal.emit(cancel::terminal);
    BOOST_TEST(count == 0u);
}

// async_diagnose

BOOST_AUTO_TEST_CASE(diagnose_cancelled_at_any_turn_closes_connection)
{
    struct validation_trial : http_world {
        void prepare()
        {
            serve(handshake_era);
            slow_down(*server);
            net->takes = 1s;
            with.dialer = net;
            with.timeout = 30s;
        }

        void start(asio::cancellation_slot slot, end_handler done)
        {
            auto on_end = [done](error_code ec, linkspan::diagnosis const& report) {
                BOOST_TEST(report.name == "server");
                BOOST_TEST((report.ec == ec));
                done(ec);
            };
            linkspan::async_diagnose(executor, "http://server/mcp", with,
                                     asio::bind_cancellation_slot(slot, std::move(on_end)));
        }

        void check(error_code)
        {
            BOOST_TEST(web->open_connections() == 0u);
            auto const was = web->requests().size();
            time.run_for(60s);
            BOOST_TEST(web->requests().size() == was);
            web.reset();
            context.restart();
            context.poll();
            BOOST_TEST(context.stopped());
            BOOST_TEST(time.pending() == 0u);
        }

        linkspan::diagnose_options with;
    };
    for (auto const type : {cancel::terminal, cancel::partial, cancel::total})
        BOOST_TEST(cancel_at_every_turn<validation_trial>(type) > 5u);
}

BOOST_AUTO_TEST_SUITE_END()
