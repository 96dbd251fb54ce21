// A test program of GoogleTest in virtual time. CI runs the disabled case, and expects its report.

#include <linkspan/session.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>

//[ googletest
#define LINKSPAN_GTEST(suite, name)                                                                                    \
    struct suite##_##name##_case : ::linkspan::test::world {                                                           \
        ::boost::asio::awaitable<void> body();                                                                         \
    };                                                                                                                 \
    TEST(suite, name) { ::linkspan::test::run_case<suite##_##name##_case>(); }                                         \
    ::boost::asio::awaitable<void> suite##_##name##_case::body()
//]

using namespace std::chrono_literals;
using linkspan::inproc;
using linkspan::session;
using linkspan::via;
using linkspan::test::call;
using linkspan::test::delay;
using linkspan::test::hang;
using linkspan::test::text;

//[ googletest_case
LINKSPAN_GTEST(Weather, SlowResponseIsResult)
{
    auto& weather = add_server("weather");
    weather.on(call("forecast")).then(delay(2s), text("sunny"));
    session client(executor, via<inproc>(weather));
    co_await client.async_open();
    auto const result = co_await client.async_call_tool("forecast");
    EXPECT_EQ(result.text(), "sunny");
    EXPECT_EQ(now(), linkspan::time_point(2s)); // virtual time
}
//]

LINKSPAN_GTEST(Weather, DISABLED_ResponseIsMissing)
{
    auto& weather = add_server("weather");
    weather.on(call("forecast")).then(hang());
    linkspan::session_options options;
    options.idle_timeout = options.attempt_timeout = linkspan::duration::max();
    session client(executor, via<inproc>(weather), options);
    co_await client.async_open();
    co_await client.async_call_tool("forecast");
}
