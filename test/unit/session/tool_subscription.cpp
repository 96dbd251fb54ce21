#include <linkspan/session/detail/tool_subscription.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/rpc_error.hpp"

BOOST_AUTO_TEST_SUITE(tool_subscription_test)

using linkspan::error_code;
using linkspan::request_id;
using linkspan::time_point;
using linkspan::detail::tool_subscription;
using linkspan::test::rpc;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);
constexpr std::uint64_t no_jitter = 0; // the longest pause

std::string acknowledgement(std::string_view id, std::string_view notifications = R"({"toolsListChanged":true})")
{
    return R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + R"(},"notifications":)" +
           std::string(notifications) + "}";
}

struct fixture {
    tool_subscription subscription;

    // Subscribes with a request of that id.
    void subscribe(request_id id, time_point now = start)
    {
        subscription.begin();
        subscription.on_sent(id, now);
    }

    // Ends a subscription that lasted one second, and returns the longest pause before the next one.
    linkspan::duration end_early()
    {
        subscribe(1);
        BOOST_TEST(subscription.on_end({}, start + 1s));
        return subscription.pause(no_jitter);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(subscription_is_offered_by_the_capability_of_tools)
{
    BOOST_TEST(tool_subscription::is_offered(R"({"tools":{"listChanged":true}})"));
    BOOST_TEST(!tool_subscription::is_offered(R"({"tools":{"listChanged":false}})"));
    BOOST_TEST(!tool_subscription::is_offered(R"({"tools":{}})"));
    BOOST_TEST(!tool_subscription::is_offered(R"({"prompts":{"listChanged":true}})"));
    BOOST_TEST(!tool_subscription::is_offered(""));
}

BOOST_FIXTURE_TEST_CASE(changes_are_assumed_to_be_reported_before_the_acknowledgement, fixture)
{
    BOOST_TEST(subscription.reports_changes());
    subscribe(7);
    BOOST_TEST(subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(first_acknowledgement_follows_no_missed_changes, fixture)
{
    subscribe(7);
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("7")));
    BOOST_TEST(subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_without_the_notification_is_a_refusal, fixture)
{
    for (auto const* fewer : {"{}", R"({"toolsListChanged":false})", "null"}) {
        subscribe(7);
        BOOST_TEST(!subscription.on_acknowledged(acknowledgement("7", fewer)));
        BOOST_TEST(!subscription.reports_changes());
    }
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_of_another_request_is_ignored, fixture)
{
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("0", "{}")));
    BOOST_TEST(subscription.reports_changes());
    subscribe(7);
    for (auto const* other : {"8", "null", "true"})
        BOOST_TEST(!subscription.on_acknowledged(acknowledgement(other, "{}")));
    BOOST_TEST(!subscription.on_acknowledged("{}"));
    BOOST_TEST(!subscription.on_acknowledged(""));
    BOOST_TEST(subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_after_an_interruption_reports_missed_changes_once, fixture)
{
    subscribe(7);
    subscription.on_acknowledged(acknowledgement("7"));
    BOOST_TEST(subscription.on_end({}, start + 1s));
    BOOST_TEST(!subscription.reports_changes());
    subscribe(8);
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("7")));
    BOOST_TEST(subscription.on_acknowledged(acknowledgement("8")));
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("8")));
    BOOST_TEST(subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(subscription_that_failed_before_its_acknowledgement_may_have_missed_changes, fixture)
{
    subscribe(7);
    BOOST_TEST(subscription.on_end(linkspan::error::stream_ended, start));
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("7"))); // has ended
    subscribe(8);
    BOOST_TEST(subscription.on_acknowledged(acknowledgement("8")));
}

BOOST_FIXTURE_TEST_CASE(new_subscription_is_assumed_to_report_changes_before_its_request, fixture)
{
    subscribe(7);
    BOOST_TEST(subscription.on_end({}, start));
    BOOST_TEST(!subscription.reports_changes());
    subscription.begin();
    BOOST_TEST(subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(outstanding_request_is_recognized_by_its_id, fixture)
{
    BOOST_TEST(!subscription.is_subscribed_with("0"));
    subscribe(7);
    BOOST_TEST(subscription.is_subscribed_with("7"));
    BOOST_TEST(!subscription.is_subscribed_with("8"));
    BOOST_TEST(!subscription.is_subscribed_with(""));
    subscription.on_end({}, start);
    BOOST_TEST(!subscription.is_subscribed_with("7"));
}

BOOST_FIXTURE_TEST_CASE(abandoned_request_is_no_longer_recognized, fixture)
{
    subscribe(7);
    subscription.on_acknowledged(acknowledgement("7", "{}"));
    subscription.abandon();
    BOOST_TEST(!subscription.is_subscribed_with("7"));
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("7")));
    BOOST_TEST(!subscription.reports_changes());
}

BOOST_FIXTURE_TEST_CASE(server_without_the_method_is_not_subscribed_to_again, fixture)
{
    for (int const code : {-32601, -32602}) {
        subscribe(7);
        BOOST_TEST(!subscription.on_end(rpc(code), start + 1s));
        BOOST_TEST(!subscription.reports_changes());
    }
    subscribe(8);
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("8"))); // no interruption: there was no subscription
}

BOOST_FIXTURE_TEST_CASE(other_errors_lead_to_another_subscription, fixture)
{
    for (auto const& ec : {error_code(), rpc(-32603), error_code(linkspan::error::stream_ended),
                           error_code(-32601, boost::system::system_category())}) {
        subscribe(7);
        BOOST_TEST(subscription.on_end(ec, start + 1s));
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
    BOOST_TEST(subscription.on_end({}, start + 60s)); // not longer than the maximum
    BOOST_TEST((subscription.pause(no_jitter) == 32s));
    subscribe(3);
    BOOST_TEST(subscription.on_end({}, start + 61s));
    BOOST_TEST((subscription.pause(no_jitter) == 1s));
    BOOST_TEST((end_early() == 2s));
}

BOOST_FIXTURE_TEST_CASE(opening_the_session_discards_earlier_subscriptions, fixture)
{
    for (int i = 0; i != 5; ++i)
        end_early();
    subscribe(9);
    subscription.on_opened();
    BOOST_TEST(subscription.reports_changes());
    BOOST_TEST(!subscription.is_subscribed_with("9"));
    subscribe(10);
    BOOST_TEST(!subscription.on_acknowledged(acknowledgement("10")));
    BOOST_TEST(subscription.on_end({}, start + 1s));
    BOOST_TEST((subscription.pause(no_jitter) == 1s));
}

BOOST_AUTO_TEST_SUITE_END()
