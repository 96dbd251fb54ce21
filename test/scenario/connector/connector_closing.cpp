#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/strand.hpp>

#include <deque>
#include <memory>

#include "support/connector_case.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(connector_closing_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::call_options;
using linkspan::call_result;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::replay_class;
using linkspan::server_state;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

error_code const aborted = asio::error::operation_aborted;

// A phase of a call, in which the test cancels the call.
struct phase {
    char const* what;         // name of the phase in messages
    char const* tool;         // tool of the call
    action does;              // reaction of server a to the call
    linkspan::duration after; // time from the start of the call to the phase; negative: inside the starting function
    certainty delivery;            // delivery certainty of the cancelled call
};

std::vector<phase> phases()
{
    return {
        {"being sent", "pay", hang(), -1s, certainty::not_sent},
        {"in flight", "pay", hang(), 0s, certainty::unknown},
        {"in flight, with progress", "pay", progress(1, 2), 0s, certainty::unknown},
        {"waiting for another attempt", "pay", rpc_error(-32600, "later"), 0s, certainty::refused},
    };
}

// A fallback policy that waits a minute before it retries on the same server.
struct minute_retry {
    using role = linkspan::fallback_role;
    linkspan::verdict after_failure(linkspan::attempt_view const&) const { return linkspan::verdict::retry_same(60s); }
};

using retry_hub = linkspan::connector<linkspan::transports<inproc>, minute_retry>;

} // namespace

// Cancellation

