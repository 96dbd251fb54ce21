// linkspan-mock as a program: one script over standard streams, HTTP, and HTTP+SSE.

#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/document.hpp"
#include "support/folder.hpp"
#include "support/http_mock.hpp"
#include "support/program_run.hpp"
#include "support/weather.hpp"

BOOST_AUTO_TEST_SUITE(linkspan_mock_test)

using namespace harness;
using linkspan::error;
using linkspan::http_config;
using linkspan::protocol_version;
using linkspan::session;
using linkspan::stdio;
using linkspan::streamable_http;
using linkspan::via;
using observe::folder;

namespace {

// Returns the line of a request of 2026-07-28. `members`: further members of `params`, each with a comma behind it.
std::string request_of(std::string const& method, std::string const& members = {})
{
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + members +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
           "\n";
}

// Runs the program with a script. Its input begins with `lines` and does not end, because the process holds both ends.
program_run::result run_with_open_input(std::string const& script, std::string const& lines,
                                        program_run::options const& with = {})
{
    folder const files;
    auto const input = files.add("lines", lines, std::filesystem::perms::owner_all);
    return program_run::run({"/bin/sh", "-c",
                             "mkfifo in && exec 3<>in && cat \"$1\" >&3 && exec \"$2\" --script \"$3\" <&3", "sh",
                             input, program_run::program("linkspan-mock"), script},
                            with);
}

// As run_with_open_input(), and sends SIGTERM to the program for each line that it writes. `form`: "--http", or empty
// for standard streams. The lines are the text of the result on stderr.
program_run::result run_with_signals(std::string const& script, std::string const& lines, std::string const& form)
{
    folder const files;
    auto const input = files.add("lines", lines, std::filesystem::perms::owner_all);
    return program_run::run({"/bin/sh", "-c",
                             "mkfifo in out && exec 3<>in && cat \"$1\" >&3 && "
                             "{ while read line; do echo \"$line\" >&2; kill -TERM $$; done <out & } && "
                             "exec \"$2\" --script \"$3\" ${4:+\"$4\" 0} <&3 >out 2>&1",
                             "sh", input, program_run::program("linkspan-mock"), script, form});
}

constexpr auto readable = std::filesystem::perms::owner_all;

// Runs the program with a script and with `lines` as its input. The client begins to read the responses when the
// program has read the end of its input, which the script reports on stderr. Returns the number of bytes of the
// responses.
program_run::result read_after_end_of_input(std::string const& script, std::string const& lines)
{
    folder const files;
    auto const input = files.add("lines", lines, std::filesystem::perms::owner_all);
    return program_run::run({"/bin/sh", "-c",
                             "mkfifo out err && { \"$2\" --script \"$3\" <\"$1\" >out 2>err & } && exec 4<out && "
                             "read line <err && wc -c <&4 && wait",
                             "sh", input, program_run::program("linkspan-mock"), script});
}

} // namespace

HARNESS_CASE(script_is_served_over_standard_streams)
{
    session client(executor, via<stdio>(mock_with(script("weather.json"))));
    co_await opens(client);
    co_await forecasts(client);
    co_await shuts_down(client);
}

BOOST_AUTO_TEST_CASE(responses_are_written_after_the_end_of_the_input)
{
    constexpr std::size_t size = 400'000; // more than a pipe can store
    folder const files;
    auto const path =
        files.add("long.json",
                  R"({"mock":1,"tools":[{"name":"t"}],"rules":[{"on":{"call":"t"},"do":[{"text":")" +
                      std::string(size, 'x') + R"("}]},{"on":{"disconnect":true},"do":[{"stderr":"end of input"}]}]})",
                  readable);
    auto const ran = read_after_end_of_input(path, request_of("tools/call", R"("name":"t",)"));
    BOOST_TEST(std::strtoul(ran.out.c_str(), nullptr, 10) > size, ran.out << ran.err);
}

HARNESS_CASE(script_is_served_over_http)
{
    http_mock server(executor, "linkspan-mock", {"--script", script("weather.json"), "--http", "0"});
    auto const url = co_await server.url();
    session client(executor, via<streamable_http>(http_config::of(url)));
    co_await opens(client);
    co_await forecasts(client);
    co_await shuts_down(client);
    co_await server.ends();
}

HARNESS_CASE(script_is_served_over_sse)
{
    folder const files;
    auto const path = files.add("old.json", R"({"mock":1,"tools":[{"name":"t"}]})", readable);
    http_mock server(executor, "linkspan-mock", {"--script", path, "--sse", "0"});
    auto const url = co_await server.url();
    BOOST_TEST(url.ends_with("/sse"), url);
    session client(executor, via<linkspan::http_sse>(http_config::of(url)));
    co_await opens(client);
    BOOST_TEST((client.protocol_version() == protocol_version::v2024_11_05));
    auto const list = co_await client.async_list_tools();
    BOOST_TEST(list.tools.size() == 1u);
    co_await shuts_down(client);
    co_await server.ends();
}

HARNESS_CASE(action_exit_ends_the_process_with_its_status)
{
    folder const files;
    auto const path = files.add(
        "exit.json", R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"stderr":"out of memory"},{"exit":17}]}]})",
        readable);
    session client(executor, via<stdio>(mock_with(path)));
    co_await opens(client);
    auto const [ec, result] = co_await client.async_call_tool("t", {}, in_tuple);
    BOOST_TEST((ec == error::stream_ended), ec.message());
    BOOST_TEST(contains(client.diagnostics(), "exited with status 17"), client.diagnostics());
    BOOST_TEST(contains(client.diagnostics(), "out of memory"), client.diagnostics());
}

HARNESS_CASE(fault_exit_ends_the_process_with_its_amount_as_status)
{
    folder const files;
    auto const path = files.add(
        "fault.json",
        R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"fault":{"kind":"exit","amount":42}},{"default":true}]}]})",
        readable);
    session client(executor, via<stdio>(mock_with(path)));
    co_await opens(client);
    auto const [ec, result] = co_await client.async_call_tool("t", {}, in_tuple);
    BOOST_TEST((ec == error::stream_ended), ec.message());
    BOOST_TEST(contains(client.diagnostics(), "exited with status 42"), client.diagnostics());
}

