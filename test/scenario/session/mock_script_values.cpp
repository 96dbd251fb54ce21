// Values of scripts that come from the client, tools that change, HTTP responses, and faults.

#include <linkspan/describe/decode.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/session/notifications.hpp>
#include <linkspan/session/prompts.hpp>
#include <linkspan/session/resources.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/http_options.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/folder.hpp"
#include "support/http_case.hpp"
#include "support/rpc_error.hpp"
#include "support/script_problems.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_values_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::streamable_http;
using linkspan::time_point;
using linkspan::via;

namespace {

constexpr auto readable = std::filesystem::perms::owner_all;

// A session with a server that a script describes.
struct value_world : http_world {
    // `members`: of a script with the tools `t` and `u`.
    mock_script with(std::string const& members, std::string const& version = "2025-11-25")
    {
        return mock_script::parse(R"({"mock":1,"protocolVersions":[")" + version +
                                  R"("],"tools":[{"name":"t"},{"name":"u"}],)" + members + "}");
    }

    asio::awaitable<void> open(mock_script script)
    {
        server = std::make_unique<scripted_server>();
        script.add_to(*server);
        client.emplace(executor, via<inproc>(*server), options);
        co_await client->async_open();
    }

    asio::awaitable<void> open_over_http(mock_script script)
    {
        serve(handshake_era);
        script.add_to(*server);
        client.emplace(executor, via<streamable_http>(config), options);
        co_await client->async_open();
    }

    asio::awaitable<void> open_over_http_sse(mock_script script)
    {
        serving.sse_path = "/sse";
        config.url = "http://server/sse";
        serve({linkspan::protocol_version::v2024_11_05});
        server->on_fault([this](chaos_fault const& one) { faults.push_back(one.fault); });
        script.add_to(*server);
        server->tool("t", "{}", nullptr);
        client.emplace(executor, via<linkspan::http_sse>(config), options);
        co_await client->async_open();
    }

    asio::awaitable<std::string> reply(std::string tool, std::string arguments = "{}")
    {
        auto const parsed = boost::json::parse(arguments).as_object();
        auto const [ec, result] = co_await client->async_call_tool(tool, parsed, in_tuple);
        last = ec;
        co_return ec ? ec.message() : result.text();
    }

    error_code last;
    std::vector<fault_kind> faults; // over HTTP+SSE, those that have occurred
};

// Returns the problems of a script with these members; empty: there are none.
std::string problem_of(std::string const& members)
{
    try {
        mock_script::parse(R"({"mock":1,)" + members + "}", "x");
        return {};
    } catch (script_error const& e) {
        return e.what();
    }
}

} // namespace

LINKSPAN_CASE_IN(value_world, captured_values_are_variables_of_later_rules)
{
    co_await open(with(R"("rules":[
        {"on":{"call":"t"},"where":{"/arguments/city":{"prefix":"O","capture":"city"},"/arguments/days":{"capture":"days"}},
         "do":[{"text":"${vars.city} for ${vars.days} days"}]},
        {"on":{"call":"t"},"do":[{"text":"not captured: ${vars.city}"}]},
        {"on":{"call":"u"},"do":[{"text":"last: ${vars.city}"}]}])"));
    BOOST_TEST(co_await reply("t", R"({"city":"Oslo","days":3})") == "Oslo for 3 days");
    BOOST_TEST(co_await reply("t", R"({"city":"Omsk"})") == "not captured: Oslo"); // `days` is absent
    BOOST_TEST(co_await reply("t", R"({"city":"Rome","days":1})") == "not captured: Oslo");
    BOOST_TEST(co_await reply("u") == "last: Oslo");
}

LINKSPAN_CASE_IN(value_world, responses_of_the_client_are_variables_and_events)
{
    co_await open(with(R"("vars":{"pings":0},"rules":[
        {"on":{"response":"ping"},"where":{"/result":{"type":"object"}},"set":{"$pings":{"add":1}},"do":[]},
        {"on":{"response":"sampling/createMessage"},"where":{"/error/code":{"lt":0}},"set":{"$refused":true},"do":[]},
        {"on":{"call":"t"},"do":[
            {"request":{"method":"ping","saveAs":"answer"}},
            {"sample":{"params":{"messages":[],"maxTokens":1},"saveAs":"sampled"}},
            {"text":"${vars.answer.result} ${vars.sampled.error.code} ${vars.pings} ${vars.refused}"}]}])"));
    BOOST_TEST(co_await reply("t") == "{} -32601 1 true");
}

LINKSPAN_CASE_IN(value_world, input_of_the_user_is_a_value_of_the_response)
{
    // The versions with `elicitation/create`. The script seat-booking.json requests input in 2026-07-28.
    for (std::string const version : {"2025-06-18", "2025-11-25"}) {
        auto const script = with(R"("rules":[{"on":{"call":"t"},"do":[
            {"elicit":{"params":{"message":"Name?","requestedSchema":{"type":"object","properties":
                {"name":{"type":"string"}}}},"saveAs":"form","timeout":"2s"}},
            {"text":"${vars.form.result.action} ${vars.form.result.content.name}"}]}])",
                                 version);
        client.reset();
        server = std::make_unique<scripted_server>();
        script.add_to(*server);
        auto& user = client.emplace(executor, via<inproc>(*server), options);
        user.on_request("elicitation/create", [](std::string_view, linkspan::responder respond) {
            respond(linkspan::raw_json(R"({"action":"accept","content":{"name":"Ada"}})"));
        });
        co_await user.async_open();
        BOOST_TEST(to_string(*user.protocol_version()) == version);
        BOOST_TEST(co_await reply("t") == "accept Ada");
    }
}

LINKSPAN_CASE_IN(value_world, request_without_a_response_in_time_has_no_value)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"do":[
        {"elicit":{"params":{"message":"Name?"},"saveAs":"form","timeout":"2s"}},{"text":"[${vars.form.result}]"}]}])"));
    server->set_chaos(chaos(1, {.percent = 100, .kinds = {fault_kind::drop}, .max_faults = 1})); // the request
    auto const began = time.now();
    BOOST_TEST(co_await reply("t") == "[]");
    BOOST_TEST((time.now() - began == 2s));
    BOOST_TEST(server->values().vars["form"].is_null());
}

