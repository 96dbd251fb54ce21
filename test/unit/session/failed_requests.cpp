#include <linkspan/session/detail/failed_requests.hpp>

#include <boost/test/unit_test.hpp>

#include "support/idle_request.hpp"

BOOST_AUTO_TEST_SUITE(failed_requests_test)

using linkspan::certainty;
using linkspan::error;
using linkspan::detail::failed_requests;
using linkspan::test::idle_request;

namespace {

struct fixture {
    idle_request a, b, c;
    failed_requests failed; // links the requests

    // Adds a request, and returns whether a pass has to be scheduled.
    bool add(idle_request& op, certainty known = certainty::not_sent)
    {
        return failed.add(op, {error::not_connected, known});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(request_keeps_its_failure_until_it_is_taken, fixture)
{
    BOOST_TEST(add(a, certainty::refused));
    BOOST_TEST((failed_requests::failure_of(a).ec == error::not_connected));
    BOOST_TEST((failed_requests::failure_of(a).certainty == certainty::refused));
    failed.begin_pass();
    BOOST_TEST(failed.take() == &a);
    BOOST_TEST((failed_requests::failure_of(a).ec == error::not_connected));
    BOOST_TEST(!failed.take());
}

BOOST_FIXTURE_TEST_CASE(request_counts_as_sent_only_if_its_outcome_is_unknown, fixture)
{
    for (auto const known : {certainty::not_sent, certainty::refused, certainty::completed, certainty::unknown}) {
        add(a, known);
        BOOST_TEST(a.is_sent() == (known == certainty::unknown));
        failed.remove(a);
        BOOST_TEST(!a.is_sent());
    }
}

BOOST_FIXTURE_TEST_CASE(one_pass_is_scheduled_for_all_requests_before_it, fixture)
{
    BOOST_TEST(add(a));
    BOOST_TEST(!add(b));
    BOOST_TEST(failed.begin_pass() == 2U);
    BOOST_TEST(failed.take() == &a);
    BOOST_TEST(failed.take() == &b);
    BOOST_TEST(add(c));
}

BOOST_FIXTURE_TEST_CASE(request_that_is_added_during_a_pass_is_left_for_the_next_one, fixture)
{
    add(a);
    BOOST_TEST(failed.begin_pass() == 1U);
    BOOST_TEST(failed.take() == &a);
    BOOST_TEST(add(a)); // the object is used for another request
    BOOST_TEST(!add(b));
    BOOST_TEST(failed.begin_pass() == 2U);
}

BOOST_FIXTURE_TEST_CASE(pass_stays_scheduled_if_its_only_request_is_removed, fixture)
{
    BOOST_TEST(add(a));
    failed.remove(a);
    BOOST_TEST(!add(b));
    BOOST_TEST(failed.begin_pass() == 1U);
    BOOST_TEST(failed.take() == &b);
}

BOOST_FIXTURE_TEST_CASE(removed_request_is_not_taken, fixture)
{
    add(a);
    add(b);
    add(c);
    failed.remove(b);
    failed.remove(b); // has no effect
    BOOST_TEST(failed.begin_pass() == 2U);
    BOOST_TEST(failed.take() == &a);
    failed.remove(a); // was taken before
    BOOST_TEST(failed.take() == &c);
    BOOST_TEST(!failed.take());
}

BOOST_FIXTURE_TEST_CASE(pass_that_an_exception_ended_is_resumed_once, fixture)
{
    add(a);
    add(b);
    add(c);
    failed.begin_pass();
    failed.take();
    BOOST_TEST(failed.resume());
    BOOST_TEST(!failed.resume());
    BOOST_TEST(failed.begin_pass() == 2U);
    failed.take();
    failed.take();
    BOOST_TEST(!failed.resume()); // nothing is left
    BOOST_TEST(add(a));
}

BOOST_FIXTURE_TEST_CASE(pass_that_was_scheduled_meanwhile_is_not_scheduled_again, fixture)
{
    add(a);
    add(b);
    failed.begin_pass();
    failed.take();
    BOOST_TEST(add(c));
    BOOST_TEST(!failed.resume());
}

BOOST_AUTO_TEST_SUITE_END()
