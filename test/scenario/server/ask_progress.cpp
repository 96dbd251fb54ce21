// Progress that a client reports about a request of the server.

#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/sampling.hpp>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(ask_progress_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// A server with a tool that asks the model of the client, and stores the progress.
struct ask_world : server_world {
    std::vector<progress_update> seen;
    std::size_t others = 0; // number of progress notifications that belong to no request

    void make_asking(protocol_version version)
    {
        seen.clear();
        auto& own = make(version);
        own.add(any_tool("ask"), [this](server_request request) { ask(std::move(request)); });
        own.set_notification_handler("notifications/progress",
                                     [this](client_info const&, std::string_view) { ++others; });
    }

    void ask(server_request request)
    {
        auto const held = std::make_shared<server_request>(std::move(request));
        sampling_request what;
        what.set_conversation({{"user", {text_content{"hi", {}, {}}}, {}}}, held->protocol_version());
        ask_options with;
        with.on_progress = [this](progress_update const& update) { seen.push_back(update); };
        held->async_ask<sampling>(what, with, [held](error_code ec, sampling_result const& result) {
            ec ? held->fail(ec) : held->complete(tool_output::text(result.text));
        });
    }

    // Connects a client of 2025-11-25, which calls the tool.
    asio::awaitable<std::shared_ptr<line_client>> call_tool()
    {
        auto const raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},)"
                                                   R"("clientInfo":{"name":"c","version":"1"}})");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
        co_return raw;
    }
};

std::string progress(std::string const& token, std::string const& value)
{
    return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
           R"(,"progress":)" + value + "}}";
}

} // namespace

LINKSPAN_CASE_IN(ask_world, progress_of_the_client_is_reported_to_the_handler_of_the_request)
{
    for (auto const version : handshake_versions) {
        make_asking(version);
        auto& calls = connect();
        calls.set_handler<sampling>([](sampling_request const&, typed_responder<sampling> reply) {
            reply.report_progress({.progress = 1, .total = 4, .message = "quarter"});
            reply.report_progress({.progress = 2, .total = {}, .message = {}});
            sampling_result result;
            result.text = "well";
            reply(result);
            reply.report_progress({.progress = 3, .total = {}, .message = {}}); // after the response: not sent
        });
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "well");
        BOOST_TEST_REQUIRE(seen.size() == 2u);
        BOOST_TEST(seen[0].progress == 1);
        BOOST_TEST((seen[0].total == 4));
        BOOST_TEST(seen[0].message == (version == protocol_version::v2024_11_05 ? "" : "quarter"));
        BOOST_TEST(seen[1].progress == 2);
        BOOST_TEST(!seen[1].total.has_value());
    }
}

LINKSPAN_CASE_IN(ask_world, stateless_request_for_input_has_no_progress_token)
{
    make_asking(protocol_version::v2026_07_28);
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    auto const required = co_await raw->ask("tools/call", R"("name":"ask")", R"({"sampling":{}})");
    BOOST_TEST(contains(required, R"("method":"sampling/createMessage")"), required);
    BOOST_TEST(!contains(required, "progressToken"), required);
    raw->send_unrecorded(progress("1", "1"));
    co_await settle(executor);
    BOOST_TEST(seen.empty());
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(ask_world, progress_of_other_tokens_and_after_the_response_is_not_reported)
{
    make_asking(protocol_version::v2025_11_25);
    auto const raw = co_await call_tool();
    BOOST_TEST(contains(raw->messages.back(), R"("_meta":{"progressToken":1})"), raw->messages.back());
    for (auto const* token : {"2", "-1", R"("t")"})
        raw->send(progress(token, "1"));
    raw->send_unrecorded(progress("null", "1"));
    raw->send_unrecorded(progress("1", R"("much")"));
    co_await settle(executor);
    BOOST_TEST(seen.empty());
    BOOST_TEST(others == 5u);
    raw->send(progress("1", "1"));
    raw->send(R"({"jsonrpc":"2.0","id":1,"result":{"role":"assistant","content":{"type":"text","text":"x"},)"
              R"("model":"m"}})");
    raw->send(progress("1", "2"));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(seen.size() == 1u);
    BOOST_TEST(seen[0].progress == 1);
    BOOST_TEST(others == 6u);
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, request_without_a_progress_function_has_no_token)
{
    make(protocol_version::v2025_11_25).add(any_tool("ask"), [](server_request request) {
        auto const held = std::make_shared<server_request>(std::move(request));
        held->async_ask<elicitation>({}, [held](error_code ec, elicit_result const&) { held->fail(ec); });
    });
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                                               R"("clientInfo":{"name":"c","version":"1"}})");
    co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
    BOOST_TEST(contains(raw->messages.back(), "elicitation/create"), raw->messages.back());
    BOOST_TEST(!contains(raw->messages.back(), "progressToken"), raw->messages.back());
    raw->send(progress("1", "1"));
    co_await settle(executor);
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(ask_world, progress_function_may_complete_the_request)
{
    std::optional<server_request> held;
    make(protocol_version::v2025_11_25).add(any_tool("ask"), [&](server_request request) {
        held.emplace(std::move(request));
        sampling_request what;
        what.set_conversation({{"user", {text_content{"hi", {}, {}}}, {}}}, held->protocol_version());
        ask_options with;
        with.on_progress = [&](progress_update const& update) {
            seen.push_back(update);
            held->complete(tool_output::text("enough"));
        };
        held->async_ask<sampling>(what, with, [](error_code, sampling_result const&) {});
    });
    auto const raw = co_await call_tool();
    raw->send(progress("1", "1"));
    raw->send(progress("1", "2"));
    co_await settle(executor);
    BOOST_TEST(seen.size() == 1u);
    BOOST_TEST(contains(raw->response(raw->last_id()), "enough"), raw->response(raw->last_id()));
    held.reset();
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(endpoint_world, progress_arrives_over_http_before_the_response)
{
    std::vector<double> seen;
    make_endpoint(protocol_version::v2025_11_25).add(any_tool("ask"), [&seen](server_request request) {
        auto const held = std::make_shared<server_request>(std::move(request));
        ask_options with;
        with.on_progress = [&seen](progress_update const& update) { seen.push_back(update.progress); };
        elicit_request form;
        form.message = "Who?";
        held->async_ask<elicitation>(form, with, [held](error_code ec, elicit_result const&) {
            ec ? held->fail(ec) : held->complete(tool_output::text("asked"));
        });
    });
    auto& calls = dial();
    std::optional<typed_responder<elicitation>> reply;
    calls.set_handler<elicitation>(
        [&reply](elicit_request const&, typed_responder<elicitation> asked) { reply.emplace(std::move(asked)); });
    co_await calls.async_open();
    completion_box called;
    calls.async_call_tool("ask", called.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(reply.has_value());
    reply->report_progress({.progress = 1, .total = {}, .message = {}});
    co_await settle(executor);
    BOOST_TEST(seen == std::vector<double>{1}, boost::test_tools::per_element());
    BOOST_TEST(called.count == 0u);
    elicit_result const accepted{elicit_action::accept, {}};
    (*reply)(accepted);
    co_await settle(executor);
    BOOST_TEST(called.count == 1u);
    BOOST_TEST(!called.ec);
}

BOOST_AUTO_TEST_SUITE_END()
