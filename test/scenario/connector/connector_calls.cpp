#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/throwing.hpp>

#include <algorithm>
#include <deque>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(connector_calls_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::call_options;
using linkspan::duration;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::replay_class;

namespace {

constexpr auto never = replay_class::never;
constexpr auto idempotent = replay_class::idempotent;
constexpr auto read_only = replay_class::read_only;
constexpr auto keyed = replay_class::keyed;

struct fallback_row {
    char const* what; // behaviour of server a; server b responds
    action does;
    replay_class replay;
    error_code ec; // of the call; success if server b or the second attempt on server a responded
    char const* trail;
    duration time{};
};

// Sends a response whose result is not an object.
action nonsense(scripted_server const& server)
{
    return [&server](exchange& on, std::function<void()> const&) {
        auto const id = std::string(linkspan::json_scan::member(server.received().back(), "id"));
        on.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":"nonsense"})");
    };
}

// Removes the tool from the server and responds that the tool is unknown.
action remove_and_refuse(scripted_server& server)
{
    return [&server](exchange& on, std::function<void()> const&) {
        server.remove_tool("pay");
        on.refuse(-32602, "Unknown tool: pay");
    };
}

std::vector<fallback_row> rows_for(scripted_server& a)
{
    error_code const lost = error::outcome_unknown;
    return {
        {"drops the connection", drop_connection(), never, lost, "a unknown"},
        {"drops the connection", drop_connection(), idempotent, {}, "a unknown, b completed"},
        {"drops the connection", drop_connection(), read_only, {}, "a unknown, b completed"},
        {"drops the connection", drop_connection(), keyed, lost, "a unknown"},
        {"hangs", hang(), never, lost, "a unknown", 30s},
        {"hangs", hang(), read_only, {}, "a unknown, b completed", 30s},
        {"sends a malformed response", nonsense(a), never, lost, "a unknown"},
        {"sends a malformed response", nonsense(a), read_only, {}, "a unknown, b completed"},
        {"has an internal error", rpc_error(-32603, "oops"), never, rpc(-32603), "a unknown"},
        {"has an internal error", rpc_error(-32603, "oops"), read_only, {}, "a unknown, b completed"},
        {"refuses the request as invalid", rpc_error(-32600, "what?"), never, {}, "a refused, b completed"},
        {"refuses the request as invalid", rpc_error(-32600, "what?"), read_only, {}, "a refused, b completed"},
        {"refuses the protocol version", rpc_error(-32022, "what?"), never, {}, "a refused, b completed"},
        {"does not know the method", rpc_error(-32601, "what?"), never, {}, "a refused, b completed"},
        {"has removed the tool", remove_and_refuse(a), never, {}, "a refused, b completed"},
        {"refuses the arguments", rpc_error(-32602, "no"), never, rpc(-32602), "a completed"},
        {"refuses the arguments", rpc_error(-32602, "no"), read_only, rpc(-32602), "a completed"},
        {"responds with a code of the server", rpc_error(-32000, "no"), read_only, rpc(-32000), "a completed"},
        {"responds with a code of the application", rpc_error(17, "no"), read_only, rpc(17), "a completed"},
    };
}

constexpr char const* schema = R"({"type":"object"})";

struct hint_row {
    char const* annotations;
    bool trusted;
    std::optional<replay_class> setting;
    bool replayed;
};

} // namespace

LINKSPAN_CASE_IN(hub_world, failover_depends_on_failure_and_replay_class)
{
    scripted_server model; // provides the number of rows only
    auto const count = rows_for(model).size();
    for (std::size_t i = 0; i != count; ++i) {
        scripted_server first, second;
        auto const row = rows_for(first)[i];
        first.on(call("pay")).then(row.does);
        second.on(call("pay")).then(text("b"));
        hub_type both(executor);
        both.add<inproc>("a", first, with(2, row.replay)).add<inproc>("b", second, with(1, row.replay));
        co_await both.async_open();
        auto const began = time.now();
        auto const [ec, result] = co_await both.async_call("pay", {}, in_tuple);
        auto const label = std::string(row.what) + ", " + std::string(to_string(row.replay));
        BOOST_TEST(ec == row.ec, label << ": " << ec.message());
        BOOST_TEST(trail_of(result) == row.trail, label << ": " << trail_of(result));
        BOOST_TEST(result.text() == (row.ec ? "" : "b"), label);
        BOOST_TEST((time.now() - began == row.time), label);
        BOOST_TEST(calls(first) == 1u, label);
        BOOST_TEST(calls(second) == (row.ec ? 0u : 1u), label);
    }
}

