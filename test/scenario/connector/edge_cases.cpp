// Tests of events that coincide: close and open, timeout and tools/list, response and cancellation.

#include <linkspan/connector.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"

BOOST_AUTO_TEST_SUITE(edge_cases_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;

LINKSPAN_CASE(timeout_of_call_applies_while_tools_are_refreshed)
{
    scripted_server server;
    server.on(request("tools/list")).pass(1).then(hang());
    server.on(call("greet")).then(text("hello"));
    hub_type hub(executor);
    hub.add<inproc>("a", server);
    co_await hub.async_open();
    linkspan::call_options short_timeout;
    short_timeout.timeout = 1s;
    auto const [ec, result] = co_await hub.async_call("gret", {}, short_timeout, in_tuple);
    BOOST_TEST((ec == error::deadline_exceeded), ec.what());
    BOOST_TEST((time.now() == linkspan::time_point(1s)));
    BOOST_TEST(result.detail() == "server 'a' did not list its tools within the timeout of the call, 1000 ms; raise "
                                  "call_options::timeout");
}

LINKSPAN_CASE(record_of_server_that_is_not_ready_in_time_names_the_server_and_the_timeout)
{
    scripted_server a, b;
    auto options = with(2, linkspan::replay_class::read_only);
    options.start = linkspan::start_mode::lazy;
    hub_type hub(executor);
    for (auto* const server : {&a, &b}) {
        server->on(request("server/discover")).then(hang());
        hub.add<inproc>(server == &a ? "a" : "b", *server, options);
        --options.priority;
    }
    co_await hub.async_open();
    linkspan::call_options short_timeout;
    short_timeout.timeout = 1s;
    auto const [ec, result] = co_await hub.async_call("pay", {}, short_timeout, in_tuple);
    BOOST_TEST((ec == error::deadline_exceeded), ec.what());
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    BOOST_TEST(result.attempts()[0].detail ==
               "server 'a' was not ready within attempt_share of the remaining time, 500 ms; raise "
               "call_options::attempt_share or timeout");
    BOOST_TEST(result.attempts()[1].detail ==
               "server 'b' was not ready within the timeout of the call, 1000 ms; raise call_options::timeout");
}

LINKSPAN_CASE(refused_call_keeps_error_response_if_tools_cannot_be_refreshed)
{
    scripted_server server;
    server.on(request("tools/list")).pass(1).then(hang());
    server.on(call("greet")).then(rpc_error(-32602, "wrong arguments"));
    hub_type hub(executor);
    hub.add<inproc>("a", server);
    co_await hub.async_open();
    linkspan::call_options short_timeout;
    short_timeout.timeout = 1s;
    auto const [ec, result] = co_await hub.async_call("greet", {}, short_timeout, in_tuple);
    BOOST_TEST((ec == error_code(-32602, linkspan::rpc_category())), ec.what());
}

LINKSPAN_CASE(session_can_be_reopened_in_turn_of_its_close)
{
    scripted_server server;
    server.on(call("greet")).then(text("hello"));
    linkspan::session session(executor, linkspan::via<inproc>(server));
    std::optional<error_code> first;
    session.async_open([&](error_code ec) { first = ec; });
    session.close();
    co_await session.async_open();
    BOOST_TEST((first == error_code(boost::asio::error::operation_aborted)));
    auto const result = co_await session.async_call_tool("greet");
    BOOST_TEST(result.text() == "hello");
}

LINKSPAN_CASE(connector_can_be_reopened_in_turn_of_its_close)
{
    scripted_server server;
    server.on(call("greet")).then(text("hello"));
    hub_type hub(executor);
    hub.add<inproc>("a", server);
    co_await hub.async_open();
    std::optional<error_code> lost;
    hub.async_call("greet", {}, [&](error_code ec, linkspan::call_result) { lost = ec; });
    hub.close();
    co_await hub.async_open();
    BOOST_TEST((lost == error_code(boost::asio::error::operation_aborted)));
    auto const result = co_await hub.async_call("greet");
    BOOST_TEST(result.text() == "hello");
}

LINKSPAN_CASE(second_shutdown_waits_for_first)
{
    scripted_server server;
    linkspan::session session(executor, linkspan::via<inproc>(server));
    co_await session.async_open();
    std::optional<error_code> first;
    session.async_shutdown([&](error_code ec) { first = ec; });
    auto const [second] = co_await session.async_shutdown(in_tuple);
    BOOST_TEST(!second, second.what());
    BOOST_TEST((first == error_code()));
}

LINKSPAN_CASE(call_that_refreshes_tools_is_aborted_if_connector_is_destroyed)
{
    scripted_server server;
    server.on(request("tools/list")).pass(1).then(hang());
    std::optional<error_code> ended;
    {
        hub_type hub(executor);
        hub.add<inproc>("a", server);
        co_await hub.async_open();
        hub.async_call("gret", {}, [&](error_code ec, linkspan::call_result) { ended = ec; });
    }
    time.run_for(0s);
    BOOST_TEST((ended == error_code(boost::asio::error::operation_aborted)));
}

LINKSPAN_CASE(request_cancelled_by_server_receives_no_response)
{
    scripted_server server({linkspan::protocol_version::v2025_11_25});
    std::optional<linkspan::responder> kept;
    linkspan::session session(executor, linkspan::via<inproc>(server));
    session.on_request("roots/list",
                       [&](std::string_view, linkspan::responder reply) { kept.emplace(std::move(reply)); });
    co_await session.async_open();
    server.broadcast(R"({"jsonrpc":"2.0","id":"r1","method":"roots/list"})");
    server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r1"}})");
    co_await session.async_ping();
    BOOST_TEST(!kept->is_awaited());
    (*kept)(linkspan::raw_json(R"({"roots":[]})"));
    co_await session.async_ping();
    BOOST_TEST(server.received(R"("result":{"roots")") == 0u);
}

