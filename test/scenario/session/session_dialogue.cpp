#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/notifications.hpp>

#include <deque>
#include <memory>

#include "support/contains.hpp"
#include "support/nested_escapes.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(session_dialogue_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::protocol_version;
using linkspan::responder;
using linkspan::session;
using linkspan::via;

namespace {

constexpr auto list_changed = "notifications/tools/list_changed";

// Returns the response to the n-th request of the server.
std::string response_to(scripted_server const& server, int request_number)
{
    auto const id = "\"id\":\"q" + std::to_string(request_number) + "\"";
    for (auto const& message : server.received())
        if (message.find(id) != message.npos)
            return message;
    return "none";
}

// A server of the handshake era whose tool "work" first sends a request.
struct server_request_world : session_world {
    server_request_world() { server.dialogue().protocol_versions = {protocol_version::v2025_11_25}; }

    void send_request_on_call(std::string method, std::string params = {})
    {
        server.on(call("work")).then(send_request(std::move(method), std::move(params)), text("done"));
    }
};

struct page {
    char const* cursor; // cursor of the request, as JSON; empty: none
    char const* result;
};

// Serves `tools/list` from the given pages.
void serve_pages(scripted_server& server, std::vector<page> pages)
{
    server.on(request("tools/list")).then([pages = std::move(pages)](exchange& on, std::function<void()> const& next) {
        auto const cursor = linkspan::json_scan::member(on.params(), "cursor");
        for (auto const& p : pages)
            if (cursor == p.cursor) {
                on.reply(p.result);
                return next();
            }
        on.refuse(-32602, "bad cursor");
    });
}

// Returns a server of the tools a, b, c and d. One page of its list has a fault.
std::unique_ptr<scripted_server> server_of_faulty_page(fault_kind kind, std::size_t page_size, std::size_t nth)
{
    auto out = std::make_unique<scripted_server>();
    for (auto const* name : {"a", "b", "c", "d"})
        out->tool(name, "{}", nullptr);
    out->page_size(page_size);
    out->on(request("tools/list")).pass(nth - 1).once(fault(kind), default_response());
    return out;
}

// Returns the names of the listed tools, each followed by a space.
std::string names_of(linkspan::tool_list const& list)
{
    std::string out;
    for (auto const& tool : list.tools)
        out += std::string(tool.name) + ' ';
    return out;
}

} // namespace

// Requests of the server

LINKSPAN_CASE_IN(server_request_world, ping_of_server_receives_response_during_call)
{
    send_request_on_call("ping");
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(response_to(server, 1) == R"({"jsonrpc":"2.0","id":"q1","result":{}})");
    BOOST_TEST((since_start(time) == 0s));
}

LINKSPAN_CASE_IN(server_request_world, request_of_server_without_handler_is_refused)
{
    send_request_on_call("sampling/createMessage", R"({"messages":[]})");
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(contains(response_to(server, 1), R"("code":-32601)"), response_to(server, 1));
}

LINKSPAN_CASE_IN(server_request_world, handler_responds_to_request_of_server)
{
    send_request_on_call("roots/list", R"({"a":1})");
    std::string seen;
    make().on_request("roots/list", [&](std::string_view params, responder respond) {
        seen = params;
        BOOST_TEST(respond.is_awaited());
        boost::json::object const roots{{"roots", boost::json::array()}};
        respond(roots);
    });
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(seen == R"({"a":1})");
    BOOST_TEST(contains(response_to(server, 1), R"("result":{"roots":[]})"), response_to(server, 1));
}

LINKSPAN_CASE_IN(server_request_world, handler_may_respond_later)
{
    send_request_on_call("roots/list");
    std::optional<responder> kept;
    make().on_request("roots/list", [&](std::string_view, responder respond) { kept.emplace(std::move(respond)); });
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await pass(executor, 10s);
    BOOST_TEST(box.count == 0u);
    BOOST_TEST_REQUIRE(kept.has_value());
    kept->refuse(-1, "the user said no");
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "done");
    BOOST_TEST(!kept->is_awaited());
    BOOST_TEST(contains(response_to(server, 1), "the user said no"));
}

