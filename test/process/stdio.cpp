#include <linkspan/transport/stdio.hpp>

#include <linkspan/session.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <exception>
#include <string>

namespace asio = boost::asio;
using linkspan::error;
using linkspan::error_code;
using namespace std::chrono_literals;

namespace {

constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);

std::string program(std::string const& name)
{
    auto const* const folder = std::getenv("LINKSPAN_BIN_DIR");
    return (folder ? std::string(folder) + "/" : std::string()) + name;
}

// Runs a coroutine with a session of its own, in real time.
template<class Body>
void with_server(linkspan::stdio_config config, Body body, linkspan::session_options options = {})
{
    asio::io_context context{1};
    std::exception_ptr failure;
    bool done = false;
    {
        linkspan::session session(context.get_executor(), linkspan::via<linkspan::stdio>(std::move(config)),
                                  std::move(options));
        asio::co_spawn(context, body(session), [&](std::exception_ptr thrown) {
            failure = thrown;
            done = true;
        });
        while (!done && context.run_one() != 0) {
        }
    }
    context.restart();
    context.run();
    BOOST_TEST(done);
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace

BOOST_AUTO_TEST_SUITE(stdio_test)

BOOST_AUTO_TEST_CASE(a_calculator_adds)
{
    with_server({.command = program("mock-calculator")}, [](linkspan::session& session) -> asio::awaitable<void> {
        co_await session.async_open();
        BOOST_TEST((session.spoken() == linkspan::revision::r2026_07_28));
        boost::json::object const args{{"a", 2}, {"b", 3}};
        auto const sum = co_await session.async_call_tool("add", args);
        BOOST_TEST(sum.text() == "5");
        co_await session.async_shutdown();
    });
}

BOOST_AUTO_TEST_SUITE_END()
