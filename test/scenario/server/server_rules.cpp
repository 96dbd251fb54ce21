// Rules of the specification for servers (doc/protocol.md), checked on the messages of a server.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"
#include "support/line_client.hpp"
#include "support/name_form.hpp"

BOOST_AUTO_TEST_SUITE(server_rules_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

constexpr auto with_elicitation = R"({"elicitation":{}})";

// A server, clients that send texts, and an endpoint for HTTP requests as texts.
struct rules_world : endpoint_world {
    std::vector<std::shared_ptr<line_client>> clients;

    // Connects another client to the server, in memory.
    asio::awaitable<line_client*> connect_client()
    {
        auto const added = clients.emplace_back(line_client::open(executor, inproc_to(*served)));
        co_await settle(executor);
        co_return added.get();
    }

    void clean_up()
    {
        for (auto const& each : clients)
            each->close();
        clients.clear();
        endpoint_world::clean_up();
    }
};

// Returns a request of 2026-07-28. `id` is JSON text, and `meta` has further members of `_meta`, each with a comma
// before it.
std::string stateless_request(std::string_view id, std::string_view method, std::string members = {},
                              std::string_view capabilities = "{}", std::string_view meta = {})
{
    if (!members.empty())
        members += ',';
    std::string out = R"({"jsonrpc":"2.0","id":)";
    out.append(id).append(R"(,"method":")").append(method).append(R"(","params":{)").append(members);
    out.append(R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)");
    out.append(R"("io.modelcontextprotocol/clientCapabilities":)").append(capabilities).append(meta);
    out += "}}}";
    return out;
}

std::string opening_params(std::string const& version)
{
    return R"({"protocolVersion":")" + version + R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}})";
}

// Starts a server of 2025-11-25, and a session whose call has no response. The request is stored in `held`.
asio::awaitable<line_client*> hold_call(rules_world& world, std::optional<server_request>& held)
{
    world.make(protocol_version::v2025_11_25).add(any_tool("hold"), [&held](server_request request) {
        held.emplace(std::move(request));
    });
    auto* const raw = co_await world.connect_client();
    co_await raw->ask_in_session("initialize", opening_params("2025-11-25"));
    auto const outstanding = co_await raw->ask_in_session("tools/call", R"({"name":"hold"})");
    BOOST_TEST(outstanding == "");
    co_return raw;
}

std::string opening(std::string const& version)
{
    return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)" + opening_params(version) + "}";
}

// Writes each slash as an escape, as some programs do.
std::string with_escapes(std::string text)
{
    for (auto at = text.find('/'); at != text.npos; at = text.find('/', at + 2))
        text.insert(at, 1, '\\');
    return text;
}

std::string_view result_of(std::string const& response) { return json_scan::member(response, "result"); }

std::int64_t code_of(std::string const& response)
{
    return json_scan::integer(json_scan::member(json_scan::member(response, "error"), "code")).value_or(0);
}

// Handlers that request input by a form and by a page.
auto const elicits_name = [](server_request request) -> asio::awaitable<void> {
    auto wanted = name_form();
    auto const result = co_await request.async_ask<elicitation>(wanted, in_tuple);
    if (std::get<0>(result))
        request.fail(std::get<0>(result));
    else
        request.complete(tool_output::text("done"));
};
auto const elicits_page = [](server_request request) -> asio::awaitable<void> {
    elicit_request wanted;
    wanted.mode = elicit_mode::url;
    wanted.message = "Enter the password there";
    wanted.url = "https://example.com/";
    auto const result = co_await request.async_ask<elicitation>(wanted, in_tuple);
    if (std::get<0>(result))
        request.fail(std::get<0>(result));
    else
        request.complete(tool_output::text("done"));
};

void complete_at_once(server_request& request) { request.complete(tool_output::text("done")); }

} // namespace

// Stateless requests

LINKSPAN_CASE_IN(rules_world, request_with_escaped_names_has_the_same_response)
{
    make().add(any_tool("done"), [](server_request request) { complete_at_once(request); });
    auto& raw = *co_await connect_client();
    std::string const list = co_await raw.ask("tools/list", "");
    std::string const called = co_await raw.ask("tools/call", R"("name":"done")");
    BOOST_TEST(contains(list, R"("name":"done")"), list);
    BOOST_TEST(contains(called, R"("text":"done")"), called);
    raw.send_unrecorded(with_escapes(stateless_request("11", "tools/list")));
    raw.send_unrecorded(with_escapes(stateless_request("12", "tools/call", R"("name":"done")")));
    co_await settle(executor);
    BOOST_TEST(result_of(raw.response("11")) == result_of(list));
    BOOST_TEST(result_of(raw.response("12")) == result_of(called));
}

