// linkspan-mock as a program: one script over standard streams, HTTP, and HTTP+SSE.

#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#include <boost/json/object.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/http_mock.hpp"
#include "support/program_run.hpp"

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

std::string script(std::string const& name)
{
    return std::getenv("LINKSPAN_TEST_DIR") + ("/../mock_servers/scripts/" + name);
}

linkspan::stdio_config mock_with(std::string const& path) { return mock("linkspan-mock", {"--script", path}); }

asio::awaitable<void> forecasts(session& client)
{
    boost::json::object oslo, atlantis;
    oslo["city"] = "Oslo";
    atlantis["city"] = "Atlantis";
    auto const first = co_await client.async_call_tool("forecast", oslo);
    BOOST_TEST(first.text() == "still warming up");
    auto const second = co_await client.async_call_tool("forecast", oslo);
    BOOST_TEST(second.text() == "sunny in Oslo");
    auto const third = co_await client.async_call_tool("forecast", atlantis);
    BOOST_TEST(third.is_error());
    BOOST_TEST(third.text() == "Atlantis was not found");
}

constexpr auto readable = std::filesystem::perms::owner_all;

} // namespace

HARNESS_CASE(script_is_served_over_standard_streams)
{
    session client(executor, via<stdio>(mock_with(script("weather.json"))));
    co_await opens(client);
    co_await forecasts(client);
    co_await shuts_down(client);
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
    auto const path = files.add("old.json", R"({"mock":1,"speaks":["2024-11-05"],"tools":[{"name":"t"}]})", readable);
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
    BOOST_TEST(contains(client.diagnostics(), "17"), client.diagnostics());
    BOOST_TEST(contains(client.diagnostics(), "out of memory"), client.diagnostics());
}

BOOST_AUTO_TEST_CASE(expectation_that_is_not_met_is_reported_at_the_end)
{
    folder const files;
    auto const path = files.add("expect.json", R"({"mock":1,"expect":[{"request":"tools/list","count":2}]})", readable);
    std::string const list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
                             "\n";
    std::vector<std::string> const words{program_run::program("linkspan-mock"), "--script", path};
    auto const once = program_run::run(words, {.in = list});
    BOOST_TEST(once.status == 3);
    BOOST_TEST(once.err == "expected exactly 2 tools/list; found 1 among 1 of this kind and 0 other requests\n");
    auto const twice = program_run::run(words, {.in = list + list});
    BOOST_TEST(twice.status == 0);
    BOOST_TEST(twice.err == "");
}

BOOST_AUTO_TEST_CASE(wrong_script_and_wrong_options_are_explained)
{
    folder const files;
    auto const path = files.add("wrong.json", R"({"mock":1,"tols":[],"rules":[{"on":{},"do":[]}]})", readable);
    auto const program = program_run::program("linkspan-mock");
    for (auto const& check : {std::vector<std::string>{}, {"--check"}}) {
        std::vector<std::string> words{program, "--script", path};
        words.insert(words.end(), check.begin(), check.end());
        auto const wrong = program_run::run(std::move(words));
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.out == "");
        BOOST_TEST(wrong.err == path + ": /tols: expected no member of this name (similar: 'tools'), found an array\n" +
                                    path + ": /rules/0/on: expected exactly one of 'call' and 'request'\n");
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
          row{{"--http", "65536"}, "option '--http': expected a number from 0 to 65535, found '65536'"}}) {
        auto all = words;
        all.insert(all.begin(), program);
        auto const wrong = program_run::run(std::move(all));
        BOOST_TEST(wrong.status == 2);
        BOOST_TEST(wrong.err.starts_with("linkspan-mock: " + message + "\n\nusage: linkspan-mock "), wrong.err);
    }
    auto const help = program_run::run({program, "--help"});
    BOOST_TEST(help.status == 0);
    BOOST_TEST(help.out.starts_with("usage: linkspan-mock --script FILE"), help.out);
    auto const schema = program_run::run({program, "--schema"});
    BOOST_TEST(schema.out.starts_with(R"({"type":"object","title":"linkspan-mock/1")"), schema.out);
}

BOOST_AUTO_TEST_SUITE_END()