HARNESS_CASE(changed_resource_is_notified_before_the_response_and_read_after_it)
{
    folder const files;
    auto const path = files.add("tank.json", R"({"mock":1,"protocolVersions":["2025-11-25"],
        "resources":[{"uri":"sensor://tank","text":"low"}],"rules":[{"on":{"call":"fill"},"do":[
            {"resource":{"uri":"sensor://tank","text":"full"}},{"text":"filled"}]}]})",
                                readable);
    session client(executor, via<stdio>(mock_with(path)));
    std::vector<std::string> updates;
    client.on_notification("notifications/resources/updated",
                           [&](std::string_view params) { updates.emplace_back(params); });
    co_await opens(client);
    boost::json::object tank;
    tank["uri"] = "sensor://tank";
    for (std::string const content : {"low", "full"}) {
        auto const read = co_await client.async_request("resources/read", tank);
        BOOST_TEST(contains(read.raw(), "\"text\":\"" + content + "\""), read.raw());
        auto const filled = co_await client.async_call_tool("fill");
        BOOST_TEST(filled.text() == "filled");
        BOOST_TEST_REQUIRE(!updates.empty());
        BOOST_TEST(updates.back() == R"({"uri":"sensor://tank"})");
    }
    BOOST_TEST(updates.size() == 2u);
    co_await shuts_down(client);
}

// The ramps end one microsecond after the first connection, so that each request has the delay LAST.
HARNESS_CASE(delay_of_a_ramp_is_its_last_value_after_the_duration_of_the_ramp)
{
    folder const files;
    auto const path = files.add("ramp.json", R"({"mock":1,"rules":[
        {"on":{"call":"falling"},"do":[{"delay":{"ramp":["24h","0s","1us"]}},{"text":"at once"}]},
        {"on":{"call":"rising"},"do":[{"delay":{"ramp":["0s","24h","1us"]}},{"text":"late"}]}]})",
                                readable);
    session client(executor, via<stdio>(mock_with(path)));
    co_await opens(client);
    bool is_complete = false;
    client.async_call_tool("rising", {}, [&](linkspan::error_code, auto const&) { is_complete = true; });
    auto const fast = co_await client.async_call_tool("falling");
    BOOST_TEST(fast.text() == "at once");
    BOOST_TEST(!is_complete); // the server has received its request before
    co_await shuts_down(client);
    BOOST_TEST(is_complete);
}

BOOST_AUTO_TEST_CASE(exit_after_the_end_of_the_input_determines_the_status)
{
    folder const files;
    auto const path = files.add(
        "disconnect.json",
        R"({"mock":1,"rules":[{"on":{"disconnect":true},"do":[{"stderr":"client left"},{"exit":5}]}]})", readable);
    auto const got =
        program_run::run({program_run::program("linkspan-mock"), "--script", path}, {.in = request_of("tools/list")});
    BOOST_TEST(got.status == 5);
    BOOST_TEST(got.err == "client left\n");
}

BOOST_AUTO_TEST_CASE(exit_follows_the_messages_before_it_and_the_verification)
{
    folder const files;
    auto const call = request_of("tools/call", R"("name":"t","arguments":{},)");
    std::string const text(300000, 'x'); // more than a pipe holds
    std::string const rules =
        R"("rules":[{"on":{"call":"t"},"do":[{"text":")" + text + R"("},{"stderr":"end"},{"exit":17}]}])";
    auto const met = files.add("met.json", R"({"mock":1,)" + rules + R"(,"expect":[{"call":"t"}]})", readable);
    auto const with_status = run_with_open_input(met, call);
    BOOST_TEST(with_status.status == 17);
    BOOST_TEST(with_status.err == "end\n");
    BOOST_TEST(program_run::has(with_status.out, text + "\"}"));
    BOOST_TEST(with_status.out.ends_with("}\n"));

    auto const missed = files.add(
        "missed.json", R"({"mock":1,"tools":[{"name":"u"}],)" + rules + R"(,"expect":[{"call":"t"},{"call":"u"}]})",
        readable);
    auto const failed = run_with_open_input(missed, call);
    BOOST_TEST(failed.status == 3);
    BOOST_TEST(failed.err.starts_with("end\n" + missed +
                                      ": /expect/1: expected at least 1 tools/call u; found 0 among 0 of this kind "
                                      "and 1 other request\n  near: #1 t=+"),
               failed.err);
    BOOST_TEST(failed.err.ends_with("s id=1 tools/call t, rule '#1'\n    trigger: expected a call of 'u', found 't'\n"),
               failed.err);
}

BOOST_AUTO_TEST_CASE(signal_leads_to_the_verification)
{
    folder const files;
    auto const call = request_of("tools/call", R"("name":"t","arguments":{},)");
    for (auto const& [expected, status, report] :
         {std::tuple{R"([{"call":"t"}])", 128 + SIGTERM, ""},
          std::tuple{R"([{"cancelled":{"call":"t"}}])", 3, "/expect/0: expected at least 1 cancelled"}}) {
        std::string const rules = R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"stderr":"here"},{"hang":true}]}],)";
        auto const path = files.add("signal.json", rules + R"("expect":)" + expected + "}", readable);
        auto const got = run_with_open_input(path, call, {.signal_when = "here", .signal = SIGTERM});
        BOOST_TEST(got.status == status, got.err);
        if (*report == '\0')
            BOOST_TEST(got.err == "here\n");
        else
            BOOST_TEST(got.err.starts_with("here\n" + path + ": " + report), got.err);
    }
}

BOOST_AUTO_TEST_CASE(end_of_stdin_is_an_expectation)
{
    folder const files;
    auto const path = files.add("closed.json", R"({"mock":1,"rules":[
        {"on":{"call":"wait"},"do":[{"stderr":"here"},{"hang":true}]},{"on":{"call":"end"},"do":[{"exit":0}]}],
        "expect":[{"stdinClosed":true}]})",
                                readable);
    auto const closed =
        program_run::run({program_run::program("linkspan-mock"), "--script", path}, {.in = request_of("tools/list")});
    BOOST_TEST(closed.status == 0, closed.err);
    BOOST_TEST(closed.err == "");
    std::string const by_server = path +
                                  ": /expect/0: expected all connections to be closed by the client; opened: 1, closed "
                                  "by the client: 0, lost: 0, ended by the server: 1, open: 0\n";
    auto const signalled = run_with_open_input(path, request_of("tools/call", R"("name":"wait","arguments":{},)"),
                                               {.signal_when = "here", .signal = SIGTERM});
    BOOST_TEST(signalled.status == 3);
    BOOST_TEST(signalled.err == "here\n" + by_server);
    auto const ended = run_with_open_input(path, request_of("tools/call", R"("name":"end","arguments":{},)"));
    BOOST_TEST(ended.status == 3);
    BOOST_TEST(ended.err == by_server);
}

