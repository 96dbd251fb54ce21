#include <linkspan/connector/detail/call_routing.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "support/add_server.hpp"
#include "support/failing_allocations.hpp"
#include "support/scripted_policies.hpp"

BOOST_AUTO_TEST_SUITE(call_routing_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::call_flow;
using detail::call_routing;
using detail::connector_core;
using detail::server_entry;
using kind = call_flow::action::kind;

namespace {

constexpr time_point begin{1000s};

// A call of the tool "read", whose servers have not listed their tools.
struct fixture {
    std::shared_ptr<server_entry> add(std::string key) { return test::add_server(*core, std::move(key)); }

    void look_up() { routing.candidates().resolve_among_unknown({"read", {}, nullptr, false}, core->servers()); }

    static call_view at(time_point now)
    {
        call_view out;
        out.tool = "read";
        out.deadline = begin + 10s;
        out.now = now;
        return out;
    }

    // Starts the call as call_runner does.
    call_flow::action start(time_point now = begin)
    {
        if (auto const only = routing.start_alone(*core, now, at(now).deadline))
            return {kind::attempt, *only, {}, {}, false, false};
        return routing.start(*core, at(now));
    }

    call_flow::action fail(certainty delivery) { return routing.on_outcome(*core, failed(delivery), at(begin), 1); }

    // Begins the attempt that an action requires.
    bool attempt(call_flow::action const& next)
    {
        BOOST_TEST((next.what == kind::attempt));
        return routing.begin_attempt(*core, next.server, next.last_resort);
    }

    duration time_of_attempt(certainty at_timeout, std::optional<double> share, duration left = 10s)
    {
        return routing.time_of_attempt(*core, at_timeout, share, begin, left);
    }

    static outcome failed(certainty delivery)
    {
        outcome out;
        out.certainty = delivery;
        out.ec = error::attempt_timed_out;
        return out;
    }

    explicit fixture(bool decides_alone = false) : policies(new test::scripted_policies)
    {
        policies->decides_alone = decides_alone;
        core = std::make_shared<connector_core>(context.get_executor(), std::unique_ptr<policy_table>(policies));
    }

    boost::asio::io_context context;
    test::scripted_policies* policies; // owned by `core`
    std::shared_ptr<connector_core> core;
    detail::attempt_trail trail;
    call_routing routing;
};

} // namespace

BOOST_AUTO_TEST_CASE(share_of_the_remaining_time_is_at_least_the_minimum_of_an_attempt)
{
    BOOST_TEST((detail::share_of(10s, 0.5) == 5s));
    BOOST_TEST((detail::share_of(10s, 0.25) == 2500ms));
    BOOST_TEST((detail::share_of(10s, 0) == call_flow::min_attempt));
    BOOST_TEST((detail::share_of(10s, -1) == call_flow::min_attempt));
    BOOST_TEST((detail::share_of(0s, 0.5) == call_flow::min_attempt));
}

BOOST_FIXTURE_TEST_CASE(attempts_use_the_candidates_in_turn, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    look_up();
    auto next = start();
    BOOST_TEST((next.server == a->id));
    BOOST_TEST(!routing.server());
    BOOST_TEST(attempt(next));
    BOOST_TEST(routing.server() == a);
    BOOST_TEST(!routing.is_repeated());
    next = fail(certainty::not_sent);
    BOOST_TEST((next.server == b->id));
    BOOST_TEST(attempt(next));
    policies->verdicts = [](attempt_view const&) { return verdict::give_up(); };
    BOOST_TEST((fail(certainty::not_sent).what == kind::finish));
}

// Without the policies, the first attempt of a call with one candidate begins as with them.
BOOST_AUTO_TEST_CASE(call_with_one_candidate_has_the_same_actions_without_invoking_the_policies)
{
    struct way {
        bool decides_alone;
        call_flow::action first, second;
        duration share;
        std::size_t selections;
    };
    // Selects as `by_priority` without an affinity, and as `sticky` with one.
    auto const route = [](bool decides_alone, unsigned state, std::string_view affinity) {
        bool const is_tripped = state & 1, is_throttled = state & 2, is_excluded = state & 4, is_late = state & 8;
        bool const is_removed = state & 16, is_in_use = state & 32, is_down = state & 64, has_other = state & 128;
        fixture of(decides_alone);
        if (!affinity.empty())
            of.policies->choices = [affinity](std::span<server_view const> candidates) {
                call_view call;
                call.affinity = affinity;
                return routing::sticky<>().select(call, candidates);
            };
        auto const server = of.add("a");
        if (has_other)
            of.add("b");
        of.look_up();
        of.policies->state = is_tripped ? health_state::tripped : health_state::unhealthy;
        if (is_throttled)
            server->throttled_until = begin + 1s;
        if (is_excluded)
            of.routing.candidates().on_rejected_arguments(server->id, *of.core->catalog_now());
        if (is_removed)
            of.core->servers().remove(server);
        if (is_down) {
            server->life.on_closing();
            static_cast<void>(server->life.on_closed(server_state::closed));
        }
        server->last_resort_in_use = is_in_use;
        auto const now = is_late ? begin + 10s - call_flow::min_attempt + 1ns : begin;
        way out{decides_alone, of.start(now), {}, {}, of.policies->selections};
        if (out.first.what == kind::attempt && of.attempt(out.first)) {
            out.share = of.time_of_attempt(certainty::unknown, 0.5);
            out.second = of.routing.on_outcome(*of.core, fixture::failed(certainty::unknown), fixture::at(now), 1);
        }
        return out;
    };
    auto const is_equal = [](call_flow::action const& a, call_flow::action const& b) {
        return a.what == b.what && a.server == b.server && a.wait == b.wait && a.ec == b.ec &&
               a.last_response == b.last_response && a.last_resort == b.last_resort;
    };
    for (std::string_view const affinity : {"", "user-17"}) {
        std::size_t skipped = 0;
        for (unsigned state = 0; state != 256; ++state) {
            auto const with = route(false, state, affinity), without = route(true, state, affinity);
            BOOST_TEST_CONTEXT("state " << state << ", affinity '" << affinity << "'") {
                BOOST_TEST(is_equal(with.first, without.first));
                BOOST_TEST(is_equal(with.second, without.second));
                BOOST_TEST((with.share == without.share));
                BOOST_TEST(without.selections <= with.selections);
            }
            skipped += with.selections - without.selections;
        }
        BOOST_TEST(skipped == 2); // one available server, with and without `last_resort_in_use`
    }
}

BOOST_FIXTURE_TEST_CASE(wait_is_followed_by_an_attempt, fixture)
{
    auto const a = add("a");
    policies->verdicts = [](attempt_view const&) { return verdict::retry_same(2s); };
    look_up();
    BOOST_TEST(attempt(start()));
    auto next = fail(certainty::refused);
    BOOST_REQUIRE((next.what == kind::wait));
    BOOST_TEST((next.wait == 2s));
    next = routing.on_waited(*core, at(begin + 2s));
    BOOST_TEST(attempt(next));
    BOOST_TEST(routing.server() == a);
    BOOST_TEST(routing.is_repeated());
}

BOOST_FIXTURE_TEST_CASE(attempt_on_a_removed_server_does_not_begin, fixture)
{
    auto const a = add("a");
    core->servers().remove(a);
    BOOST_TEST(!routing.begin_attempt(*core, a->id, true));
    BOOST_TEST(!routing.server());
    BOOST_TEST(!a->last_resort_in_use);
    routing.end_attempt();
}

BOOST_FIXTURE_TEST_CASE(last_resort_is_used_by_one_call_until_the_end_of_the_attempt, fixture)
{
    auto const a = add("a");
    look_up();
    start();
    BOOST_TEST(routing.begin_attempt(*core, a->id, true));
    BOOST_TEST(a->last_resort_in_use);
    fail(certainty::not_sent);
    BOOST_TEST(!a->last_resort_in_use);
    BOOST_TEST(routing.begin_attempt(*core, a->id, true));
    routing.end_attempt();
    BOOST_TEST(!a->last_resort_in_use);
    a->last_resort_in_use = true; // by another call
    routing.end_attempt();
    BOOST_TEST(a->last_resort_in_use);
}

BOOST_FIXTURE_TEST_CASE(views_contain_the_candidates_and_the_server_of_the_attempt, fixture)
{
    add("a");
    auto const b = add("b");
    look_up();
    BOOST_TEST(routing.update(*core, begin).size() == 2u);
    BOOST_TEST(routing.begin_attempt(*core, b->id, false));
    core->servers().remove(b);
    BOOST_TEST(routing.update(*core, begin).size() == 2u); // the server of the attempt is kept
    routing.clear();
    BOOST_TEST(routing.update(*core, begin).empty());
}

BOOST_FIXTURE_TEST_CASE(attempt_share_applies_if_another_server_may_execute_the_call, fixture)
{
    add("a");
    look_up();
    BOOST_TEST(attempt(start()));
    BOOST_TEST((time_of_attempt(certainty::not_sent, 0.5) == duration::max()));
    add("b");
    routing.clear();
    look_up();
    BOOST_TEST(attempt(start()));
    BOOST_TEST((time_of_attempt(certainty::not_sent, 0.5) == 5s));
    BOOST_TEST((time_of_attempt(certainty::not_sent, 0.5, 6s) == 3s));
    BOOST_TEST((time_of_attempt(certainty::not_sent, 1) == duration::max()));
    BOOST_TEST((time_of_attempt(certainty::unknown, 0.5) == duration::max())); // replay class `never`
    auto const share = policies->attempt_share(certainty::not_sent);
    BOOST_TEST(
        (time_of_attempt(certainty::not_sent, {}) == (share < 1 ? detail::share_of(10s, share) : duration::max())));
}

BOOST_FIXTURE_TEST_CASE(call_may_fail_over_to_an_available_server_only, fixture)
{
    add("a");
    look_up();
    BOOST_TEST(attempt(start()));
    BOOST_TEST(!routing.can_fail_over(*core, failed(certainty::not_sent), at(begin), 1));
    add("b");
    routing.clear();
    look_up();
    BOOST_TEST(attempt(start()));
    BOOST_TEST(routing.can_fail_over(*core, failed(certainty::not_sent), at(begin), 1));
    BOOST_TEST(policies->budget_requests == 1u);
}

BOOST_FIXTURE_TEST_CASE(servers_that_are_not_admitted_are_recorded_once, fixture)
{
    auto const a = add("a");
    policies->closed.insert(a->id);
    look_up();
    BOOST_TEST((start().what == kind::finish));
    routing.add_rejections(*core, trail);
    BOOST_REQUIRE(!trail.empty());
    BOOST_TEST(trail.last().server == "a");
    routing.add_rejections(*core, trail);
    BOOST_TEST(trail.take().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(observer_receives_the_server_and_the_number_of_the_attempt, fixture)
{
    add("a");
    auto const b = add("b");
    look_up();
    BOOST_TEST(attempt(start()));
    BOOST_TEST(attempt(fail(certainty::not_sent)));
    int observed = 0;
    policies->attempts = [&](attempt_view const& view) {
        ++observed;
        BOOST_TEST((view.server.id == b->id));
        BOOST_TEST(view.number == 2u);
        BOOST_TEST(view.tool_failed);
    };
    routing.observe(*core, failed(certainty::refused), true, at(begin));
    BOOST_TEST(observed == 1);
}

BOOST_FIXTURE_TEST_CASE(cleared_routing_refers_to_no_server, fixture)
{
    add("a");
    look_up();
    BOOST_TEST(attempt(start()));
    routing.clear();
    BOOST_TEST(!routing.server());
    BOOST_TEST(routing.candidates().all().empty());
    BOOST_TEST((start().what == kind::finish));
}

// Each event fails at each of its allocations, and is repeated then: the call has the same attempts as without
// failures.
BOOST_AUTO_TEST_CASE(call_is_continued_after_a_failed_allocation_in_each_event)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        for (auto const* key : {"a", "b", "c"})
            of.add(key);
        of.look_up();
        of.policies->verdicts = [](attempt_view const& failed) {
            return failed.number == 1 ? verdict::retry_same(1s) : verdict::next_server();
        };
        call_flow::action next{};
        auto const pass = [&](auto const& event) {
            if (!failing([&] { next = event(); }))
                next = event();
        };
        std::string servers;
        auto const attempt = [&] {
            BOOST_TEST(of.attempt(next));
            servers += of.routing.server()->key;
        };
        pass([&] { return of.start(); });
        attempt();
        pass([&] { return of.fail(certainty::not_sent); });
        BOOST_TEST((next.what == kind::wait));
        pass([&] { return of.routing.on_waited(*of.core, fixture::at(begin)); });
        attempt();
        BOOST_TEST(of.routing.is_repeated());
        pass([&] { return of.fail(certainty::not_sent); });
        attempt();
        bool can_fail_over = false;
        auto const asks = [&] {
            can_fail_over =
                of.routing.can_fail_over(*of.core, fixture::failed(certainty::not_sent), fixture::at(begin), 1);
        };
        if (!failing(asks))
            asks();
        BOOST_TEST(can_fail_over);
        BOOST_TEST(of.policies->budget_requests == 1u);
        pass([&] { return of.fail(certainty::not_sent); });
        attempt();
        pass([&] { return of.fail(certainty::not_sent); });
        BOOST_TEST((next.what == kind::finish));
        BOOST_TEST(servers == "aabc");
    });
}

BOOST_AUTO_TEST_SUITE_END()