LINKSPAN_CASE_IN(server_request_world, number_of_outstanding_server_requests_is_limited)
{
    std::vector<responder> kept;
    make().on_request("roots/list", [&](std::string_view, responder respond) { kept.push_back(std::move(respond)); });
    co_await client->async_open();
    for (int i = 1; i <= 1'001; ++i)
        server.broadcast(R"({"jsonrpc":"2.0","id":"q)" + std::to_string(i) + R"(","method":"roots/list"})");
    co_await settle(executor);
    BOOST_TEST(kept.size() == 1'000u);
    BOOST_TEST(contains(response_to(server, 1'001), R"("code":-32603)"), response_to(server, 1'001));
    kept.clear();
    server.broadcast(R"({"jsonrpc":"2.0","id":"q2000","method":"roots/list"})");
    co_await settle(executor);
    BOOST_TEST(kept.size() == 1u);
    kept.clear();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_request_world, request_of_server_with_an_id_that_is_not_json_receives_no_response)
{
    make().on_request("roots/list", [](std::string_view, responder respond) { respond(linkspan::raw_json("{}")); });
    co_await client->async_open();
    co_await settle(executor);
    auto const received = server.received().size();
    std::vector<std::string> const ids{R"("\q")", "\"\x01\"", "\"\xff\"", R"("\u12")"};
    for (auto const& id : ids)
        server.broadcast(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"roots/list"})");
    co_await settle(executor);
    BOOST_TEST(server.received().size() == received);
    BOOST_TEST(client->counters().malformed == ids.size());
    server.broadcast(R"({"jsonrpc":"2.0","id":"\u0061","method":"roots/list"})");
    co_await settle(executor);
    BOOST_TEST(contains(server.received().back(), R"("id":"\u0061","result":{})"), server.received().back());
}

LINKSPAN_CASE_IN(server_request_world, progress_of_a_request_whose_token_is_not_json_is_not_sent)
{
    make().on_request("roots/list", [](std::string_view, responder respond) {
        respond.report_progress({1, {}, {}});
        respond(linkspan::raw_json("{}"));
    });
    co_await client->async_open();
    std::vector<std::string> const tokens{R"("\q")", "\"\xff\"", R"("t")"};
    for (auto const& token : tokens)
        server.broadcast(R"({"jsonrpc":"2.0","id":"a","method":"roots/list","params":{"_meta":{"progressToken":)" +
                         token + "}}}");
    co_await settle(executor);
    BOOST_TEST(server.received(R"("id":"a","result":{})") == tokens.size());
    BOOST_TEST(server.received("notifications/progress") == 1u);
    BOOST_TEST(server.received(R"("progressToken":"t")") == 1u);
}

LINKSPAN_CASE_IN(server_request_world, dropped_responder_sends_internal_error)
{
    send_request_on_call("roots/list");
    make().on_request("roots/list", [](std::string_view, responder) {});
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(contains(response_to(server, 1), R"("code":-32603)"), response_to(server, 1));
}

LINKSPAN_CASE_IN(server_request_world, responder_may_outlive_its_session)
{
    send_request_on_call("roots/list");
    std::optional<responder> kept;
    make().on_request("roots/list", [&](std::string_view, responder respond) { kept.emplace(std::move(respond)); });
    co_await client->async_open();
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(kept.has_value());
    client.reset();
    BOOST_TEST(!kept->is_awaited());
    (*kept)(linkspan::raw_json("{}"));
    kept.reset();
    co_await settle(executor);
    BOOST_TEST(box.ec == error_code(boost::asio::error::operation_aborted));
}

LINKSPAN_CASE_IN(server_request_world, server_can_cancel_its_request)
{
    server.on(call("work"))
        .then(raw(R"({"jsonrpc":"2.0","id":"x","method":"roots/list"})"), delay(1s),
              notify("notifications/cancelled", R"({"requestId":"x"})"), delay(1s), text("done"));
    std::optional<responder> kept;
    make().on_request("roots/list", [&](std::string_view, responder respond) { kept.emplace(std::move(respond)); });
    co_await client->async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST_REQUIRE(kept.has_value());
    BOOST_TEST(!kept->is_awaited());
    BOOST_TEST(result.text() == "done");
}

// Notifications

LINKSPAN_CASE(list_changed_is_received_in_each_era)
{
    for (auto const& row : linkspan::protocol_versions) {
        scripted_server server({row.id});
        session client(executor, via<inproc>(server));
        std::size_t notifications = 0;
        client.on_notification(list_changed, [&](std::string_view) { ++notifications; });
        co_await client.async_open();
        co_await settle(executor);
        bool const stateless = row.era == linkspan::era::stateless;
        BOOST_TEST(server.received("subscriptions/listen") == (stateless ? 1u : 0u), row.text);
        BOOST_TEST(server.received(R"("toolsListChanged":true)") == (stateless ? 1u : 0u), row.text);
        server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
        co_await settle(executor);
        BOOST_TEST(notifications == 1u, row.text);
    }
}

LINKSPAN_CASE(notification_with_escaped_names_is_received)
{
    scripted_server server({protocol_version::v2025_11_25});
    session client(executor, via<inproc>(server));
    std::string uri;
    linkspan::on_resource_updated(client, [&](std::string_view from) { uri = from; });
    co_await client.async_open();
    server.broadcast(
        R"({"jsonrpc":"2.0","method":"notifications\/resources\/updated","params":{"uri":"file:\/\/\/a"}})");
    co_await settle(executor);
    BOOST_TEST(uri == "file:///a");
    server.broadcast(message_with_nested_escapes(100'000));
    co_await settle(executor);
    BOOST_TEST(client.counters().malformed == 1u);
    BOOST_TEST((client.state() == linkspan::session_state::ready));
}

LINKSPAN_CASE(subscription_requires_handler_and_server_capability)
{
    for (bool const handled : {true, false}) {
        scripted_server server({protocol_version::v2026_07_28});
        if (handled)
            server.dialogue().capabilities = R"({"tools":{}})";
        session client(executor, via<inproc>(server));
        if (handled)
            client.on_notification(list_changed, [](std::string_view) {});
        co_await client.async_open();
        co_await settle(executor);
        BOOST_TEST(server.received("subscriptions/listen") == 0u);
    }
}

LINKSPAN_CASE_IN(session_world, subscription_uses_no_slot_and_does_not_time_out)
{
    options.max_in_flight = 1;
    server.on(call("greet")).then(text("hello"));
    std::size_t notifications = 0;
    make().on_notification(list_changed, [&](std::string_view) { ++notifications; });
    co_await client->async_open();
    co_await pass(executor, 2h);
    server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}})");
    auto const result = co_await client->async_call_tool("greet");
    BOOST_TEST(result.text() == "hello");
    BOOST_TEST(notifications == 1u);
    BOOST_TEST(server.received("notifications/cancelled") == 0u);
}

// Tool lists

LINKSPAN_CASE(tool_list_is_read_with_all_pages)
{
    for (auto const& row : linkspan::protocol_versions) {
        scripted_server server({row.id});
        for (int i = 0; i != 7; ++i)
            server.tool("tool" + std::to_string(i), "{}", nullptr);
        server.page_size(3);
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        auto const list = co_await client.async_list_tools();
        BOOST_TEST_REQUIRE(list.tools.size() == 7u);
        for (std::size_t i = 0; i != 7; ++i)
            BOOST_TEST(list.tools[i].name == "tool" + std::to_string(i));
        BOOST_TEST(server.received("tools/list") == 3u);
    }
}

LINKSPAN_CASE_IN(session_world, empty_cursor_is_a_valid_cursor)
{
    serve_pages(server, {{"", R"("tools":[{"name":"a"}],"nextCursor":"")"},
                         {R"("")", R"("tools":[{"name":"b"}],"nextCursor":null)"}});
    co_await make().async_open();
    auto const list = co_await client->async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 2u);
    BOOST_TEST(list.tools[1].name == "b");
}

