#include <linkspan/policy/fallback.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

BOOST_AUTO_TEST_SUITE(fallback_test)

using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::duration;
using linkspan::full_jitter;
using linkspan::replay_class;
using linkspan::safe_failover;
using linkspan::server_view;
using linkspan::verdict;
using kind = linkspan::verdict::kind;
namespace data = boost::unit_test::data;

namespace {

struct failure {
    certainty delivery = certainty::unknown;
    replay_class klass = replay_class::never;
    bool others = false;
    bool same_allowed = false;
    unsigned counted_attempts = 1;
    std::optional<duration> retry_after{};
    std::uint64_t draw = 0;
};

template<class Policy = safe_failover>
verdict after(failure const& failed, Policy const& policy = {})
{
    linkspan::call_view call;
    call.draw = failed.draw;
    server_view server;
    server.replay = failed.klass;
    std::vector<server_view> const others(failed.others ? 1 : 0, server);
    linkspan::outcome result;
    result.certainty = failed.delivery;
    result.retry_after = failed.retry_after;
    return policy.after_failure(
        {call, server, failed.counted_attempts, failed.counted_attempts, result, failed.same_allowed, others});
}

char const* name_of(kind what)
{
    return what == kind::give_up ? "give_up" : what == kind::retry_same ? "retry_same" : "next_server";
}

constexpr auto stop = kind::give_up;
constexpr auto same = kind::retry_same;
constexpr auto next = kind::next_server;

struct table_row {
    certainty delivery;
    replay_class klass;
    kind others_and_same, others_only, same_only, neither;
};

std::ostream& operator<<(std::ostream& out, table_row const& row)
{
    return out << to_string(row.delivery) << ", " << to_string(row.klass);
}

// The verdicts of `safe_failover`, depending on whether other servers and the same server can execute the call.
constexpr table_row table[] = {
    {certainty::not_sent, replay_class::never, next, next, same, stop},
    {certainty::not_sent, replay_class::idempotent, next, next, same, stop},
    {certainty::not_sent, replay_class::read_only, next, next, same, stop},
    {certainty::not_sent, replay_class::keyed, next, next, same, stop},
    {certainty::refused, replay_class::never, next, next, stop, stop},
    {certainty::refused, replay_class::idempotent, next, next, stop, stop},
    {certainty::refused, replay_class::read_only, next, next, stop, stop},
    {certainty::refused, replay_class::keyed, next, next, stop, stop},
    {certainty::unknown, replay_class::never, stop, stop, stop, stop},
    {certainty::unknown, replay_class::idempotent, same, next, same, stop},
    {certainty::unknown, replay_class::read_only, next, next, same, stop},
    {certainty::unknown, replay_class::keyed, same, stop, same, stop},
    {certainty::completed, replay_class::never, stop, stop, stop, stop},
    {certainty::completed, replay_class::idempotent, stop, stop, stop, stop},
    {certainty::completed, replay_class::read_only, stop, stop, stop, stop},
    {certainty::completed, replay_class::keyed, stop, stop, stop, stop},
};

constexpr std::uint64_t all_bits = std::numeric_limits<std::uint64_t>::max();

struct backoff_row {
    unsigned counted;
    duration most;
};

std::ostream& operator<<(std::ostream& out, backoff_row const& row) { return out << row.counted << " counted"; }

constexpr backoff_row backoffs[] = {
    {0, 200ms}, {1, 200ms}, {2, 400ms}, {3, 800ms}, {4, 1600ms}, {5, 3200ms}, {6, 5s}, {7, 5s}, {1'000'000, 5s},
};

} // namespace

BOOST_DATA_TEST_CASE(certainty_and_replay_class_determine_the_verdict, data::make(table))
{
    BOOST_TEST(name_of(after({sample.delivery, sample.klass, true, true}).what) == name_of(sample.others_and_same));
    BOOST_TEST(name_of(after({sample.delivery, sample.klass, true, false}).what) == name_of(sample.others_only));
    BOOST_TEST(name_of(after({sample.delivery, sample.klass, false, true}).what) == name_of(sample.same_only));
    BOOST_TEST(name_of(after({sample.delivery, sample.klass, false, false}).what) == name_of(sample.neither));
}

