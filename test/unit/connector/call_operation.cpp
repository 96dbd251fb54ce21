#include <linkspan/connector/detail/call_operation.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/scripted_policies.hpp"

BOOST_AUTO_TEST_SUITE(call_operation_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::call_operation;
using detail::connector_core;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

error_code const aborted = asio::error::operation_aborted;

call_result some_result() { return {detail::shared_text(std::string_view("{}")), {}}; }

// A call without attempts, which records its events.
struct operation final : call_operation {
    using call_operation::assign;
    using call_operation::begin;
    using call_operation::complete;
    using call_operation::complete_if_cancelled;
    using call_operation::consultation;
    using call_operation::fail;
    using call_operation::fail_with_result;
    using call_operation::is_cancelled;
    using call_operation::later;
    using call_operation::now;
    using call_operation::on_initiated;
    using call_operation::on_requested;
    using call_operation::on_responded;
    using call_operation::outcome_at_end;
    using call_operation::pause;
    using call_operation::pause_reason;
    using call_operation::resume;
    using call_operation::trail;
    using call_operation::was_closed;

    void recycle(connector_core&) noexcept override
    {
        ++recycled;
        release();
    }
    detail::call_routing const& routes() const noexcept override { return routing; }
    void on_done(reply const&) override {}
    void on_due(pause_reason why) override
    {
        due.push_back(why);
        if (then)
            then();
    }
    bool was_requested() const noexcept override { return requested; }
    void on_cancelled(bool is_attempting) override { cancelled.push_back(is_attempting); }
    void on_end() noexcept override { ++ended; }

    detail::call_routing routing;
    std::vector<pause_reason> due;
    std::function<void()> then;  // called by on_due()
    std::vector<bool> cancelled; // arguments of on_cancelled()
    bool requested = false;

    // Events of the object, which may be read after its destruction.
    struct counts {
        int ended = 0, recycled = 0;
    };
    std::shared_ptr<counts> const events = std::make_shared<counts>();
    int &ended = events->ended, &recycled = events->recycled;
};

using reason = operation::pause_reason;

struct fixture {
    fixture() { call.assign(core); }

    // Starts the call; `inside` runs in the initiating function.
    template<class Function>
    void start(Function inside)
    {
        auto handler = [this](error_code ec, call_result result) {
            ++completions;
            code = ec;
            received = std::move(result);
        };
        call.begin({asio::bind_cancellation_slot(signal.slot(), std::move(handler)), context->get_executor()});
        inside();
        call.on_initiated();
    }

    void start()
    {
        start([] {});
    }

    void set_timeout(duration timeout)
    {
        call_options options;
        options.timeout = timeout;
        call.request().set_options(std::move(options));
    }

    void pause(reason why, duration span) { BOOST_TEST(call.pause(why, call.now() + span)); }

    void run() { time.run_until_idle(); }

    // Checks that the call is complete, once, with this error.
    void expect_end(error_code ec)
    {
        run();
        BOOST_TEST(completions == 1);
        BOOST_TEST(code == ec, code.message());
        BOOST_TEST(call.ended == 1);
        BOOST_TEST(call.recycled == 1);
        BOOST_TEST(core->calls().in_flight() == 0u);
        BOOST_TEST(!core->calls().last_paused());
    }

    std::optional<asio::io_context> context{std::in_place, 1};
    test::virtual_time& time = test::virtual_time::install(*context);
    std::shared_ptr<connector_core> core =
        std::make_shared<connector_core>(context->get_executor(), std::make_unique<test::scripted_policies>());
    asio::cancellation_signal signal;
    int completions = 0;
    error_code code;
    call_result received;
    std::unique_ptr<operation> owned_call = std::make_unique<operation>();
    operation& call = *owned_call;
};

} // namespace

// Start and completion

BOOST_FIXTURE_TEST_CASE(start_sets_the_deadline_of_the_call, fixture)
{
    set_timeout(7s);
    start();
    BOOST_TEST((call.timeout == 7s));
    BOOST_TEST((call.deadline == call.now() + 7s));
    BOOST_TEST(core->calls().in_flight() == 1u);
    BOOST_TEST(!call.was_closed());
    core->epoch().on_close();
    BOOST_TEST(call.was_closed());
    call.fail({}, {});
    expect_end({});
}

BOOST_FIXTURE_TEST_CASE(deadline_has_a_default_and_is_never_beyond_the_maximum, fixture)
{
    start();
    BOOST_TEST((call.deadline == call.now() + 300s));
    call.fail({}, {});
    run();
    call.assign(core);
    set_timeout(duration::max());
    start();
    BOOST_TEST((call.deadline == time_point::max()));
    call.fail({}, {});
    run();
}

BOOST_FIXTURE_TEST_CASE(failure_inside_the_initiating_function_is_posted, fixture)
{
    call.request().reset({}, "read");
    start([&] { call.fail(error::tool_not_found, "no tool"); });
    BOOST_TEST(completions == 0);
    BOOST_TEST(call.recycled == 0); // the initiating function may use the object
    expect_end(error::tool_not_found);
    BOOST_TEST(received.detail() == "no tool");
    BOOST_TEST(received.tool() == "read");
}

