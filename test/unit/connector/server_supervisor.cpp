#include <linkspan/connector/detail/server_supervisor.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(server_supervisor_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::server_supervisor;
using demand = server_supervisor::demand;
using loss = server_supervisor::loss::kind;
using state = server_state;

namespace {

constexpr time_point start{1000s};
constexpr std::uint64_t longest = 0; // equal jitter subtracts nothing

struct fixture {
    server_supervisor& life()
    {
        if (!made)
            made.emplace(options);
        return *made;
    }

    void is_in(state expected) { BOOST_TEST(to_string(life().state()) == to_string(expected)); }

    // Opens the server for the operation.
    void open(std::uint64_t operation = 0)
    {
        BOOST_TEST((life().on_demanded(operation, true) == demand::start));
        life().on_starting();
        life().on_connected(start);
        life().on_settled();
        is_in(state::ready);
    }

    server_supervisor::loss lose(time_point now = start)
    {
        auto const out = life().on_lost(now, longest, false);
        if (out.what == loss::restart)
            life().on_restart_scheduled(now + out.wait);
        return out;
    }

    // Ends the shutdown in progress.
    void end(state expected)
    {
        BOOST_TEST(life().on_ended());
        is_in(expected);
    }

    server_options options; // before the first call of life()
    std::optional<server_supervisor> made;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(initial_state_depends_on_the_options, fixture)
{
    is_in(state::idle);
    BOOST_TEST(!life().is_down());
    BOOST_TEST(life().is_starting_soon(start));
    made.reset();
    options.start = start_mode::lazy;
    is_in(state::idle);
    made.reset();
    options.start = start_mode::manual;
    is_in(state::closed);
    BOOST_TEST(life().is_down());
    BOOST_TEST(!life().is_starting_soon(start));
    made.reset();
    options.enabled = false;
    is_in(state::disabled);
    BOOST_TEST(!life().is_enabled());
}

// Opening

BOOST_FIXTURE_TEST_CASE(request_for_an_idle_or_closed_server_starts_it_once, fixture)
{
    BOOST_TEST((life().on_demanded(1, false) == demand::start));
    life().on_starting();
    is_in(state::opening);
    BOOST_TEST(life().is_opening());
    BOOST_TEST(life().is_starting_soon(start));
    BOOST_TEST((life().on_demanded(2, true) == demand::wait));
    life().on_connected(start);
    BOOST_TEST(life().is_opening()); // the first list of tools is outstanding
    BOOST_TEST(!life().is_settled());
    BOOST_TEST((life().on_demanded(3, true) == demand::wait));
    life().on_settled();
    BOOST_TEST(!life().is_opening());
    BOOST_TEST((life().on_demanded(4, false) == demand::ready));
}

BOOST_FIXTURE_TEST_CASE(request_for_a_waiting_server_starts_it_only_if_it_is_needed_now, fixture)
{
    open();
    BOOST_TEST((lose().what == loss::restart));
    is_in(state::waiting);
    BOOST_TEST((life().on_demanded(0, false) == demand::wait));
    BOOST_TEST((life().on_demanded(1, true) == demand::start));
}

BOOST_FIXTURE_TEST_CASE(request_for_a_disabled_or_closing_server_waits, fixture)
{
    options.enabled = false;
    BOOST_TEST((life().on_demanded(1, true) == demand::wait));
    made.reset();
    options.enabled = true;
    open();
    BOOST_TEST(life().on_end(state::closed));
    BOOST_TEST((life().on_demanded(1, true) == demand::wait));
    end(state::closed);
    BOOST_TEST(life().may_start_again());
}

BOOST_FIXTURE_TEST_CASE(request_for_a_failed_server_resets_its_restarts, fixture)
{
    options.restart.max_restarts = 1;
    options.restart.give_up = true;
    open();
    BOOST_TEST((lose().what == loss::restart));
    life().on_starting();
    BOOST_TEST((lose().what == loss::given_up));
    is_in(state::failed);
    open();
    BOOST_TEST((lose().what == loss::restart));
}

BOOST_FIXTURE_TEST_CASE(closed_lazy_server_is_activated, fixture)
{
    options.start = start_mode::lazy;
    BOOST_TEST(!life().on_activated()); // idle
    open();
    BOOST_TEST(!life().on_activated());
    life().on_closing();
    BOOST_TEST(life().on_closed(state::closed));
    BOOST_TEST(life().on_activated());
    is_in(state::idle);
    made.reset();
    options.start = start_mode::manual;
    BOOST_TEST(!life().on_activated());
    is_in(state::closed);
}

// Operations

BOOST_FIXTURE_TEST_CASE(server_that_only_cancelled_operations_have_opened_is_closed, fixture)
{
    open(1);
    life().on_demanded(2, false);
    BOOST_TEST(!life().on_released(1, true));
    BOOST_TEST(!life().on_released(1, true)); // not an operation of the server any more
    BOOST_TEST(life().on_released(2, true));
}

BOOST_FIXTURE_TEST_CASE(server_stays_open_after_a_completed_operation_or_a_call, fixture)
{
    open(1);
    life().on_demanded(2, false);
    BOOST_TEST(!life().on_released(1, false));
    BOOST_TEST(!life().on_released(2, true));
    made.reset();
    open(1);
    life().on_used();
    BOOST_TEST(!life().on_released(1, true));
    made.reset();
    open(1);
    life().on_demanded(0, false);
    BOOST_TEST(!life().on_released(1, true));
}

BOOST_FIXTURE_TEST_CASE(server_stays_open_while_another_open_operation_continues, fixture)
{
    open(1);
    life().on_open_operation(2);
    BOOST_TEST(!life().on_released(1, true));
    BOOST_TEST(life().on_released(2, true));
    made.reset();
    life().on_open_operation(2); // the server is not ready
    BOOST_TEST(!life().on_released(2, true));
}

BOOST_FIXTURE_TEST_CASE(cancellation_closes_a_server_in_every_state_between_start_and_loss, fixture)
{
    life().on_demanded(1, false);
    life().on_starting();
    BOOST_TEST(life().on_released(1, true));
    made.reset();
    open(1);
    lose();
    BOOST_TEST(life().on_released(1, true)); // waiting
    made.reset();
    open(1);
    BOOST_TEST(life().on_end(state::closed));
    BOOST_TEST(!life().on_released(1, true)); // the end has forgotten the operation
}

BOOST_FIXTURE_TEST_CASE(server_started_again_is_closed_if_its_only_operation_is_cancelled, fixture)
{
    open(1);
    BOOST_TEST(!life().on_released(1, false));
    BOOST_TEST((life().on_lost(start, longest, true).what == loss::exited_cleanly));
    open(2);
    BOOST_TEST(life().on_released(2, true));
}

// Loss

BOOST_FIXTURE_TEST_CASE(lost_server_is_restarted_after_the_wait_of_the_schedule, fixture)
{
    open();
    auto const epoch = life().epoch();
    auto const out = lose();
    BOOST_TEST((out.what == loss::restart));
    BOOST_TEST((out.wait == options.restart.wait));
    BOOST_TEST(!out.turned_slow);
    BOOST_TEST(!out.was_opening);
    is_in(state::waiting);
    BOOST_TEST(life().is_down());
    BOOST_TEST((life().restart_at() == start + out.wait));
    BOOST_TEST(life().epoch() == epoch + 1);
    BOOST_TEST(life().is_starting_soon(start + out.wait - options.restart.patience));
}

BOOST_FIXTURE_TEST_CASE(call_does_not_wait_longer_than_its_patience_for_a_restart, fixture)
{
    options.restart.wait = options.restart.max_wait = 60s;
    options.restart.patience = 5s;
    open();
    lose();
    BOOST_TEST(!life().is_starting_soon(start));
    BOOST_TEST(life().is_starting_soon(start + 55s));
}

BOOST_FIXTURE_TEST_CASE(loss_during_the_first_list_of_tools_completes_the_opening, fixture)
{
    life().on_demanded(0, false);
    life().on_starting();
    life().on_connected(start);
    BOOST_TEST(lose().was_opening);
    made.reset();
    life().on_demanded(0, false);
    life().on_starting();
    BOOST_TEST(!lose().was_opening); // the opening itself failed
}

BOOST_FIXTURE_TEST_CASE(server_that_exits_while_idle_becomes_idle_without_a_new_epoch, fixture)
{
    open();
    auto const epoch = life().epoch();
    BOOST_TEST((life().on_lost(start, longest, true).what == loss::exited_cleanly));
    is_in(state::idle);
    BOOST_TEST(life().epoch() == epoch);
    made.reset();
    life().on_demanded(0, false);
    life().on_starting();
    BOOST_TEST((life().on_lost(start, longest, true).what == loss::restart)); // was not ready
}

BOOST_FIXTURE_TEST_CASE(change_to_slow_restarts_is_reported_once, fixture)
{
    options.restart.max_restarts = 1;
    open();
    BOOST_TEST(!lose().turned_slow);
    life().on_starting();
    BOOST_TEST(lose().turned_slow);
    BOOST_TEST(life().is_slow());
    life().on_starting();
    BOOST_TEST(!lose().turned_slow);
    BOOST_TEST(life().is_slow());
}

BOOST_FIXTURE_TEST_CASE(server_without_restarts_is_closed_after_a_loss, fixture)
{
    options.restart.max_restarts = 0;
    open();
    BOOST_TEST((lose().what == loss::given_up));
    is_in(state::closed);
}

BOOST_FIXTURE_TEST_CASE(loss_during_the_shutdown_causes_no_restart, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::idle));
    BOOST_TEST((lose().what == loss::end));
    BOOST_TEST(life().on_drained());
    BOOST_TEST((lose().what == loss::none));
    end(state::idle);
}

