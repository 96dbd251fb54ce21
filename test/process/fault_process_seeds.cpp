// The kinds of faults that need a process, with seeds: a connector calls the tools of processes of linkspan-mock, some
// of whose messages have a fault. Each call completes, no call that may not be repeated is executed twice, and no
// process remains.

#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/chaos_seeds.hpp"
#include "support/client_runs.hpp"
#include "support/folder.hpp"
#include "support/grace_periods.hpp"
#include "support/harness.hpp"
#include "support/mock_plans.hpp"

BOOST_AUTO_TEST_SUITE(fault_process_seeds_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::name_of;
using linkspan::stdio;
using linkspan::test::chaos_seeds;
using linkspan::test::fault_description;
using linkspan::test::fault_descriptions;
using linkspan::test::fault_kind;
using linkspan::test::with_grace_periods;
using observe::folder;

namespace {

constexpr int calls = 6;

// Returns the tool of a call. A call of "pay" must not be executed twice.
std::string_view tool_of(int number) { return number % 2 == 0 ? "read" : "pay"; }

// Returns the script of a server that writes the number of each executed call to stderr.
std::string script_of(fault_description const& what, std::string_view version)
{
    std::string rules;
    for (int i = 0; i != calls; ++i) {
        auto const number = std::to_string(i);
        rules += (i == 0 ? "" : ",") + (R"({"on":{"call":")" + std::string(tool_of(i))) +
                 R"("},"where":{"/arguments/number":)" + number + R"(},"do":[{"stderr":"executed )" + number +
                 R"("},{"text":")" + number + R"("}]})";
    }
    return R"({"mock":1,"protocolVersions":[")" + std::string(version) +
           R"("],"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"pay"}],"chaos":{"percent":15,)"
           R"("kinds":[")" +
           std::string(name_of(what.kind)) + R"("],"maxFaults":2},"rules":[)" + rules + "]}";
}

// A connector of one server, which is started again after the end of its process.
struct client {
    fault_description const& what;
    std::string_view version;
    std::uint64_t seed;
    std::map<std::string, int, std::less<>> executions{}; // by the line of stderr
    int results = 0;
    std::vector<linkspan::test::chaos_fault> occurred{};

    std::string name() const
    {
        return std::string(name_of(what.kind)) + "-" + std::string(version) + "-" + std::to_string(seed);
    }

    asio::awaitable<void> call(linkspan::connector_base& hub, int number)
    {
        auto const text = std::to_string(number);
        linkspan::arguments const arguments(linkspan::raw_json(R"({"number":)" + text + '}'));
        linkspan::call_options limits;
        limits.timeout = 3s;
        auto const [ec, result] = co_await hub.async_call(tool_of(number), arguments, limits, in_tuple);
        if (ec)
            co_return;
        ++results;
        BOOST_TEST(result.text() == text, name() << ", call " << number << ": " << result.text());
    }

    asio::awaitable<void> run(asio::any_io_executor executor, folder const& files)
    {
        auto const plans = files.path() + "/" + name();
        auto const script = files.add(name() + ".json", script_of(what, version), std::filesystem::perms::owner_all);
        std::vector<std::string> words{"--script", script, "--seed", std::to_string(seed)};
        auto config = with_grace_periods(mock_with_plans(std::move(words), plans), 100ms);
        config.on_stderr = [this](std::string_view line) { ++executions[std::string(line)]; };
        linkspan::server_options options;
        options.session.startup_timeout = 8s;
        options.session.idle_timeout = 5s; // of the list of tools, and longer than the timeout of the call
        options.restart.wait = 1ms;
        options.restart.max_restarts = 100;
        hub_type hub(executor);
        hub.add<stdio>("server", config, options);
        co_await hub.async_open(in_tuple);
        for (int i = 0; i != calls; ++i)
            co_await call(hub, i);
        co_await hub.async_shutdown(in_tuple);
        occurred = planned_faults(plans);
    }

    void check() const
    {
        for (int i = 0; i != calls; ++i) {
            auto const found = executions.find("executed " + std::to_string(i));
            if (found != executions.end() && tool_of(i) == "pay")
                BOOST_TEST(found->second == 1, name() << ": executed call " << i << ' ' << found->second << " times");
        }
        for (auto const& fault : occurred)
            BOOST_TEST((fault.fault == what.kind), name() << ": found " << name_of(fault.fault));
        // The other kinds end the output of the process, or its reading.
        bool const continues = what.kind != fault_kind::stdout_closed && what.kind != fault_kind::stdin_unread &&
                               what.kind != fault_kind::grandchild;
        if (continues || occurred.empty())
            BOOST_TEST(results == calls, name() << ": " << results << " results");
    }
};

} // namespace

// LINKSPAN_CHAOS_SEEDS in the environment replaces the number of seeds, and LINKSPAN_CHAOS_FIRST_SEED the first one.
BOOST_AUTO_TEST_CASE(calls_of_faulty_processes_complete_and_are_not_repeated_unsafely)
{
    constexpr std::uint64_t seeds = 4;
    auto const [first, end] = chaos_seeds(seeds);
    std::deque<client> clients;
    for (auto const& what : fault_descriptions())
        if (what.carriers.stdio && !what.carriers.inproc)
            for (auto const* const version : {"2025-11-25", "2026-07-28"})
                for (auto seed = first; seed != end; ++seed)
                    clients.push_back({.what = what, .version = version, .seed = seed});
    run_clients(clients);
    std::map<fault_kind, int> faults, results;
    for (auto const& one : clients) {
        BOOST_TEST_CONTEXT("plan " << to_json(linkspan::test::chaos_plan{.faults = one.occurred}))
        {
            one.check();
        }
        faults[one.what.kind] += static_cast<int>(one.occurred.size());
        results[one.what.kind] += one.results;
    }
    BOOST_TEST(faults.size() == 8U);
    for (auto const& [kind, count] : faults) {
        BOOST_TEST_MESSAGE(name_of(kind) << ": " << count << " faults, " << results[kind] << " results");
        BOOST_TEST((count > 0 || end - first < seeds), name_of(kind) << " has not occurred");
        BOOST_TEST((results[kind] > 0 || end - first < seeds), name_of(kind) << ": no call has a result");
    }
}

BOOST_AUTO_TEST_SUITE_END()
