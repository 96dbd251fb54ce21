#include <linkspan/config/make_connector.hpp>
#include <linkspan/connector/call_many.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/policy.hpp>

#include <boost/json/parse.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/program_run.hpp"

BOOST_AUTO_TEST_SUITE(make_connector_test)

using namespace harness;
using linkspan::server_state;

namespace {

std::string names_of(linkspan::connector_base const& hub)
{
    std::string names;
    for (auto const& server : hub.state().servers)
        names += server.server + ' ';
    return names;
}

} // namespace

HARNESS_CASE(default_servers_are_used_without_configuration)
{
    linkspan::make_options options;
    options.open = false;
    options.from = linkspan::variable_sources([](std::string_view) { return std::optional<std::string>("set"); });
    auto const [ec, made] = co_await linkspan::async_make_connector(executor, std::nullopt, options, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(made.problems.empty());
    BOOST_TEST(made.report.servers.empty());
    BOOST_TEST_REQUIRE(made.hub);
    std::string names;
    for (auto const& server : made.hub->state().servers) {
        names += server.server + ' ';
        BOOST_TEST((server.state == server_state::idle));
    }
    BOOST_TEST(names == "github brave filesystem ");
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(default_server_without_token_is_skipped_and_reported)
{
    observe::folder const temporary;
    auto const files = temporary.path() + "/files";
    auto config = linkspan::default_servers(files);
    linkspan::make_options options;
    options.open = false;
    options.from = linkspan::variable_sources([](std::string_view name) {
        return name == "GITHUB_TOKEN" ? std::optional<std::string>("token") : std::nullopt;
    });
    auto const made = co_await linkspan::async_make_connector(executor, config, options);
    BOOST_TEST(names_of(*made.hub) == "github filesystem ");
    BOOST_TEST_REQUIRE(made.problems.size() == 1u);
    BOOST_TEST(to_string(made.problems[0]) == "default servers: warning: server 'brave': variable 'BRAVE_API_KEY': not "
                                              "set; the server is skipped");
    BOOST_TEST((std::filesystem::status(files).permissions() == std::filesystem::perms::owner_all));
}

HARNESS_CASE(default_directory_that_is_symlink_is_error_of_its_server)
{
    observe::folder const temporary;
    auto const link = temporary.path() + "/link";
    std::filesystem::create_directory_symlink("/tmp", link);
    auto config = linkspan::default_servers(link);
    linkspan::make_options options;
    options.open = false;
    options.from = linkspan::variable_sources([](std::string_view) { return std::optional<std::string>("set"); });
    auto const made = co_await linkspan::async_make_connector(executor, config, options);
    BOOST_TEST(names_of(*made.hub) == "github brave ");
    BOOST_TEST_REQUIRE(made.problems.size() == 1u);
    BOOST_TEST(contains(to_string(made.problems[0]), "error: server 'filesystem': folder '" + link));
}

HARNESS_CASE(disabled_server_is_listed_without_its_problems)
{
    auto config = linkspan::connector_config::from_json(
        R"({"mcpServers":{"calc":{"command":")" + mock("mock-calculator").command +
        R"("},"off":{"command":"${NO_SUCH_VARIABLE}","args":["x"],"enabled":false},
           "away":{"url":"http://${NO_SUCH_VARIABLE}/mcp","enabled":false},
           "faulty":{"command":"${NO_SUCH_VARIABLE}"}}})");
    auto const made = co_await linkspan::async_make_connector(executor, std::move(config));
    BOOST_TEST(names_of(*made.hub) == "calc off away ");
    auto const state = made.hub->state();
    BOOST_TEST((state.servers[0].state == server_state::ready));
    BOOST_TEST((state.servers[1].state == server_state::disabled));
    BOOST_TEST((state.servers[2].state == server_state::disabled));
    BOOST_TEST_REQUIRE(made.problems.size() == 1u);
    BOOST_TEST(made.problems[0].subject == "faulty");
    auto const report = co_await made.hub->async_connect("off");
    BOOST_TEST(report.ec == make_error_code(linkspan::error::server_disabled));
    auto const enabled = co_await made.hub->async_enable("off"); // an incomplete server is not started
    BOOST_TEST(enabled.ec == make_error_code(linkspan::error::connection_failed));
    BOOST_TEST(contains(enabled.detail, "the configuration of the server has an error"), enabled.detail);
    co_await shuts_down(*made.hub);
}