// Probes

BOOST_FIXTURE_TEST_CASE(server_is_probed_while_it_is_ready_and_no_probe_is_outstanding, fixture)
{
    BOOST_TEST(!life().may_probe());
    open();
    BOOST_TEST(life().may_probe());
    life().on_probe_scheduled(start + 5s);
    BOOST_TEST((life().probe_at() == start + 5s));
    life().on_probe_started();
    BOOST_TEST(!life().may_probe());
    lose();
    BOOST_TEST(!life().may_probe());
    life().on_starting();
    life().on_connected(start);
    BOOST_TEST(!life().may_probe()); // the probe of the last connection has not ended
    life().on_probe_ended();
    BOOST_TEST(life().may_probe());
}

BOOST_FIXTURE_TEST_CASE(connection_ends_if_probes_have_no_response_for_the_given_time, fixture)
{
    options.restart.unresponsive_after = 60s;
    open();
    BOOST_TEST(!life().on_no_response(start + 30s, start, false, start + 35s)); // the silence begins with the probe
    BOOST_TEST(!life().on_no_response(start + 70s, start, false, start + 89s));
    BOOST_TEST(life().on_no_response(start + 85s, start, false, start + 90s));
}

BOOST_FIXTURE_TEST_CASE(single_probe_without_a_response_after_a_long_idle_time_does_not_end_the_connection, fixture)
{
    options.restart.unresponsive_after = 60s;
    open();
    BOOST_TEST(!life().on_no_response(start + 4h, start, false, start + 4h + 5s));
    BOOST_TEST(life().on_no_response(start + 8h, start, false, start + 8h + 5s));
}