BOOST_AUTO_TEST_CASE(actions_at_the_end_of_stdin_precede_the_end_of_the_program)
{
    folder const files;
    auto const late = files.add("late.json", R"({"mock":1,"rules":[
        {"on":{"stdin-eof":true},"do":[{"delay":"20ms"},{"notify":{"method":"late"}},{"stderr":"end of stdin"}]},
        {"on":{"disconnect":true},"do":[{"stderr":"disconnected"},{"exit":5}]}]})",
                                readable);
    auto const program = program_run::program("linkspan-mock");
    auto const got = program_run::run({program, "--script", late}, {.in = request_of("tools/list")});
    BOOST_TEST(got.status == 5);
    BOOST_TEST(got.err == "end of stdin\ndisconnected\n");
    std::string const end = "}\n{\"jsonrpc\":\"2.0\",\"method\":\"late\"}\n";
    BOOST_TEST(got.out.ends_with(end), got.out);
    auto const with_faults = program_run::run({program, "--script", late, "--write-plan", files.path() + "/plan.json"},
                                              {.in = request_of("tools/list")});
    BOOST_TEST(with_faults.out.ends_with(end), with_faults.out);

    auto const own = files.add(
        "own.json", R"({"mock":1,"rules":[{"on":{"stdin-eof":true},"do":[{"delay":"1ms"},{"exit":7}]}]})", readable);
    BOOST_TEST(program_run::run({program, "--script", own}).status == 7);
}

BOOST_AUTO_TEST_CASE(request_that_no_rule_handles_ends_a_program_that_fails_fast)
{
    folder const files;
    auto const path = files.add("fast.json", R"({"mock":1,"unmatched":"fail-fast","rules":[
        {"id":"Oslo","on":{"call":"t"},"where":{"/arguments/city":"Oslo"},"do":[{"text":"Oslo"}]}]})",
                                readable);
    for (auto const& [line, report] :
         {std::pair{request_of("tools/call", R"("name":"t","arguments":{"city":"Rome"},)"),
                    R"(tools/call of 't'; nearest rule 'Oslo': /arguments/city: expected "Oslo", found "Rome")"},
          std::pair{request_of("no/such"), "no/such; nearest rule 'Oslo': trigger: expected 'tools/call', found "
                                           "'no/such'"}}) {
        auto const got = run_with_open_input(path, line);
        BOOST_TEST(got.status == 3);
        BOOST_TEST(got.out == "");
        BOOST_TEST(got.err == "the script has no rule for this request: " + std::string(report) + "\n");
    }
}

namespace {

// The script of a server, and one whose requests without a rule are passed on to this server.
struct passing_scripts {
    // `to`: member of `passthrough`.
    std::string passing_to(std::string const& to)
    {
        return files.add("front.json",
                         R"({"mock":1,"unmatched":{"passthrough":{)" + to +
                             R"(}},"rules":[{"on":{"call":"near"},"do":[{"text":"of a rule"}]}]})",
                         readable);
    }

    folder files;
    std::string other = files.add("other.json", R"({"mock":1,"server":{"info":{"name":"other"}},"tools":[
        {"name":"far","reply":{"text":"far away"}},{"name":"near","reply":{"text":"not reached"}}]})",
                                  readable);
    std::string to_command =
        passing_to(R"("command":[")" + program_run::program("linkspan-mock") + R"(","--script",")" + other + "\"]");
};

// Checks that the tools are those of the other server, and that rules precede it.
asio::awaitable<void> is_passed_on(session& client)
{
    co_await opens(client);
    BOOST_TEST(client.server().name == "other");
    auto const list = co_await client.async_list_tools();
    BOOST_TEST(list.tools.size() == 2u);
    for (int i = 0; i != 2; ++i) {
        auto const far = co_await client.async_call_tool("far");
        BOOST_TEST(far.text() == "far away");
        auto const near = co_await client.async_call_tool("near");
        BOOST_TEST(near.text() == "of a rule");
    }
    co_await shuts_down(client);
}

} // namespace

HARNESS_CASE(messages_without_a_rule_are_passed_on_to_a_command)
{
    passing_scripts const scripts;
    session client(executor, via<stdio>(mock_with(scripts.to_command)));
    co_await is_passed_on(client);

    http_mock front(executor, "linkspan-mock", {"--script", scripts.to_command, "--http", "0"});
    auto const url = co_await front.url();
    session over_http(executor, via<streamable_http>(http_config::of(url)));
    co_await is_passed_on(over_http);
    co_await front.ends();
}

HARNESS_CASE(messages_without_a_rule_are_passed_on_to_a_server_over_http)
{
    passing_scripts scripts;
    http_mock other(executor, "linkspan-mock", {"--script", scripts.other, "--http", "0"});
    auto const url = co_await other.url();
    session client(executor, via<stdio>(mock_with(scripts.passing_to(R"("url":")" + url + "\""))));
    co_await is_passed_on(client);
    co_await other.ends();
}

BOOST_AUTO_TEST_CASE(server_to_which_messages_are_passed_on_is_reported_if_it_is_absent)
{
    passing_scripts scripts;
    auto const got =
        run_with_open_input(scripts.passing_to(R"("command":["absent-server"])"), request_of("tools/list"));
    BOOST_TEST(got.status == 0);
    BOOST_TEST(contains(got.err, "linkspan-mock: "), got.err);
    BOOST_TEST(contains(got.err, "absent-server"), got.err);
    auto const ended = run_with_open_input(scripts.passing_to(R"("command":["false"])"), request_of("tools/list"));
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.err, "linkspan-mock: the connection to the server has ended: "), ended.err);
    BOOST_TEST(contains(ended.err, "exited with status 1"), ended.err);
    auto const wrong = program_run::run(
        {program_run::program("linkspan-mock"), "--script", scripts.passing_to(R"("url":"ftp://x/")")});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(contains(wrong.err, "ftp://x/"), wrong.err);
}

BOOST_AUTO_TEST_CASE(factor_of_times_shortens_delays)
{
    folder const files;
    auto const path = files.add("slow.json", R"({"mock":1,"rules":[
        {"on":{"stdin-eof":true},"do":[{"delay":"100s"},{"stderr":"late"}]}]})",
                                readable);
    std::vector<std::string> const words{program_run::program("linkspan-mock"), "--script", path, "--time-scale"};
    auto const with = [&](std::string const& factor) {
        auto all = words;
        all.push_back(factor);
        return program_run::run(all);
    };
    auto const got = with("0.001");
    BOOST_TEST(got.status == 0);
    BOOST_TEST(got.err == "late\n");
    for (auto const* const factor : {"0", "-1", "1001", "x", "1x", "nan", ""}) {
        auto const wrong = with(factor);
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.err.starts_with("linkspan-mock: option '--time-scale': expected a number from 0.001 to 1000, "
                                         "found '" +
                                         std::string(factor) + "'\n"),
                   wrong.err);
    }
}

