// Duration for which the tool list of a server is considered fresh, depending on its `ttlMs`.

#include <string>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(freshness_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct ttl_case {
    char const* ttl_ms;         // a JSON value
    bool declares_list_changed; // the server declares `listChanged`
    duration holds;
};

constexpr ttl_case times[] = {
    {"1000", false, 1s},      {"1001", false, 1001ms},
    {"999", false, 1s}, // the minimum is one second
    {"0.001", false, 1s},     {"0", false, 1s},
    {"-1", false, 1s}, // treated as 0
    {"-1e300", false, 1s},    {"999", true, 1s},
    {"0", true, 300s}, // the server declares `listChanged`
    {"-1", true, 300s},       {"86399999", false, 24h - 1ms},
    {"86400000", false, 24h}, {"86400001", false, 24h},  // the maximum is one day
    {"1e300", false, 24h},    {"\"1000\"", false, 300s}, // a value that is not a number is ignored
    {"null", false, 300s},
};

struct freshness_world : world {
    asio::awaitable<void> body()
    {
        for (auto const& row : times)
            co_await holds(row);
    }

    asio::awaitable<void> holds(ttl_case const& row)
    {
        auto const label = std::string(row.ttl_ms) + (row.declares_list_changed ? ", declares listChanged" : "");
        scripted_server server;
        server.dialogue().capabilities =
            row.declares_list_changed ? R"({"tools":{"listChanged":true}})" : R"({"tools":{}})";
        server.on(call("pay")).then(text("paid"));
        server.on(request("tools/list")).then(result(R"("tools":[{"name":"pay"}],"ttlMs":)" + std::string(row.ttl_ms)));
        hub_type hub(executor);
        hub.add<inproc>("a", server);
        co_await hub.async_open();
        co_await pass(executor, row.holds - 1ns);
        co_await hub.async_call("pay");
        co_await settle(executor);
        BOOST_TEST(server.received("\"tools/list\"") == 1u, label);
        co_await pass(executor, 1ns);
        co_await hub.async_call("pay");
        co_await settle(executor);
        BOOST_TEST(server.received("\"tools/list\"") == 2u, label);
    }
};

} // namespace

LINKSPAN_CASE(failed_refresh_of_expired_list_is_repeated_with_growing_waits)
{
    scripted_server server;
    server.on(call("pay")).then(text("paid"));
    server.on(request("tools/list"))
        .once(result(R"("tools":[{"name":"pay"}],"ttlMs":1000)"))
        .times(100, rpc_error(-32603, "busy"))
        .then(result(R"("tools":[{"name":"pay"}],"ttlMs":1000)"));
    hub_type hub(executor);
    hub.add<inproc>("a", server);
    co_await hub.async_open();
    co_await pass(executor, 1s); // the list expires
    auto const lists_in = [&](duration span) -> asio::awaitable<std::size_t> {
        auto const before = server.received("\"tools/list\"");
        auto const end = since_start(time) + span;
        while (since_start(time) < end) {
            co_await hub.async_call("pay");
            co_await pass(executor, 100ms);
        }
        co_return server.received("\"tools/list\"") - before;
    };
    auto const in_first_minute = co_await lists_in(63s); // after 0 s, 1 s, 3 s, 7 s, 15 s and 31 s
    BOOST_TEST(in_first_minute == 6u);
    auto const in_ten_minutes = co_await lists_in(600s);
    BOOST_TEST(in_ten_minutes == 10u);
}

BOOST_AUTO_TEST_CASE(tool_list_is_fresh_for_ttl_of_server_between_one_second_and_one_day)
{
    run_case<freshness_world>(5 * 24h);
}

BOOST_AUTO_TEST_SUITE_END()
