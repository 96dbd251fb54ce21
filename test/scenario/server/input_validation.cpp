// Content of accepted forms: the server validates it against the schema of its request.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>

#include <boost/json/parse.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(input_validation_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

elicit_request age_form()
{
    elicit_request out;
    out.message = "How old?";
    out.requested_schema =
        R"({"type":"object","properties":{"age":{"type":"integer","minimum":18}},"required":["age"]})";
    return out;
}

constexpr std::string_view too_young =
    "the content of the form does not match the requested schema: /age: must be at least 18 (/properties/age/minimum)";

// A server whose tool "ask" requests an age, and a session with a handler for elicitations.
struct asking_world : server_world {
    std::vector<std::string> reasons; // of on_invalid_input
    elicit_request form = age_form();
    elicit_result reply;          // of the client
    error_code ec;                // of the last async_ask
    boost::json::object content;  // received by the tool
    bool is_task = false;         // the tool continues as a task
    bool is_recorded = true;      // false: the server sends a schema that no version permits
    std::size_t elicitations = 0; // that the client has received

    ask_options with_reasons()
    {
        ask_options out;
        out.on_invalid_input = [this](std::string_view reason) { reasons.emplace_back(reason); };
        return out;
    }

    // Makes the server and an open session.
    asio::awaitable<session*> open(protocol_version version)
    {
        auto definition = any_tool("ask");
        definition.tasks = task_support::optional;
        make(version).add(definition, [this](server_request request) -> asio::awaitable<void> {
            if (is_task)
                BOOST_TEST(request.become_task());
            auto asked = form;
            auto const [failure, result] = co_await request.async_ask<elicitation>(asked, with_reasons(), in_tuple);
            ec = failure;
            content = result.content;
            if (failure)
                request.fail(failure);
            else
                request.complete(tool_output::text("done"));
        });
        auto& calls = is_recorded ? connect() : client.emplace(executor, via<inproc>(inproc_to(*served)));
        calls.set_handler<elicitation>([this](elicit_request const&, typed_responder<elicitation> respond) {
            ++elicitations;
            respond(reply);
        });
        co_await calls.async_open();
        co_return &calls;
    }

    void accept(std::string_view value)
    {
        reply.action = elicit_action::accept;
        reply.content = boost::json::parse({value.data(), value.size()}).as_object();
        reasons.clear();
        ec = error::stream_ended;
        content.clear();
    }
};

} // namespace

LINKSPAN_CASE_IN(asking_world, invalid_content_of_a_form_is_an_error_with_a_json_pointer_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = *co_await open(version);
        accept(R"({"age":17})");
        auto const refused = co_await calls.async_call_tool("ask", in_tuple);
        BOOST_TEST(std::get<0>(refused).value() == -32603);
        BOOST_TEST((ec == error::malformed_message));
        BOOST_TEST(content.empty());
        BOOST_TEST(reasons == std::vector{std::string(too_young)}, boost::test_tools::per_element());
        accept("{}");
        co_await calls.async_call_tool("ask", in_tuple);
        BOOST_TEST((ec == error::malformed_message));
        BOOST_TEST_REQUIRE(reasons.size() == 1u);
        BOOST_TEST(contains(reasons[0], "age"), reasons[0]);
        accept(R"({"age":18})");
        auto const accepted = co_await calls.async_call_tool("ask");
        BOOST_TEST(accepted.text() == "done");
        BOOST_TEST(!ec);
        BOOST_TEST(content.at("age").as_int64() == 18);
        BOOST_TEST(reasons.empty());
        BOOST_TEST(defects.empty()); // the client is at fault
    }
}

LINKSPAN_CASE_IN(asking_world, content_of_a_form_that_was_not_accepted_is_not_validated)
{
    for (auto const version : newest_of_both_eras) {
        auto& calls = *co_await open(version);
        for (auto const action : {elicit_action::decline, elicit_action::cancel}) {
            accept("{}");
            reply.action = action;
            auto const result = co_await calls.async_call_tool("ask");
            BOOST_TEST(result.text() == "done");
            BOOST_TEST(reasons.empty());
        }
    }
}

LINKSPAN_CASE_IN(asking_world, content_of_a_form_is_not_validated_if_the_option_is_off)
{
    options.validate_input = false;
    for (auto const version : newest_of_both_eras) {
        auto& calls = *co_await open(version);
        accept(R"({"age":17})");
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "done");
        BOOST_TEST(content.at("age").as_int64() == 17);
        BOOST_TEST(reasons.empty());
    }
}

