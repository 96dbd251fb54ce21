#include <linkspan/session/detail/session_recovery.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

#include "support/failing_allocations.hpp"
#include "support/idle_request.hpp"

BOOST_AUTO_TEST_SUITE(session_recovery_test)

using linkspan::request_scheduler;
using linkspan::time_point;
using linkspan::detail::session_recovery;
using decision = session_recovery::decision;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);
constexpr bool handshake = true, stateless = false;

struct request final : linkspan::test::started_request {
    request() : started_request(start) {}
};

// The requests are removed at the end, because a hook must not be destroyed while it is in a list.
struct fixture {
    session_recovery recovery;
    request_scheduler scheduler{8, 8};
    request a, b, c;

    ~fixture()
    {
        for (auto* each : {&a, &b, &c})
            scheduler.remove(*each);
    }

    // Starts a request and sends it.
    void call(request& op)
    {
        session_recovery::on_started(op);
        send(op);
    }

    void send(request& op)
    {
        recovery.on_sent(op);
        scheduler.add(op, start);
    }

    decision lose(request& op, bool era = handshake) { return recovery.on_session_lost(op, scheduler, era); }
    decision refuse(request& op) { return recovery.on_headers_refused(op, scheduler); }

    bool is_sent(request const& op) const { return scheduler.find(op.id()) == &op; }

