// Every kind of fault of linkspan-mock, over standard streams, Streamable HTTP and HTTP+SSE, in both eras: the rules of
// a script, and the plan of the faults that have occurred. The outcomes are those of the tables of doc/faults.md.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/client_runs.hpp"
#include "support/document.hpp"
#include "support/fault_occurrence.hpp"
#include "support/folder.hpp"
#include "support/grace_periods.hpp"
#include "support/harness.hpp"
#include "support/http_mock.hpp"
#include "support/mock_plans.hpp"

BOOST_AUTO_TEST_SUITE(fault_processes_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::http_config;
using linkspan::http_sse;
using linkspan::name_of;
using linkspan::protocol_version_from;
using linkspan::stdio;
using linkspan::streamable_http;
using linkspan::test::chaos_fault;
using linkspan::test::chaos_plan;
using linkspan::test::description_of;
using linkspan::test::expect_generated_part;
using linkspan::test::fault_carrier;
using linkspan::test::fault_description;
using linkspan::test::fault_descriptions;
using linkspan::test::fault_kind;
using linkspan::test::fault_layer;
using linkspan::test::occurs_in;
using linkspan::test::project_text;
using linkspan::test::with_grace_periods;
using observe::folder;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;
constexpr std::string_view of_http_sse = "2024-11-05", handshake = "2025-11-25", stateless = "2026-07-28";

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

// Returns the index of the cell for a carrier in a row of the tables of the layers.
std::size_t column_of(fault_carrier over)
{
    switch (over) {
    case fault_carrier::http: return 4;
    case fault_carrier::http_sse: return 5;
    default: return 3;
    }
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
    return version == stateless ? cell.substr(split + 13) : cell.substr(11, split - 11);
}

// `has_rule`: whether a rule has the fault.
std::string script_of(fault_description const& what, std::string_view version, bool has_rule)
{
    std::string const name(name_of(what.kind));
    std::string method = what.on == "message" || what.on == "response" ? "tools/call" : std::string(what.on);
    if (what.on == "opening")
        method = version == stateless ? "server/discover" : "initialize";
    auto const rule = R"({"on":{"request":")" + method + R"("},"times":1,"do":[{"fault":{"kind":")" + name +
                      R"(","delay":")" + (what.kind == fault_kind::late_response ? "2min" : "10ms") +
                      R"("}},{"default":true}]})";
    return R"({"mock":1,"protocolVersions":[")" + std::string(version) +
           R"("],"tools":[{"name":"forecast","outputSchema":{"type":"object","properties":{"sky":{"type":"string"}},)"
           R"("required":["sky"]},"reply":{"structured":{"sky":"clear"}}}],"rules":[)" +
           (has_rule ? rule : "") + "]}";
}

// A client of one process with one fault.
struct client {
    fault_description const& what;
    fault_carrier over;
    std::string_view version;           // of the server
    std::optional<chaos_fault> planned; // the fault, of a plan; none: a rule has the fault
    std::string first{};                // outcome of the first operation that the fault concerns
    std::vector<chaos_fault> occurred{};

    using connector_type = linkspan::connector<linkspan::transports<stdio, streamable_http, http_sse>>;

    // Name of its files.
    std::string name() const
    {
        return std::string(name_of(what.kind)) + "-" + std::string(linkspan::test::detail::name_of_carrier(over)) +
               "-" + std::string(version);
    }

    static asio::awaitable<std::string> call(linkspan::connector_base& hub)
    {
        linkspan::call_options limits;
        limits.timeout = 3s;
        auto const [ec, result] = co_await hub.async_call("forecast", {}, limits, in_tuple);
        if (!ec)
            co_return result.is_error() ? "result with `isError`" : "result";
        co_return ec.message();
    }

    std::string plans_in(folder const& files) const { return files.path() + "/" + name(); }

    linkspan::stdio_config command(folder const& files) const
    {
        std::vector<std::string> words{"--script",
                                       files.add(name() + ".json", script_of(what, version, !planned), readable)};
        if (planned) {
            chaos_plan const plan{.faults = {*planned}};
            words.insert(words.end(), {"--plan", files.add(name() + ".plan", to_json(plan), readable)});
        }
        if (over != fault_carrier::stdio)
            words.insert(words.end(), {over == fault_carrier::http ? "--http" : "--sse", "0"});
        return mock_with_plans(std::move(words), plans_in(files));
    }

    // Adds the server. Returns its process if the connector does not start it.
    asio::awaitable<std::unique_ptr<http_mock>> add_server(connector_type& hub, folder const& files) const
    {
        linkspan::server_options options;
        options.restart.wait = 1ms;
        options.session.startup_timeout = 8s;
        options.session.probe_timeout = 2s;
        options.session.idle_timeout = 5s; // of the list of tools, and longer than the timeout of the call
        auto const config = with_grace_periods(command(files), 100ms);
        std::unique_ptr<http_mock> out;
        if (over == fault_carrier::stdio) {
            hub.add<stdio>("weather", config, options);
            co_return out;
        }
        out = std::make_unique<http_mock>(hub.get_executor(), config);
        auto const url = co_await out->url();
        if (over == fault_carrier::http)
            hub.add<streamable_http>("weather", http_config::of(url), options);
        else
            hub.add<http_sse>("weather", http_config::of(url), options);
        co_return out;
    }

    asio::awaitable<void> run(asio::any_io_executor executor, folder const& files)
    {
        connector_type hub(executor);
        auto const served = co_await add_server(hub, files);
        auto const [ec, report] = co_await hub.async_open(in_tuple);
        if (what.kind == fault_kind::reset_on_accept)
            co_await call(hub); // the fault concerns the connection of the next call
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
        if (served)
            co_await served->ends();
        occurred = planned_faults(plans_in(files));
    }
};

// Runs all clients. Each has one fault of its kind.
void run_all(std::vector<client>& clients)
{
    run_clients(clients);
    for (auto const& one : clients) {
        BOOST_TEST(!one.occurred.empty(), one.name() << " has not occurred");
        for (auto const& fault : one.occurred)
            BOOST_TEST((fault.fault == one.what.kind), one.name() << ": found " << name_of(fault.fault));
    }
}

// The outcome is that of the document, with the exceptions that the document names.
void check(client const& one, std::string const& text)
{
    constexpr std::string_view may_be_executed = "a server may have executed the call";
    bool const is_of_process = one.over == fault_carrier::stdio && one.what.layer == fault_layer::process;
    auto const row = row_of(is_of_process ? text.substr(text.find("processes: begin")) : text, one.what.kind);
    auto expected = outcome_in(row[is_of_process ? 1 : column_of(one.over)], one.version);
    if (auto const note = expected.find("; later calls fail"); note != expected.npos)
        expected.resize(note); // a process that is started again has the fault again
    if (one.what.kind == fault_kind::exit_before_init && one.planned)
        expected = "not opened: the peer closed the stream"; // the second process, with `initialize`, exits too
    if (one.what.kind == fault_kind::corrupt && one.first == "result")
        return; // the inverted bit is in a text
    if (one.what.kind == fault_kind::reset_on_accept && one.first == may_be_executed)
        return; // the request was written before the reset
    BOOST_TEST(one.first == expected, one.name() << ": " << one.first << ", expected " << expected);
}

// Returns the table of the layer process. `clients`: each kind with the handshake, and then stateless.
std::string table_of_process(std::vector<client> const& clients)
{
    std::ostringstream out;
    out << "\n| fault | outcome over stdio | effect |\n|---|---|---|\n";
    for (auto one = clients.begin(); one != clients.end(); ++one) {
        if (one->what.layer != fault_layer::process || one->over != fault_carrier::stdio || one->version != handshake)
            continue;
        auto const& other = *std::next(one);
        auto const outcome =
            one->first == other.first ? one->first : "handshake: " + one->first + "; stateless: " + other.first;
        out << "| `" << name_of(one->what.kind) << "` | " << outcome << " | " << one->what.effect << " |\n";
    }
    return std::move(out).str();
}

} // namespace

