// Tests a session with a server of this library: each method and notification of each protocol version of the era
// `handshake`. Not tested: `notifications/tasks/status` from the client, which a session does not send; and an
// `initialize` request with a version before 2025-11-25, because a session proposes the newest version to a server that
// lists no versions.
//
// The messages of both sides are validated against the schema of their version (`test/interop/wire_schemas`).

#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/required_elicitations.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/require_elicitations.hpp>
#include <linkspan/session/logging.hpp>
#include <linkspan/session/notifications.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/session/tasks.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(handshake_versions_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
using texts = std::vector<std::string>;

namespace {

icon picture()
{
    icon out;
    out.src = "https://own.example/icon.png";
    out.mime_type = "image/png";
    out.sizes = {"48x48"};
    return out;
}

content_annotations hints()
{
    content_annotations out;
    out.audience = {"user", "assistant"};
    out.priority = 0.5;
    out.last_modified = "2026-01-02T03:04:05Z";
    return out;
}

resource today()
{
    resource out;
    out.uri = "note://today";
    out.name = "today";
    out.title = "Today";
    out.description = "The note of today";
    out.mime_type = "text/plain";
    out.size = 5;
    out.annotations = hints();
    out.icons = {picture()};
    out.meta = R"({"own/kind":"note"})";
    return out;
}

// Returns one content block of each type of a tool result.
std::vector<content_block> every_block()
{
    resource_contents contents;
    contents.uri = "note://today";
    contents.mime_type = "text/plain";
    contents.text = "sunny";
    return {text_content{"seen", hints(), R"({"own/n":1})"}, image_content{"aW1n", "image/png", hints(), {}},
            audio_content{"d2F2", "audio/wav", {}, {}}, embedded_resource{contents, hints(), {}},
            resource_link{today()}};
}

// Returns the alternatives of content blocks, as their indices.
std::vector<std::size_t> kinds_of(std::vector<content_block> const& blocks)
{
    std::vector<std::size_t> out;
    for (auto const& each : blocks)
        out.push_back(each.index());
    return out;
}

// Returns the names of entries.
template<class Entries>
texts names_of(Entries const& entries)
{
    texts out;
    for (auto const& each : entries)
        out.push_back(each.name);
    return out;
}

sampling_request sampling_of(protocol_version version)
{
    sampling_request out;
    out.set_conversation({{"user", {text_content{"What is it?", {}, {}}}, {}},
                          {"assistant", {image_content{"aW1n", "image/png", {}, {}}}, {}},
                          {"user", {text_content{"And now?", {}, {}}}, {}}},
                         version);
    out.system_prompt = "Be brief";
    out.max_tokens = 50;
    out.preferences.hints = {"small"};
    out.preferences.cost_priority = 0.25;
    out.temperature = 0.5;
    out.stop_sequences = {"END"};
    out.include_context = context_inclusion::this_server;
    out.metadata = R"({"tier":"low"})";
    if (has_member(version, wire_member::sampling_tools)) {
        out.tools = {any_tool("look")};
        out.tool_choice = tool_choice_mode::automatic;
    }
    return out;
}

elicit_request form()
{
    elicit_request out;
    out.message = "Who is it?";
    out.requested_schema = R"({"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1},)"
                           R"("age":{"type":"integer","minimum":0},"member":{"type":"boolean","default":false},)"
                           R"("color":{"type":"string","enum":["red","blue"]}},"required":["name"]})";
    return out;
}

// A server with entries of each kind and a session with handlers of each kind.
struct version_world : server_world {
    protocol_version version{};
    texts events;                                                // notifications and cancellations, in their order
    std::vector<server_request> held;                            // requests of the tools "hold" and "long"
    std::vector<typed_responder<roots>> outstanding_roots;       // requests for roots, if `accepts` is false
    std::vector<typed_responder<sampling>> outstanding_sampling; // requests for sampling, if `is_holding` is true
    std::optional<client_session> kept;                          // of the tool "keep"
    sampling_request sampled;                                    // last request for sampling
    elicit_request elicited;                                     // last elicitation
    // False: requests for sampling are refused, elicitations are declined, and requests for roots have no response.
    bool accepts = true;
    bool is_holding = false; // requests for sampling have no response

    bool has(wire_member member) const { return has_member(version, member); }
    texts take_events() { return std::exchange(events, {}); }

