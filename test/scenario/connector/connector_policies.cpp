#include <linkspan/policy.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/deferred.hpp>

#include <memory>
#include <set>

#include "support/connector_case.hpp"
#include "support/dot_naming.hpp"

BOOST_AUTO_TEST_SUITE(connector_policies_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

using lines = std::shared_ptr<std::vector<std::string>>;

lines make_lines() { return std::make_shared<std::vector<std::string>>(); }

// Admits no calls to the servers in `closed`.
struct closed_admission {
    using role = admission_role;
    std::set<std::string, std::less<>> closed;

    bool admit(call_view const&, server_view const& server) const { return !closed.contains(server.key); }
};

struct recording_observer {
    using role = observer_role;
    lines log;

    void on_attempt(attempt_view const& view) const
    {
        log->push_back("attempt " + std::to_string(view.number) + " of " + std::string(view.call.tool) + " on " +
                       std::string(view.server.key) + ": " + std::string(to_string(view.result.certainty)));
    }
    void on_state(state_view const& view) const
    {
        log->push_back(std::string(view.server.key) + " is " + std::string(view.state));
    }
    void on_event(event_view const& view) const { log->push_back(std::string(view.name)); }
};

struct last_candidate {
    using role = routing_role;
    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) const
    {
        return candidates.back().id;
    }
};

struct recording_routing {
    using role = routing_role;
    lines log;
    std::optional<server_id> select(call_view const& call, std::span<server_view const> candidates) const
    {
        auto line = std::string(call.tool) + (call.targeted ? " targeted" : "");
        for (auto const& server : candidates) {
            (line += ' ') += server.key;
            for (auto const tag : server.tags)
                (line += '#') += tag;
        }
        log->push_back(line);
        return std::nullopt;
    }
};

struct refusing_budget {
    using role = budget_role;
    bool spend(server_id, std::uint32_t, time_point) const { return false; }
    void on_result(server_id, outcome const&, time_point) const {}
};

struct policy_world : world {
    scripted_server a, b;

    policy_world()
    {
        a.on(call("pay")).then(text("a"));
        b.on(call("pay")).then(text("b"));
    }

    template<class... Policies>
    using hub_with = connector<transports<inproc>, Policies...>;

    template<class Hub>
    void add_both(Hub& hub, std::optional<replay_class> replay = {})
    {
        hub.template add<inproc>("a", a, with(2, replay)).template add<inproc>("b", b, with(1, replay));
    }
};

bool has(lines const& log, std::string const& line) { return std::ranges::find(*log, line) != log->end(); }

} // namespace

LINKSPAN_CASE_IN(policy_world, server_rejected_by_admission_has_attempt_record)
{
    closed_admission door;
    door.closed = {"a"};
    hub_with<closed_admission> hub(executor, door);
    add_both(hub);
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.text() == "b");
    BOOST_TEST(trail_of(result) == "a not_sent, b completed");
    BOOST_TEST(result.attempts()[0].id == 0);
    auto const [ec, refused] = co_await hub.on_server("a").async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_eligible_server));
    BOOST_TEST(trail_of(refused) == "a not_sent");
}

LINKSPAN_CASE_IN(policy_world, observer_receives_attempts_states_and_events)
{
    auto const log = make_lines();
    hub_with<recording_observer> hub(executor, recording_observer{log});
    scripted_server bad;
    bad.on(call("pay")).then(rpc_error(-32600, "what?"));
    hub.add<inproc>("bad", bad, with(5)).add<inproc>("a", a, with(1));
    co_await hub.async_open();
    BOOST_TEST(has(log, "bad is opening"));
    BOOST_TEST(has(log, "bad is ready"));
    BOOST_TEST(has(log, "catalog_changed"));
    log->clear();
    auto const result = co_await hub.async_call("bad__pay", {}, in_tuple);
    auto const second = co_await hub.async_call("pay");
    BOOST_TEST(second.text() == "a");
    BOOST_TEST(*log == (std::vector<std::string>{"attempt 1 of pay on bad: refused", "attempt 1 of pay on bad: refused",
                                                 "attempt 2 of pay on a: completed"}),
               boost::test_tools::per_element());
    log->clear();
    bad.drop_connections();
    co_await settle(executor);
    BOOST_TEST(has(log, "bad is closed"));
}

LINKSPAN_CASE_IN(policy_world, custom_routing_selects_server)
{
    hub_with<last_candidate> hub(executor);
    add_both(hub);
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(result.server() == "b");
}

LINKSPAN_CASE_IN(policy_world, routing_receives_tags_and_target_and_may_select_no_server)
{
    auto const log = make_lines();
    hub_with<recording_routing> hub(executor, recording_routing{log});
    auto tagged = with(1);
    tagged.tags = {"fast", "local"};
    hub.add<inproc>("a", a, tagged).add<inproc>("b", b);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_eligible_server));
    auto const [targeted, ignored] = co_await hub.on_server("b").async_call("pay", {}, in_tuple);
    BOOST_TEST(*log == (std::vector<std::string>{"pay a#fast#local b", "pay targeted b"}),
               boost::test_tools::per_element());
    BOOST_TEST(a.received("tools/call") + b.received("tools/call") == 0u);
}

