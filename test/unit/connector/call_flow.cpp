#include <linkspan/connector/detail/call_flow.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/scripted_policies.hpp"

namespace call_flow_test {

using namespace linkspan;
using namespace std::chrono_literals;
using linkspan::detail::call_flow;
using linkspan::detail::flow_server;
using kind = call_flow::action::kind;

namespace {

constexpr auto timeout = error::attempt_timed_out;

flow_server server(unsigned id, replay_class klass = replay_class::never, bool available = true)
{
    flow_server one{{}, available};
    one.view.id = server_id{id};
    one.view.replay = klass;
    one.view.priority = 100 - static_cast<int>(id);
    return one;
}

outcome failed(certainty delivery, error_code ec = timeout, bool has_response = false)
{
    outcome out;
    out.certainty = delivery;
    out.ec = ec;
    out.has_response = has_response;
    return out;
}

// A call with scripted policies and servers 1 and 2. `classes` replaces the servers by one server per replay class.
struct flow_fixture {
    std::vector<flow_server> servers{server(1), server(2)};
    test::scripted_policies policies;
    call_view call;
    call_flow flow;

    void classes(std::initializer_list<replay_class> all)
    {
        servers.clear();
        for (auto const klass : all)
            servers.push_back(server(static_cast<unsigned>(servers.size()) + 1, klass));
    }

    auto start() { return flow.start(policies, call, servers); }
    auto outcome_is(outcome const& result) { return flow.on_outcome(result, policies, call, servers, 1); }
    auto waited() { return flow.on_waited(policies, call, servers); }
    void verdict_is(verdict what)
    {
        policies.verdicts = [what](attempt_view const&) { return what; };
    }
};

void check_attempt(call_flow::action const& next, unsigned id)
{
    BOOST_TEST((next.what == kind::attempt));
    BOOST_TEST((next.server == server_id{id}), static_cast<unsigned>(next.server));
}

void check_finish(call_flow::action const& next, error_code ec, bool last_response = false)
{
    BOOST_TEST((next.what == kind::finish));
    BOOST_TEST(next.ec == ec);
    BOOST_TEST(next.last_response == last_response);
}

} // namespace

} // namespace call_flow_test

BOOST_FIXTURE_TEST_SUITE(call_flow_test, call_flow_test::flow_fixture)

BOOST_AUTO_TEST_CASE(first_attempt_uses_the_server_chosen_by_routing)
{
    check_attempt(start(), 1);
    BOOST_TEST(flow.number() == 1u);
    BOOST_TEST((flow.current() == server_id{1}));
}

BOOST_AUTO_TEST_CASE(flow_that_starts_at_the_only_candidate_is_in_its_first_attempt)
{
    flow.start_at(server_id{2});
    BOOST_TEST(flow.number() == 1u);
    BOOST_TEST((flow.current() == server_id{2}));
    BOOST_TEST(!flow.is_repeated());
    BOOST_TEST(flow.repeats() == 0u);
    BOOST_TEST(flow.counted_attempts() == 0u);
    BOOST_TEST(!flow.has_rejections());
    outcome result;
    result.certainty = certainty::completed;
    check_finish(outcome_is(result), {}, true);
}

BOOST_AUTO_TEST_CASE(flow_that_starts_at_a_server_continues_like_one_whose_policy_selects_the_server)
{
    for (auto const klass :
         {replay_class::never, replay_class::keyed, replay_class::idempotent, replay_class::read_only})
        for (auto const delivery : {certainty::not_sent, certainty::refused, certainty::unknown}) {
            classes({klass, klass});
            call_flow selected, direct;
            selected.start(policies, call, servers);
            direct.start_at(server_id{1});
            for (bool is_over = false; !is_over;) {
                auto const expected = selected.on_outcome(failed(delivery), policies, call, servers, 1);
                auto const next = direct.on_outcome(failed(delivery), policies, call, servers, 1);
                BOOST_TEST((next.what == expected.what));
                BOOST_TEST((next.server == expected.server));
                BOOST_TEST(next.ec == expected.ec);
                is_over = next.what == kind::finish || expected.what == kind::finish;
            }
        }
}

BOOST_AUTO_TEST_CASE(server_with_open_breaker_is_used_only_if_no_other_is_eligible)
{
    servers = {server(1, replay_class::never, false), server(2)};
    servers[0].last_resort = true;
    auto const first = start();
    check_attempt(first, 2);
    BOOST_TEST(!first.last_resort);
    auto const second = outcome_is(failed(certainty::not_sent));
    check_attempt(second, 1);
    BOOST_TEST(second.last_resort);
}

