// Log messages of all servers of a connector, and notifications of changed resources.

#include <linkspan/connector/find_session.hpp>
#include <linkspan/connector/notifications.hpp>
#include <linkspan/connector/resources.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/logging.hpp>
#include <linkspan/session/notifications.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/entries_case.hpp"

BOOST_AUTO_TEST_SUITE(notifications_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

constexpr auto with_logging = R"({"tools":{},"logging":{},"resources":{"subscribe":true}})";
constexpr auto set_level = "\"logging/setLevel\"";

void send_log(scripted_server& server, std::string_view level, std::string_view data)
{
    server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")" + std::string(level) +
                     R"(","data":)" + std::string(data) + "}}");
}

// A connector whose servers offer log messages and subscriptions to resources, and restart after a loss.
struct notified_world : entries_world {
    texts seen;

    notified_world()
    {
        for (auto* const each : {&a, &b, &c}) {
            each->dialogue().capabilities = with_logging;
            each->dialogue().protocol_versions = {protocol_version::v2025_11_25};
            each->on(request("logging/setLevel")).then(result(""));
            each->on(request("resources/subscribe")).then(result(""));
            each->on(request("resources/list")).then(notes("today"));
            each->on(request("resources/read"))
                .then(result(R"("contents":[{"uri":"note://today","text":"sunny"}],)"
                             R"("ttlMs":60000)"));
        }
        hub.emplace(executor).add<inproc>("a", a);
        hub->add<inproc>("b", b);
    }

    auto recorder()
    {
        return [this](std::string_view server, auto const& what) {
            seen.push_back(std::string(server) + ' ' + text(what));
        };
    }

    static std::string text(log_message const& message) { return std::string(to_string(message.level)) + message.data; }
    static std::string text(std::string_view uri) { return std::string(uri); }
};

} // namespace

