#include <linkspan/protocol/client/change_subscription.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"
#include "support/rpc_error.hpp"

BOOST_AUTO_TEST_SUITE(change_subscription_test)

using linkspan::change_subscription;
using linkspan::error_code;
using linkspan::request_id;
using linkspan::time_point;
using linkspan::test::rpc;
using action = linkspan::change_subscription::action;
using uri_set = linkspan::change_subscription::uri_set;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);
constexpr std::uint64_t no_jitter = 0; // the longest pause
constexpr std::string_view tools_only = R"({"toolsListChanged":true})";

std::string acknowledgement(std::string_view id, std::string_view notifications = tools_only)
{
    return R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + R"(},"notifications":)" +
           std::string(notifications) + "}";
}

struct fixture {
    change_subscription subscription;

    fixture() { subscription.want_lists(true, false, false); }

    bool is_next(action expected) const { return subscription.next() == expected; }

    // Subscribes with a request of that id.
    void subscribe(request_id id, time_point now = start)
    {
        BOOST_TEST(is_next(action::send));
        subscription.on_sent(id, now);
    }

    change_subscription::acknowledged acknowledge(request_id id, std::string_view notifications = tools_only)
    {
        return subscription.on_acknowledged(acknowledgement(std::to_string(id), notifications));
    }

    // Ends a request, waits for the pause, and returns whether there was one.
    bool end(request_id id, error_code ec = {}, time_point now = start)
    {
        auto const ended = subscription.on_end(id, ec, now);
        BOOST_TEST((!ended.pauses || is_next(action::none)));
        subscription.on_paused();
        return ended.pauses;
    }

    // Ends a subscription that lasted one second, and returns the longest pause before the next one.
    linkspan::duration end_early()
    {
        subscribe(1);
        BOOST_TEST(end(1, {}, start + 1s));
        return subscription.pause(no_jitter);
    }
};

