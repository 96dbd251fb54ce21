#include <linkspan/protocol/client/task_poll.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(task_poll_test)

using namespace linkspan;
using namespace std::chrono_literals;
using step = task_poll::action::kind;

namespace {

constexpr time_point now{1h};

task found(task_status status, std::optional<std::chrono::milliseconds> interval = {})
{
    task out;
    out.id = "t";
    out.status = status;
    out.poll_interval = interval;
    return out;
}

task with_inputs(std::string requests)
{
    auto out = found(task_status::input_required, 2s);
    out.input_requests = std::move(requests);
    return out;
}

task completed(std::string result)
{
    auto out = found(task_status::completed);
    out.result = std::move(result);
    return out;
}

// A wait that has sent its first `tasks/get`.
struct fixture {
    explicit fixture(era of = era::stateless) : poll("t", of, 2)
    {
        poll.start(found(task_status::working), now);
        poll.on_pause_over();
    }

    // Ends the pause, and processes the next response.
    task_poll::action next(task const& state)
    {
        poll.on_pause_over();
        return poll.on_task(state, now);
    }

    task_poll poll;
};

constexpr auto one = R"({"a":{"method":"roots/list"}})";
constexpr auto two = R"({"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"m":1}}})";

} // namespace

BOOST_AUTO_TEST_CASE(wait_begins_with_a_pause_and_requests_the_task_after_it)
{
    for (auto const of : {era::handshake, era::stateless}) {
        task_poll poll("t", of, 2);
        auto const first = poll.start(found(task_status::working, 3s), now);
        BOOST_TEST((first.what == step::pause));
        BOOST_TEST((first.until == now + 3s));
        BOOST_TEST((poll.on_pause_over().what == step::get));
        BOOST_TEST((poll.on_pause_over().what == step::none)); // the request is outstanding
    }
}

BOOST_FIXTURE_TEST_CASE(each_response_determines_the_next_pause, fixture)
{
    auto const pause = [this](std::optional<std::chrono::milliseconds> interval) {
        auto const next = this->next(found(task_status::working, interval));
        BOOST_TEST((next.what == step::pause));
        return next.until - now;
    };
    BOOST_TEST((pause(5s) == 5s));
    BOOST_TEST((pause(200ms) == 200ms));
    BOOST_TEST((pause({}) == task_poll::default_interval));
    BOOST_TEST((pause(0ms) == task_poll::min_interval));
    BOOST_TEST((pause(std::chrono::milliseconds(std::numeric_limits<std::int64_t>::max())) == task_poll::max_interval));
    BOOST_TEST((pause(std::chrono::milliseconds(std::numeric_limits<std::int64_t>::min())) == task_poll::min_interval));
}

BOOST_FIXTURE_TEST_CASE(completed_task_has_the_result_of_the_call, fixture)
{
    auto const end = poll.on_task(completed(R"({"content":[],"resultType":"complete"})"), now);
    BOOST_TEST((end.what == step::complete));
    BOOST_TEST(end.text == R"({"content":[],"resultType":"complete"})");
    BOOST_TEST((poll.status() == task_status::completed));
    BOOST_TEST((poll.on_task(completed("{}"), now).what == step::none)); // the wait is over
}

BOOST_AUTO_TEST_CASE(completed_task_without_a_valid_result_is_malformed)
{
    for (auto const result : {"", "null", "7", R"({"resultType":"input_required"})"}) {
        fixture wait;
        auto const end = wait.poll.on_task(completed(result), now);
        BOOST_TEST((end.what == step::fail));
        BOOST_TEST((end.ec == error::malformed_message));
    }
}

