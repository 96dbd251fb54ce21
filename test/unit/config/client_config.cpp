// Configuration files of other programs: their paths, and the effect of their keys.

#include <linkspan/config/client_config.hpp>

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

BOOST_AUTO_TEST_SUITE(client_config_test)

using namespace linkspan;
using linkspan::test::all_of;
using namespace std::chrono_literals;
using variables = std::map<std::string, std::string>;

namespace {

linkspan::test::fixed_environment const environment_of_test{
    {{"TOKEN", "token-of-test"}, {"NAME", "x"}, {"HOME", "/home/u"}}};

server_config const& named(connector_config const& config, std::string_view name)
{
    auto const server = std::ranges::find(config.servers, name, &server_config::name);
    BOOST_REQUIRE_MESSAGE(server != config.servers.end(), name << ": " << all_of(config.problems));
    return *server;
}

resolved_server resolved(connector_config const& config, std::string_view name)
{
    return named(config, name).resolve(variable_sources(environment_of_test));
}

bool has_file(std::vector<client_file> const& files, client of, std::string const& path)
{
    return std::ranges::any_of(files, [&](auto const& file) { return file.of == of && file.path == path; });
}

} // namespace

BOOST_AUTO_TEST_CASE(client_files_include_those_of_project_and_user)
{
    auto const files = client_files(environment_of_test, "/p");
    BOOST_TEST(files.front().path == "/p/.mcp.json");
    for (auto const& [of, path] :
         {std::pair(client::claude_code, "/p/.mcp.json"),
          {client::claude_code, "/home/u/.claude.json"},
          {client::claude_desktop, "/home/u/.config/Claude/claude_desktop_config.json"},
          {client::claude_desktop, "/home/u/Library/Application Support/Claude/claude_desktop_config.json"},
          {client::cursor, "/p/.cursor/mcp.json"},
          {client::cursor, "/home/u/.cursor/mcp.json"},
          {client::vs_code, "/p/.vscode/mcp.json"},
          {client::vs_code, "/home/u/.config/Code/User/mcp.json"},
          {client::codex, "/home/u/.codex/config.toml"},
          {client::gemini, "/home/u/.gemini/settings.json"},
          {client::windsurf, "/home/u/.codeium/windsurf/mcp_config.json"}})
        BOOST_TEST(has_file(files, of, path), path);
    for (auto const& file : files)
        BOOST_TEST((client_of(file.path) == file.of), file.path);
    auto const elsewhere = client_files(
        [](std::string_view name) {
            return name == "HOME"              ? std::optional<std::string>("/h")
                   : name == "XDG_CONFIG_HOME" ? std::optional<std::string>("/x")
                   : name == "CODEX_HOME"      ? std::optional<std::string>("/c")
                                               : std::nullopt;
        },
        "");
    BOOST_TEST(has_file(elsewhere, client::claude_desktop, "/x/Claude/claude_desktop_config.json"));
    BOOST_TEST(has_file(elsewhere, client::codex, "/c/config.toml"));
    BOOST_TEST(client_files([](std::string_view) { return std::nullopt; }, "").empty());
    BOOST_TEST(!client_of("servers.json"));
}