LINKSPAN_CASE_IN(rules_world, capabilities_of_an_earlier_request_are_not_used)
{
    make(protocol_version::v2026_07_28).add(any_tool("elicit"), elicits_name);
    auto& raw = *co_await connect_client();
    auto const declared = co_await raw.ask("tools/call", R"("name":"elicit")", with_elicitation);
    BOOST_TEST(contains(declared, R"("resultType":"input_required")"), declared);
    auto const undeclared = co_await raw.ask("tools/call", R"("name":"elicit")");
    BOOST_TEST(code_of(undeclared) == -32021);
    BOOST_TEST(contains(undeclared, R"("data":{"requiredCapabilities":{"elicitation":{"form":{}}}})"), undeclared);
}

LINKSPAN_CASE_IN(rules_world, lists_are_equal_for_all_clients_and_after_calls)
{
    auto& own = make(protocol_version::v2026_07_28);
    for (auto const* name : {"b", "a", "c"})
        own.add(any_tool(name), [](server_request request) { complete_at_once(request); });
    auto& first = *co_await connect_client();
    auto& second = *co_await connect_client();
    auto const before = co_await first.ask("tools/list", "");
    co_await first.ask("tools/call", R"("name":"a")", with_elicitation);
    auto const after = co_await first.ask("tools/list", "", with_elicitation);
    auto const other = co_await second.ask("tools/list", "");
    auto const b = before.find(R"("name":"b")"), a = before.find(R"("name":"a")"), c = before.find(R"("name":"c")");
    BOOST_TEST((b < a && a < c && c != before.npos), before);
    BOOST_TEST(result_of(after) == result_of(before));
    BOOST_TEST(other == before); // both requests have the same id
}

LINKSPAN_CASE_IN(rules_world, cacheable_results_have_the_same_hints_on_each_page)
{
    options.list_ttl = 5s;
    options.is_public = true;
    options.page_size = 1;
    auto& own = make(protocol_version::v2026_07_28);
    for (std::string const name : {"a", "b"}) {
        own.add(any_tool(name), [](server_request) {});
        own.add(resource{.uri = "test:" + name}, [] { return std::string("text"); });
        own.add(resource_template{.uri_template = "test:" + name + "/{x}"},
                [](uri_template::values const&) { return std::string("text"); });
        own.add(prompt{.name = name}, [] { return std::string("text"); });
    }
    constexpr std::string_view hints = R"("ttlMs":5000,"cacheScope":"public")";
    auto& raw = *co_await connect_client();
    for (std::string const method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
        auto const first = co_await raw.ask(method, "");
        BOOST_TEST(contains(first, hints), first);
        std::string const cursor(json_scan::member(result_of(first), "nextCursor"));
        BOOST_TEST_REQUIRE(!cursor.empty(), method);
        auto const second = co_await raw.ask(method, "\"cursor\":" + cursor);
        BOOST_TEST(contains(second, hints), second);
        BOOST_TEST(json_scan::member(result_of(second), "nextCursor").empty(), method);
    }
    auto const contents = co_await raw.ask("resources/read", R"("uri":"test:a")");
    BOOST_TEST(contains(contents, hints), contents);
    auto const discovered = co_await raw.ask("server/discover", "");
    BOOST_TEST(contains(discovered, R"("ttlMs":0,"cacheScope":"private")"), discovered);
}

LINKSPAN_CASE_IN(rules_world, stateless_errors_have_codes_of_their_protocol_version)
{
    auto& own = make();
    own.add(any_tool("elicit"), elicits_name);
    own.add(any_tool("page"), elicits_page);
    own.add(resource{.uri = "test:a"}, [] { return std::string("text"); });
    own.add(prompt{.name = "a"}, [] { return std::string("text"); });
    std::pair<std::string, std::string> const requests[] = {
        {"resources/read", R"("uri":"test:none")"},
        {"prompts/get", R"("name":"none")"},
        {"tools/call", R"("name":"none")"},
        {"tools/call", R"("name":"elicit")"},
        {"tools/call", R"("name":"page")"},
        {"tools/call", R"("name":"elicit","requestState":"x")"},
        {"tools/list", R"("cursor":"x")"},
        {"subscriptions/listen", ""},
        {"completion/complete", ""},
        {"initialize", ""},
        {"no/such", ""},
    };
    auto& raw = *co_await connect_client();
    for (auto const& [method, members] : requests) {
        auto const response = co_await raw.ask(method, members);
        auto const code = code_of(response);
        BOOST_TEST((code != 0 && code != -32002 && code != -32042), response);
        bool const is_reserved = code <= -32020 && code >= -32099;
        BOOST_TEST((!is_reserved || code >= -32022), response);
    }
}