BOOST_AUTO_TEST_CASE(failed_task_has_the_code_and_message_of_its_error)
{
    auto failed = found(task_status::failed);
    failed.error = R"({"code":-32000,"message":"no \"memory\""})";
    fixture wait;
    auto const end = wait.poll.on_task(failed, now);
    BOOST_TEST((end.what == step::fail));
    BOOST_TEST((end.ec == error_code(-32000, rpc_category())));
    BOOST_TEST(end.text == R"(no "memory")");
    for (auto const invalid : {"", "{}", R"({"code":0})", "[]"}) {
        failed.error = invalid;
        fixture other;
        BOOST_TEST((other.poll.on_task(failed, now).ec == error::malformed_message));
    }
}

BOOST_AUTO_TEST_CASE(cancelled_task_fails_in_both_eras)
{
    for (auto const of : {era::handshake, era::stateless}) {
        auto cancelled = found(task_status::cancelled);
        cancelled.message = "by the operator";
        fixture wait(of);
        auto const end = wait.poll.on_task(cancelled, now);
        BOOST_TEST((end.what == step::fail));
        BOOST_TEST((end.ec == error::task_cancelled));
        BOOST_TEST(end.text == "by the operator");
    }
}

BOOST_AUTO_TEST_CASE(result_is_fetched_by_tasks_result_in_handshake_era)
{
    for (auto const status : {task_status::completed, task_status::failed, task_status::input_required}) {
        fixture wait(era::handshake);
        BOOST_TEST((wait.poll.on_task(found(status), now).what == step::fetch_result));
        BOOST_TEST((wait.poll.status() == status));
        BOOST_TEST((wait.poll.on_pause_over().what == step::none));
    }
}

BOOST_FIXTURE_TEST_CASE(response_about_another_task_is_malformed, fixture)
{
    auto other = found(task_status::working);
    other.id = "u";
    auto const end = poll.on_task(other, now);
    BOOST_TEST((end.ec == error::malformed_message));
    BOOST_TEST(end.text == "the response describes task 'u' instead of 't'");
}

BOOST_AUTO_TEST_CASE(final_task_without_its_outcome_is_requested_again)
{
    for (auto const status : {task_status::completed, task_status::failed}) {
        task_poll stateless("t", era::stateless, 2);
        BOOST_TEST((stateless.start(found(status), now).what == step::get));
        BOOST_TEST((stateless.on_task(completed("{}"), now).what == step::complete));
        task_poll handshake("t", era::handshake, 2);
        BOOST_TEST((handshake.start(found(status), now).what == step::fetch_result));
    }
    task_poll known("t", era::stateless, 2);
    BOOST_TEST((known.start(completed("{}"), now).what == step::complete));
    task_poll cancelled("t", era::stateless, 2);
    BOOST_TEST((cancelled.start(found(task_status::cancelled), now).ec == error::task_cancelled));
}

BOOST_FIXTURE_TEST_CASE(new_input_requests_are_reported_once, fixture)
{
    BOOST_TEST((poll.on_task(with_inputs(one), now).what == step::pause));
    BOOST_TEST(poll.first_new() == 0u);
    BOOST_TEST_REQUIRE(poll.inputs().size() == 1u);
    BOOST_TEST(poll.inputs()[0].method == "roots/list");
    BOOST_TEST(poll.inputs()[0].params == "{}");
    BOOST_TEST((poll.on_handlers_called().what == step::none)); // no handler has responded
    BOOST_TEST((next(with_inputs(one)).what == step::pause));
    BOOST_TEST(poll.first_new() == 1u);
    BOOST_TEST((next(with_inputs(two)).what == step::pause));
    BOOST_TEST(poll.first_new() == 1u);
    BOOST_TEST_REQUIRE(poll.inputs().size() == 2u);
    BOOST_TEST(poll.inputs()[1].params == R"({"m":1})");
}

