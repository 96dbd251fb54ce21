// Calls with the program `linkspan`: arguments, opened servers, timeouts and signals.

#include <linkspan/core/detail/code_points.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_calls_test)

namespace json = boost::json;
using namespace program_run;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

// Adds a tool with an argument of each type.
shell_server& with_types(shell_server& server)
{
    server.results("tools/list",
                   R"({"tools":[{"name":"t","inputSchema":{"type":"object","additionalProperties":false,)"
                   R"("properties":{"text":{"type":"string"},"n":{"type":"number"},"i":{"type":"integer"},)"
                   R"("yes":{"type":"boolean"},"list":{"type":"array","items":{"type":"string"}},)"
                   R"("o":{"type":"object"},"maybe":{"anyOf":[{"type":"string"},{"type":"null"}]},)"
                   R"("any":{}},"required":["text"]},"outputSchema":{"type":"object","properties":{)"
                   R"("r":{"enum":["a","b"]}}}}]})");
    server.results("tools/call", R"({"content":[{"type":"text","text":"done"}]})");
    return server;
}

// Returns the arguments of the last call that the server received.
json::value arguments_at(shell_server const& server)
{
    auto const all = server.received();
    auto const at = all.rfind("\"tools/call\"");
    BOOST_TEST_REQUIRE(at != all.npos);
    auto const begin = all.rfind('\n', at) + 1;
    return json::parse(all.substr(begin, all.find('\n', at) - begin)).at("params").at("arguments");
}

} // namespace

BOOST_AUTO_TEST_CASE(arguments_are_typed_by_schema_of_tool)
{
    shell_server server;
    with_types(server);
    auto const got = call_tool(
        server, {"text=5", "n=1e2", "i=-7", "yes=true", "list=a", "list=b", "o={\"x\":[1]}", "maybe=null", "any=x=y"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(got.out == "done\n");
    BOOST_TEST(arguments_at(server) == json::parse(R"({"text":"5","n":1e2,"i":-7,"yes":true,"list":["a","b"],)"
                                                   R"("o":{"x":[1]},"maybe":null,"any":"x=y"})"));
    BOOST_TEST(call_tool(server, {"text:=\"q\"", "list=[\"a\"]", "any=12", "maybe=text"}).status == 0);
    BOOST_TEST(arguments_at(server) == json::parse(R"({"text":"q","list":["a"],"any":12,"maybe":"text"})"));
}

BOOST_AUTO_TEST_CASE(argument_of_wrong_type_sends_no_call)
{
    std::vector<std::pair<std::vector<std::string>, std::string>> const wrong{
        {{"n=x"}, "the value of 'n': expected number, found 'x'"},
        {{"i=1.5"}, "the value of 'i': expected integer, found '1.5'"},
        {{"yes=1"}, "the value of 'yes': expected boolean, found '1'"},
        {{"n=" + std::string(99, 'x')}, "the value of 'n': expected number, found '" + std::string(60, 'x') + "...'"},
        {{"text=a", "text=b"}, "key 'text' is given twice"},
        {{"txt=a"}, "the tool has no argument 'txt'; did you mean 'text'?"},
        {{"n:=oops"}, "the value of 'n' is not valid JSON: 'oops'"},
        {{"=a"}, "expected KEY=VALUE, a JSON object, or '-' for stdin, found '=a'"},
        {{":=a"}, "expected KEY=VALUE, found ':=a' with an empty key"},
        {{"text=a", "b"}, "expected KEY=VALUE, a JSON object, or '-' for stdin, found 'b'"},
        {{"{\"text\":"}, "expected KEY=VALUE, a JSON object, or '-' for stdin"},
        {{"{}", "{}"}, "surplus operand '{}' after the JSON object"},
        {{"-", "x"}, "surplus operand 'x' after '-'"},
        {{"foo", "text=a"}, "expected KEY=VALUE, a JSON object, or '-' for stdin, found 'foo'"},
        {{"[1]", "text=a"}, "expected KEY=VALUE, a JSON object, or '-' for stdin, found JSON of type array"},
    };
    for (auto const& [words, sentence] : wrong) {
        shell_server server;
        auto const got = call_tool(with_types(server), words);
        BOOST_TEST(got.status == 2, got.err);
        BOOST_TEST(has(got.err, sentence), sentence << " is not in " << got.err);
        BOOST_TEST(!has(server.received(), "tools/call"));
    }
}

BOOST_AUTO_TEST_CASE(arguments_are_read_from_stdin)
{
    shell_server server;
    options with;
    with.in = "{\n  \"text\": \"from stdin\"\n}\n";
    auto const got = call_tool(with_types(server), {"-"}, with);
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(arguments_at(server).at("text") == "from stdin");
    with.in = "no object";
    BOOST_TEST(call_tool(server, {"-"}, with).status == 2);
}

BOOST_AUTO_TEST_CASE(call_opens_only_named_server)
{
    shell_server one, other;
    with_types(one);
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"my one":)" + one.entry() + R"(,"other":)" + other.entry() +
                                     R"(,"down":{"command":"/no/such"},"wrong":{"comand":"x"}}})",
                                 readable);
    for (std::string const name : {"my one.t", "my_one.t", "my_one__t"}) {
        auto const got = run_linkspan({"--config", path, "call", name, "text=x"});
        BOOST_TEST(got.status == 0, got.err);
        BOOST_TEST(got.err == "");
    }
    BOOST_TEST(other.received() == "");
    auto const listed = run_linkspan({"--config", path, "tools", "my_one"});
    BOOST_TEST(listed.status == 0, listed.err);
    BOOST_TEST(listed.out.starts_with("t(text: string, n?: number, i?: integer, yes?: boolean, list?: string[], "
                                      "o?: object, maybe?: string|null, any?: any) -> {r?: \"a\"|\"b\"}"),
               listed.out);
    BOOST_TEST(other.received() == "");
    auto const wrong = run_linkspan({"--config", path, "call", "wrong.t"});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(has(wrong.err, "/mcpServers/wrong/comand: unknown key; did you mean 'command'?"), wrong.err);
    auto const unknown = run_linkspan({"--config", path, "request", "othr", "ping"});
    BOOST_TEST(unknown.status == 2);
    BOOST_TEST(has(unknown.err, "no server is named 'othr'; similar names: other"), unknown.err);
}

