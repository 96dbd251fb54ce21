// Typed handlers for requests of the server, in both eras.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/connector_case.hpp"
#include "support/contains.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(typed_handlers_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto form =
    R"({"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}}}})";

// Makes the tool "work" request input once, in the form of the server's protocol version.
void request_input(scripted_server& server, std::string const& method, std::string const& params)
{
    bool const is_stateless = server.dialogue().protocol_versions.front() == protocol_version::v2026_07_28;
    if (is_stateless)
        server.on(call("work"))
            .once(input_required(R"({"q":{"method":")" + method + R"(","params":)" + params + "}}"))
            .then(text("done"));
    else
        server.on(call("work")).then(send_request(method, params), text("done"));
}

// Returns the response of the client to the input request.
std::string response_of(scripted_server const& server)
{
    for (auto const& message : server.received()) {
        if (contains(message, R"("id":"q1")"))
            return message;
        auto const input_responses = json_scan::member(json_scan::member(message, "params"), "inputResponses");
        if (!input_responses.empty())
            return std::string(json_scan::member(input_responses, "q"));
    }
    return "none";
}

// Returns the parameters of an elicitation by a page, which has an id in 2025-11-25.
std::string page_at(std::string_view url)
{
    return R"({"mode":"url","message":"Go","elicitationId":"e1","url":")" + std::string(url) + R"("})";
}

constexpr protocol_version both[] = {protocol_version::v2025_11_25, protocol_version::v2026_07_28};

} // namespace

LINKSPAN_CASE(one_typed_handler_serves_both_eras)
{
    for (auto const version : both) {
        scripted_server server({version});
        request_input(server, "elicitation/create", form);
        session client(executor, via<inproc>(server));
        client.set_handler<elicitation>([](elicit_request const& wanted, typed_responder<elicitation> reply) {
            BOOST_TEST(wanted.server == "");
            BOOST_TEST(wanted.message == "Who?");
            BOOST_TEST((wanted.mode == elicit_mode::form));
            BOOST_TEST(reply.is_awaited());
            reply({.action = elicit_action::accept, .content = {}});
            BOOST_TEST(!reply.is_awaited());
        });
        co_await client.async_open();
        auto const result = co_await client.async_call_tool("work");
        BOOST_TEST(result.text() == "done");
        BOOST_TEST(contains(response_of(server), R"({"action":"accept","content":{"name":"Ada"}})"),
                   response_of(server));
        BOOST_TEST(server.received(R"("elicitation":{"form":{}})") > 0u);
        BOOST_TEST(server.received(R"("roots")") == 0u); // no other capability is declared
        BOOST_TEST(server.received(R"("sampling")") == 0u);
    }
}

LINKSPAN_CASE(filling_of_defaults_can_be_disabled)
{
    scripted_server server({protocol_version::v2025_11_25});
    request_input(server, "elicitation/create", form);
    session client(executor, via<inproc>(server));
    auto const says_yes = [](elicit_request const&, typed_responder<elicitation> reply) {
        reply({.action = elicit_action::accept, .content = {}});
    };
    client.set_handler<elicitation>(says_yes, {.fill_defaults = false});
    co_await client.async_open();
    co_await client.async_call_tool("work");
    BOOST_TEST(contains(response_of(server), R"("result":{"action":"accept"})"), response_of(server));
}

LINKSPAN_CASE(elicitation_without_reply_is_declined_and_sampling_without_reply_is_refused)
{
    for (auto const version : both) {
        scripted_server user({version}), model({version});
        request_input(user, "elicitation/create", form);
        request_input(model, "sampling/createMessage", R"({"messages":[]})");
        session first(executor, via<inproc>(user)), second(executor, via<inproc>(model));
        first.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation>) {});
        second.set_handler<sampling>([](sampling_request const&, typed_responder<sampling>) {});
        co_await first.async_open();
        co_await second.async_open();
        co_await first.async_call_tool("work");
        BOOST_TEST(contains(response_of(user), R"({"action":"decline"})"), response_of(user));
        auto const [ec, result] = co_await second.async_call_tool("work", {}, in_tuple);
        bool const stateless = version == protocol_version::v2026_07_28;
        BOOST_TEST(ec == (stateless ? make_error_code(error::input_refused) : error_code()));
        if (!stateless)
            BOOST_TEST(contains(response_of(model), R"("code":-32603)"), response_of(model));
    }
}