LINKSPAN_CASE_IN(hub_world, tool_error_is_returned_as_result_without_failover)
{
    a.on(call("pay")).then(tool_error("no money"));
    co_await make(read_only).async_open();
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(result.attempts().empty());
}

LINKSPAN_CASE_IN(hub_world, idempotent_call_is_retried_on_same_server_first)
{
    a.on(call("pay")).once(hang()).then(text("a"));
    b.on(call("pay")).then(text("b"));
    co_await make(idempotent).async_open();
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(trail_of(result) == "a unknown, a completed");
    BOOST_TEST((result.attempts()[0].id != result.attempts()[1].id)); // each attempt has a new id
}

LINKSPAN_CASE_IN(hub_world, call_that_fails_on_all_servers_has_trail_of_attempts)
{
    a.on(call("pay")).then(drop_connection());
    b.on(call("pay")).then(progress(1, 2), drop_connection());
    co_await make(read_only).async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST(trail_of(result) == "a unknown, b unknown");
    BOOST_TEST(!result.attempts()[0].result.started);
    BOOST_TEST(result.attempts()[1].result.started);
    BOOST_TEST(result.attempts()[1].id != 0);
    auto const [again, none] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(again == make_error_code(error::all_servers_failed));
    BOOST_TEST(trail_of(none) == "a not_sent, b not_sent");
    BOOST_TEST(none.attempts()[0].result.ec == make_error_code(error::not_connected));
}

LINKSPAN_CASE_IN(hub_world, error_message_of_server_is_in_trail)
{
    a.on(call("pay")).then(rpc_error(-32603, "database is down"));
    co_await make().async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(result.attempts()[0].detail == "database is down");
    BOOST_TEST(result.detail() == "database is down");
    BOOST_TEST(result.attempts()[0].result.has_response);
}

LINKSPAN_CASE_IN(hub_world, retries_on_one_server_are_separated_by_short_random_delay)
{
    a.on(call("pay")).times(3, rpc_error(-32603, "busy")).then(text("a"));
    co_await make(read_only, 1).async_open();
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(trail_of(result) == "a unknown, a unknown, a unknown, a completed");
    BOOST_TEST((since_start(time) > 0s));
    BOOST_TEST((since_start(time) <= 200ms + 400ms + 800ms));
}

LINKSPAN_CASE_IN(hub_world, call_completes_after_four_attempts)
{
    a.on(call("pay")).then(rpc_error(-32603, "busy"));
    co_await make(read_only, 1).async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed)); // indicates that repeating the call is safe
    BOOST_TEST((result.attempts().back().result.ec == rpc(-32603)));
    BOOST_TEST(result.attempts().size() == 4u);
    BOOST_TEST(calls(a) == 4u);
}

// Timeouts

LINKSPAN_CASE_IN(hub_world, timeout_of_call_covers_all_attempts)
{
    a.on(call("pay")).then(hang());
    b.on(call("pay")).then(hang());
    co_await make(read_only).async_open();
    call_options limits;
    limits.timeout = 40s;
    auto const [ec, result] = co_await hub->async_call("pay", {}, limits, in_tuple);
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST((since_start(time) == 40s));
    BOOST_TEST(trail_of(result) == "a unknown, b unknown");
}