LINKSPAN_CASE_IN(session_world, repeated_cursor_fails_list)
{
    serve_pages(server, {{"", R"("tools":[],"nextCursor":"x")"},
                         {R"("x")", R"("tools":[],"nextCursor":"y")"},
                         {R"("y")", R"("tools":[],"nextCursor":"x")"}});
    co_await make().async_open();
    auto const [ec, list] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(ec == make_error_code(error::repeated_cursor));
    BOOST_TEST(list.tools.empty());
    BOOST_TEST(server.received("tools/list") == 3u);
}

// Each fault of pages occurs once. `nth`: number of the page with the fault.

LINKSPAN_CASE(endless_list_fails_at_repeated_cursor)
{
    for (std::size_t nth : {1U, 2U}) {
        auto const server = server_of_faulty_page(fault_kind::cursor_loop, 2, nth);
        session client(executor, via<inproc>(*server));
        co_await client.async_open();
        auto const [ec, list] = co_await client.async_list_tools(in_tuple);
        BOOST_TEST(ec == make_error_code(error::repeated_cursor));
        BOOST_TEST(server->received("tools/list") == nth + 1);
    }
}

LINKSPAN_CASE(tools_of_empty_page_are_on_the_next_page)
{
    for (std::size_t page_size : {0U, 2U})
        for (std::size_t nth = 1; nth <= (page_size == 0 ? 1U : 2U); ++nth) {
            auto const server = server_of_faulty_page(fault_kind::empty_page, page_size, nth);
            session client(executor, via<inproc>(*server));
            co_await client.async_open();
            auto const list = co_await client.async_list_tools();
            BOOST_TEST(names_of(list) == "a b c d ");
        }
}

