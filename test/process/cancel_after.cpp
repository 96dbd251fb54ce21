// Operations with the completion token `cancel_after`, available since Boost 1.86. Its timer runs in real time.

#include <linkspan/connector.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>

namespace cancel_after_test {

namespace asio = boost::asio;
using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Makes the server send no response to requests of these methods.
void leave_without_response(scripted_server& server, std::initializer_list<std::string> methods)
{
    for (auto const& method : methods)
        server.on(request(method)).then(hang());
}

// Runs the operation that `start` initiates with a handler, until it completes.
template<class Start>
void check_aborted(asio::io_context& context, std::string const& name, Start start)
{
    std::optional<error_code> ended;
    auto on_end = [&](error_code ec, auto const&...) {
        ended = ec;
        context.stop();
    };
    start(asio::cancel_after(1ms, on_end));
    context.restart();
    context.run();
    BOOST_TEST_REQUIRE(ended.has_value(), name);
    BOOST_TEST(*ended == error_code(asio::error::operation_aborted), name << ": " << ended->message());
}

struct hanging_world {
    asio::io_context context;
    scripted_server silent; // does not respond to the opening
    scripted_server hanging;

    hanging_world()
    {
        leave_without_response(silent, {"server/discover", "initialize"});
        leave_without_response(hanging, {"tools/list", "tools/call"});
    }
};

} // namespace

} // namespace cancel_after_test

BOOST_FIXTURE_TEST_SUITE(cancel_after_test, cancel_after_test::hanging_world)

BOOST_AUTO_TEST_CASE(session_operations_are_aborted_by_cancel_after)
{
    session opening(context.get_executor(), via<inproc>(silent));
    check_aborted(context, "async_open", [&](auto token) { opening.async_open(token); });
    session client(context.get_executor(), via<inproc>(hanging));
    bool is_open = false;
    client.async_open([&](error_code ec) { is_open = !ec; });
    context.restart();
    context.poll();
    BOOST_TEST_REQUIRE(is_open);
    check_aborted(context, "async_call_tool", [&](auto token) { client.async_call_tool("pay", token); });
    check_aborted(context, "async_list_tools", [&](auto token) { client.async_list_tools(token); });
}

BOOST_AUTO_TEST_CASE(connector_operations_are_aborted_by_cancel_after)
{
    connector<transports<inproc>> hub(context.get_executor());
    hub.add<inproc>("silent", silent);
    check_aborted(context, "async_open", [&](auto token) { hub.async_open(token); });
    check_aborted(context, "async_connect", [&](auto token) { hub.async_connect("silent", token); });
    hub.async_open([](error_code, open_report const&) {}); // the operations below wait for it
    check_aborted(context, "async_refresh_tools", [&](auto token) { hub.async_refresh_tools(token); });
    check_aborted(context, "async_call", [&](auto token) { hub.async_call("pay", token); });
    check_aborted(context, "async_replace",
                  [&](auto token) { hub.async_replace<inproc>("silent", silent, server_options(), token); });
}

BOOST_AUTO_TEST_SUITE_END()
