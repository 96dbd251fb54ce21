// Complete conversations with mock-calculator as a child process, in each protocol version.

#include <linkspan/core/time.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "support/harness.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(stdio_test)

using namespace harness;
using namespace std::chrono_literals;
namespace data = boost::unit_test::data;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::protocol_version;
using linkspan::session_state;
using linkspan::stdio;

namespace {

linkspan::stdio_config calculator(std::vector<std::string> protocol_versions = {})
{
    return mock("mock-calculator", std::move(protocol_versions));
}

linkspan::transport_factory via_calculator(std::vector<std::string> protocol_versions = {})
{
    return linkspan::via<stdio>(calculator(std::move(protocol_versions)));
}

// Arguments of a call that takes longer than any test.
linkspan::arguments endless_sum()
{
    return linkspan::arguments(linkspan::raw_json(R"({"a":2,"b":3,"delay_ms":1000000})"));
}

std::vector<std::string> all_protocol_versions()
{
    std::vector<std::string> texts;
    for (auto const& known : linkspan::protocol_versions)
        texts.emplace_back(known.text);
    return texts;
}

asio::awaitable<void> adds(linkspan::session& session)
{
    auto const [ec, sum] = co_await session.async_call_tool("add", two_and_three(), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, sum));
    BOOST_TEST(sum.text() == "5");
}

asio::awaitable<pid_t> process_id(linkspan::session& session)
{
    auto const [ec, result] = co_await session.async_call_tool("process_id", {}, in_tuple);
    BOOST_TEST_REQUIRE(!ec, linkspan::explain(ec, result));
    co_return std::stoi(result.text());
}

} // namespace

// Protocol versions

struct protocol_version_case : world {
    asio::awaitable<void> body(std::string text)
    {
        auto const wanted = linkspan::protocol_version_from(text);
        linkspan::session session(executor, via_calculator({text}));
        BOOST_TEST((session.state() == session_state::idle));
        BOOST_TEST(!session.protocol_version());
        co_await opens(session);
        BOOST_TEST((session.state() == session_state::ready));
        BOOST_TEST((session.protocol_version() == wanted));
        BOOST_TEST(session.server().name == "Calculator");
        BOOST_TEST(session.server().instructions == "Does sums.");

        auto const [listing, list] = co_await session.async_list_tools(in_tuple);
        BOOST_TEST(!listing, listing.message());
        std::vector<std::string> names;
        for (auto const& tool : list.tools)
            names.push_back(tool.name);
        std::vector<std::string> const known{"add",        "subtract", "multiply",  "divide",
                                             "accumulate", "whoami",   "process_id"};
        BOOST_TEST(names == known, boost::test_tools::per_element());
        BOOST_TEST(list.dropped == 0u);

        auto const [calling, sum] = co_await session.async_call_tool("add", two_and_three(), in_tuple);
        BOOST_TEST(!calling, linkspan::explain(calling, sum));
        BOOST_TEST(sum.text() == "5");
        BOOST_TEST(!sum.is_error());
        BOOST_TEST(sum.structured() == R"({"result":5})");
        BOOST_TEST(sum.type() == "complete");
        BOOST_TEST(sum.attempts().empty());

        linkspan::arguments const by_nothing(linkspan::raw_json(R"({"a":1,"b":0})"));
        auto const [dividing, failure] = co_await session.async_call_tool("divide", by_nothing, in_tuple);
        BOOST_TEST(!dividing, linkspan::explain(dividing, failure));
        BOOST_TEST(failure.is_error());
        BOOST_TEST(failure.text() == "division by zero");

        auto const [unknown, refusal] = co_await session.async_call_tool("no_such_tool", {}, in_tuple);
        BOOST_TEST((unknown == error_code(-32602, linkspan::rpc_category())), unknown.message());
        BOOST_TEST(only_attempt(refusal).detail == "Unknown tool: no_such_tool");

        auto const [ping] = co_await session.async_ping(in_tuple);
        BOOST_TEST(!ping, ping.message());
        observe::process const server(co_await process_id(session));
        co_await shuts_down(session);
        BOOST_TEST(server.has_ended());
        BOOST_TEST((session.state() == session_state::closed));
        BOOST_TEST(session.counters().unexpected_output == 0u);
        BOOST_TEST(session.counters().malformed == 0u);
        BOOST_TEST(session.counters().late_responses == 0u);
    }
};

BOOST_DATA_TEST_CASE(session_opens_lists_calls_pings_and_shuts_down_in_each_protocol_version,
                     data::make(all_protocol_versions()), text)
{
    run_case<protocol_version_case>(text);
}