LINKSPAN_CASE_IN(value_world, tools_change_with_a_notification_unless_the_action_omits_it)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"times":1,"do":[
        {"tools":{"remove":["u"],"add":[{"name":"v","description":"new","inputSchema":{"required":["x"]}}]}},
        {"text":"changed"}]},{"on":{"call":"t"},"do":[
        {"tools":{"add":[{"name":"w"}],"notify":false}},{"tools":{"remove":["w"],"notify":false}},
        {"text":"changed silently"}]}])"));
    std::size_t notified = 0;
    on_list_changed(*client, linkspan::changed_list::tools, [&] { ++notified; });
    BOOST_TEST(co_await reply("t") == "changed");
    co_await settle(executor);
    BOOST_TEST(notified == 1u);
    BOOST_TEST(co_await reply("t") == "changed silently");
    co_await settle(executor);
    BOOST_TEST(notified == 1u);
    auto const list = co_await client->async_list_tools();
    std::string names;
    for (auto const& tool : list.tools)
        names += tool.name + ' ';
    BOOST_TEST(names == "t v ");
    BOOST_TEST(list.tools[1].description == "new");
    BOOST_TEST(list.tools[1].input_schema == R"({"required":["x"],"type":"object"})");
}

LINKSPAN_CASE_IN(value_world, header_fields_of_http_responses_have_values_of_the_request)
{
    co_await open_over_http(with(R"j("rules":[{"on":{"call":"t"},"do":[{"http":{"status":200,
        "headers":{"Content-Type":"application/${params.arguments.kind}","X-Note":"${params.arguments.note}"},
        "body":"{\"jsonrpc\":\"2.0\",\"id\":${id},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"own\"}]}}"}}]}])j"));
    boost::json::object const arguments{{"kind", "json"}, {"note", "a\r\nContent-Length: 0"}};
    auto const [ec, result] = co_await client->async_call_tool("t", arguments, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.text() == "own");
    BOOST_TEST(contains(linkspan::test::script_problems(script_with(
                            R"("rules":[{"on":{"call":"t"},"do":[{"http":{"status":200,"headers":{"A":"${x}"}}}]}])")),
                        "/rules/0/do/0/http/headers/A: expected ${params...}"));
}

LINKSPAN_CASE_IN(value_world, http_response_replaces_the_response)
{
    auto const script = with(R"("rules":[{"on":{"call":"t"},"times":1,"do":[
        {"http":{"status":403,"headers":{"Content-Type":"text/plain"},"body":"closed: ${tool}"}}]},
        {"on":{"call":"t"},"do":[{"text":"ok"}]}])");
    co_await open_over_http(script);
    auto const [ec, result] = co_await client->async_call_tool("t", {}, in_tuple);
    BOOST_TEST(ec.failed());
    BOOST_TEST(contains(linkspan::explain(ec, result), "closed: t"), linkspan::explain(ec, result));
    BOOST_TEST(co_await reply("t") == "ok");
}

LINKSPAN_CASE_IN(value_world, numbers_are_texts_where_a_result_requires_a_text)
{
    co_await open(mock_script::parse(R"({"mock":1,"vars":{"n":7},
        "resources":[{"uri":"a:n","text":"${vars.n}"},{"uri":"a:none","text":"${vars.none}"}],
        "prompts":[{"name":"p","messages":[{"role":"user","content":{"type":"text","text":"${vars.n}"}}]}],
        "tools":[{"name":"t"}],"rules":[{"on":{"call":"t"},"do":[
            {"content":[{"type":"text","text":"${vars.n}","annotations":{"priority":"${vars.n}"}}]}]}]})"));
    auto const number = co_await async_read_resource(*client, "a:n");
    BOOST_TEST(number->at(0).text == "7");
    auto const none = co_await async_read_resource(*client, "a:none");
    BOOST_TEST(none->at(0).text == "");
    boost::json::object const name{{"name", "p"}};
    auto const prompt = co_await client->async_request("prompts/get", name);
    BOOST_TEST(contains(prompt.raw(), R"("text":"7")"), prompt.raw());
    auto const result = co_await client->async_call_tool("t");
    BOOST_TEST(contains(result.raw(), R"("text":"7","annotations":{"priority":7})"), result.raw());
}

LINKSPAN_CASE_IN(value_world, resources_and_prompts_of_a_script_have_default_responses)
{
    for (auto const& row : linkspan::protocol_versions) {
        std::string const version(row.text);
        co_await open(mock_script::parse(R"({"mock":1,"protocolVersions":[")" + version + R"("],"vars":{"n":1},
            "resources":[{"uri":"file:///a","name":"a","mimeType":"text/plain","text":"number ${vars.n}"},
                         {"uri":"file:///${b}","blob":"AAEC"}],
            "prompts":[{"name":"greet","description":"Greets","arguments":[{"name":"who","required":true}],
                        "messages":[{"role":"user","content":{"type":"text","text":"Hello ${params.arguments.who}"}}]}],
            "tools":[{"name":"t"}],
            "rules":[{"on":{"call":"t"},"set":{"$n":2},"do":[
                {"notify":{"method":"notifications/resources/updated","params":{"uri":"file:///a"}}},{"text":"changed"}]},
                {"on":{"request":"resources/read"},"where":{"/uri":"file:///hidden"},"do":[
                {"rpcError":{"code":-32000,"message":"hidden"}}]}]})"));
        auto const resources = co_await async_list_resources(*client);
        BOOST_TEST_REQUIRE(resources.entries.size() == 2u);
        BOOST_TEST(resources.entries[0].name == "a");
        BOOST_TEST(resources.entries[1].name == "file:///${b}");
        auto const first = co_await async_read_resource(*client, "file:///a");
        BOOST_TEST(first->at(0).text == "number 1");
        BOOST_TEST(first->at(0).mime_type == "text/plain");
        auto const binary = co_await async_read_resource(*client, "file:///${b}");
        BOOST_TEST(binary->at(0).blob.value_or("") == "AAEC");
        BOOST_TEST(co_await reply("t") == "changed");
        auto const second = co_await async_read_resource(*client, "file:///a");
        BOOST_TEST(second->at(0).text == "number 2");
        auto const hidden = co_await async_read_resource(*client, "file:///hidden", in_tuple);
        BOOST_TEST(std::get<0>(hidden).value() == -32000);
        auto const unknown = co_await async_read_resource(*client, "file:///c", in_tuple);
        BOOST_TEST(std::get<0>(unknown).value() == (row.era == linkspan::era::stateless ? -32602 : -32002));
        auto const prompts = co_await async_list_prompts(*client);
        BOOST_TEST_REQUIRE(prompts.entries.size() == 1u);
        BOOST_TEST(prompts.entries[0].arguments.at(0).required);
        linkspan::argument_values const ada = {{"who", "Ada"}};
        auto const greeting = co_await async_get_prompt(*client, "greet", ada);
        BOOST_TEST(std::get<linkspan::text_content>(greeting->messages.at(0).content).text == "Hello Ada");
    }
}

