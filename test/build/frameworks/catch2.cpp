// A test program of Catch2 in virtual time. CI runs the hidden case, and expects its report.

#include <linkspan/session.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/use_awaitable.hpp>

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <chrono>

//[ catch_macro
#define LINKSPAN_CATCH(name, ...)                                                                                      \
    struct name##_case : ::linkspan::test::world {                                                                     \
        ::boost::asio::awaitable<void> body();                                                                         \
    };                                                                                                                 \
    TEST_CASE(#name, __VA_ARGS__) { ::linkspan::test::run_case<name##_case>(); }                                       \
    ::boost::asio::awaitable<void> name##_case::body()
//]

using namespace std::chrono_literals;
using linkspan::inproc;
using linkspan::session;
using linkspan::via;
using linkspan::test::call;
using linkspan::test::delay;
using linkspan::test::hang;
using linkspan::test::text;

//[ catch_case
LINKSPAN_CATCH(slow_response_is_the_result, "[weather]")
{
    auto& weather = add_server("weather");
    weather.on(call("forecast")).then(delay(2s), text("sunny"));
    session client(executor, via<inproc>(weather));
    co_await client.async_open();
    auto const result = co_await client.async_call_tool("forecast");
    CHECK(result.text() == "sunny");
    REQUIRE((now() == linkspan::time_point(2s))); // virtual time
}
//]

LINKSPAN_CATCH(response_is_missing, "[.]")
{
    auto& weather = add_server("weather");
    weather.on(call("forecast")).then(hang());
    linkspan::session_options options;
    options.idle_timeout = options.attempt_timeout = linkspan::duration::max();
    session client(executor, via<inproc>(weather), options);
    co_await client.async_open();
    co_await client.async_call_tool("forecast");
}