BOOST_FIXTURE_TEST_CASE(responses_of_one_round_are_sent_together, fixture)
{
    poll.on_task(with_inputs(two), now);
    BOOST_TEST((poll.on_input(0, R"({"roots":[]})").what == step::none));
    BOOST_TEST((poll.on_input(1, R"({"action":"decline"})").what == step::none));
    auto const sent = poll.on_handlers_called();
    BOOST_TEST((sent.what == step::update));
    BOOST_TEST(sent.text == R"("taskId":"t","inputResponses":{"a":{"roots":[]},"b":{"action":"decline"}})");
    auto const rest = poll.on_updated();
    BOOST_TEST((rest.what == step::pause));
    BOOST_TEST((rest.until == now + 2s));
    BOOST_TEST((poll.on_updated().what == step::none));
}

BOOST_FIXTURE_TEST_CASE(later_responses_are_sent_after_the_outstanding_request, fixture)
{
    poll.on_task(with_inputs(two), now);
    poll.on_handlers_called();
    auto const first = poll.on_input(1, "{}");
    BOOST_TEST(first.text == R"("taskId":"t","inputResponses":{"b":{}})");
    BOOST_TEST((poll.on_input(0, "{}").what == step::none)); // `tasks/update` is outstanding
    BOOST_TEST((poll.on_input(0, "{}").what == step::none)); // the request is closed
    BOOST_TEST((poll.on_input(2, "{}").what == step::none)); // there is no such request
    BOOST_TEST((poll.on_pause_over().what == step::none));
    auto const second = poll.on_updated();
    BOOST_TEST(second.text == R"("taskId":"t","inputResponses":{"a":{}})");
    BOOST_TEST((poll.on_updated().what == step::get)); // the pause ended during the update
}

BOOST_FIXTURE_TEST_CASE(response_during_a_poll_is_sent_after_it, fixture)
{
    poll.on_task(with_inputs(one), now);
    poll.on_handlers_called();
    poll.on_pause_over();
    BOOST_TEST((poll.on_input(0, "{}").what == step::none));
    BOOST_TEST((poll.on_task(with_inputs(one), now).what == step::update));
}

BOOST_FIXTURE_TEST_CASE(response_after_the_end_is_ignored, fixture)
{
    poll.on_task(with_inputs(one), now);
    poll.on_handlers_called();
    next(completed("{}"));
    BOOST_TEST((poll.on_input(0, "{}").what == step::none));
    BOOST_TEST((poll.on_updated().what == step::none));
    BOOST_TEST((poll.on_handlers_called().what == step::none));
}

BOOST_FIXTURE_TEST_CASE(rounds_of_input_are_limited, fixture)
{
    auto const round = [this](std::string const& key) {
        auto const action = next(with_inputs(R"({")" + key + R"(":{"method":"m"}})"));
        poll.on_handlers_called();
        return action;
    };
    BOOST_TEST((round("a").what == step::pause));
    BOOST_TEST((round("b").what == step::pause));
    BOOST_TEST((round("a").what == step::pause)); // a known key is no round
    BOOST_TEST((round("c").ec == error::too_many_input_rounds));
}

BOOST_FIXTURE_TEST_CASE(input_requests_of_one_task_are_limited, fixture)
{
    std::string many = "{";
    for (std::size_t i = 0; i <= task_poll::max_inputs; ++i)
        many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"method":"m"})";
    auto const end = poll.on_task(with_inputs(many + "}"), now);
    BOOST_TEST((end.ec == error::too_many_input_rounds));
    BOOST_TEST(end.text == "101 input requests in one task, expected at most 100");
}

BOOST_AUTO_TEST_CASE(invalid_input_requests_are_malformed_and_missing_ones_are_awaited)
{
    for (auto const requests : {"[]", "7", R"({"a":{}})", R"({"a":{"method":1}})"}) {
        fixture wait;
        BOOST_TEST((wait.poll.on_task(with_inputs(requests), now).ec == error::malformed_message), requests);
    }
    for (auto const requests : {"", "{}", "null"}) {
        fixture wait;
        BOOST_TEST((wait.poll.on_task(with_inputs(requests), now).what == step::pause));
    }
}

