// Messages of a server outside of the requests of its clients.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/required_elicitations.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/notifications.hpp>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_sessions_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// A server with the tool "keep", which stores the session of its client.
struct keeping_world : server_world {
    std::optional<client_session> kept;

    server& make_with_tool(std::optional<protocol_version> only = protocol_version::v2025_11_25)
    {
        return make(only).add(any_tool("keep"), [this](server_request request) {
            kept.emplace(request.session());
            request.complete(tool_output::text("kept"));
        });
    }

    void clean_up()
    {
        kept.reset();
        server_world::clean_up();
    }
};

} // namespace

LINKSPAN_CASE_IN(keeping_world, a_required_elicitation_is_completed_by_a_notification)
{
    make(protocol_version::v2025_11_25).add(any_tool("export"), [this](server_request request) {
        kept.emplace(request.session());
        require_elicitations(request, std::array{sign_in_page("https://files.own/sign-in")});
    });
    auto& calls = connect();
    calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation>) {}, {.url = true});
    std::vector<std::string> completed;
    on_elicitation_complete(calls, [&](std::string_view id) { completed.emplace_back(id); });
    co_await calls.async_open();
    auto const [ec, result] = co_await calls.async_call_tool("export", in_tuple);
    BOOST_TEST(ec.value() == url_elicitation_required);
    auto const pages = required_elicitations(ec, result);
    BOOST_REQUIRE(pages.size() == 1u);
    BOOST_TEST(pages[0].url == "https://files.own/sign-in");
    BOOST_TEST(pages[0].elicitation_id == "sign-in-7");
    kept->complete_elicitation(pages[0].elicitation_id);
    co_await settle(executor);
    BOOST_TEST(completed == std::vector<std::string>{"sign-in-7"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(keeping_world, an_elicitation_is_not_required_of_a_client_without_the_mode_url)
{
    std::vector<protocol_version> const versions{protocol_version::v2025_06_18, protocol_version::v2025_11_25,
                                                 protocol_version::v2026_07_28};
    for (auto const version : versions) {
        make(version).add(any_tool("export"), [](server_request request) {
            require_elicitations(request, std::array{sign_in_page("https://files.own/sign-in")});
        });
        auto& calls = connect();
        if (version != protocol_version::v2025_11_25)
            calls.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation>) {}, {.url = true});
        co_await calls.async_open();
        auto const [ec, result] = co_await calls.async_call_tool("export", in_tuple);
        BOOST_TEST(ec.value() == (version == protocol_version::v2026_07_28 ? -32021 : -32602));
        BOOST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST(contains(result.attempts()[0].data, R"({"elicitation":{"url":{}}})"));
    }
}

LINKSPAN_CASE_IN(keeping_world, an_elicitation_without_an_id_is_not_required)
{
    make().add(any_tool("export"), [](server_request request) {
        auto page = sign_in_page("https://files.own/sign-in");
        page.elicitation_id.clear();
        require_elicitations(request, std::array{page});
    });
    co_await connect().async_open();
    auto const [ec, result] = co_await client->async_call_tool("export", in_tuple);
    BOOST_TEST(ec.value() == -32603);
    BOOST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(contains(defects[0], "a required elicitation has the mode url, a URL and an id"));
}

LINKSPAN_CASE_IN(keeping_world, the_completion_of_an_elicitation_is_sent_in_one_protocol_version)
{
    for (auto const version : {protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                               protocol_version::v2025_06_18, protocol_version::v2025_11_25}) {
        make_with_tool(version);
        auto& calls = connect();
        std::vector<std::string> completed;
        on_elicitation_complete(calls, [&](std::string_view id) { completed.emplace_back(id); });
        co_await calls.async_open();
        co_await calls.async_call_tool("keep");
        kept->complete_elicitation("7");
        co_await settle(executor);
        BOOST_TEST(completed.size() == (version == protocol_version::v2025_11_25 ? 1u : 0u));
    }
}

