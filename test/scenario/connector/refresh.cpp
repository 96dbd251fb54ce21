// Refreshes of the catalog concurrent with calls: calls do not wait for them, and a failed refresh changes nothing.

#include <string>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(refresh_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server whose tool list is stale after a second and which responds to calls after 20 ms.
struct refresh_world : world {
    scripted_server a;
    hub_type hub{executor};

    refresh_world()
    {
        a.on(call("pay")).then(delay(20ms), text("paid"));
        hub.add<inproc>("a", a);
    }

    rule& lists() { return a.on(request("tools/list")).once(result(R"("tools":[{"name":"pay"}],"ttlMs":1000)")); }

    asio::awaitable<duration> time_of_call()
    {
        auto const began = time.now();
        auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
        BOOST_TEST(!ec, ec.message());
        co_return time.now() - began;
    }

    std::size_t lists_read() const { return a.received("\"tools/list\""); }
};

} // namespace

LINKSPAN_CASE_IN(refresh_world, calls_do_not_wait_for_hanging_refresh)
{
    lists().then(hang());
    co_await hub.async_open();
    co_await pass(executor, 2s);
    for (int i = 0; i != 100; ++i) {
        auto const span = co_await time_of_call();
        BOOST_TEST_REQUIRE((span == 20ms));
    }
    BOOST_TEST(lists_read() == 2u); // one refresh was started and still hangs
}

LINKSPAN_CASE_IN(refresh_world, calls_do_not_wait_for_refresh_by_caller)
{
    lists().then(delay(10s), result(R"("tools":[{"name":"pay"},{"name":"new"}])"));
    co_await hub.async_open();
    bool is_over = false;
    hub.async_refresh_tools([&](error_code, auto) { is_over = true; });
    auto const span = co_await time_of_call();
    BOOST_TEST((span == 20ms));
    BOOST_TEST(!is_over);
    co_await pass(executor, 10s);
    BOOST_TEST(is_over);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
}

LINKSPAN_CASE_IN(refresh_world, failed_refresh_keeps_catalog)
{
    lists().then(rpc_error(-32603, "no"));
    co_await hub.async_open();
    auto const before = hub.catalog();
    for (int i = 0; i != 3; ++i) {
        co_await pass(executor, 2s);
        auto const span = co_await time_of_call();
        BOOST_TEST((span == 20ms));
        co_await settle(executor);
    }
    co_await hub.async_refresh_tools(in_tuple);
    BOOST_TEST(lists_read() > 3u);
    BOOST_TEST((hub.catalog() == before)); // same snapshot
    BOOST_TEST(!hub.state().servers[0].last_error.empty());
}

LINKSPAN_CASE_IN(refresh_world, refresh_that_loses_connection_keeps_catalog)
{
    lists().then(drop_connection());
    co_await hub.async_open();
    co_await hub.async_refresh_tools(in_tuple);
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
