#include <linkspan/connector/detail/server_prober.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

#include "support/connector_parts.hpp"

// Probes of connected servers are covered by scenario.connector.health.

BOOST_AUTO_TEST_SUITE(server_prober_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

struct fixture : test::connector_parts {
    fixture() { policies->take_log(); }

    void record(error_code ec, duration elapsed = {}, certainty delivery = certainty::completed)
    {
        outcome out;
        out.certainty = delivery;
        out.has_response = delivery == certainty::completed;
        out.ec = ec;
        out.elapsed = elapsed;
        core->prober().record(*a, out, time.now());
    }

    server_pointer a = add("a");
};

} // namespace

BOOST_FIXTURE_TEST_CASE(outcomes_of_attempts_are_counted, fixture)
{
    record({});
    record(error::attempt_timed_out, {}, certainty::unknown);
    record(boost::asio::error::operation_aborted, {}, certainty::unknown);
    auto const status = core->state().servers[0];
    BOOST_TEST(status.calls == 3u);
    BOOST_TEST(status.failures == 2u);
    BOOST_TEST((a->last_failure == error::attempt_timed_out)); // not the cancellation
    BOOST_TEST(policies->take_log() == "result completed; result unknown; result unknown");
}

BOOST_FIXTURE_TEST_CASE(latency_is_an_average_of_attempts_with_a_response, fixture)
{
    record(error::stream_ended, 9s, certainty::unknown);
    BOOST_TEST(!a->latency);
    record({}, 8s);
    BOOST_TEST((a->latency == 8s));
    record({}, 16s);
    BOOST_TEST((a->latency == 9s));
}

BOOST_FIXTURE_TEST_CASE(server_that_requests_a_pause_is_throttled, fixture)
{
    outcome out;
    out.certainty = certainty::refused;
    out.ec = error::attempt_timed_out;
    out.retry_after = 5s;
    core->prober().record(*a, out, time.now());
    BOOST_TEST(a->is_throttled(time.now()));
    BOOST_TEST(!a->is_throttled(time.now() + 5s));
}

BOOST_FIXTURE_TEST_CASE(change_of_the_health_is_reported_once, fixture)
{
    policies->is_observing = true;
    record({});
    policies->take_log();
    policies->state = health_state::tripped;
    record(error::stream_ended, {}, certainty::unknown);
    record(error::stream_ended, {}, certainty::unknown);
    BOOST_TEST(policies->take_log() == "result unknown; health tripped; result unknown");
    BOOST_TEST((a->published->health == health_state::tripped));
}

BOOST_FIXTURE_TEST_CASE(health_of_a_removed_server_is_not_reported, fixture)
{
    policies->is_observing = true;
    a->life.on_removed();
    policies->state = health_state::tripped;
    record(error::stream_ended, {}, certainty::unknown);
    BOOST_TEST(policies->take_log() == "result unknown");
}

BOOST_FIXTURE_TEST_CASE(probe_is_scheduled_for_a_ready_server_only, fixture)
{
    policies->probe_at = time.now() + 3s;
    core->prober().schedule(a);
    run();
    BOOST_TEST(policies->take_log() == "");
    make_ready(*a);
    policies->probe_at.reset();
    core->prober().schedule(a);
    run();
    BOOST_TEST(policies->take_log() == "");
}

BOOST_FIXTURE_TEST_CASE(probe_without_a_connection_fails_and_is_counted, fixture)
{
    make_ready(*a);
    policies->probe_at = time.now() + 3s;
    core->prober().schedule(a);
    BOOST_TEST((a->life.probe_at() == *policies->probe_at));
    time.run_until([&] { return !policies->log.empty(); });
    BOOST_TEST((time.now() >= *policies->probe_at));
    BOOST_TEST(policies->take_log() == "probe not_sent");
    BOOST_TEST(a->published->errors == 1u);
    BOOST_TEST(a->life.may_probe());
    policies->probe_at.reset();
    run();
}

BOOST_FIXTURE_TEST_CASE(probe_that_responses_have_postponed_is_sent_later, fixture)
{
    make_ready(*a);
    auto const first = time.now() + 3s;
    policies->probe_at = first;
    core->prober().schedule(a);
    policies->probe_at = first + 4s;
    time.run_until([&] { return !policies->log.empty(); });
    BOOST_TEST((time.now() == first + 4s));
    policies->probe_at.reset();
    run();
}

BOOST_FIXTURE_TEST_CASE(open_breaker_is_described_in_the_state, fixture)
{
    make_ready(*a);
    record({});
    policies->state = health_state::tripped;
    policies->probe_at = time.now() + 3s;
    record(error::stream_ended, {}, certainty::unknown);
    auto const text = core->state().servers[0].last_error;
    BOOST_TEST(text.starts_with("circuit breaker is open until a probe succeeds, next probe in 3000 ms"), text);
    policies->state = health_state::healthy;
    policies->probe_at.reset();
    record({});
    BOOST_TEST(!core->state().servers[0].last_error.starts_with("circuit breaker"));
    run();
}

BOOST_AUTO_TEST_SUITE_END()