BOOST_AUTO_TEST_CASE(resources_and_prompts_of_a_script_are_checked)
{
    std::string const prompt = R"({"name":"p","messages":[{}]})";
    BOOST_TEST(problem_of(R"("prompts":[)" + prompt + "]") == "");
    BOOST_TEST(contains(problem_of(R"("prompts":[)" + prompt + "," + prompt + "]"),
                        "/prompts/1/name: expected a URI or name that no other entry has"));
    BOOST_TEST(contains(problem_of(R"("prompts":[{"name":"p"}])"), "/prompts/0"));
    BOOST_TEST(contains(problem_of(R"("resources":[{"uri":"a"}])"),
                        "/resources/0: expected exactly one of 'text' and 'blob'"));
    BOOST_TEST(contains(problem_of(R"("resources":[{"uri":"a","text":"${params"}])"), "/resources/0/text: "));
    BOOST_TEST(contains(problem_of(R"("resources":[{"uri":"a","text":""}],"rules":[{"id":"resource a","on":{"call":"t"},
        "do":[{"text":""}]}])"),
                        "/rules/0/id: expected an id that no other rule has"));
}

LINKSPAN_CASE_IN(value_world, header_fields_of_http_requests_are_values_of_conditions)
{
    auto const script = with(R"("rules":[
        {"on":{"call":"t"},"where":{"#/http/headers/x-tenant":{"prefix":"a","capture":"tenant"}},
         "do":[{"text":"of ${vars.tenant}"}]},
        {"on":{"call":"t"},"where":{"#/http/headers/X-Tenant":{"present":true}},"do":[{"text":"other"}]},
        {"on":{"call":"t"},"where":{"#/http/headers/x-tenant":{"absent":true}},"do":[{"text":"none"}]}])");
    config.headers["X-Tenant"] = "acme";
    co_await open_over_http(script);
    BOOST_TEST(co_await reply("t") == "of acme");
    config.headers["X-Tenant"] = "Acme";
    co_await open_over_http(script);
    BOOST_TEST(co_await reply("t") == "other");
    config.headers.clear();
    co_await open_over_http(script);
    BOOST_TEST(co_await reply("t") == "none");
    co_await open(script); // in memory
    BOOST_TEST(co_await reply("t") == "none");
}

LINKSPAN_CASE_IN(value_world, nearest_rule_shows_no_values_of_header_fields)
{
    auto const script =
        with(R"("rules":[{"on":{"call":"t"},"where":{"#/http/headers/x-key":"a"},"do":[{"text":""}]}])");
    config.headers["X-Key"] = "secret-7";
    co_await open_over_http(script);
    auto const [ec, result] = co_await client->async_call_tool("t", {}, in_tuple);
    auto const text = linkspan::explain(ec, result);
    std::string const nearest = R"(nearest rule '#1': #/http/headers/x-key: expected "a", found another value)";
    BOOST_TEST(contains(text, nearest), text);
    BOOST_TEST(!contains(text, "secret-7"), text);
    BOOST_TEST(server->nearest_rule(server->requests().size() - 1) == nearest);
    auto const verified = server->verify(expectation(call("t")).where("#/http/headers/x-key", "a"));
    BOOST_TEST(contains(verified.report(), R"(#/http/headers/x-key: expected "a", found another value)"), verified);
    BOOST_TEST(!contains(verified.report(), "secret-7"), verified);
    config.headers.clear();
    co_await open_over_http(script);
    auto const [ec2, without] = co_await client->async_call_tool("t", {}, in_tuple);
    BOOST_TEST(contains(linkspan::explain(ec2, without), R"(x-key: expected "a", found nothing)"));
}

LINKSPAN_CASE_IN(value_world, values_of_the_whole_message_are_values_of_conditions)
{
    auto const script = with(R"("rules":[
        {"on":{"call":"t"},"where":{"#/params/arguments/city":"Oslo","#/jsonrpc":"2.0","/arguments/city":{"prefix":"O"}},
         "do":[{"text":"Oslo"}]},
        {"on":{"request":"tools/call"},"where":{"#/method":{"suffix":"call"},"#/id":{"type":"integer","capture":"id"},
         "#/params/name":"u","#/result":{"absent":true}},"do":[{"text":"id ${vars.id} is ${id}"}]},
        {"on":{"notification":"notifications/roots/list_changed"},"where":{"#/params/n":2,"#/id":{"absent":true},
         "#":{"type":"object"}},"set":{"$changed":true},"do":[]},
        {"on":{"response":"ping"},"where":{"#/result":{"type":"object"},"/id":{"present":true}},
         "set":{"$responded":true},"do":[]},
        {"on":{"call":"t"},"where":{"/arguments/city":"Rome"},"do":[{"request":{"method":"ping"}},{"text":"pinged"}]}],
        "expect":[{"call":"t","where":{"#/params/arguments/city":"Oslo"},"count":1},
        {"never":{"request":"tools/call","where":{"#/id":{"type":"string"}}}},
        {"call":"u","where":{"#/method":"tools/list"}}])");
    for (bool const is_over_http : {false, true}) {
        if (is_over_http)
            co_await open_over_http(script);
        else
            co_await open(script);
        BOOST_TEST(co_await reply("t", R"({"city":"Oslo"})") == "Oslo");
        auto const own = co_await reply("u");
        auto const id = server->requests().back().id;
        BOOST_TEST(own == "id " + id + " is " + id);
        auto& vars = server->values().vars;
        boost::json::object const one{{"n", 1}}, two{{"n", 2}};
        BOOST_TEST(client->notify("notifications/roots/list_changed", one));
        co_await settle(executor);
        BOOST_TEST(!vars.contains("changed"));
        BOOST_TEST(client->notify("notifications/roots/list_changed", two));
        co_await settle(executor);
        BOOST_TEST(vars.contains("changed"));
        BOOST_TEST(co_await reply("t", R"({"city":"Rome"})") == "pinged");
        BOOST_TEST(vars.contains("responded"));
        auto const report = script.verify(*server).report();
        BOOST_TEST(contains(report, R"(/expect/2: expected at least 1 tools/call u, where #/method is "tools/list")"),
                   report);
        BOOST_TEST(contains(report, R"(#/method: expected "tools/list", found "tools/call")"), report);
        BOOST_TEST(!contains(report, "/expect/0"), report);
        BOOST_TEST(!contains(report, "/expect/1"), report);
    }
}