    // Sends the queued requests, as after a repair.
    void send_queued()
    {
        while (auto* const op = scheduler.next(start)) {
            recovery.on_sent(*op);
            scheduler.add(*op, start);
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(lost_session_is_renewed_and_the_request_is_queued, fixture)
{
    call(a);
    BOOST_TEST(!recovery.is_renewing());
    BOOST_TEST((lose(a) == decision::renew));
    BOOST_TEST(recovery.is_renewing());
    BOOST_TEST(!is_sent(a));
    BOOST_TEST(scheduler.next(start) == &a);
    recovery.on_renewed();
    BOOST_TEST(!recovery.is_renewing());
}

BOOST_FIXTURE_TEST_CASE(requests_that_are_refused_during_a_renewal_share_it, fixture)
{
    call(a);
    call(b);
    BOOST_TEST((lose(a) == decision::renew));
    BOOST_TEST((lose(b) == decision::repeat));
    BOOST_TEST(!is_sent(b));
    BOOST_TEST(scheduler.in_flight() == 2U);
}

BOOST_FIXTURE_TEST_CASE(request_of_the_old_session_is_repeated_without_another_renewal, fixture)
{
    call(a);
    call(b);
    lose(a);
    recovery.on_renewed();
    send_queued();
    BOOST_TEST((lose(b) == decision::repeat));
    BOOST_TEST(!recovery.is_renewing());
    call(c);
    BOOST_TEST((lose(c) == decision::renew)); // the new session is lost too
}

BOOST_FIXTURE_TEST_CASE(request_of_a_lost_session_requests_one_renewal, fixture)
{
    call(a);
    lose(a);
    recovery.on_renewed();
    send_queued();
    BOOST_TEST(is_sent(a));
    BOOST_TEST((lose(a) == decision::fail));
    BOOST_TEST(is_sent(a));
    BOOST_TEST(!recovery.is_renewing());
}

BOOST_FIXTURE_TEST_CASE(reused_request_object_may_request_another_renewal, fixture)
{
    call(a);
    lose(a);
    recovery.on_renewed();
    send_queued();
    scheduler.remove(a);
    call(a);
    BOOST_TEST((lose(a) == decision::renew));
}

BOOST_FIXTURE_TEST_CASE(session_without_a_handshake_is_not_renewed, fixture)
{
    call(a);
    BOOST_TEST((lose(a, stateless) == decision::fail));
    BOOST_TEST(is_sent(a));
    BOOST_TEST((lose(a) == decision::renew)); // the refusal has not used the only repair of the request
}

BOOST_FIXTURE_TEST_CASE(request_of_an_old_session_is_repeated_in_a_version_without_a_handshake, fixture)
{
    call(a);
    call(b);
    lose(a);
    recovery.on_renewed(); // in the era `stateless`
    BOOST_TEST((lose(b, stateless) == decision::repeat));
}

BOOST_FIXTURE_TEST_CASE(stopped_renewal_leaves_the_requests_queued, fixture)
{
    BOOST_TEST(!recovery.stop_renewal());
    call(a);
    lose(a);
    BOOST_TEST(recovery.stop_renewal());
    BOOST_TEST(!recovery.is_renewing());
    BOOST_TEST(!recovery.stop_renewal());
    BOOST_TEST(scheduler.first_waiting() == &a);
}

BOOST_FIXTURE_TEST_CASE(renewal_after_a_stopped_one_begins_again, fixture)
{
    call(a);
    lose(a);
    recovery.stop_renewal();
    scheduler.remove(a);
    call(b);
    BOOST_TEST((lose(b) == decision::renew));
}

BOOST_FIXTURE_TEST_CASE(call_with_refused_headers_is_parked_until_the_tools_are_listed, fixture)
{
    call(a);
    BOOST_TEST((refuse(a) == decision::list));
    BOOST_TEST(scheduler.parked().size() == 1U);
    recovery.on_listed(scheduler);
    BOOST_TEST(scheduler.parked().empty());
    BOOST_TEST(scheduler.next(start) == &a);
}

BOOST_FIXTURE_TEST_CASE(calls_that_are_refused_during_a_list_share_it_and_keep_their_order, fixture)
{
    for (auto* each : {&a, &b, &c})
        call(*each);
    BOOST_TEST((refuse(b) == decision::list));
    BOOST_TEST((refuse(a) == decision::repeat));
    BOOST_TEST((refuse(c) == decision::repeat));
    recovery.on_listed(scheduler);
    for (auto* each : {&b, &a, &c}) {
        BOOST_TEST(scheduler.next(start) == each);
        send(*each);
    }
}

BOOST_FIXTURE_TEST_CASE(call_with_refused_headers_requests_one_list, fixture)
{
    call(a);
    refuse(a);
    recovery.on_listed(scheduler);
    send_queued();
    BOOST_TEST((refuse(a) == decision::fail));
    BOOST_TEST(is_sent(a));
    call(b);
    BOOST_TEST((refuse(b) == decision::list));
}

BOOST_FIXTURE_TEST_CASE(reused_request_object_may_request_another_list, fixture)
{
    call(a);
    refuse(a);
    recovery.on_listed(scheduler);
    send_queued();
    scheduler.remove(a);
    call(a);
    BOOST_TEST((refuse(a) == decision::list));
}

BOOST_FIXTURE_TEST_CASE(failed_list_returns_each_parked_call_once, fixture)
{
    call(a);
    call(b);
    refuse(a);
    refuse(b);
    recovery.on_list_failed();
    BOOST_TEST(session_recovery::next_without_list(scheduler) == &a);
    scheduler.remove(a);
    BOOST_TEST(session_recovery::next_without_list(scheduler) == &b);
    BOOST_TEST(!session_recovery::next_without_list(scheduler));
    call(c);
    BOOST_TEST((refuse(c) == decision::list)); // a failed list is not in progress any more
}

BOOST_FIXTURE_TEST_CASE(call_that_completes_before_the_list_is_not_repeated, fixture)
{
    call(a);
    refuse(a);
    scheduler.remove(a);
    recovery.on_listed(scheduler);
    BOOST_TEST(scheduler.in_flight() == 0U);
    BOOST_TEST(!session_recovery::next_without_list(scheduler));
}

BOOST_FIXTURE_TEST_CASE(request_that_is_parked_for_input_does_not_wait_for_a_list, fixture)
{
    call(a);
    call(b);
    scheduler.park_for_input(a);
    refuse(b);
    recovery.on_listed(scheduler);
    BOOST_TEST(&scheduler.parked().front() == &a);
    BOOST_TEST(scheduler.next(start) == &b);
    BOOST_TEST(!session_recovery::next_without_list(scheduler));
}

BOOST_FIXTURE_TEST_CASE(one_call_can_need_both_corrections, fixture)
{
    call(a);
    BOOST_TEST((refuse(a) == decision::list));
    recovery.on_listed(scheduler);
    send_queued();
    BOOST_TEST((lose(a) == decision::renew));
    recovery.on_renewed();
    send_queued();
    BOOST_TEST((refuse(a) == decision::fail));
    BOOST_TEST((lose(a) == decision::fail));
}

BOOST_FIXTURE_TEST_CASE(recovery_allocates_no_memory, fixture)
{
    static_assert(noexcept(recovery.on_session_lost(a, scheduler, true)));
    static_assert(noexcept(recovery.on_headers_refused(a, scheduler)));
    static_assert(noexcept(recovery.on_listed(scheduler)));
    call(a);
    call(b);
    decision of_a{}, of_b{};
    {
        linkspan::test::failing_allocation const failing(0);
        of_a = lose(a);
        of_b = refuse(b);
        recovery.on_listed(scheduler);
        recovery.on_renewed();
    }
    BOOST_TEST((of_a == decision::renew));
    BOOST_TEST((of_b == decision::list));
    BOOST_TEST(scheduler.next(start) == &a);
    send_queued();
    BOOST_TEST(is_sent(b));
}

BOOST_AUTO_TEST_SUITE_END()
