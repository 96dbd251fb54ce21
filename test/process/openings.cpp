// Servers that fail to open, as reported to the caller.

#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/folder.hpp"
#include "support/mock_fault.hpp"
#include "support/process_observation.hpp"

BOOST_AUTO_TEST_SUITE(openings_test)

using namespace harness;
using namespace std::chrono_literals;
namespace errc = boost::system::errc;
using linkspan::condition;
using linkspan::error;
using linkspan::server_state;
using linkspan::stdio;

HARNESS_CASE(server_that_exits_on_probe_is_restarted_and_handshake_is_sent_first)
{
    observe::folder const folder;
    auto const starts = folder.path() + "/starts";
    auto const config = sh(R"(echo start >>"$0"; exec "$1" leave)", {starts, mock("mock-fault").command});
    {
        hub_type hub(executor);
        hub.add<stdio>("fault", config);
        co_await opens(hub);
        BOOST_TEST((hub.state().servers[0].protocol_version == linkspan::protocol_version::v2025_11_25));
        co_await echoes(hub, "x");
        co_await shuts_down(hub);
    }
    auto const count_starts = [&] {
        std::ifstream file(starts);
        return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
    };
    BOOST_TEST(count_starts() == 2);
    linkspan::session session(executor, linkspan::via<stdio>(config));
    co_await opens(session);
    BOOST_TEST((session.protocol_version() == linkspan::protocol_version::v2025_11_25));
    co_await echoes(session, "x");
    co_await shuts_down(session);
    BOOST_TEST(count_starts() == 4);
    // The session remembers the era.
    co_await opens(session);
    co_await echoes(session, "x");
    co_await shuts_down(session);
    BOOST_TEST(count_starts() == 5);
}

HARNESS_CASE(failed_start_is_reported_with_command_directory_and_reason)
{
    observe::folder const folder;
    auto const text = folder.add("text", "no program\n", std::filesystem::perms::owner_read);
    hub_type hub(executor);
    hub.add<stdio>("missing", {.command = "/no/such/program", .cwd = folder.path()})
        .add<stdio>("nowhere", {.command = "no-such-program-in-the-path"})
        .add<stdio>("text", {.command = text})
        .add<stdio>("elsewhere", {.command = "/bin/cat", .cwd = "/no/such/folder"});
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST((ec == error::connection_failed), ec.message());
    BOOST_TEST((ec == condition::transport_failed));
    BOOST_TEST(report.failures() == 4u);
    BOOST_TEST_REQUIRE(report.servers.size() == 4u);
    BOOST_TEST(report.servers[0].server == "missing");
    BOOST_TEST((report.servers[0].ec == errc::no_such_file_or_directory), report.servers[0].ec.message());
    BOOST_TEST(report.servers[0].detail ==
               "cannot start /no/such/program in " + folder.path() + ": exec: No such file or directory (errno 2)");
    BOOST_TEST((report.servers[1].ec == errc::no_such_file_or_directory), report.servers[1].ec.message());
    BOOST_TEST(report.servers[1].detail == "cannot start no-such-program-in-the-path in " +
                                               std::filesystem::current_path().string() +
                                               ": search for the program: No such file or directory (errno 2)");
    BOOST_TEST((report.servers[2].ec == errc::permission_denied), report.servers[2].ec.message());
    BOOST_TEST(contains(report.servers[2].detail, text + " in "), report.servers[2].detail);
    BOOST_TEST(contains(report.servers[2].detail, "Permission denied (errno 13)"), report.servers[2].detail);
    BOOST_TEST(contains(report.servers[3].detail, "/bin/cat in /no/such/folder: chdir: No such file"),
               report.servers[3].detail);
    for (auto const& server : hub.state().servers) {
        BOOST_TEST((server.state == server_state::waiting));
        BOOST_TEST(contains(server.last_error, "cannot start"), server.last_error);
    }
}