LINKSPAN_CASE_IN(hub_world, unsafe_call_that_times_out_has_unknown_outcome)
{
    a.on(call("pay")).then(hang());
    co_await make(never).async_open();
    call_options limits;
    limits.timeout = 10s;
    auto const [ec, result] = co_await hub->async_call("pay", {}, limits, in_tuple);
    BOOST_TEST(ec == make_error_code(error::outcome_unknown));
    BOOST_TEST((since_start(time) == 10s));
    BOOST_TEST(result.attempts()[0].result.ec == make_error_code(error::deadline_exceeded));
}

LINKSPAN_CASE_IN(hub_world, call_completes_after_five_minutes_by_default)
{
    auto const slowly = [](exchange& on, std::function<void()> const& next) {
        on.progress(1, 2);
        on.wait(25s, next);
    };
    a.on(call("pay"))
        .then(slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly, slowly);
    co_await make(read_only, 1).async_open();
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded), ec.message());
    BOOST_TEST((since_start(time) == 300s));
}

// Objects of calls are reused with their memory.
LINKSPAN_CASE_IN(hub_world, options_of_a_call_do_not_affect_the_next_call)
{
    a.on(call("pay")).then(hang(), hang());
    co_await make(never, 1).async_open();
    call_options limits;
    limits.timeout = 10s;
    limits.meta = R"({"example.com/x":1})";
    co_await hub->async_call("pay", {}, limits, in_tuple);
    BOOST_TEST((since_start(time) == 10s));
    co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST((since_start(time) == 40s)); // the default of `idle_timeout` is 30 s
    auto const& messages = a.received();
    auto const with_meta = [](std::string const& message) { return message.find("example.com/x") != message.npos; };
    BOOST_TEST(std::ranges::count_if(messages, with_meta) == 1);
}

LINKSPAN_CASE_IN(hub_world, call_with_timeout_below_minimum_is_not_sent)
{
    a.on(call("pay")).then(text("a"));
    co_await make().async_open();
    call_options limits;
    limits.timeout = 49ms;
    auto const [ec, result] = co_await hub->async_call("pay", {}, limits, in_tuple);
    BOOST_TEST(ec == make_error_code(error::deadline_exceeded));
    BOOST_TEST(calls(a) == 0u);
}

// Replay class

LINKSPAN_CASE_IN(hub_world, annotations_decide_replay_only_if_operator_trusts_server)
{
    std::vector<hint_row> const rows{
        {R"({"readOnlyHint":true})", false, std::nullopt, false},
        {R"({"readOnlyHint":true})", true, std::nullopt, true},
        {R"({"idempotentHint":true,"destructiveHint":false})", true, std::nullopt, true},
        {R"({"idempotentHint":true,"destructiveHint":false})", false, std::nullopt, false},
        {R"({"idempotentHint":true,"destructiveHint":true})", true, std::nullopt, false},
        {R"({"idempotentHint":true})", true, std::nullopt, false}, // destructiveHint is true by default
        {R"({"idempotentHint":true})", true, idempotent, true},
        {R"({"destructiveHint":false,"openWorldHint":false})", true, std::nullopt, false},
        {"{}", true, std::nullopt, false},
        {R"({"readOnlyHint":true})", true, never, false},
        {R"({"readOnlyHint":false})", true, read_only, true},
        {"{}", false, idempotent, true},
    };
    for (auto const& row : rows) {
        scripted_server first, second;
        first.tool("pay", schema, nullptr, row.annotations).on(call("pay")).then(drop_connection());
        second.tool("pay", schema, nullptr, row.annotations).on(call("pay")).then(text("b"));
        auto options = with(1, row.setting);
        options.trust_annotations = row.trusted;
        hub_type both(executor);
        both.add<inproc>("a", first, options).add<inproc>("b", second, options);
        co_await both.async_open();
        auto const [ec, result] = co_await both.async_call("pay", {}, in_tuple);
        auto const label = std::string(row.annotations) + (row.trusted ? " trusted" : "");
        BOOST_TEST(ec == (row.replayed ? error_code() : make_error_code(error::outcome_unknown)), label);
        BOOST_TEST(calls(second) == (row.replayed ? 1u : 0u), label);
    }
}