LINKSPAN_CASE_IN(rules_world, requests_beyond_the_maximum_of_a_client_are_refused)
{
    options.max_requests = 1;
    std::optional<server_request> held;
    make(protocol_version::v2026_07_28).add(any_tool("hold"), [&held](server_request request) {
        held.emplace(std::move(request));
    });
    auto& raw = *co_await connect_client();
    auto const outstanding = co_await raw.ask("tools/call", R"("name":"hold")");
    BOOST_TEST(outstanding == "");
    auto const refused = co_await raw.ask("tools/list", "");
    BOOST_TEST(code_of(refused) == -32603);
    BOOST_TEST(served->counters().refused == 1u);
    held->complete(tool_output::text("done"));
    auto const listed = co_await raw.ask("tools/list", "");
    BOOST_TEST(contains(listed, R"("name":"hold")"), listed);
}

// Input requests

LINKSPAN_CASE_IN(rules_world, stateless_client_receives_input_requests_in_results_only)
{
    make(protocol_version::v2026_07_28).add(any_tool("elicit"), elicits_name);
    auto& raw = *co_await connect_client();
    auto const response =
        co_await raw.ask("tools/call", R"("name":"elicit")", R"({"elicitation":{},"sampling":{},"roots":{}})");
    BOOST_TEST(contains(response, R"("inputRequests":{"input-1":{"method":"elicitation/create")"), response);
    BOOST_TEST(raw.messages.size() == 1u);
    for (auto const& message : raw.messages)
        BOOST_TEST((json_scan::member(message, "id").empty() || json_scan::member(message, "method").empty()), message);
}

LINKSPAN_CASE_IN(rules_world, page_is_requested_only_if_the_client_declares_the_mode)
{
    make(protocol_version::v2026_07_28).add(any_tool("page"), elicits_page);
    auto& raw = *co_await connect_client();
    auto const declared = co_await raw.ask("tools/call", R"("name":"page")", R"({"elicitation":{"url":{}}})");
    BOOST_TEST(contains(declared, R"("mode":"url")"), declared);
    for (std::string const capabilities : {"{}", R"({"elicitation":{}})", R"({"elicitation":{"form":{}}})"}) {
        auto const undeclared = co_await raw.ask("tools/call", R"("name":"page")", capabilities);
        BOOST_TEST(code_of(undeclared) == -32021, undeclared);
        BOOST_TEST(contains(undeclared, R"({"elicitation":{"url":{}}})"), undeclared);
    }
}

LINKSPAN_CASE_IN(rules_world, missing_input_is_required_again_and_unknown_input_is_ignored)
{
    make(protocol_version::v2026_07_28).add(any_tool("elicit"), elicits_name);
    auto& raw = *co_await connect_client();
    auto const repeat = [&raw](std::string const& previous, std::string const& responses) {
        std::string const state(json_scan::member(result_of(previous), "requestState"));
        return raw.ask("tools/call", R"("name":"elicit","inputResponses":)" + responses + R"(,"requestState":)" + state,
                       with_elicitation);
    };
    auto const first = co_await raw.ask("tools/call", R"("name":"elicit")", with_elicitation);
    auto const second = co_await repeat(first, R"({"other":{"action":"accept"}})");
    BOOST_TEST(contains(second, R"("resultType":"input_required")"), second);
    BOOST_TEST(contains(second, R"("inputRequests":{"input-1":)"), second);
    auto const last = co_await repeat(second, R"({"other":{"action":"accept"},"input-1":{"action":"accept"}})");
    BOOST_TEST(contains(last, "done"), last);
    BOOST_TEST(served->counters().suspended == 0u);
    BOOST_TEST(served->counters().bad_states == 0u);
}

LINKSPAN_CASE_IN(rules_world, state_is_accepted_once)
{
    make(protocol_version::v2026_07_28).add(any_tool("greet"), [](server_request request) {
        if (!request.input<elicitation>("name"))
            return request.require_input({request.to_input<elicitation>("name", name_form())}, "kept");
        request.complete(tool_output::text(std::string(request.state())));
    });
    auto& raw = *co_await connect_client();
    auto const first = co_await raw.ask("tools/call", R"("name":"greet")", with_elicitation);
    auto const repeated = R"("name":"greet","inputResponses":{"name":{"action":"decline"}},"requestState":)" +
                          std::string(json_scan::member(result_of(first), "requestState"));
    auto const accepted = co_await raw.ask("tools/call", repeated, with_elicitation);
    BOOST_TEST(contains(accepted, "kept"), accepted);
    auto const rejected = co_await raw.ask("tools/call", repeated, with_elicitation);
    BOOST_TEST(code_of(rejected) == -32602);
    BOOST_TEST(served->counters().bad_states == 1u);
}