HARNESS_CASE(program_that_is_not_a_server_is_reported_with_its_stderr)
{
    linkspan::server_options silent, puzzling;
    silent.session.startup_timeout = 100ms;
    puzzling.session.probe_timeout = 100ms; // responds to a request with the same request
    hub_type hub(executor);
    hub.add<stdio>("exits", sh("echo 'no configuration' >&2; exit 3"))
        .add<stdio>("echoes", {.command = "/bin/cat"}, puzzling)
        .add<stdio>("sleeps", sh("exec sleep 1000"), silent);
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST((ec == error::connection_failed), ec.message());
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    BOOST_TEST((report.servers[0].ec == error::stream_ended), report.servers[0].ec.message());
    BOOST_TEST(contains(report.servers[0].detail, "exited with status 3"), report.servers[0].detail);
    BOOST_TEST(contains(report.servers[0].detail, "no configuration"), report.servers[0].detail);
    BOOST_TEST(report.servers[1].ec.failed());
    BOOST_TEST((report.servers[2].ec == error::attempt_timed_out), report.servers[2].ec.message());
    BOOST_TEST((report.servers[2].elapsed >= 100ms));
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(program_that_is_not_a_server_is_reported_with_its_first_line_of_stdout)
{
    linkspan::server_options secret, strict;
    secret.secrets.add("hunter2-token");
    strict.session.strict = true;
    hub_type hub(executor);
    hub.add<stdio>("usage", sh("echo 'usage: server hunter2-token'; echo more; echo why >&2; exit 2"), secret)
        .add<stdio>("bytes", sh("printf 'bad \\377 byte\\n'; exit 2"))
        .add<stdio>("long", sh("printf '%0300d\\n' 7; exit 2"))
        .add<stdio>("log", sh(R"(echo '{"level":30,"msg":"ready"}'; exit 2)"))
        .add<stdio>("strict", sh("echo Welcome; exec cat >/dev/null"), strict)
        .add<stdio>("none", sh("exit 2"));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST((ec == error::connection_failed), ec.message());
    BOOST_TEST_REQUIRE(report.servers.size() == 6u);
    auto const begins = [&](std::size_t index, std::string const& text) {
        auto const& detail = report.servers[index].detail;
        BOOST_TEST(detail.starts_with(text + "\npid "), detail);
    };
    begins(0, R"(unexpected output: "usage: server ***")");
    BOOST_TEST(contains(report.servers[0].detail, "exited with status 2; stderr, the last 4 of 4 bytes:\nwhy\n"),
               report.servers[0].detail);
    begins(1, "unexpected output: \"bad \xef\xbf\xbd byte\"");
    begins(2, "unexpected output: \"" + std::string(200, '0') + "\"...");
    begins(3, R"(unexpected output: "{\"level\":30,\"msg\":\"ready\"}")");
    begins(4, R"(unexpected output: "Welcome")");
    BOOST_TEST(report.servers[5].detail.starts_with("pid "), report.servers[5].detail);
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(failed_servers_do_not_affect_healthy_servers)
{
    hub_type hub(executor);
    hub.add<stdio>("first", fault("none"), with(1))
        .add<stdio>("missing", {.command = "/no/such/program"}, with(100))
        .add<stdio>("exits", sh("exit 3"), with(100))
        .add<stdio>("last", fault("none"));
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(report.failures() == 2u);
    BOOST_TEST_REQUIRE(report.servers.size() == 4u);
    for (std::size_t const healthy : {0u, 3u}) {
        BOOST_TEST(!report.servers[healthy].ec, report.servers[healthy].detail);
        BOOST_TEST(report.servers[healthy].tools == 1u);
        BOOST_TEST((report.servers[healthy].protocol_version == linkspan::protocol_version::v2026_07_28));
    }
    BOOST_TEST(report.servers[1].server == "missing");
    BOOST_TEST(report.servers[1].ec.failed());
    BOOST_TEST(!report.servers[1].protocol_version);
    BOOST_TEST(hub.catalog()->tools().size() == 2u);
    for (auto const tool : {"echo", "first__echo", "last__echo"}) {
        auto const [failed, result] = co_await hub.async_call(tool, with_text("x"), in_tuple);
        BOOST_TEST(!failed, linkspan::explain(failed, result));
        BOOST_TEST(result.server() == (contains(tool, "last") ? "last" : "first"));
        BOOST_TEST(result.attempts().empty());
    }
    // A second open opens only the servers that failed.
    auto const [again, second] = co_await hub.async_open(in_tuple);
    BOOST_TEST((again == error::connection_failed), again.message());
    BOOST_TEST(second.servers.size() == 2u);
    co_await echoes(hub, "still there");
    co_await shuts_down(hub);
}

BOOST_AUTO_TEST_SUITE_END()
