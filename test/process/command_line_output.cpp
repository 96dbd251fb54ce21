// The output of the program `linkspan` is valid JSON or safe for a terminal, and its exit status reports failed output.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_output_test)

namespace json = boost::json;
using namespace program_run;

namespace {

result call_calculator(std::vector<std::string> words, options with = {})
{
    words.insert(words.begin(), "call");
    words.insert(words.end(), {"--", program("mock-calculator")});
    return run_linkspan(std::move(words), std::move(with));
}

// A JSON string with terminal control sequences, changes of text direction, and invalid encodings.
constexpr char const* hostile = "\"a\\u001b]0;owned\\u0007b\x1b[2J\x07\xff\xc0\x80 \\ud800 \xc2\x9b"
                                "2J \xe2\x80\xae"
                                "evil\\nnext\\u0000\\r\x01 \x7f\"";

std::string content_of(std::string const& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

BOOST_AUTO_TEST_CASE(help_and_version_are_printed_without_a_configuration)
{
    for (std::vector<std::string> const& words :
         {std::vector<std::string>{"--help"}, {"-h"}, {"help"}, {"--config", "/no/such", "tools", "--help"}}) {
        auto const help = run_linkspan(words);
        BOOST_TEST(help.status == 0);
        for (auto const* const part : {"usage: linkspan", "call TOOL", "--timeout SECONDS", "exit status:", "130"})
            BOOST_TEST(has(help.out, part), part << " is not in " << help.out);
    }
    auto const version = run_linkspan({"--version"});
    BOOST_TEST(version.status == 0);
    BOOST_TEST(version.out.starts_with("linkspan "), version.out);
}

BOOST_AUTO_TEST_CASE(misspelled_word_is_reported_with_suggestion)
{
    std::vector<std::pair<std::vector<std::string>, std::string>> const wrong{
        {{}, "a command is missing"},
        {{"cal"}, "unknown command 'cal'; did you mean 'call'?"},
        {{"tools", "--jsn"}, "unknown option '--jsn'; did you mean '--json'?"},
        {{"tools", "--config"}, "option '--config': value is missing"},
        {{"tools", "--timeout", "soon"}, "option '--timeout': expected seconds from 0.001 to 3600, found 'soon'"},
        {{"tools", "--timeout=1", "--timeout=2"}, "option '--timeout' is given twice"},
        {{"tools", "--save", "x"}, "command 'tools' does not accept the option '--save'"},
        {{"call"}, "command 'call': an operand is missing"},
        {{"doctor", "server", "x"}, "command 'doctor': surplus operand 'x'; a command with arguments follows '--'"},
        {{"tools", "http://a/", "--stdio", "b"}, "two servers are given"},
        {{"completion", "tcsh"}, "expected bash, zsh or fish, found 'tcsh'"},
    };
    for (auto const& [words, sentence] : wrong) {
        auto const plain = run_linkspan(words);
        BOOST_TEST(plain.status == 2);
        BOOST_TEST(plain.out == "");
        BOOST_TEST(has(plain.err, sentence), sentence << " is not in " << plain.err);
        auto with_json = words;
        with_json.insert(with_json.begin(), "--json");
        auto const document = run_linkspan(with_json);
        BOOST_TEST(document.status == 2);
        BOOST_TEST(has(std::string(json::parse(document.out).at("error").at("message").as_string()), sentence),
                   document.out);
    }
}

BOOST_AUTO_TEST_CASE(result_with_hostile_text_is_valid_json)
{
    shell_server server;
    server.results("tools/call", std::string(R"({"content":[{"type":"text","text":)") + hostile + "}]}");
    auto const got = call_tool(server, {"--json"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(std::ranges::count(got.out, '\n') == 1);
    BOOST_TEST(is_safe(got.out), got.out);
    auto const text = json::parse(got.out).at("content").at(0).at("text").as_string();
    BOOST_TEST(std::string(text).starts_with("a\x1b]0;owned\x07"
                                             "b"),
               text);
}

BOOST_AUTO_TEST_CASE(text_of_server_is_escaped_for_terminal)
{
    shell_server server;
    server.results("tools/call", std::string(R"({"content":[{"type":"text","text":)") + hostile + "}]}");
    auto const got = call_tool(server);
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(is_safe(got.out), got.out);
    BOOST_TEST(got.out.starts_with("a\\x1b]0;owned\\x07b\\x1b[2J\\x07"), got.out);
    BOOST_TEST(has(got.out, "\\u{9b}2J \\u{202e}evil\nnext\\x00"), got.out);
}

BOOST_AUTO_TEST_CASE(error_with_hostile_text_is_valid_json_and_escaped_on_stderr)
{
    shell_server server;
    server.fails("tools/call", std::string(R"({"code":-32000,"message":)") + hostile + "}");
    auto const got = call_tool(server, {"--json"});
    BOOST_TEST(got.status == 1, got.err);
    BOOST_TEST(is_safe(got.err), got.err);
    BOOST_TEST(is_safe(got.out), got.out);
    BOOST_TEST(json::parse(got.out).at("error").at("exit_status") == 1);
}

BOOST_AUTO_TEST_CASE(tools_with_hostile_names_are_listed_safely)
{
    shell_server server;
    server.results("tools/list", std::string(R"({"tools":[{"name":"t","description":)") + hostile +
                                     R"(,"inputSchema":{"type":"object","properties":{)" + hostile +
                                     ":{\"type\":\"string\",\"description\":" + hostile + "}}}}]}");
    for (std::vector<std::string> const& words : {std::vector<std::string>{"tools"}, {"tools", "t"}}) {
        auto plain = words;
        plain.insert(plain.end(), {"--", "/bin/sh", server.script()});
        auto const text = run_linkspan(plain);
        BOOST_TEST(text.status == 0, text.err);
        BOOST_TEST(is_safe(text.out), text.out);
        plain.insert(plain.begin(), "--json");
        auto const document = run_linkspan(plain);
        BOOST_TEST(json::parse(document.out).at(0).at("tool") == "t", document.out);
    }
}

BOOST_AUTO_TEST_CASE(every_failure_is_one_json_document)
{
    observe::folder const folder;
    auto const path = folder.add("down.json", R"({"mcpServers":{"down":{"command":"/no/such/program"}}})",
                                 std::filesystem::perms::owner_all);
    std::vector<std::pair<std::vector<std::string>, int>> const failures{
        {{"--config", path, "tools"}, 3},
        {{"--config", path, "call", "down.t"}, 3},
        {{"--config", path, "call", "t"}, 3},
        {{"--config", folder.path(), "tools"}, 2},
        {{"--config", "/no/such", "tools"}, 2},
        {{"tools"}, 2},
        {{"--config", path, "call", "t", "["}, 2},
        {{"--config", path, "request", "other", "ping"}, 2},
        {{"--config", path, "resources", "down"}, 3},
    };
    for (auto const& [words, status] : failures) {
        auto with_json = words;
        with_json.emplace_back("--json");
        auto const got = run_linkspan(with_json);
        BOOST_TEST(got.status == status, got.err);
        BOOST_TEST(json::parse(got.out).at("error").at("exit_status") == status, got.out);
        BOOST_TEST(got.err.starts_with("linkspan: "), got.err);
    }
}

BOOST_AUTO_TEST_CASE(failed_output_exits_with_4)
{
    for (std::string const out : {"/dev/full", "closed", "broken"})
        for (std::vector<std::string> const& words :
             {std::vector<std::string>{"--help"}, {"call", "add", "a=2", "b=3", "--", program("mock-calculator")}}) {
            options with;
            with.out = out;
            auto const got = run_linkspan(words, with);
            BOOST_TEST(got.status == 4, out << ": " << got.err);
            BOOST_TEST(has(got.err, "linkspan: writing to stdout failed: "), got.err);
        }
}

BOOST_AUTO_TEST_CASE(directory_as_configuration_is_rejected)
{
    observe::folder const folder;
    auto const got = run_linkspan({"--config", folder.path(), "state"});
    BOOST_TEST(got.status == 2);
    BOOST_TEST(has(got.err, "expected a file, not a directory"), got.err);
}

BOOST_AUTO_TEST_CASE(all_content_types_are_printed)
{
    shell_server server;
    server.results(
        "tools/call",
        R"({"content":[{"type":"text","text":"one"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"},)"
        R"({"type":"audio","data":"aGVsbG8=","mimeType":"audio/wav"},)"
        R"({"type":"resource_link","uri":"file:///a","name":"a","mimeType":"text/plain","description":"d"},)"
        R"({"type":"resource","resource":{"uri":"file:///b.txt","text":"two"}},)"
        R"({"type":"resource","resource":{"uri":"file:///c","blob":"aGVsbG8=","mimeType":"application/pdf"}},)"
        R"({"type":"image","data":"no base64","mimeType":"image/png"},{"type":"hologram","x":1}]})");
    auto const shown = call_tool(server);
    BOOST_TEST(shown.status == 0, shown.err);
    BOOST_TEST(shown.out == "one\n[image image/png, 5 bytes]\n[audio audio/wav, 5 bytes]\n"
                            "[resource_link file:///a] a (text/plain): d\ntwo\n"
                            "[resource file:///c application/pdf, 5 bytes]\n"
                            "[image image/png: data is not valid Base64]\n"
                            "[hologram] {\"type\":\"hologram\",\"x\":1}\n");
}

BOOST_AUTO_TEST_CASE(structured_content_is_printed_if_there_is_no_other)
{
    shell_server server;
    server.results("tools/call", R"({"content":[],"structuredContent":{"a":"\u001b"}})");
    BOOST_TEST(call_tool(server).out == "{\"a\":\"\\u001b\"}\n");
}

BOOST_AUTO_TEST_CASE(saved_content_overwrites_nothing_and_stays_in_its_directory)
{
    shell_server server;
    server.results("tools/call",
                   R"({"content":[{"type":"image","data":"aGVsbG8=","mimeType":"image/png"},)"
                   R"({"type":"resource","resource":{"uri":"file:///x/../../..%2fevil","blob":"aGVsbG8="}},)"
                   R"({"type":"resource","resource":{"uri":"file:///..","text":"dots"}},)"
                   R"({"type":"resource","resource":{"uri":"file:///a/link.txt","text":"new"}}]})");
    observe::folder const folder;
    auto const saved = folder.path() + "/saved";
    std::filesystem::create_directory(saved);
    std::ofstream(saved + "/t.png") << "mine";
    std::ofstream(folder.path() + "/target") << "mine";
    std::filesystem::create_symlink(folder.path() + "/target", saved + "/link.txt");
    auto const got = call_tool(server, {"--save", saved});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(has(got.out, "[image image/png, 5 bytes, saved as " + saved + "/t-2.png]"), got.out);
    BOOST_TEST(content_of(saved + "/t.png") == "mine");
    BOOST_TEST(content_of(saved + "/t-2.png") == "hello");
    BOOST_TEST(content_of(folder.path() + "/target") == "mine");
    BOOST_TEST(content_of(saved + "/link-2.txt") == "new");
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(saved), {}) == 6);
    auto const json_too = call_tool(server, {"--save", saved, "--json"});
    BOOST_TEST(json::parse(json_too.out).at("content").is_array());
    BOOST_TEST(has(json_too.err, "linkspan: saved as " + saved + "/t-3.png"), json_too.err);
    auto const file = call_tool(server, {"--save", saved + "/t.png"});
    BOOST_TEST(file.status == 2, file.err);
    auto const full = call_tool(server, {"--save", "/proc"});
    BOOST_TEST(full.status == 4, full.err);
    BOOST_TEST(has(full.err, "not saved as /proc/t.png"), full.err);
}

BOOST_AUTO_TEST_CASE(configured_secret_is_not_printed)
{
    shell_server server;
    server.fails("tools/call", R"({"code":-32000,"message":"login with hunter2-planted failed"})");
    server.fails("resources/list", R"({"code":-32000,"message":"login with hunter2-planted failed"})");
    observe::folder const folder;
    auto const path =
        folder.add("c.json", R"({"mcpServers":{"s":)" + server.entry(R"(,"env":{"K":"hunter2-planted"})") + "}}",
                   std::filesystem::perms::owner_all);
    for (std::vector<std::string> const& words :
         {std::vector<std::string>{"call", "s.t"}, {"resources", "s"}, {"servers"}, {"tools", "nope"}})
        for (bool const is_json : {false, true}) {
            auto all = words;
            all.insert(all.end(), {"--config", path});
            if (is_json)
                all.emplace_back("--json");
            auto const got = run_linkspan(all);
            BOOST_TEST(!has(got.out + got.err, "hunter2"), got.out + got.err);
        }
    auto const header = run_linkspan({"tools", "http://127.0.0.1:1/mcp", "--header", "hunter2"});
    BOOST_TEST(header.status == 2);
    BOOST_TEST(!has(header.err, "hunter2"), header.err);
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_digits)
{
    auto const got = call_calculator({"add", "a=0.1", "b=0"});
    BOOST_TEST(got.out == "0.1\n", got.out + got.err);
}

BOOST_AUTO_TEST_SUITE_END()
