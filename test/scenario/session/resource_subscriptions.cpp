// Subscriptions of a session to changes of resources and lists, in both eras.

#include <linkspan/session/notifications.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/every_turn.hpp"
#include "support/fake_transport.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(resource_subscriptions_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

constexpr auto listen = "subscriptions/listen";

// A session that records the resources and lists whose changes are notified.
struct listening_world : fake_transport_world {
    texts updated;
    std::string grants = R"("toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true)";
    bool acknowledges = true;

    void use_stateless_era(std::string_view capabilities = R"("resources":{"subscribe":true})")
    {
        fake->handlers["server/discover"] = [this, all = std::string(capabilities)](sent_message const& message) {
            fake->result(message, R"("supportedVersions":["2026-07-28"],"capabilities":{)" + all + "}");
        };
        fake->handlers[listen] = [this](sent_message const& message) {
            if (acknowledges)
                acknowledge(message);
        };
    }

    // Acknowledges all requested resources, unless `resources` is given as the text of an array.
    void acknowledge(sent_message const& message, std::string resources = {})
    {
        if (resources.empty())
            resources =
                json_scan::member(json_scan::member(message.params(), "notifications"), "resourceSubscriptions");
        auto const uris = resources.empty() ? std::string() : "," + (R"("resourceSubscriptions":)" + resources);
        fake->deliver(
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{)" +
            grants + uris + R"(},"_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::to_string(message.id) +
            "}}}");
    }

    void notify(std::string_view method, std::string_view params = "{}")
    {
        fake->deliver(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) +
                      "}");
    }

    session& make_listening()
    {
        auto& calls = make();
        on_resource_updated(calls, [this](std::string_view uri) { updated.emplace_back(uri); });
        for (auto const what : {changed_list::tools, changed_list::prompts, changed_list::resources})
            on_list_changed(calls, what,
                            [this, what] { updated.push_back("list " + std::to_string(static_cast<int>(what))); });
        return calls;
    }

    texts take() { return std::exchange(updated, {}); }

    // Returns the resources of the n-th `subscriptions/listen`, as JSON text.
    std::string asked(std::size_t n) const
    {
        auto const params = fake->message(listen, n).params();
        return std::string(json_scan::member(json_scan::member(params, "notifications"), "resourceSubscriptions"));
    }
};

// A subscription to one resource, for the tests of cancellation.
struct subscribing_world : listening_world {
    explicit subscribing_world(bool is_stateless)
    {
        fake->handlers["resources/subscribe"] = [this](sent_message const& message) { fake->result(message, ""); };
        fake->handlers["resources/unsubscribe"] = [this](sent_message const& message) { fake->result(message, ""); };
        if (is_stateless)
            use_stateless_era();
    }

    ~subscribing_world() { clean_up(); }

    void prepare()
    {
        make_listening().async_open([](error_code) {});
        context.restart();
        context.poll();
        BOOST_TEST((client->state() == session_state::ready));
    }

    void start(asio::cancellation_slot slot, end_handler done)
    {
        async_subscribe_resource(*client, "note://a",
                                 asio::bind_cancellation_slot(slot, [done](error_code ec, call_result) { done(ec); }));
    }

    // A cancelled operation leaves no subscription, and the session remains usable.
    void check(error_code)
    {
        std::size_t completed = 0;
        auto const count = [&](error_code ec, call_result) {
            BOOST_TEST(!ec);
            ++completed;
        };
        async_subscribe_resource(*client, "note://b", count);
        context.restart();
        context.poll();
        async_unsubscribe_resource(*client, "note://b", count);
        context.restart();
        context.poll();
        BOOST_TEST(completed == 2u);
    }
};

} // namespace

LINKSPAN_CASE_IN(server_world, changes_of_subscribed_resources_are_notified_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        for (std::string const name : {"a", "b"})
            own.add(resource{.uri = "note://" + name, .name = name}, [name] { return name; });
        texts updated;
        auto& calls = connect();
        on_resource_updated(calls, [&](std::string_view uri) { updated.emplace_back(uri); });
        co_await calls.async_open();
        co_await async_subscribe_resource(calls, "note://a");
        own.resource_updated("note://a");
        own.resource_updated("note://b");
        co_await settle(executor);
        BOOST_TEST(updated == texts{"note://a"}, boost::test_tools::per_element());
        co_await async_unsubscribe_resource(calls, "note://a");
        co_await settle(executor);
        own.resource_updated("note://a");
        co_await settle(executor);
        BOOST_TEST(updated.size() == 1u);
    }
    BOOST_TEST(defects.empty());
}

