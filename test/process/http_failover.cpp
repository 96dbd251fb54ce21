// A server process over HTTP that is killed while it streams a resumable response.

#include <linkspan/core/time.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#include <boost/asio/detached.hpp>

#include <chrono>
#include <csignal>

#include "support/chaos_servers.hpp"
#include "support/folder.hpp"

BOOST_AUTO_TEST_SUITE(http_failover_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::replay_class;
using linkspan::streamable_http;

namespace {

struct killed_world : world {
    observe::folder folder;
    chaos_server first{executor, "events", folder}, second{executor, "http", folder};
    linkspan::connector<linkspan::transports<streamable_http>> hub{executor};
    completions done{executor, 1};

    asio::awaitable<void> adds(chaos_server& server, int priority)
    {
        linkspan::server_options options;
        options.priority = priority;
        options.tools["read"].replay = replay_class::read_only;
        co_await server.start();
        linkspan::http_config config;
        config.url = server.url();
        hub.add<streamable_http>(server.kind(), config, options);
    }
};

} // namespace

HARNESS_CASE_IN(killed_world, read_only_call_to_killed_server_fails_over_within_two_seconds)
{
    co_await adds(first, 9);
    co_await adds(second, 8);
    co_await opens(hub);
    linkspan::arguments const slow(linkspan::raw_json(R"({"key":"slow","ms":20000})"));
    linkspan::arguments const quick(linkspan::raw_json(R"({"key":"quick","ms":0})"));
    linkspan::arguments const brief(linkspan::raw_json(R"({"key":"brief","ms":0})"));
    hub.async_call("read", slow, done.handler(0));
    // Two responses ensure that the server has started the stream of the slow call.
    for (auto const* const arguments : {&quick, &brief}) {
        auto const [ec, result] = co_await hub.on_server("events").async_call("read", *arguments, in_tuple);
        BOOST_TEST_REQUIRE(!ec, linkspan::explain(ec, result));
    }
    auto const killed = std::chrono::steady_clock::now();
    BOOST_TEST_REQUIRE(first.signal(SIGKILL));
    std::map<std::string, std::size_t> executions;
    linkspan::timer pause(executor);
    while (executions["read slow"] != 2) { // one execution per server
        BOOST_TEST_REQUIRE((std::chrono::steady_clock::now() - killed < 20s));
        pause.expires_after(20ms);
        co_await pause.async_wait(in_tuple);
        executions.clear();
        first.count(executions);
        second.count(executions);
    }
    BOOST_TEST((std::chrono::steady_clock::now() - killed < 2s));
    second.signal(SIGKILL); // its response is not needed
    co_await done.wait();
    auto const& trail = done.entries()[0].result.attempts();
    BOOST_TEST_REQUIRE(trail.size() >= 2u);
    BOOST_TEST(trail[0].server == "events");
    BOOST_TEST(trail[0].detail == "stream lost, 1 attempt to resume failed");
    first.reap();
    second.reap();
    co_await shuts_down(hub);
}

BOOST_AUTO_TEST_SUITE_END()
