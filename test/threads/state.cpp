// Functions that may be called from other threads during calls and changes of the catalog. The thread sanitizer checks
// this test.

#include <linkspan/connector.hpp>
#include <linkspan/test/calculator.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <thread>

BOOST_AUTO_TEST_SUITE(state_test)

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>>;

namespace {

asio::awaitable<void> call_and_change(hub_type& hub, linkspan::test::scripted_server& server)
{
    co_await hub.async_open();
    boost::json::object const args{{"a", 2}, {"b", 3}};
    for (int i = 0; i != 200; ++i) {
        auto const result = co_await hub.async_call("add", args);
        BOOST_TEST(result.text() == "5");
        server.tool("tool_" + std::to_string(i), "{}", nullptr);
        server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    }
    co_await hub.async_shutdown();
}

} // namespace

BOOST_AUTO_TEST_CASE(state_and_catalog_can_be_read_from_another_thread)
{
    asio::io_context context{1};
    linkspan::test::scripted_server server({linkspan::protocol_version::v2025_11_25});
    linkspan::test::make_calculator(server);
    hub_type hub(context.get_executor());
    hub.add<linkspan::inproc>("calculator", server);
    std::atomic<bool> done = false;
    std::size_t seen = 0;
    std::thread reader([&] {
        while (!done) {
            for (auto const& status : hub.state().servers)
                seen += status.server.size() + status.last_error.size();
            auto const catalog = hub.catalog();
            for (auto const& entry : catalog->tools())
                seen += entry.exposed.size();
        }
    });
    asio::co_spawn(context, call_and_change(hub, server), [&](std::exception_ptr failure) {
        BOOST_TEST(!failure);
        done = true;
    });
    context.run();
    done = true;
    reader.join();
    BOOST_TEST(seen != 0u);
    BOOST_TEST(hub.state().servers.front().calls == 200u);
}

BOOST_AUTO_TEST_SUITE_END()
