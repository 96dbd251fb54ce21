// Output and exit status of the program `linkspan`.

#include <linkspan/transport/stdio/child_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

#include "support/program_run.hpp"

BOOST_AUTO_TEST_SUITE(command_line_test)

namespace asio = boost::asio;
namespace json = boost::json;
using linkspan::error_code;
using program_run::program;

namespace {

struct ended {
    std::string out;     // stdout
    std::string summary; // exit status and tail of stderr
};

// Runs a program to completion.
ended run(std::string command, std::vector<std::string> args, std::map<std::string, std::string> env = {})
{
    asio::io_context context{1};
    linkspan::stdio_config config;
    config.command = std::move(command);
    config.args = std::move(args);
    config.env = std::move(env);
    config.env.emplace("HOME", "/nonexistent"); // no configurations of the user
    linkspan::child_stream child(context.get_executor(), config);
    error_code ec;
    child.open(ec);
    BOOST_REQUIRE(!ec);
    ended result;
    std::array<char, 4096> buffer;
    std::function<void()> const read = [&] {
        child.async_read_some(asio::buffer(buffer), [&](error_code failure, std::size_t size) {
            result.out.append(buffer.data(), size);
            if (!failure)
                read();
        });
    };
    read();
    context.run();
    result.summary = child.diagnostics();
    return result;
}

bool ended_with(ended const& result, int status)
{
    return result.summary.find("exited with status " + std::to_string(status)) != std::string::npos;
}

bool explains(ended const& result, std::string const& text) { return result.summary.find(text) != std::string::npos; }

// A temporary configuration file.
class file {
public:
    explicit file(std::string const& text)
    {
        std::string path = (std::filesystem::temp_directory_path() / "linkspan-XXXXXX").string();
        ::close(::mkstemp(path.data()));
        path_ = path;
        std::ofstream(path_) << text;
    }
    file(file const&) = delete;
    file& operator=(file const&) = delete;
    ~file() { std::filesystem::remove(path_); }

    std::string const& path() const { return path_; }

private:
    std::string path_;
};

file one_calculator()
{
    return file(R"({"mcpServers": {"calc": {"command": ")" + program("mock-calculator") + R"("}}})");
}

} // namespace

BOOST_AUTO_TEST_CASE(tools_are_listed)
{
    auto const config = one_calculator();
    auto const result = run(program("linkspan"), {"--config", config.path(), "tools"});
    BOOST_TEST(ended_with(result, 0), result.summary);
    BOOST_TEST(result.out.starts_with("add(a: number, b: number, delay_ms?: integer)  Add two numbers.\n"), result.out);
}

BOOST_AUTO_TEST_CASE(listed_tools_are_one_json_document)
{
    auto const config = one_calculator();
    auto const result = run(program("linkspan"), {"--config", config.path(), "--json", "tools"});
    auto const first = json::parse(result.out).at(0);
    BOOST_TEST(first.at("name").as_string() == "add");
    BOOST_TEST(first.at("server").as_string() == "calc");
    BOOST_TEST(first.at("inputSchema").is_object());
}

BOOST_AUTO_TEST_CASE(tools_are_listed_in_formats_of_model_apis)
{
    auto const config = one_calculator();
    for (auto const& [format, key] :
         {std::pair("flat", "parameters"), {"openai", "function"}, {"anthropic", "input_schema"}}) {
        auto const result = run(program("linkspan"), {"--config", config.path(), "tools", "--format", format});
        BOOST_TEST(ended_with(result, 0), result.summary);
        BOOST_TEST(json::parse(result.out).at(0).as_object().contains(key), result.out);
    }
    for (auto const& wrong : {std::vector<std::string>{"tools", "--format", "xml"}, {"state", "--format", "flat"}}) {
        auto words = wrong;
        words.insert(words.begin(), {"--config", config.path()});
        BOOST_TEST(ended_with(run(program("linkspan"), words), 2));
    }
}