BOOST_DATA_TEST_CASE(verdict_does_not_override_the_replay_class, data::make(table))
{
    for (bool const others : {false, true})
        for (bool const same_allowed : {false, true})
            BOOST_TEST(!after({sample.delivery, sample.klass, others, same_allowed}).min_replay_class.has_value());
}

BOOST_DATA_TEST_CASE(verdict_is_give_up_when_attempts_are_exhausted, data::make(table))
{
    for (unsigned const counted : {4u, 5u, 100u})
        BOOST_TEST(name_of(after({sample.delivery, sample.klass, true, true, counted}).what) == name_of(stop), counted);
    BOOST_TEST(name_of(after({sample.delivery, sample.klass, true, true, 3}).what) == name_of(sample.others_and_same));
}

BOOST_AUTO_TEST_CASE(max_attempts_is_configurable)
{
    safe_failover policy;
    policy.max_attempts = 1;
    BOOST_TEST(name_of(after({certainty::unknown, replay_class::read_only, true, true, 1}, policy).what) == "give_up");
    BOOST_TEST(name_of(after({certainty::not_sent, replay_class::never, true, true, 0}, policy).what) == "next_server");
}

BOOST_AUTO_TEST_CASE(failover_has_no_wait)
{
    for (auto const delivery : {certainty::not_sent, certainty::refused, certainty::unknown}) {
        auto const decision = after({delivery, replay_class::read_only, true, true, 1, std::nullopt, all_bits});
        BOOST_TEST(name_of(decision.what) == "next_server");
        BOOST_TEST((decision.wait == 0s));
    }
}

BOOST_AUTO_TEST_CASE(retry_on_the_same_server_has_a_random_wait)
{
    for (auto const& [counted, most] : {backoff_row{1, 200ms}, {2, 400ms}, {3, 800ms}}) {
        auto const shortest = after({certainty::unknown, replay_class::keyed, false, true, counted, std::nullopt, 0});
        auto const longest = after({certainty::unknown, replay_class::keyed, false, true, counted, {}, all_bits});
        BOOST_TEST((shortest.wait == 0s));
        BOOST_TEST((longest.wait > most - 1us && longest.wait <= most), counted);
    }
}

BOOST_AUTO_TEST_CASE(retry_after_determines_the_wait)
{
    auto const decision = after({certainty::refused, replay_class::never, false, true, 1, 7s});
    BOOST_TEST(name_of(decision.what) == "retry_same");
    BOOST_TEST((decision.wait == 7s));
}

BOOST_AUTO_TEST_CASE(verdict_is_give_up_if_retry_after_exceeds_one_minute)
{
    BOOST_TEST(name_of(after({certainty::refused, replay_class::never, false, true, 1, 60s}).what) == "retry_same");
    BOOST_TEST(name_of(after({certainty::refused, replay_class::never, false, true, 1, 60s + 1ns}).what) == "give_up");
}

BOOST_AUTO_TEST_CASE(verdict_is_give_up_if_a_pause_that_another_call_received_exceeds_one_minute)
{
    linkspan::call_view const call;
    server_view server;
    server.replay = replay_class::idempotent;
    linkspan::outcome lost;
    lost.certainty = certainty::unknown;
    std::vector<server_view> const others(1, server);
    for (duration const pause : {duration(60s), duration(60s + 1ns)}) {
        server.throttled_until = call.now + pause;
        linkspan::attempt_view const alone{call, server, 1, 1, lost, true, {}};
        BOOST_TEST(name_of(safe_failover().after_failure(alone).what) == (pause == 60s ? "retry_same" : "give_up"));
        linkspan::attempt_view const first{call, server, 1, 1, lost, true, others};
        auto const expected = pause == 60s ? "retry_same" : "next_server";
        BOOST_TEST(name_of(safe_failover().after_failure(first).what) == expected);
        BOOST_TEST(name_of(linkspan::fallback::at_least_once().after_failure(first).what) == expected);
    }
}