LINKSPAN_CASE_IN(hub_world, destructive_idempotent_tool_is_retried_on_its_own_server)
{
    a.tool("pay", schema, nullptr, R"({"idempotentHint":true})").on(call("pay")).once(hang()).then(text("again"));
    b.tool("pay", schema, nullptr, R"({"idempotentHint":true})").on(call("pay")).then(text("b"));
    auto first = with(2), second = with(1);
    first.trust_annotations = second.trust_annotations = true;
    hub.emplace(executor);
    hub->add<inproc>("a", a, first).add<inproc>("b", b, second);
    co_await hub->async_open();
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(result.text() == "again");
    BOOST_TEST(calls(b) == 0u);
}

LINKSPAN_CASE_IN(hub_world, replay_class_of_one_server_does_not_apply_to_another)
{
    a.on(call("pay")).once(hang()).then(text("a"));
    b.on(call("pay")).then(text("b"));
    hub.emplace(executor);
    hub->add<inproc>("a", a, with(2, read_only)).add<inproc>("b", b, with(1));
    co_await hub->async_open();
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(trail_of(result) == "a unknown, a completed");
    BOOST_TEST(calls(b) == 0u);
}

LINKSPAN_CASE_IN(hub_world, server_lost_before_call_is_skipped)
{
    a.on(call("pay")).then(text("a"));
    b.on(call("pay")).then(text("b"));
    co_await make().async_open();
    a.drop_connections();
    auto const result = co_await hub->async_call("pay"); // the client has not yet detected the loss
    BOOST_TEST(result.text() == "b");
    auto const second = co_await hub->async_call("pay");
    BOOST_TEST(second.text() == "b");
    BOOST_TEST(second.attempts().empty());
}

LINKSPAN_CASE_IN(hub_world, calls_beyond_queue_of_server_are_sent_to_another)
{
    a.on(call("pay")).then(delay(1s), text("a"));
    b.on(call("pay")).then(delay(1s), text("b"));
    auto narrow = with(2);
    narrow.session.max_in_flight = 1;
    narrow.session.max_queued = 1;
    hub.emplace(executor);
    hub->add<inproc>("a", a, narrow).add<inproc>("b", b, with(1));
    co_await hub->async_open();
    std::deque<completion_box> boxes(5);
    for (auto& box : boxes)
        hub->async_call("pay", {}, box.handler());
    co_await pass(executor, 5s);
    std::string servers;
    for (auto const& box : boxes)
        (servers += box.result.server()) += ' ';
    BOOST_TEST(servers == "a a b b b ");
}

LINKSPAN_CASE_IN(hub_world, thousand_concurrent_calls_each_receive_their_own_result)
{
    a.tool("pay", schema, [](std::string_view args) {
        return R"("content":[{"type":"text","text":)" + std::string(linkspan::json_scan::member(args, "who")) + "}]";
    });
    a.on(call("pay")).then(delay(1s), [](exchange& on, std::function<void()> const&) {
        on.reply(R"("content":[{"type":"text","text":)" +
                 std::string(linkspan::json_scan::member(on.arguments(), "who")) + "}]");
    });
    co_await make(never, 1).async_open();
    std::deque<completion_box> boxes(1'000);
    for (std::size_t i = 0; i != boxes.size(); ++i) {
        boost::json::object const args{{"who", "caller " + std::to_string(i)}};
        hub->async_call("pay", args, boxes[i].handler());
    }
    co_await pass(executor, 4s); // 256 calls are in flight at a time
    co_await settle(executor);
    for (std::size_t i = 0; i != boxes.size(); ++i)
        if (boxes[i].count != 1 || boxes[i].result.text() != "caller " + std::to_string(i))
            BOOST_ERROR(i << ": " << boxes[i].ec.message() << ' ' << boxes[i].result.text());
    BOOST_TEST(hub->state().servers[0].calls == 1'000u);
    BOOST_TEST(hub->state().servers[0].failures == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
