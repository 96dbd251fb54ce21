#include <linkspan/policy/health/breaker.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <random>
#include <utility>

BOOST_AUTO_TEST_SUITE(breaker_test)

using namespace linkspan;
using namespace std::chrono_literals;

namespace {

outcome good()
{
    outcome result;
    result.certainty = certainty::completed;
    result.has_response = true;
    return result;
}

outcome lost()
{
    outcome result;
    result.certainty = certainty::unknown;
    result.ec = error::stream_ended;
    return result;
}

// Returns the outcome of a successful call that was sent `elapsed` before its result.
outcome success_after(duration elapsed)
{
    auto result = good();
    result.elapsed = elapsed;
    return result;
}

outcome of(certainty delivery, error_code ec)
{
    outcome result;
    result.certainty = delivery;
    result.ec = ec;
    return result;
}

constexpr time_point start{1000s};

// Opens the breaker with consecutive failures.
void trip(health::breaker& gate, time_point now)
{
    for (int i = 0; i != 5; ++i)
        gate.on_result(lost(), now);
}

} // namespace

BOOST_AUTO_TEST_CASE(breaker_opens_after_five_consecutive_failures)
{
    health::breaker gate;
    for (int i = 0; i != 4; ++i)
        gate.on_result(lost(), start);
    BOOST_TEST(!gate.is_open());
    gate.on_result(good(), start);
    for (int i = 0; i != 4; ++i)
        gate.on_result(lost(), start);
    BOOST_TEST(!gate.is_open());
    gate.on_result(lost(), start);
    BOOST_TEST(gate.is_open());
    BOOST_TEST((gate.until() == start + 30s));
}

BOOST_AUTO_TEST_CASE(breaker_opens_if_half_of_ten_calls_within_a_minute_fail)
{
    health::breaker gate;
    for (int i = 0; i != 4; ++i) {
        gate.on_result(lost(), start);
        gate.on_result(good(), start + 1s);
    }
    gate.on_result(good(), start + 2s);
    BOOST_TEST(!gate.is_open());
    gate.on_result(lost(), start + 3s); // the tenth call
    BOOST_TEST(gate.is_open());
}

BOOST_AUTO_TEST_CASE(results_older_than_the_window_are_not_counted)
{
    health::breaker gate;
    for (int i = 0; i != 4; ++i) {
        gate.on_result(lost(), start);
        gate.on_result(good(), start);
    }
    gate.on_result(good(), start + 61s);
    gate.on_result(lost(), start + 61s);
    BOOST_TEST(!gate.is_open());
}

BOOST_AUTO_TEST_CASE(only_failures_caused_by_the_server_are_counted)
{
    outcome const ignored[] = {
        of(certainty::refused, {-32600, rpc_category()}),
        of(certainty::not_sent, error::queue_full),
        of(certainty::not_sent, error::not_connected),
        of(certainty::not_sent, error::no_eligible_server),
        of(certainty::not_sent, error::attempt_timed_out),
        of(certainty::not_sent, boost::asio::error::operation_aborted),
        of(certainty::unknown, boost::asio::error::operation_aborted),
        of(certainty::completed, {-32000, rpc_category()}),
    };
    for (auto const& result : ignored) {
        health::breaker gate;
        for (int i = 0; i != 20; ++i)
            gate.on_result(result, start);
        BOOST_TEST(!gate.is_open(), result.ec.message());
    }
    outcome const counted[] = {
        of(certainty::not_sent, boost::asio::error::connection_refused),
        of(certainty::not_sent, boost::asio::error::timed_out), // timeout of the connection attempt
        of(certainty::not_sent, error::no_common_protocol_version),
        of(certainty::unknown, error::attempt_timed_out),
        of(certainty::unknown, {-32603, rpc_category()}),
    };
    for (auto const& result : counted) {
        health::breaker gate;
        for (int i = 0; i != 5; ++i)
            gate.on_result(result, start);
        BOOST_TEST(gate.is_open(), result.ec.message());
    }
}

BOOST_AUTO_TEST_CASE(failed_attempts_of_one_call_are_counted_once)
{
    auto again = lost();
    again.repeated = true;
    health::breaker gate;
    for (int call = 0; call != 4; ++call) {
        gate.on_result(lost(), start);
        for (int i = 0; i != 20; ++i)
            gate.on_result(again, start);
    }
    BOOST_TEST(!gate.is_open());
    gate.on_result(lost(), start);
    BOOST_TEST(gate.is_open());
}