HARNESS_CASE(session_uses_newest_protocol_version_of_server)
{
    linkspan::session session(executor, via_calculator());
    co_await opens(session);
    BOOST_TEST((session.protocol_version() == protocol_version::v2026_07_28));
    co_await adds(session);
    co_await shuts_down(session);
}

HARNESS_CASE(servers_of_all_protocol_versions_form_one_group_of_connector)
{
    hub_type hub(executor);
    for (auto const& known : linkspan::protocol_versions) {
        linkspan::server_options options;
        options.priority = static_cast<int>(known.id); // the newest is preferred
        hub.add<stdio>("y" + std::string(known.text), calculator({std::string(known.text)}), options);
    }
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(report.failures() == 0u);
    BOOST_TEST_REQUIRE(report.servers.size() == linkspan::protocol_versions.size());
    for (std::size_t i = 0; i != linkspan::protocol_versions.size(); ++i) {
        BOOST_TEST((report.servers[i].protocol_version == linkspan::protocol_versions[i].id));
        BOOST_TEST(report.servers[i].tools == 7u);
    }
    BOOST_TEST(hub.catalog()->tools().size() == 7u * linkspan::protocol_versions.size());
    for (auto const& line : report.servers) {
        auto const [failed, sum] = co_await hub.on_server(line.server).async_call("add", two_and_three(), in_tuple);
        BOOST_TEST(!failed, linkspan::explain(failed, sum));
        BOOST_TEST(sum.server() == line.server);
        BOOST_TEST(sum.text() == "5");
    }
    auto const [failed, sum] = co_await hub.async_call("add", two_and_three(), in_tuple);
    BOOST_TEST(!failed, linkspan::explain(failed, sum));
    BOOST_TEST(sum.server() == report.servers.back().server);
    co_await shuts_down(hub);
}

// Opening and closing

HARNESS_CASE(two_hundred_sessions_leave_no_processes_and_descriptors)
{
    auto const before = observe::descriptors_of("self");
    for (int i = 0; i != 200; ++i) {
        linkspan::session session(executor, via_calculator());
        co_await opens(session);
        if (i % 4 == 0)
            co_await adds(session);
        if (i % 2 == 0)
            co_await shuts_down(session);
        else if (i % 3 == 0)
            session.close();
        BOOST_TEST(observe::has_children() == (i % 2 != 0 && i % 3 != 0)); // the remaining sessions are only destroyed
    }
    BOOST_TEST(!observe::has_children());
    // The reactor of the loop and the watchdog keep descriptors from the first session on.
    auto const after = observe::descriptors_of("self");
    BOOST_TEST(after.size() <= before.size() + 4u);
}

HARNESS_CASE(session_can_be_reopened_repeatedly)
{
    linkspan::session session(executor, via_calculator());
    for (int i = 0; i != 10; ++i) {
        co_await opens(session);
        auto const [again] = co_await session.async_open(in_tuple);
        BOOST_TEST((again == asio::error::already_open), again.message());
        co_await adds(session);
        if (i % 2 == 0)
            session.close();
        else
            co_await shuts_down(session);
        BOOST_TEST(!observe::has_children());
    }
}

HARNESS_CASE(concurrent_sessions_do_not_inherit_pipes_of_each_other)
{
    // Each server detects the end of its own input although other servers were started after it.
    std::vector<std::unique_ptr<linkspan::session>> sessions;
    for (int i = 0; i != 10; ++i) {
        auto config = calculator();
        config.close_grace = config.term_grace = 1h;
        sessions.push_back(std::make_unique<linkspan::session>(executor, linkspan::via<stdio>(config)));
        co_await opens(*sessions.back());
    }
    for (auto const& session : sessions) {
        co_await adds(*session);
        co_await shuts_down(*session);
    }
}

HARNESS_CASE(shutdown_completes_calls_in_flight_and_rejects_queued_calls)
{
    linkspan::session_options options;
    options.max_in_flight = 2;
    linkspan::session session(executor, via_calculator(), options);
    co_await opens(session);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        session.async_call_tool("add", endless_sum(), calls.handler(i));
    co_await shuts_down(session);
    co_await calls.wait();
    for (std::size_t i = 0; i != 4; ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        BOOST_TEST(times == 1u);
        bool const was_sent = i < 2;
        BOOST_TEST((only_attempt(result).result.certainty == (was_sent ? certainty::unknown : certainty::not_sent)));
        if (was_sent)
            BOOST_TEST((ec == error::stream_ended), ec.message());
        else
            BOOST_TEST((ec == error::not_connected), ec.message());
    }
    auto const [later, none] = co_await session.async_call_tool("add", two_and_three(), in_tuple);
    BOOST_TEST((later == error::not_connected), later.message());
}