LINKSPAN_CASE_IN(keeping_world, a_session_sends_requests_and_notifications_at_any_time)
{
    make_with_tool();
    auto& calls = connect();
    calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
        roots_result result;
        result.roots.push_back({"file:///home", ""});
        reply(result);
    });
    calls.on_request("own/sum", [](std::string_view params, responder reply) {
        auto const result = R"({"of":)" + std::string(params) + "}";
        reply(raw_json(result));
    });
    std::vector<std::string> heard;
    calls.on_notification("own/changed", [&](std::string_view params) { heard.emplace_back(params); });
    co_await calls.async_open();
    co_await calls.async_call_tool("keep");
    BOOST_TEST(kept->is_open());
    BOOST_TEST(contains(kept->client().capabilities, "roots"));

    auto const pinged = co_await kept->async_ping(5s, in_tuple);
    BOOST_TEST(!std::get<0>(pinged));
    auto const listed = co_await kept->async_ask<roots>(roots_request(), in_tuple);
    BOOST_TEST(!std::get<0>(listed));
    BOOST_REQUIRE(std::get<1>(listed).roots.size() == 1u);
    BOOST_TEST(std::get<1>(listed).roots[0].uri == "file:///home");
    auto const summed = co_await kept->async_request("own/sum", raw_json("{\"a\":1}"), 7s, in_tuple);
    BOOST_TEST(!std::get<0>(summed));
    BOOST_TEST(std::get<1>(summed) == R"({"of":{"a":1}})");
    auto const unknown = co_await kept->async_request("own/none", raw_json("{}"), 7s, in_tuple);
    BOOST_TEST((std::get<0>(unknown) == error::input_refused));
    auto const undeclared = co_await kept->async_ask<elicitation>(sign_in_page("https://files.own/sign-in"), in_tuple);
    BOOST_TEST((std::get<0>(undeclared) == error::unsupported_input_request));
    kept->notify("own/changed", raw_json(R"({"to":2})"));
    co_await settle(executor);
    BOOST_TEST(heard == std::vector<std::string>{R"({"to":2})"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(keeping_world, log_messages_of_a_session_have_at_least_the_level_of_the_client)
{
    make_with_tool();
    auto& calls = connect();
    std::vector<std::string> messages;
    calls.on_notification("notifications/message", [&](std::string_view params) { messages.emplace_back(params); });
    co_await calls.async_open();
    co_await calls.async_call_tool("keep");
    kept->log(log_level::debug, raw_json(R"("all levels")"));
    boost::json::object const level{{"level", "warning"}};
    co_await calls.async_request("logging/setLevel", level);
    kept->log(log_level::notice, raw_json(R"("unimportant")"));
    kept->log(log_level::warning, raw_json(R"({"k":1})"), "own");
    co_await settle(executor);
    std::vector<std::string> const expected{R"({"level":"debug","data":"all levels"})",
                                            R"({"level":"warning","logger":"own","data":{"k":1}})"};
    BOOST_TEST(messages == expected, boost::test_tools::per_element());
    client.reset();
    co_await settle(executor);
    kept->log(log_level::emergency, raw_json("1")); // no effect without a session
    co_await settle(executor);
    BOOST_TEST(messages.size() == 2u);
}

LINKSPAN_CASE_IN(keeping_world, request_of_a_session_completes_after_its_timeout)
{
    make_with_tool();
    auto& calls = connect();
    std::vector<responder> held;
    calls.on_request("own/slow", [&](std::string_view, responder reply) { held.push_back(std::move(reply)); });
    co_await calls.async_open();
    co_await calls.async_call_tool("keep");
    auto const begin = since_start(time);
    auto const slow = co_await kept->async_request("own/slow", raw_json("{}"), 7s, in_tuple);
    BOOST_TEST((std::get<0>(slow) == asio::error::timed_out));
    BOOST_TEST((since_start(time) - begin == 7s));
    BOOST_REQUIRE(held.size() == 1u);
    held[0](raw_json("{}")); // no effect on later requests
    BOOST_TEST(!std::get<0>(co_await kept->async_ping(5s, in_tuple)));
}

LINKSPAN_CASE_IN(keeping_world, operations_of_a_session_complete_when_the_client_disconnects)
{
    make_with_tool();
    auto& calls = connect();
    std::vector<responder> held;
    calls.on_request("own/slow", [&](std::string_view, responder reply) { held.push_back(std::move(reply)); });
    co_await calls.async_open();
    co_await calls.async_call_tool("keep");
    std::vector<error_code> ended;
    kept->async_request("own/slow", raw_json("{}"), 7s,
                        [&](error_code ec, std::string const&) { ended.push_back(ec); });
    co_await settle(executor);
    BOOST_TEST(ended.empty());
    client.reset();
    co_await settle(executor);
    BOOST_REQUIRE(ended.size() == 1u);
    BOOST_TEST((ended[0] == asio::error::operation_aborted));
    BOOST_TEST(!kept->is_open());
    BOOST_TEST(kept->client().identity.name.empty());
    BOOST_TEST((std::get<0>(co_await kept->async_ping(5s, in_tuple)) == asio::error::not_connected));
}

LINKSPAN_CASE_IN(keeping_world, a_stateless_request_has_no_session)
{
    make_with_tool(protocol_version::v2026_07_28);
    auto& calls = connect();
    std::vector<std::string> heard;
    calls.on_notification("own/changed", [&](std::string_view params) { heard.emplace_back(params); });
    co_await calls.async_open();
    co_await calls.async_call_tool("keep");
    BOOST_TEST(!kept->is_open());
    calls.on_notification("notifications/message", [&](std::string_view params) { heard.emplace_back(params); });
    kept->notify("own/changed", raw_json("{}"));
    kept->log(log_level::emergency, raw_json("1"));
    co_await settle(executor);
    BOOST_TEST(heard.empty());
    BOOST_TEST((std::get<0>(co_await kept->async_ping(5s, in_tuple)) == asio::error::not_connected));
}

LINKSPAN_CASE_IN(keeping_world, a_request_sends_its_own_notifications_until_its_response)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("tell"), [](server_request request) {
            request.notify("own/partial", raw_json(R"({"part":1})"));
            request.complete(tool_output::text("told"));
            request.notify("own/partial", raw_json(R"({"part":2})"));
        });
        auto& calls = connect();
        std::vector<std::string> heard;
        calls.on_notification("own/partial", [&](std::string_view params) { heard.emplace_back(params); });
        co_await calls.async_open();
        co_await calls.async_call_tool("tell");
        co_await settle(executor);
        BOOST_TEST(heard == std::vector<std::string>{R"({"part":1})"}, boost::test_tools::per_element());
    }
}