LINKSPAN_CASE(end_user_can_decline_and_cancel_an_elicitation_of_each_mode)
{
    std::pair<elicit_action, std::string_view> const choices[] = {{elicit_action::decline, R"({"action":"decline"})"},
                                                                  {elicit_action::cancel, R"({"action":"cancel"})"}};
    for (auto const version : both)
        for (auto const& params : {std::string(form), page_at("https://a.example/")})
            for (auto const& [action, expected] : choices) {
                scripted_server server({version});
                request_input(server, "elicitation/create", params);
                session client(executor, via<inproc>(server));
                auto const declines = [chosen = action](elicit_request const&, typed_responder<elicitation> reply) {
                    boost::json::object const content{{"name", "Ada"}}; // is not sent
                    reply({.action = chosen, .content = content});
                };
                client.set_handler<elicitation>(declines, {.url = true});
                co_await client.async_open();
                auto const result = co_await client.async_call_tool("work");
                BOOST_TEST(result.text() == "done"); // the server continues
                BOOST_TEST(contains(response_of(server), expected), response_of(server));
                BOOST_TEST(!contains(response_of(server), "Ada"), response_of(server));
            }
}

LINKSPAN_CASE(page_of_an_elicitation_is_shown_with_its_server_and_neither_fetched_nor_accepted_before_the_consent)
{
    // The page is on a real server, which detects a connection.
    asio::ip::tcp::acceptor page_server(executor, {asio::ip::address_v4::loopback(), 0});
    page_server.non_blocking(true);
    auto const url = "http://127.0.0.1:" + std::to_string(page_server.local_endpoint().port()) + "/sign-in?a=1&b=%20#c";
    scripted_server first({protocol_version::v2025_11_25}), second({protocol_version::v2026_07_28});
    hub_type hub(executor);
    std::vector<std::string> shown;
    std::optional<typed_responder<elicitation>> asked;
    auto const shows = [&](elicit_request const& wanted, typed_responder<elicitation> reply) {
        shown.push_back(wanted.server + ' ' + wanted.url + ' ' + wanted.message);
        asked.emplace(std::move(reply));
    };
    hub.set_handler<elicitation>(shows, {.url = true});
    hub.add<inproc>("first", first);
    hub.add<inproc>("second", second);
    for (auto* const each : {&first, &second})
        request_input(*each, "elicitation/create", page_at(url));
    co_await hub.async_open();
    for (auto const& [name, server] : {std::pair("first", &first), std::pair("second", &second)}) {
        completion_box ended;
        hub.on_server(name).async_call("work", ended.handler());
        co_await pass(executor, 10s);
        BOOST_TEST_REQUIRE(asked.has_value());
        BOOST_TEST(shown.back() == std::string(name) + ' ' + url + " Go");
        BOOST_TEST(response_of(*server) == "none"); // the end user has not consented yet
        BOOST_TEST(ended.count == 0u);
        (*asked)({.action = elicit_action::accept, .content = {}});
        asked.reset();
        co_await settle(executor);
        BOOST_TEST(ended.count == 1u);
        BOOST_TEST(contains(response_of(*server), R"("action":"accept")"), response_of(*server));
    }
    error_code ec;
    asio::ip::tcp::socket fetched(executor);
    page_server.accept(fetched, ec);
    BOOST_TEST((ec == asio::error::would_block), ec.message());
}

LINKSPAN_CASE(undeclared_elicitation_mode_is_refused)
{
    auto const page = page_at("https://a.example/");
    for (bool const declared : {false, true}) {
        scripted_server server({protocol_version::v2025_11_25});
        request_input(server, "elicitation/create", page);
        session client(executor, via<inproc>(server));
        std::string seen;
        auto const consents = [&](elicit_request const& wanted, typed_responder<elicitation> reply) {
            seen = wanted.url;
            reply({.action = elicit_action::accept, .content = {}});
        };
        client.set_handler<elicitation>(consents, {.url = declared});
        co_await client.async_open();
        co_await client.async_call_tool("work");
        BOOST_TEST(seen == (declared ? "https://a.example/" : ""));
        BOOST_TEST(contains(response_of(server), R"("code":-32602)") == !declared, response_of(server));
        BOOST_TEST((server.received(R"("elicitation":{"form":{},"url":{}})") > 0u) == declared);
    }
}