HARNESS_CASE(replicas_share_the_calls_of_their_tools)
{
    auto const config = linkspan::connector_config::from_json(R"({"mcpServers":{"calc":{"replicas":3,"command":")" +
                                                              mock("mock-calculator").command + R"("}}})");
    auto const made = co_await linkspan::async_make_connector(executor, config);
    BOOST_TEST(made.problems.empty());
    BOOST_TEST(names_of(*made.hub) == "calc calc_2 calc_3 ");
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":1,"b":2})"));
    std::vector<linkspan::tool_call> const calls(3, linkspan::tool_call("add", sum));
    auto const outcomes = co_await linkspan::async_call_many(*made.hub, calls);
    std::set<std::string> servers;
    for (auto const& [ec, result] : outcomes) {
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        BOOST_TEST(result.text() == "3");
        servers.insert(std::string(result.server()));
    }
    BOOST_TEST(servers.size() == 3u); // the default policy selects the server with the fewest calls in flight
    co_await shuts_down(*made.hub);
}

HARNESS_CASE(naming_style_of_factory_is_configurable)
{
    auto const config = linkspan::connector_config::from_json(R"({"mcpServers":{"calc":{"command":")" +
                                                              mock("mock-calculator").command + R"("}}})");
    linkspan::make_options options;
    options.naming = linkspan::naming_style::mcp_underscore;
    auto const made = co_await linkspan::async_make_connector(executor, config, options);
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":1e5,"b":0})"));
    auto const result = co_await made.hub->async_invoke("mcp_calc_add", sum);
    BOOST_TEST(result.text() == "100000");
    BOOST_TEST(made.hub->catalog()->tools()[0].display_name().starts_with("mcp_calc_"));
    co_await shuts_down(*made.hub);
}

HARNESS_CASE(state_has_process_id_of_running_server)
{
    auto const config = linkspan::connector_config::from_json(R"({"mcpServers":{"calc":{"command":")" +
                                                              mock("mock-calculator").command + R"("}}})");
    auto const made = co_await linkspan::async_make_connector(executor, config);
    auto const pid = made.hub->state().servers[0].pid;
    BOOST_TEST_REQUIRE(pid.has_value());
    observe::process const child(static_cast<pid_t>(*pid));
    BOOST_TEST(!child.has_ended());
    BOOST_TEST(made.hub->state().servers[0].uptime.has_value());
    co_await shuts_down(*made.hub);
    BOOST_TEST(child.has_ended());
    BOOST_TEST(!made.hub->state().servers[0].pid);
}

HARNESS_CASE(connector_made_without_open_opens_on_first_call)
{
    auto config = linkspan::connector_config::from_json(R"({"mcpServers":{"calc":{"command":")" +
                                                        mock("mock-calculator").command + R"("}}})");
    linkspan::make_options options;
    options.open = false;
    auto const made = co_await linkspan::async_make_connector(executor, std::move(config), options);
    BOOST_TEST(made.problems.empty());
    BOOST_TEST((made.hub->state().servers[0].state == server_state::idle));
    linkspan::arguments const sum(linkspan::raw_json(R"({"a":2,"b":3})"));
    auto const result = co_await made.hub->async_call("add", sum);
    BOOST_TEST(result.text() == "5");
    co_await shuts_down(*made.hub);
}

HARNESS_CASE(command_line_and_factory_interpret_configuration_equally)
{
    observe::folder const temporary;
    auto const calculator = R"({"command":")" + program_run::program("mock-calculator") + "\"";
    auto const text = R"({"mcpServers":{"good":)" + calculator + R"(},"off":)" + calculator +
                      R"(,"disabled":true,"env":{"K":"${NOT_SET}"}},"no_value":)" + calculator +
                      R"(,"args":["${NOT_SET}"]},"a b":)" + calculator + R"(},"a_b":)" + calculator +
                      R"(},"no_host":{"url":"http://"},"no_command":{"args":[]}}})";
    auto const path = temporary.add("c.json", text, std::filesystem::perms::owner_all);
    auto const config = linkspan::connector_config::from_json(text, path);
    auto from = linkspan::variable_sources([](std::string_view) { return std::optional<std::string>(); });
    linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::auto_http>> hub(executor);
    auto const problems = add_servers(hub, config, from);
    co_await hub.async_open(in_tuple);
    auto const state = program_run::run_linkspan({"--config", path, "--json", "state"});
    std::string names;
    auto const listed = boost::json::parse(state.out);
    for (auto const& server : listed.as_array())
        (names += server.at("server").as_string()) += ' ';
    BOOST_TEST(names == names_of(hub));
    BOOST_TEST(names == "good off ");
    for (auto const& all : {config.problems, problems})
        for (auto const& problem : all)
            BOOST_TEST(program_run::has(state.err, to_string(problem)), to_string(problem) << "\n" << state.err);
    BOOST_TEST(problems.size() == 2u);
    for (auto const& server : hub.state().servers)
        BOOST_TEST(program_run::has(state.out, R"(":")" + std::string(to_string(server.state)) + '"'));
    co_await hub.async_shutdown(in_tuple);
}

BOOST_AUTO_TEST_SUITE_END()