LINKSPAN_CASE_IN(keeping_world, a_notification_handler_receives_the_session_of_the_client)
{
    std::vector<std::string> uris;
    make_with_tool();
    served->set_notification_handler("notifications/roots/list_changed",
                                     [&](client_info const&, std::string_view, client_session const& from) {
                                         from.async_ask<roots>(roots_request(), [&](error_code, roots_result result) {
                                             for (auto const& each : result.roots)
                                                 uris.push_back(each.uri);
                                         });
                                     });
    auto& calls = connect();
    calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
        roots_result result;
        result.roots.push_back({"file:///new", ""});
        reply(result);
    });
    co_await calls.async_open();
    BOOST_TEST(calls.notify("notifications/roots/list_changed"));
    co_await settle(executor);
    BOOST_TEST(uris == std::vector<std::string>{"file:///new"}, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(keeping_world, changed_roots_are_passed_with_the_session_of_the_client)
{
    for (auto const version : handshake_versions) {
        std::vector<std::string> uris;
        make(version).on_roots_changed([&uris](client_session from) {
            from.async_ask<roots>(roots_request(), [&uris, from](error_code ec, roots_result result) {
                BOOST_TEST(!ec, ec.message());
                for (auto const& each : result.roots)
                    uris.push_back(from.client().identity.name + " " + each.uri);
            });
        });
        auto& calls = connect();
        auto const list = [](roots_request const&, typed_responder<roots> reply) {
            roots_result result;
            result.roots.push_back({"file:///new", ""});
            reply(result);
        };
        calls.set_handler<roots>(list, {.list_changed = true});
        BOOST_TEST(!calls.notify_roots_changed()); // not open
        co_await calls.async_open();
        BOOST_TEST(calls.notify_roots_changed());
        co_await settle(executor);
        BOOST_TEST_REQUIRE(uris.size() == 1u, to_string(version));
        BOOST_TEST(uris[0] == session_options().client_name + " file:///new");
    }
}

// The client sends the notification against the rules in all cases.
LINKSPAN_CASE_IN(keeping_world, changed_roots_are_ignored_unless_the_client_declares_the_notification)
{
    std::array<std::string, 5> const capabilities{R"({"roots":{"listChanged":true}})",
                                                  R"({"roots":{"listChanged":false}})", R"({"roots":{}})",
                                                  R"({"sampling":{}})", "{}"};
    std::size_t changes = 0, calls_of_another_handler = 0;
    for (auto const& declared : capabilities) {
        make(protocol_version::v2025_11_25).on_roots_changed([&changes](client_session const&) { ++changes; });
        auto const raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":)" + declared +
                                                       R"(,"clientInfo":{"name":"c","version":"1"}})");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
        co_await settle(executor);
        BOOST_TEST(std::exchange(changes, 0) == (declared.find("true") == declared.npos ? 0u : 1u), declared);
        raw->close();
        co_await settle(executor);
    }
    make(protocol_version::v2026_07_28).on_roots_changed([&changes](client_session const&) { ++changes; });
    served->set_notification_handler(
        "notifications/other",
        [&calls_of_another_handler](client_info const&, std::string_view) { ++calls_of_another_handler; });
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    co_await raw->ask("server/discover", "", R"({"roots":{"listChanged":true}})");
    raw->send_unrecorded(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    raw->send_unrecorded(R"({"jsonrpc":"2.0","method":"notifications/other"})");
    co_await settle(executor);
    BOOST_TEST(changes == 0u);
    BOOST_TEST(calls_of_another_handler == 1u); // the messages have reached the server
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(keeping_world, exception_of_the_handler_for_changed_roots_is_a_defect)
{
    make(protocol_version::v2025_11_25).on_roots_changed([](client_session const&) {
        throw std::runtime_error("no roots");
    });
    auto& calls = connect();
    calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply({}); },
                             {.list_changed = true});
    co_await calls.async_open();
    BOOST_TEST(calls.notify_roots_changed());
    co_await settle(executor);
    BOOST_TEST(defects == std::vector<std::string>{"notifications/roots/list_changed: no roots"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