BOOST_FIXTURE_TEST_CASE(connection_with_an_outstanding_call_stays_without_responses_to_probes, fixture)
{
    options.restart.unresponsive_after = 60s;
    open();
    BOOST_TEST(!life().on_no_response(start + 30s, start, true, start + 35s));
    BOOST_TEST(!life().on_no_response(start + 90s, start, true, start + 95s));
    BOOST_TEST(life().on_no_response(start + 120s, start, false, start + 125s)); // the call has ended
}

BOOST_FIXTURE_TEST_CASE(message_between_probes_begins_the_silence_again, fixture)
{
    options.restart.unresponsive_after = 60s;
    open();
    BOOST_TEST(!life().on_no_response(start + 30s, start, false, start + 35s));
    BOOST_TEST(!life().on_no_response(start + 90s, start + 31s, false, start + 95s));
    BOOST_TEST(!life().on_no_response(start + 140s, start + 31s, false, start + 149s));
    BOOST_TEST(life().on_no_response(start + 145s, start + 31s, false, start + 150s));
}

BOOST_FIXTURE_TEST_CASE(message_during_a_probe_keeps_the_connection, fixture)
{
    options.restart.unresponsive_after = 1s;
    open();
    BOOST_TEST(!life().on_no_response(start + 30s, start + 31s, false, start + 35s));
    BOOST_TEST(!life().on_no_response(start + 60s, start + 61s, false, start + 65s));
}