LINKSPAN_CASE(responder_responds_only_to_its_own_request_even_if_ids_repeat)
{
    scripted_server server({linkspan::protocol_version::v2025_11_25});
    std::deque<linkspan::responder> kept;
    linkspan::session session(executor, linkspan::via<inproc>(server));
    session.on_request("roots/list",
                       [&](std::string_view, linkspan::responder reply) { kept.push_back(std::move(reply)); });
    co_await session.async_open();
    auto const request_line = R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})";
    server.broadcast(request_line);
    co_await session.async_ping();
    session.close();
    co_await session.async_open();
    server.broadcast(request_line);
    co_await session.async_ping();
    BOOST_TEST_REQUIRE(kept.size() == 2u);
    BOOST_TEST(!kept[0].is_awaited());
    BOOST_TEST(kept[1].is_awaited());
    kept[0](linkspan::raw_json(R"({"roots":["old"]})"));
    kept[1](linkspan::raw_json(R"({"roots":["new"]})"));
    co_await session.async_ping();
    BOOST_TEST(server.received(R"("roots":["old"])") == 0u);
    BOOST_TEST(server.received(R"("roots":["new"])") == 1u);
}

// Messages of the old connection must not be delivered to the new connection.
LINKSPAN_CASE(session_reopened_by_handler_discards_remaining_messages_of_read)
{
    scripted_server server({linkspan::protocol_version::v2025_11_25});
    server.on(call("greet"))
        .then(text("hello"), raw(R"({"jsonrpc":"2.0","id":7,"method":"ping"})"), raw("unexpected_output"));
    linkspan::session_options strict;
    strict.strict = true;
    strict.remembered = linkspan::era::handshake;
    linkspan::session session(executor, linkspan::via<inproc>(server), strict);
    co_await session.async_open();
    std::optional<error_code> reopened;
    session.async_call_tool("greet", {}, [&](error_code, linkspan::call_result) {
        session.close();
        session.async_open([&](error_code ec) { reopened = ec; });
    });
    co_await settle(executor);
    BOOST_TEST((reopened == error_code()));
    BOOST_TEST((session.state() == linkspan::session_state::ready));
    BOOST_TEST(server.received(R"("id":7)") == 0u);
    BOOST_TEST(session.counters().unexpected_output == 0u);
}