BOOST_AUTO_TEST_CASE(call_of_tool_of_unknown_server_names_similar_servers)
{
    observe::folder const folder;
    auto const path = folder.add(
        "c.json", R"({"mcpServers":{"calculator":{"command":")" + program("mock-calculator") + R"("}}})", readable);
    auto const got = run_linkspan({"--config", path, "call", "calculater.add", "a=1", "b=2"});
    BOOST_TEST(got.status == 2, got.err);
    BOOST_TEST(has(got.err, "linkspan: no server is named 'calculater'; similar names: calculator\n"), got.err);
    auto const other = run_linkspan({"--config", path, "call", "cal.add", "a=1", "b=2"});
    BOOST_TEST(has(other.err, "linkspan: no server is named 'cal'; "), other.err);
    BOOST_TEST(has(other.err, "calculator\n"), other.err);
    auto const known = run_linkspan({"--config", path, "call", "calculator.ad"});
    BOOST_TEST(!has(known.err, "no server is named"), known.err);
}

BOOST_AUTO_TEST_CASE(invalid_server_is_skipped_and_reported)
{
    observe::folder const folder;
    auto const path = folder.add("c.json",
                                 R"({"mcpServers":{"calc":{"command":")" + program("mock-calculator") +
                                     R"("},"wrong":{"comand":"x"},"unset":{"command":"${LINKSPAN_NOT_SET}"}}})",
                                 readable);
    auto const called = run_linkspan({"--config", path, "call", "add", "a=1", "b=2"});
    BOOST_TEST(called.status == 0, called.err);
    BOOST_TEST(called.out == "3\n");
    BOOST_TEST(has(called.err, "server 'wrong', /mcpServers/wrong"), called.err);
    BOOST_TEST(has(called.err, "variable 'LINKSPAN_NOT_SET': not set"), called.err);
    for (std::string const verb : {"tools", "state"})
        BOOST_TEST(run_linkspan({"--config", path, verb}).status == 3, verb);
}