LINKSPAN_CASE(list_that_changes_between_pages_lacks_tool_until_it_is_requested_again)
{
    struct row {
        std::size_t page_size, nth;
        std::string names;
    };
    for (auto const& [page_size, nth, names] :
         {row{0, 1, "b c d d "}, row{2, 1, "b b c d "}, row{2, 2, "a b d d "}, row{3, 2, "a b c d "}}) {
        auto const server = server_of_faulty_page(fault_kind::page_drift, page_size, nth);
        session client(executor, via<inproc>(*server));
        std::size_t notifications = 0;
        client.on_notification(list_changed, [&](std::string_view) { ++notifications; });
        co_await client.async_open();
        auto const first = co_await client.async_list_tools();
        BOOST_TEST(names_of(first) == names);
        BOOST_TEST(notifications == 1u);
        auto const second = co_await client.async_list_tools();
        BOOST_TEST(names_of(second) == "a b c d ");
    }
}

LINKSPAN_CASE_IN(session_world, changes_between_pages_keep_errors_and_cursors_of_rules)
{
    server.on(request("tools/list"))
        .once(fault(fault_kind::page_drift), rpc_error(-32000, "busy"))
        .once(fault(fault_kind::page_drift), result(R"("tools":[{"name":"a"},{"name":"b"}],"nextCursor":"opaque")"))
        .then(result(R"("tools":[{"name":"c"}])"));
    co_await make().async_open();
    auto const [ec, none] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST((ec == linkspan::condition::error_response));
    auto const list = co_await client->async_list_tools();
    BOOST_TEST(names_of(list) == "b c ");
}

LINKSPAN_CASE_IN(session_world, number_of_pages_and_tools_is_limited)
{
    for (int i = 0; i != 6; ++i)
        server.tool("tool" + std::to_string(i), "{}", nullptr);
    server.page_size(2);
    options.max_pages = 2;
    co_await make().async_open();
    auto const [pages, none] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(pages == make_error_code(error::list_too_long));
    BOOST_TEST(none.tools.empty());
    options.max_pages = 3;
    options.max_tools = 6;
    co_await make().async_open();
    auto const list = co_await client->async_list_tools();
    BOOST_TEST(list.tools.size() == 6u);
    options.max_tools = 5;
    co_await make().async_open();
    auto const [tools, none_too] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(tools == make_error_code(error::list_too_long));
    BOOST_TEST(none_too.tools.empty());
}

LINKSPAN_CASE_IN(session_world, malformed_page_fails_list)
{
    serve_pages(server, {{"", R"("tools":7)"}});
    co_await make().async_open();
    auto const [ec, list] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(ec == make_error_code(error::malformed_message));
}

LINKSPAN_CASE_IN(session_world, error_on_later_page_fails_list)
{
    serve_pages(server, {{"", R"("tools":[{"name":"a"}],"nextCursor":"broken")"}});
    co_await make().async_open();
    auto const [ec, list] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(ec == error_code(-32602, linkspan::rpc_category()));
    BOOST_TEST(list.tools.empty());
}

// Malformed messages

