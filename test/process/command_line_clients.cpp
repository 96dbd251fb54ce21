// Configurations of other clients that the program `linkspan` finds, and its output for shells and for `man`.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_clients_test)

namespace json = boost::json;
using namespace program_run;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

std::string calculator() { return R"({"command": ")" + program("mock-calculator") + R"("})"; }

// A home directory with a configuration file of each client, and a project directory.
struct clients {
    clients()
    {
        auto const servers = [](std::string const& name) {
            return R"({"theme": 1, "mcpServers": {")" + name + "\": " + calculator() +
                   R"(, "same": {"command": "/no"}}})";
        };
        home.add(".claude.json", servers("code"), readable);
        home.add(".config/Claude/claude_desktop_config.json", servers("desktop"), readable);
        home.add(".cursor/mcp.json", servers("cursor"), readable);
        home.add(".gemini/settings.json", servers("gemini"), readable);
        home.add(".codeium/windsurf/mcp_config.json", servers("windsurf"), readable);
        home.add(".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                 servers("cline"), readable);
        home.add(".config/Code/User/mcp.json", R"({"servers": {"code_user": )" + calculator() + "}}", readable);
        home.add(".codex/config.toml",
                 "model = 'x'\n[mcp_servers.codex]\ncommand = '" + program("mock-calculator") + "'\n", readable);
        project.add(".mcp.json", servers("project"), readable);
        project.add(".vscode/mcp.json",
                    R"({"servers": {"work": {"type": "stdio", "command": ")" + program("mock-calculator") + R"("}}})",
                    readable);
        with.env["HOME"] = home.path();
        with.cwd = project.path();
    }

    observe::folder home, project;
    options with;
};

} // namespace

BOOST_AUTO_TEST_CASE(configurations_of_known_clients_are_found)
{
    clients const all;
    auto const listed = run_linkspan({"servers", "--json"}, all.with);
    BOOST_TEST(listed.status == 0, listed.err);
    BOOST_TEST(listed.err == "");
    for (std::string const name :
         {"code", "desktop", "cursor", "gemini", "windsurf", "cline", "code_user", "codex", "project", "work"}) {
        BOOST_TEST(has(listed.out, R"("server":")" + name + "\""), name << " is not in " << listed.out);
        auto const got = run_linkspan({"call", name + ".add", "a=1", "b=2"}, all.with);
        BOOST_TEST(got.status == 0, name << ": " << got.err);
        BOOST_TEST(got.out == "3\n");
        BOOST_TEST(got.err == "");
    }
    auto const servers = json::parse(listed.out);
    for (auto const& server : servers.as_array())
        if (server.at("server") == "same")
            BOOST_TEST(std::string(server.at("file").as_string()) == all.project.path() + "/.mcp.json");
}

BOOST_AUTO_TEST_CASE(invalid_configuration_of_client_does_not_affect_others)
{
    clients all;
    all.home.add(".cursor/mcp.json", "{", readable);
    std::filesystem::create_directory(all.project.path() + "/.cursor");
    std::filesystem::create_directory(all.project.path() + "/.cursor/mcp.json");
    auto const got = run_linkspan({"servers"}, all.with);
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(has(got.out, "project  stdio  enabled"), got.out);
    BOOST_TEST(has(got.err, ".cursor/mcp.json: error: not valid JSON"), got.err);
    BOOST_TEST(has(got.err, "expected a file, not a directory"), got.err);
}

BOOST_AUTO_TEST_CASE(configuration_directory_is_taken_from_environment)
{
    observe::folder const home, config;
    config.add("Claude/claude_desktop_config.json", R"({"mcpServers": {"s": )" + calculator() + "}}", readable);
    options with;
    with.env = {{"HOME", home.path()}, {"XDG_CONFIG_HOME", config.path()}};
    BOOST_TEST(has(run_linkspan({"servers"}, with).out, "s  stdio  enabled"));
    with.env["XDG_CONFIG_HOME"] = home.path();
    auto const none = run_linkspan({"tools"}, with);
    BOOST_TEST(none.status == 2);
    BOOST_TEST(has(none.err, "no configuration with servers was found; expected --config FILE"), none.err);
}

