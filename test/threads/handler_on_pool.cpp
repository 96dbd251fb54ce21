// A handler of a server that computes on a thread pool, as in doc/server.md.

#include <linkspan/server.hpp>
#include <linkspan/session.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <utility>

#include "support/recorded_transport.hpp"

BOOST_AUTO_TEST_SUITE(handler_on_pool_test)

namespace {

namespace asio = boost::asio;

std::thread::id computed_on; // the thread of the last call of compute()

asio::awaitable<std::string> compute(std::string arguments)
{
    computed_on = std::this_thread::get_id();
    co_return "computed " + arguments;
}

//[ pool
void add_slow(linkspan::server& own, linkspan::tool slow, asio::thread_pool& pool)
{
    own.add(slow, [&pool](linkspan::server_request request) -> asio::awaitable<void> {
        auto work = compute(std::string(request.arguments()));
        auto const text = co_await asio::co_spawn(pool, std::move(work), asio::use_awaitable);
        request.complete(linkspan::tool_output::text(text)); // on the executor of the server again
    });
}
//]

} // namespace

BOOST_AUTO_TEST_CASE(a_handler_computes_on_a_pool_and_responds_on_the_executor_of_the_server)
{
    asio::io_context context;
    asio::thread_pool pool(1);
    linkspan::server own(context.get_executor(), {.name = "own", .version = "1"});
    add_slow(own, {.name = "slow", .input_schema = R"({"type":"object"})"}, pool);
    linkspan::session client(context.get_executor(),
                             linkspan::via<linkspan::inproc>(linkspan::test::recorded_inproc_to(own)));
    std::string text;
    client.async_open([&](linkspan::error_code failed) {
        BOOST_TEST(!failed);
        client.async_call_tool("slow", [&](linkspan::error_code ec, linkspan::call_result const& result) {
            BOOST_TEST(!ec);
            text = result.text();
            client.close();
        });
    });
    context.run();
    BOOST_TEST(text == "computed {}");
    BOOST_TEST((computed_on != std::this_thread::get_id()));
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
