#include <linkspan/observe/text_log.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "support/observers.hpp"

namespace text_log_test {

using namespace linkspan;
using linkspan::test::attempt_of;

namespace {

struct log_fixture {
    std::vector<std::string> lines;
    text_log log{[this](std::string_view line) { lines.emplace_back(line); }};
    server_view server;

    log_fixture() { server.key = "db"; }

    std::string only() const { return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " lines"; }
};

} // namespace

} // namespace text_log_test

BOOST_FIXTURE_TEST_SUITE(text_log_test, text_log_test::log_fixture)

BOOST_AUTO_TEST_CASE(started_server_is_logged_as_one_line)
{
    log.on_state({server, "opening", {}, {}});
    log.on_state({server, "ready", {}, {}});
    BOOST_TEST(only() == "[MCP] db started");
}

BOOST_AUTO_TEST_CASE(lost_server_is_logged_with_the_reason)
{
    log.on_state({server, "waiting", error::stream_ended, "exited with status 1"});
    BOOST_TEST(only() == "[MCP] db lost, restart is scheduled: the peer closed the stream: exited with status 1");
}

BOOST_AUTO_TEST_CASE(only_failed_attempts_are_logged)
{
    log.on_attempt(attempt_of("db").view());
    BOOST_TEST(lines.empty());
    log.on_attempt(attempt_of("db", error::stream_ended, certainty::unknown).view(2));
    BOOST_TEST(only() == "[MCP] db: read failed, attempt 2: unknown, the peer closed the stream, after 12 ms");
}

BOOST_AUTO_TEST_CASE(event_is_logged_as_one_line)
{
    log.on_event({{}, "catalog_changed", {}});
    BOOST_TEST(only() == "[MCP] catalog_changed");
}

BOOST_AUTO_TEST_CASE(server_text_cannot_forge_log_lines)
{
    log.on_event({"db", "unexpected_output", "x\n[MCP] db started\r\x1b[2J"});
    BOOST_TEST(only() == "[MCP] db: unexpected_output: x [MCP] db started  [2J");
    lines.clear();
    log.on_event({"db", "unexpected_output",
                  "h\xc3\xa9\xc2\x9b"
                  "2J\x9b"});
    BOOST_TEST(only() == "[MCP] db: unexpected_output: h\xc3\xa9 2J ");
}

BOOST_AUTO_TEST_SUITE_END()