LINKSPAN_CASE_IN(asking_world, request_with_an_invalid_schema_is_a_defect_and_is_not_sent)
{
    form.requested_schema = R"({"type":"object","properties":{"age":{"minimum":"18"}}})";
    for (auto const version : newest_of_both_eras) {
        auto& calls = *co_await open(version);
        defects.clear();
        elicitations = 0;
        accept(R"({"age":18})");
        auto const result = co_await calls.async_call_tool("ask", in_tuple);
        BOOST_TEST(std::get<0>(result).value() == -32603);
        BOOST_TEST((ec == asio::error::invalid_argument));
        BOOST_TEST(elicitations == 0u);
        BOOST_TEST_REQUIRE(defects.size() == 1u);
        BOOST_TEST(contains(defects[0], "tools/call: the requested schema is invalid: /properties/age/minimum"),
                   defects[0]);
    }
}

LINKSPAN_CASE_IN(asking_world, input_of_a_task_is_validated)
{
    is_task = true;
    co_await open(protocol_version::v2026_07_28);
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    std::string const capabilities = R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
    ec = error::stream_ended;
    auto const created = co_await raw->ask("tools/call", R"("name":"ask")", capabilities);
    auto const id = json_scan::member(json_scan::member(created, "result"), "taskId");
    BOOST_TEST_REQUIRE(!id.empty(), created);
    auto const update =
        R"("taskId":)" + std::string(id) + R"(,"inputResponses":{"input-1":{"action":"accept","content":{"age":17}}})";
    co_await raw->ask("tasks/update", update, capabilities);
    BOOST_TEST((ec == error::malformed_message));
    BOOST_TEST(reasons == std::vector{std::string(too_young)}, boost::test_tools::per_element());
    auto const state = co_await raw->ask("tasks/get", R"("taskId":)" + std::string(id), capabilities);
    BOOST_TEST(contains(state, R"("status":"failed")"), state);
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(asking_world, input_of_a_session_is_validated)
{
    std::optional<client_session> kept;
    auto& calls = *co_await open(protocol_version::v2025_11_25);
    served->add(any_tool("keep"), [&kept](server_request request) {
        kept.emplace(request.session());
        request.complete(tool_output::text("kept"));
    });
    co_await calls.async_call_tool("keep");
    accept(R"({"age":"old"})");
    auto asked = age_form();
    auto const [refused, nothing] = co_await kept->async_ask<elicitation>(asked, with_reasons(), in_tuple);
    BOOST_TEST((refused == error::malformed_message));
    BOOST_TEST(nothing.content.empty());
    BOOST_TEST_REQUIRE(reasons.size() == 1u);
    BOOST_TEST(contains(reasons[0], "/age: "), reasons[0]);
    accept(R"({"age":20})");
    auto const [failure, result] = co_await kept->async_ask<elicitation>(asked, in_tuple);
    BOOST_TEST(!failure);
    BOOST_TEST(result.content.at("age").as_int64() == 20);
    asked.requested_schema = R"({"type":7})";
    elicitations = 0;
    auto const [rejected, none] = co_await kept->async_ask<elicitation>(asked, in_tuple);
    BOOST_TEST((rejected == asio::error::invalid_argument));
    BOOST_TEST(none.content.empty());
    BOOST_TEST(elicitations == 0u);
    BOOST_TEST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(defects[0].starts_with("elicitation/create: the requested schema is invalid: "), defects[0]);
}

LINKSPAN_CASE_IN(asking_world, result_of_a_request_with_any_method_is_not_validated)
{
    std::optional<client_session> kept;
    auto& calls = *co_await open(protocol_version::v2025_11_25);
    served->add(any_tool("keep"), [&kept](server_request request) {
        kept.emplace(request.session());
        request.complete(tool_output::text("kept"));
    });
    co_await calls.async_call_tool("keep");
    accept(R"({"age":17})");
    auto const params = elicitation::params_of(age_form(), protocol_version::v2025_11_25);
    auto const [failure, result] = co_await kept->async_request("elicitation/create", raw_json(params), 10s, in_tuple);
    BOOST_TEST(!failure);
    BOOST_TEST(contains(result, R"("age":17)"), result);
}

LINKSPAN_CASE_IN(asking_world, invalid_input_of_a_handler_that_runs_again_is_no_input_of_its_request)
{
    co_await open(protocol_version::v2026_07_28);
    std::vector<std::string> seen; // inputs of the runs without and with the request
    served->add(any_tool("again"), [&seen](server_request request) {
        auto const given = [](bool is_given) { return is_given ? "given" : "none"; };
        auto const input = request.input<elicitation>("age", age_form());
        seen.push_back(std::string(given(request.input<elicitation>("age").has_value())) + " " +
                       given(input.has_value()));
        if (!input)
            return request.require_input({request.to_input<elicitation>("age", age_form())}, "s");
        request.complete(tool_output::text("done"));
    });
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    std::string const capabilities = R"({"elicitation":{}})";
    auto response = co_await raw->ask("tools/call", R"("name":"again")", capabilities);
    for (auto const* age : {"17", "18"}) {
        auto const state = json_scan::member(json_scan::member(response, "result"), "requestState");
        auto const again = R"("name":"again","requestState":)" + std::string(state) +
                           R"(,"inputResponses":{"age":{"action":"accept","content":{"age":)" + age + "}}}";
        response = co_await raw->ask("tools/call", again, capabilities);
    }
    BOOST_TEST(contains(response, "done"), response);
    BOOST_TEST(seen == (std::vector<std::string>{"none none", "given none", "given given"}),
               boost::test_tools::per_element());
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(asking_world, invalid_input_of_a_handler_that_runs_again_in_a_session_fails_the_request)
{
    auto& calls = *co_await open(protocol_version::v2025_11_25);
    int runs = 0;
    served->add(any_tool("again"), [&runs](server_request request) {
        ++runs;
        if (!request.input<elicitation>("age"))
            return request.require_input({request.to_input<elicitation>("age", age_form())});
        request.complete(tool_output::text("done"));
    });
    accept(R"({"age":17})");
    auto const refused = co_await calls.async_call_tool("again", in_tuple);
    BOOST_TEST(std::get<0>(refused).value() == -32603);
    BOOST_TEST(runs == 1);
    accept(R"({"age":18})");
    auto const accepted = co_await calls.async_call_tool("again");
    BOOST_TEST(accepted.text() == "done");
    BOOST_TEST(runs == 3);
}

LINKSPAN_CASE_IN(asking_world, content_that_is_not_an_object_is_invalid_also_without_a_type_in_the_schema)
{
    form.requested_schema = "{}";
    co_await open(protocol_version::v2025_11_25);
    auto const raw = line_client::open(executor, inproc_to(*served));
    raw->is_recorded = false; // MCP requires a type and properties
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                                               R"("clientInfo":{"name":"c","version":"1"}})");
    for (std::string const value : {"7", "[]"}) {
        raw->messages.clear();
        reasons.clear();
        ec = {};
        co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
        BOOST_TEST_REQUIRE(raw->messages.size() == 1u);
        raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(json_scan::member(raw->messages[0], "id")) +
                  R"(,"result":{"action":"accept","content":)" + value + "}}");
        co_await settle(executor);
        BOOST_TEST((ec == error::malformed_message));
        BOOST_TEST(reasons == std::vector<std::string>{"the content of the form is not a JSON object"},
                   boost::test_tools::per_element());
    }
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(asking_world, required_input_with_an_invalid_schema_is_a_defect_and_is_not_sent)
{
    form.requested_schema = R"({"type":"object","properties":{"age":{"minimum":"18"}}})";
    for (bool const validates : {true, false}) {
        options.validate_input = is_recorded = validates;
        for (auto const version : newest_of_both_eras) {
            auto& calls = *co_await open(version);
            defects.clear();
            elicitations = 0;
            int runs = 0;
            served->add(any_tool("again"), [&](server_request request) {
                ++runs;
                if (!request.input<elicitation>("age", form))
                    return request.require_input({request.to_input<elicitation>("age", form)}, "s");
                request.complete(tool_output::text("done"));
            });
            accept(R"({"age":18})");
            auto const result = co_await calls.async_call_tool("again", in_tuple);
            BOOST_TEST(std::get<0>(result).value() == (validates ? -32603 : 0));
            BOOST_TEST(runs == (validates ? 1 : 2));
            BOOST_TEST(elicitations == (validates ? 0u : 1u));
            BOOST_TEST_REQUIRE(defects.size() == (validates ? 1u : 0u));
            if (validates)
                BOOST_TEST(contains(defects[0], "tools/call: the requested schema is invalid: /properties/age/minimum"),
                           defects[0]);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
