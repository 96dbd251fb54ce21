#include <linkspan/connector/detail/attempt_interception.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <utility>

BOOST_AUTO_TEST_SUITE(attempt_interception_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::attempt_interception;

BOOST_AUTO_TEST_CASE(attempt_that_interceptors_complete_before_the_request_was_not_sent)
{
    auto const attempt = std::make_shared<attempt_interception>();
    BOOST_TEST(!attempt->is_sent());
    BOOST_TEST(attempt->tool() == "");
    auto const result = attempt->outcome_of(error::interceptor_failed, {}, 3s);
    BOOST_TEST((result.certainty == certainty::not_sent));
    BOOST_TEST((result.ec == error::interceptor_failed));
    BOOST_TEST((result.elapsed == 3s));
    BOOST_TEST(!result.has_response);
}

BOOST_AUTO_TEST_CASE(result_is_a_completed_attempt_with_a_response)
{
    auto const result = std::make_shared<attempt_interception>()->outcome_of({}, {}, 3s);
    BOOST_TEST((result.certainty == certainty::completed));
    BOOST_TEST(result.has_response);
    BOOST_TEST(!result.ec);
}

BOOST_AUTO_TEST_CASE(failed_request_determines_the_certainty)
{
    attempt_record record;
    record.result.certainty = certainty::refused;
    record.result.has_response = true;
    record.result.ec = error::attempt_timed_out;
    call_result failed;
    failed.trail({record});
    auto const result = std::make_shared<attempt_interception>()->outcome_of(error::interceptor_failed, failed, 3s);
    BOOST_TEST((result.certainty == certainty::refused));
    BOOST_TEST(result.has_response);
    BOOST_TEST((result.ec == error::interceptor_failed));
    BOOST_TEST((result.elapsed == 3s));
}

BOOST_AUTO_TEST_CASE(cancelled_attempt_without_a_request_was_not_sent)
{
    auto const result = std::make_shared<attempt_interception>()->outcome_if_cancelled(1s);
    BOOST_TEST((result.certainty == certainty::not_sent));
    BOOST_TEST((result.ec == boost::asio::error::operation_aborted));
    BOOST_TEST((result.elapsed == 1s));
}

BOOST_AUTO_TEST_SUITE_END()