LINKSPAN_CASE_IN(value_world, nearest_rule_has_differences_in_the_whole_message)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"where":{"#/id":"x"},"do":[{"text":"a"}]},
        {"on":{"call":"u"},"where":{"#/params/arguments/n":2},"do":[{"delay":"1s"},{"text":"b"}]}])"));
    auto const [ec, result] = co_await client->async_call_tool("t", {}, in_tuple);
    auto const text = linkspan::explain(ec, result);
    BOOST_TEST(contains(text, R"(#/id: expected "x", found )"), text);
    auto const recorded = server->nearest_rule(server->requests().size() - 1);
    BOOST_TEST(contains(recorded, R"(#/id: expected "x", found )" + server->requests().back().id), recorded);
}

BOOST_AUTO_TEST_CASE(message_of_a_request_is_the_same_for_actions)
{
    world here;
    auto& server = here.add_server("weather");
    std::string first, later;
    server.on(call("t")).then(
        [&](exchange& on, std::function<void()> const& next) { first = on.message(), next(); }, delay(1s),
        [&](exchange& on, std::function<void()> const& next) { later = on.message(), next(); }, text("x"));
    linkspan::session client(here.executor, via<inproc>(server));
    here.await(client.async_open(asio::use_awaitable));
    here.await(client.async_call_tool("t", asio::use_awaitable));
    BOOST_TEST(boost::json::parse(first) == boost::json::parse(server.requests().back().message));
    BOOST_TEST(later == first);
    BOOST_TEST(server.requests().back().message == server.received().back());
}

BOOST_AUTO_TEST_CASE(conditions_on_header_fields_belong_to_requests)
{
    std::string const where = R"("where":{"#/http/headers/a":"b"})";
    BOOST_TEST(problem_of(R"("rules":[{"on":{"call":"t"},"do":[{"text":""}],)" + where + "}]") == "");
    for (std::string const requests : {R"("call":"t",)", R"("request":"ping",)"}) {
        BOOST_TEST(problem_of(R"("expect":[{)" + requests + where + "}]") == "");
        BOOST_TEST(problem_of(R"("expect":[{"never":{)" + requests + where + R"(}},{"cancelled":{)" + requests + where +
                              "}}]") == "");
    }
    std::string const invalid[] = {R"("rules":[{"on":{"notification":"n"},"do":[],)" + where + "}]",
                                   R"("rules":[{"on":{"call":"t"},"do":[{"text":""}],"where":{"#/http/headers/":1}}])",
                                   R"("expect":[{"call":"t","where":{"#/http/headers/":1}}])"};
    for (auto const& member : invalid) {
        auto const problem = problem_of(member);
        BOOST_TEST(contains(problem, "expected a JSON Pointer into the parameters"), member << ": " << problem);
    }
}

LINKSPAN_CASE_IN(value_world, fault_of_a_script_has_its_parameters)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"times":1,"do":[
        {"fault":{"kind":"delay","delay":"3s"}},{"text":"late"}]},
        {"on":{"call":"t"},"do":[{"fault":"wrong-id"},{"text":"lost"}]}])"));
    auto const began = time.now();
    BOOST_TEST(co_await reply("t") == "late");
    BOOST_TEST((time.now() - began == 3s));
    co_await reply("t");
    BOOST_TEST((last == error::attempt_timed_out), last.message());
}

LINKSPAN_CASE_IN(value_world, fault_of_a_script_has_a_number_of_messages)
{
    co_await open(with(R"("rules":[
        {"on":{"call":"t"},"do":[{"fault":{"kind":"reorder","amount":3,"delay":"1h"}},{"text":"fourth"}]},
        {"on":{"call":"u"},"do":[{"text":"earlier"}]}])"));
    completion_box fourth;
    client->async_call_tool("t", {}, fourth.handler());
    for (std::size_t i = 0; i != 3; ++i) {
        BOOST_TEST(fourth.count == 0u);
        BOOST_TEST(co_await reply("u") == "earlier");
    }
    co_await settle(executor);
    BOOST_TEST(fourth.result.text() == "fourth");
    completion_box replaced, held;
    client->async_call_tool("t", {}, replaced.handler());
    client->async_call_tool("t", {}, held.handler());
    co_await settle(executor);
    BOOST_TEST(replaced.count == 1u); // one message waits at a time
    BOOST_TEST(held.count == 0u);
    co_await pass(executor, 1h);
    BOOST_TEST(held.count == 1u);
}

LINKSPAN_CASE_IN(value_world, stream_of_http_sse_continues_after_faults)
{
    auto const script = with(R"("rules":[{"on":{"call":"t"},"sequence":[[{"fault":"split"},{"text":"1"}],
        [{"fault":"coalesce"},{"text":"2"}],[{"fault":"crlf"},{"text":"3"}],
        [{"fault":"http-500"},{"text":"4"}],[{"fault":"unauthorized"},{"text":"5"}],[{"text":"6"}]]}])");
    co_await open_over_http_sse(script);
    for (std::string const expected : {"1", "2", "3", "4", "5", "6"})
        BOOST_TEST(co_await reply("t") == expected);
    BOOST_TEST((faults == std::vector{fault_kind::split, fault_kind::coalesce, fault_kind::crlf}));
}

