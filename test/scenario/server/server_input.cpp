// Requests of a server to its clients, with one interface for both eras.

#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>

#include "support/contains.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_input_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

elicit_request question()
{
    elicit_request out;
    out.message = "Who?";
    out.requested_schema = R"({"type":"object","properties":{"name":{"type":"string"}}})";
    return out;
}

// Adds a tool that asks the user for a name, as a coroutine.
void add_asking_tool(server& own)
{
    own.add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
        auto asked = question();
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        if (std::get<0>(answer)) {
            request.fail(std::get<0>(answer));
            co_return;
        }
        auto const& content = std::get<1>(answer).content;
        request.complete(tool_output::text(content.contains("name") ? content.at("name").as_string().c_str() : "-"));
    });
}

// Responds to elicitations with a name.
void respond_with_name(session& calls, std::string name)
{
    calls.set_handler<elicitation>([name = std::move(name)](elicit_request const&, typed_responder<elicitation> reply) {
        elicit_result result;
        result.action = elicit_action::accept;
        result.content["name"] = name;
        reply(result);
    });
}

} // namespace

LINKSPAN_CASE_IN(server_world, a_coroutine_asks_the_user_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        add_asking_tool(make(version));
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "Ada");
        BOOST_TEST(served->counters().suspended == 0u);
        BOOST_TEST(served->counters().bad_states == 0u);
    }
}

LINKSPAN_CASE_IN(server_world, an_input_that_the_client_does_not_declare_is_not_requested)
{
    for (auto const version : newest_of_both_eras) {
        add_asking_tool(make(version));
        co_await connect().async_open();
        auto const result = co_await client->async_call_tool("ask", in_tuple);
        bool const is_stateless = version == protocol_version::v2026_07_28;
        BOOST_TEST(std::get<0>(result).value() == (is_stateless ? -32021 : -32602));
    }
}

LINKSPAN_CASE_IN(server_world, questions_of_one_turn_are_sent_together)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("ask"), [](server_request request) {
            auto const held = std::make_shared<server_request>(std::move(request));
            auto const texts = std::make_shared<std::vector<std::string>>();
            auto const next = [held, texts](std::string text) {
                texts->push_back(std::move(text));
                if (texts->size() == 3)
                    held->complete(tool_output::text(texts->at(0) + texts->at(1) + texts->at(2)));
            };
            held->async_ask<elicitation>(question(), [next](error_code, elicit_result const& result) {
                next(result.action == elicit_action::accept ? "yes " : "no ");
            });
            sampling_request sample;
            sample.messages = R"([{"role":"user","content":{"type":"text","text":"hi"}}])";
            held->async_ask<sampling>(sample,
                                      [next](error_code, sampling_result const& result) { next(result.text + " "); });
            held->async_ask<roots>(roots_request(), [next](error_code, roots_result const& result) {
                next(result.roots.empty() ? "-" : result.roots[0].uri);
            });
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        calls.set_handler<sampling>([](sampling_request const& wanted, typed_responder<sampling> reply) {
            BOOST_TEST(contains(wanted.messages, "hi"));
            sampling_result result;
            result.text = "model";
            reply(result);
        });
        calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
            roots_result result;
            result.roots.push_back({"file:///home", ""});
            reply(result);
        });
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "yes model file:///home");
        BOOST_TEST(served->counters().requests == (version == protocol_version::v2026_07_28 ? 2u : 1u));
    }
}

LINKSPAN_CASE_IN(server_world, a_handler_runs_again_with_all_inputs_so_far)
{
    for (auto const version : newest_of_both_eras) {
        int runs = 0;
        make(version).add(any_tool("ask"), [&runs](server_request request) {
            ++runs;
            auto const first = request.input<elicitation>("first");
            auto const second = request.input<elicitation>("second");
            if (!first)
                return request.require_input({request.to_input<elicitation>("first", question())}, "one");
            if (!second)
                return request.require_input({request.to_input<elicitation>("second", question())},
                                             std::string(request.state()) + ",two");
            request.complete(tool_output::text(std::string(request.state())));
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "one,two");
        BOOST_TEST(runs == 3);
    }
}

LINKSPAN_CASE_IN(server_world, another_instance_with_the_same_key_continues)
{
    options.state_key = std::string(32, 'k');
    auto const handler = [](server_request request) {
        if (!request.input<elicitation>("name"))
            return request.require_input({request.to_input<elicitation>("name", question())}, "kept");
        request.complete(tool_output::text(std::string(request.state())));
    };
    make(protocol_version::v2026_07_28).add(any_tool("ask"), handler);
    server second(executor, implementation{.name = "own", .version = "7"}, options);
    second.add(any_tool("ask"), handler);
    // Each connection goes to another instance.
    std::size_t connections = 0;
    inproc_config both;
    both.connect = [&](asio::any_io_executor const& on, memory_end const& end) {
        auto& chosen = connections++ == 0 ? *served : second;
        chosen.async_serve(any_transport::make<inproc_server>(on, {end}), {}, [](error_code) {});
        return error_code();
    };
    session calls(executor, via<inproc>(both));
    calls.set_handler<elicitation>([&](elicit_request const&, typed_responder<elicitation> reply) {
        elicit_result result;
        result.action = elicit_action::accept;
        reply(result);
    });
    co_await calls.async_open();
    auto const result = co_await calls.async_call_tool("ask");
    BOOST_TEST(result.text() == "kept");
}

LINKSPAN_CASE_IN(server_world, altered_and_used_states_are_rejected)
{
    add_asking_tool(make(protocol_version::v2026_07_28));
    co_await connect().async_open();
    boost::json::object const params{
        {"name", "ask"}, {"arguments", boost::json::object()}, {"requestState", "altered"}};
    auto const result = co_await client->async_request("tools/call", params, in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32602);
    BOOST_TEST(served->counters().bad_states == 1u);
}

LINKSPAN_CASE_IN(server_world, a_question_without_a_response_ends_after_its_timeout)
{
    options.input_timeout = 1min;
    add_asking_tool(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    std::vector<responder> held;
    calls.on_request("elicitation/create",
                     [&](std::string_view, responder reply) { held.push_back(std::move(reply)); });
    co_await calls.async_open();
    call_options patient;
    patient.idle_timeout = duration::max();
    auto const started = since_start(time);
    auto const result = co_await calls.async_call_tool("ask", boost::json::object(), patient, in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32603);
    BOOST_TEST((since_start(time) - started == 1min));
    held.clear();
}

LINKSPAN_CASE_IN(server_world, a_client_that_never_returns_costs_its_request_until_the_timeout)
{
    options.input_timeout = 1min;
    bool ended = false;
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [&](server_request request) -> asio::awaitable<void> {
        auto asked = question();
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        ended = std::get<0>(answer) == asio::error::timed_out;
    });
    auto& calls = connect();
    std::vector<responder> held;
    calls.on_request("elicitation/create",
                     [&](std::string_view, responder reply) { held.push_back(std::move(reply)); });
    co_await calls.async_open();
    completion_box waiting;
    calls.async_call_tool("ask", waiting.handler());
    co_await settle(executor);
    BOOST_TEST(served->counters().suspended == 1u);
    BOOST_TEST(!ended);
    co_await pass(executor, 1min);
    co_await settle(executor);
    BOOST_TEST(ended);
    BOOST_TEST(served->counters().suspended == 0u);
    client.reset();
    held.clear();
}

BOOST_AUTO_TEST_SUITE_END()