BOOST_AUTO_TEST_CASE(starting_server_is_preferred_over_server_with_open_breaker)
{
    servers = {server(1, replay_class::never, false), server(2, replay_class::never, false)};
    servers[0].last_resort = servers[1].starting_soon = true;
    check_attempt(start(), 2);
}

BOOST_AUTO_TEST_CASE(retry_on_server_with_open_breaker_requires_that_no_other_is_eligible)
{
    for (bool const has_other : {false, true}) {
        call_flow one;
        servers = {server(1, replay_class::idempotent, false), server(2, replay_class::idempotent, has_other)};
        servers[0].available = true;
        one.start(policies, call, servers);
        servers[0].available = false; // its circuit breaker is open
        servers[0].last_resort = true;
        bool same_allowed = has_other;
        policies.verdicts = [&](attempt_view const& view) {
            same_allowed = view.same_allowed;
            return verdict::retry_same();
        };
        auto const next = one.on_outcome(failed(certainty::not_sent), policies, call, servers, 1);
        BOOST_TEST(same_allowed == !has_other);
        if (!has_other) {
            check_attempt(next, 1);
            BOOST_TEST(next.last_resort);
        }
    }
}

BOOST_AUTO_TEST_CASE(successor_is_a_server_without_attempt_whose_replay_class_allows_replay)
{
    using enum replay_class;
    struct {
        replay_class first, second;
        bool if_not_sent, if_unknown;
    } const cases[] = {{never, never, true, false},         {never, read_only, true, false},
                       {read_only, never, true, false},     {read_only, read_only, true, true},
                       {idempotent, read_only, true, true}, {read_only, idempotent, true, true},
                       {keyed, read_only, true, false},     {read_only, keyed, true, false}};
    for (auto const& [first, second, if_not_sent, if_unknown] : cases) {
        call_flow one;
        classes({first, second});
        one.start(policies, call, servers);
        BOOST_TEST(one.has_successor(servers, certainty::not_sent) == if_not_sent);
        BOOST_TEST(one.has_successor(servers, certainty::unknown) == if_unknown);
        servers[1].replay_on_same_server = true;
        BOOST_TEST(one.has_successor(servers, certainty::not_sent) == if_not_sent);
        BOOST_TEST(!one.has_successor(servers, certainty::unknown));
        servers[1].replay_on_same_server = servers[1].available = false;
        BOOST_TEST(!one.has_successor(servers, certainty::not_sent));
        servers[1].last_resort = true;
        BOOST_TEST(!one.has_successor(servers, certainty::not_sent));
        servers[1].starting_soon = true;
        BOOST_TEST(one.has_successor(servers, certainty::not_sent) == if_not_sent);
        BOOST_TEST(one.has_successor(servers, certainty::unknown) == if_unknown);
    }
}

BOOST_AUTO_TEST_CASE(server_that_had_an_attempt_is_not_a_successor)
{
    using enum replay_class;
    classes({read_only, read_only});
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    BOOST_TEST(!flow.has_successor(servers, certainty::not_sent));
    classes({read_only, never, read_only});
    call_flow other;
    other.start(policies, call, servers);
    other.on_outcome(failed(certainty::not_sent), policies, call, servers, 1); // failover to the second server
    BOOST_TEST(other.has_successor(servers, certainty::not_sent));
    BOOST_TEST(!other.has_successor(servers, certainty::unknown));
}

BOOST_AUTO_TEST_CASE(call_of_unknown_outcome_has_successor_only_if_its_class_allows_replay)
{
    using enum replay_class;
    classes({read_only, read_only, read_only, never});
    servers[3].view.priority = 1;
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    BOOST_TEST(flow.has_successor(servers, certainty::not_sent));
    BOOST_TEST(flow.has_successor(servers, certainty::unknown));
    check_attempt(outcome_is(failed(certainty::unknown)), 3);
    BOOST_TEST(!flow.has_successor(servers, certainty::not_sent));
    BOOST_TEST(!flow.has_successor(servers, certainty::unknown));
}