LINKSPAN_CASE(call_cancelled_in_any_phase_completes_once)
{
    for (auto const type : {cancel::terminal, cancel::partial})
        for (auto const& now : phases()) {
            scripted_server a;
            a.on(call("pay")).then(now.does);
            retry_hub hub(executor);
            hub.add<inproc>("a", a, with(1, replay_class::read_only));
            co_await hub.async_open();
            asio::cancellation_signal signal;
            completion_box box;
            hub.async_call(now.tool, {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
            if (now.after >= 0s)
                co_await pass(executor, now.after);
            signal.emit(type);
            signal.emit(cancel::terminal); // the second signal has no effect
            BOOST_TEST(box.count == 0u, now.what);
            co_await settle(executor);
            BOOST_TEST(box.count == 1u, now.what);
            BOOST_TEST(box.ec == aborted, now.what << ": " << box.ec.message());
            BOOST_TEST((box.delivery() == now.delivery), now.what << ": " << to_string(box.delivery()));
            std::size_t const cancelled = now.delivery == certainty::unknown ? 1 : 0;
            BOOST_TEST(a.received("notifications/cancelled") == cancelled, now.what);
            BOOST_TEST(hub.state().servers[0].in_flight == 0u);
            co_await pass(executor, 120s);
            BOOST_TEST(a.received("\"tools/call\"") <= 1u, now.what); // there is no second attempt
        }
}

LINKSPAN_CASE(total_cancellation_completes_call_only_while_no_server_can_have_executed_it)
{
    for (auto const& now : phases()) {
        scripted_server a;
        a.on(call("pay")).once(now.does, delay(1s), text("a")).then(text("a"));
        retry_hub hub(executor);
        hub.add<inproc>("a", a, with(1, replay_class::read_only));
        co_await hub.async_open();
        asio::cancellation_signal signal;
        completion_box box;
        hub.async_call(now.tool, {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
        if (now.after >= 0s)
            co_await pass(executor, now.after);
        signal.emit(cancel::total);
        co_await pass(executor, 200s);
        BOOST_TEST(box.count == 1u);
        // In the phase "being sent", the transport already has the request, so that total cancellation has no effect.
        BOOST_TEST((box.ec == aborted) == (now.delivery == certainty::refused), now.what << ": " << box.ec.message());
    }
}

LINKSPAN_CASE_IN(hub_world, queued_call_is_completed_by_each_cancellation_type)
{
    a.on(call("pay")).then(hang());
    auto options = with(1);
    options.session.max_in_flight = 1;
    for (auto const type : {cancel::total, cancel::partial, cancel::terminal}) {
        hub.emplace(executor);
        hub->add<inproc>("a", a, options);
        co_await hub->async_open();
        asio::cancellation_signal signal;
        completion_box first, second;
        hub->async_call("pay", {}, first.handler());
        hub->async_call("pay", {}, asio::bind_cancellation_slot(signal.slot(), second.handler()));
        co_await settle(executor);
        signal.emit(type);
        co_await settle(executor);
        BOOST_TEST(second.ec == aborted);
        BOOST_TEST((second.delivery() == certainty::not_sent));
        BOOST_TEST(first.count == 0u);
        hub.reset();
        co_await settle(executor);
    }
    BOOST_TEST(calls(a) == 3u);
}

LINKSPAN_CASE_IN(hub_world, signal_emitted_after_end_of_connector_has_no_effect)
{
    a.on(call("pay")).then(hang());
    for (bool const destroyed : {true, false})
        for (auto const type : {cancel::total, cancel::partial, cancel::terminal}) {
            make(std::nullopt, 1);
            co_await hub->async_open();
            asio::cancellation_signal signal;
            completion_box box;
            hub->async_call("pay", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
            co_await settle(executor);
            if (destroyed)
                hub.reset();
            else
                hub->close();
            signal.emit(type);
            co_await settle(executor);
            BOOST_TEST(box.count == 1u);
            BOOST_TEST(box.ec == aborted);
            BOOST_TEST((box.delivery() == certainty::unknown)); // the request had been sent
        }
}

LINKSPAN_CASE_IN(hub_world, options_of_caller_are_released_when_call_completes)
{
    a.on(call("pay")).then(text("paid"));
    auto const given = std::make_shared<int>();
    call_options options;
    options.on_progress = [given](linkspan::progress_update const&) {};
    co_await make(std::nullopt, 1).async_open();
    auto const result = co_await hub->async_call("pay", {}, options);
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST(given.use_count() == 2);
    {
        auto const prepared = hub->async_call("pay", {}, options, asio::deferred);
        BOOST_TEST(given.use_count() == 3);
    }
    BOOST_TEST(given.use_count() == 2);
}

LINKSPAN_CASE_IN(hub_world, deferred_call_does_not_keep_connector_alive)
{
    auto const given = std::make_shared<int>();
    call_options options;
    options.on_progress = [given](linkspan::progress_update const&) {};
    {
        auto const prepared = make(std::nullopt, 1).async_call("pay", {}, std::move(options), asio::deferred);
        hub.reset();
    }
    BOOST_TEST(given.use_count() == 1);
    co_return;
}

LINKSPAN_CASE_IN(hub_world, call_may_be_cancelled_and_another_started_in_its_progress_handler)
{
    a.on(call("pay")).once(progress(1, 2), hang()).then(text("second"));
    co_await make(std::nullopt, 1).async_open();
    asio::cancellation_signal signal;
    completion_box first, second;
    // The text is too long for the buffer of std::string, so that a sanitizer detects a use of the destroyed handler.
    std::string const here(100, 'x');
    call_options options;
    options.on_progress = [&, here](linkspan::progress_update const&) {
        signal.emit(cancel::terminal);
        hub->async_call("pay", {}, second.handler());
        BOOST_TEST(here.size() == 100u);
    };
    hub->async_call("pay", {}, options, asio::bind_cancellation_slot(signal.slot(), first.handler()));
    co_await settle(executor);
    BOOST_TEST(first.ec == aborted);
    BOOST_TEST(second.result.text() == "second");
}

LINKSPAN_CASE_IN(hub_world, call_that_refreshes_tools_can_be_cancelled)
{
    a.on(request("tools/list")).pass(1).then(delay(5s), result(R"("tools":[{"name":"late"}])"));
    co_await make(std::nullopt, 1).async_open();
    asio::cancellation_signal signal;
    completion_box box;
    hub->async_call("late", {}, asio::bind_cancellation_slot(signal.slot(), box.handler()));
    co_await pass(executor, 1s);
    signal.emit(cancel::total);
    co_await settle(executor);
    BOOST_TEST(box.ec == aborted);
    co_await pass(executor, 10s);
    BOOST_TEST(calls(a) == 0u);
    BOOST_TEST(box.count == 1u);
}

LINKSPAN_CASE_IN(hub_world, signal_emitted_after_completion_cancels_no_other_call)
{
    a.on(call("pay")).once(text("first")).then(delay(1s), text("second"));
    co_await make(std::nullopt, 1).async_open();
    asio::cancellation_signal signal;
    completion_box first, second;
    hub->async_call("pay", {}, asio::bind_cancellation_slot(signal.slot(), first.handler()));
    co_await settle(executor);
    hub->async_call("pay", {}, second.handler());
    co_await settle(executor);
    signal.emit(cancel::terminal);
    co_await pass(executor, 2s);
    BOOST_TEST(first.result.text() == "first");
    BOOST_TEST(second.result.text() == "second");
}

// Destruction and closing

struct busy_world : hub_world {
    std::deque<completion_box> boxes;

    // Starts calls that remain outstanding in different phases: "slow" is in flight, and the last "slow" is queued;
    // "unheard_of" refreshes the tools; "gone" checks whether the tool still exists; "busy" waits for a retry.
    asio::awaitable<void> start()
    {
        a.on(request("tools/list")).pass(1).then(hang());
        a.on(call("slow")).then(hang());
        a.on(call("gone")).then(rpc_error(-32602, "what?"));
        b.on(call("busy")).then(rpc_error(-32603, "busy"));
        auto narrow = with(2);
        narrow.session.max_in_flight = 4;
        auto again = with(1);
        again.tools["busy"].replay = replay_class::read_only;
        hub.emplace(executor);
        hub->add<inproc>("a", a, narrow).add<inproc>("b", b, again);
        co_await hub->async_open();
        for (auto const* tool : {"slow", "gone", "unheard_of", "slow", "slow", "slow", "busy"})
            hub->async_call(tool, {}, boxes.emplace_back().handler());
        co_await settle(executor);
        for (auto const& box : boxes)
            BOOST_TEST(box.count == 0u);
    }

    void check_all_aborted()
    {
        for (std::size_t i = 0; i != boxes.size(); ++i) {
            BOOST_TEST(boxes[i].count == 1u, i);
            BOOST_TEST(boxes[i].ec == aborted, i << ": " << boxes[i].ec.message());
        }
    }
};

LINKSPAN_CASE_IN(busy_world, destroyed_connector_completes_outstanding_calls)
{
    co_await start();
    hub.reset();
    co_await settle(executor);
    check_all_aborted();
}

LINKSPAN_CASE_IN(busy_world, closed_connector_completes_outstanding_calls)
{
    co_await start();
    hub->close();
    hub->close();
    co_await settle(executor);
    check_all_aborted();
    auto const [ec, result] = co_await hub->async_call("slow", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
    for (auto const& line : hub->state().servers)
        BOOST_TEST((line.state == server_state::closed));
}

LINKSPAN_CASE_IN(busy_world, connector_may_be_destroyed_in_call_handler)
{
    b.on(call("quick")).then(text("b"));
    co_await start();
    bool done = false;
    hub->async_call("quick", {}, [&](error_code, call_result) {
        hub.reset();
        done = true;
    });
    co_await settle(executor);
    BOOST_TEST(done);
    check_all_aborted();
}

LINKSPAN_CASE_IN(hub_world, connector_may_be_destroyed_while_opening)
{
    a.on(request("server/discover")).then(hang());
    b.on(request("tools/list")).then(hang());
    error_code opened;
    std::size_t times = 0;
    make().async_open([&](error_code ec, linkspan::open_report const& report) {
        ++times;
        opened = ec;
        BOOST_TEST(report.failures() == 2u);
    });
    co_await pass(executor, 1s);
    hub.reset();
    co_await settle(executor);
    BOOST_TEST(times == 1u);
    BOOST_TEST(opened.failed());
}

LINKSPAN_CASE_IN(hub_world, connector_may_be_destroyed_in_progress_handler)
{
    a.on(call("pay")).then(progress(1, 2), hang());
    co_await make().async_open();
    completion_box box;
    call_options options;
    options.on_progress = [&](linkspan::progress_update const&) { hub.reset(); };
    hub->async_call("pay", {}, options, box.handler());
    co_await settle(executor);
    BOOST_TEST(box.ec == aborted);
}

LINKSPAN_CASE_IN(busy_world, shutdown_leaves_no_outstanding_calls)
{
    co_await start();
    auto const [ec, report] = co_await hub->async_shutdown(in_tuple);
    BOOST_TEST(!ec);
    co_await settle(executor);
    for (auto const& box : boxes) {
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec.failed());
    }
    for (auto const& line : hub->state().servers)
        BOOST_TEST((line.state == server_state::closed));
    auto const [again, nothing] = co_await hub->async_shutdown(in_tuple);
    BOOST_TEST(!again);
}

LINKSPAN_CASE_IN(hub_world, closed_connector_can_be_reopened)
{
    a.on(call("pay")).then(text("a"));
    co_await make().async_open();
    hub->close();
    auto const report = co_await hub->async_open();
    BOOST_TEST(report.failures() == 0u, report.servers[0].detail);
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(result.text() == "a");
}

LINKSPAN_CASE_IN(hub_world, deferred_call_that_is_not_started_sends_nothing)
{
    a.on(call("pay")).then(text("a"));
    co_await make().async_open();
    {
        auto never_started = hub->async_call("pay");
        auto started = hub->async_call("pay");
        auto const result = co_await std::move(started);
        BOOST_TEST(result.text() == "a");
    }
    co_await settle(executor);
    BOOST_TEST(calls(a) == 1u);
    auto outlives = hub->async_call("pay", asio::deferred);
    hub.reset();
    auto const [ec, result] = co_await std::move(outlives)(in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
}

// Handlers

LINKSPAN_CASE_IN(hub_world, handlers_run_on_associated_executor_and_never_inside_initiation)
{
    a.on(call("pay")).then(text("a"));
    make();
    auto const strand = asio::make_strand(executor);
    std::size_t inside = 0;
    auto const on_result = [&](error_code, call_result) { inside += strand.running_in_this_thread(); };
    auto const start_calls = [&] {
        hub->async_call("pay", {}, asio::bind_executor(strand, on_result));
        hub->async_call("unheard_of", {}, asio::bind_executor(strand, on_result));
        hub->on_server("unknown_server").async_call("pay", {}, asio::bind_executor(strand, on_result));
    };
    start_calls(); // before the connector is opened
    hub->async_open(asio::bind_executor(
        strand, [&](error_code, linkspan::open_report) { inside += strand.running_in_this_thread(); }));
    BOOST_TEST(inside == 0u);
    co_await settle(executor);
    BOOST_TEST(inside == 4u);
    start_calls();
    BOOST_TEST(inside == 4u);
    co_await settle(executor);
    BOOST_TEST(inside == 7u);
    hub->async_shutdown(asio::bind_executor(
        strand, [&](error_code, linkspan::shutdown_report) { inside += strand.running_in_this_thread(); }));
    hub->close();
    start_calls();
    BOOST_TEST(inside == 7u);
    co_await settle(executor);
    BOOST_TEST(inside == 11u);
}

// Destruction and closing of the connector after any number of executed handlers, over HTTP

namespace {

// An HTTP server, and the framing that is configured for it.
struct http_scene {
    char const* what; // name in messages
    linkspan::protocol_version version;
    http_server_options::form response_form;
    linkspan::http_framing framing;
};

// A connector that is opened, makes two calls, and is shut down. `turn` executes the handlers one by one.
struct turning_world : http_world {
    using web_hub =
        linkspan::connector<linkspan::transports<linkspan::auto_http, linkspan::streamable_http, linkspan::http_sse>>;

    std::optional<web_hub> hub;
    std::deque<completion_box> boxes{2};
    std::size_t opened = 0, started = 0, shut_down = 0;

    void start(http_scene const& scene)
    {
        serving.response_form = scene.response_form;
        if (scene.version == linkspan::protocol_version::v2024_11_05) {
            serving.sse_path = "/sse";
            config.url = "http://server/sse";
        }
        serve({scene.version});
        add().then(progress(1, 2), delay(1s), text("5"));
        hub.emplace(executor);
        switch (scene.framing) {
        case linkspan::http_framing::automatic: hub->add<linkspan::auto_http>("web", config, with(1)); break;
        case linkspan::http_framing::streamable: hub->add<linkspan::streamable_http>("web", config, with(1)); break;
        case linkspan::http_framing::sse: hub->add<linkspan::http_sse>("web", config, with(1)); break;
        }
        hub->async_open([this](error_code ec, linkspan::open_report const&) {
            ++opened;
            if (!ec && hub)
                call_all();
        });
    }

    void call_all()
    {
        for (auto& box : boxes) {
            ++started;
            hub->async_call("add", {}, [this, &box](error_code ec, call_result result) {
                box.handler()(ec, std::move(result));
                if (!ec && hub && boxes[0].count + boxes[1].count == 2)
                    hub->async_shutdown([this](error_code, linkspan::shutdown_report const&) { ++shut_down; });
            });
        }
    }

    // Runs at most `turns` turns. In a turn, one handler is executed or, if no handler is ready, the virtual time is
    // advanced by 500 ms. Returns true if the shutdown is complete.
    bool turn(std::size_t turns)
    {
        for (std::size_t ran = 0; ran != turns && shut_down == 0; ++ran) {
            context.restart();
            if (context.poll_one() == 0)
                time.run_for(500ms);
        }
        return shut_down != 0;
    }

    // Destroys or closes the connector, and checks that each started operation completed exactly once.
    asio::awaitable<void> end(bool by_destructor)
    {
        if (by_destructor)
            hub.reset();
        else
            hub->close();
        co_await pass(executor, 5s);
        BOOST_TEST(opened == 1u);
        for (auto const& box : boxes)
            BOOST_TEST(box.count == started / 2);
        BOOST_TEST(web->open_connections() == 0u);
        hub.reset();
        clean_up();
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(connector_of_http_servers_may_be_destroyed_or_closed_at_any_turn)
{
    using form = http_server_options::form;
    using linkspan::http_framing;
    using linkspan::protocol_version;
    http_scene const scenes[] = {
        {"stateless", protocol_version::v2026_07_28, form::json, http_framing::streamable},
        {"stateless, streams", protocol_version::v2026_07_28, form::stream, http_framing::automatic},
        {"session", protocol_version::v2025_11_25, form::json, http_framing::automatic},
        {"session, streams", protocol_version::v2025_11_25, form::stream, http_framing::streamable},
        {"HTTP+SSE", protocol_version::v2024_11_05, form::json, http_framing::sse},
        {"HTTP+SSE, detected", protocol_version::v2024_11_05, form::json, http_framing::automatic},
    };
    // The connector is destroyed, is closed, or is destroyed together with its io_context.
    enum class way { destroyed, closed, with_its_context };
    for (auto const& scene : scenes)
        for (auto const by : {way::destroyed, way::closed, way::with_its_context})
            for (std::size_t turns = 0;; ++turns) {
                BOOST_TEST_REQUIRE(turns < 1000u, scene.what);
                BOOST_TEST_INFO_SCOPE(scene.what << " way " << static_cast<int>(by) << " turn " << turns);
                turning_world here;
                here.start(scene);
                bool const is_over = here.turn(turns);
                if (is_over)
                    for (auto const& box : here.boxes)
                        BOOST_TEST(box.result.text() == "5", box.ec.message());
                if (by != way::with_its_context || is_over)
                    linkspan::test::detail::run_case(here, here.end(by == way::destroyed), 60s); // throws `leaked`
                if (!is_over)
                    continue;
                BOOST_TEST(turns > 20u);
                break;
            }
}

BOOST_AUTO_TEST_SUITE_END()