// Notifications

LINKSPAN_CASE_IN(rules_world, acknowledgement_precedes_the_notifications_of_its_subscription)
{
    auto& own = make(protocol_version::v2026_07_28);
    own.add(any_tool("change"), [&own](server_request request) {
        own.add(any_tool("added"), [](server_request) {});
        complete_at_once(request);
    });
    auto& raw = *co_await connect_client();
    raw.send(stateless_request(R"("s")", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
    raw.send(stateless_request("1", "tools/call", R"("name":"change")"));
    co_await settle(executor);
    BOOST_TEST_REQUIRE(raw.messages.size() == 3u);
    BOOST_TEST(contains(raw.messages[0], "notifications/subscriptions/acknowledged"), raw.messages[0]);
    BOOST_TEST(contains(raw.messages[2], "notifications/tools/list_changed"), raw.messages[2]);
    for (auto const* notification : {&raw.messages[0], &raw.messages[2]})
        BOOST_TEST(contains(*notification, R"("io.modelcontextprotocol/subscriptionId":"s")"), *notification);
    own.add(prompt{.name = "other"}, [] { return std::string(); });
    co_await settle(executor);
    BOOST_TEST(raw.messages.size() == 3u);
}

LINKSPAN_CASE_IN(rules_world, client_is_notified_only_of_lists_whose_changes_its_handshake_has_declared)
{
    auto& own = make(protocol_version::v2025_11_25);
    own.add(any_tool("first"), [](server_request) {});
    std::vector<line_client*> opened; // before and after the server has a prompt
    for (std::string const name : {"one", "two"}) {
        auto& raw = *opened.emplace_back(co_await connect_client());
        co_await raw.ask_in_session("initialize", opening_params("2025-11-25"));
        raw.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        co_await settle(executor);
        own.add(prompt{.name = name}, [] { return std::string(); });
        own.add(any_tool(name), [](server_request) {});
        own.add(resource{.uri = "file:///" + name, .name = name}, [] { return std::string(); });
        co_await settle(executor);
    }
    auto const count = [&](std::size_t of, std::string const& list) {
        return std::ranges::count_if(opened[of]->messages, [&](std::string const& each) {
            return contains(each, R"("method":"notifications/)" + list + R"(/list_changed")");
        });
    };
    BOOST_TEST(count(0, "tools") == 2);
    BOOST_TEST(count(0, "prompts") == 0);
    BOOST_TEST(count(0, "resources") == 0);
    for (std::string const list : {"tools", "prompts", "resources"})
        BOOST_TEST(count(1, list) == 1, list);
}

LINKSPAN_CASE_IN(rules_world, notification_handler_receives_the_client_and_the_params)
{
    auto& own = make(protocol_version::v2025_11_25);
    std::vector<std::string> received;
    own.set_notification_handler("notifications/roots/list_changed",
                                 [&received](client_info const& from, std::string_view params) {
                                     received.push_back(from.identity.name + " " + std::string(params));
                                 });
    auto& raw = *co_await connect_client();
    co_await raw.ask_in_session("initialize", opening_params("2025-11-25"));
    raw.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"a":1}})");
    raw.send_unrecorded(R"({"jsonrpc":"2.0","method":"notifications/other"})");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(received.size() == 1u);
    BOOST_TEST(received[0] == R"(c {"a":1})");
}

// Connections

LINKSPAN_CASE_IN(rules_world, line_breaks_of_raw_json_are_not_sent)
{
    auto pretty = any_tool("pretty");
    pretty.input_schema = "{\n\"type\":\"object\"\n}";
    make(protocol_version::v2026_07_28).add(pretty, [](server_request request) {
        request.complete(raw_json("{\n\"content\":[]\n}"));
    });
    auto& raw = *co_await connect_client();
    auto const listed = co_await raw.ask("tools/list", "");
    BOOST_TEST(contains(listed, R"("inputSchema":{ "type":"object" })"), listed);
    auto const result = co_await raw.ask("tools/call", R"("name":"pretty")");
    BOOST_TEST(contains(result, R"("content":[])"), result);
    BOOST_TEST(json_scan::is_value(result), result);
    BOOST_TEST(raw.messages.size() == 2u);
}

LINKSPAN_CASE_IN(rules_world, end_of_input_ends_the_connection_without_an_error)
{
    std::optional<server_request> held;
    make(protocol_version::v2026_07_28).add(any_tool("hold"), [&held](server_request request) {
        held.emplace(std::move(request));
    });
    auto const [mine, theirs] = make_memory_pipe();
    std::optional<error_code> ended;
    served->async_serve(any_transport::make<inproc_server>(executor, {theirs}), {},
                        [&ended](error_code ec) { ended = ec; });
    auto const line = stateless_request("1", "tools/call", R"("name":"hold")") + "\n";
    error_code ec;
    BOOST_TEST(mine.out->write_some(asio::buffer(line), ec) == line.size());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(held.has_value());
    BOOST_TEST(!ended.has_value());
    mine.close();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(ended.has_value());
    BOOST_TEST(!*ended, ended->message());
    BOOST_TEST(held->is_over());
    held.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().clients == 0u);
}