BOOST_AUTO_TEST_CASE(inputs_are_taken_from_option_or_variable)
{
    shell_server server;
    server.results("tools/list", R"({"tools":[{"name":"t","inputSchema":{"type":"object"}}]})");
    server.results("tools/call", R"({"content":[]})");
    observe::folder const folder;
    auto const path =
        folder.add("mcp.json",
                   R"({"inputs":[{"id":"api-key","type":"promptString","password":true}],"servers":{"s":)" +
                       server.entry(R"(,"type":"stdio","env":{"K":"${input:api-key}"})") + "}}",
                   readable);
    options with;
    auto const not_called = run_linkspan({"--config", path, "call", "s.t"}, with);
    BOOST_TEST(not_called.status == 2, not_called.err);
    BOOST_TEST(has(not_called.err, "input 'api-key'"), not_called.err);
    BOOST_TEST(run_linkspan({"--config", path, "call", "s.t", "--input", "api-key=hunter2"}, with).status == 0);
    with.env["LINKSPAN_INPUT_API_KEY"] = "hunter2";
    BOOST_TEST(run_linkspan({"--config", path, "call", "s.t"}, with).status == 0);
}

BOOST_AUTO_TEST_CASE(inputs_are_prompted_on_terminal_and_password_is_not_echoed)
{
    observe::folder const folder;
    for (std::string const password : {"true", "false"}) {
        auto const path = folder.add("mcp.json",
                                     R"({"inputs":[{"id":"key","description":"Key of the server","password":)" +
                                         password + R"(}],"servers":{"s":{"command":")" + program("mock-calculator") +
                                         R"(","env":{"K":"${input:key}"}}}})",
                                     readable);
        options with;
        with.err_is_terminal = true;
        with.typed = "hunter2\n";
        auto const got = run_linkspan({"--config", path, "call", "s.add", "a=1", "b=2"}, with);
        BOOST_TEST(got.status == 0, got.err);
        BOOST_TEST(got.out == "3\n");
        BOOST_TEST(has(got.err, "Key of the server: "), got.err);
        BOOST_TEST(has(got.err, "hunter2") == (password == "false"), got.err);
        with.typed = "\x03"; // Ctrl-C
        auto const interrupted = run_linkspan({"--config", path, "call", "s.add", "a=1", "b=2"}, with);
        BOOST_TEST(interrupted.status == 130, interrupted.err);
        BOOST_TEST(interrupted.out == "");
    }
}

BOOST_AUTO_TEST_CASE(disabled_tool_is_neither_listed_nor_called)
{
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"calc":{"command":")" + program("mock-calculator") +
                                     R"(","disabledTools":["divide"]}}})",
                                 readable);
    BOOST_TEST(!has(run_linkspan({"--config", path, "tools"}).out, "divide"));
    auto const got = run_linkspan({"--config", path, "call", "calc.divide", "a=1", "b=1"});
    BOOST_TEST(got.status == 2);
    BOOST_TEST(has(got.err, "tool 'divide' of server 'calc' is disabled in " + path), got.err);
}

// Two servers offer the tool, and one of them has disabled it.
BOOST_AUTO_TEST_CASE(call_without_server_name_uses_server_that_allows_tool)
{
    for (std::string const more : {R"(,"disabledTools":["t"])", R"(,"includeTools":["other"])"}) {
        shell_server one, other;
        one.results("tools/call", R"({"content":[{"type":"text","text":"one"}]})");
        other.results("tools/call", R"({"content":[{"type":"text","text":"other"}]})");
        observe::folder const folder;
        auto const path = folder.add(
            "c.json", R"({"mcpServers":{"a":)" + one.entry(more) + R"(,"b":)" + other.entry() + "}}", readable);
        auto const got = run_linkspan({"--config", path, "call", "t", "x=1"});
        BOOST_TEST(got.status == 0, got.err);
        BOOST_TEST(got.out == "other\n");
        BOOST_TEST(!has(one.received(), "tools/call"), one.received());
        BOOST_TEST(run_linkspan({"--config", path, "call", "b.t"}).out == "other\n");
    }
}

