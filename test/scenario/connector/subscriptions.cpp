// Subscriptions to notifications of a stateless server.

#include <deque>

#include "support/connector_case.hpp"
#include "support/fake_transport.hpp"

BOOST_AUTO_TEST_SUITE(subscriptions_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto subscribe = "subscriptions/listen";
constexpr auto list_changed = "notifications/tools/list_changed";

struct listening_world : fake_transport_world {
    std::size_t notifications = 0;
    bool acknowledges = true;
    std::string grants = R"("toolsListChanged":true)";

    listening_world()
    {
        fake->handlers["server/discover"] = [this](sent_message const& message) {
            fake->result(message,
                         R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}})");
        };
        fake->handlers[subscribe] = [this](sent_message const& message) {
            if (acknowledges)
                acknowledge(message.id);
        };
    }

    void acknowledge(request_id id)
    {
        fake->deliver(
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{)" +
            grants + R"(},"_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::to_string(id) + "}}}");
    }

    session& make_listening()
    {
        make().on_notification(list_changed, [this](std::string_view) { ++notifications; });
        return *client;
    }

    sent_message last() const { return fake->message(subscribe, fake->count(subscribe) - 1); }
};

} // namespace

LINKSPAN_CASE_IN(listening_world, subscription_ended_by_server_is_renewed_with_delay)
{
    co_await make_listening().async_open();
    // 0: result; 1: cancelled by the server; 2: end of the stream; 3: error response
    for (int const way : {0, 1, 2, 3}) {
        co_await pass(executor, 2min); // long enough to reset the delay of renewals
        auto const before = fake->count(subscribe);
        auto const old = last();
        notifications = 0;
        if (way == 0)
            fake->result(old, "");
        else if (way == 1)
            fake->deliver(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                          std::to_string(old.id) + "}}");
        else if (way == 2)
            fake->fail(old, error::stream_ended, certainty::unknown);
        else
            fake->refuse(old, -32603);
        co_await settle(executor);
        BOOST_TEST(fake->count(subscribe) == before, way);
        BOOST_TEST(notifications == 0u);
        co_await pass(executor, 1s); // the delay is between half and all of its nominal value
        BOOST_TEST(fake->count(subscribe) == before + 1, way);
        BOOST_TEST(last().id > old.id);
        BOOST_TEST(notifications == 1u, way); // reports changes that may have been missed
    }
}

LINKSPAN_CASE_IN(listening_world, short_lived_subscriptions_are_renewed_with_growing_delay)
{
    fake->handlers[subscribe] = [this](sent_message const& message) { fake->result(message, ""); };
    co_await make_listening().async_open();
    co_await pass(executor, 1h);
    BOOST_TEST(fake->count(subscribe) >= 60u);
    BOOST_TEST(fake->count(subscribe) <= 130u);
}

LINKSPAN_CASE_IN(listening_world, unsupported_subscription_is_not_requested_again)
{
    for (int const code : {-32601, -32602}) {
        fake->sent.clear();
        fake->handlers[subscribe] = [&](sent_message const& message) { fake->refuse(message, code); };
        co_await make_listening().async_open();
        co_await pass(executor, 1h);
        BOOST_TEST(fake->count(subscribe) == 1u);
    }
}

LINKSPAN_CASE_IN(listening_world, closed_session_does_not_renew_subscription)
{
    co_await make_listening().async_open();
    co_await settle(executor);
    fake->result(last(), "");
    co_await settle(executor);
    client->close();
    co_await pass(executor, 1h);
    BOOST_TEST(fake->count(subscribe) == 1u);
}

LINKSPAN_CASE_IN(listening_world, unacknowledged_list_changes_leave_tool_list_subject_to_its_ttl)
{
    for (bool const honoured : {true, false}) {
        fake->sent.clear();
        grants = honoured ? R"("toolsListChanged":true)" : "";
        fake->handlers["tools/list"] = [this](sent_message const& message) {
            fake->result(message, R"("tools":[{"name":"pay"}],"ttlMs":0)");
        };
        fake->handlers["tools/call"] = [this](sent_message const& message) { fake->result(message, ""); };
        connector<transports<fake_transport>> hub(executor);
        hub.add<fake_transport>("a", config());
        co_await hub.async_open();
        co_await pass(executor, 2s);
        co_await hub.async_call("pay");
        co_await settle(executor);
        BOOST_TEST(fake->count("tools/list") == (honoured ? 1u : 2u));
        hub.close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(listening_world, acknowledgement_of_another_subscription_is_ignored)
{
    acknowledges = false;
    co_await make_listening().async_open();
    co_await settle(executor);
    fake->fail(last(), error::stream_ended, certainty::unknown);
    co_await pass(executor, 1s);
    acknowledge(last().id + 7);
    co_await settle(executor);
    BOOST_TEST(notifications == 0u);
    acknowledge(last().id);
    co_await settle(executor);
    BOOST_TEST(notifications == 1u);
}

LINKSPAN_CASE_IN(listening_world, connector_lists_tools_again_after_subscription_gap)
{
    fake->handlers["tools/list"] = [this](sent_message const& message) {
        fake->result(message, R"("tools":[{"name":"pay"}],"ttlMs":3600000)");
    };
    connector<transports<fake_transport>> hub(executor);
    hub.add<fake_transport>("a", config());
    co_await hub.async_open();
    co_await settle(executor);
    BOOST_TEST(fake->count("tools/list") == 1u);
    fake->fail(last(), error::stream_ended, certainty::unknown);
    co_await pass(executor, 1s);
    BOOST_TEST(fake->count("tools/list") == 2u);
    hub.close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(listening_world, ttl_of_server_description_is_kept)
{
    fake->handlers["server/discover"] = [this](sent_message const& message) {
        fake->result(message,
                     R"("supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":5000,"cacheScope":"public")");
    };
    co_await make().async_open();
    BOOST_TEST((client->server().ttl == 5s));
    BOOST_TEST(client->server().is_public);
    co_await client->async_ping(); // sends another request although the description is fresh
    BOOST_TEST(fake->count("server/discover") == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