LINKSPAN_CASE_IN(value_world, faults_of_http_responses_are_not_counted_over_http_sse)
{
    co_await open_over_http_sse(with(R"("rules":[{"on":{"call":"t"},"do":[{"text":"1"}]}],
        "chaos":{"percent":100,"kinds":["http-500","unauthorized","crlf"],"maxFaults":3})"));
    for (int i = 0; i != 20; ++i)
        BOOST_TEST(co_await reply("t") == "1");
    BOOST_TEST((faults == std::vector(3, fault_kind::crlf)));
}

LINKSPAN_CASE_IN(value_world, requests_of_faults_have_responses)
{
    auto const script = with(R"("rules":[
        {"on":{"call":"t"},"times":1,"do":[{"fault":"unknown-request"},{"text":"a"}]},
        {"on":{"call":"t"},"do":[{"fault":{"kind":"sampling-flood","amount":2}},{"text":"b"}]}])");
    for (bool const over_http : {false, true}) {
        if (over_http)
            co_await open_over_http(script);
        else
            co_await open(script);
        BOOST_TEST(co_await reply("t") == "a");
        BOOST_TEST(co_await reply("t") == "b");
        co_await settle(executor);
        for (auto const* const id : {R"("id":"f1")", R"("id":"s1")", R"("id":"s2")"}) {
            auto const is_refusal = [id](auto const& line) { return contains(line, id) && contains(line, "-32601"); };
            BOOST_TEST(std::ranges::count_if(server->received(), is_refusal) == 1, id << over_http);
        }
    }
}

LINKSPAN_CASE_IN(value_world, server_reads_after_the_end_of_its_output)
{
    co_await open(with(R"("rules":[
        {"on":{"call":"t"},"do":[{"fault":"half-close"},{"text":"lost"}]},
        {"on":{"call":"u"},"do":[{"delay":"1s"},{"text":"late"}]}])"));
    completion_box late;
    client->async_call_tool("u", {}, late.handler());
    co_await reply("t");
    BOOST_TEST((last == error::stream_ended), last.message());
    BOOST_TEST((late.ec == error::stream_ended), late.ec.message());
    co_await pass(executor, 2s);
    BOOST_TEST(server->verify(closed_by_client()));
}

LINKSPAN_CASE_IN(value_world, message_in_parts_is_not_interrupted_by_others)
{
    for (auto const* const fault : {R"({"kind":"slow","delay":"1s","amount":4})", R"({"kind":"split"})"}) {
        co_await open(with(R"("rules":[{"on":{"call":"t"},"do":[{"fault":)" + std::string(fault) +
                           R"(},{"text":"in parts"}]},{"on":{"call":"u"},"do":[{"text":"at once"}]}])"));
        completion_box slow, fast;
        client->async_call_tool("t", {}, slow.handler());
        client->async_call_tool("u", {}, fast.handler());
        co_await settle(executor);
        BOOST_TEST(slow.count + fast.count == 0u);
        co_await pass(executor, 4s);
        BOOST_TEST(slow.result.text() == "in parts");
        BOOST_TEST(fast.result.text() == "at once");
    }
}

LINKSPAN_CASE_IN(value_world, messages_in_parts_wait_during_a_pause_of_all_messages)
{
    co_await open(with(R"("rules":[
        {"on":{"call":"t"},"do":[{"fault":{"kind":"slow","delay":"1s","amount":3}},{"text":"in parts"}]},
        {"on":{"call":"u"},"do":[{"fault":{"kind":"pause","delay":"20s"}},{"text":"after the pause"}]}])"));
    completion_box slow, paused;
    client->async_call_tool("t", {}, slow.handler());
    client->async_call_tool("u", {}, paused.handler());
    co_await pass(executor, 19s);
    BOOST_TEST(slow.count + paused.count == 0u);
    co_await pass(executor, 5s);
    BOOST_TEST(slow.result.text() == "in parts");
    BOOST_TEST(paused.result.text() == "after the pause");
}

LINKSPAN_CASE_IN(value_world, limit_of_data_discards_messages_that_wait)
{
    co_await open(with(R"("rules":[
        {"on":{"call":"t"},"do":[{"fault":{"kind":"delay","delay":"1s"}},{"text":"late"}]},
        {"on":{"call":"u"},"do":[{"fault":"limit-data"},{"text":"lost"}]}])"));
    completion_box late, lost;
    client->async_call_tool("t", {}, late.handler());
    client->async_call_tool("u", {}, lost.handler());
    co_await pass(executor, 1h);
    BOOST_TEST((late.ec == error::attempt_timed_out), late.ec.message());
    BOOST_TEST(client->counters().unexpected_output + client->counters().malformed == 0u); // no end of the line
}

LINKSPAN_CASE_IN(value_world, chaos_applies_to_a_connection_that_had_a_fault)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"times":1,"do":[{"fault":"duplicate"},{"text":"twice"}]}],
        "unmatched":"respond")"));
    BOOST_TEST(co_await reply("t") == "twice");
    server->set_chaos(chaos(1, {.percent = 100, .kinds = {fault_kind::delay}, .max_faults = 1}));
    auto const began = time.now();
    co_await reply("t");
    BOOST_TEST((time.now() > began));
}

LINKSPAN_CASE_IN(value_world, response_in_time_ends_the_timeout_of_a_request)
{
    co_await open(with(R"("rules":[{"on":{"call":"t"},"do":[
        {"request":{"method":"ping","saveAs":"answer","timeout":"1h"}},{"text":"${vars.answer.result}"}]}])"));
    BOOST_TEST(co_await reply("t") == "{}");
    client.reset();
    co_await settle(executor);
    BOOST_TEST(time.pending_in_foreground() == 0u);
}

LINKSPAN_CASE_IN(value_world, chaos_of_a_script_has_a_maximum_of_faults)
{
    co_await open(with(
        R"("seed":3,"chaos":{"percent":100,"kinds":["delay"],"maxDelay":"5s","maxFaults":3},"unmatched":"respond")"));
    for (int i = 0; i != 3; ++i)
        co_await reply("t");
    auto const began = time.now(); // after three messages
    BOOST_TEST((began > time_point() && began <= time_point(15s)));
    co_await reply("t");
    BOOST_TEST((time.now() == began));
}

