// The reference servers of npm, started as their documentation describes.

#include <linkspan/connector.hpp>
#include <linkspan/core/time.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/harness.hpp"
#include "support/npm.hpp"
#include "support/process_observation.hpp"
#include "support/recorded_transport.hpp"

namespace servers_test {

using namespace harness;
using namespace std::chrono_literals;
using boost::json::object;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::protocol_version;
using stdio = linkspan::test::recorded_client<linkspan::stdio>;
using hub_type = linkspan::connector<linkspan::transports<stdio>>;

namespace {

// Skips the whole suite if the servers are not installed.
struct installed_servers {
    installed_servers() { npm::require({"mcp-server-everything", "mcp-server-filesystem", "mcp-server-memory"}); }
};

// Disables the steps of a shutdown, so that servers must exit by themselves.
linkspan::stdio_config patient(std::string const& server, std::vector<std::string> args = {})
{
    auto config = npm::run("mcp-server-" + server, std::move(args));
    config.close_grace = config.term_grace = 1h;
    return config;
}

// The three servers with a directory of their own.
struct three_servers : world {
    hub_type& make()
    {
        auto memory = patient("memory");
        memory.env["MEMORY_FILE_PATH"] = folder.path() + "/memory.jsonl";
        std::filesystem::create_directory(files());
        return hub.add<stdio>("everything", patient("everything", {"stdio"}))
            .add<stdio>("files", patient("filesystem", {files()}))
            .add<stdio>("memory", std::move(memory));
    }

    std::string files() const { return folder.path() + "/files"; }

    observe::folder folder;
    hub_type hub{executor};
};

// The server with a long operation, which continues after its call was abandoned, so that the server must be ended by a
// signal.
struct one_server : world {
    hub_type& make()
    {
        auto config = patient("everything", {"stdio"});
        config.close_grace = 100ms;
        return hub.add<stdio>("everything", std::move(config));
    }