LINKSPAN_CASE_IN(rules_world, ping_is_confirmed_while_a_call_is_outstanding)
{
    std::optional<server_request> held;
    auto& raw = *co_await hold_call(*this, held);
    auto const ping = co_await raw.ask_in_session("ping", "{}");
    BOOST_TEST(result_of(ping) == "{}");
}

LINKSPAN_CASE_IN(rules_world, batch_is_received_in_2025_03_26_only)
{
    make().add(any_tool("a"), [](server_request) {});
    constexpr auto batch = R"([{"jsonrpc":"2.0","method":"notifications/initialized"},)"
                           R"({"jsonrpc":"2.0","id":"x","method":"ping"},)"
                           R"({"jsonrpc":"2.0","id":"y","method":"tools/list"}])";
    for (std::string const version : {"2025-03-26", "2025-06-18"}) {
        bool const is_received = version == "2025-03-26";
        auto& raw = *co_await connect_client();
        co_await raw.ask_in_session("initialize", opening_params(version));
        raw.send(batch);
        co_await settle(executor);
        BOOST_TEST(contains(raw.response(R"("x")"), R"("result":{})") == is_received, version);
        BOOST_TEST(contains(raw.response(R"("y")"), R"("name":"a")") == is_received, version);
        BOOST_TEST(contains(raw.messages.back(), R"("code":-32600)") == !is_received, version);
    }
}

LINKSPAN_CASE_IN(rules_world, a_removed_tool_completes_its_requests)
{
    std::optional<server_request> held;
    auto& raw = *co_await hold_call(*this, held);
    auto const id = raw.last_id();
    BOOST_TEST(served->remove_tool("hold"));
    auto const late = co_await raw.ask_in_session("tools/call", R"({"name":"hold"})");
    BOOST_TEST(contains(late, R"("error":{"code":-32602)"), late);
    held->complete(tool_output::text("done"));
    held.reset();
    co_await settle(executor);
    BOOST_TEST(contains(raw.response(id), R"("text":"done")"));
}

LINKSPAN_CASE_IN(rules_world, capabilities_follow_from_the_entries_and_handlers_in_each_protocol_version)
{
    struct row {
        std::string_view name;
        void (*add)(server&);
        std::string before_logging;
        std::array<std::string, protocol_versions.size()> others; // by version; empty: as `before_logging`
        std::array<std::string, protocol_versions.size()> after_logging;
    };
    auto const tools = R"("tools":{"listChanged":true},)",
               resources = R"("resources":{"subscribe":true,"listChanged":true},)";
    std::string const completions = R"("completions":{},)";
    std::array<row, 7> const rows{{
        {"empty", [](server&) {}, {}, {}, {}},
        {"tools",
         [](server& to) { to.add(any_tool("any"), [](server_request request) { complete_at_once(request); }); },
         tools,
         {},
         {}},
        {"resources",
         [](server& to) { to.add(resource{.uri = "note://a", .name = "a"}, [] { return std::string("text"); }); },
         resources,
         {},
         {}},
        {"template",
         [](server& to) {
             to.add(resource_template{.uri_template = "note://{id}", .name = "notes"},
                    [](uri_template::values const&) { return std::string("text"); });
         },
         resources,
         {},
         {}},
        {"prompt",
         [](server& to) { to.add(prompt{.name = "any"}, [] { return std::string("text"); }); },
         R"("prompts":{"listChanged":true},)",
         {},
         {}},
        {"completion",
         [](server& to) { to.set_completion_handler([](completion_request const&) { return completion_result(); }); },
         {},
         {"", completions, completions, completions, completions},
         {}},
        {"tasks",
         [](server& to) {
             auto with_task = any_tool("any");
             with_task.tasks = task_support::optional;
             to.add(with_task, [](server_request request) { complete_at_once(request); });
         },
         tools,
         {},
         {"", "", "", R"(,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})",
          R"(,"extensions":{"io.modelcontextprotocol/tasks":{}})"}},
    }};
    for (auto const& each : rows)
        for (std::size_t i = 0; i != protocol_versions.size(); ++i) {
            auto const version = protocol_versions[i].id;
            each.add(make(version));
            auto& raw = *co_await connect_client();
            std::string response;
            if (version == protocol_version::v2026_07_28)
                response = co_await raw.ask("server/discover", "");
            else
                response = co_await raw.ask_in_session("initialize", opening_params(std::string(to_string(version))));
            auto const& before = each.others[i].empty() ? each.before_logging : each.others[i];
            auto const expected = "{" + before + R"("logging":{})" + each.after_logging[i] + "}";
            BOOST_TEST_CONTEXT(each.name << " in " << to_string(version))
                BOOST_TEST(json_scan::member(result_of(response), "capabilities") == expected);
        }
}