LINKSPAN_CASE_IN(value_world, delays_of_a_chaos_have_a_distribution)
{
    auto const delays = [](std::string const& delay, linkspan::duration since_start = {}) {
        auto const text = R"({"percent":100,"kinds":["delay"],"delay":)" + delay + "}";
        script_format::chaos from;
        linkspan::mismatches differences;
        BOOST_TEST_REQUIRE(linkspan::decode(from, text, differences));
        std::vector<linkspan::diagnostic> problems;
        chaos source(3, linkspan::test::detail::script_reader(text, problems).read(from, ""));
        BOOST_TEST(problems.empty());
        std::vector<std::uint64_t> out;
        for (std::uint64_t i = 1; i != 1001; ++i)
            out.push_back(source.decide("weather", 1, i, true, {}, fault_carrier::inproc, since_start)->delay_ms);
        std::ranges::sort(out);
        return out;
    };
    auto const fixed = delays(R"("250ms")");
    BOOST_TEST((fixed.front() == 250 && fixed.back() == 250));
    auto const uniform = delays(R"({"uniform":["1s","2s"]})");
    BOOST_TEST((uniform.front() >= 1000 && uniform.front() < 1100 && uniform.back() > 1900 && uniform.back() <= 2000));
    auto const lognormal = delays(R"({"lognormal":["90ms",0.4]})");
    BOOST_TEST((lognormal[500] > 80 && lognormal[500] < 100));  // the median
    BOOST_TEST((lognormal[841] > 120 && lognormal[841] < 150)); // one deviation above: 134 ms
    auto const none = delays(R"("0s")");
    BOOST_TEST((none.front() == 1 && none.back() == 1)); // 0 is the default delay of a kind
    auto const ramp = delays(R"({"ramp":["1s","3s","10s"]})", 5s);
    BOOST_TEST((ramp.front() == 2000 && ramp.back() == 2000));

    co_await open(
        with(R"("seed":3,"chaos":{"percent":100,"kinds":["delay"],"delay":{"ramp":["1s","2s","1h"]},"maxFaults":3})"));
    BOOST_TEST((time.now() >= time_point(1s) && time.now() <= time_point(3s + 10ms)));
}

BOOST_AUTO_TEST_CASE(delay_of_a_chaos_is_exported)
{
    std::string const chaos =
        R"("chaos": {"percent":10,"kinds":["delay"],"delay":{"lognormal":["90ms",0.4]},"maxFaults":5})";
    scripted_server server;
    mock_script::parse(R"({"mock":1,)" + chaos + "}").add_to(server);
    auto const script = to_script(server);
    BOOST_TEST(contains(script, R"("delay":{"lognormal":["90ms",)"), script);
    scripted_server read;
    mock_script::parse(script).add_to(read);
    BOOST_TEST(to_script(read) == script);
    scripted_server own;
    own.set_chaos(linkspan::test::chaos(0, {.delay = [](double, double, linkspan::duration) { return 1s; }}));
    BOOST_CHECK_EXCEPTION(to_script(own), script_error, [](script_error const& failure) {
        return contains(failure.what(), "the delay of the faults is a function of this program");
    });
}

BOOST_AUTO_TEST_CASE(tools_of_a_list_in_a_file_are_tools_of_the_server)
{
    observe::folder const files;
    files.add("tools.json", R"({"result":{"tools":[
        {"name":"forecast","title":"x","description":"Forecast","inputSchema":{"type":"object","required":["city"]},
         "outputSchema":{"type":"object","properties":{"t":{"const":20}},"required":["t"]},"_meta":{}},
        {"name":"own","inputSchema":{}}]}})",
              readable);
    auto const path = files.add(
        "x.json", R"({"mock":1,"toolsFrom":"tools.json","tools":[{"name":"own","reply":{"text":"of the script"}}]})",
        readable);
    scripted_server server;
    mock_script::load(path).add_to(server);
    world w;
    linkspan::session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    auto const list = w.await(client.async_list_tools(asio::use_awaitable));
    BOOST_TEST_REQUIRE(list.tools.size() == 2u);
    BOOST_TEST(w.await(client.async_call_tool("forecast", asio::use_awaitable)).text() == R"({"t":20})");
    BOOST_TEST(w.await(client.async_call_tool("own", asio::use_awaitable)).text() == "of the script");

    files.add("tools.json", R"({"tools":[{"name":"a"},{"name":"b"},{"name":"a"}],"nextCursor":"2"})", readable);
    BOOST_CHECK_EXCEPTION(mock_script::load(path), script_error, [&path](script_error const& wrong) {
        BOOST_TEST(wrong.what() ==
                   path +
                       ": /toolsFrom: expected a file with the whole list of tools, found the member 'nextCursor'\n" +
                       path +
                       ": /toolsFrom: expected a file with tools of different names, found \"a\" again in "
                       "element 2");
        return true;
    });
}

BOOST_AUTO_TEST_CASE(invalid_members_are_rejected_with_their_locations)
{
    std::string text;
    try {
        mock_script::parse(
            R"({"mock":1,"toolsFrom":"absent.json","chaos":{"maxDelay":"0ms","kinds":["wrong-idd"]},"rules":[
            {"on":{"call":"t"},"where":{"/a":{"not":{"capture":"x"}},"/b":{"capture":""}},"do":[{"hang":true}]},
            {"on":{"call":"t"},"do":[{"http":{"headers":{"A b":"c"}}}]},
            {"on":{"call":"t"},"do":[{"request":{"method":"ping","timeout":"soon"}},{"text":"x"}]}]})",
            "x");
    } catch (script_error const& failure) {
        text = failure.what();
    }
    for (auto const* const part : {
             R"(x: /toolsFrom: expected a file with a result of tools/list, found "absent.json", which cannot be read)",
             "x: /chaos/kinds/0: expected",
             "x: /rules/0/where/~1a/not/capture: expected no 'capture' within another matcher",
             "x: /rules/0/where/~1b/capture: expected the name of a variable, not empty",
             "x: /rules/1/do/0/http/headers/A b: expected a header field on one line",
             "x: /rules/2/do/0/request/timeout: expected a time such as",
         })
        BOOST_TEST(contains(text, part), text << "\n has not: " << part);
}

namespace {

constexpr char const* tape_text =
    R"({"tape":1,"carrier":"stdio"}
{"t":0,"dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"t":0.1,"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"forecast","inputSchema":{"type":"object"}},{"name":"alert","inputSchema":{"type":"object"}}]}}}
{"t":1,"dir":"in","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo","at":1}}}}
{"t":3,"dir":"out","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"recorded ${x}"}]}}}
)";

} // namespace

