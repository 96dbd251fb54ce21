// Signals end the program `linkspan` in each phase.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "support/folder.hpp"
#include "support/program_run.hpp"
#include "support/shell_server.hpp"

BOOST_AUTO_TEST_SUITE(command_line_signals_test)

namespace json = boost::json;
using namespace program_run;

namespace {

options signalled_by(shell_server const& server)
{
    options with;
    with.signal_fifo = server.announcements();
    return with;
}

} // namespace

BOOST_AUTO_TEST_CASE(signal_while_opening_exits_with_130)
{
    shell_server server;
    server.hangs("initialize");
    server.announces("initialize");
    observe::folder const folder;
    auto const path =
        folder.add("c.json", R"({"mcpServers":{"s":)" + server.entry() + "}}", std::filesystem::perms::owner_all);
    auto const command = "/bin/sh " + server.script();
    for (std::vector<std::string> const& words : {std::vector<std::string>{"--config", path, "tools"},
                                                  {"--config", path, "state"},
                                                  {"--config", path, "call", "s.t"},
                                                  {"--config", path, "doctor"},
                                                  {"doctor", command},
                                                  {"doctor", "--stdio", command},
                                                  {"--config", path, "resources", "s"},
                                                  {"--config", path, "prompts", "s", "p"},
                                                  {"--config", path, "request", "s", "ping"}}) {
        auto with_json = words;
        with_json.insert(with_json.begin(), "--json");
        auto const got = run_linkspan(with_json, signalled_by(server));
        BOOST_TEST(got.status == 130, got.err);
        BOOST_TEST(json::parse(got.out).at("error").at("exit_status") == 130, got.out);
        BOOST_TEST(has(got.err, "linkspan: interrupted\n"), got.err);
    }
}

BOOST_AUTO_TEST_CASE(signal_during_list_or_request_cancels_it)
{
    for (auto const& [method, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"resources/list", {"resources"}}, {"prompts/get", {"prompts", "p"}}, {"odd", {"request", "odd"}}}) {
        shell_server server;
        server.hangs(method);
        server.announces(method);
        auto with_server = words;
        with_server.insert(with_server.end(), {"--", "/bin/sh", server.script()});
        auto const got = run_linkspan(with_server, signalled_by(server));
        BOOST_TEST(got.status == 130, got.err);
        BOOST_TEST(got.out == "");
        BOOST_TEST(has(server.received(), "notifications/cancelled"), server.received());
    }
}

// The server announces the end of its input and continues to run.
BOOST_AUTO_TEST_CASE(signal_during_shutdown_keeps_result)
{
    shell_server server;
    server.results("tools/call", R"({"content":[{"type":"text","text":"done"}]})");
    server.is_stubborn();
    auto const got = run_linkspan({"call", "t", "--", "/bin/sh", server.script()}, signalled_by(server));
    BOOST_TEST(got.status == 0, got.err);
    BOOST_TEST(got.out == "done\n");
    BOOST_TEST(!has(server.received(), "TERM"), server.received());
    shell_server other;
    other.results("odd", R"({"done":true})");
    other.is_stubborn();
    auto const raw = run_linkspan({"request", "odd", "--", "/bin/sh", other.script()}, signalled_by(other));
    BOOST_TEST(raw.status == 0, raw.err);
    BOOST_TEST(raw.out == "{\"done\":true}\n");
}

BOOST_AUTO_TEST_CASE(signal_during_call_reports_possible_execution)
{
    shell_server server;
    server.hangs("tools/call");
    server.announces("tools/call");
    auto const got = run_linkspan({"--json", "call", "t", "--", "/bin/sh", server.script()}, signalled_by(server));
    BOOST_TEST(got.status == 130, got.err);
    BOOST_TEST(json::parse(got.out).at("error").at("message") == "interrupted; the tool may have been executed");
}

// The server ignores the end of its input; without a second signal, it would receive SIGTERM some seconds later.
BOOST_AUTO_TEST_CASE(second_signal_kills_servers_that_ignore_sigterm_immediately)
{
    for (std::vector<std::string> const& words : {std::vector<std::string>{"call", "t"}, {"resources"}}) {
        shell_server server;
        for (std::string const method : {"tools/call", "resources/list"}) {
            server.hangs(method);
            server.announces(method);
        }
        server.is_stubborn();
        auto with_server = words;
        with_server.insert(with_server.end(), {"--", "/bin/sh", server.script()});
        auto const got = run_linkspan(with_server, signalled_by(server));
        BOOST_TEST(got.status == 130, got.err);
        BOOST_TEST(has(server.received(), "notifications/cancelled"), server.received());
        BOOST_TEST(!has(server.received(), "TERM"), server.received());
    }
}

BOOST_AUTO_TEST_SUITE_END()
