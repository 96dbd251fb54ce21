// Operations of a session on resources, prompts, completion and log messages, and messages of the client.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/session/logging.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "support/contains.hpp"
#include "support/fake_transport.hpp"
#include "support/prompt_text.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(typed_requests_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Offers three resources, a template and two prompts.
void offer_all(server& own)
{
    for (std::string const name : {"a", "b", "c"})
        own.add(resource{.uri = "note://" + name, .name = name, .mime_type = "text/plain", .size = 4},
                [name] { return "note " + name; });
    own.add(resource_template{.uri_template = "note://{day}/{part}", .name = "note"},
            [](uri_template::values const& values) { return values[0].second + " in the " + values[1].second; });
    own.add(prompt{.name = "greet", .arguments = {{.name = "who", .required = true}}}, [](server_request request) {
        auto const given = json_scan::member(request.arguments(), "who");
        request.complete(prompt_result{"described", {{"assistant", text_content{std::string(given), {}, {}}}}});
    });
    own.add(prompt{.name = "plain"}, [](server_request request) {
        request.complete(prompt_result{{}, {{"user", text_content{"plain", {}, {}}}}});
    });
    own.set_completion_handler([](completion_request const& asked) {
        return completion_result{{asked.name + "/" + asked.argument + "/" + asked.value}, 7, true};
    });
}

} // namespace

LINKSPAN_CASE_IN(server_world, lists_contain_all_pages)
{
    options.page_size = 2;
    for (auto const version : newest_of_both_eras) {
        offer_all(make(version));
        auto& calls = connect();
        co_await calls.async_open();
        auto const resources = co_await async_list_resources(calls);
        BOOST_TEST(resources.pages == 2u);
        BOOST_TEST_REQUIRE(resources.entries.size() == 3u);
        BOOST_TEST(resources.entries[2].uri == "note://c");
        BOOST_TEST((resources.entries[2].size == 4));
        BOOST_TEST(resources.ttl.has_value() == (version == protocol_version::v2026_07_28));
        auto const templates = co_await async_list_resource_templates(calls);
        BOOST_TEST_REQUIRE(templates.entries.size() == 1u);
        BOOST_TEST(templates.entries[0].uri_template == "note://{day}/{part}");
        auto const prompts = co_await async_list_prompts(calls);
        BOOST_TEST_REQUIRE(prompts.entries.size() == 2u);
        BOOST_TEST(prompts.entries[0].arguments.at(0).required);
    }
}

LINKSPAN_CASE_IN(server_world, resources_prompts_and_values_are_read)
{
    for (auto const version : newest_of_both_eras) {
        offer_all(make(version));
        auto& calls = connect();
        co_await calls.async_open();
        auto const note = co_await async_read_resource(calls, "note://b");
        BOOST_TEST_REQUIRE(note->size() == 1u);
        BOOST_TEST(note->at(0).text == "note b");
        BOOST_TEST(note->at(0).mime_type == "text/plain");
        call_options brief;
        brief.timeout = 5s;
        auto const matched = co_await async_read_resource(calls, "note://monday/evening", brief);
        BOOST_TEST(matched->at(0).text == "monday in the evening");
        argument_values const ada{{"who", "Ada"}};
        auto const greeting = co_await async_get_prompt(calls, "greet", ada);
        BOOST_TEST(greeting->description == "described");
        BOOST_TEST(text_of(*greeting) == R"("Ada")");
        auto const plain = co_await async_get_prompt(calls, "plain");
        BOOST_TEST(text_of(*plain) == "plain");
        completion_request what;
        what.name = "greet";
        what.argument = "who";
        what.value = "A";
        auto const values = co_await async_complete(calls, what);
        BOOST_TEST((values->values == std::vector<std::string>{"greet/who/A"}));
        BOOST_TEST((values->total == 7));
        BOOST_TEST(values->has_more);
    }
}

LINKSPAN_CASE_IN(server_world, context_of_completion_is_sent_in_versions_that_have_it)
{
    for (auto const version : {protocol_version::v2025_03_26, protocol_version::v2025_06_18}) {
        completion_request seen;
        auto& own = make(version);
        offer_all(own);
        own.set_completion_handler([&seen](completion_request const& asked) {
            seen = asked;
            return completion_result();
        });
        auto& calls = connect();
        co_await calls.async_open();
        completion_request what;
        what.name = "greet";
        what.argument = "who";
        what.arguments = {{"where", "here"}};
        co_await async_complete(calls, what);
        BOOST_TEST(seen.argument == "who");
        BOOST_TEST(seen.arguments.size() == (version == protocol_version::v2025_06_18 ? 1u : 0u));
    }
}