// The server sends requests without end and reads no responses.
LINKSPAN_CASE(unread_responses_are_limited)
{
    linkspan::memory_end server;
    linkspan::inproc_config flooding;
    flooding.connect = [&](auto const&, linkspan::memory_end const& end) {
        server = end;
        server.out->capacity(std::size_t{64} << 20);
        return error_code();
    };
    auto const say = [&](std::string_view line) {
        error_code ec;
        server.out->write_some(boost::asio::buffer(line), ec);
        BOOST_TEST(!ec);
    };
    linkspan::session_options options;
    options.remembered = linkspan::era::handshake;
    linkspan::session session(executor, linkspan::via<inproc>(flooding), options);
    bool opened = false;
    session.async_open([&](error_code ec) { opened = !ec; });
    co_await settle(executor);
    say("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}\n");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(opened);
    std::optional<error_code> ended;
    session.async_call_tool("any", {}, [&](error_code ec, linkspan::call_result) { ended = ec; });
    std::string const long_id(std::size_t{1} << 20, 'x');
    for (int i = 0; i != 63; ++i) {
        say(R"({"jsonrpc":"2.0","method":"ping","id":")" + long_id + "\"}\n");
        co_await settle(executor);
    }
    BOOST_TEST(!ended);
    for (int i = 0; i != 2; ++i)
        say(R"({"jsonrpc":"2.0","method":"ping","id":")" + long_id + "\"}\n");
    co_await settle(executor);
    BOOST_TEST((ended == error_code(boost::asio::error::no_buffer_space)));
    BOOST_TEST((ended == linkspan::condition::transport_failed));
    BOOST_TEST((session.state() == linkspan::session_state::closed));
}

// The number of requests of a server is unlimited as long as the server reads the responses.
LINKSPAN_CASE(responses_that_server_reads_are_not_limited)
{
    scripted_server server({linkspan::protocol_version::v2025_11_25});
    linkspan::session session(executor, linkspan::via<inproc>(server));
    co_await session.async_open();
    auto const ping = R"({"jsonrpc":"2.0","method":"ping","id":")" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    for (int i = 0; i != 70; ++i) {
        server.broadcast(ping);
        co_await settle(executor);
    }
    co_await session.async_ping();
    BOOST_TEST((session.state() == linkspan::session_state::ready));
}

// Messages of the old connection must not be delivered to the new connection if they are in one JSON-RPC batch either.
LINKSPAN_CASE(session_reopened_by_handler_discards_remaining_messages_of_json_rpc_batch)
{
    scripted_server server({linkspan::protocol_version::v2025_03_26});
    server.on(call("greet"))
        .then(raw(R"([{"jsonrpc":"2.0","id":3,"result":{"content":[]}},{"jsonrpc":"2.0","id":7,"method":"ping"},5])"));
    linkspan::session_options strict;
    strict.strict = true;
    linkspan::session session(executor, linkspan::via<inproc>(server), strict);
    co_await session.async_open();
    std::optional<error_code> completed, reopened;
    session.async_call_tool("greet", {}, [&](error_code ec, linkspan::call_result) {
        completed = ec;
        session.close();
        session.async_open([&](error_code failed) { reopened = failed; });
    });
    co_await settle(executor);
    BOOST_TEST((completed == error_code()));
    BOOST_TEST((reopened == error_code()));
    BOOST_TEST((session.state() == linkspan::session_state::ready));
    BOOST_TEST(server.received(R"("id":7)") == 0u);
}