BOOST_AUTO_TEST_CASE(signal_ends_the_actions_at_the_end_of_stdin)
{
    folder const files;
    for (std::string const wait : {R"({"delay":"1h"})", R"({"gate":"g"})"}) {
        std::string text = R"({"mock":1,"rules":[
            {"on":{"stdin-eof":true},"do":[{"stderr":"here"},WAIT,{"stderr":"too late"}]},
            {"on":{"disconnect":true},"do":[{"stderr":"disconnected"}]}],"expect":[{"stdinClosed":true}]})";
        auto const path = files.add("slow.json", text.replace(text.find("WAIT"), 4, wait), readable);
        auto const got = program_run::run({program_run::program("linkspan-mock"), "--script", path},
                                          {.signal_when = "here", .signal = SIGTERM});
        BOOST_TEST(got.status == 128 + SIGTERM);
        BOOST_TEST(got.err == "here\ndisconnected\n");
    }
}

BOOST_AUTO_TEST_CASE(rule_of_a_signal_replaces_the_end_of_the_program)
{
    folder const files;
    auto const on = [&](std::string const& signal, std::string const& actions) {
        return files.add(signal + std::to_string(actions.size()) + ".json",
                         R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"stderr":"here"},{"hang":true}]},)"
                         R"({"on":{"signal":")" +
                             signal + R"("},"do":[)" + actions + "]}]}",
                         readable);
    };
    auto const call = request_of("tools/call", R"("name":"t","arguments":{},)");
    std::string const exits = R"({"stderr":"stops"},{"delay":"20ms"},{"exit":9})";
    // Each line of the program is followed by a signal.
    for (auto const& [script, arguments, status, lines] :
         {std::tuple{on("SIGTERM", R"({"stderr":"continues"})"), "", 128 + SIGTERM, "here\ncontinues\n"},
          std::tuple{on("any", R"({"stderr":"continues"})"), "", 128 + SIGTERM, "here\ncontinues\n"},
          std::tuple{on("SIGINT", R"({"stderr":"continues"})"), "", 128 + SIGTERM, "here\n"}}) {
        auto const got = run_with_signals(script, call, arguments);
        BOOST_TEST(got.status == status, got.err);
        BOOST_TEST(got.err == lines);
    }
    auto const exit = run_with_open_input(on("SIGTERM", exits), call, {.signal_when = "here", .signal = SIGTERM});
    BOOST_TEST(exit.status == 9);
    BOOST_TEST(exit.err == "here\nstops\n");
    auto const over_http = run_with_signals(on("any", R"({"stderr":"continues"})"), "", "--http");
    BOOST_TEST(over_http.status == 0);
    BOOST_TEST(over_http.err.ends_with("/mcp\ncontinues\n"), over_http.err);
    auto const exit_over_http = run_with_signals(on("any", R"({"delay":"20ms"},{"exit":9})"), "", "--http");
    BOOST_TEST(exit_over_http.status == 9);
}

BOOST_AUTO_TEST_CASE(second_signal_ends_the_actions_of_the_first_one_also_after_the_end_of_stdin)
{
    folder const files;
    auto const path = files.add("slow.json", R"({"mock":1,"rules":[
        {"on":{"connect":true},"do":[{"stderr":"here"}]},
        {"on":{"signal":"SIGTERM"},"do":[{"stderr":"stops"},{"delay":"1h"}]},
        {"on":{"disconnect":true},"do":[{"stderr":"disconnected"}]}]})",
                                readable);
    // The first line leads to a signal, the second one to the end of stdin, and the third one to another signal.
    auto const got = program_run::run({"/bin/sh", "-c",
                                       "mkfifo in out && { { exec 4>in 5<out; read line <&5; kill -TERM $$; "
                                       "read line <&5; exec 4>&-; read line <&5; kill -TERM $$; } & } && "
                                       "exec \"$1\" --script \"$2\" <in 2>out",
                                       "sh", program_run::program("linkspan-mock"), path});
    BOOST_TEST(got.status == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(rule_of_a_signal_that_never_completes_does_not_delay_the_end)
{
    folder const files;
    auto const on_signal = [&](std::string const& actions) {
        return files.add("signal" + std::to_string(actions.size()) + ".json",
                         R"({"mock":1,"rules":[{"on":{"connect":true},"do":[{"stderr":"here"}]},)"
                         R"({"on":{"signal":"SIGTERM"},"do":[)" +
                             actions + R"(]}],"expect":[{"stdinClosed":true}]})",
                         readable);
    };
    auto const closed =
        run_with_open_input(on_signal(R"({"close":true})"), "", {.signal_when = "here", .signal = SIGTERM});
    BOOST_TEST(closed.status == 3); // the client has not closed stdin
    BOOST_TEST(contains(closed.err, "/expect/0: expected all connections to be closed by the client"), closed.err);
    for (std::string const actions :
         {R"({"stderr":"waits"},{"gate":"g"})", R"({"stderr":"waits"},{"request":{"method":"roots/list"}})"}) {
        // The first line leads to a signal, and the second one to the end of stdin.
        auto const got = program_run::run({"/bin/sh", "-c",
                                           "mkfifo in out && { { exec 4>in 5<out; read line <&5; kill -TERM $$; "
                                           "read line <&5; exec 4>&-; } & } && exec \"$1\" --script \"$2\" <in 2>out",
                                           "sh", program_run::program("linkspan-mock"), on_signal(actions)});
        BOOST_TEST(got.status == 0);
    }
}

BOOST_AUTO_TEST_CASE(signal_before_the_end_of_stdin_has_its_effect)
{
    folder const files;
    auto const path = files.add("signal.json", R"({"mock":1,"rules":[
        {"on":{"connect":true},"do":[{"stderr":"here"}]},{"on":{"signal":"SIGTERM"},"do":[{"exit":7}]}]})",
                                readable);
    for (int i = 0; i != 10; ++i) {
        auto const got = program_run::run({"/bin/sh", "-c",
                                           "mkfifo in out && { { exec 4>in 5<out; read line <&5; kill -TERM $$; "
                                           "exec 4>&-; } & } && exec \"$1\" --script \"$2\" <in 2>out",
                                           "sh", program_run::program("linkspan-mock"), path});
        BOOST_TEST(got.status == 7);
    }
}

BOOST_AUTO_TEST_CASE(signal_ends_the_program_while_it_waits_for_the_exit_of_a_passthrough_server)
{
    folder const files;
    // A server that ignores the end of stdin and SIGTERM.
    auto const stubborn =
        files.add("stubborn", "#!/bin/sh\ntrap '' TERM\necho started >&2\nexec sleep 1000\n", readable);
    auto const path = files.add("front.json",
                                R"({"mock":1,"unmatched":{"passthrough":{"command":["/bin/sh",")" + stubborn +
                                    R"("]}},"rules":[{"on":{"disconnect":true},"do":[{"stderr":"disconnected"}]}]})",
                                readable);
    auto const got = program_run::run({"/bin/sh", "-c",
                                       "mkfifo in out && { { exec 4>in 5<out; read line <&5; exec 4>&-; read line <&5; "
                                       "kill -TERM $$; } & } && exec \"$1\" --script \"$2\" <in 2>out",
                                       "sh", program_run::program("linkspan-mock"), path});
    BOOST_TEST(got.status == 128 + SIGTERM);
}