LINKSPAN_CASE_IN(server_world, refused_reads_are_errors_with_the_message_of_the_server)
{
    offer_all(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    co_await calls.async_open();
    auto const [ec, result] = co_await async_read_resource(calls, "note://missing", in_tuple);
    BOOST_TEST(ec.value() == -32002);
    BOOST_TEST(!result.has_value());
    BOOST_TEST(contains(result.result().detail(), "Resource not found"), result.result().detail());
    std::string thrown;
    try {
        co_await async_get_prompt(calls, "missing");
    } catch (call_error const& failure) {
        thrown = failure.what();
    }
    BOOST_TEST(contains(thrown, "missing"), thrown);
}

LINKSPAN_CASE(invalid_results_are_malformed_messages)
{
    scripted_server own({protocol_version::v2025_11_25});
    own.on(request("resources/read")).then(result(R"("contents":[{"text":"no uri"}])"));
    own.on(request("resources/list")).then(result(R"("resources":{})"));
    own.on(request("prompts/list")).then(result(R"("prompts":[{"title":"no name"},{"name":"p"}])"));
    session calls(executor, via<inproc>(own));
    co_await calls.async_open();
    auto const [ec, read] = co_await async_read_resource(calls, "note://a", in_tuple);
    BOOST_TEST((ec == error::malformed_message));
    BOOST_TEST(contains(read.result().detail(), R"({"text":"no uri"})"), read.result().detail());
    BOOST_TEST_REQUIRE(read.result().attempts().size() == 1u);
    BOOST_TEST((read.result().attempts()[0].result.certainty == certainty::unknown));
    auto const [list_ec, list] = co_await async_list_resources(calls, in_tuple);
    BOOST_TEST((list_ec == error::malformed_message));
    BOOST_TEST(list.entries.empty());
    auto const prompts = co_await async_list_prompts(calls);
    BOOST_TEST(prompts.dropped == 1u);
    BOOST_TEST(prompts.entries.at(0).name == "p");
}

LINKSPAN_CASE_IN(server_world, lists_are_cancelled)
{
    offer_all(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    co_await calls.async_open();
    asio::cancellation_signal cancel;
    error_code ended;
    async_list_resources(
        calls, asio::bind_cancellation_slot(cancel.slot(), [&](error_code ec, resource_list) { ended = ec; }));
    cancel.emit(asio::cancellation_type::total);
    co_await settle(executor);
    BOOST_TEST((ended == asio::error::operation_aborted));
    BOOST_TEST(calls.in_flight() == 0u);
}

LINKSPAN_CASE_IN(server_world, log_messages_have_at_least_the_level_of_the_session)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("work"), [](server_request request) {
            request.log(log_level::info, raw_json(R"("minor")"));
            request.log(log_level::error, raw_json(R"({"k":1})"), "own");
            request.complete(tool_output::text("done"));
        });
        auto& calls = connect();
        std::vector<log_message> messages;
        on_log_message(calls, [&](log_message const& message) { messages.push_back(message); });
        co_await calls.async_open();
        co_await async_set_log_level(calls, log_level::warning);
        co_await calls.async_call_tool("work");
        BOOST_TEST_REQUIRE(messages.size() == 1u);
        BOOST_TEST((messages[0] == log_message{log_level::error, "own", R"({"k":1})"}));
    }
}

LINKSPAN_CASE_IN(server_world, log_level_remains_after_the_session_is_opened_again)
{
    for (auto const version : newest_of_both_eras) {
        std::size_t messages = 0;
        make(version).add(any_tool("work"), [](server_request request) {
            request.log(log_level::info, raw_json(R"("minor")"));
            request.log(log_level::error, raw_json(R"("major")"));
            request.complete(tool_output::text("done"));
        });
        auto& calls = connect();
        on_log_message(calls, [&](log_message const&) { ++messages; });
        co_await calls.async_open();
        co_await async_set_log_level(calls, log_level::warning);
        calls.close();
        co_await calls.async_open();
        co_await calls.async_call_tool("work");
        BOOST_TEST(messages == 1u);
    }
}

LINKSPAN_CASE_IN(server_world, log_level_needs_an_open_session)
{
    make();
    auto const [ec, result] = co_await async_set_log_level(connect(), log_level::warning, in_tuple);
    BOOST_TEST((ec == error::not_connected));
}

LINKSPAN_CASE_IN(server_world, notifications_are_sent_in_the_era_handshake)
{
    for (auto const version : newest_of_both_eras) {
        std::vector<std::string> changes;
        bool const is_handshake = version == protocol_version::v2025_11_25;
        make(version).set_notification_handler(
            "notifications/roots/list_changed",
            [&](client_info const& from, std::string_view) { changes.push_back(from.capabilities); });
        auto& calls = connect();
        calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply({}); },
                                 {.list_changed = true});
        BOOST_TEST(!calls.notify("notifications/roots/list_changed"));
        co_await calls.async_open();
        BOOST_TEST(calls.notify("notifications/roots/list_changed") == is_handshake);
        BOOST_TEST(!calls.notify("notifications/roots/list_changed", raw_json("[]")));
        co_await settle(executor);
        BOOST_TEST(changes.size() == (is_handshake ? 1u : 0u));
        if (is_handshake)
            BOOST_TEST(contains(changes.at(0), R"("roots":{"listChanged":true})"), changes.at(0));
    }
}