    // Makes the server and a session that is not open.
    session& make_both(protocol_version only)
    {
        reset();
        version = only;
        options.protocol_versions = {only};
        options.instructions = "Ask before you act";
        options.page_size = 2;
        implementation self;
        self.name = "own";
        self.version = "7";
        self.title = "Own server";
        self.description = "A server of each version";
        self.website_url = "https://own.example";
        self.icons = {picture()};
        offer(served.emplace(executor, self, options));
        session_options with;
        with.max_hosted_tasks = 2;
        return handle_all(client.emplace(executor, via<inproc>(recorded_inproc_to(*served)), with));
    }

    void offer(server& own)
    {
        offer_tools(own);
        own.add(today(), [] { return std::string("sunny"); });
        own.add(resource{.uri = "note://photo", .name = "photo", .mime_type = "image/png"}, [](server_request request) {
            resource_contents contents;
            contents.uri = "note://photo";
            contents.mime_type = "image/png";
            contents.blob = "aW1n";
            request.complete(std::vector{contents});
        });
        own.add(resource{.uri = "note://gone", .name = "gone"}, [] { return std::string(); });
        resource_template note;
        note.uri_template = "note://{day}/{part}";
        note.name = "note";
        note.title = "Note";
        note.annotations = hints();
        note.icons = {picture()};
        own.add(note, [](uri_template::values const& values) { return values[0].second + " " + values[1].second; });
        prompt greet;
        greet.name = "greet";
        greet.title = "Greet";
        greet.description = "Greets a person";
        greet.arguments = {{.name = "who", .title = "Who", .description = "The person", .required = true}};
        greet.icons = {picture()};
        own.add(greet, [](server_request request) {
            prompt_result result;
            result.description = "A greeting";
            for (auto& each : every_block())
                result.messages.push_back({"user", std::move(each)});
            request.complete(result);
        });
        own.add(prompt{.name = "plain"}, [] { return std::string("plain"); });
        own.set_completion_handler([](completion_request const& asked) {
            return completion_result{
                {asked.argument + "=" + asked.value, std::to_string(asked.arguments.size())}, 7, true};
        });
        own.on_roots_changed([this](client_session const&) { events.emplace_back("roots"); });
    }

    void offer_tools(server& own)
    {
        tool show = any_tool("show");
        show.title = "Show";
        show.description = "Shows a block of each type";
        show.output_schema = R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
        show.annotations.read_only = true;
        show.has_hints = true;
        show.icons = {picture()};
        show.meta = R"({"own/kind":"view"})";
        own.add(show, [](server_request request) {
            tool_output out;
            out.content = every_block();
            out.structured = R"({"n":3})";
            out.meta = R"({"own/cost":1})";
            request.complete(out);
        });
        own.add(any_tool("work"), [](server_request request) {
            request.report_progress(1, 2, "half");
            request.log(log_level::info, raw_json(R"("minor")"));
            request.log(log_level::error, raw_json(R"({"k":1})"), "own");
            request.complete(tool_output::text("done"));
        });
        own.add(any_tool("fail"), [](server_request request) { request.complete(tool_output::failure("broken")); });
        own.add(any_tool("keep"), [this](server_request request) {
            kept.emplace(request.session());
            request.complete(tool_output::text("kept"));
        });
        own.add(any_tool("hold"), [this](server_request request) {
            request.on_cancelled([this] { events.emplace_back("cancelled"); });
            held.push_back(std::move(request));
        });
        own.add(any_tool("export"), [](server_request request) {
            require_elicitations(request, std::array{sign_in_page("https://own.example/sign-in")});
        });
        tool long_one = any_tool("long");
        long_one.tasks = task_support::optional;
        own.add(long_one, [this](server_request request) {
            request.become_task();
            held.push_back(std::move(request));
        });
    }

