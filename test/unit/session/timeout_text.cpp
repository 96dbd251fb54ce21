#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/session/detail/timeout_text.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

#include "support/idle_request.hpp"

BOOST_AUTO_TEST_SUITE(timeout_text_test)

using linkspan::time_point;
using linkspan::detail::timeout_text;
using linkspan::test::idle_request;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);

struct fixture {
    linkspan::request_scheduler scheduler{1, 1};
    idle_request op;

    fixture()
    {
        op.began = start;
        op.idle_timeout = 30s;
        op.attempt_timeout = 300s;
    }

    ~fixture() { scheduler.remove(op); }

    std::string text()
    {
        scheduler.add(op, start);
        return timeout_text(op);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(text_names_the_idle_timeout, fixture)
{
    BOOST_TEST(text() == "no response or progress within idle_timeout, 30000 ms; raise call_options::idle_timeout");
}

BOOST_FIXTURE_TEST_CASE(text_names_the_attempt_timeout, fixture)
{
    op.attempt_timeout = 1500ms;
    BOOST_TEST(text() == "attempt_timeout, 1500 ms; raise call_options::attempt_timeout");
}

BOOST_FIXTURE_TEST_CASE(attempt_timeout_precedes_an_equal_idle_timeout, fixture)
{
    op.attempt_timeout = 30s;
    BOOST_TEST(text() == "attempt_timeout, 30000 ms; raise call_options::attempt_timeout");
}

BOOST_FIXTURE_TEST_CASE(text_names_the_share_of_the_time_of_the_call, fixture)
{
    op.attempt_timeout = 2s;
    op.is_shared = true;
    BOOST_TEST(text() == "attempt_share of the remaining time, 2000 ms; raise call_options::attempt_share or timeout");
}

BOOST_FIXTURE_TEST_CASE(text_names_the_timeout_of_the_call, fixture)
{
    op.deadline = start + 10s;
    op.timeout = 12s;
    BOOST_TEST(text() == "timeout of the call, 12000 ms; raise call_options::timeout");
}

BOOST_FIXTURE_TEST_CASE(deadline_without_a_known_timeout_has_no_duration, fixture)
{
    op.deadline = start + 10s;
    BOOST_TEST(text() == "timeout of the call; raise call_options::timeout");
}

BOOST_FIXTURE_TEST_CASE(queued_request_completes_at_its_attempt_timeout, fixture)
{
    op.idle_timeout = 1s;
    op.attempt_timeout = 20s;
    scheduler.enqueue(op);
    BOOST_TEST(timeout_text(op) == "attempt_timeout, 20000 ms; raise call_options::attempt_timeout");
}

BOOST_AUTO_TEST_SUITE_END()