// The replay class applies to one server only: the first or the second.
BOOST_AUTO_TEST_CASE(replay_class_of_one_server_does_not_allow_replay_on_other_servers)
{
    for (std::size_t const which : {0u, 1u}) {
        call_flow one;
        classes({replay_class::idempotent, replay_class::idempotent});
        servers[which].replay_on_same_server = true;
        std::size_t others = 99;
        bool same_allowed = false;
        policies.verdicts = [&](attempt_view const& view) {
            others = view.others.size();
            same_allowed = view.same_allowed;
            return verdict::next_server();
        };
        one.start(policies, call, servers);
        auto const next = one.on_outcome(failed(certainty::unknown), policies, call, servers, 1);
        BOOST_TEST(others == 0u);
        BOOST_TEST(same_allowed);
        check_finish(next, which == 0 ? error::outcome_unknown : error::all_servers_failed);
    }
}

BOOST_AUTO_TEST_CASE(retry_on_a_server_waits_for_the_pause_that_the_server_requested)
{
    bool same_allowed = false;
    policies.verdicts = [&](attempt_view const& view) {
        same_allowed = view.same_allowed;
        return verdict::retry_same(100ms);
    };
    servers.pop_back();
    start();
    servers[0].available = false;
    servers[0].pauses = true;
    servers[0].view.throttled_until = call.now + 2s;
    auto const wait = outcome_is(failed(certainty::refused));
    BOOST_TEST(same_allowed);
    BOOST_TEST((wait.what == call_flow::action::kind::wait));
    BOOST_TEST((wait.wait == 2s));
    servers[0].available = true;
    servers[0].pauses = false;
    call.now += 2s;
    auto const again = waited();
    BOOST_TEST((again.what == call_flow::action::kind::attempt));
    BOOST_TEST((again.server == server_id{1}));
}

BOOST_AUTO_TEST_CASE(replay_class_of_one_server_allows_replay_on_this_server)
{
    classes({replay_class::idempotent, replay_class::idempotent});
    servers[0].replay_on_same_server = true;
    verdict_is(verdict::retry_same());
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 1);
}

// After an input request of the server, the call may be sent to this server only.
BOOST_AUTO_TEST_CASE(call_with_requested_input_is_not_sent_to_other_servers)
{
    auto lost = failed(certainty::unknown);
    lost.input_requested = true;
    for (auto const how : {verdict::kind::retry_same, verdict::kind::next_server}) {
        classes({replay_class::read_only, replay_class::read_only});
        call_flow one;
        std::size_t others = 99;
        policies.verdicts = [&](attempt_view const& view) {
            others = view.others.size();
            return verdict{how, {}, replay_class::never};
        };
        one.start(policies, call, servers);
        auto const next = one.on_outcome(lost, policies, call, servers, 1);
        BOOST_TEST(others == 0u);
        if (how == verdict::kind::retry_same)
            check_attempt(next, 1);
        else
            check_finish(next, error::all_servers_failed);
        one.reset(); // no input was requested for the next call
        one.start(policies, call, servers);
        check_attempt(one.on_outcome(failed(certainty::not_sent), policies, call, servers, 1),
                      how == verdict::kind::retry_same ? 1 : 2);
    }
}

BOOST_AUTO_TEST_CASE(result_completes_the_call)
{
    start();
    auto const next = outcome_is(failed(certainty::completed, {}, true));
    check_finish(next, {}, true);
    BOOST_TEST(policies.verdict_requests == 0u);
}

BOOST_AUTO_TEST_CASE(call_without_servers_is_not_attempted)
{
    servers.clear();
    check_finish(start(), error::no_eligible_server);
    BOOST_TEST(flow.number() == 0u);
}

BOOST_AUTO_TEST_CASE(unavailable_servers_are_not_attempted)
{
    servers[0].available = false;
    check_attempt(start(), 2);
    servers[1].available = false;
    call_flow second;
    check_finish(second.start(policies, call, servers), error::no_eligible_server);
}

BOOST_AUTO_TEST_CASE(call_fails_if_routing_selects_no_server)
{
    policies.choices = [](auto) { return std::nullopt; };
    check_finish(start(), error::no_eligible_server);
}

BOOST_AUTO_TEST_CASE(call_fails_if_routing_selects_unknown_server)
{
    policies.choices = [](auto) { return server_id{77}; };
    check_finish(start(), error::no_eligible_server);
}

BOOST_AUTO_TEST_CASE(server_rejected_by_admission_policy_is_skipped_and_recorded)
{
    policies.closed = {server_id{1}};
    check_attempt(start(), 2);
    BOOST_TEST((flow.take_rejections() == std::vector{server_id{1}}));
    BOOST_TEST(flow.take_rejections().empty());
    BOOST_TEST(flow.number() == 1u);
}