    session& handle_all(session& calls)
    {
        auto const list_roots = [this](roots_request const&, typed_responder<roots> reply) {
            if (!accepts)
                return outstanding_roots.push_back(std::move(reply));
            roots_result result;
            result.roots = {{"file:///home/ada", "home"}, {"file:///tmp", ""}};
            reply(result);
        };
        calls.set_handler<roots>(list_roots, {.list_changed = true});
        auto const sample = [this](sampling_request const& request, typed_responder<sampling> reply) {
            sampled = request;
            if (is_holding)
                return outstanding_sampling.push_back(std::move(reply));
            if (!accepts)
                return reply.refuse(-1, "refused by the end user");
            reply.report_progress({.progress = 1, .total = 2, .message = "thinking"});
            sampling_result result;
            result.text = "a cat";
            result.model = "small-1";
            result.stop_reason = "endTurn";
            reply(result);
        };
        calls.set_handler<sampling>(sample, {.tools = true, .context = true});
        auto const elicit = [this](elicit_request const& request, typed_responder<elicitation> reply) {
            elicited = request;
            elicit_result result;
            result.action = accepts ? elicit_action::accept : elicit_action::decline;
            if (accepts && request.mode == elicit_mode::form)
                result.content = {{"name", "Ada"}, {"age", 36}, {"color", "blue"}};
            reply(result);
        };
        calls.set_handler<elicitation>(elicit, {.url = true});
        constexpr std::array lists{std::pair(changed_list::tools, "tools"), std::pair(changed_list::prompts, "prompts"),
                                   std::pair(changed_list::resources, "resources")};
        for (auto const& [what, name] : lists)
            on_list_changed(calls, what, [this, name = std::string(name)] { events.push_back(name); });
        on_resource_updated(calls, [this](std::string_view uri) { events.emplace_back(uri); });
        on_log_message(calls, [this](log_message const& message) {
            events.push_back(std::string(to_string(message.level)) + message.logger + message.data);
        });
        on_elicitation_complete(calls, [this](std::string_view id) { events.emplace_back(id); });
        on_task_changed(calls, [this](task const& one) { events.emplace_back(to_string(one.status)); });
        return calls;
    }

    // Opens the session, and stores the `client_session` of the server in `kept`.
    asio::awaitable<void> open()
    {
        co_await client->async_open();
        BOOST_TEST((client->protocol_version() == version));
        auto const result = co_await client->async_call_tool("keep");
        BOOST_TEST(result.text() == "kept");
        BOOST_TEST_REQUIRE(kept.has_value());
    }

    void reset()
    {
        held.clear();
        outstanding_roots.clear();
        outstanding_sampling.clear();
        kept.reset();
        events.clear();
        accepts = true;
        is_holding = false;
        client.reset();
    }

    void clean_up()
    {
        reset();
        served.reset();
    }
};

} // namespace

LINKSPAN_CASE_IN(version_world, entries_are_listed_and_read_in_each_version)
{
    for (auto const each : handshake_versions) {
        auto& calls = make_both(each);
        co_await open();
        BOOST_TEST(calls.server().name == "own");
        BOOST_TEST(calls.server().instructions == "Ask before you act");

        auto const tools = co_await calls.async_list_tools();
        BOOST_TEST(names_of(tools.tools) == (texts{"show", "work", "fail", "keep", "hold", "export", "long"}),
                   boost::test_tools::per_element());
        BOOST_TEST(tools.pages == 4u);
        auto const& show = tools.tools.at(0);
        BOOST_TEST(show.description == "Shows a block of each type");
        BOOST_TEST(show.title == (has(wire_member::title) ? "Show" : ""));
        BOOST_TEST(show.has_hints == has(wire_member::tool_annotations));
        BOOST_TEST(show.output_schema.empty() == !has(wire_member::tool_output));
        BOOST_TEST(show.icons.size() == (has(wire_member::icons) ? 1u : 0u));
        BOOST_TEST((tools.tools.at(6).tasks == task_support::optional) == has(wire_member::task_support));

        auto const resources = co_await async_list_resources(calls);
        BOOST_TEST(names_of(resources.entries) == (texts{"today", "photo", "gone"}), boost::test_tools::per_element());
        auto const& first = resources.entries.at(0);
        BOOST_TEST((first.size == 5));
        BOOST_TEST(first.title == (has(wire_member::title) ? "Today" : ""));
        BOOST_TEST((first.annotations.priority == 0.5));
        BOOST_TEST(first.annotations.last_modified.empty() == !has(wire_member::last_modified));
        auto const templates = co_await async_list_resource_templates(calls);
        BOOST_TEST_REQUIRE(templates.entries.size() == 1u);
        BOOST_TEST(templates.entries[0].uri_template == "note://{day}/{part}");

        auto const text = co_await async_read_resource(calls, "note://today");
        BOOST_TEST(text->at(0).text == "sunny");
        auto const blob = co_await async_read_resource(calls, "note://photo");
        BOOST_TEST((blob->at(0).blob == "aW1n"));
        auto const matched = co_await async_read_resource(calls, "note://monday/noon");
        BOOST_TEST(matched->at(0).text == "monday noon");
        auto const [missing, none] = co_await async_read_resource(calls, "note://missing", in_tuple);
        BOOST_TEST(missing.value() == -32002);
    }
}