BOOST_FIXTURE_TEST_CASE(connection_stays_without_responses_if_the_option_is_off_or_there_are_no_restarts, fixture)
{
    auto const ends = [this] {
        open();
        BOOST_TEST(!life().on_no_response(start + 1h, start, false, start + 1h));
        return life().on_no_response(start + 9h, start, false, start + 9h);
    };
    BOOST_TEST(ends());
    made.reset();
    options.restart.unresponsive_after = 0s;
    BOOST_TEST(!ends());
    made.reset();
    options.restart = {};
    options.restart.max_restarts = 0;
    BOOST_TEST(!ends());
}

BOOST_FIXTURE_TEST_CASE(server_that_is_shut_down_is_not_ended_for_a_probe_without_a_response, fixture)
{
    open();
    BOOST_TEST(!life().on_no_response(start + 1h, start, false, start + 1h));
    BOOST_TEST(life().on_end(state::closed));
    BOOST_TEST(!life().on_no_response(start + 9h, start, false, start + 9h));
    end(state::closed);
}

// Ending

BOOST_FIXTURE_TEST_CASE(server_is_shut_down_once_and_then_has_the_last_requested_state, fixture)
{
    open();
    auto const epoch = life().epoch();
    BOOST_TEST(life().on_end(state::idle));
    is_in(state::closing);
    BOOST_TEST(life().epoch() == epoch + 1);
    BOOST_TEST(!life().on_end(state::closed));
    BOOST_TEST(life().epoch() == epoch + 1);
    end(state::closed);
    BOOST_TEST(!life().on_ended());
}

BOOST_FIXTURE_TEST_CASE(drained_server_is_shut_down_when_its_calls_are_complete, fixture)
{
    open();
    auto const epoch = life().epoch();
    BOOST_TEST(life().on_drain(state::idle));
    is_in(state::closing);
    BOOST_TEST(life().is_draining());
    BOOST_TEST(life().epoch() == epoch + 1);
    BOOST_TEST((life().after() == state::idle));
    BOOST_TEST(life().on_drained());
    BOOST_TEST(!life().is_draining());
    BOOST_TEST(life().epoch() == epoch + 2);
    BOOST_TEST(!life().on_drained());
    BOOST_TEST(life().epoch() == epoch + 2);
    end(state::idle);
}

BOOST_FIXTURE_TEST_CASE(later_drain_changes_only_the_state_after_the_shutdown, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::idle));
    auto const epoch = life().epoch();
    BOOST_TEST(!life().on_drain(state::closed));
    BOOST_TEST(life().is_draining());
    BOOST_TEST(life().epoch() == epoch);
    BOOST_TEST(life().on_drained());
    end(state::closed);
}

