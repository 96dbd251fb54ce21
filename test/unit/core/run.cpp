#include <linkspan/core/run.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(run_test)

namespace asio = boost::asio;

asio::awaitable<std::string> greeting(asio::io_context& context)
{
    co_await asio::post(context, asio::use_awaitable);
    co_return "hello";
}

asio::awaitable<void> fail(asio::io_context& context)
{
    co_await asio::post(context, asio::use_awaitable);
    throw std::runtime_error("no server");
}

struct never {
    template<class Handler>
    void operator()(Handler&&) const // destroys the handler without invoking it
    {}
};

asio::awaitable<void> wait_endlessly()
{
    co_await asio::async_initiate<asio::use_awaitable_t<> const, void()>(never(), asio::use_awaitable);
}

asio::awaitable<void> stop_and_continue(asio::io_context& context)
{
    context.stop();
    co_await asio::post(context, asio::use_awaitable);
}

BOOST_AUTO_TEST_CASE(run_returns_the_value_of_the_coroutine)
{
    asio::io_context context;
    BOOST_TEST(linkspan::run(context, greeting(context)) == "hello");
}

BOOST_AUTO_TEST_CASE(run_rethrows_the_exception_of_the_coroutine)
{
    asio::io_context context;
    BOOST_CHECK_EXCEPTION(linkspan::run(context, fail(context)), std::runtime_error,
                          [](auto const& failure) { return failure.what() == std::string("no server"); });
}

BOOST_AUTO_TEST_CASE(run_returns_despite_other_outstanding_work)
{
    asio::io_context context;
    auto const open_connection = asio::make_work_guard(context);
    BOOST_CHECK_THROW(linkspan::run(context, fail(context)), std::runtime_error);
    BOOST_TEST(linkspan::run(context, greeting(context)) == "hello");
}

BOOST_AUTO_TEST_CASE(run_restarts_a_stopped_context)
{
    asio::io_context context;
    context.stop();
    BOOST_TEST(linkspan::run(context, greeting(context)) == "hello");
}

BOOST_AUTO_TEST_CASE(run_throws_if_context_stops_or_has_no_work)
{
    asio::io_context context;
    BOOST_CHECK_THROW(linkspan::run(context, stop_and_continue(context)), std::logic_error);
    BOOST_CHECK_THROW(linkspan::run(context, wait_endlessly()), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
