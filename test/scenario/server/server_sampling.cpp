// Sampling with tools and with context, requested by a server.

#include <linkspan/model/sampling.hpp>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_sampling_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

sampling_message user_text(std::string text) { return {"user", {text_content{std::move(text), {}, {}}}, {}}; }

// Asks the model with a tool, executes the tool calls of the model, and asks again.
asio::awaitable<void> ask_with_tool(server_request request)
{
    std::vector<sampling_message> all{user_text("2+3?")};
    sampling_request what;
    what.tools.push_back(any_tool("add"));
    what.tool_choice = tool_choice_mode::automatic;
    for (;;) {
        what.set_conversation(all, request.protocol_version());
        auto const [ec, result] = co_await request.async_ask<sampling>(what, in_tuple);
        if (ec) {
            request.fail(ec);
            co_return;
        }
        if (result.stop_reason != "toolUse") {
            request.complete(tool_output::text(result.text));
            co_return;
        }
        sampling_message results;
        for (auto const& block : result.blocks())
            if (auto const* const call = std::get_if<tool_use_content>(&block))
                results.content.push_back(
                    tool_result_content{call->id, R"([{"type":"text","text":"5"}])", {}, false, {}});
        sampling_message calls{result.role, result.blocks(), {}};
        all.push_back(std::move(calls));
        all.push_back(std::move(results));
    }
}

// Calls the tool once, and returns its result as the text.
void respond_with_tool(sampling_request const& wanted, typed_responder<sampling> reply)
{
    BOOST_TEST(wanted.tools.at(0).name == "add");
    BOOST_TEST((wanted.tool_choice == tool_choice_mode::automatic));
    auto const all = wanted.conversation();
    sampling_result result;
    result.model = "m";
    if (all.size() == 1) {
        result.set_blocks({text_content{"wait", {}, {}}, tool_use_content{"1", "add", R"({"a":2,"b":3})", {}}});
        result.stop_reason = "toolUse";
    } else {
        BOOST_TEST((all[1].content.at(1) == content_block(tool_use_content{"1", "add", R"({"a":2,"b":3})", {}})));
        auto const& found = std::get<tool_result_content>(all.at(2).content.at(0));
        result.text = found.tool_use_id + ": " + found.content;
    }
    reply(result);
}

// Requests a sampling with context.
void ask_with_context(server_request request)
{
    auto const held = std::make_shared<server_request>(std::move(request));
    sampling_request what;
    what.set_conversation({user_text("hi")}, held->protocol_version());
    what.include_context = context_inclusion::this_server;
    held->async_ask<sampling>(what, [held](error_code ec, sampling_result const& result) {
        ec ? held->fail(ec) : held->complete(tool_output::text(result.text));
    });
}

} // namespace

LINKSPAN_CASE_IN(server_world, the_model_of_the_client_uses_a_tool_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("ask"), ask_with_tool);
        auto& calls = connect();
        calls.set_handler<sampling>(respond_with_tool, {.tools = true});
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == R"(1: [{"type":"text","text":"5"}])");
    }
}

LINKSPAN_CASE_IN(server_world, tools_are_not_sent_to_a_client_that_does_not_declare_them)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("ask"), ask_with_tool);
        auto& calls = connect();
        calls.set_handler<sampling>([](sampling_request const&, typed_responder<sampling>) { BOOST_TEST(false); },
                                    {.context = true});
        co_await calls.async_open();
        auto const [ec, result] = co_await calls.async_call_tool("ask", {}, in_tuple);
        bool const is_stateless = version == protocol_version::v2026_07_28;
        BOOST_TEST(ec.value() == (is_stateless ? -32021 : -32602));
        BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
        BOOST_TEST(result.attempts()[0].data == R"({"requiredCapabilities":{"sampling":{"tools":{}}}})");
    }
}

LINKSPAN_CASE_IN(server_world, tools_are_not_sent_in_a_protocol_version_without_them)
{
    make(protocol_version::v2025_06_18).add(any_tool("ask"), ask_with_tool);
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    // The capability `tools` has no meaning in this protocol version.
    co_await raw->ask_in_session("initialize",
                                 R"({"protocolVersion":"2025-06-18","capabilities":{"sampling":{"tools":{}}},)"
                                 R"("clientInfo":{"name":"c","version":"1"}})");
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const response = co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
    BOOST_TEST(contains(response, R"("code":-32602)"), response);
    BOOST_TEST(contains(response, "The client does not declare a required capability in protocol version 2025-06-18"),
               response);
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, context_is_requested_only_if_the_client_declares_it)
{
    for (auto const version : newest_of_both_eras)
        for (bool const declared : {false, true}) {
            make(version).add(any_tool("ask"), ask_with_context);
            auto& calls = connect();
            auto const respond = [](sampling_request const& wanted, typed_responder<sampling> reply) {
                BOOST_TEST((wanted.include_context == context_inclusion::this_server));
                sampling_result result;
                result.text = "well";
                reply(result);
            };
            calls.set_handler<sampling>(respond, {.context = declared});
            co_await calls.async_open();
            auto const [ec, result] = co_await calls.async_call_tool("ask", {}, in_tuple);
            bool const is_stateless = version == protocol_version::v2026_07_28;
            BOOST_TEST(ec.value() == (declared ? 0 : is_stateless ? -32021 : -32602));
            if (declared)
                BOOST_TEST(result.text() == "well");
        }
}

LINKSPAN_CASE_IN(server_world, context_needs_no_declaration_before_2025_11_25)
{
    make(protocol_version::v2025_06_18).add(any_tool("ask"), ask_with_context);
    auto& calls = connect();
    auto const respond = [](sampling_request const& wanted, typed_responder<sampling> reply) {
        BOOST_TEST((wanted.include_context == context_inclusion::this_server));
        sampling_result result;
        result.text = "well";
        reply(result);
    };
    calls.set_handler<sampling>(respond, {.tools = true, .context = true});
    co_await calls.async_open();
    auto const result = co_await calls.async_call_tool("ask");
    BOOST_TEST(result.text() == "well");
    BOOST_TEST(served->counters().requests == 1u);
}

LINKSPAN_CASE_IN(server_world, handler_reads_the_capabilities_of_its_client)
{
    for (auto const version : newest_of_both_eras) {
        client_capabilities declared;
        make(version).add(any_tool("ask"), [&declared](server_request request) {
            declared = request.client().declared();
            request.complete(tool_output::text("done"));
        });
        auto& calls = connect();
        calls.set_handler<sampling>([](sampling_request const&, typed_responder<sampling>) {}, {.tools = true});
        co_await calls.async_open();
        co_await calls.async_call_tool("ask");
        BOOST_TEST((declared.sampling == sampling_capability{true, false}));
        BOOST_TEST(!declared.roots.has_value());
        BOOST_TEST(!declared.elicitation.has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()
