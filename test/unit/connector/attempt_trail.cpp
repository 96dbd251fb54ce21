#include <linkspan/connector/detail/attempt_trail.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(attempt_trail_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::attempt_trail;
using detail::unavailable_server;

namespace {

outcome failed(certainty delivery, error_code ec = error::attempt_timed_out)
{
    outcome out;
    out.certainty = delivery;
    out.ec = ec;
    return out;
}

// Returns the record that the trail adds for the server.
attempt_record unavailable(unavailable_server const& server)
{
    attempt_trail trail;
    trail.add_unavailable(server);
    return trail.last();
}

} // namespace

BOOST_AUTO_TEST_CASE(every_condition_is_false_for_an_empty_trail)
{
    attempt_trail trail;
    BOOST_TEST(trail.empty());
    BOOST_TEST(!trail.all_reject_arguments());
    BOOST_TEST(!trail.all_lack_tool());
    BOOST_TEST(!trail.was_sent());
    BOOST_TEST(!trail.may_have_executed());
    BOOST_TEST(!trail.has_failed_server());
    BOOST_TEST(trail.first_detail() == "");
    BOOST_TEST(trail.take().empty());
}

BOOST_AUTO_TEST_CASE(record_has_the_request_id_unless_the_request_was_not_sent)
{
    attempt_trail trail;
    trail.add_attempt("a", 7, failed(certainty::unknown), "lost");
    BOOST_TEST(trail.last().id == 7);
    BOOST_TEST(trail.last().server == "a");
    BOOST_TEST(trail.last().detail == "lost");
    trail.add_attempt("a", 8, failed(certainty::not_sent), {});
    BOOST_TEST(trail.last().id == 0);
}

BOOST_AUTO_TEST_CASE(attempt_that_did_not_reach_the_server_returns_its_outcome)
{
    attempt_trail trail;
    auto const result = trail.add_not_reached("a", error::not_connected, 3s, "no process");
    BOOST_TEST((result.certainty == certainty::not_sent));
    BOOST_TEST((result.ec == error::not_connected));
    BOOST_TEST((result.elapsed == 3s));
    BOOST_TEST(trail.last().id == 0);
    BOOST_TEST((trail.last().result.certainty == certainty::not_sent));
    BOOST_TEST(trail.last().detail == "no process");
}

BOOST_AUTO_TEST_CASE(server_that_is_not_admitted_is_recorded_as_not_eligible)
{
    attempt_trail trail;
    trail.add_not_admitted("a");
    BOOST_TEST((trail.last().result.ec == error::no_eligible_server));
    BOOST_TEST((trail.last().result.certainty == certainty::not_sent));
    BOOST_TEST(trail.last().detail == "rejected by the admission policy");
    BOOST_TEST(trail.has_failed_server());
}

BOOST_AUTO_TEST_CASE(disconnected_server_is_recorded_with_diagnostics_and_next_start)
{
    unavailable_server server;
    server.key = "a";
    auto record = unavailable(server);
    BOOST_TEST(record.server == "a");
    BOOST_TEST((record.result.ec == error::not_connected));
    BOOST_TEST(record.detail == "");
    BOOST_TEST(!record.result.retry_after);

    server.restart_text = "next start in 4 s";
    server.restart_in = 4s;
    record = unavailable(server);
    BOOST_TEST(record.detail == "next start in 4 s");
    BOOST_TEST((record.result.retry_after == 4s));

    server.diagnostics = "exit status 1";
    BOOST_TEST(unavailable(server).detail == "exit status 1; next start in 4 s");
}

BOOST_AUTO_TEST_CASE(server_with_open_breaker_is_recorded_with_the_next_probe)
{
    unavailable_server server;
    server.is_connected = server.has_open_breaker = true;
    auto record = unavailable(server);
    BOOST_TEST((record.result.ec == error::no_eligible_server));
    BOOST_TEST(record.detail == "circuit breaker is open until a probe succeeds");
    BOOST_TEST(!record.result.retry_after);

    server.last_resort_in_use = true;
    server.probe_in = 2s;
    server.pause = 9s; // less relevant than the breaker
    server.last_failure = error::attempt_timed_out;
    record = unavailable(server);
    BOOST_TEST(record.detail == "circuit breaker is open until a probe succeeds, a trial call of another caller is in "
                                "progress; last failure: " +
                                    make_error_code(error::attempt_timed_out).message());
    BOOST_TEST((record.result.retry_after == 2s));
}

BOOST_AUTO_TEST_CASE(server_that_requested_a_pause_is_recorded_with_the_remaining_pause)
{
    unavailable_server server;
    server.is_connected = true;
    server.pause = 9s;
    auto const record = unavailable(server);
    BOOST_TEST((record.result.ec == error::no_eligible_server));
    BOOST_TEST(record.detail == "the server requested a pause");
    BOOST_TEST((record.result.retry_after == 9s));
}

BOOST_AUTO_TEST_CASE(full_queue_is_not_a_failure_of_a_server)
{
    unavailable_server server;
    server.is_connected = true;
    attempt_trail trail;
    trail.add_unavailable(server);
    BOOST_TEST((trail.last().result.ec == error::queue_full));
    BOOST_TEST(!trail.has_failed_server());
    trail.add_unavailable({});
    BOOST_TEST(trail.has_failed_server());
}