LINKSPAN_CASE_IN(server_world, changes_of_all_lists_are_notified_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        own.add(any_tool("first"), [](server_request request) { request.complete(tool_output::text("done")); });
        own.add(resource{.uri = "note://a", .name = "a"}, [] { return "a"; });
        own.add(prompt{.name = "first"}, [](server_request request) { request.complete(prompt_result{}); });
        texts changed;
        auto& calls = connect();
        on_list_changed(calls, changed_list::tools, [&] { changed.emplace_back("tools"); });
        on_list_changed(calls, changed_list::prompts, [&] { changed.emplace_back("prompts"); });
        on_list_changed(calls, changed_list::resources, [&] { changed.emplace_back("resources"); });
        co_await calls.async_open();
        co_await settle(executor);
        own.add(prompt{.name = "second"}, [](server_request request) { request.complete(prompt_result{}); });
        co_await settle(executor);
        BOOST_TEST(changed == texts{"prompts"}, boost::test_tools::per_element());
        own.add(resource{.uri = "note://b", .name = "b"}, [] { return "b"; });
        own.add(any_tool("second"), [](server_request request) { request.complete(tool_output::text("done")); });
        co_await settle(executor);
        BOOST_TEST(changed.size() == 3u);
    }
}

LINKSPAN_CASE_IN(listening_world, list_is_subscribed_to_if_the_server_declares_changes_of_it)
{
    for (std::string const declared :
         {R"("tools":{"listChanged":false})", R"("tools":{})", R"("other":{"listChanged":true})", ""}) {
        use_stateless_era(declared);
        co_await make_listening().async_open();
        BOOST_TEST(fake->count(listen) == 0u, declared);
    }
    use_stateless_era(R"("tools":{"listChanged":true})");
    co_await make_listening().async_open();
    BOOST_TEST(contains(fake->message(listen).params(), R"("notifications":{"toolsListChanged":true})"));
}