BOOST_AUTO_TEST_CASE(tool_is_called)
{
    auto const config = one_calculator();
    auto const plain = run(program("linkspan"), {"--config", config.path(), "call", "add", R"({"a":2,"b":3})"});
    BOOST_TEST(ended_with(plain, 0), plain.summary);
    BOOST_TEST(plain.out == "5\n");
    auto const raw = run(program("linkspan"), {"--json", "--config", config.path(), "call", "add", R"({"a":2,"b":3})"});
    BOOST_TEST(json::parse(raw.out).at("structuredContent").at("result").as_int64() == 5);
}

BOOST_AUTO_TEST_CASE(tool_error_exits_with_1)
{
    auto const config = one_calculator();
    auto const result = run(program("linkspan"), {"--config", config.path(), "call", "divide", R"({"a":1,"b":0})"});
    BOOST_TEST(ended_with(result, 1), result.summary);
    BOOST_TEST(result.out == "division by zero\n");
}

BOOST_AUTO_TEST_CASE(usage_error_exits_with_2)
{
    auto const config = one_calculator();
    std::vector<std::vector<std::string>> const misuses{
        {},
        {"tools"},
        {"--config", config.path()},
        {"--config", config.path(), "frobnicate"},
        {"--config", config.path(), "call"},
        {"--config", config.path(), "tools", "surplus"},
        {"--config", config.path(), "call", "add", "no json"},
        {"--config", config.path(), "call", "add", "[1]"},
        {"--config", "/no/such/file", "tools"},
    };
    for (auto const& args : misuses) {
        auto const result = run(program("linkspan"), args);
        BOOST_TEST(ended_with(result, 2), result.summary);
        BOOST_TEST(result.out == "");
    }
}

BOOST_AUTO_TEST_CASE(invalid_configuration_exits_with_2_and_names_location)
{
    file const config(R"({"mcpServers": {"calc": {"comand": "x", "priority": 500}}})");
    auto const result = run(program("linkspan"), {"--config", config.path(), "state"});
    BOOST_TEST(ended_with(result, 2), result.summary);
    BOOST_TEST(explains(result, "server 'calc', /mcpServers/calc/comand: unknown key; did you mean 'command'?"));
    BOOST_TEST(explains(result, "server 'calc', /mcpServers/calc/priority: expected an integer from 0 to 100"));
}

BOOST_AUTO_TEST_CASE(unknown_tool_exits_with_2_and_suggestion)
{
    auto const config = one_calculator();
    auto const result = run(program("linkspan"), {"--config", config.path(), "call", "ad"});
    BOOST_TEST(ended_with(result, 2), result.summary);
    BOOST_TEST(explains(result, "similar names: add"), result.summary);
}

BOOST_AUTO_TEST_CASE(no_available_server_exits_with_3)
{
    file const config(R"({"mcpServers": {"down": {"command": "/no/such/program"}}})");
    for (std::string const verb : {"tools", "state"}) {
        auto const result = run(program("linkspan"), {"--config", config.path(), verb});
        BOOST_TEST(ended_with(result, 3), result.summary);
        BOOST_TEST(explains(result, "/no/such/program"), result.summary);
    }
}

BOOST_AUTO_TEST_CASE(failed_open_is_reported_with_cause_in_json)
{
    file const config(R"({"mcpServers": {"down": {"command": "/no/such/program"}}})");
    auto const result = run(program("linkspan"), {"--json", "--config", config.path(), "call", "down.add"});
    BOOST_TEST(ended_with(result, 3), result.summary);
    std::string const message(json::parse(result.out).at("error").at("message").as_string());
    BOOST_TEST(message.starts_with("no server could be opened: server 'down': No such file or directory"), message);
}