BOOST_AUTO_TEST_CASE(codex_keys_are_read)
{
    auto const config = read_client_config(client::codex, R"(model = "gpt" # of the client
when = 2026-11-23T10:00:00Z
[profiles."a b".x]
y = { z = [1, 2.5, 0x1f, true, 'l'], }
)",
                                           "broken.toml");
    BOOST_TEST(all_of(config.problems) == "broken.toml: error: not valid TOML: line 4: expected a key\n");
    auto const good = read_client_config(client::codex, R"(model = "gpt"
when = 2026-11-23T10:00:00Z
notify = [
    "a", # first
    "b",
]
[profiles."a b".x]
y = { z = [1, 2.5, 0x1f, true, 'l'] }

[mcp_servers.local]
command = "npx"
args = ["-y", "${NAME}", '''
two
lines''']
env = { LITERAL = "${TOKEN}", "B" = "\u00e9" }
env_vars = ["TOKEN"]
cwd = "/srv"
startup_timeout_sec = 20
tool_timeout_sec = 45.5
enabled_tools = ["a", "b"]
disabled_tools = ["b"]
supports_parallel_tool_calls = true
tools.a.approval_mode = "approve"

[mcp_servers."far away"]
url = "https://x.example/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { X-Plain = "$y" }
startup_timeout_ms = 1500
required = true
enabled = false

[mcp_servers."far away".env_http_headers]
X-Token = "TOKEN"
)");
    BOOST_TEST(good.problems.empty(), all_of(good.problems));
    BOOST_TEST_REQUIRE(good.servers.size() == 2u);
    auto const local = resolved(good, "local");
    BOOST_TEST_REQUIRE(local.stdio.has_value(), all_of(local.problems));
    BOOST_TEST(local.stdio->args.at(1) == "${NAME}"); // Codex has no variables
    BOOST_TEST(local.stdio->args.at(2) == "two\nlines");
    BOOST_TEST((local.stdio->env == variables{{"B", "\xc3\xa9"}, {"LITERAL", "${TOKEN}"}, {"TOKEN", "token-of-test"}}));
    auto const& server = named(good, "local");
    BOOST_TEST((server.options.session.startup_timeout == 20s));
    BOOST_TEST((server.options.session.idle_timeout == 45500ms));
    BOOST_TEST(server.allows_tool("a"));
    BOOST_TEST(!server.allows_tool("b"));
    BOOST_TEST(!server.allows_tool("c"));
    auto const far = resolved(good, "far away");
    BOOST_TEST((far.headers ==
                variables{{"Authorization", "Bearer token-of-test"}, {"X-Plain", "$y"}, {"X-Token", "token-of-test"}}));
    BOOST_TEST((named(good, "far away").options.session.startup_timeout == 1500ms));
    BOOST_TEST(!named(good, "far away").options.enabled);
}

BOOST_AUTO_TEST_CASE(toml_dates_are_read_in_all_forms)
{
    for (auto const* const date :
         {"1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "1979-05-27 07:32:00.999-07:00",
          "[1979-05-27 07:32:00, 1979-05-28]", "1979-05-27 # x"}) {
        auto const config = read_client_config(
            client::codex, "when = " + std::string(date) + "\n[mcp_servers.a]\ncommand = \"x\"\n", "c");
        BOOST_TEST(config.problems.empty(), date << ": " << all_of(config.problems));
        BOOST_TEST_REQUIRE(config.servers.size() == 1u);
    }
    BOOST_TEST(!read_client_config(client::codex, "when = 1979-05-27 x\n", "c").problems.empty());
}