HARNESS_CASE(exit_over_http_follows_the_response)
{
    folder const files;
    auto const path = files.add(
        "exit.json", R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"text":"last"},{"exit":17}]}]})", readable);
    http_mock server(executor, "linkspan-mock", {"--script", path, "--http", "0"});
    auto const url = co_await server.url();
    session client(executor, via<streamable_http>(http_config::of(url)));
    co_await opens(client);
    auto const result = co_await client.async_call_tool("t");
    BOOST_TEST(result.text() == "last");
    co_await server.ends();
    BOOST_TEST(contains(server.child().diagnostics(), "exited with status 17"), server.child().diagnostics());
}

BOOST_AUTO_TEST_CASE(port_that_cannot_be_opened_is_explained)
{
    asio::io_context context;
    using tcp = asio::ip::tcp;
    tcp::acceptor const other(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    auto const port = std::to_string(other.local_endpoint().port());
    auto const got =
        program_run::run({program_run::program("linkspan-mock"), "--script", script("weather.json"), "--http", port});
    BOOST_TEST(got.status == 2);
    BOOST_TEST(got.err == "linkspan-mock: port " + port + " of 127.0.0.1: Address already in use\n");
    // The text of --help names the status.
    auto const help = program_run::run({program_run::program("linkspan-mock"), "--help"});
    BOOST_TEST(contains(help.out, "a port that cannot be opened"), help.out);
}

BOOST_AUTO_TEST_CASE(expectation_that_is_not_met_is_reported_at_the_end)
{
    folder const files;
    auto const path = files.add("expect.json", R"({"mock":1,"expect":[{"request":"tools/list","count":2}]})", readable);
    auto const list = request_of("tools/list");
    std::vector<std::string> const words{program_run::program("linkspan-mock"), "--script", path};
    auto const once = program_run::run(words, {.in = list});
    BOOST_TEST(once.status == 3);
    BOOST_TEST(once.err.starts_with(path + ": /expect/0: expected exactly 2 tools/list; found 1 among 1 of this kind "
                                           "and 0 other requests\n  match: #1 t=+"),
               once.err);
    auto const twice = program_run::run(words, {.in = list + list});
    BOOST_TEST(twice.status == 0);
    BOOST_TEST(twice.err == "");
    for (auto const* const carrier : {"--http", "--sse"}) {
        auto over_http = words;
        over_http.insert(over_http.end(), {carrier, "0"});
        auto const none = program_run::run(over_http);
        BOOST_TEST(none.status == 3);
        BOOST_TEST(none.err.starts_with(path + ": /expect/0: expected exactly 2 tools/list; found 0"), none.err);
    }
}

BOOST_AUTO_TEST_CASE(seed_of_the_environment_replaces_that_of_the_script)
{
    folder const files;
    auto const script = files.add("draws.json", R"({"mock":1,"seed":5,"rules":[
        {"on":{"call":"draw"},"do":[{"text":"${rand.int(1,1000000000)} ${uuid}"}]}]})",
                                  readable);
    // Returns the output for a seed of the environment and one of the option; empty: none.
    auto const draw = [&](std::string const& variable, std::string const& option) {
        std::vector<std::string> words{program_run::program("linkspan-mock"), "--script", script};
        if (!option.empty())
            words.insert(words.end(), {"--seed", option});
        program_run::options with;
        with.in = request_of("tools/call", R"("name":"draw","arguments":{},)");
        if (!variable.empty())
            with.env["LINKSPAN_SEED"] = variable;
        auto const run = program_run::run(std::move(words), with);
        BOOST_TEST(run.status == 0, run.err);
        BOOST_TEST(run.out.find("\"text\"") != run.out.npos, run.out);
        return run.out;
    };
    BOOST_TEST(draw("5", "") == draw("", ""));
    BOOST_TEST(draw("6", "") == draw("", "6"));
    BOOST_TEST(draw("6", "") != draw("", ""));
    BOOST_TEST(draw("6", "7") == draw("", "7"));
    program_run::options with;
    with.env["LINKSPAN_SEED"] = "six";
    auto const wrong = program_run::run({program_run::program("linkspan-mock"), "--script", script}, with);
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(wrong.err.starts_with("linkspan-mock: environment variable 'LINKSPAN_SEED': expected a number from 0 to "
                                     "18446744073709551615, found 'six'\n"),
               wrong.err);
}

BOOST_AUTO_TEST_CASE(wrong_script_and_wrong_options_are_explained)
{
    folder const files;
    auto const path = files.add("wrong.json",
                                R"({"mock":1,"tols":[],"unmatched":{"passthrough":{"url":"http://host:0/mcp"}},)"
                                R"("rules":[{"on":{},"do":[{"hang":true}]}]})",
                                readable);
    auto const program = program_run::program("linkspan-mock");
    for (auto const& check : {std::vector<std::string>{}, {"--check"}}) {
        std::vector<std::string> words{program, "--script", path};
        words.insert(words.end(), check.begin(), check.end());
        auto const wrong = program_run::run(std::move(words));
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.out == "");
        BOOST_TEST(wrong.err ==
                   path + ": /tols: expected no member of this name (similar: 'tools'), found []\n" + path +
                       ": /rules/0/on: expected exactly one of 'call', 'request', 'notification', 'response', "
                       "'connect', 'stdin-eof', 'disconnect', 'start', 'at', 'gate', 'http' and 'signal', found {}\n" +
                       path +
                       ": /unmatched/passthrough/url: expected the URL of a server, found \"http://host:0/mcp\"; "
                       "expected a port from 1 to 65535\n");
    }
    auto const right = program_run::run({program, "--script", script("weather.json"), "--check"});
    BOOST_TEST(right.status == 0);
    BOOST_TEST(right.err == "");
    struct row {
        std::vector<std::string> words;
        std::string message;
    };
    for (auto const& [words, message] :
         {row{{}, "expected the option '--script FILE'"}, row{{"--scrpt"}, "unknown option '--scrpt'"},
          row{{"--script"}, "option '--script': expected a value"},
          row{{"--seed", "x"}, "option '--seed': expected a number from 0 to 18446744073709551615, found 'x'"},
          row{{"--http", "65536"}, "option '--http': expected a number from 0 to 65535, found '65536'"},
          row{{"shop.json"}, "unexpected argument 'shop.json'"},
          row{{"--script", "x", "--plan", "p", "--write-plan", "p"},
              "options '--plan' and '--write-plan': expected different files, found 'p' twice"}}) {
        auto all = words;
        all.insert(all.begin(), program);
        auto const wrong = program_run::run(std::move(all));
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.err == "linkspan-mock: " + message + "\nlinkspan-mock --help describes the options.\n");
    }
    auto const help = program_run::run({program, "--help"});
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.starts_with("usage: linkspan-mock --script FILE"), help.out);
    auto const schema = program_run::run({program, "--schema"});
    BOOST_TEST(schema.out == linkspan::test::project_text("mock_servers/linkspan-mock-1.schema.json"));
}