LINKSPAN_CASE_IN(rules_world, declared_extensions_are_capabilities_since_2026_07_28)
{
    make().declare_extension("com.example/search", R"({"depth":2})");
    auto& raw = *co_await connect_client();
    auto const stateless = co_await raw.ask("server/discover", "");
    BOOST_TEST(contains(stateless, R"("extensions":{"com.example/search":{"depth":2}})"), stateless);
    auto const older = co_await raw.ask_in_session("initialize", opening_params("2025-11-25"));
    BOOST_TEST(!contains(older, "extensions"), older);
}

LINKSPAN_CASE_IN(rules_world, extension_with_invalid_settings_or_of_the_server_itself_is_rejected)
{
    auto& own = make();
    for (std::string const settings : {"", "[]", "{", R"({"depth":})", "{}{}"})
        BOOST_CHECK_THROW(own.declare_extension("com.example/search", settings), std::invalid_argument);
    BOOST_CHECK_THROW(own.declare_extension("io.modelcontextprotocol/tasks"), std::invalid_argument);
    auto& raw = *co_await connect_client();
    auto const discovered = co_await raw.ask("server/discover", "");
    BOOST_TEST(!contains(discovered, "extensions"), discovered);
}

// HTTP

BOOST_AUTO_TEST_CASE(endpoint_is_on_loopback_by_default)
{
    http_endpoint_options const defaults;
    BOOST_TEST(defaults.address == "127.0.0.1");
    BOOST_TEST((defaults.hosts == std::vector<std::string>{"127.0.0.1", "localhost", "[::1]"}));
    BOOST_TEST(defaults.origins.empty());
}

LINKSPAN_CASE_IN(rules_world, error_of_stateless_request_determines_http_status)
{
    make(protocol_version::v2026_07_28).add(any_tool("elicit"), elicits_name);
    endpoint.emplace(*served, serving);
    auto const unknown_method = co_await exchange(stateless_head("no/such"), stateless_request("1", "no/such"), "}}");
    BOOST_TEST(contains(unknown_method, "HTTP/1.1 404"), unknown_method);
    BOOST_TEST(contains(unknown_method, R"("code":-32601)"), unknown_method);
    auto const undeclared = co_await exchange(stateless_head("tools/call", "\r\nMcp-Name: elicit"),
                                              stateless_request("1", "tools/call", R"("name":"elicit")"), "}}");
    BOOST_TEST(contains(undeclared, "HTTP/1.1 400"), undeclared);
    BOOST_TEST(contains(undeclared, R"("code":-32021)"), undeclared);
    auto const unknown_tool = co_await exchange(stateless_head("tools/call", "\r\nMcp-Name: none"),
                                                stateless_request("1", "tools/call", R"("name":"none")"), "}}");
    BOOST_TEST(contains(unknown_tool, "HTTP/1.1 200"), unknown_tool);
    BOOST_TEST(contains(unknown_tool, R"("code":-32602)"), unknown_tool);
}

LINKSPAN_CASE_IN(rules_world, header_of_argument_must_have_its_value)
{
    auto route = any_tool("route");
    route.input_schema =
        R"({"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},"n":{"type":"integer"}}})";
    make(protocol_version::v2026_07_28).add(route, [](server_request request) { complete_at_once(request); });
    endpoint.emplace(*served, serving);
    std::pair<std::string, bool> const headers[] = {
        {"", false},
        {"\r\nMcp-Param-City: Bern", false},
        {"\r\nMcp-Param-City: oslo", false},
        {"\r\nMCP-PARAM-CITY: Oslo", true},
    };
    auto const call = stateless_request("1", "tools/call", R"("name":"route","arguments":{"city":"Oslo"})");
    for (auto const& [line, is_accepted] : headers) {
        auto const response = co_await exchange(stateless_head("tools/call", "\r\nMcp-Name: route" + line), call, "}}");
        BOOST_TEST(contains(response, is_accepted ? "HTTP/1.1 200" : "HTTP/1.1 400"), response);
        BOOST_TEST(contains(response, R"("code":-32020)") == !is_accepted, response);
    }
    BOOST_TEST(served->counters().requests == 1u);
}

