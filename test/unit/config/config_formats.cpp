// Documents in the formats of other programs, and their effect.

#include <linkspan/config/connector_config.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/config_problems.hpp"
#include "support/fixed_environment.hpp"

BOOST_AUTO_TEST_SUITE(config_formats_test)

using namespace linkspan;
using linkspan::test::all_of;
using texts = std::vector<std::string>;
using variables = std::map<std::string, std::string>;

namespace {

linkspan::test::fixed_environment const environment_of_test{
    {{"GITHUB_TOKEN", "ghp_of_test"}, {"API_KEY", "key-of-test"}, {"HOME", "/home/test"}, {"HALF", "half"}}};

variable_sources sources()
{
    variable_sources from(environment_of_test);
    from.workspace_folder = "/srv/project";
    return from;
}

// Returns the configuration of the child process of this server, with all variables replaced.
stdio_config command_of(connector_config const& config, std::string_view name)
{
    auto const server = std::ranges::find(config.servers, name, &server_config::name);
    BOOST_REQUIRE(server != config.servers.end());
    auto const resolved = server->resolve(sources());
    BOOST_REQUIRE_MESSAGE(resolved.stdio, all_of(resolved.problems));
    return *resolved.stdio;
}

} // namespace

BOOST_AUTO_TEST_CASE(claude_desktop_format_is_read)
{
    auto const config = connector_config::from_json(R"({
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/username/Desktop"]
    },
    "brave search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": {"BRAVE_API_KEY": "literal-key"}
    }
  },
  "globalShortcut": "Ctrl+Space"
})");
    BOOST_TEST(all_of(config.problems) == "warning: /globalShortcut: unknown key\n");
    BOOST_TEST(command_of(config, "filesystem").command == "npx");
    BOOST_TEST(command_of(config, "filesystem").args.size() == 3u);
    BOOST_TEST((command_of(config, "brave search").env == variables{{"BRAVE_API_KEY", "literal-key"}}));
    BOOST_TEST(config.servers[1].key() == "brave_search");
    BOOST_TEST((config.servers[0].expansion == expand::interpolate));
}

BOOST_AUTO_TEST_CASE(claude_code_format_is_read)
{
    auto const config = connector_config::from_json(R"({
  "mcpServers": {
    "local": {
      "command": "${TOOLS:-/opt/tools}/server",
      "args": ["--cache", "${HOME}/.cache", "--mode=${MODE:-fast}"],
      "env": {"API_KEY": "${API_KEY}", "BOTH": "${HALF}-${HALF}", "NONE": "${NOT_SET}"}
    },
    "api": {
      "type": "http",
      "url": "${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": {"Authorization": "Bearer ${API_KEY}"}
    },
    "events": {"type": "sse", "url": "https://example.com/sse"}
  }
})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    auto const local = command_of(config, "local");
    BOOST_TEST(local.command == "/opt/tools/server");
    BOOST_TEST(local.args == (texts{"--cache", "/home/test/.cache", "--mode=fast"}), boost::test_tools::per_element());
    BOOST_TEST((local.env == variables{{"API_KEY", "key-of-test"}, {"BOTH", "half-half"}, {"NONE", ""}}));
    auto const api = config.servers[1].resolve(sources());
    BOOST_TEST(!api.stdio);
    BOOST_TEST(!has_errors(api.problems));
    BOOST_TEST(api.url == "https://api.example.com/mcp");
    BOOST_TEST((api.headers == variables{{"Authorization", "Bearer key-of-test"}}));
    BOOST_TEST(config.servers[2].url == "https://example.com/sse");
}