BOOST_AUTO_TEST_CASE(failed_server_beside_another_is_reported_in_state)
{
    file const config(R"({"mcpServers": {"down": {"command": "/no/such/program"}, "calc": {"command": ")" +
                      program("mock-calculator") + R"("}}})");
    auto const result = run(program("linkspan"), {"--json", "--config", config.path(), "state"});
    BOOST_TEST(ended_with(result, 3), result.summary);
    BOOST_TEST(explains(result, "server 'down'"), result.summary);
    BOOST_TEST(result.out.find(R"("server":"calc","transport":"stdio","state":"ready")") != std::string::npos);
    BOOST_TEST(result.out.find(R"("server":"down","transport":"stdio","state":"waiting")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tool_possibly_offered_by_failed_server_exits_with_3)
{
    file const config(R"({"mcpServers": {"down": {"command": "/no/such/program"}, "calc": {"command": ")" +
                      program("mock-calculator") + R"("}}})");
    auto const result = run(program("linkspan"), {"--config", config.path(), "call", "divine"});
    BOOST_TEST(ended_with(result, 3), result.summary);
    BOOST_TEST(explains(result, "'divine'"), result.summary);
}

BOOST_AUTO_TEST_CASE(json_arguments_may_span_lines)
{
    auto const config = one_calculator();
    auto const result =
        run(program("linkspan"), {"--config", config.path(), "call", "add", "{\n\"a\": 2,\r\n\"b\": 3\n}"});
    BOOST_TEST(ended_with(result, 0), result.summary);
    BOOST_TEST(result.out == "5\n");
}

BOOST_AUTO_TEST_CASE(json_arguments_with_duplicate_key_exit_with_2)
{
    auto const config = one_calculator();
    auto const result = run(program("linkspan"), {"--config", config.path(), "call", "add", R"({"a":2,"b":3,"a":5})"});
    BOOST_TEST(ended_with(result, 2), result.summary);
    BOOST_TEST(explains(result, "duplicate key '/a'"), result.summary);
    BOOST_TEST(result.out == "");
}

BOOST_AUTO_TEST_CASE(configured_secret_is_not_printed)
{
    file const config(R"({"mcpServers": {"down": {"command": "/no/such/program", "env": {"TOKEN": "hunter2-planted"}},
                          "odd": {"command": 5, "env": {"TOKEN": "hunter2-planted"}}}})");
    auto const result = run(program("linkspan"), {"--config", config.path(), "state"});
    BOOST_TEST((result.out + result.summary).find("hunter2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(secret_in_server_output_is_redacted)
{
    file const config(R"({"mcpServers": {"loud": {"command": "/bin/sh", "args": ["-c", "echo $TOKEN $KEY >&2; exit 7"],
                          "env": {"TOKEN": "hunter2-planted", "KEY": "${LINKSPAN_TEST_TOKEN}"}}}})");
    for (std::string const verb : {"tools", "state"}) {
        auto const result =
            run(program("linkspan"), {"--config", config.path(), verb}, {{"LINKSPAN_TEST_TOKEN", "hunter2-expanded"}});
        BOOST_TEST(ended_with(result, 3), result.summary);
        BOOST_TEST(explains(result, "*** ***"), result.summary);
        BOOST_TEST((result.out + result.summary).find("hunter2") == std::string::npos, result.out + result.summary);
    }
}

BOOST_AUTO_TEST_CASE(vs_code_configuration_is_read)
{
    file const config(R"({
        // of a workspace
        "servers": {"my calculator": {"type": "stdio", "command": "${env:CALCULATOR:-)" +
                      program("mock-calculator") + R"(}", "cwd": "${workspaceFolder}", "odd": {}},
                    "far away": {"type": "http", "url": "https://user:hunter2@example.org/mcp"},
                    "down": {"type": "http", "url": "http://127.0.0.1:1/mcp?key=hunter2"},},
    })");
    auto const result = run(program("linkspan"), {"--config", config.path(), "--json", "tools"});
    BOOST_TEST(ended_with(result, 3), result.summary);
    BOOST_TEST(result.out.find(R"("server":"my_calculator","tool":"add")") != std::string::npos, result.out);
    BOOST_TEST(explains(result, "warning: server 'my calculator', /servers/my calculator/odd: unknown key"),
               result.summary);
    BOOST_TEST(explains(result, "error: server 'far away', /servers/far away: "), result.summary);
    BOOST_TEST(explains(result, "must not contain a user name or a password"), result.summary);
    BOOST_TEST(explains(result, "server 'down': Connection refused"), result.summary);
    BOOST_TEST(!explains(result, "hunter2"), result.summary);
}