BOOST_AUTO_TEST_CASE(arguments_are_rejected_only_if_no_request_was_sent)
{
    BOOST_TEST(detail::is_rejection_of_arguments(detail::rejection_of_arguments()));
    BOOST_TEST(!detail::is_rejection_of_arguments(failed(certainty::completed, error::invalid_arguments)));
    attempt_trail trail;
    trail.add_attempt("a", 0, detail::rejection_of_arguments(), "first");
    trail.add_attempt("b", 0, detail::rejection_of_arguments(), "second");
    BOOST_TEST(trail.all_reject_arguments());
    BOOST_TEST(trail.first_detail() == "first");
    trail.add_attempt("c", 0, failed(certainty::unknown, error::invalid_arguments), {});
    BOOST_TEST(!trail.all_reject_arguments());
}

BOOST_AUTO_TEST_CASE(tool_is_missing_only_if_no_server_has_it)
{
    attempt_trail trail;
    trail.add_not_reached("a", error::tool_not_found, {}, {});
    BOOST_TEST(trail.all_lack_tool());
    trail.add_not_reached("b", error::not_connected, {}, {});
    BOOST_TEST(!trail.all_lack_tool());
}

BOOST_AUTO_TEST_CASE(certainty_of_the_records_determines_sending_and_execution)
{
    struct row {
        certainty delivery;
        bool was_sent, may_have_executed;
    };
    for (auto const& [delivery, was_sent, may_have_executed] :
         {row{certainty::not_sent, false, false}, row{certainty::refused, true, false},
          row{certainty::unknown, true, true}, row{certainty::completed, true, true}}) {
        attempt_trail trail;
        trail.add_attempt("a", 1, failed(certainty::not_sent), {});
        trail.add_attempt("b", 2, failed(delivery), {});
        BOOST_TEST(trail.was_sent() == was_sent);
        BOOST_TEST(trail.may_have_executed() == may_have_executed);
    }
}

BOOST_AUTO_TEST_CASE(missing_tool_makes_the_last_attempt_a_refused_one)
{
    attempt_trail trail;
    trail.add_attempt("a", 1, failed(certainty::completed), {});
    trail.add_attempt("b", 2, failed(certainty::completed), {});
    trail.on_tool_missing();
    auto const records = trail.take();
    BOOST_REQUIRE(records.size() == 2u);
    BOOST_TEST((records[0].result.certainty == certainty::completed));
    BOOST_TEST((records[1].result.certainty == certainty::refused));
    BOOST_TEST(trail.empty());
}

BOOST_AUTO_TEST_CASE(removal_of_unsent_attempts_keeps_the_order_of_the_others)
{
    attempt_trail trail;
    trail.add_attempt("a", 1, failed(certainty::unknown), {});
    trail.add_not_reached("b", error::not_connected, {}, {});
    trail.add_attempt("c", 2, failed(certainty::refused), {});
    trail.remove_unsent();
    auto const records = trail.take();
    BOOST_REQUIRE(records.size() == 2u);
    BOOST_TEST(records[0].server == "a");
    BOOST_TEST(records[1].server == "c");
}

BOOST_AUTO_TEST_CASE(text_of_the_last_failure_names_the_server_and_the_reason)
{
    attempt_trail trail;
    trail.add_attempt("a", 1, failed(certainty::unknown), "the stream ended");
    BOOST_TEST(trail.last_failure_text() == "last attempt on 'a': the stream ended");
    error_code const reset = boost::asio::error::connection_reset;
    trail.add_attempt("b", 2, failed(certainty::unknown, reset), {});
    BOOST_TEST(trail.last_failure_text() == "last attempt on 'b': " + reset.message());
    trail.clear();
    BOOST_TEST(trail.empty());
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_record_keeps_the_other_records)
{
    std::string const server(40, 's'); // longer than the small buffer of a string
    unavailable_server tripped;
    tripped.key = server;
    tripped.is_connected = tripped.has_open_breaker = true;
    void (*const additions[])(attempt_trail&, std::string const&, unavailable_server const&) = {
        [](attempt_trail& trail, std::string const& name, unavailable_server const&) {
            trail.add_attempt(name, 2, failed(certainty::unknown), "a text that needs an allocation");
        },
        [](attempt_trail& trail, std::string const& name, unavailable_server const&) {
            trail.add_not_reached(name, error::not_connected, {}, "a text that needs an allocation");
        },
        [](attempt_trail& trail, std::string const& name, unavailable_server const&) { trail.add_not_admitted(name); },
        [](attempt_trail& trail, std::string const&, unavailable_server const& one) { trail.add_unavailable(one); },
    };
    for (auto const& add : additions)
        linkspan::test::fail_each_allocation([&](auto& failing) {
            attempt_trail trail;
            trail.add_attempt("a", 1, failed(certainty::unknown), {});
            bool const is_added = failing([&] { add(trail, server, tripped); });
            auto const records = trail.take();
            BOOST_REQUIRE(records.size() == (is_added ? 2u : 1u));
            BOOST_TEST(records[0].server == "a");
        });
}

BOOST_AUTO_TEST_SUITE_END()