LINKSPAN_CASE_IN(value_world, tools_have_all_parts_of_a_definition)
{
    std::string const parts =
        R"("title":"T","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},)"
        R"("annotations":{"readOnlyHint":true},"execution":{"taskSupport":"optional"},)"
        R"("icons":[{"src":"https://a.example/i.png"}],"_meta":{"a.example/k":1})";
    observe::folder const files;
    files.add("tools.json", R"({"tools":[{"name":"listed",)" + parts + "}]}", readable);
    auto const path = files.add("x.json",
                                R"({"mock":1,"protocolVersions":["2025-11-25"],"toolsFrom":"tools.json",
        "tools":[{"name":"own",)" + parts +
                                    R"(}],"rules":[{"on":{"connect":true},"do":[{"tools":{"add":[{"name":"added",)" +
                                    parts + "}]}}]}]}",
                                readable);
    co_await open(mock_script::load(path));
    auto const listed = [this]() -> asio::awaitable<std::string> {
        auto const result = co_await client->async_request("tools/list", in_tuple);
        co_return std::string(std::get<1>(result).raw());
    };
    auto const first = co_await listed();
    for (std::string const name : {"own", "listed", "added"})
        BOOST_TEST(contains(first, R"({"name":")" + name + R"(",)" + parts + "}"), first);
    auto const exported = to_script(*server);
    BOOST_TEST(contains(exported, R"({"name":"own",)" + parts.substr(0, 23)), exported);
    co_await open(mock_script::parse(exported));
    auto const second = co_await listed();
    BOOST_TEST(first == second);
}

BOOST_AUTO_TEST_CASE(action_resource_changes_the_contents_and_notifies)
{
    scripted_server server, exported;
    mock_script::parse(R"({"mock":1,"vars":{"n":3},
        "resources":[{"uri":"sensor://tank","mimeType":"text/plain","text":"low"},{"uri":"a:b","text":"other"}],
        "rules":[
            {"on":{"call":"fill"},"sequence":[
                [{"resource":{"uri":"sensor://tank","text":"filled ${vars.n} times"}},{"text":"1"}],
                [{"resource":{"uri":"sensor://tank","blob":"AAEC","notify":false}},{"text":"2"}],
                [{"reset":true},{"text":"3"}]]}]})")
        .add_to(server);
    mock_script::parse(to_script(server)).add_to(exported);
    for (auto* const each : {&server, &exported}) {
        world w;
        linkspan::session client(w.executor, via<inproc>(*each));
        std::vector<std::string> updates;
        on_resource_updated(client, [&](std::string_view uri) { updates.emplace_back(uri); });
        w.await(client.async_open(asio::use_awaitable));
        w.await(async_subscribe_resource(client, "sensor://tank", asio::use_awaitable));
        auto const read = [&](std::string const& uri) {
            boost::json::object const params{{"uri", uri}};
            return std::string(w.await(client.async_request("resources/read", params, asio::use_awaitable)).raw());
        };
        auto const fill = [&] { w.await(client.async_call_tool("fill", asio::use_awaitable)); };
        BOOST_TEST(contains(read("sensor://tank"), R"("text":"low")"));
        fill();
        BOOST_TEST(contains(read("sensor://tank"), R"("mimeType":"text/plain","text":"filled 3 times")"));
        BOOST_TEST(contains(read("a:b"), R"("text":"other")"));
        fill();
        BOOST_TEST(contains(read("sensor://tank"), R"("blob":"AAEC")"));
        fill();
        BOOST_TEST(contains(read("sensor://tank"), R"("text":"low")"));
        BOOST_TEST(updates == std::vector<std::string>{"sensor://tank"}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(action_resources_changes_the_list_and_notifies)
{
    auto const script = mock_script::parse(R"({"mock":1,"vars":{"n":3},
        "resources":[{"uri":"a:1","name":"one","text":"first"},{"uri":"a:2","text":"second"}],
        "rules":[{"on":{"call":"next"},"sequence":[
            [{"resources":{"remove":["a:1"],"add":[
                {"uri":"a:3","name":"${three}","mimeType":"text/plain","text":"third ${vars.n}"}]}},{"text":""}],
            [{"resource":{"uri":"a:3","text":"changed","notify":false}},{"text":""}],
            [{"resources":{"add":[{"uri":"a:3","blob":"AAEC"},{"uri":"a:1","text":"again"}],"notify":false}},{"text":""}],
            [{"resources":{"remove":["a:2","a:3"]}},{"text":""}],
            [{"reset":true},{"text":""}]]}]})");
    world w;
    auto& server = w.add_server("files");
    script.add_to(server);
    linkspan::session client(w.executor, via<inproc>(server));
    std::size_t changes = 0;
    client.on_notification("notifications/resources/list_changed", [&](std::string_view) { ++changes; });
    w.await(client.async_open(asio::use_awaitable));
    auto const list = [&] {
        std::string out;
        for (auto const& one : w.await(async_list_resources(client, asio::use_awaitable)).entries)
            out += one.uri + "=" + one.name + " ";
        return out;
    };
    auto const read = [&](std::string const& uri) -> std::string {
        auto const [ec, result] = w.await(async_read_resource(client, uri, in_tuple));
        return ec ? std::to_string(ec.value()) : result->at(0).text + result->at(0).blob.value_or("");
    };
    auto const next = [&] { w.await(client.async_call_tool("next", asio::use_awaitable)); };
    BOOST_TEST(list() == "a:1=one a:2=a:2 ");
    BOOST_TEST(read("a:1") == "first");
    auto const unknown = read("a:3");
    next();
    BOOST_TEST(changes == 1u);
    BOOST_TEST(list() == "a:2=a:2 a:3=${three} ");
    BOOST_TEST(read("a:1") == unknown);
    BOOST_TEST(read("a:2") == "second");
    BOOST_TEST(read("a:3") == "third 3");
    next();
    BOOST_TEST(read("a:3") == "changed");
    next();
    BOOST_TEST(changes == 1u);
    BOOST_TEST(list() == "a:2=a:2 a:3=a:3 a:1=a:1 ");
    BOOST_TEST(read("a:3") == "AAEC");
    BOOST_TEST(read("a:1") == "again");
    next();
    BOOST_TEST(changes == 2u);
    BOOST_TEST(list() == "a:1=a:1 ");
    BOOST_TEST(read("a:2") == unknown);
    next();
    BOOST_TEST(list() == "a:1=one a:2=a:2 ");
    BOOST_TEST(read("a:1") == "first");
    BOOST_CHECK_EXCEPTION(to_script(server), script_error, [](script_error const& failure) {
        return contains(failure.what(), "action 1 of phase 1 is a function of this program");
    });
}

BOOST_AUTO_TEST_CASE(resources_may_be_added_to_a_script_without_resources)
{
    world w;
    auto& server = w.add_server("files");
    mock_script::parse(R"({"mock":1,"rules":[{"on":{"call":"add"},"do":[
        {"resources":{"add":[{"uri":"a:1","text":"first"}]}},{"text":"added"}]}]})")
        .add_to(server);
    BOOST_TEST(contains(server.dialogue().capabilities, "resources"));
    linkspan::session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    BOOST_TEST(w.await(async_list_resources(client, asio::use_awaitable)).entries.empty());
    w.await(client.async_call_tool("add", asio::use_awaitable));
    BOOST_TEST(w.await(async_list_resources(client, asio::use_awaitable)).entries.size() == 1u);
}

