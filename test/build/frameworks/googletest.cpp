// Test cases of GoogleTest in virtual time. frameworks.cmake runs the program, and its disabled cases, which fail.

#include <linkspan/core/time.hpp>

#include <chrono>
#include <gtest/gtest.h>

#include "weather.hpp"

//[ googletest
#include <linkspan/test/case.hpp>

// Defines a test of GoogleTest whose body is a coroutine, and a member of a class that derives from `world`.
#define WORLD_TEST(suite, name)                                                                                        \
    struct suite##_##name##_case : linkspan::test::world {                                                             \
        boost::asio::awaitable<void> body();                                                                           \
    };                                                                                                                 \
    TEST(suite, name) { linkspan::test::run_case<suite##_##name##_case>(); }                                           \
    boost::asio::awaitable<void> suite##_##name##_case::body()
//]

using namespace linkspan::test;
using namespace std::chrono_literals;

//[ googletest_case
WORLD_TEST(weather, call_takes_virtual_time)
{
    auto& server = add_server("weather");
    server.on(call("forecast")).then(delay(2s), text("sunny"));
    auto const result = co_await forecast(executor, server);
    EXPECT_EQ(result, "sunny");
    EXPECT_TRUE(now() == linkspan::time_point(2s));
}
//]

WORLD_TEST(hidden, DISABLED_stall)
{
    auto& server = add_server("weather");
    server.on(call("forecast")).then(hang());
    co_await forecast(executor, server);
}

WORLD_TEST(hidden, DISABLED_leak)
{
    post_at(1s, [] {});
    co_return;
}

WORLD_TEST(hidden, DISABLED_assertion)
{
    EXPECT_EQ(now().time_since_epoch().count(), 1);
    co_return;
}
