#ifndef LINKSPAN_TEST_SUPPORT_WEATHER_HPP
#define LINKSPAN_TEST_SUPPORT_WEATHER_HPP

// The script weather.json of mock_servers/scripts, and calls of its tool.

#include <boost/json/object.hpp>

#include <cstdlib>
#include <string>

#include "harness.hpp"

namespace harness {

// Returns the path of a script of mock_servers/scripts.
inline std::string script(std::string const& name)
{
    return std::getenv("LINKSPAN_TEST_DIR") + ("/../mock_servers/scripts/" + name);
}

// Returns the command of a mock server with the script at a path.
inline linkspan::stdio_config mock_with(std::string const& path) { return mock("linkspan-mock", {"--script", path}); }

// Calls the tool of weather.json on a server that was just started, and checks the results.
inline asio::awaitable<void> forecasts(linkspan::session& client)
{
    boost::json::object oslo, atlantis;
    oslo["city"] = "Oslo";
    atlantis["city"] = "Atlantis";
    auto const first = co_await client.async_call_tool("forecast", oslo);
    BOOST_TEST(first.text() == "still warming up");
    auto const second = co_await client.async_call_tool("forecast", oslo);
    BOOST_TEST(second.text() == "sunny in Oslo");
    auto const third = co_await client.async_call_tool("forecast", atlantis);
    BOOST_TEST(third.is_error());
    BOOST_TEST(third.text() == "Atlantis was not found");
}

} // namespace harness

#endif