BOOST_AUTO_TEST_CASE(unset_variable_required_by_server_exits_with_2)
{
    file const config(
        R"({"mcpServers": {"a": {"command": "${LINKSPAN_NOT_SET}", "env": {"K": "${LINKSPAN_NOT_SET}"}}}})");
    auto const result = run(program("linkspan"), {"--config", config.path(), "tools"});
    BOOST_TEST(ended_with(result, 2), result.summary);
    BOOST_TEST(explains(result, "error: server 'a', /mcpServers/a/command: variable 'LINKSPAN_NOT_SET': not set"));
    BOOST_TEST(explains(result, "warning: server 'a', /mcpServers/a/env/K: variable 'LINKSPAN_NOT_SET': not set"));
}

BOOST_AUTO_TEST_CASE(doctor_reports_phase_and_hint_per_server)
{
    file const config(R"({"mcpServers": {
        "calc": {"command": ")" +
                      program("mock-calculator") + R"("},
        "down": {"command": "no-such-program-anywhere"},
        "grumpy": {"command": "/bin/sh", "args": ["-c", "echo no licence >&2; exit 7"]}}})");
    auto const result = run(program("linkspan"), {"--config", config.path(), "doctor"});
    BOOST_TEST(ended_with(result, 3), result.summary);
    for (auto const* const part : {"calc  OK  done  ", " tools\n", "down  CONNECTION_FAILED  start  ",
                                   "check that the command is installed and that PATH contains its folder",
                                   "grumpy  INVALID_MCP_SERVER  negotiate  ", "exited with status 7", "no licence",
                                   "the end of its stderr may contain the reason"})
        BOOST_TEST(result.out.find(part) != std::string::npos, part << " is not in " << result.out);
    auto const lines = run(program("linkspan"), {"--json", "--config", config.path(), "doctor"});
    auto const first = json::parse(lines.out).at(0);
    BOOST_TEST(first.at("verdict") == "OK");
    BOOST_TEST(first.at("error").is_null());
    auto const one = one_calculator();
    BOOST_TEST(ended_with(run(program("linkspan"), {"--config", one.path(), "doctor"}), 0));
}

BOOST_AUTO_TEST_CASE(check_is_a_deprecated_alias_of_doctor)
{
    auto const one = one_calculator();
    auto const result = run(program("linkspan"), {"--config", one.path(), "check"});
    BOOST_TEST(ended_with(result, 0), result.summary);
    BOOST_TEST(result.out.find("  OK  done  ") != std::string::npos, result.out);
    BOOST_TEST(result.summary.find("linkspan: the command 'check' is deprecated: use 'doctor'") != std::string::npos,
               result.summary);
    auto const present = run(program("linkspan"), {"--config", one.path(), "doctor"});
    BOOST_TEST(present.summary.find("deprecated") == std::string::npos, present.summary);
}