LINKSPAN_CASE(declared_elicitation_capability_depends_on_protocol_version)
{
    struct row {
        protocol_version version;
        bool form;
        char const* declared;
    };
    for (auto const& row : {row{protocol_version::v2025_03_26, true, R"("capabilities":{})"},
                            row{protocol_version::v2025_06_18, true, R"("elicitation":{})"},
                            row{protocol_version::v2025_06_18, false, R"("capabilities":{})"},
                            row{protocol_version::v2025_11_25, false, R"("elicitation":{"url":{}})"}}) {
        scripted_server server({row.version});
        // The response to the probe lists the protocol versions, so that the handshake proposes this one.
        server.on(request("server/discover"))
            .then(raw(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":[")" +
                      std::string(to_string(row.version)) + R"("]}}})"));
        session client(executor, via<inproc>(server));
        client.set_handler<elicitation>([](elicit_request const&, typed_responder<elicitation>) {},
                                        {.form = row.form, .url = !row.form});
        co_await client.async_open();
        std::string initialize;
        for (auto const& message : server.received())
            if (contains(message, R"("method":"initialize")"))
                initialize = message;
        BOOST_TEST(contains(initialize, row.declared), initialize);
    }
}

LINKSPAN_CASE(roots_and_sampling_have_typed_handlers)
{
    for (auto const version : both) {
        scripted_server where({version}), what({version});
        request_input(where, "roots/list", "{}");
        request_input(what, "sampling/createMessage", R"({"messages":[{"role":"user"}],"maxTokens":7})");
        session first(executor, via<inproc>(where)), second(executor, via<inproc>(what));
        first.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
            roots_result here;
            here.roots.push_back({"file:///here", ""});
            reply(here);
        });
        second.set_handler<sampling>([](sampling_request const& wanted, typed_responder<sampling> reply) {
            BOOST_TEST((wanted.max_tokens == 7));
            sampling_result result;
            result.text = "well";
            result.model = "m";
            reply(result);
        });
        co_await first.async_open();
        co_await second.async_open();
        co_await first.async_call_tool("work");
        co_await second.async_call_tool("work");
        BOOST_TEST(contains(response_of(where), R"({"roots":[{"uri":"file:///here"}]})"), response_of(where));
        BOOST_TEST(contains(response_of(what), R"("text":"well")"), response_of(what));
        BOOST_TEST(where.received(R"("roots":{})") > 0u);
        BOOST_TEST(what.received(R"("sampling":{})") > 0u);
    }
}

LINKSPAN_CASE(sampling_waits_for_the_review_of_the_end_user_who_can_reject_it)
{
    constexpr auto params = R"({"messages":[{"role":"user","content":{"type":"text","text":"2+3?"}}],"maxTokens":7})";
    for (auto const version : both)
        for (bool const approved : {false, true}) {
            scripted_server server({version});
            request_input(server, "sampling/createMessage", params);
            session client(executor, via<inproc>(server));
            std::optional<typed_responder<sampling>> asked;
            std::int64_t max_tokens = 0;
            client.set_handler<sampling>([&](sampling_request const& wanted, typed_responder<sampling> reply) {
                max_tokens = wanted.max_tokens.value_or(0);
                asked.emplace(std::move(reply));
            });
            co_await client.async_open();
            completion_box ended;
            client.async_call_tool("work", ended.handler());
            co_await pass(executor, 10s);
            BOOST_TEST_REQUIRE(asked.has_value());
            BOOST_TEST(max_tokens == 7);
            BOOST_TEST(response_of(server) == "none");
            BOOST_TEST(ended.count == 0u);
            sampling_result result;
            result.text = "5";
            result.model = "m";
            if (approved)
                (*asked)(result);
            else
                asked->refuse(-1, "User rejected sampling request");
            co_await settle(executor);
            BOOST_TEST(ended.count == 1u);
            bool const fails = !approved && version == protocol_version::v2026_07_28; // no error response exists
            BOOST_TEST(ended.ec == (fails ? make_error_code(error::input_refused) : error_code()));
            if (approved)
                BOOST_TEST(contains(response_of(server), R"("text":"5")"), response_of(server));
            else if (!fails)
                BOOST_TEST(contains(response_of(server), R"("code":-1)"), response_of(server));
            else
                BOOST_TEST(response_of(server) == "none");
        }
}

