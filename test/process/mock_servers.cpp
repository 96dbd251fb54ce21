// The mock servers as programs over standard streams, in each protocol version.

#include <linkspan/config/make_connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/policy.hpp>
#include <linkspan/session/call_context.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/program_run.hpp"

BOOST_AUTO_TEST_SUITE(mock_servers_test)

using namespace harness;
using linkspan::error;
using linkspan::protocol_version;
using linkspan::stdio;
using observe::folder;

namespace {

boost::json::object at_path(std::string const& path) { return {{"path", path}}; }

constexpr auto readable = std::filesystem::perms::owner_all;

// Returns the description of a tool of the only server.
std::string description_of(hub_type const& hub, std::string_view tool)
{
    auto const tools = hub.catalog();
    for (auto const& entry : tools->tools())
        if (entry.tool->name == tool)
            return entry.tool->description;
    return "there is no such tool";
}

// Returns a configuration with five servers "s0" to "s4" that refuse each call, and with additional members.
std::string five_that_refuse(std::string const& more)
{
    std::string servers;
    for (int i = 0; i != 5; ++i)
        servers += (i ? ",\"s" : "\"s") + std::to_string(i) + R"(": {"command": ")" + mock("mock-fault").command +
                   R"(", "args": ["refuse"]})";
    return R"({"mcpServers": {)" + servers + "}" + more + "}";
}

} // namespace

BOOST_AUTO_TEST_CASE(mock_server_prints_its_usage_on_request)
{
    for (std::string const name : {"mock-calculator", "mock-fault", "mock-filesystem"}) {
        auto const got = program_run::run({program_run::program(name), "--help"});
        BOOST_TEST(got.status == 0, name);
        BOOST_TEST(got.out.starts_with("usage: " + name + " "), got.out);
        BOOST_TEST(got.err == "");
    }
    auto const wrong = program_run::run({program_run::program("mock-calculator"), "2020-01-01"});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(wrong.err.ends_with(": expected a protocol version of MCP (2024-11-05, 2025-03-26, 2025-06-18, "
                                   "2025-11-25, 2026-07-28), found '2020-01-01'\n"),
               wrong.err);
}

HARNESS_CASE(calculator_works_in_each_protocol_version)
{
    boost::json::object const sum{{"a", 2}, {"b", 3}};
    for (auto const& version : linkspan::protocol_versions) {
        hub_type hub(executor);
        hub.add<stdio>("calc", mock("mock-calculator", {std::string(version.text)}));
        co_await opens(hub);
        BOOST_TEST((hub.state().servers[0].protocol_version == version.id), version.text);
        auto const result = co_await hub.async_call("add", sum);
        BOOST_TEST(result.as<double>().value() == 5.0, version.text);
        BOOST_TEST(description_of(hub, "add") == "Add two numbers.", version.text);
        BOOST_TEST(description_of(hub, "multiply") == "Multiply two numbers.", version.text);
        co_await shuts_down(hub);
    }
}

HARNESS_CASE(dependencies_are_received_in_each_protocol_version)
{
    linkspan::call_deps deps;
    deps.user_context["user"] = "ada";
    deps.request_id = "r-17";
    linkspan::call_options options;
    pass_deps(options, deps);
    for (auto const& version : linkspan::protocol_versions) {
        hub_type hub(executor);
        hub.add<stdio>("calc", mock("mock-calculator", {std::string(version.text)}));
        co_await opens(hub);
        auto const identity = co_await hub.async_call("whoami", {}, options);
        auto const meta = identity.as<boost::json::object>().value();
        BOOST_TEST_REQUIRE(meta.contains("deps"), version.text << ": " << identity.raw());
        boost::json::object const expected{{"user_context", {{"user", "ada"}}}, {"request_id", "r-17"}};
        BOOST_TEST((meta.at("deps") == expected), version.text << ": " << identity.raw());
        auto const nothing = co_await hub.async_call("whoami");
        BOOST_TEST(!nothing.as<boost::json::object>().value().contains("deps"), nothing.raw());
        co_await shuts_down(hub);
    }
}

HARNESS_CASE(file_server_lists_and_reads_in_each_protocol_version)
{
    folder const root;
    root.add("b.txt", "hello", readable);
    root.add("a.txt", "", readable);
    root.add("deep/c.txt", "deeper", readable);
    for (auto const& version : linkspan::protocol_versions) {
        hub_type hub(executor);
        hub.add<stdio>("files", mock("mock-filesystem", {root.path(), std::string(version.text)}));
        co_await opens(hub);
        BOOST_TEST(description_of(hub, "list_directory") == "List files in a directory.", version.text);
        BOOST_TEST(description_of(hub, "read_file") == "Read file contents.", version.text);
        auto const here = at_path("."), file = at_path("deep/c.txt");
        auto const names = co_await hub.async_call("list_directory", here);
        auto const list = names.as<std::vector<std::string>>().value();
        BOOST_TEST(list == (std::vector<std::string>{"a.txt", "b.txt", "deep"}), boost::test_tools::per_element());
        auto const text = co_await hub.async_call("read_file", file);
        BOOST_TEST(text.as<std::string>().value() == "deeper", version.text);
        co_await shuts_down(hub);
    }
}