BOOST_AUTO_TEST_CASE(tools_of_several_servers_are_listed_with_server_name)
{
    observe::folder const folder;
    auto const calculator = R"({"command":")" + program("mock-calculator") + "\"}";
    auto const path =
        folder.add("c.json", R"({"mcpServers":{"one":)" + calculator + R"(,"two":)" + calculator + "}}", readable);
    auto const listed = run_linkspan({"--config", path, "tools"});
    BOOST_TEST(has(listed.out, "one.add("), listed.out);
    BOOST_TEST(has(listed.out, "two.add("), listed.out);
}

BOOST_AUTO_TEST_CASE(arguments_are_validated_unless_disabled_in_configuration)
{
    observe::folder const folder;
    auto const servers = R"("mcpServers":{"calc":{"command":")" + program("mock-calculator") + "\"}}}";
    auto const strict = folder.add("strict.json", "{" + servers, readable);
    auto const wrong = run_linkspan({"--config", strict, "call", "add", "a=1"});
    BOOST_TEST(wrong.status == 2, wrong.err);
    BOOST_TEST(has(wrong.err, "'b'"), wrong.err);
    auto const lax = folder.add("lax.json", R"({"validate_arguments":false,)" + servers, readable);
    BOOST_TEST(run_linkspan({"--config", lax, "call", "add", "a=1"}).status == 0);
}

BOOST_AUTO_TEST_CASE(later_configuration_overrides_and_tags_select_servers)
{
    observe::folder const folder;
    shell_server server;
    auto const first = folder.add(
        "1.json", R"({"mcpServers":{"calc":{"command":"/no/such"},"s":)" + server.entry(R"(,"tags":["slow"])") + "}}",
        readable);
    auto const second = folder.add("2.json",
                                   R"({"mcpServers":{"calc":{"command":")" + program("mock-calculator") +
                                       R"(","tags":["fast","local"]}}})",
                                   readable);
    auto const got = run_linkspan(
        {"--config", first, "--config=" + second, "--tag", "fast", "--tag", "local", "call", "add", "a=1", "b=2"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(got.out == "3\n");
    BOOST_TEST(server.received() == "");
    auto const none = run_linkspan({"--config", first, "--tag", "fast", "tools"});
    BOOST_TEST(none.status == 2);
    BOOST_TEST(has(none.err, "no enabled server has the tag 'fast'"), none.err);
}

BOOST_AUTO_TEST_CASE(meta_options_are_sent_in_meta)
{
    shell_server server;
    auto const got = call_tool(with_types(server), {"text=x", "--meta", "a.b/c=5", "--meta", "d=word"});
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(has(server.received(), R"("a.b/c":5)"), server.received());
    BOOST_TEST(has(server.received(), R"("d":"word")"), server.received());
}

BOOST_AUTO_TEST_CASE(timed_out_call_exits_with_3)
{
    shell_server server;
    with_types(server).hangs("tools/call");
    auto const got = call_tool(server, {"text=x", "--timeout", "0.5", "--json"});
    BOOST_TEST(got.status == 3, got.err);
    BOOST_TEST(json::parse(got.out).at("error").at("exit_status") == 3);
}

// A progress line has at most 100 columns; escape sequences count as printed, and multibyte characters are not split.
BOOST_AUTO_TEST_CASE(long_progress_line_is_truncated_at_character_after_escaping)
{
    std::string escapes, accents;
    for (int i = 0; i != 60; ++i) {
        escapes += "\\u001b";
        accents += "\xc3\xa9";
    }
    for (auto const& [message, shown] :
         {std::pair("abc" + escapes, std::string("1: abc\\x1b")), {"ab" + accents, "1: ab\xc3\xa9"}}) {
        shell_server server;
        with_types(server).reports("tools/call", R"("progress":1,"message":")" + message + "\"");
        options with;
        with.err_is_terminal = true;
        auto const got = call_tool(server, {"text=x"}, with);
        BOOST_TEST(got.status == 0, got.err);
        std::string const begin = "\r\x1b[K";
        auto const at = got.err.find(begin + shown);
        BOOST_TEST_REQUIRE(at != got.err.npos, got.err);
        auto const line = got.err.substr(at + begin.size(), got.err.find('\r', at + 1) - at - begin.size());
        BOOST_TEST(line.size() <= 100u, line);
        BOOST_TEST(linkspan::detail::is_utf8(line), line);
    }
}