BOOST_AUTO_TEST_CASE(failover_is_preferred_over_retry_after)
{
    auto const decision = after({certainty::refused, replay_class::never, true, true, 1, 1s});
    BOOST_TEST(name_of(decision.what) == "next_server");
    BOOST_TEST((decision.wait == 0s));
}

BOOST_AUTO_TEST_CASE(retry_after_is_ignored_if_the_server_cannot_be_retried)
{
    BOOST_TEST(name_of(after({certainty::refused, replay_class::never, false, false, 1, 1s}).what) == "give_up");
}

BOOST_AUTO_TEST_CASE(retry_after_does_not_permit_replay)
{
    BOOST_TEST(name_of(after({certainty::unknown, replay_class::never, false, true, 1, 1s}).what) == "give_up");
}

BOOST_DATA_TEST_CASE(jitter_is_between_zero_and_the_doubled_base, data::make(backoffs))
{
    BOOST_TEST((full_jitter(200ms, 5s, sample.counted, 0) == 0s));
    auto const longest = full_jitter(200ms, 5s, sample.counted, all_bits);
    BOOST_TEST((longest <= sample.most && longest > sample.most - 1us));
    auto const middle = full_jitter(200ms, 5s, sample.counted, all_bits / 2 + 1);
    BOOST_TEST((middle == sample.most / 2));
}

BOOST_AUTO_TEST_CASE(jitter_depends_on_its_arguments_only)
{
    std::uint64_t draw = 1;
    for (int i = 0; i != 1'000; ++i) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        auto const wait = full_jitter(200ms, 5s, 3, draw);
        BOOST_TEST((wait == full_jitter(200ms, 5s, 3, draw)));
        BOOST_TEST((wait >= 0s && wait <= 800ms));
    }
}

BOOST_AUTO_TEST_CASE(jitter_never_exceeds_the_cap)
{
    BOOST_TEST((full_jitter(10s, 5s, 1, all_bits) <= 5s));
    BOOST_TEST((full_jitter(10s, 5s, 9, all_bits) <= 5s));
    BOOST_TEST((full_jitter(0s, 5s, 9, all_bits) == 0s));
}

BOOST_AUTO_TEST_CASE(jitter_with_maximum_cap_does_not_overflow)
{
    auto const wait = full_jitter(1s, duration::max(), 1'000, all_bits / 4);
    BOOST_TEST((wait > 0s));
}

// The other policies; their decisions in each case are in test/unit/policy/decision_table.cpp.

BOOST_AUTO_TEST_CASE(at_least_once_permits_any_replay_until_attempts_are_exhausted)
{
    linkspan::fallback::at_least_once const policy;
    for (unsigned const counted : {1u, 2u, 3u, 4u})
        for (bool const same_allowed : {true, false}) {
            auto const decision =
                after({certainty::unknown, replay_class::never, false, same_allowed, counted}, policy);
            BOOST_TEST(name_of(decision.what) == (counted == 4   ? "give_up"
                                                  : same_allowed ? "retry_same"
                                                                 : "next_server"));
            BOOST_TEST((counted == 4 || decision.min_replay_class == replay_class::never));
        }
}

BOOST_AUTO_TEST_CASE(retry_policy_retries_once_after_three_seconds)
{
    linkspan::fallback::retry const policy;
    auto const decision = after({certainty::unknown, replay_class::never, true, true, 1}, policy);
    BOOST_TEST(name_of(decision.what) == "retry_same");
    BOOST_TEST((decision.wait == 3s));
    BOOST_TEST(name_of(after({certainty::unknown, replay_class::never, true, true, 2}, policy).what) == "give_up");
    BOOST_TEST(name_of(after({certainty::not_sent, replay_class::never, true, false, 1}, policy).what) ==
               "next_server");
    linkspan::fallback::retry const patient{.times = 2, .wait = 1min};
    auto const second = after({certainty::not_sent, replay_class::never, false, true, 2}, patient);
    BOOST_TEST(name_of(second.what) == "retry_same");
    BOOST_TEST((second.wait == 1min));
}

BOOST_AUTO_TEST_SUITE_END()
