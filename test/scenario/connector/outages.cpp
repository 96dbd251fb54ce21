// Outage and return of a server under load, over Streamable HTTP, HTTP+SSE and inproc.

#include <linkspan/connector.hpp>

#include <deque>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(outages_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct outage_world : http_world {
    // A call and its completion.
    struct made_call {
        time_point began{};
        completion_box box;
    };

    std::optional<connector<transports<streamable_http, http_sse, inproc>>> hub;
    std::deque<made_call> calls;
    time_point killed{}, back{};

    static server_options read_only()
    {
        server_options options;
        options.tools["add"].replay = replay_class::read_only;
        return options;
    }

    template<class Transport>
    asio::awaitable<void> open_over(std::vector<protocol_version> versions, std::string address)
    {
        config.url = std::move(address);
        serve(std::move(versions));
        add().then(text("5"));
        hub.emplace(executor);
        hub->add<Transport>("a", config, read_only());
        auto const [ec, report] = co_await hub->async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message() << ": " << report.servers[0].detail);
        co_await settle(executor);
    }

    void kill()
    {
        net->refusal = asio::error::connection_refused;
        web->drop_connections();
        web->discard_sessions();
    }

    // Starts a call every 300 ms before, during and after an outage.
    asio::awaitable<void> call_through_outage(duration outage)
    {
        auto const begin = time.now();
        killed = begin + 1s;
        back = killed + outage;
        bool is_killed = false, is_back = false;
        while (time.now() < back + 10s) {
            if (time.now() >= killed && !std::exchange(is_killed, true))
                kill();
            if (time.now() >= back && !std::exchange(is_back, true))
                net->refusal = {};
            if ((time.now() - begin) % 300ms == duration::zero()) {
                auto& made = calls.emplace_back();
                made.began = time.now();
                hub->async_call("add", {}, made.box.handler());
            }
            co_await pass(executor, 50ms);
        }
        co_await pass(executor, 10s);
    }

    std::size_t failed() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(calls, [](made_call const& one) { return one.box.ec.failed(); }));
    }

    // Checks that calls started before the outage succeeded, and calls started at least `after` later than its end.
    void check_recovery(duration after = 2s) const
    {
        for (auto const& one : calls) {
            BOOST_TEST(one.box.count == 1u);
            if (one.began < killed || one.began >= back + after)
                BOOST_TEST(!one.box.ec,
                           (one.began - back) / 1ms << " ms after the end of the outage: " << one.box.ec.message());
        }
        auto const now = hub->state().servers[0];
        BOOST_TEST((now.state == server_state::ready));
        BOOST_TEST((now.health == health_state::healthy));
    }

    void clean_up()
    {
        hub.reset();
        http_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(outage_world, one_second_outage_over_streamable_http_fails_no_call_started_after_it)
{
    for (auto const& versions : {stateless_era, handshake_era}) {
        clean_up();
        calls.clear();
        co_await open_over<streamable_http>(versions, "http://server/mcp");
        co_await call_through_outage(1s);
        check_recovery(0s);
        BOOST_TEST(failed() < 3u); // calls are retried for about a second
    }
}

LINKSPAN_CASE_IN(outage_world, calls_succeed_within_two_seconds_after_half_minute_outage_over_streamable_http)
{
    for (auto const& versions : {stateless_era, handshake_era}) {
        clean_up();
        calls.clear();
        co_await open_over<streamable_http>(versions, "http://server/mcp");
        co_await call_through_outage(30s);
        check_recovery();
        BOOST_TEST(failed() >= 50u);
    }
}

LINKSPAN_CASE_IN(outage_world, one_second_outage_over_sse_fails_no_call)
{
    serving.sse_path = "/sse";
    std::vector<protocol_version> const versions{protocol_version::v2024_11_05};
    co_await open_over<http_sse>(versions, "http://server/sse");
    co_await call_through_outage(1s);
    check_recovery();
    BOOST_TEST(failed() == 0u); // calls wait for the server
}

LINKSPAN_CASE_IN(outage_world, one_second_outage_in_memory_fails_no_call)
{
    scripted_server local;
    local.on(call("add")).then(text("5"));
    bool is_there = true;
    inproc_config switched = local;
    switched.connect = [&is_there, connect = switched.connect](auto const& on, auto end) {
        return is_there ? connect(on, std::move(end)) : error_code(asio::error::connection_refused);
    };
    hub.emplace(executor);
    hub->add<inproc>("a", switched, read_only());
    co_await hub->async_open();
    is_there = false;
    local.drop_connections();
    killed = time.now();
    for (int i = 0; i != 40; ++i) {
        if (time.now() >= killed + 1s && !std::exchange(is_there, true))
            back = time.now();
        auto& made = calls.emplace_back();
        made.began = time.now();
        hub->async_call("add", {}, made.box.handler());
        co_await pass(executor, 300ms);
    }
    check_recovery();
    BOOST_TEST(failed() == 0u);
    hub.reset();
}

// After the five calls that open the breaker, no calls are made, so that only probes can detect that the server is
// reachable again.
LINKSPAN_CASE_IN(outage_world, open_breaker_is_closed_by_successful_probe_with_probe_intervals_of_1_2_and_4_seconds)
{
    co_await open_over<streamable_http>(stateless_era, "http://server/mcp");
    kill();
    auto const began = time.wall_now();
    for (int i = 0; i != 5; ++i) {
        calls.emplace_back();
        hub->async_call("add", {}, calls.back().box.handler());
    }
    co_await pass(executor, 5800ms); // probes after 1 s and 3 s
    BOOST_TEST((hub->state().servers[0].health == health_state::tripped));
    BOOST_TEST(has_part(hub->state().servers[0].last_error,
                        "last failure: " + error_code(asio::error::connection_refused).message()));
    auto const next = hub->state().servers[0].retry_at;
    BOOST_TEST((next && *next >= began + 7s && *next <= began + 8s));
    net->refusal = {};
    co_await pass(executor, 2200ms);
    BOOST_TEST((hub->state().servers[0].health == health_state::healthy));
}

LINKSPAN_CASE_IN(outage_world, retries_of_one_call_do_not_open_breaker)
{
    co_await open_over<streamable_http>(stateless_era, "http://server/mcp");
    kill();
    auto& made = calls.emplace_back();
    hub->async_call("add", {}, made.box.handler());
    co_await pass(executor, 10s);
    BOOST_TEST(made.box.result.attempts().size() == 5u);
    BOOST_TEST((hub->state().servers[0].health != health_state::tripped));
    for (int i = 0; i != 4; ++i)
        co_await hub->async_call("add", {}, in_tuple);
    BOOST_TEST((hub->state().servers[0].health == health_state::tripped));
}

LINKSPAN_CASE_IN(outage_world, lost_connection_with_many_calls_counts_as_one_failure)
{
    scripted_server a, b;
    hub.emplace(executor);
    for (auto* const one : {&a, &b}) {
        one->on(call("add")).then(delay(100ms), text("5"));
        hub->add<inproc>(one == &a ? "a" : "b", *one, read_only());
    }
    co_await hub->async_open();
    for (int kills = 0; kills != 3; ++kills)
        for (auto* const one : {&a, &b}) {
            for (int i = 0; i != 20; ++i) {
                calls.emplace_back();
                hub->async_call("add", {}, calls.back().box.handler());
            }
            co_await pass(executor, 50ms);
            one->drop_connections();
            co_await pass(executor, 1s);
        }
    for (auto const& made : calls)
        BOOST_TEST(!made.box.ec, made.box.ec.message());
    BOOST_TEST(a.received("\"tools/call\"") + b.received("\"tools/call\"") > calls.size() + 20u);
    for (auto const& one : hub->state().servers)
        BOOST_TEST((one.health != health_state::tripped));
    hub.reset();
}

BOOST_AUTO_TEST_SUITE_END()