LINKSPAN_CASE_IN(version_world, prompts_are_listed_and_read_and_arguments_completed_in_each_version)
{
    for (auto const each : handshake_versions) {
        auto& calls = make_both(each);
        co_await open();
        auto const prompts = co_await async_list_prompts(calls);
        BOOST_TEST(names_of(prompts.entries) == (texts{"greet", "plain"}), boost::test_tools::per_element());
        BOOST_TEST(prompts.entries[0].arguments.at(0).required);
        argument_values const ada{{"who", "Ada"}};
        auto const greeting = co_await async_get_prompt(calls, "greet", ada);
        BOOST_TEST(greeting->description == "A greeting");
        BOOST_TEST_REQUIRE(greeting->messages.size() == 5u);
        BOOST_TEST(std::get<text_content>(greeting->messages[0].content).text == "seen");
        auto const [ec, none] = co_await async_get_prompt(calls, "missing", {}, in_tuple);
        BOOST_TEST(ec.value() == -32602);

        completion_request what;
        what.name = "greet";
        what.argument = "who";
        what.value = "A";
        what.arguments = {{"where", "here"}};
        auto const values = co_await async_complete(calls, what);
        BOOST_TEST(values->values == (texts{"who=A", has(wire_member::completion_context) ? "1" : "0"}),
                   boost::test_tools::per_element());
        BOOST_TEST((values->total == 7));
        BOOST_TEST(values->has_more);
        what.subject = completion_request::kind::resource_template;
        what.name = "note://{day}/{part}";
        what.argument = "day";
        auto const days = co_await async_complete(calls, what);
        BOOST_TEST(days->values.at(0) == "day=A");
    }
}

LINKSPAN_CASE_IN(version_world, calls_have_results_progress_and_log_messages_in_each_version)
{
    for (auto const each : handshake_versions) {
        auto& calls = make_both(each);
        co_await open();
        auto const shown = co_await calls.async_call_tool("show");
        auto expected = kinds_of(every_block());
        auto const as_text = content_block(text_content()).index(); // replaces a type that the version lacks
        if (!has(wire_member::audio_content))
            expected[2] = as_text;
        if (!has(wire_member::resource_link_content))
            expected[4] = as_text;
        BOOST_TEST(kinds_of(shown.content()) == expected, boost::test_tools::per_element());
        BOOST_TEST(shown.structured() == (has(wire_member::tool_output) ? R"({"n":3})" : ""));
        auto const [failed, failure] = co_await calls.async_call_tool("fail", in_tuple);
        BOOST_TEST(!failed); // a failure of a tool is a result
        BOOST_TEST(failure.is_error());
        BOOST_TEST(failure.text() == "broken");
        auto const [ec, none] = co_await calls.async_call_tool("missing", in_tuple);
        BOOST_TEST(ec.value() == -32602);

        texts progress;
        call_options reported;
        reported.on_progress = [&](progress_update const& update) {
            progress.push_back(std::to_string(static_cast<int>(update.progress)) + update.message);
        };
        arguments const empty;
        auto const worked = co_await calls.async_call_tool("work", empty, reported);
        BOOST_TEST(worked.text() == "done");
        BOOST_TEST(progress == texts{has(wire_member::progress_message) ? "1half" : "1"},
                   boost::test_tools::per_element());
        BOOST_TEST(take_events() == (texts{R"(info"minor")", R"(errorown{"k":1})"}), boost::test_tools::per_element());
        co_await async_set_log_level(calls, log_level::warning);
        co_await calls.async_call_tool("work");
        kept->log(log_level::notice, raw_json("1"));
        kept->log(log_level::alert, raw_json("[2]"), "session");
        co_await settle(executor);
        BOOST_TEST(take_events() == (texts{R"(errorown{"k":1})", "alertsession[2]"}), boost::test_tools::per_element());

        co_await calls.async_ping();
        auto const pinged = co_await kept->async_ping(5s, in_tuple);
        BOOST_TEST(!std::get<0>(pinged));

        asio::cancellation_signal cancel;
        completion_box ended;
        calls.async_call_tool("hold", asio::bind_cancellation_slot(cancel.slot(), ended.handler()));
        co_await settle(executor);
        BOOST_TEST(held.size() == 1u);
        cancel.emit(asio::cancellation_type::terminal);
        co_await settle(executor);
        BOOST_TEST((ended.ec == asio::error::operation_aborted));
        BOOST_TEST(take_events() == texts{"cancelled"}, boost::test_tools::per_element());
    }
}