BOOST_AUTO_TEST_CASE(wait_is_continued_after_a_failed_allocation_in_each_event)
{
    std::string const long_text(40, 'x'); // longer than the small buffer of a string
    std::string const a = "a" + long_text, b = "b" + long_text;
    auto const inputs = with_inputs(R"({")" + a + R"(":{"method":"elicitation/create","params":{"message":"m"}},")" +
                                    b + R"(":{"method":"sampling/createMessage"}})");
    auto const result = R"({"resultType":"complete","text":")" + long_text + R"("})";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        fixture of;
        task_poll::action next;
        auto const pass = [&](auto const& event) {
            if (!failing([&] { next = event(); }))
                next = event();
            return next.what;
        };
        auto const receives = [&] { return of.poll.on_task(inputs, now); };
        if (!failing([&] { next = receives(); })) {
            // The failed event has stored no input: the repeated event would skip a stored one.
            BOOST_TEST(of.poll.inputs().empty());
            next = receives();
        }
        BOOST_TEST((next.what == step::pause));
        BOOST_TEST(of.poll.first_new() == 0u);
        BOOST_TEST_REQUIRE(of.poll.inputs().size() == 2u);
        BOOST_TEST(of.poll.inputs()[1].key == b);
        BOOST_TEST((pass([&] { return of.poll.on_input(0, long_text); }) == step::none));
        BOOST_TEST((pass([&] { return of.poll.on_handlers_called(); }) == step::update));
        BOOST_TEST(next.text == R"("taskId":"t","inputResponses":{")" + a + R"(":)" + long_text + "}");
        BOOST_TEST((pass([&] { return of.poll.on_input(1, long_text); }) == step::none)); // during the update
        BOOST_TEST((pass([&] { return of.poll.on_updated(); }) == step::update));
        BOOST_TEST(next.text == R"("taskId":"t","inputResponses":{")" + b + R"(":)" + long_text + "}");
        BOOST_TEST((pass([&] { return of.poll.on_updated(); }) == step::pause));
        BOOST_TEST((pass([&] { return of.poll.on_pause_over(); }) == step::get));
        BOOST_TEST((pass([&] { return of.poll.on_task(completed(result), now); }) == step::complete));
        BOOST_TEST(next.text == result);
    });
}

BOOST_AUTO_TEST_CASE(response_is_sent_by_the_next_event_after_a_failed_allocation)
{
    std::string const response(40, 'r');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        fixture of;
        of.poll.on_task(with_inputs(one), now);
        of.poll.on_handlers_called();
        task_poll::action next;
        if (!failing([&] { next = of.poll.on_input(0, response); })) {
            next = of.poll.on_input(0, response); // ignored if the response is stored
            if (next.what == step::none)
                next = of.poll.on_handlers_called();
        }
        BOOST_TEST((next.what == step::update));
        BOOST_TEST(next.text == R"("taskId":"t","inputResponses":{"a":)" + response + "}");
        BOOST_TEST((of.poll.inputs()[0].reached == task_poll::stage::sent));
    });
}

BOOST_AUTO_TEST_CASE(failure_of_a_task_is_reported_again_after_a_failed_allocation)
{
    auto failed = found(task_status::failed);
    failed.error = R"({"code":-5,"message":")" + std::string(40, 'm') + R"("})";
    auto other = found(task_status::working);
    other.id = std::string(40, 'o');
    for (auto const* const last : {&failed, &other})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            fixture of;
            task_poll::action next;
            if (!failing([&] { next = of.poll.on_task(*last, now); }))
                next = of.poll.on_task(*last, now);
            BOOST_TEST((next.what == step::fail));
            BOOST_TEST(next.text.size() >= 40u);
            BOOST_TEST((of.poll.on_task(*last, now).what == step::none)); // the wait is over
        });
}