LINKSPAN_CASE_IN(rules_world, accepted_notification_has_status_202_without_a_body)
{
    make().add(any_tool("a"), [](server_request) {});
    endpoint.emplace(*served, serving);
    constexpr auto empty = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n";
    auto const stateless =
        co_await exchange(stateless_head("own/x"), R"({"jsonrpc":"2.0","method":"own/x","params":{}})");
    BOOST_TEST(contains(stateless, empty), stateless);
    auto const opened = co_await exchange(post(), opening("2025-11-25"), "serverInfo");
    auto const initialized = co_await exchange(post("\r\nMcp-Session-Id: " + header(opened, "Mcp-Session-Id")),
                                               R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST(contains(initialized, empty), initialized);
}

LINKSPAN_CASE_IN(rules_world, stateless_endpoint_ignores_headers_of_sessions_and_refuses_get_and_delete)
{
    make(protocol_version::v2026_07_28).add(any_tool("a"), [](server_request) {});
    endpoint.emplace(*served, serving);
    auto const listed = co_await exchange(stateless_head("tools/list", "\r\nMcp-Session-Id: s\r\nLast-Event-ID: 1-1"),
                                          stateless_request("1", "tools/list"), "resultType");
    BOOST_TEST(contains(listed, "HTTP/1.1 200"), listed);
    BOOST_TEST(!contains(listed, "Mcp-Session-Id"), listed);
    for (std::string const method : {"GET", "DELETE"}) {
        auto const refused =
            co_await exchange(method + " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream", "");
        BOOST_TEST(contains(refused, "HTTP/1.1 405"), refused);
        BOOST_TEST(contains(refused, "Allow: POST\r\n"), refused);
    }
}

LINKSPAN_CASE_IN(rules_world, log_messages_are_sent_on_the_stream_of_the_request_with_a_level)
{
    make(protocol_version::v2026_07_28).add(any_tool("work"), [](server_request request) {
        request.log(log_level::info, raw_json(R"("unimportant")"));
        request.log(log_level::error, raw_json(R"("important")"));
        complete_at_once(request);
    });
    endpoint.emplace(*served, serving);
    for (bool const has_level : {true, false}) {
        auto const call = stateless_request("1", "tools/call", R"("name":"work")", "{}",
                                            has_level ? R"(,"io.modelcontextprotocol/logLevel":"warning")" : "");
        auto const response = co_await exchange(stateless_head("tools/call", "\r\nMcp-Name: work"), call, "resultType");
        BOOST_TEST(contains(response, "X-Accel-Buffering: no") == has_level, response);
        BOOST_TEST(contains(response, R"("data":"important")") == has_level, response);
        BOOST_TEST(!contains(response, "unimportant"), response);
        BOOST_TEST(contains(response, "application/json") == !has_level, response);
    }
}

LINKSPAN_CASE_IN(rules_world, refusal_of_authentication_has_its_status_and_challenge)
{
    http_admission admission;
    serving.authenticate = [&admission](http_server_request const&, std::function<void(http_admission)> done) {
        done(admission);
    };
    make().add(any_tool("a"), [](server_request) {});
    endpoint.emplace(*served, serving);
    for (int const status : {400, 401, 403}) {
        admission.status = status;
        admission.challenge = "Bearer error=\"e" + std::to_string(status) + '"';
        auto const refused = co_await exchange(post(), opening("2025-11-25"));
        BOOST_TEST(contains(refused, "HTTP/1.1 " + std::to_string(status)), refused);
        BOOST_TEST(header(refused, "WWW-Authenticate") == admission.challenge, refused);
    }
    BOOST_TEST(endpoint->sessions() == 0u);
}

LINKSPAN_CASE_IN(rules_world, each_request_is_authenticated_and_its_token_reaches_no_handler)
{
    constexpr std::string_view own = "Bearer secret-for-this-server", foreign = "Bearer secret-for-another-server";
    std::size_t called = 0;
    std::string seen;
    serving.authenticate = [&](http_server_request const& request, std::function<void(http_admission)> done) {
        http_admission admission;
        bool const is_for_this_server = request.header("Authorization") == own; // the audience of a token
        admission.status = is_for_this_server ? 200 : 401;
        admission.principal = is_for_this_server ? "ada" : "";
        admission.challenge = is_for_this_server ? "" : R"(Bearer error="invalid_token")";
        done(admission);
    };
    make().add(any_tool("work"), [&](server_request request) {
        ++called;
        auto const& from = request.client();
        seen += std::string(request.params()) + from.identity.name + from.capabilities + from.principal;
        complete_at_once(request);
    });
    endpoint.emplace(*served, serving);
    auto const with = [](std::string_view token) { return "\r\nAuthorization: " + std::string(token); };
    auto const opened = co_await exchange(post(with(own)), opening("2025-11-25"), "serverInfo");
    auto const in_session =
        "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + header(opened, "Mcp-Session-Id");
    std::string const call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"work"}})";
    auto const stateless_call = stateless_request("3", "tools/call", R"("name":"work")");
    auto const work = [](std::string const& more) { return stateless_head("tools/call", "\r\nMcp-Name: work" + more); };
    auto const of = [&](std::string_view method) {
        return std::string(method) + " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + in_session;
    };
    for (auto const& token : {std::string(), with(foreign)}) {
        std::pair<std::string, std::string> const requests[] = {{post(token), opening("2025-11-25")},
                                                                {post(in_session + token), call},
                                                                {of("GET") + token, ""},
                                                                {of("DELETE") + token, ""},
                                                                {work(token), stateless_call}};
        for (auto const& [head, body] : requests) {
            auto const refused = co_await exchange(head, body);
            BOOST_TEST(contains(refused, "HTTP/1.1 401"), head + '\n' + refused);
            BOOST_TEST(header(refused, "WWW-Authenticate") == R"(Bearer error="invalid_token")", refused);
        }
    }
    BOOST_TEST(called == 0u);
    BOOST_TEST(endpoint->sessions() == 1u);
    auto const first = co_await exchange(post(in_session + with(own)), call, "done");
    BOOST_TEST(contains(first, R"("text":"done")"), first);
    auto const second = co_await exchange(work(with(own)), stateless_call, "done");
    BOOST_TEST(contains(second, R"("text":"done")"), second);
    BOOST_TEST(called == 2u);
    BOOST_TEST(contains(seen, "ada"), seen);
    for (auto const& text : {seen, first, second})
        BOOST_TEST(!contains(text, "secret-for"), text);
}