BOOST_AUTO_TEST_CASE(repeated_attempt_that_succeeds_is_counted)
{
    health::breaker gate;
    for (int i = 0; i != 4; ++i)
        gate.on_result(lost(), start);
    auto again = good();
    again.repeated = true;
    gate.on_result(again, start);
    gate.on_result(lost(), start);
    BOOST_TEST(!gate.is_open());
}

BOOST_AUTO_TEST_CASE(success_of_a_call_sent_after_opening_closes_the_breaker)
{
    health::breaker gate;
    trip(gate, start);
    gate.on_result(lost(), start + 2s);
    gate.on_result(success_after(2s), start + 2s);
    BOOST_TEST(gate.is_open()); // the call was sent at the time of the opening
    gate.on_result(success_after(1s), start + 2s);
    BOOST_TEST(!gate.is_open());
}

BOOST_AUTO_TEST_CASE(probe_closes_the_breaker_and_results_of_earlier_calls_do_not)
{
    health::breaker gate;
    trip(gate, start);
    for (int i = 0; i != 20; ++i)
        gate.on_result(success_after(1h), start + 1h); // responses to calls that were sent before the opening
    BOOST_TEST(gate.is_open());
    gate.on_probe(true, start + 31s);
    BOOST_TEST(!gate.is_open());
    for (int i = 0; i != 4; ++i)
        gate.on_result(lost(), start + 32s);
    BOOST_TEST(!gate.is_open()); // the count of failures was cleared
}

BOOST_AUTO_TEST_CASE(open_time_doubles_up_to_five_minutes)
{
    health::breaker gate;
    trip(gate, start);
    auto now = start;
    for (auto const span : {60s, 120s, 240s, 300s, 300s}) {
        now = gate.until();
        gate.on_probe(false, now);
        BOOST_TEST(gate.is_open());
        BOOST_TEST((gate.until() == now + span));
    }
}

BOOST_AUTO_TEST_CASE(minute_without_failure_reduces_the_open_time)
{
    health::breaker gate;
    trip(gate, start);
    gate.on_probe(false, start);
    gate.on_probe(false, start); // three openings: 120 s
    BOOST_TEST((gate.open_span() == 120s));
    gate.on_probe(true, start + 120s);
    trip(gate, start + 120s + 61s);
    BOOST_TEST((gate.open_span() == 120s)); // one opening was no longer counted, and one was added
    gate.on_probe(true, start + 400s);
    trip(gate, start + 400s + 10min);
    BOOST_TEST((gate.open_span() == 30s));
}

// Compares the breaker with a model that stores every call.
BOOST_AUTO_TEST_CASE(breaker_agrees_with_a_model_that_keeps_every_call)
{
    for (unsigned seed = 1; seed != 200; ++seed) {
        std::mt19937 random(seed);
        health::breaker gate;
        std::deque<std::pair<std::int64_t, bool>> calls; // part of the window; whether the call failed
        unsigned in_row = 0;
        auto now = start;
        bool open = false;
        for (int i = 0; i != 300 && !open; ++i) {
            now += std::chrono::milliseconds(random() % 4000);
            bool const fails = random() % 100 < 35;
            gate.on_result(fails ? lost() : good(), now);
            auto const part = now.time_since_epoch() / 10s;
            calls.emplace_back(part, fails);
            std::erase_if(calls, [&](auto const& call) { return part - call.first >= 6; });
            in_row = fails ? in_row + 1 : 0;
            auto const failures =
                std::count_if(calls.begin(), calls.end(), [](auto const& call) { return call.second; });
            auto const total = static_cast<std::ptrdiff_t>(calls.size());
            open = fails && (in_row == 5 || (total >= 10 && failures * 2 >= total));
            BOOST_TEST_REQUIRE(gate.is_open() == open, "seed " << seed << ", call " << i);
        }
    }
}

// The second opening follows immediately after the closed state.
BOOST_AUTO_TEST_CASE(opening_after_a_closed_state_has_initial_length_if_decay_period_is_zero)
{
    health::breaker_options options;
    options.decay_period = 0s;
    health::breaker gate(options);
    trip(gate, start);
    BOOST_TEST((gate.open_span() == 30s));
    gate.on_probe(true, start + 30s);
    BOOST_TEST(!gate.is_open());
    trip(gate, start + 30s);
    BOOST_TEST(gate.is_open());
    BOOST_TEST((gate.open_span() == 30s));
}

BOOST_AUTO_TEST_SUITE_END()
