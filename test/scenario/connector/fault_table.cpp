// Every kind of fault, as an action of a rule and as chaos: in process and over HTTP in both eras, and over HTTP+SSE.
// The outcomes of a connector are the generated table of doc/faults.md.

#include <linkspan/connector.hpp>
#include <linkspan/connector/find_session.hpp>
#include <linkspan/test/chaos.hpp>

#include <algorithm>
#include <sstream>

#include "support/document.hpp"
#include "support/fault_occurrence.hpp"
#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(fault_table_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr char const* output_schema = R"({"type":"object","properties":{"sky":{"type":"string"}},"required":["sky"]})";

// Observations of a client.
struct outcome {
    std::string first;         // of the first operation that the fault concerns
    bool has_occurred = false; // whether a message had the fault
    bool recovers = false;     // whether a call three minutes later has a result
    std::vector<std::string> leaks;
};

// A connector with one server and one fault.
struct fault_world : world {
    fault_description const& what;
    fault_carrier over;
    protocol_version version;
    std::optional<chaos> source; // of the fault; none: an action
    scripted_server& server;
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    std::optional<http_server> web;
    std::optional<connector<transports<streamable_http, http_sse, inproc>>> hub;

    fault_world(fault_description const& kind, fault_carrier carrier, protocol_version with_version,
                std::optional<chaos> from = {})
        : what(kind),
          over(carrier),
          version(with_version),
          source(std::move(from)),
          server(add_server("weather", {with_version}))
    {
        server.tool(
            "forecast", R"({"type":"object"})",
            [](std::string_view) { return std::string(R"("content":[],"structuredContent":{"sky":"clear"})"); }, {},
            output_schema);
        http_server_options serving;
        if (over == fault_carrier::http_sse)
            serving.sse_path = "/sse";
        web.emplace(executor, server, serving);
        net->accept = [this](std::unique_ptr<byte_stream> stream) { web->serve(std::move(stream)); };
        hub.emplace(executor);
        if (over == fault_carrier::http)
            hub->add<streamable_http>("weather", {.url = "http://server/mcp", .dialer = net});
        else if (over == fault_carrier::http_sse)
            hub->add<http_sse>("weather", {.url = "http://server/sse", .dialer = net});
        else
            hub->add<inproc>("weather", server);
    }

    // Whether the fault concerns the opening of the connection.
    bool concerns_opening() const
    {
        return what.on == "opening" || what.on == "initialize" || what.on == "server/discover" ||
               what.on == "tools/list";
    }

    // Method of the request whose response has the fault.
    std::string method() const
    {
        if (what.on == "opening")
            return version == protocol_version::v2026_07_28 ? "server/discover" : "initialize";
        return what.on == "message" || what.on == "response" ? "tools/call" : std::string(what.on);
    }

    void set_fault()
    {
        if (source)
            return set_chaos(*source);
        server.on(request(method())).named("fault").once(fault(what.kind), default_response());
    }

    bool has_occurred() const
    {
        return source ? faults().faults.size() == 1
                      : std::ranges::any_of(server.requests(), [](auto const& one) { return one.rule == "fault"; });
    }

    asio::awaitable<std::string> call()
    {
        call_options limits;
        limits.timeout = 20s;
        auto const [ec, result] = co_await hub->async_call("forecast", {}, limits, in_tuple);
        if (!ec)
            co_return result.is_error() ? "result with `isError`" : "result";
        co_return ec.message();
    }

    asio::awaitable<std::string> ping()
    {
        auto const client = find_session(*hub, "weather");
        call_options limits;
        limits.timeout = 20s;
        auto const [ec, result] = co_await client->async_request("ping", {}, limits, in_tuple);
        co_return ec ? ec.message() : "result";
    }