BOOST_FIXTURE_TEST_CASE(server_that_is_being_drained_can_be_shut_down_immediately, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::idle));
    auto const epoch = life().epoch();
    BOOST_TEST(life().on_end(state::closed));
    BOOST_TEST(!life().is_draining());
    BOOST_TEST(life().epoch() == epoch + 1);
    BOOST_TEST(!life().on_drained());
    end(state::closed);
}

BOOST_FIXTURE_TEST_CASE(state_after_a_disconnection_depends_on_the_start_mode, fixture)
{
    BOOST_TEST((life().after_disconnect() == state::closed));
    made.reset();
    options.start = start_mode::lazy;
    BOOST_TEST((life().after_disconnect() == state::idle));
}

BOOST_FIXTURE_TEST_CASE(server_starts_again_after_a_shutdown_only_if_it_is_needed, fixture)
{
    open(1);
    BOOST_TEST(life().on_end(state::closed));
    end(state::closed);
    BOOST_TEST(!life().may_start_again());
    open(1);
    BOOST_TEST(life().on_end(state::closed));
    life().on_demanded(2, true);
    BOOST_TEST(life().may_start_again());
    BOOST_TEST(!life().on_released(2, true));
    BOOST_TEST(!life().may_start_again());
    life().on_demanded(0, true);
    BOOST_TEST(life().may_start_again());
    life().on_removed();
    BOOST_TEST(life().is_removed());
    BOOST_TEST(!life().may_start_again());
}

BOOST_FIXTURE_TEST_CASE(operations_that_request_a_draining_server_are_kept_at_its_shutdown, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::closed));
    life().on_demanded(1, true);
    BOOST_TEST(life().on_drained());
    end(state::closed);
    BOOST_TEST(life().may_start_again());
}

BOOST_FIXTURE_TEST_CASE(later_shutdown_supersedes_operations_that_request_the_server, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::closed));
    life().on_demanded(1, true);
    BOOST_TEST(!life().on_drain(state::closed));
    BOOST_TEST(!life().may_start_again());
    life().on_demanded(2, true);
    BOOST_TEST(life().on_end(state::closed));
    BOOST_TEST(!life().may_start_again());
    life().on_demanded(3, true);
    BOOST_TEST(!life().on_end(state::closed));
    BOOST_TEST(!life().may_start_again());
    life().on_demanded(4, true);
    end(state::closed);
    BOOST_TEST(life().may_start_again());
}

BOOST_FIXTURE_TEST_CASE(closed_server_discards_its_operations, fixture)
{
    open(1);
    auto const epoch = life().epoch();
    life().on_closing();
    is_in(state::ready); // until the session is closed
    BOOST_TEST(life().epoch() == epoch + 1);
    BOOST_TEST(life().on_closed(state::idle));
    is_in(state::idle);
    BOOST_TEST(!life().on_released(1, true));
    life().on_closing();
    BOOST_TEST(!life().on_closed(state::idle)); // no change
}

BOOST_FIXTURE_TEST_CASE(close_completes_the_outstanding_shutdown, fixture)
{
    open();
    BOOST_TEST(life().on_drain(state::idle));
    life().on_closing();
    BOOST_TEST(!life().is_draining());
    BOOST_TEST(life().on_closed(state::closed));
    BOOST_TEST(!life().on_ended());
    is_in(state::closed);
}

BOOST_FIXTURE_TEST_CASE(disabled_server_stays_disabled_after_a_shutdown_or_a_close, fixture)
{
    open();
    life().on_disabled();
    BOOST_TEST(life().on_end(state::closed));
    end(state::disabled);
    life().on_closing();
    BOOST_TEST(!life().on_closed(state::closed));
    is_in(state::disabled);
    BOOST_TEST(life().on_enabled());
    is_in(state::closed);
    BOOST_TEST(!life().on_enabled());
}

