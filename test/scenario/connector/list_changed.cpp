// Delay and repetition of `tools/list` after list-changed notifications of servers.

#include <deque>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(list_changed_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto list_changed = "notifications/tools/list_changed";
constexpr auto list_changed_message = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

// A connector with one server that offers the tool "pay".
struct changes_world : world {
    scripted_server server;
    std::optional<hub_type> hub;

    changes_world()
    {
        server.dialogue().capabilities = R"({"tools":{"listChanged":true}})";
        server.on(call("pay")).then(text("paid"));
    }

    asio::awaitable<void> open()
    {
        hub.emplace(executor);
        hub->add<inproc>("a", server, with(1));
        auto const [ec, report] = co_await hub->async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message());
        co_await settle(executor);
    }

    std::size_t lists() const { return server.received("\"tools/list\""); }
    bool lists_tool(std::string_view name) const { return !hub->catalog()->find(name).entries.empty(); }
    void clean_up() { hub.reset(); }
};

// A stateless server that notifies of a change with each request.
struct relay_world : changes_world {
    relay_world()
    {
        server.dialogue().protocol_versions = {protocol_version::v2026_07_28};
        server.on(request("tools/list")).then(notify(list_changed, "{}"), result(R"("tools":[{"name":"pay"}])"));
    }
};

} // namespace

LINKSPAN_CASE_IN(relay_world, server_that_notifies_of_changes_with_each_request_is_listed_with_growing_waits)
{
    server.on(call("pay")).then(notify(list_changed, "{}"), text("paid"));
    co_await open();
    BOOST_TEST(lists() == 2u); // for the opening, and for the notification that the server sent with the first list
    for (int i = 0; i != 600; ++i) {
        co_await hub->async_call("pay", {});
        co_await pass(executor, 100ms);
    }
    BOOST_TEST(lists() <= 8u); // the later lists follow waits of 1, 2, 4, 8, 16 and 32 s
    co_await pass(executor, 10min);
    BOOST_TEST(lists() >= 12u);
    BOOST_TEST(lists() <= 19u);
}

LINKSPAN_CASE_IN(changes_world, last_of_many_list_changed_notifications_is_followed_by_list_request)
{
    co_await open();
    for (int i = 0; i != 50; ++i) {
        server.tool("tool" + std::to_string(i), "{}", nullptr);
        server.broadcast(list_changed_message);
        co_await pass(executor, 10ms);
    }
    co_await pass(executor, 1s);
    BOOST_TEST(lists_tool("tool49"));
    BOOST_TEST(lists() <= 4u); // for the opening, the first notification, and all later notifications together
}

LINKSPAN_CASE_IN(changes_world, list_changed_notification_after_quiet_period_is_followed_by_list_request_immediately)
{
    co_await open();
    for (std::size_t i = 1; i != 6; ++i) {
        server.broadcast(list_changed_message);
        co_await settle(executor);
        BOOST_TEST(lists() == i + 1);
        co_await pass(executor, 1min);
    }
}

LINKSPAN_CASE_IN(changes_world, failed_list_request_after_list_changed_notification_is_repeated)
{
    co_await open();
    server.on(request("tools/list")).times(3, rpc_error(-32603, "not now"));
    server.tool("late", "{}", nullptr);
    server.broadcast(list_changed_message);
    co_await settle(executor);
    BOOST_TEST(lists() == 2u);
    BOOST_TEST(lists_tool("pay"));
    BOOST_TEST(!lists_tool("late"));
    co_await pass(executor, 8s);
    BOOST_TEST(lists() == 5u);
    BOOST_TEST(lists_tool("late"));
}

LINKSPAN_CASE_IN(changes_world, call_does_not_wait_for_list_request_after_list_changed_notification)
{
    co_await open();
    server.on(request("tools/list")).then(delay(20s), result(R"("tools":[{"name":"pay"}])"));
    for (int i = 0; i != 3; ++i) {
        server.broadcast(list_changed_message);
        co_await settle(executor);
        auto const began = time.now();
        auto const [ec, got] = co_await hub->async_call("pay", {}, in_tuple);
        BOOST_TEST(!ec, ec.message());
        BOOST_TEST((time.now() == began));
        co_await pass(executor, 500ms);
    }
    BOOST_TEST(lists() == 2u);
}

LINKSPAN_CASE_IN(changes_world, scheduled_list_request_is_dropped_when_server_is_disconnected)
{
    co_await open();
    for (int i = 0; i != 2; ++i) {
        server.broadcast(list_changed_message);
        co_await settle(executor);
    }
    BOOST_TEST(lists() == 2u);
    co_await hub->async_disconnect("a");
    co_await pass(executor, 1min);
    BOOST_TEST(lists() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