BOOST_AUTO_TEST_CASE(cursor_format_is_read)
{
    auto const config = connector_config::from_json(R"({
  "mcpServers": {
    "local": {
      "type": "stdio",
      "command": "python",
      "args": ["${workspaceFolder}/tools/mcp_server.py"],
      "env": {"API_KEY": "${env:API_KEY}", "CACHE": "${userHome}/cache"},
      "envFile": ".env",
      "disabled": true,
      "autoApprove": ["read_file"]
    },
    "remote": {"url": "https://api.example.com/mcp", "headers": {"X-Key": "${env:API_KEY}"}}
  }
})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    BOOST_TEST(all_of(config.servers[0].resolve(sources()).problems) ==
               "error: server 'local', /mcpServers/local/envFile: the file cannot be read\n");
    auto from = sources();
    std::string requested;
    from.files = [&requested](std::string const& path) {
        requested = path;
        return std::optional<std::string>(
            "# of a project\n\nexport TOKEN='a b' # c\nAPI_KEY=below\nPLAIN = x #y\r\n2\n");
    };
    auto const resolved = config.servers[0].resolve(from);
    BOOST_TEST(requested == "/srv/project/.env");
    BOOST_TEST(all_of(resolved.problems) == "warning: server 'local', /mcpServers/local/envFile: line 6: expected "
                                            "NAME=value; the line is ignored\n");
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    auto const& local = *resolved.stdio;
    BOOST_TEST(resolved.secrets("a b") == "a b"); // too short for a secret
    BOOST_TEST(resolved.secrets("<below>") == "<***>");
    BOOST_TEST(local.args == (texts{"/srv/project/tools/mcp_server.py"}), boost::test_tools::per_element());
    BOOST_TEST(
        (local.env ==
         variables{{"API_KEY", "key-of-test"}, {"CACHE", "/home/test/cache"}, {"PLAIN", "x"}, {"TOKEN", "a b"}}));
    BOOST_TEST(!config.servers[0].options.enabled);
    BOOST_TEST((config.servers[1].resolve(sources()).headers == variables{{"X-Key", "key-of-test"}}));
}

BOOST_AUTO_TEST_CASE(vs_code_format_is_read)
{
    auto const config = connector_config::from_json(R"({
  // .vscode/mcp.json
  "inputs": [
    {"type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true},
    {"type": "pickString", "id": "region", "description": "Region", "options": ["eu", "us"], "default": "eu"},
  ],
  "servers": {
    "Perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask", "--region=${input:region}"],
      "cwd": "${workspaceFolder}",
      "env": {"PERPLEXITY_API_KEY": "${input:perplexity-key}"}, /* an input of the user */
      "dev": {"watch": "build/**/*.js"},
    },
    "github": {"type": "http", "url": "https://api.githubcopilot.com/mcp"}
  }
})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    auto const& perplexity = config.servers.at(0);
    BOOST_TEST(all_of(perplexity.resolve(sources()).problems) ==
               "error: server 'Perplexity', /servers/Perplexity/args/2: input 'region' (Region): no input source is "
               "configured\n"
               "error: server 'Perplexity', /servers/Perplexity/env/PERPLEXITY_API_KEY: input 'perplexity-key' "
               "(Perplexity API Key): no input source is configured\n");
    auto from = sources();
    from.inputs = [](input_variable const& requested) { return std::optional(requested.password ? "pplx" : "eu"); };
    auto const resolved = perplexity.resolve(from);
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    BOOST_TEST(resolved.stdio->args.back() == "--region=eu");
    BOOST_TEST(resolved.stdio->cwd == "/srv/project");
    BOOST_TEST(resolved.stdio->env.at("PERPLEXITY_API_KEY") == "pplx");
}

// The key 'type' distinguishes the format from the plain format.
BOOST_AUTO_TEST_CASE(vs_code_format_without_inputs_is_recognized)
{
    auto const config = connector_config::from_json(
        R"({"servers":{"a":{"type":"stdio","command":"c","env":{"K":"<${env:HALF}>"}},"b":{"command":"c"}}})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    BOOST_TEST(command_of(config, "a").env.at("K") == "<half>");
    auto const with_inputs = connector_config::from_json(R"({"servers":{"a":{"command":"c"}},"inputs":[]})");
    BOOST_TEST(with_inputs.problems.empty());
    BOOST_TEST((with_inputs.servers.at(0).expansion == expand::interpolate));
}

BOOST_AUTO_TEST_CASE(plain_format_is_read)
{
    auto const config = connector_config::from_json(R"({
  "servers": {
    "github": {
      "command": "uvx",
      "args": ["mcp-server-github", "${GITHUB_TOKEN}"],
      "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}", "LITERAL": "as it is", "PART": "a-${HALF}", "TWO": "${HALF}${HALF}",
              "NONE": "${NOT_SET}"},
      "description": "GitHub",
      "enabled": true
    },
    "off": {"command": "uvx", "enabled": false, "env": null}
  },
  "default_timeout": 60,
  "max_retries": 5
})",
                                                    "servers.json");
    // The warning appears once for any number of servers.
    BOOST_TEST(all_of(config.problems) ==
               "servers.json: warning: /servers: servers inherit only HOME, PATH and similar variables of this "
               "process; set 'inherit_env' (\"all\" or \"safe\") for each server\n");
    BOOST_TEST_REQUIRE(config.servers.size() == 2u);
    BOOST_TEST(config.servers[0].name == "github");
    BOOST_TEST(config.servers[0].description == "GitHub");
    BOOST_TEST((config.servers[0].options.session.idle_timeout == std::chrono::seconds(60)));
    BOOST_TEST(config.max_attempts() == 6u);
    BOOST_TEST(!config.servers[1].options.enabled);
    auto const resolved = config.servers[0].resolve(sources());
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    BOOST_TEST(resolved.stdio->args.back() == "${GITHUB_TOKEN}");
    BOOST_TEST((resolved.stdio->env == variables{{"GITHUB_TOKEN", "ghp_of_test"},
                                                 {"LITERAL", "as it is"},
                                                 {"PART", "a-${HALF}"},
                                                 {"TWO", "${HALF}${HALF}"},
                                                 {"NONE", ""}}));
    BOOST_TEST(all_of(resolved.problems) ==
               "servers.json: warning: server 'github', /servers/github/env/NONE: variable "
               "'NOT_SET': not set; an empty value is used\n");
}