BOOST_FIXTURE_TEST_CASE(server_that_is_enabled_during_its_shutdown_is_closed_after_it, fixture)
{
    open();
    life().on_disabled();
    BOOST_TEST(life().on_drain(state::disabled));
    BOOST_TEST((life().after() == state::disabled));
    BOOST_TEST(life().on_enabled());
    is_in(state::closing);
    BOOST_TEST(life().on_drained());
    end(state::closed);
}

BOOST_FIXTURE_TEST_CASE(state_change_is_returned_once, fixture)
{
    BOOST_TEST(!life().take_state_change());
    open();
    BOOST_TEST(life().take_state_change());
    BOOST_TEST(!life().take_state_change());
}

// Texts

BOOST_FIXTURE_TEST_CASE(text_about_the_next_start_depends_on_the_state, fixture)
{
    options.restart.max_restarts = 1;
    options.restart.wait = options.restart.max_wait = 3s;
    BOOST_TEST(life().restart_text(start) == "");
    open();
    BOOST_TEST(life().restart_text(start) == "");
    lose();
    BOOST_TEST(life().restart_text(start + 1500ms) == "next start in 2 s; async_connect starts the server immediately");
    BOOST_TEST(life().restart_text(start + 1h) == "next start in 0 s; async_connect starts the server immediately");
    life().on_starting();
    lose();
    BOOST_TEST(life().restart_text(start).starts_with("restarted slowly after 1 restart, next start in "));
    life().on_closing();
    BOOST_TEST(life().on_closed(state::closed));
    BOOST_TEST(life().restart_text(start) == "closed; async_connect or async_open starts the server");
    life().on_disabled();
    life().on_closing();
    BOOST_TEST(life().on_closed(state::closed));
    BOOST_TEST(life().restart_text(start) == "disabled; async_enable starts the server");
    made.reset();
    options.restart.give_up = true;
    open();
    lose();
    life().on_starting();
    lose();
    BOOST_TEST(life().restart_text(start) ==
               "no further restart after 1 restart; async_connect or async_open starts the server");
    made.reset();
    options.restart.max_restarts = 2;
    open();
    lose();
    for (int i = 0; i != 2; ++i) {
        life().on_starting();
        lose();
    }
    BOOST_TEST(life().restart_text(start) ==
               "no further restart after 2 restarts; async_connect or async_open starts the server");
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_demand_has_no_effect)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture server;
        server.open();
        BOOST_TEST(server.life().on_end(state::closed)); // no operation keeps the server open
        server.end(state::closed);
        auto const epoch = server.life().epoch();
        bool const is_demanded = failing([&] { server.life().on_demanded(1, true); });
        server.is_in(state::closed);
        BOOST_TEST(server.life().epoch() == epoch);
        BOOST_TEST(server.life().may_start_again() == is_demanded);
        BOOST_TEST(!server.life().on_released(2, true));
        server.life().on_starting();
        BOOST_TEST(server.life().on_released(1, true) == is_demanded); // only a known operation closes the server
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_open_operation_leaves_the_server_ready)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture server;
        server.open();
        BOOST_TEST(!server.life().on_released(0, true));
        bool const is_added = failing([&] { server.life().on_open_operation(7); });
        server.is_in(state::ready);
        BOOST_TEST(server.life().is_settled());
        if (!is_added)
            server.life().on_open_operation(7);
        BOOST_TEST(!server.life().on_released(7, true)); // the call that opened the server keeps it open
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_at_the_loss_of_a_server_has_no_effect)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture server;
        server.open();
        auto const epoch = server.life().epoch();
        server_supervisor::loss lost;
        if (!failing([&] { lost = server.life().on_lost(start, longest, false); })) {
            server.is_in(state::ready);
            BOOST_TEST(server.life().epoch() == epoch);
            lost = server.life().on_lost(start, longest, false);
        }
        BOOST_TEST((lost.what == loss::restart));
        BOOST_TEST((lost.wait == 1s));
        server.is_in(state::waiting);
        BOOST_TEST(server.life().epoch() == epoch + 1);
    });
}

BOOST_AUTO_TEST_SUITE_END()