LINKSPAN_CASE_IN(rules_world, metadata_of_a_protected_server_is_public_and_names_its_authorization_servers)
{
    serving.authenticate = [](http_server_request const&, std::function<void(http_admission)> done) {
        http_admission refusal;
        refusal.status = 401;
        done(refusal);
    };
    constexpr std::string_view metadata =
        R"({"resource":"http://localhost/mcp","authorization_servers":["https://as.example"]})";
    make().add(any_tool("a"), [](server_request) {});
    for (bool const is_published : {false, true}) {
        serving.protected_resource = is_published ? metadata : "";
        endpoint.emplace(*served, serving);
        for (std::string const path : {"", "/mcp"}) {
            auto const response =
                co_await exchange("GET /.well-known/oauth-protected-resource" + path + " HTTP/1.1\r\nHost: localhost",
                                  "", is_published ? "authorization_servers\":[\"https://as.example\"]}" : "\r\n\r\n");
            BOOST_TEST(contains(response, "HTTP/1.1 200") == is_published, response);
            BOOST_TEST(contains(response, metadata) == is_published, response);
        }
        endpoint.reset();
    }
}

LINKSPAN_CASE_IN(rules_world, notification_is_sent_on_one_stream_of_a_session)
{
    serving.response_form = http_service_options::form::stream;
    std::optional<server_request> held;
    make(protocol_version::v2025_11_25).add(any_tool("hold"), [&held](server_request request) {
        held.emplace(std::move(request));
    });
    endpoint.emplace(*served, serving);
    auto const opened = co_await exchange(post(), opening("2025-11-25"), "serverInfo");
    auto const session_lines =
        "\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: " + header(opened, "Mcp-Session-Id");
    co_await exchange(post(session_lines), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    auto const get = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream" + session_lines;
    raw_http::client listening(executor), calling(executor);
    endpoint->serve(listening.other());
    co_await listening.write(get + "\r\n\r\n");
    co_await listening.read_until("\r\n\r\n");
    std::string const call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold"}})";
    endpoint->serve(calling.other());
    co_await calling.write(post(session_lines) + "\r\nContent-Length: " + std::to_string(call.size()) + "\r\n\r\n" +
                           call);
    co_await calling.read_until("\r\n\r\n");
    BOOST_TEST_REQUIRE(held.has_value());
    served->add(any_tool("added"), [](server_request) {});
    auto const notified = co_await listening.read_until("list_changed");
    BOOST_TEST(contains(notified, "notifications/tools/list_changed"), notified);
    held->complete(tool_output::text("done"));
    auto const completed = co_await calling.read_until("done");
    BOOST_TEST(contains(completed, "done"), completed);
    BOOST_TEST(!contains(completed, "list_changed"), completed);
    auto const second = co_await exchange(get, "");
    BOOST_TEST(contains(second, "HTTP/1.1 409"), second);
    listening.close();
    calling.close();
    co_await settle(executor);
}

BOOST_AUTO_TEST_SUITE_END()