LINKSPAN_CASE_IN(version_world, changes_are_notified_in_each_version)
{
    for (auto const each : handshake_versions) {
        auto& calls = make_both(each);
        co_await open();
        served->resource_updated("note://today");
        co_await async_subscribe_resource(calls, "note://today");
        co_await settle(executor);
        BOOST_TEST(events.empty());
        served->resource_updated("note://today");
        co_await settle(executor);
        BOOST_TEST(take_events() == texts{"note://today"}, boost::test_tools::per_element());
        co_await async_unsubscribe_resource(calls, "note://today");
        served->resource_updated("note://today");
        co_await settle(executor);
        BOOST_TEST(events.empty());

        served->remove_tool("fail");
        co_await settle(executor);
        served->remove_prompt("plain");
        co_await settle(executor);
        served->remove_resource("note://gone");
        co_await settle(executor);
        BOOST_TEST(take_events() == (texts{"tools", "prompts", "resources"}), boost::test_tools::per_element());

        BOOST_TEST(calls.notify_roots_changed());
        co_await settle(executor);
        BOOST_TEST(take_events() == texts{"roots"}, boost::test_tools::per_element());
    }
}

LINKSPAN_CASE_IN(version_world, roots_and_sampling_are_requested_in_each_version)
{
    for (auto const each : handshake_versions) {
        make_both(each);
        co_await open();
        roots_request const all;
        auto const [listed, directories] = co_await kept->async_ask<roots>(all, in_tuple);
        BOOST_TEST(!listed, listed.message());
        BOOST_TEST_REQUIRE(directories.roots.size() == 2u);
        BOOST_TEST(directories.roots[0].uri == "file:///home/ada");
        BOOST_TEST(directories.roots[0].name == "home");

        texts progress;
        ask_options reported;
        reported.on_progress = [&](progress_update const& update) { progress.push_back("p" + update.message); };
        auto const what = sampling_of(each);
        auto const [sampled_ec, model] = co_await kept->async_ask<sampling>(what, reported, in_tuple);
        BOOST_TEST(!sampled_ec, sampled_ec.message());
        BOOST_TEST(model.text == "a cat");
        BOOST_TEST(model.model == "small-1");
        BOOST_TEST(model.stop_reason == "endTurn");
        BOOST_TEST(progress == texts{has(wire_member::progress_message) ? "pthinking" : "p"},
                   boost::test_tools::per_element());
        BOOST_TEST(sampled.conversation().size() == 3u);
        BOOST_TEST(sampled.system_prompt == "Be brief");
        BOOST_TEST((sampled.max_tokens == 50));
        BOOST_TEST((sampled.preferences.hints == texts{"small"}));
        BOOST_TEST((sampled.include_context == context_inclusion::this_server));
        BOOST_TEST(sampled.tools.size() == (has(wire_member::sampling_tools) ? 1u : 0u));

        accepts = false;
        auto const [refused, nothing] = co_await kept->async_ask<sampling>(what, in_tuple);
        BOOST_TEST((refused == error::input_refused));
        ask_options brief;
        brief.timeout = 5s;
        auto const [late, no_roots] = co_await kept->async_ask<roots>(all, brief, in_tuple);
        BOOST_TEST((late == asio::error::timed_out));
        co_await settle(executor);
        BOOST_TEST_REQUIRE(outstanding_roots.size() == 1u);
        BOOST_TEST(!outstanding_roots[0].is_awaited()); // the server has cancelled its request
    }
}