    outcome run()
    {
        outcome out;
        if (concerns_opening())
            set_fault();
        auto const [ec, report] = await(hub->async_open(in_tuple));
        if (!concerns_opening()) {
            BOOST_TEST_REQUIRE(!ec, ec.message());
            set_fault();
        }
        if (what.kind == fault_kind::reset_on_accept)
            await(call()); // the fault concerns the connection of the next call
        if (what.on == "ping")
            out.first = await(ping());
        else if (concerns_opening() && ec)
            out.first = "not opened: " + (report.servers.empty() ? ec : report.servers[0].ec).message();
        else
            out.first = await(call());
        out.has_occurred = has_occurred();
        run_for(3min);
        out.recovers = await(call()) == "result";
        await(hub->async_shutdown(asio::as_tuple(asio::use_awaitable)));
        hub.reset();
        web.reset();
        run_for(3min);
        out.leaks = leaks();
        return out;
    }
};

constexpr protocol_version handshake = protocol_version::v2025_11_25, stateless = protocol_version::v2026_07_28;
constexpr protocol_version of_http_sse = protocol_version::v2024_11_05;

// Returns a plan with one fault that a seed has selected, with the default parameters of its kind.
chaos_plan plan_of(fault_description const& what, protocol_version version, fault_carrier over)
{
    fault_world drawn(what, over, version, chaos(1, {.percent = 100, .kinds = {what.kind}, .max_faults = 1}));
    drawn.run();
    auto out = drawn.faults();
    for (auto& one : out.faults) {
        one.delay_ms = one.amount = 0;
        if (what.on == "opening" && version == handshake && over == fault_carrier::inproc)
            one.message = 2; // the first one is the response to `server/discover`, which is an error without a fault
    }
    return out;
}

// Runs a fault as an action and as chaos. Returns the text of its cell of the table.
std::string cell_of(fault_description const& what, protocol_version version, fault_carrier over)
{
    if (!what.carriers.contains(over) || !occurs_in(what, version))
        return {};
    BOOST_TEST_CONTEXT(name_of(what.kind)
                       << " over " << linkspan::test::detail::name_of_carrier(over) << ", " << to_string(version)) {
        auto const by_action = fault_world(what, over, version).run();
        auto const by_chaos = fault_world(what, over, version, chaos(plan_of(what, version, over))).run();
        BOOST_TEST(by_action.has_occurred);
        BOOST_TEST(by_chaos.has_occurred);
        BOOST_TEST(by_action.first == by_chaos.first);
        BOOST_TEST(by_action.recovers == by_chaos.recovers);
        for (auto const& leak : by_action.leaks)
            BOOST_TEST(false, leak);
        for (auto const& leak : by_chaos.leaks)
            BOOST_TEST(false, leak);
        return by_action.first + (by_action.recovers ? "" : "; later calls fail");
    }
    return {};
}

// Returns the cells of both eras, or one text if they are equal.
std::string cells_of(fault_description const& what, fault_carrier over)
{
    if (over == fault_carrier::http_sse)
        return cell_of(what, of_http_sse, over);
    auto const first = cell_of(what, handshake, over), second = cell_of(what, stateless, over);
    if (first == second || second.empty())
        return first.empty() ? "" : first + (second.empty() ? " (handshake only)" : "");
    if (first.empty())
        return second + " (stateless only)";
    return "handshake: " + first + "; stateless: " + second;
}

std::string table()
{
    std::ostringstream out;
    for (auto const& [layer, title] : enum_names<fault_layer>) {
        out << "\n## Layer: " << title << "\n\n| fault | of | effect | in process, stdio | HTTP | HTTP+SSE |\n"
            << "|---|---|---|---|---|---|\n";
        for (auto const& what : fault_descriptions())
            if (what.layer == layer && (what.carriers.inproc || what.carriers.http))
                out << "| `" << name_of(what.kind) << "` | " << what.on << " | " << what.effect << " | "
                    << cells_of(what, fault_carrier::inproc) << " | " << cells_of(what, fault_carrier::http) << " | "
                    << cells_of(what, fault_carrier::http_sse) << " |\n";
    }
    return std::move(out).str();
}

} // namespace

BOOST_AUTO_TEST_CASE(document_has_the_outcome_of_every_fault)
{
    expect_generated_part("doc/faults.md", "table", table());
}

BOOST_AUTO_TEST_SUITE_END()