// A subscription with an acknowledged request 7 for the tools and the resource `a`.
struct fixture_with_resource : fixture {
    fixture_with_resource()
    {
        subscription.add("a");
        subscribe(7);
        BOOST_TEST(acknowledge(7, R"({"toolsListChanged":true,"resourceSubscriptions":["a"]})").is_first);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(subscription_without_wanted_changes_needs_no_request)
{
    change_subscription subscription;
    BOOST_TEST((subscription.next() == action::none));
    subscription.add("a");
    BOOST_TEST((subscription.next() == action::send));
    BOOST_TEST(subscription.params() == R"("notifications":{"resourceSubscriptions":["a"]})");
    subscription.want_lists(true, true, true);
    BOOST_TEST(subscription.params() == "\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                                        "\"resourcesListChanged\":true,\"resourceSubscriptions\":[\"a\"]}");
    subscription.remove("a");
    subscription.remove("b");
    subscription.want_lists(false, false, false);
    BOOST_TEST((subscription.next() == action::none));
}

BOOST_FIXTURE_TEST_CASE(changes_are_assumed_to_be_reported_before_the_acknowledgement, fixture)
{
    BOOST_TEST(subscription.reports_tools());
    subscribe(7);
    BOOST_TEST(subscription.reports_tools());
    BOOST_TEST(is_next(action::none));
}

BOOST_FIXTURE_TEST_CASE(first_acknowledgement_follows_no_missed_changes, fixture)
{
    subscribe(7);
    auto const first = acknowledge(7);
    BOOST_TEST(first.is_first);
    BOOST_TEST(!first.missed_lists);
    BOOST_TEST(first.replaced == 0u);
    BOOST_TEST(subscription.reports_tools());
    BOOST_TEST(is_next(action::none));
}

BOOST_AUTO_TEST_CASE(acknowledgement_without_the_notification_is_a_refusal)
{
    for (auto const* fewer : {"{}", R"({"toolsListChanged":false})", "null"}) {
        fixture each;
        each.subscribe(7);
        BOOST_TEST(each.acknowledge(7, fewer).is_first);
        BOOST_TEST(!each.subscription.reports_tools());
        BOOST_TEST(each.is_next(action::none));
    }
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_of_another_request_is_ignored, fixture)
{
    BOOST_TEST(!acknowledge(0, "{}").is_first);
    BOOST_TEST(subscription.reports_tools());
    subscribe(7);
    for (auto const* other : {"8", "null", "true", R"("7")"})
        BOOST_TEST(!subscription.on_acknowledged(acknowledgement(other, "{}")).is_first);
    BOOST_TEST(!subscription.on_acknowledged("{}").is_first);
    BOOST_TEST(!subscription.on_acknowledged("").is_first);
    BOOST_TEST(subscription.reports_tools());
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_after_an_interruption_reports_missed_changes_once, fixture)
{
    subscribe(7);
    acknowledge(7);
    BOOST_TEST(end(7, {}, start + 1s));
    BOOST_TEST(!subscription.reports_tools());
    subscribe(8);
    BOOST_TEST(!acknowledge(7).is_first);
    BOOST_TEST(acknowledge(8).missed_lists);
    BOOST_TEST(!acknowledge(8).is_first);
    BOOST_TEST(subscription.reports_tools());
}

BOOST_FIXTURE_TEST_CASE(subscription_that_failed_before_its_acknowledgement_may_have_missed_changes, fixture)
{
    subscribe(7);
    BOOST_TEST(end(7, linkspan::error::stream_ended));
    BOOST_TEST(!acknowledge(7).is_first); // has ended
    subscribe(8);
    BOOST_TEST(acknowledge(8).missed_lists);
}

BOOST_FIXTURE_TEST_CASE(new_subscription_is_assumed_to_report_changes, fixture)
{
    subscribe(7);
    BOOST_TEST(end(7));
    BOOST_TEST(!subscription.reports_tools());
    subscribe(8);
    BOOST_TEST(subscription.reports_tools());
}

BOOST_FIXTURE_TEST_CASE(outstanding_request_is_recognized_by_its_id, fixture)
{
    BOOST_TEST(!subscription.is_outstanding(0));
    subscribe(7);
    BOOST_TEST(subscription.is_outstanding(7));
    BOOST_TEST(!subscription.is_outstanding(8));
    acknowledge(7);
    BOOST_TEST(subscription.is_outstanding(7));
    end(7);
    BOOST_TEST(!subscription.is_outstanding(7));
    BOOST_TEST(!subscription.on_end(7, {}, start).pauses);
}

BOOST_FIXTURE_TEST_CASE(abandoned_request_is_no_longer_recognized, fixture)
{
    subscribe(7);
    acknowledge(7, "{}");
    subscription.on_stopped();
    BOOST_TEST(!subscription.is_outstanding(7));
    BOOST_TEST(!acknowledge(7).is_first);
    BOOST_TEST(!subscription.reports_tools());
}

BOOST_AUTO_TEST_CASE(server_without_the_method_is_not_subscribed_to_again)
{
    for (int const code : {-32601, -32602}) {
        fixture each;
        each.subscribe(7);
        BOOST_TEST(!each.end(7, rpc(code), start + 1s));
        BOOST_TEST(!each.subscription.reports_tools());
        BOOST_TEST(each.is_next(action::none));
        each.subscription.on_opened();
        BOOST_TEST(each.is_next(action::send));
    }
}

BOOST_AUTO_TEST_CASE(other_errors_lead_to_another_subscription)
{
    for (auto const& ec : {error_code(), rpc(-32603), error_code(linkspan::error::stream_ended),
                           error_code(-32601, boost::system::system_category())}) {
        fixture each;
        each.subscribe(7);
        BOOST_TEST(each.end(7, ec, start + 1s));
        BOOST_TEST(each.is_next(action::send));
    }
}

BOOST_FIXTURE_TEST_CASE(pause_is_doubled_up_to_its_maximum_while_subscriptions_end_early, fixture)
{
    for (auto const expected : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s})
        BOOST_TEST((end_early() == expected));
}

BOOST_FIXTURE_TEST_CASE(pause_is_between_its_bound_and_half_of_it, fixture)
{
    end_early();
    auto const shortest = subscription.pause(~std::uint64_t{0});
    BOOST_TEST((shortest >= 500ms));
    BOOST_TEST((shortest < 501ms));
}

BOOST_FIXTURE_TEST_CASE(long_subscription_resets_the_pause, fixture)
{
    for (int i = 0; i != 5; ++i)
        end_early();
    subscribe(2);
    BOOST_TEST(end(2, {}, start + 60s)); // not longer than the maximum
    BOOST_TEST((subscription.pause(no_jitter) == 32s));
    subscribe(3);
    BOOST_TEST(end(3, {}, start + 61s));
    BOOST_TEST((subscription.pause(no_jitter) == 1s));
    BOOST_TEST((end_early() == 2s));
}

BOOST_FIXTURE_TEST_CASE(opening_the_session_discards_earlier_subscriptions, fixture)
{
    for (int i = 0; i != 5; ++i)
        end_early();
    subscribe(9);
    subscription.on_opened();
    BOOST_TEST(subscription.reports_tools());
    BOOST_TEST(!subscription.is_outstanding(9));
    subscribe(10);
    BOOST_TEST(!acknowledge(10).missed_lists);
    BOOST_TEST(end(10, {}, start + 1s));
    BOOST_TEST((subscription.pause(no_jitter) == 1s));
}

// Resources

BOOST_FIXTURE_TEST_CASE(added_resource_replaces_the_request_when_the_new_one_is_acknowledged, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    BOOST_TEST(subscription.is_current(7));
    auto const next = acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
    BOOST_TEST(next.replaced == 7u);
    BOOST_TEST((next.missed_updates.empty() && next.refused.empty() && !next.missed_lists));
    BOOST_TEST((subscription.established() == uri_set{"a", "b"}));
    BOOST_TEST(!subscription.is_outstanding(7));
    BOOST_TEST(is_next(action::none));
}

BOOST_FIXTURE_TEST_CASE(request_without_acknowledgement_is_replaced_by_the_next_one, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    subscription.add("c");
    subscribe(9);
    BOOST_TEST(!subscription.is_outstanding(8));
    BOOST_TEST(!acknowledge(8).is_first);
    BOOST_TEST(acknowledge(9, R"({"resourceSubscriptions":["a","b","c"]})").replaced == 7u);
    BOOST_TEST((subscription.established() == uri_set{"a", "b", "c"}));
}

BOOST_FIXTURE_TEST_CASE(refused_resource_is_no_longer_wanted, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    auto const next = acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["a",7]})");
    BOOST_TEST((next.refused == uri_set{"b"}));
    BOOST_TEST((subscription.wanted().uris == uri_set{"a"}));
    BOOST_TEST(is_next(action::none)); // the acknowledged request reports all wanted changes
}