BOOST_AUTO_TEST_CASE(call_of_group_uses_member_that_is_allowed)
{
    shell_server one, other;
    other.results("tools/list", R"({"tools":[{"name":"u","inputSchema":{"type":"object"}}]})");
    other.results("tools/call", R"({"content":[{"type":"text","text":"other"}]})");
    observe::folder const folder;
    auto const path =
        folder.add("c.json",
                   R"({"mcpServers":{"a":)" + one.entry(R"(,"disabledTools":["t"],"tools":{"t":{"group":"g"}})") +
                       R"(,"b":)" + other.entry(R"(,"tools":{"u":{"group":"g"}})") + "}}",
                   readable);
    for (std::string const name : {"g", "t"}) {
        auto const got = run_linkspan({"--config", path, "call", name});
        BOOST_TEST(got.status == 0, got.err);
        BOOST_TEST(got.out == "other\n");
    }
    BOOST_TEST(!has(one.received(), "tools/call"), one.received());
}

BOOST_AUTO_TEST_CASE(tool_disabled_on_all_servers_is_not_called)
{
    shell_server one, other, third;
    auto const more = R"(,"disabledTools":["t","unlisted"])";
    third.results("tools/list", R"({"tools":[]})");
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"a":)" + one.entry(more) + R"(,"b":)" + other.entry(more) +
                                     R"(,"c":)" + third.entry() + "}}",
                                 readable);
    auto const got = run_linkspan({"--config", path, "call", "t"});
    BOOST_TEST(got.status == 2, got.err);
    BOOST_TEST(has(got.err, "tool 't' of server 'a' is disabled in " + path + ", of server 'b' is disabled in " + path),
               got.err);
    auto const unlisted = run_linkspan({"--config", path, "call", "unlisted"});
    BOOST_TEST(unlisted.status == 2, unlisted.err);
    auto const raw = run_linkspan({"--config", path, "request", "a", "tools/call", R"({"name":"t"})"});
    BOOST_TEST(raw.status == 2, raw.err);
    BOOST_TEST(has(raw.err, "tool 't' of server 'a' is disabled in " + path), raw.err);
    BOOST_TEST(!has(one.received() + other.received() + third.received(), "tools/call"));
}

BOOST_AUTO_TEST_CASE(ambiguous_tool_with_disabled_server_is_not_called)
{
    shell_server one, other, third;
    third.results("tools/list", R"({"tools":[{"name":"t","inputSchema":{"type":"object","required":["x"]}}]})");
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"a":)" + one.entry(R"(,"disabledTools":["t"])") + R"(,"b":)" +
                                     other.entry() + R"(,"c":)" + third.entry() + "}}",
                                 readable);
    auto const got = run_linkspan({"--config", path, "call", "t", "x=1"});
    BOOST_TEST(got.status == 2, got.err);
    BOOST_TEST(has(got.err, "tool 't' has different input schemas on several servers; expected one of b.t, c.t"),
               got.err);
    BOOST_TEST(!has(one.received() + other.received() + third.received(), "tools/call"));
}

BOOST_AUTO_TEST_CASE(deleted_working_directory_is_tolerated)
{
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"calc":)" + calculator() +
                                     R"(,"here":{"command":"x","args":["${workspaceFolder}"]}}})",
                                 readable);
    auto const run_in_removed = [&](std::string const& words) {
        options with;
        with.cwd = folder.path();
        return run(
            {"/bin/sh", "-c", "mkdir removed; cd removed; rmdir ../removed; exec " + program("linkspan") + " " + words},
            with);
    };
    for (auto const& words :
         {"--config " + path + " call calc.add a=1 b=2", "call add a=1 b=2 -- " + program("mock-calculator")}) {
        auto const got = run_in_removed(words);
        BOOST_TEST(got.status == 0, got.err);
        BOOST_TEST(got.out == "3\n");
    }
    auto const checked = run_in_removed("check " + program("mock-calculator"));
    BOOST_TEST(checked.status == 0, checked.err);
    auto const listed = run_in_removed("servers");
    BOOST_TEST(listed.status == 2, listed.err);
    BOOST_TEST(has(listed.err, "the current folder cannot be determined"), listed.err);
    auto const needed = run_in_removed("--config " + path + " tools here");
    BOOST_TEST(needed.status == 2, needed.err);
    BOOST_TEST(has(needed.err, "variable 'workspaceFolder': not set"), needed.err);
}