HARNESS_CASE(close_aborts_outstanding_calls)
{
    linkspan::session session(executor, via_calculator());
    co_await opens(session);
    completions calls(executor, 4);
    for (std::size_t i = 0; i != 4; ++i)
        session.async_call_tool("add", endless_sum(), calls.handler(i));
    session.close();
    BOOST_TEST(!observe::has_children());
    for (auto const& call : calls.entries())
        BOOST_TEST(call.times == 0u);
    co_await calls.wait();
    for (auto const& call : calls.entries())
        BOOST_TEST((call.ec == asio::error::operation_aborted), call.ec.message());
}

HARNESS_CASE(cancelled_call_completes_immediately_and_session_stays_open)
{
    linkspan::session session(executor, via_calculator());
    co_await opens(session);
    asio::cancellation_signal stop;
    completions calls(executor, 1);
    session.async_call_tool("add", endless_sum(), asio::bind_cancellation_slot(stop.slot(), calls.handler(0)));
    co_await adds(session); // ensures that the first call has been sent
    BOOST_TEST(calls.entries()[0].times == 0u);
    stop.emit(asio::cancellation_type::total); // ignored: the tool may have been executed
    co_await adds(session);
    BOOST_TEST(calls.entries()[0].times == 0u);
    stop.emit(asio::cancellation_type::terminal);
    co_await calls.wait();
    BOOST_TEST((calls.entries()[0].ec == asio::error::operation_aborted));
    BOOST_TEST((only_attempt(calls.entries()[0].result).result.certainty == certainty::unknown));
    BOOST_TEST(session.in_flight() == 0u);
    co_await adds(session);
    co_await shuts_down(session);
}

// Death of the parent process

// Runs a case in a process of its own, which reports the process id of its server and is then killed.
template<class World>
void expect_kill_with_the_parent(bool on_thread)
{
    int pipe[2];
    BOOST_TEST_REQUIRE(::pipe2(pipe, O_CLOEXEC) == 0);
    linkspan::detail::unique_fd const read(pipe[0]);
    linkspan::detail::unique_fd write(pipe[1]);
    pid_t const parent = ::fork();
    if (parent == 0) {
        auto const run = [&write] {
            World here;
            asio::co_spawn(here.context, here.body(write.get()), asio::detached);
            here.context.run();
            ::_exit(1);
        };
        if (on_thread)
            std::thread(run).join();
        run();
    }
    write = {};
    pid_t child = 0;
    auto const size = ::read(read.get(), &child, sizeof child);
    auto const watched =
        size == static_cast<ssize_t>(sizeof child) ? std::make_unique<observe::process>(child) : nullptr;
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    BOOST_TEST_REQUIRE(watched);
    BOOST_TEST(watched->ends());
}

struct parent_of_a_session : world {
    asio::awaitable<void> body(int report)
    {
        linkspan::session session(executor, via_calculator());
        co_await session.async_open();
        pid_t const pid = co_await process_id(session);
        if (::write(report, &pid, sizeof pid) == sizeof pid)
            co_await session.async_call_tool("add", endless_sum());
    }
};

// The server ignores SIGTERM and the end of its input. The parent reports its process id.
struct parent_of_a_server_that_ignores_sigterm : world {
    asio::awaitable<void> body(int report)
    {
        auto stubborn = mock("mock-fault", {"stubborn"});
        pid_t pid = 0;
        linkspan::stdio_config config{.command = "/bin/sh",
                                      .args = {"-c", R"(echo $$ >&2; exec "$0" stubborn)", stubborn.command}};
        config.on_stderr = [&pid](std::string_view line) { pid = std::stoi(std::string(line)); };
        hub_type hub(executor);
        hub.add<stdio>("fault", config);
        co_await hub.async_open();
        co_await echoes(hub, "x");
        if (::write(report, &pid, sizeof pid) == sizeof pid)
            for (;;)
                co_await echoes(hub, "x");
    }
};

BOOST_DATA_TEST_CASE(server_is_killed_with_its_parent, data::make({false, true}), on_thread)
{
    observe::leaves_nothing const nothing;
    expect_kill_with_the_parent<parent_of_a_session>(on_thread);
}

BOOST_AUTO_TEST_CASE(server_that_ignores_sigterm_is_killed_with_its_parent)
{
    observe::leaves_nothing const nothing;
    expect_kill_with_the_parent<parent_of_a_server_that_ignores_sigterm>(false);
}

BOOST_AUTO_TEST_SUITE_END()