BOOST_AUTO_TEST_CASE(tape_responds_to_requests_that_no_rule_handles)
{
    observe::folder const files;
    files.add("weather.tape.jsonl", tape_text, readable);
    auto const path =
        files.add("x.json", R"({"mock":1,"tools":[{"name":"forecast"},{"name":"alert","reply":{"text":"of a reply"}}],
        "tape":{"file":"weather.tape.jsonl","ignore":["/arguments/at"],"pace":"recorded"},
        "rules":[{"on":{"call":"forecast"},"where":{"/arguments/city":"Rome"},"do":[{"text":"of a rule"}]}]})",
                  readable);
    scripted_server server;
    mock_script::load(path).add_to(server);
    world w;
    linkspan::session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    BOOST_TEST(w.await(client.async_list_tools(asio::use_awaitable)).tools.size() == 2u);
    auto const forecast = [&](boost::json::object const& arguments) {
        return w.await(client.async_call_tool("forecast", arguments, asio::use_awaitable)).text();
    };
    BOOST_TEST(forecast({{"city", "Rome"}, {"at", 1}}) == "of a rule");
    BOOST_TEST(w.await(client.async_call_tool("alert", asio::use_awaitable)).text() == "of a reply");
    auto const began = w.now();
    BOOST_TEST(forecast({{"city", "Oslo"}, {"at", 2}}) == "recorded ${x}");
    BOOST_TEST((w.now() - began == 2s));
    std::string failure;
    try {
        forecast({{"city", "Oslo"}, {"at", 3}});
    } catch (std::exception const& thrown) {
        failure = thrown.what();
    }
    BOOST_TEST(
        contains(failure, "the tape has no further request like this tools/call; all equal requests, up to request "),
        failure);
    BOOST_TEST(contains(failure, " of the tape, were already replayed"), failure);
}

BOOST_AUTO_TEST_CASE(tape_of_a_script_has_an_order)
{
    observe::folder const files;
    std::string const last = R"({"t":4,"dir":"in","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":)"
                             R"({"name":"alert","arguments":{}}}}
{"t":5,"dir":"out","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"alerted"}]}}}
)";
    files.add("weather.tape.jsonl", tape_text + last, readable);
    for (std::string const order : {"any", "per-method", "all"}) {
        auto const path = files.add(
            order + ".json", R"({"mock":1,"tape":{"file":"weather.tape.jsonl","order":")" + order + "\"}}", readable);
        scripted_server server;
        mock_script::load(path).add_to(server);
        world w;
        linkspan::session client(w.executor, via<inproc>(server));
        w.await(client.async_open(asio::use_awaitable));
        bool has_result = false;
        client.async_call_tool("alert", [&](error_code ec, linkspan::call_result const&) { has_result = !ec; });
        w.run_until_idle();
        BOOST_TEST(has_result == (order == "any"), order);
    }
}

BOOST_AUTO_TEST_CASE(tape_that_is_not_valid_is_a_problem_of_the_script)
{
    observe::folder const files;
    files.add("old.jsonl", "{\"tape\":9}\n", readable);
    for (auto const& [file, reason] : {std::pair{"old.jsonl", "old.jsonl:"}, {"absent.jsonl", "absent.jsonl"}}) {
        auto const path = files.add(std::string(file) + ".json",
                                    R"({"mock":1,"tape":{"file":")" + std::string(file) + "\"}}", readable);
        std::string text;
        try {
            mock_script::load(path);
        } catch (script_error const& failure) {
            text = failure.what();
        }
        BOOST_TEST(contains(text, "/tape/file: expected a tape, found \"" + std::string(file) + "\"; "), text);
        BOOST_TEST(contains(text, reason), text);
    }
    files.add("good.jsonl", tape_text, readable);
    auto const path = files.add("x.json", R"({"mock":1,"tape":{"file":"good.jsonl","match":"all","pace":"fast",
        "ignore":["/_meta","arguments",""]}})",
                                readable);
    std::string text;
    try {
        mock_script::load(path);
    } catch (script_error const& failure) {
        text = failure.what();
    }
    for (auto const* const part :
         {R"(/tape/match: expected one of "params", "method", "order", found "all")",
          R"(/tape/pace: expected one of "instant", "recorded", found "fast")",
          R"(/tape/ignore/1: expected a JSON Pointer into the parameters, such as '/arguments/requestId', found "arg)",
          "/tape/ignore/2: expected a JSON Pointer"})
        BOOST_TEST(contains(text, part), text);
}

LINKSPAN_CASE_IN(value_world, member_http_determines_sessions_streams_and_tokens)
{
    struct row {
        std::string http;
        bool has_session, is_stream;
    };
    for (auto const& [http, has_session, is_stream] :
         {row{"{}", true, false}, row{R"({"session":"stateless"})", false, false},
          row{R"({"respond":"sse"})", true, true}, row{R"({"respond":"sse","resumable":true})", true, true}}) {
        auto const script = with(R"("rules":[{"on":{"call":"t"},"do":[{"text":"a"}]}],"http":)" + http);
        serving = http_options(script);
        co_await open_over_http(script);
        BOOST_TEST(co_await reply("t") == "a");
        BOOST_TEST(!http_world::last("POST", "tools/call").header("Mcp-Session-Id").empty() == has_session, http);
        BOOST_TEST((serving.response_form == http_server_options::form::stream) == is_stream);
        BOOST_TEST(serving.resumable == contains(http, "resumable"));
    }
    auto const script =
        with(R"("http":{"auth":{"bearer":["good","better"]}},"rules":[{"on":{"call":"t"},"do":[{"text":"a"}]}])");
    serving = http_options(script);
    config.headers["Authorization"] = "bearer better";
    co_await open_over_http(script);
    BOOST_TEST(co_await reply("t") == "a");
    for (auto const* const value : {"Bearer best", "Basic good", ""}) {
        config.headers["Authorization"] = value;
        client.reset();
        BOOST_TEST((co_await open_and_fail() == error_code(401, linkspan::http_category())), value);
    }
}

BOOST_AUTO_TEST_SUITE_END()