BOOST_FIXTURE_TEST_CASE(resource_that_was_removed_meanwhile_is_neither_established_nor_refused, fixture_with_resource)
{
    subscription.add("b");
    subscription.add("c");
    subscribe(8);
    subscription.remove("b");
    subscription.remove("c");
    auto const next = acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
    BOOST_TEST(next.refused.empty());
    BOOST_TEST((subscription.established() == uri_set{"a"}));
    BOOST_TEST(is_next(action::send)); // without the removed resources
}

BOOST_FIXTURE_TEST_CASE(failed_request_fails_its_new_resources_and_keeps_the_current_request, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    auto const ended = subscription.on_end(8, rpc(-32602), start);
    BOOST_TEST((ended.failed == uri_set{"b"}));
    BOOST_TEST(!ended.pauses);
    BOOST_TEST(subscription.is_outstanding(7));
    BOOST_TEST(subscription.reports_tools());
    BOOST_TEST(is_next(action::none));
}

BOOST_FIXTURE_TEST_CASE(failed_removal_is_repeated_after_a_pause, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
    subscription.remove("b");
    subscribe(9);
    BOOST_TEST(end(9, rpc(-32603)));
    BOOST_TEST(subscription.reports_tools()); // the current request remains
    BOOST_TEST(is_next(action::send));
}

BOOST_FIXTURE_TEST_CASE(first_request_that_is_refused_because_of_its_resources_is_repeated_without_them, fixture)
{
    subscription.add("a");
    subscribe(7);
    auto const ended = subscription.on_end(7, rpc(-32602), start);
    BOOST_TEST((ended.failed == uri_set{"a"}));
    BOOST_TEST(ended.pauses);
    subscription.on_paused();
    BOOST_TEST(subscription.params() == R"("notifications":{"toolsListChanged":true})");
}

BOOST_FIXTURE_TEST_CASE(unknown_method_fails_all_resources, fixture_with_resource)
{
    end(7);
    subscription.add("b");
    subscribe(8);
    auto const ended = subscription.on_end(8, rpc(-32601), start);
    BOOST_TEST((ended.failed == uri_set{"a", "b"}));
    BOOST_TEST(!ended.pauses);
    BOOST_TEST(is_next(action::none));
}