BOOST_AUTO_TEST_CASE(toml_error_is_reported_with_its_line)
{
    auto const dotted = [](int count) {
        std::string out;
        while (count-- != 0)
            out += ".a";
        return out;
    };
    for (auto const& [text, problem] : std::vector<std::pair<std::string, std::string>>{
             {"a = 1\na = 2", "line 2: key 'a' is defined twice"},
             {"[a]\n[a]", "line 2: table 'a' is defined twice"},
             {"a = \"x", "line 1: string is not terminated"},
             {"a = \"\\q\"", "line 1: string contains an unknown escape"},
             {"a = \"\\ud800\"", "line 1: string contains an invalid escape"},
             {"a", "line 1: expected '='"},
             {"a = 1 2", "line 1: expected the end of the line"},
             {"a = what", "line 1: expected a value"},
             {"a = 1\n[a.b]", "line 2: key 'a' is already defined with another kind of value"},
             {"a = " + std::string(100, '['), "line 1: values are nested too deeply"},
             {"[a" + dotted(100'000) + "]", "line 1: values are nested too deeply"},
             {"[[a" + dotted(64) + "]]", "line 1: values are nested too deeply"},
             {"a" + dotted(100'000) + " = 1", "line 1: values are nested too deeply"},
             {"[a" + dotted(40) + "]\nb" + dotted(40) + " = 1", "line 2: values are nested too deeply"},
             {"a" + dotted(30) + " = " + std::string(40, '['), "line 1: values are nested too deeply"},
             {"a = { b" + dotted(40) + " = { c" + dotted(40) + " = 1 } }", "line 1: values are nested too deeply"}}) {
        auto const config = read_client_config(client::codex, text);
        BOOST_TEST(all_of(config.problems) == "error: not valid TOML: " + problem + "\n");
    }
    for (auto const& text : {"[a" + dotted(63) + "]\n[b]\nc" + dotted(62) + " = 1",
                             "a = " + std::string(63, '[') + std::string(63, ']') + "\nb" + dotted(63) + " = 1"}) {
        auto const deep = read_client_config(client::codex, text);
        BOOST_TEST(deep.problems.empty(), all_of(deep.problems));
    }
    auto const elements = read_client_config(client::codex, "[[a]]\n[a.b]\n[[a]]\n[a.b]\n");
    BOOST_TEST(elements.problems.empty(), all_of(elements.problems));
}

BOOST_AUTO_TEST_CASE(gemini_keys_are_read)
{
    auto const config = read_client_config(client::gemini, R"({
  "theme": "x",
  "mcp": {"allowed": ["a", "b"], "excluded": ["b"]},
  "mcpServers": {
    "a": {"httpUrl": "https://a.example/mcp", "url": "https://a.example/sse", "headers": {"Authorization": "Bearer $TOKEN"},
          "timeout": 5000, "trust": true, "includeTools": ["t"], "excludeTools": ["u"]},
    "b": {"command": "c", "env": {"K": "$TOKEN", "L": "${TOKEN}", "M": "US$5"}},
    "c": {"url": "https://c.example/sse"}
  }})");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    auto const& a = named(config, "a");
    BOOST_TEST((a.framing == http_framing::streamable));
    BOOST_TEST((a.options.session.idle_timeout == 5s));
    BOOST_TEST(a.allows_tool("t"));
    BOOST_TEST(!a.allows_tool("u"));
    BOOST_TEST(resolved(config, "a").url == "https://a.example/mcp");
    BOOST_TEST(resolved(config, "a").headers.at("Authorization") == "Bearer token-of-test");
    BOOST_TEST(a.options.enabled);
    BOOST_TEST(!named(config, "b").options.enabled);
    BOOST_TEST(!named(config, "c").options.enabled);
    auto const b = resolved(config, "b");
    BOOST_TEST((b.stdio->env == variables{{"K", "token-of-test"}, {"L", "token-of-test"}, {"M", "US$5"}}));
}

BOOST_AUTO_TEST_CASE(rejected_timeout_in_milliseconds_is_described_in_milliseconds)
{
    auto const config = read_client_config(client::gemini, R"({"mcpServers": {"a": {"command": "c", "timeout": 0}}})");
    BOOST_TEST(
        all_of(config.problems).find("/timeout: expected a number of milliseconds from 1 to 1000000000, found 0") !=
            std::string::npos,
        all_of(config.problems));
}

BOOST_AUTO_TEST_CASE(claude_code_project_servers_take_precedence_over_user_servers)
{
    std::string const text = R"({"numStartups": 5, "mcpServers": {"a": {"command": "user"}, "b": {"command": "user"}},
        "projects": {"/p\/q": {"mcpServers": {"a": {"command": "project", "timeout": 2500}}}, "/other": {}}})";
    auto const config = read_client_config(client::claude_code, text, "c", "/p/q");
    BOOST_TEST(config.problems.empty(), all_of(config.problems));
    BOOST_TEST(named(config, "a").command == "project");
    BOOST_TEST((named(config, "a").options.session.idle_timeout == 2500ms));
    BOOST_TEST(named(config, "b").command == "user");
    BOOST_TEST(named(read_client_config(client::claude_code, text), "a").command == "user");
}

BOOST_AUTO_TEST_CASE(location_of_a_server_is_that_in_the_whole_document)
{
    auto const project = read_client_config(
        client::claude_code, R"({"projects": {"/p": {"mcpServers": {"a": {"command": "x"}, "b": {}}}}})", "", "/p");
    BOOST_TEST(named(project, "a").pointer == "/projects/~1p/mcpServers/a");
    BOOST_TEST_REQUIRE(project.problems.size() == 1u);
    BOOST_TEST(project.problems[0].pointer == "/projects/~1p/mcpServers/b");
    auto const user = read_client_config(client::claude_code, R"({"mcpServers": {"a": {"command": "x"}}})");
    BOOST_TEST(named(user, "a").pointer == "/mcpServers/a");
    auto const settings =
        read_client_config(client::vs_code, R"({"mcp": {"servers": {"a": {"command": "x"}, "b": {}}}})");
    BOOST_TEST(named(settings, "a").pointer == "/mcp/servers/a");
    BOOST_TEST_REQUIRE(settings.problems.size() == 1u);
    BOOST_TEST(settings.problems[0].pointer == "/mcp/servers/b");
    auto const plain = read_client_config(client::vs_code, R"({"servers": {"a": {"command": "x"}}})");
    BOOST_TEST(named(plain, "a").pointer == "/servers/a");
}

BOOST_AUTO_TEST_CASE(windsurf_cline_and_vs_code_keys_are_read)
{
    auto const windsurf = read_client_config(
        client::windsurf, R"({"mcpServers": {"s": {"serverUrl": "https://s.example/mcp", "disabledTools": ["x"]}}})");
    BOOST_TEST(resolved(windsurf, "s").url == "https://s.example/mcp");
    BOOST_TEST(!named(windsurf, "s").allows_tool("x"));
    auto const cline = read_client_config(client::cline, R"({"mcpServers": {
        "s": {"type": "streamableHttp", "url": "https://s.example/mcp", "timeout": 60, "disabled": true, "autoApprove": []},
        "t": {"transportType": "stdio", "command": "c", "alwaysAllow": ["x"]}}})");
    BOOST_TEST(cline.problems.empty(), all_of(cline.problems));
    BOOST_TEST((named(cline, "s").options.session.idle_timeout == 60s));
    BOOST_TEST(!named(cline, "s").options.enabled);
    auto const settings = read_client_config(client::vs_code, R"({"editor.x": 1, "mcp": {
        "inputs": [{"id": "k", "type": "promptString", "default": "d"}],
        "servers": {"s": {"command": "c", "args": ["${workspaceFolderBasename}"]}}}})");
    BOOST_TEST(settings.problems.empty(), all_of(settings.problems));
    BOOST_TEST(named(settings, "s").inputs.at(0).fallback == "d");
    variable_sources from(environment_of_test);
    from.workspace_folder = "/srv/project";
    BOOST_TEST(named(settings, "s").resolve(from).stdio->args.at(0) == "project");
}

BOOST_AUTO_TEST_CASE(client_file_without_servers_is_empty_and_invalid_file_is_an_error)
{
    for (auto const of : {client::claude_desktop, client::cursor, client::vs_code, client::gemini}) {
        BOOST_TEST(read_client_config(of, R"({"theme": "x"})").problems.empty());
        BOOST_TEST(all_of(read_client_config(of, "{").problems).starts_with("error: not valid JSON"));
        BOOST_TEST(all_of(read_client_config(of, "[]").problems) == "error: expected an object, found an array\n");
    }
    auto const twice =
        read_client_config(client::cursor, R"({"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}})");
    BOOST_TEST(twice.servers.empty());
    BOOST_TEST(all_of(twice.problems) == "error: server 'a', /mcpServers/a: two servers have this name\n");
}

BOOST_AUTO_TEST_SUITE_END()