LINKSPAN_CASE(sampling_with_tools_is_refused_unless_the_client_declares_tools)
{
    constexpr auto params =
        R"({"messages":[{"role":"user","content":{"type":"text","text":"2+3?"}}],"maxTokens":7,)"
        R"("tools":[{"name":"add","inputSchema":{"type":"object"}}],"includeContext":"thisServer"})";
    for (auto const version : both)
        for (bool const declared : {false, true}) {
            scripted_server server({version});
            request_input(server, "sampling/createMessage", params);
            session client(executor, via<inproc>(server));
            std::size_t calls = 0;
            auto const uses_tool = [&](sampling_request const& wanted, typed_responder<sampling> reply) {
                ++calls;
                BOOST_TEST(wanted.tools.at(0).name == "add");
                BOOST_TEST((wanted.include_context == context_inclusion::none)); // `context` is not declared
                sampling_result result;
                result.set_blocks({tool_use_content{"1", "add", R"({"a":2,"b":3})", {}}});
                result.stop_reason = "toolUse";
                reply(result);
            };
            client.set_handler<sampling>(uses_tool, {.tools = declared});
            co_await client.async_open();
            auto const [ec, result] = co_await client.async_call_tool("work", {}, in_tuple);
            BOOST_TEST(calls == (declared ? 1u : 0u));
            BOOST_TEST((server.received(R"("sampling":{"tools":{}})") > 0u) == declared);
            bool const fails = !declared && version == protocol_version::v2026_07_28;
            BOOST_TEST(ec == (fails ? make_error_code(error::input_refused) : error_code()));
            if (declared)
                BOOST_TEST(contains(response_of(server), R"("content":{"type":"tool_use","id":"1","name":"add")"),
                           response_of(server));
            else if (!fails)
                BOOST_TEST(contains(response_of(server), R"("code":-32602)"), response_of(server));
        }
}

LINKSPAN_CASE(sampling_with_a_tool_call_without_result_is_refused)
{
    constexpr auto params = R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"add",)"
                            R"("input":{}}]},{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":7})";
    scripted_server server({protocol_version::v2025_11_25});
    request_input(server, "sampling/createMessage", params);
    session client(executor, via<inproc>(server));
    auto const never = [](sampling_request const&, typed_responder<sampling>) { BOOST_TEST(false); };
    client.set_handler<sampling>(never, {.tools = true, .context = true});
    co_await client.async_open();
    co_await client.async_call_tool("work");
    BOOST_TEST(contains(response_of(server), R"("code":-32602)"), response_of(server));
    BOOST_TEST(contains(response_of(server), "tool call '1' has no tool result in the next message"),
               response_of(server));
    BOOST_TEST(server.received(R"("sampling":{"tools":{},"context":{}})") > 0u);
}

LINKSPAN_CASE(typed_handler_of_connector_receives_server_name)
{
    scripted_server first({protocol_version::v2025_11_25}), second({protocol_version::v2026_07_28});
    request_input(first, "elicitation/create", form);
    request_input(second, "elicitation/create", form);
    hub_type hub(executor);
    std::vector<std::string> seen;
    hub.add<inproc>("first", first);
    hub.set_handler<elicitation>([&](elicit_request const& wanted, typed_responder<elicitation> reply) {
        seen.push_back(wanted.server);
        reply({.action = elicit_action::cancel, .content = {}});
    });
    hub.add<inproc>("second", second); // applies to servers added later, too
    co_await hub.async_open();
    co_await hub.on_server("first").async_call("work");
    co_await hub.on_server("second").async_call("work");
    BOOST_TEST(seen == (std::vector<std::string>{"first", "second"}), boost::test_tools::per_element());
    BOOST_TEST(contains(response_of(first), R"({"action":"cancel"})"));
    BOOST_TEST(contains(response_of(second), R"({"action":"cancel"})"));
}

BOOST_AUTO_TEST_SUITE_END()
