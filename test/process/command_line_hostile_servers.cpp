// Each command of the program `linkspan` prints valid JSON or text that is safe for a terminal, for any bytes that
// servers send.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_hostile_servers_test)

namespace json = boost::json;
using namespace program_run;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

// A JSON string with line feeds, ESC, BEL, C1 controls, a change of text direction, a lone surrogate, and bytes that
// are not UTF-8.
constexpr char const* hostile = "\"a\\u001b]0;owned\\u0007b\x1b[2J\x07\xff\xc0\x80 \\ud800 \xc2\x9b"
                                "2J \xe2\x80\xae"
                                "evil\\nnext\\u0000\\r\x01 \x7f\"";

// A server that writes control characters and invalid UTF-8 to stderr, and exits with status 7.
constexpr char const* exiting_server =
    R"({"command":"/bin/sh","args":["-c",)"
    R"("printf 'a\\033]0;owned\\007b\\377\\300\\200\\302\\2332J\\nnext' >&2; exit 7"]})";

// Runs the command with and without --json, and returns the JSON document.
json::value run_both(std::vector<std::string> words, int status)
{
    auto const plain = run_linkspan(words);
    BOOST_TEST(plain.status == status, plain.err);
    BOOST_TEST(is_safe(plain.out), plain.out);
    BOOST_TEST(is_safe(plain.err), plain.err);
    words.insert(words.begin(), "--json");
    auto const got = run_linkspan(words);
    BOOST_TEST(got.status == status, got.err);
    BOOST_TEST(is_safe(got.out), got.out);
    BOOST_TEST(is_safe(got.err), got.err);
    boost::system::error_code ec;
    auto document = json::parse(got.out, ec);
    BOOST_TEST(!ec, got.out);
    return document;
}

std::string text_of(json::value const& value) { return std::string(value.as_string()); }

} // namespace

BOOST_AUTO_TEST_CASE(state_and_doctor_print_valid_json_for_unsafe_text_of_failed_servers)
{
    shell_server refusing;
    refusing.fails("initialize", std::string(R"({"code":-32000,"message":)") + hostile + "}");
    observe::folder const folder;
    auto const path = folder.add(
        "c.json", R"({"mcpServers":{"refusing":)" + refusing.entry() + R"(,"exiting":)" + exiting_server + "}}",
        readable);
    auto const state = run_both({"--config", path, "state"}, 3);
    for (auto const& server : state.as_array())
        BOOST_TEST(has(text_of(server.at("last_error")), "a\x1b]0;owned\x07"), server);
    auto const diagnosis = run_both({"--config", path, "doctor"}, 3);
    for (auto const& server : diagnosis.as_array())
        BOOST_TEST(has(text_of(server.at("detail")), "a\x1b]0;owned\x07"), server);
    auto const one = run_both({"doctor", "--stdio", "/bin/sh " + refusing.script()}, 3);
    BOOST_TEST(has(text_of(one.at("detail")), "a\x1b]0;owned\x07"), one);
    auto const other =
        run_both({"doctor", R"(/bin/sh -c "printf 'a\\033]0;owned\\007b\\377\\300\\n' >&2; exit 7")"}, 3);
    BOOST_TEST(has(text_of(other.at("detail")), "owned\x07"), other);
}

BOOST_AUTO_TEST_CASE(doctor_prints_valid_json_for_hostile_server_name)
{
    shell_server server;
    server.results("initialize", std::string(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)") +
                                     R"("serverInfo":{"name":)" + hostile + R"(,"version":)" + hostile + "}}");
    server.results("tools/list", std::string(R"({"tools":[{"name":)") + hostile + R"(,"description":)" + hostile +
                                     R"(,"inputSchema":{"type":"object"}}]})");
    auto const words = std::vector<std::string>{"doctor", "/bin/sh " + server.script()};
    run_both(words, 0);
}

BOOST_AUTO_TEST_CASE(resources_prompts_and_requests_print_valid_json_for_hostile_text)
{
    shell_server server;
    std::string const text = hostile;
    server.results("resources/list",
                   R"({"resources":[{"uri":)" + text + R"(,"name":)" + text + R"(,"mimeType":)" + text + "}]}");
    server.results("resources/read", R"({"contents":[{"uri":)" + text + R"(,"text":)" + text + R"(},{"uri":)" + text +
                                         R"(,"blob":"aGVsbG8=","mimeType":)" + text + "}]}");
    server.results("prompts/list", R"({"prompts":[{"name":)" + text + R"(,"description":)" + text +
                                       R"(,"arguments":[{"name":)" + text + "}]}]}");
    server.results("prompts/get",
                   R"({"messages":[{"role":)" + text + R"(,"content":{"type":)" + text + R"(,"text":)" + text + "}}]}");
    server.results("odd", "{" + text + ":" + text + "}");
    server.fails("wrong", R"({"code":-32000,"message":)" + text + R"(,"data":)" + text + "}");
    auto const run = [&](std::vector<std::string> words, int status = 0) {
        words.insert(words.end(), {"--", "/bin/sh", server.script()});
        return run_both(words, status);
    };
    BOOST_TEST(has(text_of(run({"resources"}).at(0).at("uri")), "a\x1b]0;owned\x07"));
    BOOST_TEST(has(text_of(run({"resources", "file:///a"}).at("contents").at(0).at("text")), "a\x1b]0;owned\x07"));
    BOOST_TEST(has(text_of(run({"prompts"}).at(0).at("name")), "a\x1b]0;owned\x07"));
    BOOST_TEST(has(text_of(run({"prompts", "p"}).at("messages").at(0).at("role")), "a\x1b]0;owned\x07"));
    BOOST_TEST(run({"request", "odd"}).as_object().size() == 1u);
    BOOST_TEST(run({"request", "wrong"}, 1).at("error").at("exit_status") == 1);
}

// Boost.JSON rejects the number 1e99999999999.
BOOST_AUTO_TEST_CASE(unreadable_result_is_printed_verbatim)
{
    shell_server server;
    server.results("tools/call", R"({"content":[{"type":"text","text":"a"}],"x":1e99999999999})");
    auto const words = std::vector<std::string>{"call", "t", "--", "/bin/sh", server.script()};
    auto const document = run_both(words, 0);
    BOOST_TEST(has(text_of(document.at("malformed")), "1e99999999999"), document);
    BOOST_TEST(has(run_linkspan(words).out, "[unreadable result] {\"content\":"));
}

BOOST_AUTO_TEST_CASE(servers_prints_valid_json_for_hostile_file_and_server_names)
{
    observe::folder const folder;
    auto const path = folder.add("c\x1b[2J\x07\xff\n.json",
                                 R"({"mcpServers":{"a\u202eevil \u009b2J":{"command":"x"},"a\u001b]0;owned\u0007\n":)"
                                 R"({"command":"x"},"b":{"comand":"y"}}})",
                                 readable);
    auto const listed = run_both({"--config", path, "servers"}, 0);
    BOOST_TEST(has(text_of(listed.at(0).at("name")), "a\xe2\x80\xae"
                                                     "evil"),
               listed);
    run_both({"--config", path, "call", "b.t"}, 2);
}

BOOST_AUTO_TEST_SUITE_END()