LINKSPAN_CASE(changed_roots_are_notified_only_if_the_handshake_has_declared_the_notification)
{
    for (auto const& version : protocol_versions) {
        for (int declared = 0; declared < 3; ++declared) { // no handler, without `listChanged`, with it
            scripted_server own({version.id});
            session calls(executor, via<inproc>(own));
            auto const list = [](roots_request const&, typed_responder<roots> reply) { reply({}); };
            if (declared > 0)
                calls.set_handler<roots>(list, {.list_changed = declared == 2});
            co_await calls.async_open();
            bool const is_sent = version.era == era::handshake && declared == 2;
            BOOST_TEST(calls.notify_roots_changed() == is_sent, version.text << ' ' << declared);
            co_await settle(executor);
            BOOST_TEST(own.received("notifications/roots/list_changed") == (is_sent ? 1u : 0u), version.text);
            calls.close();
            BOOST_TEST(!calls.notify_roots_changed());
            co_await settle(executor);
        }
    }
}

LINKSPAN_CASE(handlers_report_progress_of_requests_with_a_token)
{
    scripted_server own({protocol_version::v2025_11_25});
    own.on(call("work"))
        .then(send_request("roots/list", R"({"_meta":{"progressToken":"t1"}})"), send_request("own/plain", "{}"),
              text("done"));
    session calls(executor, via<inproc>(own));
    auto const handler = [](std::string_view, responder reply) {
        reply.report_progress({.progress = 1, .total = 4, .message = "quarter"});
        reply(raw_json(R"({"roots":[]})"));
        reply.report_progress({.progress = 2, .total = {}, .message = {}}); // after the response: not sent
    };
    calls.on_request("roots/list", handler);
    calls.on_request("own/plain", handler);
    co_await calls.async_open();
    co_await calls.async_call_tool("work");
    BOOST_TEST(own.received(R"("progressToken":"t1","progress":1,"total":4,"message":"quarter")") == 1u);
    BOOST_TEST(own.received("notifications/progress") == 1u);
}

LINKSPAN_CASE_IN(fake_transport_world, progress_can_be_reported_before_the_negotiation_is_complete)
{
    fake->handlers["initialize"] = [this](sent_message const& message) {
        fake->deliver(R"({"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"_meta":{"progressToken":7}}})");
        complete_handshake(message);
    };
    make().on_request("roots/list", [](std::string_view, responder reply) {
        reply.report_progress({.progress = 1, .total = {}, .message = "some"});
        reply(raw_json(R"({"roots":[]})"));
    });
    co_await client->async_open();
    BOOST_TEST(contains(fake->message("notifications/progress").bytes, R"({"progressToken":7,"progress":1})"));
}

LINKSPAN_CASE_IN(fake_transport_world, signal_of_a_cancelled_list_can_be_used_again)
{
    co_await make().async_open();
    asio::cancellation_signal cancel;
    std::size_t aborted = 0;
    auto const count = [&](error_code ec, resource_list const&) { aborted += ec == asio::error::operation_aborted; };
    async_list_resources(*client, asio::bind_cancellation_slot(cancel.slot(), count));
    cancel.emit(asio::cancellation_type::total);
    async_list_resources(*client, asio::bind_cancellation_slot(cancel.slot(), count));
    co_await settle(executor);
    BOOST_TEST(aborted == 1u);
    cancel.emit(asio::cancellation_type::total);
    co_await settle(executor);
    BOOST_TEST(aborted == 2u);
    BOOST_TEST(client->in_flight() == 0u);
}

BOOST_AUTO_TEST_CASE(signal_of_a_list_may_outlive_the_execution_context)
{
    asio::cancellation_signal cancel;
    auto const fake = std::make_shared<transport_script>();
    bool completed = false;
    {
        asio::io_context context(1);
        session calls(context.get_executor(), via<fake_transport>({fake}));
        fake->handlers["server/discover"] = [&](sent_message const& message) {
            fake->result(message, R"("supportedVersions":["2026-07-28"],"capabilities":{})");
        };
        calls.async_open([&](error_code ec) {
            BOOST_TEST(!ec);
            auto const on_end = [&](error_code, resource_list const&) { completed = true; };
            async_list_resources(calls, asio::bind_cancellation_slot(cancel.slot(), on_end));
        });
        context.poll();
        BOOST_TEST(fake->count("resources/list") == 1u);
    }
    cancel.emit(asio::cancellation_type::total);
    BOOST_TEST(!completed);
}

LINKSPAN_CASE_IN(server_world, extensions_are_declared_in_2026_07_28)
{
    std::string declared;
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("who"), [&](server_request request) {
            declared = request.client().capabilities;
            request.complete(tool_output::text("done"));
        });
        session_options with;
        with.extensions = R"({"com.example/charts":{"depth":2}})";
        client.emplace(executor, via<inproc>(recorded_inproc_to(*served)), with);
        co_await client->async_open();
        co_await client->async_call_tool("who");
        BOOST_TEST(contains(declared, R"("extensions":{"com.example/charts":{"depth":2}})") ==
                       (version == protocol_version::v2026_07_28),
                   declared);
    }
    session_options invalid;
    invalid.extensions = "[]";
    BOOST_CHECK_THROW(session(executor, via<inproc>(inproc_to(*served)), invalid), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