LINKSPAN_CASE_IN(version_world, elicitation_completes_or_fails_as_unsupported_in_each_version)
{
    for (auto const each : handshake_versions) {
        auto& calls = make_both(each);
        co_await open();
        auto const wanted = form();
        auto const [ec, accepted] = co_await kept->async_ask<elicitation>(wanted, in_tuple);
        if (!has(wire_member::elicitation)) {
            BOOST_TEST((ec == error::unsupported_input_request));
            BOOST_TEST(elicited.message.empty());
            continue;
        }
        BOOST_TEST(!ec, ec.message());
        BOOST_TEST((accepted.action == elicit_action::accept));
        BOOST_TEST(boost::json::serialize(accepted.content) ==
                   R"({"name":"Ada","age":36,"color":"blue","member":false})");
        BOOST_TEST(elicited.message == "Who is it?");
        accepts = false;
        auto const [declined_ec, declined] = co_await kept->async_ask<elicitation>(wanted, in_tuple);
        BOOST_TEST(!declined_ec);
        BOOST_TEST((declined.action == elicit_action::decline));
        accepts = true;

        auto const visited = sign_in_page("https://own.example/sign-in");
        auto const [page_ec, opened] = co_await kept->async_ask<elicitation>(visited, in_tuple);
        if (!has(wire_member::elicitation_modes)) {
            BOOST_TEST((page_ec == error::unsupported_input_request));
            continue;
        }
        BOOST_TEST(!page_ec, page_ec.message());
        BOOST_TEST((opened.action == elicit_action::accept));
        BOOST_TEST(elicited.url == "https://own.example/sign-in");
        auto const [required, result] = co_await calls.async_call_tool("export", in_tuple);
        BOOST_TEST(required.value() == url_elicitation_required);
        BOOST_TEST(required_elicitations(required, result).size() == 1u);
        kept->complete_elicitation(elicited.elicitation_id);
        co_await settle(executor);
        BOOST_TEST(take_events() == texts{"sign-in-7"}, boost::test_tools::per_element());
    }
}

LINKSPAN_CASE_IN(version_world, tasks_of_server_and_client_complete_and_are_cancelled_in_2025_11_25)
{
    auto& calls = make_both(protocol_version::v2025_11_25);
    co_await open();
    tool long_one = any_tool("long");
    long_one.tasks = task_support::optional;
    arguments const empty;
    task_request with;
    with.ttl = 60s;
    auto const started = co_await async_start_task(calls, long_one, empty, with);
    BOOST_TEST_REQUIRE(started.task.has_value());
    auto const known = co_await async_get_task(calls, started.task->id);
    BOOST_TEST((known->status == task_status::working));
    completion_box ended;
    async_wait_task(calls, *started.task, ended.handler());
    co_await settle(executor);
    std::string name;
    held.at(0).async_ask<elicitation>(form(), [&](error_code, elicit_result const& given) {
        name = boost::json::serialize(given.content.at("name"));
    });
    co_await pass(executor, 3s);
    BOOST_TEST(name == R"("Ada")");
    held.at(0).complete(tool_output::text("late"));
    co_await pass(executor, 3s);
    BOOST_TEST(ended.count == 1u);
    BOOST_TEST(ended.result.text() == "late");
    auto const cancelled = co_await async_start_task(calls, long_one);
    BOOST_TEST_REQUIRE(cancelled.task.has_value());
    co_await async_cancel_task(calls, cancelled.task->id);
    auto const listed = co_await async_list_tasks(calls);
    BOOST_TEST_REQUIRE(listed.entries.size() == 2u);
    co_await settle(executor);
    auto const seen = take_events();
    BOOST_TEST(seen == (texts{"input_required", "working", "completed", "cancelled"}),
               boost::test_tools::per_element());

    ask_options as_task;
    as_task.task.emplace().ttl = 60s;
    auto const what = sampling_of(version);
    auto const [ec, model] = co_await kept->async_ask<sampling>(what, as_task, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(model.text == "a cat");
    auto const hosted = co_await kept->async_request("tasks/list", raw_json("{}"), 5s, in_tuple);
    BOOST_TEST(!std::get<0>(hosted));
    BOOST_TEST(contains(std::get<1>(hosted), R"("status":"completed")"), std::get<1>(hosted));
    auto const tasks_of_client = co_await kept->async_list_tasks(5s);
    BOOST_TEST_REQUIRE(tasks_of_client.entries.size() == 1u);
    BOOST_TEST((tasks_of_client.entries[0].status == task_status::completed));

    is_holding = true;
    as_task.task->timeout = 5s;
    auto const [late, no_model] = co_await kept->async_ask<sampling>(what, as_task, in_tuple);
    BOOST_TEST((late == asio::error::timed_out));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(outstanding_sampling.size() == 1u);
    BOOST_TEST(!outstanding_sampling[0].is_awaited()); // the server has cancelled the task
    auto const ended_tasks = co_await kept->async_request("tasks/list", raw_json("{}"), 5s, in_tuple);
    BOOST_TEST(contains(std::get<1>(ended_tasks), R"("status":"cancelled")"), std::get<1>(ended_tasks));
}

BOOST_AUTO_TEST_SUITE_END()