LINKSPAN_CASE_IN(policy_world, custom_naming_determines_exposed_names)
{
    hub_with<dot_naming> hub(executor);
    add_both(hub);
    co_await hub.async_open();
    auto const result = co_await hub.async_call("b.pay");
    BOOST_TEST(result.server() == "b");
    auto const [ec, ignored] = co_await hub.async_call("b__pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::tool_not_found));
}

LINKSPAN_CASE_IN(policy_world, empty_budget_stops_replays_but_not_failover_of_calls_that_were_not_sent)
{
    scripted_server lost;
    lost.on(call("pay")).then(drop_connection());
    hub_with<refusing_budget> hub(executor);
    hub.add<inproc>("lost", lost, with(9, replay_class::read_only));
    add_both(hub, replay_class::read_only);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::all_servers_failed));
    BOOST_TEST(trail_of(result) == "lost unknown");
    a.drop_connections();
    auto const elsewhere = co_await hub.async_call("pay");
    BOOST_TEST(elsewhere.text() == "b");
}

LINKSPAN_CASE_IN(policy_world, at_least_once_fallback_replays_unsafe_call)
{
    scripted_server lost;
    lost.on(call("pay")).then(drop_connection());
    hub_with<fallback::at_least_once> hub(executor);
    hub.add<inproc>("lost", lost, with(9));
    add_both(hub);
    co_await hub.async_open();
    auto const result = co_await hub.async_call("pay");
    BOOST_TEST(trail_of(result) == "lost unknown, a completed");
}

// Completion tokens

LINKSPAN_CASE_IN(policy_world, exception_of_failed_call_contains_attempt_records)
{
    scripted_server lost;
    lost.on(call("pay")).then(delay(2s), drop_connection());
    hub_type hub(executor);
    hub.add<inproc>("lost", lost, with(9)).add<inproc>("a", a);
    co_await hub.async_open(linkspan::throwing);
    auto const fine = co_await hub.async_call("a__pay", {}, linkspan::throwing);
    BOOST_TEST(fine.text() == "a");
    std::string what;
    std::size_t attempts = 0;
    try {
        co_await hub.async_call("pay", {}, linkspan::throwing);
    } catch (call_error const& e) {
        BOOST_TEST(e.code() == make_error_code(error::outcome_unknown));
        attempts = e.attempts().size();
        what = e.what();
    }
    BOOST_TEST(attempts == 1u);
    BOOST_TEST(contains(what, "1. lost (request "), what);
    BOOST_TEST(contains(what, "unknown"), what);
    BOOST_TEST(contains(what, "2000 ms"), what);
    try {
        what.clear();
        co_await hub.async_call("pai", {}, linkspan::throwing);
    } catch (boost::system::system_error const& e) {
        what = e.what();
    }
    BOOST_TEST(contains(what, "similar names: pay"), what);
    co_await hub.async_shutdown(linkspan::throwing);
}

LINKSPAN_CASE_IN(policy_world, call_accepts_each_completion_token)
{
    hub_type hub(executor);
    add_both(hub);
    auto report = co_await hub.async_open(asio::deferred);
    BOOST_TEST(report.failures() == 0u);
    auto later = hub.async_call("pay"); // the operation is not started until it is awaited
    co_await settle(executor);
    BOOST_TEST(a.received("tools/call") == 0u);
    auto const first = co_await std::move(later);
    BOOST_TEST(first.text() == "a");
    auto const second = co_await hub.async_call("pay", {}, asio::use_awaitable);
    BOOST_TEST(second.text() == "a");
    auto const [ec, third] = co_await hub.async_call("pay", {}, in_tuple);
    BOOST_TEST(third.text() == "a");
    completion_box box;
    hub.async_call("pay", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST(box.result.text() == "a");
    boost::json::object const args{{"amount", 3}};
    auto const fourth = co_await hub.async_call("pay", args);
    BOOST_TEST(fourth.text() == "a");
    BOOST_TEST(a.received(R"("arguments":{"amount":3})") == 1u);
    auto const fifth = co_await hub.async_call("pay", raw_json(R"({"amount":4})"));
    BOOST_TEST(fifth.text() == "a");
    BOOST_TEST(a.received(R"("arguments":{"amount":4})") == 1u);
}

LINKSPAN_CASE_IN(policy_world, removal_of_tools_from_catalog_is_reported_as_event)
{
    auto const log = make_lines();
    hub_with<recording_observer> hub(executor, recording_observer{log});
    add_both(hub);
    co_await hub.async_open();
    log->clear();
    co_await hub.async_disconnect("a");
    BOOST_TEST(std::ranges::count(*log, "catalog_changed") == 1);
    BOOST_TEST(hub.catalog()->tools().size() == 1u);
    log->clear();
    co_await hub.async_disconnect("a"); // the server has no tools in the catalog
    co_await hub.async_disconnect("unknown_server");
    BOOST_TEST(!has(log, "catalog_changed"));
}

BOOST_AUTO_TEST_SUITE_END()