BOOST_AUTO_TEST_CASE(notification_with_the_outcome_ends_the_wait_during_a_pause)
{
    task_poll stateless("t", era::stateless, 2);
    stateless.start(found(task_status::working), now);
    auto const last = stateless.on_notified(completed(R"({"a":1})"), now);
    BOOST_TEST((last.what == step::complete));
    BOOST_TEST(last.text == R"({"a":1})");
    BOOST_TEST((stateless.on_notified(completed("{}"), now).what == step::none)); // over
    for (auto const status : {task_status::completed, task_status::input_required}) {
        task_poll handshake("t", era::handshake, 2);
        handshake.start(found(task_status::working), now);
        BOOST_TEST((handshake.on_notified(found(status), now).what == step::fetch_result));
    }
    task_poll cancelled("t", era::stateless, 2);
    cancelled.start(found(task_status::working), now);
    BOOST_TEST((cancelled.on_notified(found(task_status::cancelled), now).ec == error::task_cancelled));
}

BOOST_AUTO_TEST_CASE(notification_without_an_interval_keeps_the_interval_of_the_last_response)
{
    task_poll poll("t", era::stateless, 2);
    poll.start(found(task_status::working, 10s), now);
    BOOST_TEST((poll.on_notified(found(task_status::working), now + 1s).until == now + 11s));
    BOOST_TEST((poll.on_notified(found(task_status::working, 20s), now + 2s).until == now + 22s));
    BOOST_TEST((poll.on_notified(found(task_status::working), now + 3s).until == now + 23s));
    poll.on_pause_over();
    // A response without an interval resets the interval to the default.
    BOOST_TEST((poll.on_task(found(task_status::working), now).until == now + 1s));
}

BOOST_AUTO_TEST_CASE(notification_without_the_content_of_its_status_leads_to_an_early_poll)
{
    for (auto const status : {task_status::completed, task_status::failed, task_status::input_required}) {
        task_poll poll("t", era::stateless, 2);
        poll.start(found(task_status::working, 10s), now);
        auto const early = poll.on_notified(found(status), now + 1s);
        BOOST_TEST((early.what == step::pause));
        BOOST_TEST((early.until == now + 1100ms));
        // Repeated notifications do not delay the poll.
        BOOST_TEST((poll.on_notified(found(status), now + 1050ms).until == now + 1100ms));
        BOOST_TEST((poll.on_pause_over().what == step::get));
    }
}

BOOST_FIXTURE_TEST_CASE(notification_during_a_poll_makes_the_next_poll_early, fixture)
{
    BOOST_TEST((poll.on_notified(found(task_status::working), now).what == step::none));
    BOOST_TEST((poll.on_task(found(task_status::working, 10s), now).until == now + 10s));
    poll.on_pause_over();
    BOOST_TEST((poll.on_notified(completed("{}"), now).what == step::none));
    // This response may be older than the notification.
    BOOST_TEST((poll.on_task(found(task_status::working, 10s), now).until == now + 100ms));
    poll.on_pause_over();
    BOOST_TEST((poll.on_task(found(task_status::working, 10s), now).until == now + 10s));
}

BOOST_FIXTURE_TEST_CASE(notified_input_requests_are_passed_to_handlers_once, fixture)
{
    poll.on_task(found(task_status::working, 10s), now);
    BOOST_TEST((poll.on_notified(with_inputs(one), now).what == step::pause));
    BOOST_TEST(poll.first_new() == 0u);
    poll.on_handlers_called();
    BOOST_TEST((poll.on_notified(with_inputs(two), now).what == step::pause));
    BOOST_TEST(poll.first_new() == 1u);
    BOOST_TEST(poll.inputs().size() == 2u);
    poll.on_handlers_called();
    BOOST_TEST((poll.on_input(0, "{}").what == step::update));
    BOOST_TEST((poll.on_notified(with_inputs(two), now).what == step::none));
    auto const next = poll.on_updated(); // the notification made the next poll early
    BOOST_TEST((next.what == step::pause));
    BOOST_TEST((next.until == now + 100ms));
}