// Plans of faults

namespace {

// Makes ten calls of the tool of a script. `members`: further members of the script, each with a comma behind it.
program_run::result call_ten_times(folder const& files, std::string const& members,
                                   std::vector<std::string> const& arguments)
{
    auto const path = files.add(
        "faulty.json",
        R"({"mock":1,"name":"weather",)" + members + R"("tools":[{"name":"t","reply":{"text":"sunny"}}]})", readable);
    program_run::options with;
    for (int id = 1; id != 11; ++id) {
        auto line = request_of("tools/call", R"("name":"t","arguments":{},)");
        with.in += line.replace(line.find(R"("id":1)"), 6, R"("id":)" + std::to_string(id));
    }
    std::vector<std::string> words{program_run::program("linkspan-mock"), "--script", path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto out = program_run::run(std::move(words), with);
    BOOST_TEST(out.status == 0, out.err);
    std::filesystem::remove(path);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(recorded_faults_are_edited_and_repeated)
{
    folder const files;
    auto const recorded = files.path() + "/recorded.json", repeated = files.path() + "/repeated.json";
    auto const first =
        call_ten_times(files, R"("seed":7,"chaos":{"percent":40,"kinds":["wrong-id","rpc-error","drop"]},)",
                       {"--write-plan", recorded});
    auto plan = linkspan::test::load_chaos_plan(recorded);
    BOOST_TEST_REQUIRE(plan.faults.size() > 1u);
    BOOST_TEST(plan.faults.size() < 10u);

    auto const second = call_ten_times(files, "", {"--plan", recorded, "--write-plan", repeated});
    BOOST_TEST(second.out == first.out);
    BOOST_TEST((linkspan::test::load_chaos_plan(repeated) == plan));

    // The plan replaces the chaos of the script. The fault of another server does not occur.
    plan.faults = {plan.faults.back(), plan.faults.back()};
    plan.faults.front().server = "files";
    auto const edited = files.add("edited.json", to_json(plan), readable);
    auto const third =
        call_ten_times(files, R"("seed":7,"chaos":{"percent":100},)", {"--plan", edited, "--write-plan", repeated});
    BOOST_TEST(third.out != first.out);
    BOOST_TEST(third.err == "");
    plan.faults.erase(plan.faults.begin());
    BOOST_TEST((linkspan::test::load_chaos_plan(repeated) == plan));
}

BOOST_AUTO_TEST_CASE(planned_faults_that_did_not_occur_cause_a_warning)
{
    folder const files;
    auto const plan = files.add("late.json", R"({"faults":[
        {"server":"weather","connection":1,"message":1,"fault":"rpc-error"},
        {"server":"weather","connection":1,"message":11,"fault":"drop"},
        {"server":"files","connection":1,"message":1,"fault":"drop"}]})",
                                readable);
    BOOST_TEST(call_ten_times(files, "", {"--plan", plan}).err ==
               "linkspan-mock: warning: " + plan + ": expected a message to which each fault applies, found none for " +
                   R"({"faults":[{"server":"weather","connection":1,"message":11,"fault":"drop","delay_ms":0,)"
                   R"("amount":0}]})"
                   "\n");
}

BOOST_AUTO_TEST_CASE(faults_of_actions_are_recorded_and_repeated)
{
    folder const files;
    auto const recorded = files.path() + "/recorded.json", none = files.path() + "/none.json";
    auto const first = call_ten_times(files, R"("rules":[{"on":{"call":"t"},"sequence":[[{"default":true}],
        [{"fault":{"kind":"limit-data","amount":30}},{"default":true}],[{"default":true}]]}],)",
                                      {"--write-plan", recorded});
    auto const plan = linkspan::test::load_chaos_plan(recorded);
    BOOST_TEST(
        to_json(plan) ==
        R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"limit-data","delay_ms":0,"amount":30}]})");
    BOOST_TEST(call_ten_times(files, "", {"--plan", recorded}).out == first.out);
    call_ten_times(files, "", {"--write-plan", none});
    BOOST_TEST(linkspan::test::load_chaos_plan(none).faults.empty());
}

BOOST_AUTO_TEST_CASE(wrong_plan_is_explained_before_the_server_starts)
{
    folder const files;
    auto const wrong = files.add(
        "wrong.json", R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"explode"}]})", readable);
    auto const absent = files.path() + "/absent/plan.json";
    struct row {
        std::vector<std::string> arguments;
        std::string message;
    };
    for (auto const& [arguments, message] :
         {row{{"--plan", wrong}, wrong + ": /faults/0/fault: expected "},
          row{{"--plan", wrong, "--http", "0"}, wrong + ": /faults/0/fault: expected "},
          row{{"--plan", wrong, "--check"}, wrong + ": /faults/0/fault: expected "},
          row{{"--plan", absent}, absent + ": expected a file that can be read, found 'No such file or directory'"},
          row{{"--write-plan", absent}, absent + ": expected a file that can be written"}}) {
        std::vector<std::string> words{program_run::program("linkspan-mock"), "--script", script("weather.json")};
        words.insert(words.end(), arguments.begin(), arguments.end());
        auto const got = program_run::run(std::move(words), {.in = request_of("tools/list")});
        BOOST_TEST(got.status == 2);
        BOOST_TEST(got.out == "");
        BOOST_TEST(got.err.starts_with(message), got.err);
    }
}

BOOST_AUTO_TEST_CASE(problems_of_types_names_and_plan_are_reported_together)
{
    folder const files;
    auto const wrong = files.add(
        "wrong.json", R"({"mock":1,"tools":[{"name":"add"}],"pageSize":-1,"expect":[{"call":"ad"}]})", readable);
    auto const plan =
        files.add("plan.json", R"({"faults":[{"server":"s","connection":1,"message":0,"fault":"delayy"}]})", readable);
    auto const got =
        program_run::run({program_run::program("linkspan-mock"), "--script", wrong, "--plan", plan, "--check"});
    BOOST_TEST(got.status == 2);
    for (auto const& line : {wrong + ": /pageSize: expected ",
                             wrong + ": /expect/0/call: expected a tool of the server "
                                     "(similar: 'add'), found \"ad\"\n",
                             plan + ": /faults/0/message: expected an integer from 1, found 0\n",
                             plan + ": /faults/0/fault: expected one of "})
        BOOST_TEST(contains(got.err, line), got.err);
    BOOST_TEST(contains(got.err, ", found \"delayy\"\n"), got.err);
    BOOST_TEST(std::ranges::count(got.err, '\n') == 4);
}

