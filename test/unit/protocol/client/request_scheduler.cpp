#include <linkspan/protocol/client/request_scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/idle_request.hpp"

BOOST_AUTO_TEST_SUITE(request_scheduler_test)

using linkspan::request_scheduler;
using linkspan::time_point;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);

struct request final : linkspan::test::started_request {
    explicit request(time_point now = start) : started_request(now) {}
};

// Two requests may be sent, and three may be queued. The requests are removed at the end, because a hook must not be
// destroyed while it is in a list.
struct fixture {
    request_scheduler scheduler{2, 3};
    request a, b, c, d, e, f;

    ~fixture()
    {
        for (auto* each : {&a, &b, &c, &d, &e, &f})
            scheduler.remove(*each);
        BOOST_TEST(scheduler.in_flight() == 0U);
        BOOST_TEST((scheduler.next_deadline() == time_point::max()));
    }

    void send_two()
    {
        scheduler.add(a, start);
        scheduler.add(b, start);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(sent_request_is_found_by_its_id_until_removed, fixture)
{
    scheduler.add(a, start);
    auto const id = a.id();
    BOOST_TEST(id != 0);
    BOOST_TEST(scheduler.find(id) == &a);
    BOOST_TEST(a.is_sent());
    BOOST_TEST(scheduler.first_sent() == &a);
    scheduler.remove(a);
    BOOST_TEST(!scheduler.find(id));
    BOOST_TEST(!a.is_sent());
    BOOST_TEST(!scheduler.first_sent());
}

BOOST_FIXTURE_TEST_CASE(removing_a_request_twice_has_no_effect, fixture)
{
    send_two();
    scheduler.remove(a);
    scheduler.remove(a);
    BOOST_TEST(scheduler.in_flight() == 1U);
}

BOOST_FIXTURE_TEST_CASE(request_cannot_be_sent_if_the_maximum_is_in_flight_or_others_are_queued, fixture)
{
    BOOST_TEST(scheduler.can_send());
    send_two();
    BOOST_TEST(!scheduler.can_send());
    BOOST_TEST(scheduler.enqueue(c));
    scheduler.remove(a);
    BOOST_TEST(!scheduler.can_send()); // the queued request c takes precedence
    BOOST_TEST(scheduler.next(start) == &c);
    scheduler.add(c, start);
    scheduler.remove(b);
    BOOST_TEST(scheduler.can_send());
}

BOOST_FIXTURE_TEST_CASE(queue_is_full_at_its_maximum, fixture)
{
    for (auto* each : {&a, &b, &c})
        BOOST_TEST(scheduler.enqueue(*each));
    BOOST_TEST(!scheduler.enqueue(d));
    BOOST_TEST(scheduler.in_flight() == 3U);
    scheduler.remove(b);
    BOOST_TEST(scheduler.enqueue(d));
}

BOOST_FIXTURE_TEST_CASE(next_returns_queued_requests_in_order_while_there_is_room, fixture)
{
    send_two();
    scheduler.enqueue(c);
    scheduler.enqueue(d);
    BOOST_TEST(!scheduler.next(start));
    scheduler.remove(a);
    scheduler.remove(b);
    for (auto* each : {&c, &d}) {
        BOOST_TEST(scheduler.next(start) == each);
        scheduler.add(*each, start);
    }
    BOOST_TEST(!scheduler.next(start));
}

BOOST_FIXTURE_TEST_CASE(request_stays_queued_with_its_deadline_until_it_is_added, fixture)
{
    scheduler.enqueue(a);
    BOOST_TEST(scheduler.next(start) == &a);
    BOOST_TEST(scheduler.next(start) == &a);
    BOOST_TEST(scheduler.first_waiting() == &a);
    BOOST_TEST((scheduler.next_deadline() == start + 300s));
    scheduler.add(a, start);
    BOOST_TEST(!scheduler.first_waiting());
    BOOST_TEST(scheduler.in_flight() == 1U);
    BOOST_TEST((scheduler.next_deadline() == start + 30s));
}

BOOST_FIXTURE_TEST_CASE(internal_request_does_not_count_for_the_maximum, fixture)
{
    a.is_internal = true;
    send_two();
    BOOST_TEST(scheduler.in_flight() == 1U);
    BOOST_TEST(scheduler.can_send());
    scheduler.remove(a);
    BOOST_TEST(scheduler.in_flight() == 1U);
}

BOOST_FIXTURE_TEST_CASE(requeued_request_precedes_requests_that_were_never_sent, fixture)
{
    send_two();
    scheduler.enqueue(c);
    scheduler.requeue(a);
    scheduler.requeue(b);
    BOOST_TEST(!scheduler.first_sent());
    BOOST_TEST(scheduler.in_flight() == 3U);
    for (auto* each : {&a, &b, &c}) {
        BOOST_TEST(scheduler.next(start) == each);
        scheduler.remove(*each);
    }
}

BOOST_FIXTURE_TEST_CASE(parked_request_is_not_found_and_can_be_requeued, fixture)
{
    send_two();
    auto const id = a.id();
    scheduler.park(a);
    BOOST_TEST(!scheduler.find(id));
    BOOST_TEST(&scheduler.parked().front() == &a);
    BOOST_TEST(scheduler.first_waiting() == &a);
    BOOST_TEST(scheduler.in_flight() == 2U);
    scheduler.requeue(a);
    BOOST_TEST(scheduler.parked().empty());
    BOOST_TEST(scheduler.next(start) == &a);
}

BOOST_FIXTURE_TEST_CASE(first_waiting_prefers_queued_requests_to_parked_ones, fixture)
{
    BOOST_TEST(!scheduler.first_waiting());
    scheduler.add(a, start);
    scheduler.park(a);
    scheduler.enqueue(b);
    BOOST_TEST(scheduler.first_waiting() == &b);
    scheduler.remove(b);
    BOOST_TEST(scheduler.first_waiting() == &a);
}

BOOST_FIXTURE_TEST_CASE(sent_request_times_out_at_the_earliest_of_its_three_timeouts, fixture)
{
    scheduler.add(a, start);
    BOOST_TEST((scheduler.next_deadline() == start + 30s)); // idle_timeout
    scheduler.remove(a);
    b.attempt_timeout = 20s;
    scheduler.add(b, start);
    BOOST_TEST((scheduler.next_deadline() == start + 20s));
    scheduler.remove(b);
    c.deadline = start + 10s;
    scheduler.add(c, start);
    BOOST_TEST((scheduler.next_deadline() == start + 10s));
}

BOOST_FIXTURE_TEST_CASE(queued_request_times_out_by_attempt_timeout_and_deadline_only, fixture)
{
    scheduler.enqueue(a);
    BOOST_TEST((scheduler.next_deadline() == start + 300s));
    b.deadline = start + 10s;
    scheduler.enqueue(b);
    BOOST_TEST((scheduler.next_deadline() == start + 10s));
}

BOOST_FIXTURE_TEST_CASE(time_in_the_queue_does_not_count_for_a_request_that_was_never_sent, fixture)
{
    scheduler.enqueue(a);
    BOOST_TEST(scheduler.next(start + 60s) == &a);
    BOOST_TEST((a.began == start + 60s));
    scheduler.add(a, start + 60s);
    BOOST_TEST((scheduler.next_deadline() == start + 90s));
}

BOOST_FIXTURE_TEST_CASE(timeouts_of_a_request_that_was_sent_continue_in_the_queue, fixture)
{
    scheduler.add(a, start);
    scheduler.requeue(a);
    BOOST_TEST((scheduler.next_deadline() == start + 30s));
    BOOST_TEST(scheduler.next(start + 20s) == &a);
    BOOST_TEST((a.began == start));
    scheduler.add(a, start + 20s);
    BOOST_TEST((scheduler.next_deadline() == start + 30s));
}

BOOST_FIXTURE_TEST_CASE(progress_restarts_the_idle_timeout_within_the_other_timeouts, fixture)
{
    scheduler.add(a, start);
    scheduler.on_progress(a, start + 20s);
    BOOST_TEST(a.has_started());
    BOOST_TEST((scheduler.next_deadline() == start + 50s));
    scheduler.on_progress(a, start + 290s);
    BOOST_TEST((scheduler.next_deadline() == start + 300s));
}

BOOST_FIXTURE_TEST_CASE(idle_timeout_is_not_running_while_a_request_waits_for_input, fixture)
{
    scheduler.add(a, start);
    scheduler.park_for_input(a);
    BOOST_TEST((scheduler.next_deadline() == start + 300s));
    scheduler.add(b, start);
    scheduler.park(b);
    BOOST_TEST((scheduler.next_deadline() == start + 30s));
}

BOOST_FIXTURE_TEST_CASE(held_request_is_parked_without_an_idle_timeout_until_removed, fixture)
{
    scheduler.add(a, start);
    scheduler.remove(a); // the response has arrived
    scheduler.hold(a);
    BOOST_TEST(scheduler.in_flight() == 1u);
    BOOST_TEST(scheduler.find(a.id()) == nullptr);
    BOOST_TEST(scheduler.first_waiting() == &a);
    BOOST_TEST((scheduler.next_deadline() == start + 300s));
    BOOST_TEST(scheduler.expired(start + 300s) == &a);
    scheduler.remove(a);
    BOOST_TEST(scheduler.first_waiting() == nullptr);
}

BOOST_FIXTURE_TEST_CASE(infinite_timeouts_do_not_overflow, fixture)
{
    a.idle_timeout = a.attempt_timeout = linkspan::duration::max();
    scheduler.add(a, start);
    BOOST_TEST((scheduler.next_deadline() == time_point::max()));
    BOOST_TEST(!scheduler.expired(start + 24h));
}

BOOST_FIXTURE_TEST_CASE(expired_returns_requests_of_both_lists_in_the_order_of_their_deadlines, fixture)
{
    a.deadline = start + 3s;
    b.deadline = start + 1s;
    c.deadline = start + 2s;
    scheduler.add(a, start);
    scheduler.add(c, start);
    scheduler.enqueue(b);
    BOOST_TEST(!scheduler.expired(start));
    for (auto* each : {&b, &c, &a}) {
        BOOST_TEST(scheduler.expired(start + 3s) == each);
        scheduler.remove(*each);
    }
    BOOST_TEST(!scheduler.expired(start + 3s));
}

BOOST_AUTO_TEST_CASE(random_transitions_keep_each_request_in_one_place)
{
    std::mt19937_64 draw(1);
    constexpr std::size_t limit = 4, queue_limit = 6;
    request_scheduler scheduler(limit, queue_limit);
    std::vector<std::unique_ptr<request>> all;
    for (int i = 0; i != 16; ++i)
        all.push_back(std::make_unique<request>());
    enum class place { none, sent, queued, parked };
    std::vector<place> places(all.size(), place::none);
    auto const count = [&](place which) { return std::ranges::count(places, which); };
    for (int step = 0; step != 20'000; ++step) {
        auto const i = draw() % all.size();
        auto& op = *all[i];
        auto& at = places[i];
        auto const action = draw() % 5;
        if (at == place::none && action < 3) {
            if (scheduler.can_send()) {
                scheduler.add(op, start);
                at = place::sent;
            } else if (scheduler.enqueue(op)) {
                at = place::queued;
            } else {
                BOOST_TEST(count(place::queued) >= static_cast<std::ptrdiff_t>(queue_limit));
            }
        } else if (at == place::sent && action == 0) {
            scheduler.park(op);
            at = place::parked;
        } else if ((at == place::sent || at == place::parked) && action == 1) {
            scheduler.requeue(op);
            at = place::queued;
        } else if (action == 2) {
            scheduler.remove(op);
            at = place::none;
        } else if (auto* const next = action == 3 ? scheduler.next(start) : nullptr) {
            auto const found = std::ranges::find(all, next, [](auto const& each) { return each.get(); });
            BOOST_TEST((places[static_cast<std::size_t>(found - all.begin())] == place::queued));
            scheduler.add(*next, start);
            places[static_cast<std::size_t>(found - all.begin())] = place::sent;
        }
        BOOST_REQUIRE(scheduler.in_flight() + static_cast<std::size_t>(count(place::none)) == all.size());
        BOOST_REQUIRE(scheduler.parked().size() == static_cast<std::size_t>(count(place::parked)));
        BOOST_REQUIRE(count(place::sent) <= static_cast<std::ptrdiff_t>(limit));
        for (std::size_t k = 0; k != all.size(); ++k)
            BOOST_REQUIRE((scheduler.find(all[k]->id()) == all[k].get()) == (places[k] == place::sent));
    }
    for (auto const& each : all)
        scheduler.remove(*each);
}

// The table grows in steps, so that requests are added until an addition allocates. The other operations allocate no
// memory and have no failure.
BOOST_AUTO_TEST_CASE(failed_allocation_of_added_request_has_no_effect)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        request_scheduler scheduler(1000, 0);
        std::vector<std::unique_ptr<request>> all;
        bool is_added = true;
        while (is_added && all.size() != 1000) {
            auto& op = *all.emplace_back(std::make_unique<request>());
            is_added = failing([&] { scheduler.add(op, start); });
            BOOST_TEST((scheduler.find(op.id()) == &op) == is_added);
            BOOST_TEST(op.is_sent() == is_added);
        }
        BOOST_TEST(scheduler.in_flight() == all.size() - (is_added ? 0U : 1U));
        if (!is_added) {
            scheduler.add(*all.back(), start);
            BOOST_TEST(scheduler.find(all.back()->id()) == all.back().get());
        }
        for (auto const& each : all)
            scheduler.remove(*each);
        BOOST_TEST((scheduler.next_deadline() == time_point::max()));
    });
    static_assert(noexcept(std::declval<request_scheduler&>().enqueue(std::declval<request&>())));
    static_assert(noexcept(std::declval<request_scheduler&>().requeue(std::declval<request&>())));
    static_assert(noexcept(std::declval<request_scheduler&>().park_for_input(std::declval<request&>())));
    static_assert(noexcept(std::declval<request_scheduler&>().hold(std::declval<request&>())));
}

BOOST_AUTO_TEST_SUITE_END()
