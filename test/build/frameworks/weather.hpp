#ifndef LINKSPAN_TEST_BUILD_FRAMEWORKS_WEATHER_HPP
#define LINKSPAN_TEST_BUILD_FRAMEWORKS_WEATHER_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <string>

// A call without a timeout, so that a server that hangs is a stall.
inline boost::asio::awaitable<std::string> forecast(boost::asio::any_io_executor executor,
                                                    linkspan::test::scripted_server& server)
{
    linkspan::session_options options;
    options.idle_timeout = linkspan::duration::max();
    options.attempt_timeout = linkspan::duration::max();
    linkspan::session client(executor, linkspan::via<linkspan::inproc>(server), options);
    co_await client.async_open();
    auto const result = co_await client.async_call_tool("forecast");
    co_return std::string(result.text());
}

#endif