BOOST_AUTO_TEST_CASE(progress_is_printed_on_terminal_only)
{
    shell_server server;
    with_types(server).reports("tools/call", R"("progress":1,"total":4,"message":"half\u001b[2J")");
    options with;
    BOOST_TEST(!has(call_tool(server, {"text=x"}, with).err, "1 of 4"));
    with.err_is_terminal = true;
    auto const got = call_tool(server, {"text=x"}, with);
    BOOST_TEST(got.status == 0);
    BOOST_TEST(has(got.err, "1 of 4: half\\x1b[2J"), got.err);
    BOOST_TEST(got.err.ends_with("\r\x1b[K"), got.err);
    BOOST_TEST(got.out == "done\n");
}

BOOST_AUTO_TEST_CASE(signal_cancels_call_and_closes_servers)
{
    for (auto const& [signal, status] : {std::pair(SIGINT, 130), {SIGTERM, 143}}) {
        shell_server server;
        with_types(server).reports("tools/call", R"("progress":1)");
        server.hangs("tools/call");
        options with;
        with.err_is_terminal = true;
        with.signal_when = "\x1b[K1";
        with.signal = signal;
        auto const got = call_tool(server, {"text=x", "--json"}, with);
        BOOST_TEST(got.status == status, got.err);
        BOOST_TEST(has(server.received(), "notifications/cancelled"), server.received());
        BOOST_TEST(json::parse(got.out).at("error").at("exit_status") == status);
        BOOST_TEST(!observe::has_children());
    }
}

BOOST_AUTO_TEST_CASE(endless_list_is_truncated_and_exits_with_3)
{
    shell_server server;
    server.results("resources/list", R"({"resources":[{"uri":"file:///a","name":"A"}],"nextCursor":"again"})");
    server.results("prompts/list", R"({"prompts":[{"name":"p"}]})");
    auto const got = run_linkspan({"--json", "resources", "--", "/bin/sh", server.script()});
    BOOST_TEST(got.status == 3, got.err);
    BOOST_TEST(has(got.err, "linkspan: the list has more than 64 pages; the others were not read\n"), got.err);
    BOOST_TEST(json::parse(got.out).as_array().size() == 64u);
    auto const whole = run_linkspan({"prompts", "--", "/bin/sh", server.script()});
    BOOST_TEST(whole.status == 0, whole.err);
    BOOST_TEST(whole.err == "");
}

BOOST_AUTO_TEST_CASE(resources_and_prompts_are_listed_and_read)
{
    shell_server server;
    server.results("resources/list", R"({"resources":[{"uri":"file:///a","name":"A\u001b","mimeType":"text/plain"}]})");
    server.results("resources/read", R"({"contents":[{"uri":"file:///a","text":"the text"}]})");
    server.results(
        "prompts/list",
        R"({"prompts":[{"name":"p","description":"D","arguments":[{"name":"x","required":true},{"name":"y"}]}]})");
    server.results("prompts/get", R"({"messages":[{"role":"user","content":{"type":"text","text":"ask"}}]})");
    server.results("odd/method", R"({"k":[1,2]})");
    auto const run = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--", "/bin/sh", server.script()});
        return run_linkspan(words);
    };
    BOOST_TEST(run({"resources"}).out == "file:///a  A\\x1b (text/plain)\n");
    BOOST_TEST(json::parse(run({"resources", "--json"}).out).at(0).at("uri") == "file:///a");
    BOOST_TEST(run({"resources", "file:///a"}).out == "the text\n");
    BOOST_TEST(run({"prompts"}).out == "p(x, y?)  D\n");
    BOOST_TEST(run({"prompts", "p", "x=5"}).out == "user:\nask\n");
    BOOST_TEST(has(server.received(), R"("arguments":{"x":"5"})"), server.received());
    BOOST_TEST(run({"request", "odd/method", "{\"q\":1}"}).out == "{\"k\":[1,2]}\n");
    auto const unknown = run({"request", "no/method", "--json"});
    BOOST_TEST(unknown.status == 1);
    BOOST_TEST(json::parse(unknown.out).at("error").at("code") == -32601);
}

BOOST_AUTO_TEST_SUITE_END()