    hub_type hub{executor};
};

asio::awaitable<std::string> text_of(linkspan::connector_base& hub, std::string tool, object args, std::string server)
{
    auto const [ec, result] = co_await hub.async_call(tool, args, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(!result.is_error(), tool << ": " << result.text());
    BOOST_TEST(result.server() == server);
    co_return result.text();
}

} // namespace

} // namespace servers_test

BOOST_FIXTURE_TEST_SUITE(servers_test, servers_test::installed_servers)

HARNESS_CASE_IN(three_servers, servers_negotiate_the_newest_handshake_version_and_list_their_tools)
{
    auto const [ec, report] = co_await make().async_open(in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST_REQUIRE(report.servers.size() == 3u);
    for (auto const& line : report.servers) {
        BOOST_TEST(!line.ec, line.server << ": " << line.ec.message() << ": " << line.detail);
        BOOST_TEST((line.protocol_version == protocol_version::v2025_11_25));
    }
    BOOST_TEST(report.servers[0].tools == 13u);
    BOOST_TEST(report.servers[1].tools == 14u);
    BOOST_TEST(report.servers[2].tools == 9u);
    auto const catalog = hub.catalog();
    BOOST_TEST(catalog->tools().size() == 13u + 14u + 9u);
    for (auto const& entry : catalog->tools()) {
        BOOST_TEST(entry.exposed == entry.server_key + "__" + entry.tool->name);
        BOOST_TEST(boost::json::parse(entry.tool->input_schema).is_object());
        BOOST_TEST((entry.replay == linkspan::replay_class::never)); // annotations are not trusted by default
    }
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(three_servers, tool_of_each_server_is_called_by_own_and_qualified_name)
{
    co_await opens(make());
    std::ofstream(files() + "/greeting") << "hello from a file\n";
    object const echo{{"message", "hello"}}, folder_args{{"path", files()}}, none;
    for (std::string const prefix : {"", "everything__"})
        BOOST_TEST(co_await text_of(hub, prefix + "echo", echo, "everything") == "Echo: hello");
    for (std::string const prefix : {"", "files__"})
        BOOST_TEST(co_await text_of(hub, prefix + "list_directory", folder_args, "files") == "[FILE] greeting");
    for (std::string const prefix : {"", "memory__"}) {
        auto const graph = boost::json::parse(co_await text_of(hub, prefix + "read_graph", none, "memory"));
        BOOST_TEST(graph.at("entities").as_array().empty());
    }
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(three_servers, written_content_is_read_back)
{
    co_await opens(make());
    std::string const content = "one\n\"two\" \\ \t\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x8c\n";
    object const file{{"path", files() + "/notes"}}, written{{"path", files() + "/notes"}, {"content", content}};
    co_await text_of(hub, "write_file", written, "files");
    BOOST_TEST(co_await text_of(hub, "read_text_file", file, "files") == content);

    object const ada{{"name", "Ada"}, {"entityType", "person"}, {"observations", {"wrote a program"}}};
    object const entities{{"entities", {ada}}}, query{{"query", "Ada"}};
    co_await text_of(hub, "create_entities", entities, "memory");
    auto const [ec, found] = co_await hub.async_call("search_nodes", query, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, found));
    auto const graph = boost::json::parse(std::string(found.structured()));
    BOOST_TEST(graph.at("entities").at(0).at("name").as_string() == "Ada");
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(three_servers, unknown_tool_is_not_found_and_similar_names_are_reported)
{
    co_await opens(make());
    auto const [ec, result] = co_await hub.async_call("list_directry", {}, in_tuple);
    BOOST_TEST((ec == error::tool_not_found), ec.message());
    BOOST_TEST((ec == linkspan::condition::tool_refused));
    BOOST_TEST(contains(result.detail(), "'list_directry'"), result.detail());
    BOOST_TEST(contains(result.detail(), "similar names: list_directory"), result.detail());
    BOOST_TEST(result.attempts().empty());
    auto const [elsewhere, other] = co_await hub.on_server("memory").async_call("echo", {}, in_tuple);
    BOOST_TEST((elsewhere == error::tool_not_found), elsewhere.message());
    BOOST_TEST(contains(other.detail(), "'echo' on server 'memory'"), other.detail());
    auto const [unknown_server, none] = co_await hub.on_server("memry").async_call("read_graph", {}, in_tuple);
    BOOST_TEST((unknown_server == error::unknown_server), unknown_server.message());
    BOOST_TEST(contains(none.detail(), "similar names: memory"), none.detail());
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(three_servers, failed_tool_is_a_result)
{
    co_await opens(make());
    object const missing{{"path", files() + "/no such file"}}, outside{{"path", "/etc/passwd"}}, nonsense{{"a", "x"}};
    for (auto const& [tool, args] :
         {std::pair("read_text_file", missing), {"read_text_file", outside}, {"get-sum", nonsense}}) {
        auto const [ec, result] = co_await hub.async_call(tool, args, in_tuple);
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        BOOST_TEST(result.is_error());
        BOOST_TEST(!result.text().empty());
        BOOST_TEST(result.attempts().empty());
    }
    BOOST_TEST(hub.state().servers[0].failures == 0u);
    BOOST_TEST(hub.state().servers[1].failures == 0u);
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(three_servers, concurrent_calls_to_all_servers_receive_their_own_results)
{
    co_await opens(make());
    completions calls(executor, 90);
    for (std::size_t i = 0; i != 90; i += 3) {
        object const echo{{"message", std::to_string(i)}}, folder_args{{"path", files()}};
        hub.async_call("echo", echo, calls.handler(i));
        hub.async_call("list_directory", folder_args, calls.handler(i + 1));
        hub.async_call("read_graph", {}, calls.handler(i + 2));
    }
    co_await calls.wait();
    for (std::size_t i = 0; i != 90; ++i) {
        auto const& [times, ec, result] = calls.entries()[i];
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        if (i % 3 == 0)
            BOOST_TEST(result.text() == "Echo: " + std::to_string(i));
    }
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(one_server, progress_extends_a_call_beyond_its_idle_timeout)
{
    co_await opens(make());
    std::vector<linkspan::progress_update> updates;
    linkspan::call_options options;
    options.idle_timeout = 1500ms;
    options.on_progress = [&](linkspan::progress_update const& update) { updates.push_back(update); };
    object const args{{"duration", 2.5}, {"steps", 10}}; // progress every 250 ms
    linkspan::timer const clock(executor);
    auto const began = clock.now();
    auto const [ec, result] = co_await hub.async_call("trigger-long-running-operation", args, options, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST((clock.now() - began > *options.idle_timeout));
    BOOST_TEST(contains(result.text(), "Long running operation completed"), result.text());
    BOOST_TEST_REQUIRE(updates.size() == 10u);
    for (std::size_t i = 0; i != updates.size(); ++i) {
        BOOST_TEST(updates[i].progress == static_cast<double>(i + 1));
        BOOST_TEST((updates[i].total == 10.0));
    }
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(one_server, call_in_flight_can_be_cancelled)
{
    co_await opens(make());
    asio::cancellation_signal stop;
    linkspan::call_options options;
    unsigned updates = 0;
    options.on_progress = [&](linkspan::progress_update const&) {
        if (++updates == 1)
            stop.emit(asio::cancellation_type::terminal);
    };
    object const args{{"duration", 1000}, {"steps", 10'000}};
    completions call(executor, 1);
    hub.async_call("trigger-long-running-operation", args, options,
                   asio::bind_cancellation_slot(stop.slot(), call.handler(0)));
    co_await call.wait();
    auto const& [times, ec, result] = call.entries()[0];
    BOOST_TEST(times == 1u);
    BOOST_TEST((ec == asio::error::operation_aborted), ec.message());
    BOOST_TEST((only_attempt(result).result.certainty == certainty::unknown));
    BOOST_TEST(only_attempt(result).result.started);
    BOOST_TEST(hub.state().servers[0].in_flight == 0u);
    object const echo{{"message", "still there"}};
    BOOST_TEST(co_await text_of(hub, "echo", echo, "everything") == "Echo: still there");
    BOOST_TEST(updates == 1u);
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(one_server, call_completes_at_attempt_timeout_despite_progress)
{
    co_await opens(make());
    linkspan::call_options options;
    options.attempt_timeout = 500ms;
    object const args{{"duration", 1000}, {"steps", 10'000}};
    auto const [ec, result] = co_await hub.async_call("trigger-long-running-operation", args, options, in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.ec == error::attempt_timed_out));
    BOOST_TEST(only_attempt(result).result.started);
    object const echo{{"message", "still there"}};
    BOOST_TEST(co_await text_of(hub, "echo", echo, "everything") == "Echo: still there");
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(one_server, server_with_call_in_flight_exits_with_its_connector)
{
    {
        hub_type short_lived(executor);
        short_lived.add<stdio>("everything", patient("everything", {"stdio"}));
        co_await opens(short_lived);
        object const args{{"duration", 1000}, {"steps", 10}};
        short_lived.async_call("trigger-long-running-operation", args, [](error_code ec, linkspan::call_result const&) {
            BOOST_TEST((ec == asio::error::operation_aborted), ec.message());
        });
    }
    BOOST_TEST(!observe::has_children());
}

HARNESS_CASE(session_falls_back_to_the_handshake_and_remembers_the_era)
{
    linkspan::session session(executor, linkspan::via<stdio>(patient("everything", {"stdio"})));
    for (int i = 0; i != 2; ++i) {
        co_await opens(session);
        BOOST_TEST((session.protocol_version() == protocol_version::v2025_11_25));
        BOOST_TEST(session.server().name == "mcp-servers/everything");
        auto const [ping] = co_await session.async_ping(in_tuple);
        BOOST_TEST(!ping, ping.message());
        auto const [unknown, result] = co_await session.async_call_tool("no_such_tool", {}, in_tuple);
        BOOST_TEST(!unknown, linkspan::explain(unknown, result)); // these servers report an unknown tool as a result
        BOOST_TEST(result.is_error());
        BOOST_TEST(contains(result.text(), "-32602"), result.text());
        auto const [method, refusal] = co_await session.async_request("no/such", {}, in_tuple);
        BOOST_TEST((method == error_code(-32601, linkspan::rpc_category())), method.message());
        BOOST_TEST((only_attempt(refusal).result.certainty == certainty::refused));
        BOOST_TEST(session.counters().unexpected_output == 0u);
        BOOST_TEST(session.counters().malformed == 0u);
        co_await shuts_down(session);
        BOOST_TEST(!observe::has_children());
    }
}

BOOST_AUTO_TEST_SUITE_END()