BOOST_AUTO_TEST_CASE(outcome_of_every_fault_is_that_of_the_document_for_rules_and_for_plans_of_their_faults)
{
    auto const text = project_text("doc/faults.md");
    std::vector<client> by_rule, by_plan;
    auto const add = [&by_rule](fault_description const& what, fault_carrier over, std::string_view version) {
        if (what.carriers.contains(over) && occurs_in(what, *protocol_version_from(version)))
            by_rule.push_back({.what = what, .over = over, .version = version, .planned = {}});
    };
    for (auto const& what : fault_descriptions()) {
        for (auto const over : {fault_carrier::stdio, fault_carrier::http})
            for (auto const version : {handshake, stateless})
                add(what, over, version);
        add(what, fault_carrier::http_sse, of_http_sse);
    }
    run_all(by_rule);
    for (auto const& one : by_rule) {
        if (one.what.layer != fault_layer::process || one.over != fault_carrier::stdio)
            check(one, text);
        if (!one.occurred.empty())
            by_plan.push_back(
                {.what = one.what, .over = one.over, .version = one.version, .planned = one.occurred.front()});
    }
    expect_generated_part("doc/faults.md", "processes", table_of_process(by_rule));

    run_all(by_plan);
    for (auto const& one : by_plan) {
        check(one, text);
        for (auto const& fault : one.occurred)
            BOOST_TEST((fault == *one.planned), one.name() << ": a fault that is not planned");
    }
}

BOOST_AUTO_TEST_SUITE_END()
