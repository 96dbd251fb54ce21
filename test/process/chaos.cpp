// Calls while real server processes are killed, stopped and restarted. The order and duration of the faults are drawn
// from a seed, which is printed; LINKSPAN_SEED=n in the environment replays it.

#include <linkspan/core/time.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#include <boost/asio/detached.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <deque>
#include <iostream>
#include <random>

#include "support/chaos_servers.hpp"
#include "support/folder.hpp"

BOOST_AUTO_TEST_SUITE(chaos_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::condition;
using linkspan::error;
using linkspan::http_sse;
using linkspan::replay_class;
using linkspan::stdio;
using linkspan::streamable_http;

namespace {

// Maximum time from the restart of a server to its first response: 2 s, and 1 s for a busy machine.
constexpr auto recovery_timeout = 3s;
constexpr auto call_limit = 8s;
constexpr auto longest_call = call_limit + 2s;
constexpr std::size_t callers = 6;
constexpr unsigned rounds = 3; // each server has one fault per round

std::uint64_t chaos_seed()
{
    auto const* const text = std::getenv("LINKSPAN_SEED");
    return text ? std::strtoull(text, nullptr, 10) : 1;
}

linkspan::arguments arguments_of(std::string const& key, unsigned ms)
{
    return linkspan::arguments(linkspan::raw_json(R"({"key":")" + key + R"(","ms":)" + std::to_string(ms) + "}"));
}

// The completion of an unsafe call.
struct unsafe_call {
    std::string line; // the line in the log of its server
    linkspan::error_code ec;
};

struct chaos_world : world {
    using chaos_hub = linkspan::connector<linkspan::transports<stdio, streamable_http, http_sse>>;
    using draws = std::mt19937_64;

    std::uint64_t const seed = chaos_seed();
    draws draw{seed};
    observe::folder folder;
    std::deque<chaos_server> servers;
    std::unique_ptr<chaos_hub> hub;
    std::vector<unsafe_call> unsafe;
    std::size_t reads = 0, failed_reads = 0, finished_calls = 0, finished_callers = 0;
    std::size_t wanted = 0; // number of finished calls that `finished` waits for
    linkspan::timer progress{executor};
    bool over = false;

    static linkspan::server_options options()
    {
        linkspan::server_options out;
        out.tools["read"].replay = replay_class::read_only;
        out.session.idle_timeout = 500ms; // detects a stopped server
        out.restart.max_restarts = 1000;
        out.restart.wait = 100ms;
        out.restart.max_wait = 500ms;
        return out;
    }

    asio::awaitable<void> open()
    {
        hub = std::make_unique<chaos_hub>(executor);
        for (auto const* const kind : {"stdio1", "http", "events", "stdio2", "sse"}) {
            auto& server = servers.emplace_back(executor, kind, folder);
            if (server.is_child_of_connector()) {
                hub->add<stdio>(kind, server.command(), options());
                continue;
            }
            co_await server.start();
            linkspan::http_config config;
            config.url = server.url();
            if (server.kind() == "sse")
                hub->add<http_sse>(kind, config, options());
            else
                hub->add<streamable_http>(kind, config, options());
        }
        co_await opens(*hub);
    }

    // Wakes the coroutines that wait for finished calls.
    void notify_progress()
    {
        if (finished_calls >= wanted)
            progress.cancel();
    }

    asio::awaitable<void> finished(std::size_t calls)
    {
        wanted = finished_calls + calls;
        while (finished_calls < wanted) {
            progress.expires_at(linkspan::time_point::max());
            co_await progress.async_wait(in_tuple);
        }
    }

    // One of the concurrent callers.

    asio::awaitable<void> calls(std::size_t caller)
    {
        draws own(seed * 1000 + caller);
        for (unsigned n = 0; !over; ++n) {
            bool const is_unsafe = own() % 3 == 0;
            std::string const tool = is_unsafe ? "write" : "read";
            std::string const key = std::to_string(caller) + "-" + std::to_string(n);
            auto const arguments = arguments_of(key, static_cast<unsigned>(own() % 20));
            linkspan::call_options how;
            how.timeout = call_limit;
            auto const began = std::chrono::steady_clock::now();
            auto const [ec, result] = co_await hub->async_call(tool, arguments, how, in_tuple);
            auto const took = std::chrono::steady_clock::now() - began;
            BOOST_TEST((took < longest_call), tool << ' ' << key << " exceeded the maximum duration");
            if (!ec)
                BOOST_TEST(result.text() == tool + ' ' + key);
            if (is_unsafe) {
                unsafe.push_back({tool + ' ' + key, ec});
            } else {
                ++reads;
                failed_reads += ec ? 1 : 0;
                BOOST_TEST(!ec, key << ": " << linkspan::explain(ec, result));
            }
            ++finished_calls;
            notify_progress();
        }
        ++finished_callers;
        progress.cancel();
    }

    // Faults

    asio::awaitable<void> breaks(chaos_server& server)
    {
        unsigned const fault = static_cast<unsigned>(draw() % 3);
        auto const calls = 20 + draw() % 200; // number of calls that finish during the fault
        char const* const names[] = {"killed", "stopped", "killed and restarted at once"};
        BOOST_TEST_MESSAGE(server.kind() << ": " << names[fault] << " for " << calls << " calls");
        auto const broken = std::chrono::steady_clock::now();
        BOOST_TEST_REQUIRE(server.signal(fault == 1 ? SIGSTOP : SIGKILL), server.kind());
        if (fault != 2)
            co_await finished(calls);
        auto back = std::chrono::steady_clock::now();
        if (fault == 1) {
            BOOST_TEST_REQUIRE(server.signal(SIGCONT), server.kind());
        } else if (!server.is_child_of_connector()) {
            server.reap();
            co_await server.start();
            back = server.started();
        }
        co_await recovers(server);
        if (fault != 1 && server.is_child_of_connector()) { // the connector has restarted it
            back = server.started();
            BOOST_TEST((back > broken), server.kind());
        }
        auto const took = std::chrono::steady_clock::now() - back;
        BOOST_TEST((took <= recovery_timeout), server.kind() << ", " << names[fault] << ": first response after "
                                                             << std::chrono::duration<double>(took).count() << " s");
    }

    // Calls the server every 50 ms, without failover, until it responds.
    asio::awaitable<void> recovers(chaos_server& server)
    {
        linkspan::call_options how;
        how.timeout = 1s;
        auto const arguments = arguments_of("probe", 0);
        auto const began = std::chrono::steady_clock::now();
        linkspan::timer pause(executor);
        for (;;) {
            auto const [ec, result] =
                co_await hub->on_server(server.kind()).async_call("read", arguments, how, in_tuple);
            if (!ec)
                co_return;
            bool const is_late = std::chrono::steady_clock::now() - began > 2 * recovery_timeout;
            BOOST_TEST_REQUIRE(!is_late, server.kind() << ": " << linkspan::explain(ec, result));
            pause.expires_after(50ms);
            co_await pause.async_wait(in_tuple);
        }
    }

    // Checks that no unsafe call was executed twice, and that the executions match the results.
    void check_executions() const
    {
        std::map<std::string, std::size_t> executions;
        for (auto const& server : servers)
            server.count(executions);
        std::size_t unknown = 0;
        for (auto const& call : unsafe) {
            auto const found = executions.find(call.line);
            auto const times = found == executions.end() ? 0 : found->second;
            BOOST_TEST(times <= 1u, call.line << " was executed " << times << " times");
            if (!call.ec)
                BOOST_TEST(times == 1u, call.line << " succeeded, but was not executed");
            else if (call.ec == condition::not_executed)
                BOOST_TEST(times == 0u, call.line << ": " << call.ec.message() << ", but it was executed");
            else
                ++unknown;
        }
        std::cout << "LINKSPAN_SEED=" << seed << ": " << reads << " reads, " << failed_reads << " of them failed; "
                  << unsafe.size() << " unsafe calls, " << unknown << " of unknown outcome\n";
    }
};

} // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(90))
HARNESS_CASE_IN(chaos_world, guarantees_of_calls_hold_while_servers_are_killed_stopped_and_restarted)
{
    BOOST_TEST_INFO_SCOPE("LINKSPAN_SEED=" << seed);
    std::cout << "LINKSPAN_SEED=" << seed << std::endl;
    co_await open();
    for (std::size_t caller = 0; caller != callers; ++caller)
        asio::co_spawn(executor, calls(caller), asio::detached);
    for (unsigned round = 0; round != rounds; ++round) {
        std::vector<std::size_t> order(servers.size());
        for (std::size_t i = 0; i != order.size(); ++i)
            order[i] = i;
        std::ranges::shuffle(order, draw);
        for (auto const which : order) {
            co_await finished(10);
            co_await breaks(servers[which]);
        }
    }
    over = true;
    while (finished_callers != callers) {
        progress.expires_at(linkspan::time_point::max());
        co_await progress.async_wait(in_tuple);
    }
    co_await shuts_down(*hub);
    for (auto& server : servers)
        server.reap();
    check_executions();
    BOOST_TEST(reads > 100u);
    BOOST_TEST(unsafe.size() > 50u);
}

BOOST_AUTO_TEST_SUITE_END()
