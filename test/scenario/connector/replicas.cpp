#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(replicas_test)

// Calls of a tool that many servers have.

using namespace linkspan;
using namespace linkspan::test;

namespace {

struct replicas_world : world {
    std::vector<std::unique_ptr<scripted_server>> servers;
    std::optional<hub_type> hub;

    replicas_world()
    {
        hub.emplace(executor);
        for (std::size_t i = 0; i != 40; ++i) {
            auto& server = servers.emplace_back(std::make_unique<scripted_server>());
            server->tool("pay", R"({"type":"object"})", [](std::string_view) { return R"("content":[])"; });
            hub->add<inproc>("s" + std::to_string(i), *server, with(i < 20 ? 9 : 5, replay_class::read_only));
        }
    }

    // Makes calls, which must succeed, and returns the number of servers that received one.
    asio::awaitable<std::size_t> call_many_times(int calls)
    {
        std::vector<std::size_t> before;
        for (auto const& server : servers)
            before.push_back(server->received("\"tools/call\""));
        for (int i = 0; i != calls; ++i) {
            auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
            BOOST_TEST(!ec, ec.message());
        }
        std::size_t used = 0;
        for (std::size_t i = 0; i != servers.size(); ++i)
            used += servers[i]->received("\"tools/call\"") != before[i] ? 1 : 0;
        co_return used;
    }
};

} // namespace

LINKSPAN_CASE_IN(replicas_world, calls_are_distributed_among_replicas_with_the_highest_priority)
{
    co_await hub->async_open();
    BOOST_TEST(co_await call_many_times(400) == 20u);
    for (std::size_t i = 20; i != 40; ++i)
        BOOST_TEST(servers[i]->received("\"tools/call\"") == 0u);
}

LINKSPAN_CASE_IN(replicas_world, calls_use_the_remaining_replicas_after_a_loss)
{
    co_await hub->async_open();
    for (std::size_t i = 1; i != 20; ++i)
        servers[i]->drop_connections();
    BOOST_TEST(co_await call_many_times(100) == 1u);
    servers[0]->drop_connections();
    BOOST_TEST(co_await call_many_times(400) == 20u);
}

LINKSPAN_CASE_IN(replicas_world, read_only_call_fails_over_from_a_sampled_replica)
{
    co_await hub->async_open();
    for (std::size_t i = 0; i != 20; ++i)
        servers[i]->on(call("pay")).then(rpc_error(-32603, "database is down"));
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed), ec.message());
    BOOST_TEST(result.attempts().size() == 4u);
    std::set<std::string> used;
    for (auto const& attempt : result.attempts())
        used.insert(attempt.server);
    BOOST_TEST(used.size() == 4u, trail_of(result));
}

BOOST_AUTO_TEST_SUITE_END()