BOOST_FIXTURE_TEST_CASE(polls_are_rare_while_the_server_reports_changes_of_the_task, fixture)
{
    BOOST_TEST((poll.on_watched(true, now).what == step::none));
    // This poll was sent before the server began to report changes.
    BOOST_TEST((poll.on_task(found(task_status::working), now).until == now + 1s));
    BOOST_TEST((poll.on_watched(true, now).what == step::none));
    BOOST_TEST((next(found(task_status::working)).until == now + 30s));
    BOOST_TEST((poll.on_notified(found(task_status::working, 2s), now + 5s).until == now + 35s));
    BOOST_TEST((next(found(task_status::working, 60s)).until == now + 60s));
    auto const usual = poll.on_watched(false, now + 10s);
    BOOST_TEST((usual.what == step::pause));
    BOOST_TEST((usual.until == now + 60s)); // not later than before
    BOOST_TEST((next(found(task_status::working)).until == now + 1s));
    poll.on_watched(true, now);
    next(found(task_status::working));
    BOOST_TEST((poll.on_watched(false, now + 10s).until == now + 11s));
}

BOOST_AUTO_TEST_CASE(notification_is_processed_again_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([&](auto& failing) {
        task_poll poll("t", era::stateless, 2);
        poll.start(found(task_status::working), now);
        auto const last = completed(R"({"content":")" + std::string(40, 'r') + "\"}");
        task_poll::action next;
        if (!failing([&] { next = poll.on_notified(last, now); }))
            next = poll.on_notified(last, now);
        BOOST_TEST((next.what == step::complete));
        BOOST_TEST(next.text == last.result);
    });
}

BOOST_AUTO_TEST_CASE(event_that_does_not_apply_to_the_state_has_no_action)
{
    auto const is_ignored = [](task_poll::action const& next) { return next.what == step::none; };
    task_poll poll("t", era::stateless, 2); // idle
    BOOST_TEST(is_ignored(poll.on_pause_over()));
    BOOST_TEST(is_ignored(poll.on_task(found(task_status::working), now)));
    BOOST_TEST(is_ignored(poll.on_input(0, "{}")));
    BOOST_TEST(is_ignored(poll.on_handlers_called()));
    BOOST_TEST(is_ignored(poll.on_updated()));
    BOOST_TEST(is_ignored(poll.on_notified(completed("{}"), now)));
    BOOST_TEST(is_ignored(poll.on_watched(false, now)));
    BOOST_TEST((poll.start(with_inputs(one), now).what == step::pause)); // pausing
    BOOST_TEST(is_ignored(poll.on_task(completed("{}"), now)));
    BOOST_TEST(is_ignored(poll.on_updated()));
    BOOST_TEST(is_ignored(poll.on_handlers_called()));
    BOOST_TEST((poll.on_input(0, "{}").what == step::update)); // updating
    BOOST_TEST(is_ignored(poll.on_task(completed("{}"), now)));
    BOOST_TEST(is_ignored(poll.on_handlers_called()));
    BOOST_TEST(is_ignored(poll.on_input(0, "{}"))); // has a response
    BOOST_TEST(is_ignored(poll.on_input(1, "{}"))); // unknown
    BOOST_TEST((poll.on_updated().what == step::pause));
    BOOST_TEST((poll.on_pause_over().what == step::get)); // getting
    BOOST_TEST(is_ignored(poll.on_pause_over()));
    BOOST_TEST(is_ignored(poll.on_updated()));
    BOOST_TEST(is_ignored(poll.on_handlers_called()));
    BOOST_TEST((poll.on_task(completed("{}"), now).what == step::complete)); // over
    BOOST_TEST(is_ignored(poll.on_pause_over()));
    BOOST_TEST(is_ignored(poll.on_task(completed("{}"), now)));
    BOOST_TEST(is_ignored(poll.on_input(0, "{}")));
    BOOST_TEST(is_ignored(poll.on_handlers_called()));
    BOOST_TEST(is_ignored(poll.on_updated()));
}

BOOST_AUTO_TEST_SUITE_END()
