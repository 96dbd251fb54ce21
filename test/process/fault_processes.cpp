// Every kind of fault over standard streams: the rules of a script of linkspan-mock, and its chaos. The outcomes are
// those of the tables of doc/faults.md.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/document.hpp"
#include "support/folder.hpp"
#include "support/grace_periods.hpp"
#include "support/harness.hpp"

BOOST_AUTO_TEST_SUITE(fault_processes_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::name_of;
using linkspan::stdio;
using linkspan::test::description_of;
using linkspan::test::expect_generated_part;
using linkspan::test::fault_description;
using linkspan::test::fault_descriptions;
using linkspan::test::fault_kind;
using linkspan::test::fault_layer;
using linkspan::test::project_text;
using linkspan::test::with_grace_periods;
using observe::folder;

namespace {

constexpr std::string_view handshake = "2025-11-25", stateless = "2026-07-28";

// Returns the cells of the row of a fault.
std::vector<std::string> row_of(std::string const& text, fault_kind kind)
{
    auto const at = text.find("| `" + std::string(name_of(kind)) + "` |");
    BOOST_TEST_REQUIRE(at != text.npos, "doc/faults.md has no fault " << name_of(kind));
    std::vector<std::string> out;
    auto const line = text.substr(at, text.find('\n', at) - at);
    for (auto from = line.find('|'); from + 1 < line.size();) {
        auto const to = line.find('|', from + 1);
        auto cell = line.substr(from + 1, to - from - 1);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        out.push_back(std::move(cell));
        from = to;
    }
    return out;
}

// Returns the outcome of one era in a cell of the table.
std::string outcome_in(std::string cell, std::string_view version)
{
    if (auto const note = cell.find(" (handshake only)"); note != cell.npos)
        cell.resize(note);
    if (auto const note = cell.find(" (stateless only)"); note != cell.npos)
        cell.resize(note);
    if (!cell.starts_with("handshake: "))
        return cell;
    auto const split = cell.find("; stateless: ");
    return version == handshake ? cell.substr(11, split - 11) : cell.substr(split + 13);
}

// The version of the server: that in which the fault occurs.
std::string_view version_for(fault_description const& what)
{
    return what.on == "ping" || what.on == "initialize" ? handshake : stateless;
}

std::string script_of(fault_description const& what, bool by_chaos)
{
    std::string const name(name_of(what.kind));
    std::string method = what.on == "message" || what.on == "response" ? "tools/call" : std::string(what.on);
    if (what.on == "opening")
        method = "server/discover";
    auto const behaviour =
        by_chaos ? R"("chaos":{"percent":100,"maxDelay":"10ms","maxFaults":1,"kinds":[")" + name + "\"]}"
                 : R"("rules":[{"on":{"request":")" + method + R"("},"times":1,"do":[{"fault":{"kind":")" + name +
                       R"(","delay":")" + (what.kind == fault_kind::late_response ? "2min" : "10ms") +
                       R"("}},{"default":true}]}])";
    return R"({"mock":1,"protocolVersions":[")" + std::string(version_for(what)) +
           R"("],"tools":[{"name":"forecast","outputSchema":{"type":"object","properties":{"sky":{"type":"string"}},)"
           R"("required":["sky"]},"reply":{"structured":{"sky":"clear"}}}],)" +
           behaviour + "}";
}

// A client of one process with one fault.
struct client {
    fault_description const& what;
    std::string first; // outcome of the first operation that the fault concerns

    static asio::awaitable<std::string> call(linkspan::connector_base& hub)
    {
        linkspan::call_options limits;
        limits.timeout = 3s;
        auto const [ec, result] = co_await hub.async_call("forecast", {}, limits, in_tuple);
        if (!ec)
            co_return result.is_error() ? "result with `isError`" : "result";
        co_return ec.message();
    }

    asio::awaitable<void> run(asio::any_io_executor executor, std::string script)
    {
        hub_type hub(executor);
        linkspan::server_options options;
        options.restart.wait = 1ms;
        options.session.startup_timeout = 8s;
        options.session.probe_timeout = 2s;
        options.session.idle_timeout = 5s; // of the list of tools, and longer than the timeout of the call
        auto const command = mock("linkspan-mock", {"--script", std::move(script)});
        hub.add<stdio>("weather", with_grace_periods(command, 100ms), options);
        auto const [ec, report] = co_await hub.async_open(in_tuple);
        if (ec) {
            first = "not opened: " + (report.servers.empty() ? ec : report.servers[0].ec).message();
        } else if (what.on == "ping") {
            auto const weather = find_session(hub, "weather");
            linkspan::call_options limits;
            limits.timeout = 3s;
            auto const [failed, result] = co_await weather->async_request("ping", {}, limits, in_tuple);
            first = failed ? failed.message() : "result";
        } else {
            first = co_await call(hub);
        }
        co_await hub.async_shutdown(in_tuple);
    }
};

// Runs all clients, a few at a time: most wait.
std::vector<client> run_all(bool by_chaos)
{
    constexpr std::size_t at_once = 24;
    observe::leaves_nothing const nothing;
    folder const files;
    std::vector<client> out;
    for (auto const& what : fault_descriptions())
        if (what.carriers.stdio)
            out.push_back({.what = what, .first = {}});
    asio::io_context context{1};
    std::size_t next = 0, running = 0;
    std::function<void()> const start = [&] {
        while (running < at_once && next != out.size()) {
            auto& one = out[next++];
            ++running;
            auto const path = files.add(std::string(name_of(one.what.kind)) + ".json", script_of(one.what, by_chaos),
                                        std::filesystem::perms::owner_read);
            asio::co_spawn(context, one.run(context.get_executor(), path), [&](std::exception_ptr failure) {
                --running;
                if (failure)
                    std::rethrow_exception(failure);
                start();
            });
        }
    };
    start();
    context.run();
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(outcome_of_every_fault_of_a_rule_is_that_of_the_document)
{
    constexpr std::size_t in_process = 3; // column
    auto const text = project_text("doc/faults.md");
    std::ostringstream of_process; // the table of the layer process
    of_process << "\n| fault | outcome over stdio | effect |\n|---|---|---|\n";
    for (auto const& one : run_all(false)) {
        if (one.what.layer == fault_layer::process) {
            of_process << "| `" << name_of(one.what.kind) << "` | " << one.first << " | " << one.what.effect << " |\n";
            continue;
        }
        auto expected = outcome_in(row_of(text, one.what.kind)[in_process], version_for(one.what));
        if (auto const note = expected.find("; later calls fail"); note != expected.npos)
            expected.resize(note); // a process that is started again has the fault again
        if (one.what.kind == fault_kind::corrupt && one.first == "result")
            continue; // the inverted bit is in a text
        BOOST_TEST(one.first == expected, name_of(one.what.kind) << ": " << one.first << ", expected " << expected);
    }
    expect_generated_part("doc/faults.md", "processes", of_process.str());
}

BOOST_AUTO_TEST_CASE(client_of_every_fault_of_chaos_ends)
{
    for (auto const& one : run_all(true))
        BOOST_TEST(!one.first.empty(), name_of(one.what.kind));
}

BOOST_AUTO_TEST_SUITE_END()