BOOST_AUTO_TEST_CASE(call_is_not_attempted_if_admission_policy_rejects_all_servers)
{
    policies.closed = {server_id{1}, server_id{2}};
    check_finish(start(), error::no_eligible_server);
    BOOST_TEST(flow.take_rejections().size() == 2u);
}

BOOST_AUTO_TEST_CASE(fallback_policy_receives_the_view_of_the_failed_attempt)
{
    classes({replay_class::read_only, replay_class::idempotent, replay_class::never});
    servers[2].available = false;
    bool consulted = false;
    policies.verdicts = [&](attempt_view const& view) {
        consulted = true;
        BOOST_TEST((view.server.id == server_id{1}));
        BOOST_TEST((view.server.replay == replay_class::read_only));
        BOOST_TEST(view.number == 1u);
        BOOST_TEST(view.counted_attempts == 1u);
        BOOST_TEST(view.same_allowed);
        BOOST_TEST((view.result.certainty == certainty::unknown));
        BOOST_TEST_REQUIRE(view.others.size() == 1u);
        BOOST_TEST((view.others[0].id == server_id{2}));
        BOOST_TEST((view.others[0].replay == replay_class::idempotent));
        return verdict::give_up();
    };
    start();
    outcome_is(failed(certainty::unknown));
    BOOST_TEST(consulted);
}

BOOST_AUTO_TEST_CASE(attempt_view_lists_only_eligible_other_servers)
{
    classes({replay_class::read_only, replay_class::never, replay_class::read_only});
    policies.verdicts = [](attempt_view const& view) {
        BOOST_TEST_REQUIRE(view.others.size() == 1u);
        BOOST_TEST((view.others[0].id == server_id{3}));
        return verdict::give_up();
    };
    start();
    outcome_is(failed(certainty::unknown));
}

BOOST_AUTO_TEST_CASE(read_only_call_retries_its_server_if_no_other_allows_replay)
{
    classes({replay_class::read_only, replay_class::never});
    start();
    auto const next = outcome_is(failed(certainty::unknown));
    if (next.what == kind::wait)
        check_attempt(waited(), 1);
    else
        check_attempt(next, 1);
}

BOOST_AUTO_TEST_CASE(attempt_that_was_not_sent_is_not_in_counted_attempts)
{
    classes({replay_class::never, replay_class::never, replay_class::never});
    std::vector<unsigned> counted;
    policies.verdicts = [&](attempt_view const& view) {
        counted.push_back(view.counted_attempts);
        return verdict::next_server();
    };
    check_attempt(start(), 1);
    check_attempt(outcome_is(failed(certainty::not_sent)), 2);
    check_attempt(outcome_is(failed(certainty::refused)), 3);
    check_finish(outcome_is(failed(certainty::not_sent)), error::all_servers_failed);
    BOOST_TEST(counted == (std::vector<unsigned>{0, 1, 1}), boost::test_tools::per_element());
    BOOST_TEST(flow.number() == 3u);
}