BOOST_AUTO_TEST_CASE(plain_format_has_names_of_variables_of_headers)
{
    auto const config = connector_config::from_json(R"({"servers":{"remote":{
        "url":"https://x.example/${PATH}","headers":{"X-Plain":"${GITHUB_TOKEN}"},
        "env_http_headers":{"X-Token":"GITHUB_TOKEN"},"bearer_token_env_var":"GITHUB_TOKEN"}}})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    auto const remote = config.servers.at(0).resolve(sources());
    BOOST_TEST_REQUIRE(!remote.url.empty(), all_of(remote.problems));
    BOOST_TEST(remote.url == "https://x.example/${PATH}");
    BOOST_TEST((remote.headers == variables{{"X-Plain", "${GITHUB_TOKEN}"},
                                            {"X-Token", "ghp_of_test"},
                                            {"Authorization", "Bearer ghp_of_test"}}));
}

BOOST_AUTO_TEST_CASE(plain_format_with_inherit_env_has_no_warning)
{
    auto const config = connector_config::from_json(
        R"({"servers":{"a":{"command":"c","inherit_env":"all"},"b":{"command":"c","inherit_env":"safe"}}})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    BOOST_TEST((command_of(config, "a").inherit == environment::all));
    BOOST_TEST((command_of(config, "b").inherit == environment::safe));
    BOOST_TEST(connector_config::from_json(R"({"servers":{}})").problems.empty());
    // Other formats do not result in this warning.
    BOOST_TEST(connector_config::from_json(R"({"mcpServers":{"a":{"command":"c"}}})").problems.empty());
}

BOOST_AUTO_TEST_CASE(fastmcp_format_without_wrapper_is_read)
{
    auto const config = connector_config::from_json(R"({
  "weather": {"url": "https://weather.example.com/mcp", "transport": "http"},
  "assistant": {"command": "python", "args": ["./assistant.py"], "env": {"K": "<${HALF}>"}}
})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    BOOST_TEST((config.servers.at(0).framing == http_framing::automatic));
    BOOST_TEST(config.servers.at(0).url == "https://weather.example.com/mcp");
    BOOST_TEST(config.servers.at(1).pointer == "/assistant");
    BOOST_TEST(command_of(config, "assistant").env.at("K") == "<half>");
}

// FastMCP names the key `transport` that other programs name `type`.
BOOST_AUTO_TEST_CASE(fastmcp_transport_key_is_read_as_type)
{
    auto const config = connector_config::from_json(R"({"mcpServers": {
  "a": {"url": "https://a.example/mcp", "transport": "sse"},
  "b": {"url": "https://b.example/mcp", "transport": "streamable-http"},
  "c": {"command": "python", "transport": "stdio"},
  "d": {"url": "https://d.example/mcp", "type": "sse", "transport": "http"},
  "e": {"url": "https://e.example/mcp", "transport": "carrier-pigeon"}
}})");
    BOOST_TEST_REQUIRE(config.servers.size() == 3u);
    BOOST_TEST((config.servers[0].framing == http_framing::sse));
    BOOST_TEST((config.servers[1].framing == http_framing::streamable));
    BOOST_TEST(config.servers[2].command == "python");
    BOOST_TEST(all_of(config.problems).find("'type' and 'transport' contradict each other") != std::string::npos);
    BOOST_TEST(all_of(config.problems).find("/e/transport: expected one of") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