HARNESS_CASE(file_server_does_not_read_outside_of_its_root)
{
    folder const outside;
    auto const secret = outside.add("secret.txt", "not for you", readable);
    outside.add("root/in.txt", "fine", readable);
    outside.add("root_of_others/secret.txt", "nor this", readable);
    auto const root = outside.path() + "/root";
    std::filesystem::create_symlink(outside.path(), root + "/link");
    hub_type hub(executor);
    hub.add<stdio>("files", mock("mock-filesystem", {root}));
    co_await opens(hub);
    for (std::string const path : {"../secret.txt", "link/secret.txt", "../root_of_others/secret.txt", "/etc/passwd",
                                   "in.txt/../../secret.txt", "..", "", "nothing.txt"}) {
        auto const args = at_path(path);
        auto const result = co_await hub.async_call("read_file", args);
        BOOST_TEST(result.is_error(), path << ": " << result.text());
    }
    auto const absolute = at_path(secret);
    auto const refused = co_await hub.async_call("read_file", absolute);
    BOOST_TEST(refused.is_error());
    auto const inside = at_path("./x/../in.txt");
    auto const fine = co_await hub.async_call("read_file", inside);
    BOOST_TEST(fine.text() == "fine");
    co_await shuts_down(hub);
}

HARNESS_CASE(connector_is_made_from_configuration)
{
    auto config = linkspan::connector_config::from_json(
        R"({"mcpServers": {"calc": {"command": ")" + mock("mock-calculator").command +
        R"("}, "off": {"command": "nothing", "disabled": true}, "gone": {"command": "/no/such/program"}},
           "max_retries": 0})");
    auto made = co_await linkspan::async_make_connector(executor, config);
    BOOST_TEST(made.problems.empty());
    BOOST_TEST(made.report.servers.size() == 2u);
    BOOST_TEST(made.report.failures() == 1u);
    boost::json::object const sum{{"a", 2}, {"b", 3}};
    auto const result = co_await made.hub->async_call("add", sum);
    BOOST_TEST(result.text() == "5");
    co_await shuts_down(*made.hub);
}

// The servers count the calls, and report the count on another call.
HARNESS_CASE(max_retries_of_configuration_limits_attempts)
{
    struct row {
        char const* more;
        std::size_t servers; // that receive the call
    };
    for (auto const& [more, servers] : {row{R"(, "max_retries": 0)", 1}, row{R"(, "max_retries": 1)", 2},
                                        row{R"(, "max_retries": 2)", 3}, row{"", 4}, row{R"(, "max_retries": 9)", 5}}) {
        auto const config = linkspan::connector_config::from_json(five_that_refuse(more));
        auto made = co_await linkspan::async_make_connector(executor, config);
        BOOST_TEST(made.report.failures() == 0u, explain(made.report));
        auto const [ec, result] = co_await made.hub->async_call("echo", with_text("x"), in_tuple);
        BOOST_TEST(ec.failed(), more);
        BOOST_TEST(result.attempts().size() == servers, more);
        std::size_t second_calls = 0;
        for (int i = 0; i != 5; ++i) {
            auto const server = "s" + std::to_string(i);
            auto const [refused, again] =
                co_await made.hub->on_server(server).async_call("echo", with_text("x"), in_tuple);
            auto const& explanation = only_attempt(again).detail;
            BOOST_TEST((contains(explanation, "call 1") || contains(explanation, "call 2")),
                       more << ": " << explanation);
            second_calls += contains(explanation, "call 2");
        }
        BOOST_TEST(second_calls == servers, more);
        co_await shuts_down(*made.hub);
    }
}

HARNESS_CASE(configuration_without_servers_makes_no_connector)
{
    auto const [ec, made] =
        co_await linkspan::async_make_connector(executor, linkspan::connector_config(), {}, in_tuple);
    BOOST_TEST((ec == error::nothing_configured), ec.message());
    BOOST_TEST(!made.hub);
    auto const config = linkspan::connector_config::from_json(R"({"mcpServers": {"gone": {"command": "/no/such"}}})");
    auto const [failed, all] = co_await linkspan::async_make_connector(executor, config, {}, in_tuple);
    BOOST_TEST((failed == error::connection_failed), failed.message());
    BOOST_TEST_REQUIRE(all.report.servers.size() == 1u);
    BOOST_TEST((all.report.servers[0].phase == linkspan::open_phase::start));
    BOOST_TEST(contains(all.report.servers[0].detail, "/no/such"), all.report.servers[0].detail);
}

HARNESS_CASE(configured_secrets_are_redacted_from_reports_and_state)
{
    auto const config = linkspan::connector_config::from_json(
        R"({"mcpServers": {"loud": {"command": "/bin/sh", "args": ["-c", "echo key is $KEY >&2; exit 7"],
            "env": {"KEY": "planted-secret"}, "restart": {"max_restarts": 0}}}})");
    auto const [ec, made] = co_await linkspan::async_make_connector(executor, config, {}, in_tuple);
    BOOST_TEST(ec.failed());
    BOOST_TEST_REQUIRE(made.report.servers.size() == 1u);
    auto const& detail = made.report.servers[0].detail;
    BOOST_TEST(contains(detail, "key is ***"), detail);
    auto const written = detail + explain(made.report) + boost::json::serialize(to_json(made.hub->state()));
    BOOST_TEST(!contains(written, "planted"), written);
    auto const [failed, result] = co_await made.hub->async_call("anything", {}, in_tuple);
    BOOST_TEST(failed.failed());
    BOOST_TEST(!contains(explain(failed, result), "planted"), explain(failed, result));
}

BOOST_AUTO_TEST_SUITE_END()