BOOST_AUTO_TEST_CASE(doctor_checks_one_server_without_configuration)
{
    auto const good = run(program("linkspan"), {"doctor", program("mock-calculator")});
    BOOST_TEST(ended_with(good, 0), good.summary);
    BOOST_TEST(good.out.starts_with("mock-calculator  OK  "), good.out);
    BOOST_TEST(good.out.ends_with(" tools\n"), good.out);
    auto const refused = run(program("linkspan"), {"--timeout", "5", "doctor", "http://127.0.0.1:1/mcp?key=hunter2"});
    BOOST_TEST(ended_with(refused, 3), refused.summary);
    BOOST_TEST(refused.out.starts_with("127.0.0.1:1  CONNECTION_FAILED  "), refused.out);
    BOOST_TEST(refused.out.find("Cannot connect to server.") != std::string::npos, refused.out);
    BOOST_TEST((refused.out + refused.summary).find("hunter2") == std::string::npos);
    auto const json = run(program("linkspan"), {"--json", "doctor", "sh -c 'exit 7'"});
    BOOST_TEST(ended_with(json, 3), json.summary);
    BOOST_TEST(json::parse(json.out).at("error_code") == "INVALID_MCP_SERVER");
    for (auto const* const server :
         {"ftp://user:hunter2@example.org", "https://user:hunter2@example.org", "server 'hunter2"}) {
        auto const result = run(program("linkspan"), {"--json", "doctor", server});
        BOOST_TEST(ended_with(result, 2), result.summary);
        BOOST_TEST(json::parse(result.out).at("error_code") == "INVALID_URL");
        BOOST_TEST((result.out + result.summary).find("hunter2") == std::string::npos, result.out + result.summary);
    }
    for (std::vector<std::string> const& wrong : {std::vector<std::string>{"doctor", "one", "two"},
                                                  {"--timeout", "0", "doctor", "sh"},
                                                  {"--timeout", "soon", "doctor", "sh"}}) {
        auto const result = run(program("linkspan"), wrong);
        BOOST_TEST(ended_with(result, 2), result.summary);
    }
}

BOOST_AUTO_TEST_CASE(doctor_completes_after_timeout_option)
{
    auto const silent = run(program("linkspan"), {"--timeout", "1", "doctor", "sleep 1000"});
    BOOST_TEST(ended_with(silent, 3), silent.summary);
    BOOST_TEST(silent.out.starts_with("sleep  TIMEOUT  "), silent.out);
    BOOST_TEST(silent.out.find("Connection timed out after 1 seconds.") != std::string::npos, silent.out);
}

// Bindings of a running server; test/unit/bindgen covers the rest.
BOOST_AUTO_TEST_CASE(bindgen_generates_bindings_from_running_server)
{
    auto const config = one_calculator();
    std::vector<std::string> const source{"--config", config.path(), "--server", "calc"};
    auto const made = run(program("linkspan-bindgen"), source);
    BOOST_TEST(ended_with(made, 0), made.summary);
    BOOST_TEST(made.out.find("namespace Calculator_tools {") != std::string::npos, made.out);
    BOOST_TEST(made.out.find("    add(double a_, double b_) : a(a_), b(b_) {}") != std::string::npos, made.out);
    file const lock("");
    auto words = source;
    words.insert(words.end(), {"--lock", lock.path()});
    BOOST_TEST(ended_with(run(program("linkspan-bindgen"), words), 0));
    words.emplace_back("--check");
    BOOST_TEST(ended_with(run(program("linkspan-bindgen"), words), 0));
}

BOOST_AUTO_TEST_CASE(bindgen_reports_server_and_reason_of_failure)
{
    file const config(R"({"mcpServers": {"down": {"command": "/nonexistent/server"}}})");
    auto const unknown = run(program("linkspan-bindgen"), {"--config", config.path(), "--server", "down"});
    BOOST_TEST(ended_with(unknown, 3), unknown.summary);
    BOOST_TEST(explains(unknown, "linkspan-bindgen: server 'down': CONNECTION_FAILED"), unknown.summary);
    auto const other = run(program("linkspan-bindgen"), {"--config", config.path(), "--server", "other"});
    BOOST_TEST(ended_with(other, 2), other.summary);
    BOOST_TEST(explains(other, "no server is named 'other'; known servers: down"), other.summary);
    auto const similar = run(program("linkspan-bindgen"), {"--config", config.path(), "--server", "dwon"});
    BOOST_TEST(explains(similar, "no server is named 'dwon'; similar names: down"), similar.summary);
    BOOST_TEST(ended_with(run(program("linkspan-bindgen"), {"--config", "/nonexistent", "--server", "x"}), 2));
    BOOST_TEST(ended_with(run(program("linkspan-bindgen"), {"--check"}), 2));
}

BOOST_AUTO_TEST_SUITE_END()
