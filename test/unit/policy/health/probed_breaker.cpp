#include <linkspan/policy/health/probed_breaker.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(probed_breaker_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

constexpr server_id one{0};
constexpr time_point start{1000s};
constexpr std::uint64_t least = 0;
constexpr std::uint64_t most = ~std::uint64_t{0};

outcome success(duration elapsed = {})
{
    outcome result;
    result.certainty = certainty::completed;
    result.has_response = true;
    result.elapsed = elapsed;
    return result;
}

outcome timeout()
{
    outcome result;
    result.ec = error::attempt_timed_out;
    return result;
}

outcome connection_refused()
{
    outcome result;
    result.certainty = certainty::not_sent;
    result.ec = boost::asio::error::connection_refused;
    return result;
}

bool about(std::optional<time_point> when, time_point expected)
{
    return when && *when > expected - 1us && *when < expected + 1us;
}

void trip(probed_breaker& health, time_point now)
{
    for (int i = 0; i != 5; ++i)
        health.on_result(one, timeout(), now);
}

} // namespace

BOOST_AUTO_TEST_CASE(results_determine_the_health_state)
{
    probed_breaker health;
    BOOST_TEST((health.state(one, start) == health_state::unknown));
    BOOST_TEST((health.on_result(one, timeout(), start) == health_state::unknown));
    BOOST_TEST((health.on_result(one, success(), start) == health_state::healthy));
    BOOST_TEST((health.on_probe(one, success(6s), start) == health_state::degraded));
    BOOST_TEST((health.on_probe(one, success(4s), start) == health_state::healthy));
    BOOST_TEST((health.on_probe(one, timeout(), start) == health_state::degraded));
    BOOST_TEST((health.on_probe(one, timeout(), start) == health_state::degraded));
    BOOST_TEST((health.on_probe(one, timeout(), start) == health_state::unhealthy));
    BOOST_TEST((health.on_probe(one, success(), start) == health_state::healthy)); // one successful probe is sufficient
    trip(health, start);
    BOOST_TEST((health.state(one, start + 1h) == health_state::tripped));
    BOOST_TEST((health.on_probe(one, timeout(), start + 1h) == health_state::tripped));
    BOOST_TEST((health.on_probe(one, success(), start + 2h) == health_state::healthy));
}

BOOST_AUTO_TEST_CASE(health_is_kept_per_server)
{
    probed_breaker health;
    trip(health, start);
    BOOST_TEST((health.state(server_id{1}, start) == health_state::unknown));
    health.removed(one);
    BOOST_TEST((health.state(one, start) == health_state::unknown));
}

BOOST_AUTO_TEST_CASE(unsent_probe_does_not_change_the_health_state)
{
    probed_breaker health;
    outcome unsent;
    unsent.certainty = certainty::not_sent;
    unsent.ec = error::queue_full;
    for (int i = 0; i != 5; ++i)
        health.on_probe(one, unsent, start);
    BOOST_TEST((health.state(one, start) == health_state::unknown));
}

BOOST_AUTO_TEST_CASE(unsent_probe_of_open_breaker_is_repeated_after_one_second)
{
    probed_breaker health;
    trip(health, start);
    outcome unsent;
    unsent.certainty = certainty::not_sent;
    unsent.ec = error::queue_full;
    auto const later = start + 1min;
    health.on_probe(one, unsent, later);
    BOOST_TEST((health.next_probe(one, later, most) == later + 1s));
}

BOOST_AUTO_TEST_CASE(first_probe_is_random_within_the_interval_and_later_ones_follow_periodically)
{
    for (auto const draw : {least, most}) {
        probed_breaker health;
        auto const first = health.next_probe(one, start, draw);
        BOOST_TEST(about(first, draw == least ? start : start + 30s));
        BOOST_TEST((health.next_probe(one, start + 1s, most) == first)); // the time does not change
        health.on_probe(one, success(), *first);
        BOOST_TEST(about(health.next_probe(one, *first, draw), *first + (draw == least ? 27s : 33s)));
    }
}

BOOST_AUTO_TEST_CASE(successful_call_postpones_the_next_probe)
{
    probed_breaker health;
    auto const first = health.next_probe(one, start, most);
    health.on_result(one, success(), start + 20s);
    auto const later = health.next_probe(one, *first, least);
    BOOST_TEST(about(later, start + 20s + 27s));
    health.on_result(one, timeout(), start + 40s); // a failed call does not postpone it
    BOOST_TEST((health.next_probe(one, start + 40s, least) == later));
}

BOOST_AUTO_TEST_CASE(server_that_refused_a_connection_is_probed_with_doubling_waits)
{
    for (auto const is_open : {false, true})
        for (auto const draw : {least, most}) {
            probed_breaker health;
            health.next_probe(one, start, most);
            if (is_open)
                trip(health, start);
            health.on_result(one, connection_refused(), start);
            auto again = connection_refused();
            again.repeated = true; // otherwise the failed calls would open the breaker
            auto now = start;
            for (auto const span : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
                auto const probe = health.next_probe(one, now, draw);
                BOOST_TEST(about(probe, now + span + (draw == least ? duration::zero() : duration(span) / 10)));
                health.on_result(one, again, now); // result of a call between two probes
                BOOST_TEST((health.next_probe(one, now, ~draw) == probe));
                now = *probe;
                health.on_probe(one, connection_refused(), now);
                BOOST_TEST(((health.state(one, now) == health_state::tripped) == is_open));
            }
            health.on_probe(one, success(), now);
            BOOST_TEST((health.state(one, now) == health_state::healthy));
            BOOST_TEST(about(health.next_probe(one, now, draw), now + (draw == least ? 27s : 33s)));
        }
}

BOOST_AUTO_TEST_CASE(successful_call_ends_the_fast_probes)
{
    probed_breaker health;
    health.next_probe(one, start, most);
    health.on_result(one, connection_refused(), start);
    health.on_result(one, success(), start + 500ms);
    BOOST_TEST(about(health.next_probe(one, start + 500ms, least), start + 500ms + 27s));
}

BOOST_AUTO_TEST_CASE(success_of_a_call_sent_after_opening_closes_probed_breaker)
{
    probed_breaker health;
    trip(health, start);
    health.on_probe(one, timeout(), start + 30s);
    BOOST_TEST((health.on_result(one, success(1s), start + 40s) == health_state::healthy));
    BOOST_TEST(about(health.next_probe(one, start + 40s, least), start + 40s + 27s));
}

BOOST_AUTO_TEST_CASE(open_breaker_is_probed_at_its_end_with_up_to_ten_percent_delay)
{
    for (auto const draw : {least, most}) {
        probed_breaker health;
        health.next_probe(one, start, least);
        trip(health, start);
        auto const probe = health.next_probe(one, start, draw);
        BOOST_TEST(about(probe, start + (draw == least ? 30s : 33s)));
        health.on_result(one, success(2s), start + 1s); // result of a call that was sent before the opening
        BOOST_TEST((health.state(one, start + 1s) == health_state::tripped));
        health.on_probe(one, timeout(), *probe);
        BOOST_TEST(about(health.next_probe(one, *probe, draw), *probe + (draw == least ? 60s : 66s)));
    }
}

BOOST_AUTO_TEST_SUITE_END()