LINKSPAN_CASE(second_concurrent_open_also_opens_servers_added_after_first)
{
    scripted_server a, b;
    a.on(request("server/discover")).then(delay(1s), rpc_error(-32601, "no"));
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    std::vector<std::size_t> lines;
    auto const count = [&](error_code, linkspan::open_report const& report) { lines.push_back(report.servers.size()); };
    hub.async_open(count);
    co_await pass(executor, 500ms);
    hub.add<inproc>("b", b);
    hub.async_open(count);
    co_await pass(executor, 1s);
    BOOST_TEST(lines == (std::vector<std::size_t>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(a.connections() == 1u);
    BOOST_TEST(b.connections() == 1u);
}

LINKSPAN_CASE(concurrent_opens_open_each_server_once)
{
    scripted_server a;
    a.on(request("server/discover")).then(delay(1s), rpc_error(-32601, "no"));
    hub_type hub(executor);
    hub.add<inproc>("a", a);
    std::vector<std::size_t> tools;
    for (int i = 0; i != 2; ++i)
        hub.async_open([&](error_code ec, linkspan::open_report const& report) {
            BOOST_TEST(!ec);
            BOOST_TEST(report.servers.size() == 1u);
            tools.push_back(report.servers.size());
        });
    co_await pass(executor, 500ms);
    BOOST_TEST(tools.empty());
    co_await pass(executor, 1s);
    BOOST_TEST(tools.size() == 2u);
    BOOST_TEST(a.connections() == 1u);
}

LINKSPAN_CASE(first_lines_that_are_not_json_are_reported_as_events)
{
    scripted_server server;
    server.on(call("greet")).then(raw("[INFO] greeting"), raw("{ debug }"), text("hello"));
    linkspan::test::event_lines const reported{"unexpected_output"};
    linkspan::connector<linkspan::transports<inproc>, linkspan::test::event_lines> hub(executor, reported);
    hub.add<inproc>("chatty", server);
    co_await hub.async_open();
    for (int i = 0; i != 4; ++i) {
        auto const result = co_await hub.async_call("greet");
        BOOST_TEST(result.text() == "hello");
    }
    BOOST_TEST(reported.all().size() == 5u);
    BOOST_TEST(reported.all()[0] == "chatty: [INFO] greeting");
    BOOST_TEST(reported.all()[1] == "chatty: { debug }");
    BOOST_TEST(hub.state().servers[0].unexpected_output == 8u);
}

LINKSPAN_CASE(line_that_is_not_json_ends_connection_in_strict_mode)
{
    for (auto const line : {"[INFO] ready", "{ debug }", "ready"}) {
        scripted_server server({linkspan::protocol_version::v2025_03_26});
        server.on(call("greet")).then(raw(line), text("hello"));
        linkspan::session_options strict;
        strict.strict = true;
        linkspan::session session(executor, linkspan::via<inproc>(server), strict);
        co_await session.async_open();
        auto const [ec, result] = co_await session.async_call_tool("greet", {}, in_tuple);
        BOOST_TEST((ec == error::not_json), ec.message());
        BOOST_TEST(session.counters().malformed == 0u);
    }
}

LINKSPAN_CASE(exposed_name_shared_by_two_tools_is_ambiguous)
{
    scripted_server a, b;
    a.on(call("b__c")).then(text("of a"));
    b.on(call("c")).then(text("of a__b"));
    hub_type hub(executor);
    hub.add<inproc>("a", a).add<inproc>("a__b", b);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("a__b__c", {}, in_tuple);
    BOOST_TEST((ec == error::ambiguous_tool), ec.what());
    BOOST_TEST(contains(result.detail(), "b__c on a, c on a__b"), result.detail());
    auto const exact = co_await hub.on_server("a__b").async_call("c");
    BOOST_TEST(exact.text() == "of a__b");
}

// Objects owned by handlers that are never invoked must be released; the sanitizers check this.
BOOST_AUTO_TEST_CASE(destroyed_context_releases_calls_in_every_phase)
{
    bool called = false;
    auto const on_call = [&](error_code, linkspan::call_result) { called = true; };
    {
        boost::asio::io_context context{1};
        auto& time = virtual_time::install(context);
        scripted_server server;
        server.on(request("tools/list")).pass(1).then(hang());
        server.on(call("slow")).then(hang());
        hub_type hub(context.get_executor());
        hub.add<inproc>("a", server);
        bool opened = false;
        hub.async_open([&](error_code, linkspan::open_report) { opened = true; });
        time.run_until([&] { return opened; });
        hub.async_call("slow", {}, on_call);    // in flight
        hub.async_call("unknown", {}, on_call); // refreshes the tools
        time.run_for(1s);
        hub.async_call("slow", {}, on_call); // not yet sent
        linkspan::session never_opened(context.get_executor(), linkspan::via<inproc>(server));
        never_opened.async_call_tool("slow", {}, on_call);
    }
    BOOST_TEST(!called);
}

BOOST_AUTO_TEST_SUITE_END()