LINKSPAN_CASE(batch_is_accepted_only_in_protocol_version_2025_03_26)
{
    for (auto const& row : linkspan::protocol_versions) {
        scripted_server server({row.id});
        server.on(call("work")).then(hang());
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        completion_box first, second;
        client.async_call_tool("work", {}, first.handler());
        client.async_call_tool("work", {}, second.handler());
        co_await settle(executor);
        auto const id = row.id == protocol_version::v2026_07_28 ? 2 : 3; // the first id after the opening
        auto const one = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})";
        auto const two = R"({"jsonrpc":"2.0","id":)" + std::to_string(id + 1) + R"(,"result":{}})";
        server.broadcast("[" + two + "," + one + R"(,{"jsonrpc":"2.0","method":"notifications/x"}])");
        co_await settle(executor);
        bool const batches = row.id == protocol_version::v2025_03_26;
        BOOST_TEST(first.count == (batches ? 1u : 0u), row.text);
        BOOST_TEST(second.count == (batches ? 1u : 0u), row.text);
        BOOST_TEST(client.counters().malformed == (batches ? 0u : 1u), row.text);
        client.close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(session_world, malformed_response_fails_only_its_call)
{
    server.on(call("good")).then(delay(1s), text("hello"));
    server.on(call("bad")).then(hang());
    co_await make().async_open();
    for (std::string const body : {R"("result":[1,2,3])", R"("result":{},"error":{"code":1,"message":"both"})",
                                   R"("error":"text")", R"("result":{"resultType":"unheard_of"})"}) {
        completion_box good, bad;
        client->async_call_tool("bad", {}, bad.handler());
        client->async_call_tool("good", {}, good.handler());
        co_await settle(executor);
        auto const sent = server.received()[server.received().size() - 2];
        auto const id = std::string(linkspan::json_scan::member(sent, "id"));
        server.broadcast(R"({"jsonrpc":"2.0","id":)" + id + "," + body + "}");
        co_await settle(executor);
        BOOST_TEST(bad.ec == make_error_code(error::malformed_message), body << ": " << bad.ec.message());
        BOOST_TEST((bad.delivery() == certainty::unknown));
        BOOST_TEST_REQUIRE(!bad.result.attempts().empty());
        BOOST_TEST(contains(bad.result.attempts()[0].detail, body.substr(0, 12)), bad.result.attempts()[0].detail);
        co_await pass(executor, 2s);
        BOOST_TEST(good.result.text() == "hello", body);
    }
    BOOST_TEST(client->counters().malformed == 4u);
}

LINKSPAN_CASE_IN(session_world, lines_that_are_not_json_are_counted)
{
    server.on(call("work")).then(raw("Listening on port 80"), raw("ready."), text("done"));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(client->counters().unexpected_output == 2u);
    BOOST_TEST(client->counters().first_unexpected_output == "Listening on port 80");
}

LINKSPAN_CASE_IN(session_world, line_that_is_not_json_ends_strict_session)
{
    options.strict = true;
    server.on(call("work")).then(raw("Listening on port 80"), text("done"));
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_json));
    BOOST_TEST((result.attempts()[0].result.certainty == certainty::unknown));
    BOOST_TEST((client->state() == linkspan::session_state::closed));
}

LINKSPAN_CASE_IN(session_world, lines_may_end_with_carriage_return)
{
    server.line_suffix("\r");
    server.on(call("work")).then(text("done"));
    co_await make().async_open();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
}

LINKSPAN_CASE(request_of_stateless_server_is_refused_and_counted)
{
    scripted_server server({protocol_version::v2026_07_28});
    server.on(call("work"))
        .then(raw(R"({"jsonrpc":"2.0","id":"x","method":"ping"})"),
              raw(R"({"jsonrpc":"2.0","id":"y","method":"roots/list"})"), text("done"));
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    auto const result = co_await client.async_call_tool("work");
    co_await settle(executor);
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(server.received(R"("id":"x","result":{"resultType":"complete"})") == 1u);
    BOOST_TEST(server.received(R"("id":"y","error":{"code":-32601)") == 1u);
    BOOST_TEST(client.counters().malformed == 2u);
}

LINKSPAN_CASE(ping_succeeds_on_any_response)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        scripted_server server({version});
        bool const stateless = version == protocol_version::v2026_07_28;
        server.on(request(stateless ? "server/discover" : "ping"))
            .pass(stateless ? 2 : 1)
            .once(rpc_error(-32601, "what?"))
            .then(hang());
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        auto const [ping_ec] = co_await client.async_ping(in_tuple);
        BOOST_TEST(!ping_ec);
        auto const [refused] = co_await client.async_ping(in_tuple);
        BOOST_TEST(!refused, refused.message());
        auto const [silent] = co_await client.async_ping(in_tuple);
        BOOST_TEST(silent == make_error_code(error::attempt_timed_out));
    }
}

BOOST_AUTO_TEST_SUITE_END()
