// The share of its timeout that a call spends on one server while another server is eligible.

#include <linkspan/policy.hpp>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(attempt_time_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

call_options ten_seconds()
{
    call_options options;
    options.timeout = 10s;
    return options;
}

struct time_world : hub_world {
    // Opens a connector whose servers hang, except for the last one.
    asio::awaitable<void> open(std::optional<replay_class> replay, std::size_t servers = 2)
    {
        scripted_server* const all[] = {&a, &b, &c};
        for (std::size_t i = 0; i + 1 != servers; ++i)
            all[i]->on(call("pay")).then(hang());
        all[servers - 1]->on(call("pay")).then(text("paid"));
        co_await make(replay, servers).async_open();
    }
};

} // namespace

LINKSPAN_CASE_IN(time_world, read_only_call_to_hanging_server_fails_over_after_half_of_its_timeout)
{
    co_await open(replay_class::read_only);
    auto const result = co_await hub->async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST(trail_of(result) == "a unknown, b completed");
    BOOST_TEST((result.attempts()[0].result.elapsed == 5s));
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST(result.attempts()[0].detail ==
               "attempt_share of the remaining time, 5000 ms; raise call_options::attempt_share or timeout");
    BOOST_TEST((since_start(time) == 5s));
}

LINKSPAN_CASE_IN(time_world, each_hanging_server_gets_half_of_remaining_timeout)
{
    co_await open(replay_class::read_only, 3);
    auto const result = co_await hub->async_call("pay", {}, ten_seconds());
    BOOST_TEST(trail_of(result) == "a unknown, b unknown, c completed");
    BOOST_TEST((since_start(time) == 7500ms));
}

LINKSPAN_CASE_IN(time_world, call_that_must_not_be_replayed_uses_whole_timeout_on_one_server)
{
    for (auto const klass : {replay_class::never, replay_class::keyed}) {
        hub.reset();
        co_await open(klass);
        auto const before = since_start(time);
        auto const [ec, result] = co_await hub->async_call("pay", {}, ten_seconds(), in_tuple);
        BOOST_TEST(ec == make_error_code(error::outcome_unknown), ec.message());
        BOOST_TEST((since_start(time) - before == 10s));
        BOOST_TEST(trail_of(result) == "a unknown");
        BOOST_TEST(calls(b) == 0u);
    }
}

LINKSPAN_CASE_IN(time_world, call_uses_whole_timeout_if_other_server_forbids_replay)
{
    a.on(call("pay")).then(delay(9s), text("slow"));
    b.on(call("pay")).then(text("paid"));
    hub.emplace(executor);
    hub->add<inproc>("a", a, with(9, replay_class::read_only)).add<inproc>("b", b, with(8, replay_class::never));
    co_await hub->async_open();
    auto const result = co_await hub->async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "slow");
}

LINKSPAN_CASE_IN(time_world, call_uses_whole_timeout_if_no_other_server_is_available)
{
    a.on(call("pay")).then(delay(9s), text("slow"));
    b.on(call("pay")).then(text("paid"));
    co_await make(replay_class::read_only).async_open();
    auto const alone = co_await hub->on_server("a").async_call("pay", {}, ten_seconds());
    BOOST_TEST(alone.text() == "slow");
    co_await hub->async_disconnect("b");
    auto const result = co_await hub->async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "slow");
}

LINKSPAN_CASE_IN(time_world, attempt_share_of_call_options_limits_attempt)
{
    a.on(call("pay")).then(delay(9s), text("slow"));
    b.on(call("pay")).then(text("paid"));
    co_await make(replay_class::read_only).async_open();
    auto options = ten_seconds();
    options.attempt_share = 1;
    auto const whole = co_await hub->async_call("pay", {}, options);
    BOOST_TEST(whole.text() == "slow");
    options.attempt_share = 0.2;
    auto const before = since_start(time);
    auto const fifth = co_await hub->async_call("pay", {}, options);
    BOOST_TEST(fifth.text() == "paid");
    BOOST_TEST((since_start(time) - before >= 2s && since_start(time) - before < 2001ms));
    options.attempt_share = 0; // the minimum duration of an attempt is 50 ms
    auto const again = since_start(time);
    co_await hub->async_call("pay", {}, options);
    BOOST_TEST((since_start(time) - again == 50ms));
}

LINKSPAN_CASE_IN(time_world, attempt_share_of_fallback_policy_limits_attempt)
{
    a.on(call("pay")).then(delay(9s), text("slow"));
    b.on(call("pay")).then(text("paid"));
    safe_failover patient;
    patient.max_attempt_share = 1;
    connector<transports<inproc>, safe_failover> other(executor, patient);
    other.add<inproc>("a", a, with(9, replay_class::read_only)).add<inproc>("b", b, with(8, replay_class::read_only));
    co_await other.async_open();
    auto const result = co_await other.async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "slow");
    other.close();
}

LINKSPAN_CASE_IN(time_world, never_replay_policy_gives_attempt_whole_timeout)
{
    a.on(call("pay")).then(delay(9s), text("slow"));
    b.on(call("pay")).then(text("paid"));
    connector<transports<inproc>, fallback::never_replay> other(executor);
    other.add<inproc>("a", a, with(9, replay_class::read_only)).add<inproc>("b", b, with(8, replay_class::read_only));
    co_await other.async_open();
    auto const result = co_await other.async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "slow");
    other.close();
}

// The replay class does not matter here: a server that hangs while opening has received no call.
LINKSPAN_CASE_IN(time_world, call_fails_over_after_half_of_its_timeout_if_first_server_hangs_on_reopening)
{
    a.on(request("tools/list")).pass(1).then(hang());
    a.on(call("pay")).then(drop_connection());
    b.on(call("pay")).then(text("paid"));
    hub.emplace(executor);
    auto first = with(9);
    first.restart.max_restarts = 5;
    hub->add<inproc>("a", a, first).add<inproc>("b", b, with(8));
    co_await hub->async_open();
    selector only_a;
    only_a.servers = {"a", "b"};
    a.drop_connections();
    co_await pass(executor, 1s); // server a is being reopened, and its tools/list hangs
    auto const before = since_start(time);
    auto const result = co_await hub->on_servers(only_a).async_call("pay", {}, ten_seconds());
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST((since_start(time) - before <= 5s));
}

LINKSPAN_CASE_IN(time_world, first_call_fails_over_after_half_of_its_timeout_if_server_hangs_on_opening)
{
    a.on(request("server/discover")).then(hang());
    b.on(call("pay")).then(text("paid"));
    auto& made = make();
    auto const result = co_await made.async_call("pay", {}, ten_seconds()); // opens both servers
    BOOST_TEST(result.text() == "paid");
    BOOST_TEST((since_start(time) == 5s));
}

BOOST_AUTO_TEST_SUITE_END()