BOOST_AUTO_TEST_CASE(retry_on_the_same_server_is_in_counted_attempts_even_if_not_sent)
{
    servers.pop_back();
    std::vector<unsigned> counted;
    policies.verdicts = [&](attempt_view const& view) {
        counted.push_back(view.counted_attempts);
        return verdict::retry_same();
    };
    start();
    for (int i = 0; i != 3; ++i)
        check_attempt(outcome_is(failed(certainty::not_sent)), 1);
    BOOST_TEST(counted == (std::vector<unsigned>{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_of_ten_unreachable_servers_are_attempted)
{
    classes({});
    for (unsigned id = 1; id <= 10; ++id)
        servers.push_back(server(id));
    auto next = start();
    for (unsigned id = 1; id <= 10; ++id) {
        check_attempt(next, id);
        servers[id - 1].available = false;
        next = outcome_is(failed(certainty::not_sent, boost::asio::error::broken_pipe));
    }
    check_finish(next, error::all_servers_failed);
}

BOOST_AUTO_TEST_CASE(policy_that_always_retries_is_stopped)
{
    verdict_is(verdict::retry_same());
    unsigned attempts = 1;
    for (auto next = start(); next.what == kind::attempt; ++attempts)
        next = outcome_is(failed(certainty::refused));
    BOOST_TEST(attempts <= 110u);
}

BOOST_AUTO_TEST_CASE(wait_precedes_the_next_attempt)
{
    verdict_is(verdict::next_server(3s));
    start();
    auto const next = outcome_is(failed(certainty::refused));
    BOOST_TEST((next.what == kind::wait));
    BOOST_TEST((next.wait == 3s));
    call.now += 3s;
    check_attempt(waited(), 2);
}

BOOST_AUTO_TEST_CASE(servers_are_evaluated_again_after_a_wait)
{
    verdict_is(verdict::next_server(3s));
    start();
    outcome_is(failed(certainty::refused));
    servers[1].available = false;
    check_finish(waited(), error::all_servers_failed);
}

BOOST_AUTO_TEST_CASE(wait_beyond_the_deadline_completes_the_call)
{
    verdict_is(verdict::next_server(3s));
    call.deadline = call.now + 2s;
    start();
    BOOST_TEST((outcome_is(failed(certainty::refused)).what == kind::finish));
}

BOOST_AUTO_TEST_CASE(attempt_requires_at_least_50_milliseconds)
{
    call.deadline = call.now + 49ms;
    check_finish(start(), error::deadline_exceeded);
    call_flow second;
    call.deadline = call.now + 50ms;
    check_attempt(second.start(policies, call, servers), 1);
}

BOOST_AUTO_TEST_CASE(replayable_call_at_deadline_fails_with_deadline_exceeded)
{
    classes({replay_class::read_only, replay_class::read_only});
    call.deadline = call.now + 10s;
    start();
    call.now += 10s;
    check_finish(outcome_is(failed(certainty::unknown, error::deadline_exceeded)), error::deadline_exceeded);
}

BOOST_AUTO_TEST_CASE(call_without_replay_at_deadline_fails_with_outcome_unknown)
{
    call.deadline = call.now + 10s;
    start();
    call.now += 10s;
    check_finish(outcome_is(failed(certainty::unknown, error::deadline_exceeded)), error::outcome_unknown);
}

BOOST_AUTO_TEST_CASE(outcome_unknown_takes_precedence_over_deadline_exceeded)
{
    verdict risky = verdict::next_server(1s);
    risky.min_replay_class = replay_class::never;
    verdict_is(risky);
    call.deadline = call.now + 1s;
    start();
    BOOST_TEST((outcome_is(failed(certainty::unknown)).what == kind::wait));
    call.now += 1s;
    check_finish(waited(), error::outcome_unknown);
}

BOOST_AUTO_TEST_CASE(error_response_to_call_without_replay_is_returned_to_the_caller)
{
    error_code const internal(-32603, rpc_category());
    start();
    check_finish(outcome_is(failed(certainty::unknown, internal, true)), internal, true);
}

BOOST_AUTO_TEST_CASE(error_response_to_replayable_call_after_failover_is_all_servers_failed)
{
    classes({replay_class::read_only, replay_class::read_only});
    error_code const internal(-32603, rpc_category());
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    verdict_is(verdict::give_up());
    check_finish(outcome_is(failed(certainty::unknown, internal, true)), error::all_servers_failed);
}

BOOST_AUTO_TEST_CASE(error_response_of_certainty_completed_after_failover_is_returned_to_the_caller)
{
    classes({replay_class::read_only, replay_class::read_only});
    error_code const invalid_params(-32602, rpc_category());
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    check_finish(outcome_is(failed(certainty::completed, invalid_params, true)), invalid_params, true);
}

BOOST_AUTO_TEST_CASE(error_response_without_failover_is_returned_to_the_caller)
{
    classes({replay_class::read_only, replay_class::read_only});
    error_code const unknown_method(-32601, rpc_category());
    verdict_is(verdict::give_up());
    start();
    check_finish(outcome_is(failed(certainty::refused, unknown_method, true)), unknown_method, true);
}

BOOST_AUTO_TEST_CASE(retry_that_exceeds_the_deadline_is_replaced_by_failover)
{
    classes({replay_class::idempotent, replay_class::idempotent});
    verdict_is(verdict::retry_same(100ms));
    call.deadline = call.now + 120ms; // an attempt needs 50 ms
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    classes({replay_class::idempotent, replay_class::never});
    call_flow other;
    other.start(policies, call, servers);
    BOOST_TEST((other.on_outcome(failed(certainty::unknown), policies, call, servers, 1).what == kind::wait));
}

BOOST_AUTO_TEST_CASE(retry_on_starting_server_is_not_allowed_while_another_is_available)
{
    classes({replay_class::idempotent, replay_class::idempotent});
    bool same_allowed = true;
    policies.verdicts = [&](attempt_view const& view) {
        same_allowed = view.same_allowed;
        return view.same_allowed ? verdict::retry_same(100ms) : verdict::next_server();
    };
    start();
    servers[0].available = false; // the server is being restarted
    servers[0].starting_soon = true;
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
    BOOST_TEST(!same_allowed);
}

BOOST_AUTO_TEST_CASE(budget_policy_is_consulted_for_replays_and_can_reject_them)
{
    classes({replay_class::read_only, replay_class::read_only, replay_class::read_only});
    start();
    check_attempt(outcome_is(failed(certainty::not_sent)), 2);
    BOOST_TEST(policies.budget_requests == 0u); // an attempt after `not_sent` needs no budget
    policies.has_budget = false;
    check_finish(outcome_is(failed(certainty::unknown)), error::all_servers_failed);
    BOOST_TEST(policies.budget_requests == 1u);
}

BOOST_AUTO_TEST_CASE(budget_policy_is_consulted_after_a_first_attempt_that_was_completed)
{
    classes({replay_class::read_only, replay_class::read_only});
    verdict_is(verdict::next_server());
    policies.has_budget = false;
    start();
    auto const next = outcome_is(failed(certainty::completed, {1, rpc_category()}, true));
    BOOST_TEST((next.what == kind::finish));
    BOOST_TEST(policies.budget_requests == 1u);
}

BOOST_AUTO_TEST_CASE(on_outcome_does_not_spend_the_budget_again_after_can_fail_over)
{
    for (bool const has_budget : {true, false}) {
        call_flow one;
        policies.has_budget = has_budget;
        policies.budget_requests = 0;
        classes({replay_class::read_only, replay_class::read_only});
        one.start(policies, call, servers);
        auto const lost = failed(certainty::unknown, error::stream_ended);
        BOOST_TEST(one.can_fail_over(lost, policies, call, servers, 1) == has_budget);
        BOOST_TEST(policies.budget_requests == 1u);
        if (has_budget)
            check_attempt(one.on_outcome(lost, policies, call, servers, 1), 2);
        BOOST_TEST(policies.budget_requests == 1u);
    }
}

BOOST_AUTO_TEST_CASE(keyed_call_retries_its_server_until_attempts_are_exhausted)
{
    classes({replay_class::keyed, replay_class::read_only});
    auto next = start();
    for (int i = 0; i != 4; ++i) {
        if (next.what == kind::wait)
            next = waited();
        check_attempt(next, 1);
        next = outcome_is(failed(certainty::unknown));
    }
    BOOST_TEST((next.what == kind::finish));
    BOOST_TEST(flow.number() == 4u);
}

BOOST_AUTO_TEST_CASE(policy_can_require_a_stricter_replay_class)
{
    classes({replay_class::read_only, replay_class::idempotent, replay_class::read_only});
    verdict strict = verdict::next_server();
    strict.min_replay_class = replay_class::read_only;
    verdict_is(strict);
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 3);
}

BOOST_AUTO_TEST_CASE(policy_can_permit_replay_of_class_never)
{
    verdict risky = verdict::next_server();
    risky.min_replay_class = replay_class::never;
    verdict_is(risky);
    start();
    check_attempt(outcome_is(failed(certainty::unknown)), 2);
}

BOOST_AUTO_TEST_CASE(call_flow_can_be_reset_and_reused)
{
    start();
    outcome_is(failed(certainty::unknown));
    flow.reset();
    BOOST_TEST(flow.number() == 0u);
    check_attempt(start(), 1);
    check_attempt(outcome_is(failed(certainty::not_sent)), 2);
    verdict_is(verdict::give_up());
    check_finish(outcome_is(failed(certainty::not_sent)), error::all_servers_failed);
}

// The first decision has two servers as candidates and later ones have eight, as when the routing policy first receives
// two sampled candidates.
BOOST_AUTO_TEST_CASE(outcome_is_recorded_once_after_a_failed_allocation)
{
    test::fail_each_allocation([](auto& failing) {
        flow_fixture of;
        of.start();
        for (unsigned id = 3; id != 9; ++id)
            of.servers.push_back(server(id));
        call_flow::action next{};
        auto const pass = [&](outcome const& result) {
            auto const ends = [&] { next = of.outcome_is(result); };
            if (!failing(ends)) {
                BOOST_TEST(of.flow.repeats() == 0u); // the outcome is not recorded
                ends();
            }
        };
        pass(failed(certainty::not_sent));
        check_attempt(next, 2);
        BOOST_TEST(of.flow.counted_attempts() == 0u);
        pass(failed(certainty::refused));
        check_attempt(next, 3);
        BOOST_TEST(of.flow.counted_attempts() == 1u);
        BOOST_TEST(of.policies.verdict_requests == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
