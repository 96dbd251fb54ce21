// Test cases of Catch2 in virtual time. frameworks.cmake runs the program, and its hidden cases, which fail.

#define CATCH_CONFIG_MAIN
#include <linkspan/core/time.hpp>

#include <catch2/catch.hpp>
#include <chrono>

#include "weather.hpp"

//[ catch_two
#include <linkspan/test/case.hpp>

// Defines a test case of Catch2 whose body is a coroutine, and a member of a class that derives from `world`.
#define WORLD_TEST(name, tags)                                                                                         \
    struct name##_case : linkspan::test::world {                                                                       \
        boost::asio::awaitable<void> body();                                                                           \
    };                                                                                                                 \
    TEST_CASE(#name, tags) { linkspan::test::run_case<name##_case>(); }                                                \
    boost::asio::awaitable<void> name##_case::body()
//]

using namespace linkspan::test;
using namespace std::chrono_literals;

//[ catch_case
WORLD_TEST(call_takes_virtual_time, "[weather]")
{
    auto& server = add_server("weather");
    server.on(call("forecast")).then(delay(2s), text("sunny"));
    auto const result = co_await forecast(executor, server);
    REQUIRE(result == "sunny");
    bool const is_late = now() == linkspan::time_point(2s);
    CHECK(is_late);
}
//]

WORLD_TEST(stall, "[.hidden]")
{
    auto& server = add_server("weather");
    server.on(call("forecast")).then(hang());
    co_await forecast(executor, server);
}

WORLD_TEST(leak, "[.hidden]")
{
    post_at(1s, [] {});
    co_return;
}

WORLD_TEST(assertion, "[.hidden]")
{
    REQUIRE(now().time_since_epoch().count() == 1);
    co_return;
}