LINKSPAN_CASE_IN(notified_world, log_messages_of_all_servers_are_received_with_their_names)
{
    on_log_message(*hub, recorder());
    co_await hub->async_open();
    send_log(a, "info", R"("first")");
    send_log(b, "error", R"({"n":2})");
    send_log(b, "loud", "3"); // not a level
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    send_log(c, "debug", "4");
    co_await settle(executor);
    BOOST_TEST(seen == (texts{R"(a info"first")", R"(b error{"n":2})", "c debug4"}), boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(notified_world, later_handler_replaces_the_earlier_one_and_continues_after_a_restart)
{
    on_log_message(*hub, [&](std::string_view, log_message const&) { seen.emplace_back("replaced"); });
    co_await hub->async_open();
    on_log_message(*hub, recorder());
    a.drop_connections();
    co_await pass(executor, 10s);
    send_log(a, "info", "1");
    co_await settle(executor);
    BOOST_TEST(seen == texts{"a info1"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(notified_world, log_level_is_requested_from_each_connection_that_offers_log_messages)
{
    b.dialogue().capabilities = R"({"tools":{}})";
    set_log_level(*hub, log_level::warning);
    co_await hub->async_open();
    co_await settle(executor);
    BOOST_TEST(a.received(R"("level":"warning")") == 1u);
    BOOST_TEST(b.received(set_level) == 0u);
    set_log_level(*hub, log_level::debug);
    co_await settle(executor);
    BOOST_TEST(a.received(R"("level":"debug")") == 1u);
    a.drop_connections();
    co_await pass(executor, 10s);
    BOOST_TEST(a.received(R"("level":"debug")") == 2u);
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    co_await settle(executor);
    BOOST_TEST(c.received(set_level) == 1u);
}

LINKSPAN_CASE_IN(notified_world, refused_log_level_has_no_effect_on_the_server)
{
    scripted_server mute;
    mute.dialogue().capabilities = with_logging;
    mute.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    hub->add<inproc>("mute", mute);
    set_log_level(*hub, log_level::warning);
    co_await hub->async_open();
    co_await settle(executor);
    BOOST_TEST(mute.received(set_level) == 1u);
    BOOST_TEST((hub->state().servers.at(2).state == server_state::ready));
}

LINKSPAN_CASE_IN(notified_world, requests_of_stateless_servers_contain_the_log_level)
{
    a.dialogue().protocol_versions = {protocol_version::v2026_07_28};
    a.on(call("work")).then(test::text("done"));
    set_log_level(*hub, log_level::notice);
    co_await hub->async_open();
    co_await hub->async_call("work");
    auto const& last = a.received().back();
    BOOST_TEST(contains(last, R"("io.modelcontextprotocol/logLevel":"notice")"), last);
    BOOST_TEST(a.received(set_level) == 0u);
}

LINKSPAN_CASE_IN(notified_world, changes_of_subscribed_resources_are_received_and_drop_stored_results)
{
    store_read_results(*hub);
    on_resource_updated(*hub, recorder());
    co_await hub->async_open();
    co_await async_subscribe_resource(find_session(*hub, "b").value(), "note://today");
    co_await async_read_resource(*hub, "note://today"); // from a
    send_update(b, "note://today");
    send_update(a, "note://today");
    co_await settle(executor);
    BOOST_TEST(seen == (texts{"b note://today", "a note://today"}), boost::test_tools::per_element());
    co_await async_read_resource(*hub, "note://today");
    BOOST_TEST(a.received("\"resources/read\"") == 2u);
}

LINKSPAN_CASE_IN(notified_world, subscribed_resource_is_reported_after_a_restart_of_its_server)
{
    on_resource_updated(*hub, recorder());
    co_await hub->async_open();
    co_await async_subscribe_resource(find_session(*hub, "b").value(), "note://today");
    b.drop_connections();
    co_await pass(executor, 10s);
    BOOST_TEST(seen == texts{"b note://today"}, boost::test_tools::per_element());
    BOOST_TEST(b.received("\"resources/subscribe\"") == 2u);
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    send_update(c, "note://other");
    co_await settle(executor);
    BOOST_TEST(seen.size() == 2u);
}

LINKSPAN_CASE_IN(notified_world, server_that_replaces_another_one_has_handlers_and_level_that_were_set_meanwhile)
{
    co_await hub->async_open();
    error_code replaced = error::not_connected;
    hub->async_replace<inproc>("a", c, server_options(), [&](error_code ec, server_report) { replaced = ec; });
    on_log_message(*hub, recorder());
    on_resource_updated(*hub, recorder());
    set_log_level(*hub, log_level::error);
    co_await pass(executor, 10s);
    BOOST_TEST(!replaced);
    BOOST_TEST(c.received(set_level) == 1u);
    send_log(c, "error", "1");
    send_update(c, "note://today");
    co_await settle(executor);
    BOOST_TEST(seen == (texts{"a error1", "a note://today"}), boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(notified_world, changed_lists_of_all_servers_are_received_with_their_names)
{
    on_list_changed(*hub, [&](std::string_view server, changed_list what) {
        seen.push_back(std::string(server) + (what == changed_list::prompts ? " prompts" : " resources"));
    });
    co_await hub->async_open();
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    a.broadcast(R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
    c.broadcast(R"({"jsonrpc":"2.0","method":"notifications/prompts/list_changed"})");
    b.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    co_await settle(executor);
    BOOST_TEST(seen == (texts{"a resources", "c prompts"}), boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(notified_world, changed_list_is_requested_again_after_its_handler)
{
    on_list_changed(*hub, [&](std::string_view server, changed_list) { seen.emplace_back(server); });
    co_await hub->async_open();
    co_await async_list_resources(*hub);
    a.broadcast(R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
    co_await settle(executor);
    BOOST_TEST(seen == texts{"a"}, boost::test_tools::per_element());
    co_await async_list_resources(*hub);
    BOOST_TEST(a.received("\"resources/list\"") == 2u);
    BOOST_TEST(b.received("\"resources/list\"") == 1u);
}

LINKSPAN_CASE_IN(notified_world, completed_elicitations_of_all_servers_are_received)
{
    on_elicitation_complete(*hub, recorder());
    co_await hub->async_open();
    b.broadcast(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"7"}})");
    co_await settle(executor);
    BOOST_TEST(seen == texts{"b 7"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(notified_world, notification_is_sent_to_ready_servers_of_the_handshake)
{
    b.dialogue().protocol_versions = {protocol_version::v2026_07_28};
    hub->add<inproc>("c", c);
    BOOST_TEST(notify_servers(*hub, "notifications/roots/list_changed") == 0u); // not open
    co_await hub->async_open();
    BOOST_TEST(notify_servers(*hub, "notifications/roots/list_changed") == 2u);
    BOOST_TEST(notify_servers(*hub, "example/told", raw_json(R"({"n":1,"n":2})")) == 0u); // duplicate keys
    co_await settle(executor);
    BOOST_TEST(a.received("notifications/roots/list_changed") == 1u);
    BOOST_TEST(b.received("notifications/roots/list_changed") == 0u);
    BOOST_TEST(c.received("notifications/roots/list_changed") == 1u);
    BOOST_TEST(a.received("example/told") == 0u);
}

LINKSPAN_CASE_IN(notified_world, changed_roots_are_notified_to_the_servers_to_which_the_notification_was_declared)
{
    auto const list = [](roots_request const&, typed_responder<roots> reply) { reply({}); };
    auto const sent_to = [](scripted_server const& server) {
        return server.received("notifications/roots/list_changed");
    };
    b.dialogue().protocol_versions = {protocol_version::v2026_07_28};
    hub->set_handler<roots>(list);
    co_await hub->async_open();
    BOOST_TEST(notify_roots_changed(*hub) == 0u); // the capability has no `listChanged`
    hub->set_handler<roots>(list, {.list_changed = true});
    BOOST_TEST(notify_roots_changed(*hub) == 0u); // declared by the next handshake
    hub->add<inproc>("c", c);
    co_await hub->async_connect("c");
    BOOST_TEST(notify_roots_changed(*hub) == 1u);
    co_await settle(executor);
    BOOST_TEST(sent_to(a) == 0u);
    BOOST_TEST(sent_to(c) == 1u);
    a.drop_connections();
    co_await pass(executor, 10s);
    BOOST_TEST(notify_roots_changed(*hub) == 2u);
    co_await settle(executor);
    BOOST_TEST(sent_to(a) == 1u);
    BOOST_TEST(sent_to(b) == 0u); // era `stateless`
    BOOST_TEST(sent_to(c) == 2u);
}

LINKSPAN_CASE_IN(notified_world, changed_tasks_of_all_servers_are_received_in_both_forms)
{
    on_task_changed(*hub, [&](std::string_view server, task const& one) {
        seen.push_back(std::string(server) + ' ' + one.id + ' ' + std::string(to_string(one.status)));
    });
    co_await hub->async_open();
    a.broadcast(
        R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"working"}})");
    b.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"u","status":"completed"}})");
    b.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tasks","params":{"status":"completed"}})"); // not valid
    co_await settle(executor);
    BOOST_TEST(seen == (texts{"a t working", "b u completed"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