BOOST_FIXTURE_TEST_CASE(interruption_is_reported_for_the_established_resources, fixture_with_resource)
{
    BOOST_TEST(end(7, linkspan::error::stream_ended));
    subscription.add("b");
    subscribe(8);
    auto const next = acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["b"]})");
    BOOST_TEST(next.missed_lists);
    BOOST_TEST((next.missed_updates == uri_set{"a"}));
    BOOST_TEST((next.refused == uri_set{"a"}));
    BOOST_TEST((subscription.established() == uri_set{"b"}));
}

BOOST_FIXTURE_TEST_CASE(current_request_that_ends_during_its_replacement_needs_no_pause, fixture_with_resource)
{
    subscription.add("b");
    subscribe(8);
    BOOST_TEST(!end(7));
    BOOST_TEST(!subscription.reports_tools());
    auto const next = acknowledge(8, R"({"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
    BOOST_TEST(next.missed_lists);
    BOOST_TEST((next.missed_updates == uri_set{"a"}));
    BOOST_TEST(next.replaced == 0u);
}

BOOST_AUTO_TEST_CASE(last_removed_resource_stops_the_subscription)
{
    change_subscription subscription;
    subscription.add("a");
    subscription.on_sent(7, start);
    subscription.on_acknowledged(acknowledgement("7", R"({"resourceSubscriptions":["a"]})"));
    subscription.remove("a");
    BOOST_TEST((subscription.next() == action::stop));
    subscription.on_stopped();
    BOOST_TEST((subscription.next() == action::none));
    BOOST_TEST(!subscription.is_outstanding(7));
}

BOOST_FIXTURE_TEST_CASE(resources_remain_wanted_when_the_session_is_opened_again, fixture_with_resource)
{
    subscription.establish("b");
    subscription.on_opened();
    BOOST_TEST((subscription.established() == uri_set{"a", "b"}));
    subscribe(1);
    auto const next = acknowledge(1, R"({"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
    BOOST_TEST(!next.missed_lists); // the lists of a new connection are read anyway
    BOOST_TEST((next.missed_updates == uri_set{"a", "b"}));
}

// Each event fails at each of its allocations, and is repeated then.
BOOST_AUTO_TEST_CASE(subscription_is_continued_after_a_failed_allocation_in_each_event)
{
    std::string const kept(40, 'k'), refused(40, 'r'), added(40, 'a'); // longer than the small buffer of a string
    std::string const granted = R"({"toolsListChanged":true,"resourceSubscriptions":[")" + kept + R"("]})";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        fixture of;
        auto& tested = of.subscription;
        auto const pass = [&](auto const& event) {
            if (!failing(event))
                event();
        };
        pass([&] { tested.add(kept); });
        pass([&] { tested.add(refused); });
        pass([&] { tested.on_sent(1, start); });
        BOOST_TEST(of.is_next(action::none)); // the filter of the request is the wanted one
        change_subscription::acknowledged acknowledged;
        pass([&] { acknowledged = of.acknowledge(1, granted); });
        BOOST_TEST(acknowledged.is_first);
        BOOST_TEST((acknowledged.refused == uri_set{refused}));
        BOOST_TEST((tested.established() == uri_set{kept}));
        BOOST_TEST(of.is_next(action::none));

        change_subscription::ended ended;
        pass([&] { ended = tested.on_end(1, {}, start); }); // an interruption
        BOOST_TEST(ended.pauses);
        tested.on_paused();
        pass([&] { tested.add(added); });
        pass([&] { tested.on_sent(2, start); });
        auto const ends = [&] { ended = tested.on_end(2, rpc(-32602), start); };
        if (!failing(ends)) {
            BOOST_TEST(tested.is_outstanding(2));
            BOOST_TEST(tested.wanted().uris.contains(added));
            ends();
        }
        BOOST_TEST((ended.failed == uri_set{added}));
        BOOST_TEST(!tested.is_outstanding(2));
        tested.on_paused();
        pass([&] { tested.on_sent(3, start); });
        auto const acknowledges = [&] { acknowledged = of.acknowledge(3, granted); };
        if (!failing(acknowledges)) {
            BOOST_TEST(tested.is_outstanding(3));
            BOOST_TEST(!tested.is_current(3));
            acknowledges();
        }
        BOOST_TEST(acknowledged.missed_lists); // of the interruption
        BOOST_TEST((acknowledged.missed_updates == uri_set{kept}));
        BOOST_TEST((tested.established() == uri_set{kept}));
        BOOST_TEST(tested.is_current(3));
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_establishes_no_resource)
{
    std::string const uri(40, 'u');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        change_subscription tested;
        bool const is_established = failing([&] { tested.establish(uri); });
        BOOST_TEST(tested.wanted().uris.contains(uri) == is_established);
        BOOST_TEST(tested.established().contains(uri) == is_established);
        tested.establish(uri);
        BOOST_TEST(tested.wanted().uris.contains(uri));
        BOOST_TEST(tested.established().contains(uri));
    });
}