LINKSPAN_CASE_IN(listening_world, several_subscriptions_of_one_turn_are_one_request)
{
    use_stateless_era();
    co_await make_listening().async_open();
    completion_box a, b, again;
    async_subscribe_resource(*client, "note://a", a.handler());
    async_subscribe_resource(*client, "note://b", b.handler());
    async_subscribe_resource(*client, "note://a", again.handler());
    co_await settle(executor);
    BOOST_TEST(fake->count(listen) == 1u);
    BOOST_TEST(asked(0) == R"(["note://a","note://b"])");
    for (auto const* box : {&a, &b, &again}) {
        BOOST_TEST(box->count == 1u);
        BOOST_TEST(!box->ec);
        BOOST_TEST(box->result.raw() == "{}");
    }
    co_await async_subscribe_resource(*client, "note://a"); // is subscribed already
    BOOST_TEST(fake->count(listen) == 1u);
}

LINKSPAN_CASE_IN(listening_world, acknowledged_request_replaces_the_former_one)
{
    use_stateless_era();
    co_await make_listening().async_open();
    co_await async_subscribe_resource(*client, "note://a");
    acknowledges = false;
    completion_box b;
    async_subscribe_resource(*client, "note://b", b.handler());
    co_await settle(executor);
    BOOST_TEST(asked(1) == R"(["note://a","note://b"])");
    BOOST_TEST(fake->abandoned.empty()); // the first request reports changes until the second is acknowledged
    BOOST_TEST(b.count == 0u);
    acknowledge(fake->message(listen, 1));
    co_await settle(executor);
    BOOST_TEST(b.count == 1u);
    BOOST_TEST(!b.ec);
    BOOST_TEST((fake->abandoned == std::vector<request_id>{fake->message(listen, 0).id}));
    BOOST_TEST(take().empty());
    acknowledges = true;
    co_await async_unsubscribe_resource(*client, "note://a");
    co_await settle(executor);
    BOOST_TEST(asked(2) == R"(["note://b"])");
    co_await async_unsubscribe_resource(*client, "note://b");
    co_await settle(executor);
    BOOST_TEST(fake->count(listen) == 3u);
    BOOST_TEST(fake->abandoned.size() == 3u); // no change is wanted any more
}

LINKSPAN_CASE_IN(listening_world, resource_that_is_not_acknowledged_is_refused)
{
    use_stateless_era();
    acknowledges = false;
    co_await make_listening().async_open();
    completion_box a, b;
    async_subscribe_resource(*client, "note://a", a.handler());
    async_subscribe_resource(*client, "note://b", b.handler());
    co_await settle(executor);
    acknowledge(fake->message(listen), R"(["note://b"])");
    co_await settle(executor);
    BOOST_TEST((a.ec == error::subscription_refused));
    BOOST_TEST((a.delivery() == certainty::refused));
    BOOST_TEST(contains(a.result.detail(), "note://a"));
    BOOST_TEST(!b.ec);
    BOOST_TEST(b.count == 1u);
    BOOST_TEST(fake->count(listen) == 1u);
}

LINKSPAN_CASE_IN(listening_world, error_response_fails_new_resources_only)
{
    use_stateless_era();
    co_await make_listening().async_open();
    co_await async_subscribe_resource(*client, "note://a");
    fake->handlers[listen] = [this](sent_message const& message) { fake->refuse(message, -32603); };
    auto const [ec, result] = co_await async_subscribe_resource(*client, "note://b", in_tuple);
    BOOST_TEST(ec.value() == -32603);
    co_await pass(executor, 2min);
    BOOST_TEST(fake->count(listen) == 2u);
    BOOST_TEST(fake->abandoned.empty());
    notify("notifications/resources/updated", R"({"uri":"note://a"})");
    co_await settle(executor);
    BOOST_TEST(take() == texts{"note://a"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(listening_world, server_without_subscriptions_refuses_each_resource)
{
    use_stateless_era();
    fake->handlers[listen] = [this](sent_message const& message) { fake->refuse(message, -32601); };
    co_await make_listening().async_open();
    auto const [ec, result] = co_await async_subscribe_resource(*client, "note://a", in_tuple);
    BOOST_TEST(ec.value() == -32601);
    auto const begin = time.now();
    auto const [again, none] = co_await async_subscribe_resource(*client, "note://a", in_tuple);
    BOOST_TEST((again == error::subscription_refused));
    BOOST_TEST((time.now() == begin));
    BOOST_TEST(fake->count(listen) == 1u);
}

LINKSPAN_CASE_IN(listening_world, resources_are_notified_once_if_the_server_no_longer_supports_subscriptions)
{
    use_stateless_era();
    co_await make_listening().async_open();
    co_await async_subscribe_resource(*client, "note://a");
    co_await async_subscribe_resource(*client, "note://b");
    client->close();
    co_await settle(executor);
    fake->sent.clear();
    fake->handlers[listen] = [this](sent_message const& message) { fake->refuse(message, -32601); };
    co_await client->async_open();
    co_await settle(executor);
    BOOST_TEST(take() == (texts{"note://a", "note://b"}), boost::test_tools::per_element());
    co_await pass(executor, 60s);
    BOOST_TEST(take().empty());
    BOOST_TEST(fake->count(listen) == 1u);
}

LINKSPAN_CASE_IN(listening_world, subscription_without_acknowledgement_times_out)
{
    use_stateless_era();
    acknowledges = false;
    options.idle_timeout = 7s;
    co_await make_listening().async_open();
    auto const begin = time.now();
    auto const [ec, result] = co_await async_subscribe_resource(*client, "note://a", in_tuple);
    BOOST_TEST((ec == error::attempt_timed_out));
    BOOST_TEST((time.now() - begin == 7s));
    co_await settle(executor);
    BOOST_TEST((fake->abandoned == std::vector<request_id>{fake->message(listen).id})); // nothing is wanted any more
}

LINKSPAN_CASE_IN(listening_world, interruption_notifies_of_everything_that_may_have_changed)
{
    use_stateless_era(R"("resources":{"listChanged":true},"prompts":{"listChanged":true},"tools":{})");
    co_await make_listening().async_open();
    co_await async_subscribe_resource(*client, "note://a");
    co_await async_subscribe_resource(*client, "note://b");
    BOOST_TEST(contains(fake->message(listen).params(), R"({"promptsListChanged":true,"resourcesListChanged":true})"));
    BOOST_TEST(take().empty());
    fake->fail(fake->message(listen, 2), error::stream_ended, certainty::unknown);
    acknowledges = false;
    co_await pass(executor, 1s);
    BOOST_TEST_REQUIRE(fake->count(listen) == 4u);
    BOOST_TEST(take().empty());
    acknowledge(fake->message(listen, 3), R"(["note://b"])"); // the server does not report `note://a` any more
    co_await settle(executor);
    BOOST_TEST(take() == (texts{"list 1", "list 2", "note://a", "note://b"}), boost::test_tools::per_element());
    acknowledges = true;
    fake->result(fake->message(listen, 3), "");
    co_await pass(executor, 2s);
    BOOST_TEST(asked(4) == R"(["note://b"])");
}

LINKSPAN_CASE_IN(listening_world, subscriptions_are_restored_when_the_session_is_opened_again)
{
    for (bool const is_stateless : {false, true}) {
        fake->sent.clear();
        if (is_stateless)
            use_stateless_era();
        fake->handlers["resources/subscribe"] = [this](sent_message const& message) { fake->result(message, ""); };
        co_await make_listening().async_open();
        co_await async_subscribe_resource(*client, "note://a");
        co_await async_subscribe_resource(*client, "note://b");
        fake->end();
        co_await settle(executor);
        BOOST_TEST((client->state() == session_state::closed));
        fake->sent.clear();
        fake->handlers["resources/subscribe"] = [this](sent_message const& message) {
            contains(message.bytes, "note://a") ? fake->refuse(message, -32002) : fake->result(message, "");
        };
        co_await client->async_open();
        co_await settle(executor);
        BOOST_TEST(take() == (texts{"note://a", "note://b"}), boost::test_tools::per_element());
        BOOST_TEST(fake->count("resources/subscribe") == (is_stateless ? 0u : 2u));
        BOOST_TEST(fake->count(listen) == (is_stateless ? 1u : 0u));
        fake->sent.clear();
        client->close();
        co_await settle(executor);
        co_await client->async_open();
        co_await settle(executor);
        if (!is_stateless)
            BOOST_TEST(fake->count("resources/subscribe") == 1u); // the refused resource is not subscribed any more
        take();
    }
}

LINKSPAN_CASE_IN(listening_world, outstanding_subscription_ends_with_its_session)
{
    use_stateless_era();
    acknowledges = false;
    enum class way { close, destroy, shut_down, lose };
    for (auto const each : {way::close, way::destroy, way::shut_down, way::lose}) {
        co_await make_listening().async_open();
        completion_box box;
        async_subscribe_resource(*client, "note://a", box.handler());
        co_await settle(executor);
        error_code expected = asio::error::operation_aborted;
        if (each == way::close)
            client->close();
        else if (each == way::destroy)
            client.reset();
        else if (each == way::shut_down) {
            expected = error::not_connected;
            co_await client->async_shutdown();
        } else {
            expected = error::stream_ended;
            fake->end();
        }
        BOOST_TEST((box.count == 0u || each == way::shut_down));
        co_await settle(executor);
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == expected, static_cast<int>(each) << ": " << box.ec.message());
    }
}

LINKSPAN_CASE_IN(listening_world, subscription_needs_an_open_session)
{
    auto const [ec, result] = co_await async_subscribe_resource(make_listening(), "note://a", in_tuple);
    BOOST_TEST((ec == error::not_connected));
    auto const [other, none] = co_await async_unsubscribe_resource(*client, "note://a", in_tuple);
    BOOST_TEST((other == error::not_connected));
}

LINKSPAN_CASE_IN(listening_world, error_response_to_subscription_of_the_handshake_era_is_reported)
{
    fake->handlers["resources/subscribe"] = [this](sent_message const& message) { fake->refuse(message, -32601); };
    co_await make_listening().async_open();
    auto const [ec, result] = co_await async_subscribe_resource(*client, "note://\"a\"", in_tuple);
    BOOST_TEST(ec.value() == -32601);
    BOOST_TEST(result.detail() == "no");
    BOOST_TEST(contains(fake->message("resources/subscribe").bytes, R"("params":{"uri":"note://\"a\""})"));
}

LINKSPAN_CASE_IN(listening_world, completed_elicitation_is_notified)
{
    texts completed;
    on_elicitation_complete(make(), [&](std::string_view id) { completed.emplace_back(id); });
    co_await client->async_open();
    notify("notifications/elicitation/complete", R"({"elicitationId":"e1"})");
    notify("notifications/elicitation/complete", R"({"elicitationId":7})");
    notify("notifications/elicitation/complete");
    co_await settle(executor);
    BOOST_TEST(completed == texts{"e1"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(listening_world, removed_resource_ends_its_outstanding_subscription)
{
    use_stateless_era();
    acknowledges = false;
    co_await make_listening().async_open();
    completion_box box;
    async_subscribe_resource(*client, "note://a", box.handler());
    co_await settle(executor);
    co_await async_unsubscribe_resource(*client, "note://a");
    co_await settle(executor);
    BOOST_TEST((box.ec == asio::error::operation_aborted));
    BOOST_TEST(fake->abandoned.size() == 1u);
}

LINKSPAN_CASE_IN(listening_world, handler_may_close_the_session)
{
    use_stateless_era();
    std::size_t calls = 0;
    on_resource_updated(make(), [&](std::string_view) {
        ++calls;
        client.reset();
    });
    co_await client->async_open();
    co_await async_subscribe_resource(*client, "note://a");
    co_await async_subscribe_resource(*client, "note://b");
    fake->fail(fake->message(listen, 1), error::stream_ended, certainty::unknown);
    co_await pass(executor, 2s);
    BOOST_TEST(calls == 1u);
}

BOOST_AUTO_TEST_CASE(subscription_can_be_cancelled_at_every_turn)
{
    using type = asio::cancellation_type;
    for (bool const is_stateless : {false, true})
        for (auto const each : {type::terminal, type::partial})
            BOOST_TEST(cancel_at_every_turn<subscribing_world>(each, is_stateless) >= (is_stateless ? 2u : 1u));
    BOOST_TEST(cancel_at_every_turn<subscribing_world>(type::total, true) > 1u);
}

BOOST_AUTO_TEST_SUITE_END()