BOOST_AUTO_TEST_CASE(plan_without_a_fault_of_the_server_causes_a_warning)
{
    folder const files;
    auto const others = files.add("others.json",
                                  R"({"faults":[{"server":"wether","connection":1,"message":2,"fault":"drop"},
                                      {"server":"mail","connection":1,"message":2,"fault":"drop"}]})",
                                  readable);
    auto const own = files.add(
        "own.json", R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"drop"}]})", readable);
    auto const checked = [](std::string const& plan) {
        return program_run::run(
            {program_run::program("linkspan-mock"), "--script", script("weather.json"), "--plan", plan, "--check"});
    };
    auto const warned = checked(others);
    BOOST_TEST(warned.status == 0);
    BOOST_TEST(warned.err == "linkspan-mock: warning: " + others +
                                 ": expected faults of the server 'weather', found faults of 'mail', 'wether'\n");
    auto const accepted = checked(own);
    BOOST_TEST(accepted.status == 0);
    BOOST_TEST(accepted.err == "");
}

BOOST_AUTO_TEST_CASE(faults_without_an_effect_cause_warnings)
{
    folder const files;
    auto const path = files.add("faults.json", R"({"mock":1,"chaos":{"percent":1,"kinds":["delay","http-503"]},"rules":[
        {"on":{"call":"t"},"do":[{"fault":"zombie"},{"text":"a"}]},
        {"on":{"call":"u"},"sequence":[[{"text":"a"}],[{"delay":"1s"},{"fault":{"kind":"half-close"}},{"text":"b"}]]},
        {"on":{"request":"tools/list"},"do":[{"fault":"structured-missing"},{"default":true}]},
        {"on":{"call":"v"},"do":[{"text":"a"},{"fault":"wrong-id"}]}]})",
                                readable);
    auto const plan = files.add(
        "plan.json", R"({"faults":[{"server":"linkspan-server","connection":1,"message":2,"fault":"http-500"}]})",
        readable);
    auto const warnings = [&](std::vector<std::string> const& more) {
        std::vector<std::string> words{program_run::program("linkspan-mock"), "--script", path, "--check"};
        words.insert(words.end(), more.begin(), more.end());
        auto const got = program_run::run(std::move(words));
        BOOST_TEST(got.status == 0);
        return got.err;
    };
    auto const start = "linkspan-mock: warning: " + path + ": ";
    auto const always = start +
                        "/rules/2/do/0/fault: 'structured-missing' does not occur in a response to tools/list\n" +
                        start + "/rules/3/do/1/fault: 'wrong-id' precedes no action that responds\n";
    auto const stream = start + "/chaos/kinds/1: 'http-503' does not occur over ";
    auto const of_lines = [&](std::string const& over) {
        return start + "/rules/0/do/0/fault: 'zombie' does not occur over " + over + "\n" + start +
               "/rules/1/sequence/1/1/fault: 'half-close' does not occur over " + over + "\n";
    };
    BOOST_TEST(warnings({}) == always + stream + "standard streams\n");
    BOOST_TEST(warnings({"--http", "0"}) == of_lines("HTTP") + always);
    BOOST_TEST(warnings({"--sse", "0"}) == of_lines("HTTP+SSE") + always + stream + "HTTP+SSE\n");
    BOOST_TEST(warnings({"--plan", plan}) ==
               always + "linkspan-mock: warning: " + plan +
                   ": /faults/0/fault: 'http-500' does not occur over standard streams\n");
}

BOOST_AUTO_TEST_CASE(misspelled_tool_of_a_rule_is_a_warning)
{
    folder const files;
    auto const path = files.add("script.json", R"({"mock":1,"tools":[{"name":"get_forecast"}],"rules":[
        {"on":{"call":"get_forcast"},"do":[{"text":"a"}]},{"on":{"call":"send"},"do":[{"text":"b"}]},
        {"on":{"call":"get"},"do":[{"text":"b"}]},
        {"on":{"call":"get_forecast"},"do":[{"tools":{"add":[{"name":"get_alerts"}]}},{"text":"c"}]},
        {"on":{"call":"get_alerts"},"do":[{"text":"d"}]}]})",
                                readable);
    auto const got = program_run::run({program_run::program("linkspan-mock"), "--script", path, "--check"});
    BOOST_TEST(got.status == 0);
    BOOST_TEST(got.err == "linkspan-mock: warning: " + path +
                              ": /rules/0/on/call: expected a tool that the script declares (similar: "
                              "'get_forecast'), found \"get_forcast\"\n");
}

// Tapes

HARNESS_CASE(recorded_session_is_replayed)
{
    folder const files;
    auto const path = files.path() + "/weather.tape.jsonl";
    auto const server = mock_with(script("weather.json"));
    auto recorder = mock("linkspan-mock", {"record", "--out", path, "--", server.command});
    recorder.args.insert(recorder.args.end(), server.args.begin(), server.args.end());
    session recorded(executor, via<stdio>(recorder));
    co_await opens(recorded);
    co_await forecasts(recorded);
    co_await shuts_down(recorded);
    BOOST_TEST(contains(recorded.diagnostics(), "exited with status 0"), recorded.diagnostics());

    session replayed(executor, via<stdio>(mock("linkspan-mock", {"replay", path})));
    co_await opens(replayed);
    co_await forecasts(replayed);
    co_await shuts_down(replayed);

    auto const converted = program_run::run({mock("linkspan-mock").command, "to-script", path});
    BOOST_TEST(converted.status == 0);
    session scripted(executor,
                     via<stdio>(mock_with(files.add("x.json", converted.out, std::filesystem::perms::owner_read))));
    co_await opens(scripted);
    co_await forecasts(scripted);
    co_await shuts_down(scripted);

    // A script with the tape handles the requests for which it has a rule itself.
    session with_tape(executor, via<stdio>(mock_with(
                                    files.add("tape.json", R"({"mock":1,"tape":{"file":"weather.tape.jsonl"},"rules":[
                {"on":{"call":"forecast"},"where":{"/arguments/city":"Rome"},"do":[{"text":"of a rule"}]}]})",
                                              readable))));
    co_await opens(with_tape);
    boost::json::object rome, paris;
    rome["city"] = "Rome";
    paris["city"] = "Paris";
    auto const of_rule = co_await with_tape.async_call_tool("forecast", rome);
    BOOST_TEST(of_rule.text() == "of a rule");
    co_await forecasts(with_tape);
    auto const [ec, result] = co_await with_tape.async_call_tool("forecast", paris, in_tuple);
    auto const problem = linkspan::explain(ec, result);
    BOOST_TEST(contains(problem, "the tape has no further request like this tools/call"), problem);
    co_await shuts_down(with_tape);
}