BOOST_AUTO_TEST_CASE(method_stays_supported_until_its_refusal_is_processed)
{
    std::string const uri(40, 'u');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        fixture of;
        of.subscription.add(uri);
        of.subscribe(1);
        change_subscription::ended ended;
        auto const ends = [&] { ended = of.subscription.on_end(1, rpc(-32601), start); };
        if (!failing(ends)) {
            BOOST_TEST(of.subscription.is_supported());
            BOOST_TEST(of.subscription.is_outstanding(1));
            ends();
        }
        BOOST_TEST((ended.failed == uri_set{uri}));
        BOOST_TEST(!of.subscription.is_supported());
        BOOST_TEST(!ended.pauses);
    });
}

BOOST_AUTO_TEST_CASE(watched_tasks_are_reported_from_their_acknowledgement_to_the_end)
{
    fixture of;
    auto& subscription = of.subscription;
    subscription.want_lists(false, false, false);
    subscription.watch("t");
    subscription.watch("u");
    BOOST_TEST(subscription.params() == R"("notifications":{"taskIds":["t","u"]})");
    of.subscribe(7);
    BOOST_TEST(!subscription.reports_task("t"));
    of.acknowledge(7, R"({"taskIds":["t","x"]})");
    BOOST_TEST(subscription.reports_task("t"));
    BOOST_TEST(!subscription.reports_task("u"));
    BOOST_TEST(!subscription.reports_task("x"));
    BOOST_TEST(of.is_next(action::none)); // without the refused task
    BOOST_TEST(of.end(7));
    BOOST_TEST(!subscription.reports_task("t"));
    BOOST_TEST(of.is_next(action::send));
    BOOST_TEST(subscription.params() == R"("notifications":{"taskIds":["t"]})");
}

BOOST_FIXTURE_TEST_CASE(removal_of_a_task_needs_no_request_until_the_next_change, fixture)
{
    subscription.watch("t");
    subscription.watch("u");
    subscribe(7);
    acknowledge(7, R"({"toolsListChanged":true,"taskIds":["t","u"]})");
    subscription.unwatch("t");
    subscription.unwatch("unknown");
    BOOST_TEST(is_next(action::none));
    subscription.watch("v");
    BOOST_TEST(is_next(action::send));
    BOOST_TEST(subscription.params() == R"("notifications":{"toolsListChanged":true,"taskIds":["u","v"]})");
    subscription.unwatch("u");
    subscription.unwatch("v");
    subscription.want_lists(false, false, false);
    BOOST_TEST(is_next(action::stop));
}

BOOST_AUTO_TEST_CASE(refused_request_with_tasks_is_sent_again_without_them)
{
    for (int const code : {-32602, -32603, -32021}) {
        fixture_with_resource of;
        auto& subscription = of.subscription;
        subscription.add("b");
        subscription.watch("t");
        of.subscribe(8);
        auto const ended = subscription.on_end(8, rpc(code), start);
        BOOST_TEST(ended.pauses, code);
        BOOST_TEST(ended.failed.empty(), code);
        subscription.on_paused();
        subscription.watch("u"); // not until the next opening
        BOOST_TEST(of.is_next(action::send));
        BOOST_TEST(subscription.params() ==
                   R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["a","b"]})");
        BOOST_TEST(subscription.is_supported());
        subscription.on_opened();
        subscription.watch("u");
        BOOST_TEST(subscription.wanted().task_ids.contains("u"));
    }
    fixture of;
    of.subscription.watch("t");
    of.subscribe(7);
    BOOST_TEST(!of.end(7, rpc(-32601)));
    BOOST_TEST(!of.subscription.is_supported());
    BOOST_TEST(of.subscription.wanted().task_ids.empty());
}

BOOST_AUTO_TEST_SUITE_END()