BOOST_FIXTURE_TEST_CASE(completion_outside_of_the_initiating_function_is_immediate, fixture)
{
    start();
    asio::post(*context, [&] {
        call.complete({}, some_result());
        BOOST_TEST(completions == 1);
        BOOST_TEST(call.recycled == 1);
    });
    expect_end({});
}

BOOST_FIXTURE_TEST_CASE(failed_call_has_its_records_and_may_have_a_result, fixture)
{
    start();
    call.trail().add_not_reached("a", error::not_connected, {}, {});
    call.fail_with_result(error::unexpected_result, some_result(), "wrong type");
    expect_end(error::unexpected_result);
    BOOST_TEST(received.detail() == "wrong type");
    BOOST_REQUIRE(received.attempts().size() == 1u);
    BOOST_TEST(received.attempts()[0].server == "a");
    BOOST_TEST(call.trail().empty());
}

BOOST_FIXTURE_TEST_CASE(progress_of_the_server_is_passed_to_the_caller, fixture)
{
    double last = 0;
    call_options options;
    options.on_progress = [&](progress_update const& update) { last = update.progress; };
    request_op& request = call;
    start();
    request.on_progress({}); // without a handler
    call.request().set_options(std::move(options));
    progress_update update;
    update.progress = 3;
    request.on_progress(update);
    BOOST_TEST(last == 3);
    call.fail({}, {});
    run();
}

BOOST_FIXTURE_TEST_CASE(outcome_of_an_attempt_has_its_time, fixture)
{
    start();
    call.began = call.now() - 4s;
    auto const out = call.outcome_at_end(certainty::refused, error::stream_ended);
    BOOST_TEST((out.certainty == certainty::refused));
    BOOST_TEST((out.ec == error::stream_ended));
    BOOST_TEST((out.elapsed == 4s));
    BOOST_TEST(!out.started);
    call.fail({}, {});
    run();
}

// Pauses

BOOST_FIXTURE_TEST_CASE(pause_ends_at_its_time, fixture)
{
    start();
    pause(reason::waiting, 5s);
    BOOST_TEST(core->calls().last_paused() == &call);
    auto const begin = call.now();
    call.then = [&] {
        BOOST_TEST(!core->calls().last_paused());
        BOOST_TEST((call.now() == begin + (call.due.size() == 1 ? 5s : 6s)));
        if (call.due.size() == 1)
            pause(reason::checking, 1s);
        else
            call.fail(error::deadline_exceeded, {});
    };
    expect_end(error::deadline_exceeded);
    BOOST_TEST((call.due == std::vector{reason::waiting, reason::checking}));
}

BOOST_FIXTURE_TEST_CASE(resumed_call_ignores_the_end_of_the_pause, fixture)
{
    start();
    pause(reason::resolving, 5s);
    call.resume();
    BOOST_TEST(!core->calls().last_paused());
    run();
    BOOST_TEST(call.due.empty());
    call.fail({}, {});
    expect_end({});
}

BOOST_FIXTURE_TEST_CASE(handlers_of_an_ended_pause_are_discarded, fixture)
{
    start();
    int calls = 0;
    auto const first = call.later([&] { return ++calls; });
    pause(reason::connecting, 5s);
    BOOST_TEST(first() == 1);
    call.resume();
    BOOST_TEST(first() == 0);
    auto const second = call.later([&](int) { ++calls; });
    second(1);
    BOOST_TEST(calls == 2);
    call.fail({}, {});
    second(1);
    BOOST_TEST(calls == 2);
    run();
}

BOOST_FIXTURE_TEST_CASE(handlers_of_a_destroyed_connector_are_discarded, fixture)
{
    int calls = 0;
    auto const handler = call.later([&] { ++calls; });
    handler();
    BOOST_TEST(calls == 1);
    call.recycle(*core);
    core.reset();
    handler();
    BOOST_TEST(calls == 1);
}

BOOST_FIXTURE_TEST_CASE(aborted_call_completes_later, fixture)
{
    start();
    pause(reason::waiting, 5s);
    call.abort();
    BOOST_TEST(completions == 0);
    expect_end(aborted);
    BOOST_TEST(call.due.empty());
    BOOST_TEST(call.cancelled.empty());
}

BOOST_FIXTURE_TEST_CASE(paused_call_is_dropped_with_the_execution_context, fixture)
{
    start();
    pause(reason::waiting, 5s);
    auto const events = call.events;
    // The timer of a call must not outlive the context: a handler owns the call, as handlers own a connector.
    asio::post(*context, [owned = std::move(owned_call)] {});
    context.reset();
    BOOST_TEST(completions == 0);
    BOOST_TEST(events->ended == 1);
    BOOST_TEST(events->recycled == 1);
    BOOST_TEST(!core->calls().last_paused());
    BOOST_TEST(core->calls().in_flight() == 0u);
}

// Cancellation