HARNESS_CASE(options_of_replay_determine_which_requests_match_and_when_they_are_answered)
{
    folder const files;
    auto const path = files.add("x.tape.jsonl", R"({"tape":1,"carrier":"stdio"}
{"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}}
{"t":0,"dir":"out","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"recorded","version":"3"}}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"}}}}
{"t":1.3,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"of Oslo"}]}}}
{"t":2,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Rome"}}}}
{"t":2,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"of Rome"}]}}}
{"t":3,"dir":"in","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"alert","arguments":{"city":"Rome"}}}}
{"t":3,"dir":"out","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"storm"}]}}}
)",
                                readable);
    struct row {
        std::vector<std::string> options;
        std::string tool, city, answer;
    };
    std::string const difference = "request 2 of the tape: /arguments/city: recorded \"Oslo\", found \"Paris\"";
    std::vector<row> const rows{{{}, "forecast", "Rome", "of Rome"},
                                {{}, "forecast", "Paris", difference},
                                {{"--match", "method"}, "forecast", "Paris", "of Oslo"},
                                {{"--match", "order"}, "forecast", "Paris", "of Oslo"},
                                {{"--order", "all"}, "forecast", "Oslo", "of Oslo"},
                                {{"--order", "all"}, "alert", "Rome", "is equal, and other requests precede it"},
                                {{"--ignore", "/arguments/city"}, "forecast", "Paris", "of Oslo"},
                                {{"--pace"}, "forecast", "Oslo", "of Oslo"}};
    for (auto const& [options, tool, city, answer] : rows) {
        std::vector<std::string> words{"replay", path};
        words.insert(words.end(), options.begin(), options.end());
        session replayed(executor, via<stdio>(mock("linkspan-mock", words)));
        co_await opens(replayed);
        boost::json::object arguments;
        arguments["city"] = city;
        auto const begin = std::chrono::steady_clock::now();
        auto const [ec, result] = co_await replayed.async_call_tool(tool, arguments, in_tuple);
        auto const got = ec ? linkspan::explain(ec, result) : result.text();
        BOOST_TEST(contains(got, answer), got);
        bool const is_paced = !options.empty() && options[0] == "--pace";
        BOOST_TEST((!is_paced || std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(300)));
        co_await shuts_down(replayed);
    }
}

BOOST_AUTO_TEST_CASE(secrets_of_a_recording_are_redacted_by_options)
{
    folder const files;
    auto const program = program_run::program("linkspan-mock");
    // Returns the text of the tape of a call with a secret.
    auto const record = [&](std::vector<std::string> const& options) {
        auto const path = files.path() + "/secret.jsonl";
        std::vector<std::string> words{program, "record", "--out", path};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--", program, "--script", script("weather.json")});
        program_run::options with;
        with.in = request_of("tools/call", R"("name":"forecast","arguments":{"city":"Paris","apiKey":"k-12345"},)");
        with.env["LINKSPAN_TEST_CITY"] = "Paris";
        BOOST_TEST(program_run::run(std::move(words), with).status == 0);
        std::ifstream in(path);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    auto const redacted = record({}), complete = record({"--no-redaction"}),
               without_city = record({"--redact-env", "LINKSPAN_TEST_CITY"});
    BOOST_TEST((contains(redacted, "Paris") && !contains(redacted, "k-12345")), redacted);
    BOOST_TEST((contains(complete, "Paris") && contains(complete, "k-12345")), complete);
    BOOST_TEST((!contains(without_city, "Paris") && !contains(without_city, "k-12345")), without_city);
}

BOOST_AUTO_TEST_CASE(responses_after_the_end_of_stdin_are_recorded_and_passed_on)
{
    folder const files;
    auto const program = mock("linkspan-mock").command;
    auto const path = files.path() + "/x.jsonl";
    program_run::options with;
    for (int i = 0; i != 500; ++i)
        with.in += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
                   R"(,"method":"ping"})"
                   "\n";
    auto const result =
        program_run::run({program, "record", "--out", path, "--", program, "--script", script("weather.json")}, with);
    BOOST_TEST(result.status == 0);
    BOOST_TEST(std::ranges::count(result.out, '\n') == 500);
    BOOST_TEST(linkspan::test::tape::load(path).entries().size() == 1000u);
}

BOOST_AUTO_TEST_CASE(recording_ends_with_the_status_of_the_server)
{
    folder const files;
    auto const program = mock("linkspan-mock").command;
    auto const tape = files.path() + "/x.jsonl";
    BOOST_TEST(program_run::run({program, "record", "--out", tape, "--", "/bin/false"}).status == 1);
    BOOST_TEST(program_run::run({program, "record", "--out", tape, "--", "/bin/true"}).status == 0);
    auto const absent = program_run::run({program, "record", "--out", tape, "--", "/absent/server"});
    BOOST_TEST(absent.status == 2);
    BOOST_TEST(contains(absent.err, "/absent/server"), absent.err);
    auto const unwritable = program_run::run({program, "record", "--out", "/absent/x.jsonl", "--", "/bin/true"});
    BOOST_TEST(unwritable.status == 2);
    BOOST_TEST(contains(unwritable.err,
                        "/absent/x.jsonl: expected a file that can be written, found 'No such file or directory'"),
               unwritable.err);
    for (auto const& in : {std::string(), request_of("ping")}) {
        auto const full = program_run::run({program, "record", "--out", "/dev/full", "--", "/bin/cat"}, {.in = in});
        BOOST_TEST(full.status == 2);
        BOOST_TEST(contains(full.err, "/dev/full: the tape cannot be written"), full.err);
    }
    auto const wrong = program_run::run({program, "record", "--out", tape});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(contains(wrong.err, "expected 'record --out TAPE -- COMMAND'"), wrong.err);
    auto const broken = files.add("broken.jsonl", "{\"tape\":1}\n{\"t\":", std::filesystem::perms::owner_read);
    auto const truncated = program_run::run({program, "replay", broken});
    BOOST_TEST(truncated.status == 2);
    BOOST_TEST(contains(truncated.err, broken + ":2: expected a line end; the tape is truncated"), truncated.err);
}

BOOST_AUTO_TEST_SUITE_END()