// zsh executes an autoloaded file as the body of the function on first use, and any other file when it is sourced.
BOOST_AUTO_TEST_CASE(zsh_completion_works_when_autoloaded)
{
    auto const script = run_linkspan({"completion", "zsh"}).out;
    BOOST_TEST(script.starts_with("#compdef linkspan\n"), script);
    BOOST_TEST(script.ends_with("\nif [ \"$funcstack[1]\" = _linkspan ]; then _linkspan \"$@\"; "
                                "else compdef _linkspan linkspan; fi\n"),
               script);
}

BOOST_AUTO_TEST_CASE(man_page_and_completions_contain_all_commands_and_options)
{
    auto const help = run_linkspan({"--help"}).out;
    auto const man = run_linkspan({"help", "--man"});
    BOOST_TEST(man.status == 0);
    BOOST_TEST(man.out.starts_with(".TH LINKSPAN 1 "), man.out);
    for (std::string const word : {"tools", "call", "state", "doctor", "servers", "resources", "prompts", "request",
                                   "completion", "--config", "--timeout", "--save"}) {
        BOOST_TEST(has(help, word), word);
        std::string escaped;
        for (char const c : word)
            escaped += c == '-' ? "\\-" : std::string(1, c);
        BOOST_TEST(has(man.out, "\\fB" + escaped + "\\fR"), word);
        for (std::string const shell : {"bash", "zsh", "fish"}) {
            auto const script = run_linkspan({"completion", shell});
            BOOST_TEST(script.status == 0);
            auto const name = shell == "fish" && word.starts_with("--") ? "-l " + word.substr(2) : word;
            BOOST_TEST(has(script.out, name), word << " is not in the script for " << shell);
        }
    }
}

BOOST_AUTO_TEST_CASE(bash_completes_commands_and_options)
{
    observe::folder const folder;
    auto const script = folder.add("linkspan.bash", run_linkspan({"completion", "bash"}).out, readable);
    auto const completed = [&](std::string const& words) {
        return run({"/bin/bash", "-c",
                    "source " + script + "; COMP_WORDS=(linkspan " + words +
                        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _linkspan; echo ${COMPREPLY[@]}"})
            .out;
    };
    BOOST_TEST(completed("to") == "tools\n");
    BOOST_TEST(completed("tools --js") == "--json\n");
    BOOST_TEST(completed("completion z") == "zsh\n");
}

BOOST_AUTO_TEST_CASE(doctor_hints_at_invalid_working_directory)
{
    observe::folder const folder;
    auto const path = folder.add(
        "c.json", R"({"mcpServers":{"s":{"command":")" + program("mock-calculator") + R"(","cwd":"/no/such/folder"}}})",
        readable);
    auto const got = run_linkspan({"--config", path, "doctor"});
    BOOST_TEST(got.status == 3, got.err);
    BOOST_TEST(has(got.out, "hint: the working directory in 'cwd' does not exist or is not a directory"), got.out);
}

// The server runs while `check`, the alias of `doctor`, is called with a wrong path and with https.
BOOST_AUTO_TEST_CASE(doctor_hints_at_wrong_url_path_and_tls_mismatch)
{
    observe::folder const folder;
    auto const script = "mkfifo in out; " + program("mock-calculator") +
                        " --http < in > out & exec 3> in; read url < out; " + program("linkspan") +
                        " check ${url%/mcp}/wrong; " + program("linkspan") +
                        " check https:${url#http:}; exec 3>&-; wait";
    options with;
    with.cwd = folder.path();
    auto const got = run({"/bin/sh", "-c", script}, with);
    BOOST_TEST(has(got.out, "hint: check the path of the URL; many servers use http://127.0.0.1:"), got.out);
    std::ifstream file(program("linkspan"), std::ios::binary);
    bool const has_tls = has({std::istreambuf_iterator<char>(file), {}}, "libssl.so");
    std::string const hint = has_tls ? "hint: the TLS handshake failed; if the server uses plain HTTP, its URL is "
                                       "http://127.0.0.1:"
                                     : "the URL of the server begins with https://, but no TLS layer is configured";
    BOOST_TEST(has(got.out, hint), got.out);
}

BOOST_AUTO_TEST_SUITE_END()