BOOST_FIXTURE_TEST_CASE(paused_call_is_cancelled_at_once, fixture)
{
    start();
    pause(reason::waiting, 5s);
    signal.emit(cancel::none);
    BOOST_TEST(call.cancelled.empty());
    signal.emit(cancel::total);
    BOOST_TEST(completions == 0);
    BOOST_TEST((call.cancelled == std::vector{false}));
    signal.emit(cancel::terminal);
    expect_end(aborted);
    BOOST_TEST((call.cancelled == std::vector{false}));
}

BOOST_FIXTURE_TEST_CASE(attempt_of_a_session_is_cancelled_at_once, fixture)
{
    start();
    call.on_requested();
    signal.emit(cancel::partial);
    BOOST_TEST((call.cancelled == std::vector{true}));
    expect_end(aborted);
}

BOOST_FIXTURE_TEST_CASE(total_cancellation_has_no_effect_after_a_request_that_a_server_may_have_executed, fixture)
{
    start();
    pause(reason::intercepting, 5s);
    call.requested = true;
    signal.emit(cancel::total);
    BOOST_TEST(call.cancelled.empty());
    call.requested = false;
    outcome unknown;
    unknown.certainty = certainty::unknown;
    call.trail().add_attempt("a", 1, unknown, {});
    signal.emit(cancel::total);
    BOOST_TEST(call.cancelled.empty());
    signal.emit(cancel::total | cancel::partial);
    expect_end(aborted);
}

BOOST_FIXTURE_TEST_CASE(call_that_is_cancelled_inside_its_initiating_function_completes_at_the_first_pause, fixture)
{
    for (auto const type : {cancel::total, cancel::partial, cancel::terminal}) {
        completions = call.ended = call.recycled = 0;
        call.assign(core);
        start([&] {
            signal.emit(type);
            BOOST_TEST(call.is_cancelled());
            BOOST_TEST(call.cancelled.empty());
            BOOST_TEST(!call.pause(reason::connecting, call.now() + 5s));
        });
        expect_end(aborted);
        BOOST_TEST(call.cancelled.empty());
    }
}

BOOST_FIXTURE_TEST_CASE(call_that_is_cancelled_inside_its_functions_completes_before_the_next_request, fixture)
{
    start();
    BOOST_TEST(!call.complete_if_cancelled());
    call.on_requested();
    call.on_responded();
    signal.emit(cancel::terminal);
    asio::post(*context, [&] {
        BOOST_TEST(call.complete_if_cancelled());
        BOOST_TEST(completions == 1); // no function of another object is on the stack
    });
    expect_end(aborted);
}

BOOST_FIXTURE_TEST_CASE(failure_of_a_cancelled_call_is_the_cancellation, fixture)
{
    start([&] {
        signal.emit(cancel::terminal);
        call.fail(error::all_servers_failed, "last failure");
    });
    expect_end(aborted);
    BOOST_TEST(received.detail() == "");
}

BOOST_FIXTURE_TEST_CASE(result_of_a_cancelled_call_is_delivered, fixture)
{
    start();
    signal.emit(cancel::terminal);
    call.complete({}, some_result());
    expect_end({});
}

BOOST_FIXTURE_TEST_CASE(total_cancellation_inside_a_function_has_no_effect_if_a_server_may_have_executed_the_call,
                        fixture)
{
    start();
    call.requested = true;
    signal.emit(cancel::total);
    BOOST_TEST(!call.is_cancelled());
    pause(reason::waiting, 1s);
    call.then = [&] { call.fail(error::deadline_exceeded, {}); };
    expect_end(error::deadline_exceeded);
}

BOOST_FIXTURE_TEST_CASE(cancellation_has_no_effect_while_policies_are_consulted, fixture)
{
    start();
    pause(reason::intercepting, 5s);
    {
        operation::consultation const here(call);
        signal.emit(cancel::terminal);
        BOOST_TEST(call.cancelled.empty());
        BOOST_TEST(call.is_cancelled());
    }
    BOOST_TEST(core->calls().last_paused() == &call);
    signal.emit(cancel::terminal); // the call is paused again
    BOOST_TEST((call.cancelled == std::vector{false}));
    expect_end(aborted);
}

BOOST_FIXTURE_TEST_CASE(call_that_completes_while_policies_are_consulted_stays_complete, fixture)
{
    start();
    pause(reason::intercepting, 5s);
    {
        operation::consultation const here(call);
        call.abort();
    }
    signal.emit(cancel::terminal);
    expect_end(aborted);
    BOOST_TEST(call.cancelled.empty());
}

BOOST_FIXTURE_TEST_CASE(reused_object_has_no_state_of_the_last_call, fixture)
{
    start();
    signal.emit(cancel::terminal);
    int calls = 0;
    auto const handler = call.later([&] { ++calls; });
    call.trail().add_not_reached("a", error::not_connected, {}, {});
    call.complete({}, {});
    expect_end({});
    call.assign(core);
    handler();
    BOOST_TEST(calls == 0);
    BOOST_TEST(!call.is_cancelled());
    start();
    pause(reason::waiting, 1s);
    call.then = [&] { call.fail(error::deadline_exceeded, {}); };
    run();
    BOOST_TEST(completions == 2);
    BOOST_TEST(received.attempts().empty());
}

BOOST_AUTO_TEST_SUITE_END()
