#ifndef LINKSPAN_TEST_SUPPORT_SCRIPT_WORLD_HPP
#define LINKSPAN_TEST_SUPPORT_SCRIPT_WORLD_HPP

#include <linkspan/test/script/mock_script.hpp>

#include <boost/json/parse.hpp>

#include <cstdlib>
#include <string>

#include "support/session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns a script of `mock_servers/scripts`.
inline mock_script project_script(std::string const& name)
{
    return mock_script::load(std::getenv("LINKSPAN_TEST_DIR") + ("/../mock_servers/scripts/" + name));
}

// A session with a server that a script describes.
struct script_world : session_world {
    // Opens the session.
    asio::awaitable<void> open(mock_script script)
    {
        script.add_to(server);
        co_await make().async_open();
    }
    asio::awaitable<void> open(std::string const& json) { return open(mock_script::parse(json)); }

    // Calls a tool. `arguments`: JSON text. Returns the text of the result, or the message of the error.
    asio::awaitable<std::string> reply(std::string tool, std::string arguments = "{}")
    {
        auto const parsed = boost::json::parse(arguments).as_object();
        auto const [ec, result] = co_await client->async_call_tool(tool, parsed, in_tuple);
        last = ec;
        last_result = result;
        co_return ec&& result.text().empty() ? ec.message() : result.text();
    }

    error_code last;
    linkspan::call_result last_result;
};

} // namespace linkspan::test

#endif
