// Resources, templates, prompts, completion and subscriptions of a server.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/resources.hpp>

#include "support/contains.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_resources_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct log_address {
    std::string host;
    std::optional<int> lines;
    std::optional<bool> all;
};
LINKSPAN_STRUCT(log_address, host, lines, all)

struct greeting {
    std::string name;
    std::optional<std::string> tone;
};
LINKSPAN_STRUCT(greeting, name, tone)

// Offers one entry of each kind.
void offer_all(server& own)
{
    own.add(resource{.uri = "note://today", .name = "today", .mime_type = "text/plain"},
            [] { return std::string("sunny"); });
    own.add(resource_template{.uri_template = "note://{day}/{part}", .name = "note"},
            [](uri_template::values const& values) { return values[0].second + " in the " + values[1].second; });
    own.add(prompt{.name = "greet"}, [](greeting const& who) { return "Hello " + who.name; });
    own.add(prompt{.name = "later", .arguments = {{.name = "when", .required = true}}}, [](server_request request) {
        request.complete(prompt_result{"described", {{"assistant", text_content{"soon", {}, {}}}}});
    });
    own.set_completion_handler([](completion_request const& asked) {
        return completion_result{{asked.value + "1", asked.value + "2"}, 2, false};
    });
}

} // namespace

LINKSPAN_CASE_IN(server_world, every_kind_of_entry_is_listed_and_read)
{
    for (auto const version : newest_of_both_eras) {
        offer_all(make(version));
        auto& calls = connect();
        co_await calls.async_open();
        auto const resources = co_await calls.async_request("resources/list");
        BOOST_TEST(contains(resources.raw(), R"("uri":"note://today")"));
        auto const templates = co_await calls.async_request("resources/templates/list");
        BOOST_TEST(contains(templates.raw(), R"("uriTemplate":"note://{day}/{part}")"));
        auto const prompts = co_await calls.async_request("prompts/list");
        BOOST_TEST(contains(prompts.raw(), R"({"name":"name","required":true})"), prompts.raw());
        boost::json::object const today{{"uri", "note://today"}}, part{{"uri", "note://monday/evening"}};
        auto const text = co_await calls.async_request("resources/read", today);
        BOOST_TEST(contains(text.raw(), R"({"uri":"note://today","mimeType":"text/plain","text":"sunny"})"),
                   text.raw());
        auto const matched = co_await calls.async_request("resources/read", part);
        BOOST_TEST(contains(matched.raw(), R"("text":"monday in the evening")"), matched.raw());
        boost::json::object const greet{{"name", "greet"}, {"arguments", {{"name", "Ada"}}}};
        auto const greeted = co_await calls.async_request("prompts/get", greet);
        BOOST_TEST(contains(greeted.raw(), R"({"role":"user","content":{"type":"text","text":"Hello Ada"}})"));
        boost::json::object const later{{"name", "later"}, {"arguments", {{"when", "now"}}}};
        auto const described = co_await calls.async_request("prompts/get", later);
        BOOST_TEST(contains(described.raw(), R"("description":"described")"));
        boost::json::object const partial{{"ref", {{"type", "ref/prompt"}, {"name", "greet"}}},
                                          {"argument", {{"name", "name"}, {"value", "A"}}}};
        auto const completed = co_await calls.async_request("completion/complete", partial);
        BOOST_TEST(contains(completed.raw(), R"("values":["A1","A2"])"), completed.raw());
        bool const is_stateless = version == protocol_version::v2026_07_28;
        BOOST_TEST(contains(resources.raw(), R"("cacheScope":"private")") == is_stateless);
        BOOST_TEST(contains(text.raw(), R"("ttlMs":0)") == is_stateless);
    }
}

LINKSPAN_CASE_IN(server_world, completion_handler_is_called_for_known_entries_and_arguments_only)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        offer_all(own);
        own.add(prompt{.name = "free"}, [](server_request request) { request.complete(prompt_result()); });
        int asked = 0;
        own.set_completion_handler([&asked](completion_request const&) {
            ++asked;
            return completion_result();
        });
        auto& calls = connect();
        co_await calls.async_open();
        auto const code_of = [&](std::string_view type, std::string_view key, std::string_view name,
                                 std::string_view argument) -> asio::awaitable<int> {
            boost::json::object const ref{{"type", type}, {key, name}}, part{{"name", argument}, {"value", "A"}};
            boost::json::object const params{{"ref", ref}, {"argument", part}};
            auto const result = co_await calls.async_request("completion/complete", params, in_tuple);
            co_return std::get<0>(result).value();
        };
        BOOST_TEST(co_await code_of("ref/prompt", "name", "other", "name") == -32602);
        BOOST_TEST(co_await code_of("ref/prompt", "name", "greet", "other") == -32602);
        BOOST_TEST(co_await code_of("ref/resource", "uri", "log://{host}", "host") == -32602);
        BOOST_TEST(asked == 0);
        BOOST_TEST(co_await code_of("ref/prompt", "name", "greet", "tone") == 0);
        BOOST_TEST(co_await code_of("ref/prompt", "name", "free", "any") == 0); // declares no arguments
        BOOST_TEST(co_await code_of("ref/resource", "uri", "note://{day}/{part}", "day") == 0);
        BOOST_TEST(co_await code_of("ref/resource", "uri", "note://monday/evening", "part") == 0);
        BOOST_TEST(co_await code_of("ref/resource", "uri", "note://today", "day") == 0);
        BOOST_TEST(asked == 5);
    }
}

LINKSPAN_CASE_IN(server_world, values_of_a_template_are_members_of_a_struct)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(resource_template{.uri_template = "log://{host}{?lines,all}", .name = "log"},
                          [](log_address const& from) {
                              return from.host + ' ' + std::to_string(from.lines.value_or(10)) +
                                     (from.all.value_or(false) ? " all" : "");
                          });
        auto& calls = connect();
        co_await calls.async_open();
        auto const read = [&](std::string_view uri) { return async_read_resource(calls, uri, in_tuple); };
        BOOST_TEST(std::get<1>(co_await read("log://one?lines=3&all=true"))->at(0).text == "one 3 all");
        BOOST_TEST(std::get<1>(co_await read("log://007"))->at(0).text == "007 10");
        auto const [ec, result] = co_await read("log://one?lines=many");
        BOOST_TEST(ec.value() == -32602);
        BOOST_TEST(contains(result.result().detail(), "/lines: expected an integer"), result.result().detail());
    }
}

LINKSPAN_CASE_IN(server_world, required_member_must_be_a_variable_of_the_template)
{
    auto& own = make();
    auto const add = [&] {
        own.add(resource_template{.uri_template = "log://{name}", .name = "log"},
                [](log_address const& from) { return from.host; });
    };
    auto const is_expected = [](std::invalid_argument const& problem) {
        return contains(problem.what(),
                        "the required member 'host' is not a variable of the resource template 'log://{name}'");
    };
    BOOST_CHECK_EXCEPTION(add(), std::invalid_argument, is_expected);
    co_return;
}

LINKSPAN_CASE_IN(server_world, missing_entries_are_reported_as_the_version_specifies)
{
    for (auto const version : newest_of_both_eras) {
        offer_all(make(version));
        connect();
        co_await client->async_open();
        bool const is_stateless = version == protocol_version::v2026_07_28;
        boost::json::object const nowhere{{"uri", "other://x"}}, nobody{{"name", "x"}}, bare{{"name", "later"}},
            cursor{{"cursor", "x"}}, tool{{"name", "x"}};
        auto const code_of = [&](std::string_view method, boost::json::object const& params) -> asio::awaitable<int> {
            auto const result = co_await client->async_request(method, params, in_tuple);
            co_return std::get<0>(result).value();
        };
        BOOST_TEST(co_await code_of("resources/read", nowhere) == (is_stateless ? -32602 : -32002));
        BOOST_TEST(co_await code_of("prompts/get", nobody) == -32602);
        BOOST_TEST(co_await code_of("prompts/get", bare) == -32602);
        BOOST_TEST(co_await code_of("resources/list", cursor) == -32602);
        BOOST_TEST(co_await code_of("tools/call", tool) == -32601); // no tool was ever offered
        BOOST_TEST(co_await code_of("no/such", tool) == -32601);
        client.emplace(executor, via<inproc>(inproc_to(*served))); // no schema permits the next request
        co_await client->async_open();
        BOOST_TEST(co_await code_of("logging/setLevel", tool) == (is_stateless ? -32601 : -32602));
    }
}

LINKSPAN_CASE_IN(server_world, clients_of_the_handshake_era_subscribe_to_single_resources)
{
    offer_all(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    std::vector<std::string> updates;
    calls.on_notification("notifications/resources/updated",
                          [&](std::string_view params) { updates.emplace_back(params); });
    co_await calls.async_open();
    boost::json::object const monday{{"uri", "note://monday"}};
    co_await calls.async_request("resources/subscribe", monday);
    served->resource_updated("note://monday/evening");
    served->resource_updated("note://tuesday");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(updates.size() == 1u);
    BOOST_TEST(updates[0] == R"({"uri":"note://monday/evening"})");
    co_await calls.async_request("resources/unsubscribe", monday);
    served->resource_updated("note://monday/evening");
    co_await settle(executor);
    BOOST_TEST(updates.size() == 1u);
}

LINKSPAN_CASE_IN(server_world, stateless_client_is_notified_of_granted_changes_only)
{
    offer_all(make(protocol_version::v2026_07_28));
    auto& calls = connect();
    std::vector<std::string> acknowledged, updates, lists;
    calls.on_notification("notifications/subscriptions/acknowledged",
                          [&](std::string_view params) { acknowledged.emplace_back(params); });
    calls.on_notification("notifications/resources/updated",
                          [&](std::string_view params) { updates.emplace_back(params); });
    co_await calls.async_open();
    calls.on_notification("notifications/prompts/list_changed", // after the opening: the session does not subscribe
                          [&](std::string_view params) { lists.emplace_back(params); });
    boost::json::object const wanted{
        {"notifications",
         {{"toolsListChanged", true}, {"promptsListChanged", true}, {"resourceSubscriptions", {"note://today"}}}}};
    completion_box listening;
    calls.async_request("subscriptions/listen", wanted, listening.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(acknowledged.size() == 1u);
    auto const granted = json_scan::member(acknowledged[0], "notifications");
    BOOST_TEST(granted == R"({"promptsListChanged":true,"resourceSubscriptions":["note://today"]})");
    BOOST_TEST(served->counters().subscriptions == 1u);
    served->resource_updated("note://today");
    served->remove_prompt("greet");
    served->add(any_tool("t"), [](server_request) {});
    co_await settle(executor);
    BOOST_TEST_REQUIRE(updates.size() == 1u);
    BOOST_TEST_REQUIRE(lists.size() == 1u);
    auto const id =
        json_scan::member(json_scan::member(acknowledged[0], "_meta"), "io.modelcontextprotocol/subscriptionId");
    BOOST_TEST(!id.empty());
    BOOST_TEST(json_scan::member(json_scan::member(updates[0], "_meta"), "io.modelcontextprotocol/subscriptionId") ==
               id);
    BOOST_TEST(json_scan::member(json_scan::member(lists[0], "_meta"), "io.modelcontextprotocol/subscriptionId") == id);
    auto const stopped = co_await served->async_stop(1s, in_tuple);
    BOOST_TEST(!std::get<0>(stopped));
    co_await settle(executor);
    BOOST_TEST(listening.count == 1u);
    BOOST_TEST(!listening.ec);
    BOOST_TEST(contains(listening.result.raw(), "subscriptionId"), listening.result.raw());
    BOOST_TEST(served->counters().subscriptions == 0u);
}

LINKSPAN_CASE_IN(server_world, changes_before_a_stop_are_sent_before_the_streams_end)
{
    offer_all(make(protocol_version::v2026_07_28));
    auto& calls = connect();
    std::vector<std::string> updates;
    calls.on_notification("notifications/resources/updated",
                          [&](std::string_view params) { updates.emplace_back(params); });
    co_await calls.async_open();
    boost::json::object const wanted{{"notifications", {{"resourceSubscriptions", {"note://today"}}}}};
    completion_box listening;
    calls.async_request("subscriptions/listen", wanted, listening.handler());
    co_await settle(executor);
    served->resource_updated("note://today");
    co_await served->async_stop(1s, in_tuple);
    co_await settle(executor);
    BOOST_TEST(updates.size() == 1u);
    BOOST_TEST(listening.count == 1u);
}

LINKSPAN_CASE_IN(server_world, subscriptions_are_limited)
{
    options.max_subscriptions = 1;
    offer_all(make(protocol_version::v2026_07_28));
    auto& calls = connect();
    co_await calls.async_open();
    boost::json::object const wanted{{"notifications", boost::json::object()}};
    completion_box first, second;
    calls.async_request("subscriptions/listen", wanted, first.handler());
    co_await settle(executor);
    calls.async_request("subscriptions/listen", wanted, second.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(second.ec.value() == -32603);
    client.reset();
    co_await settle(executor);
    BOOST_TEST(served->counters().subscriptions == 0u);
}

LINKSPAN_CASE_IN(server_world, subscribed_resources_of_all_streams_are_limited)
{
    options.max_all_subscribed_resources = 3;
    offer_all(make(protocol_version::v2026_07_28));
    auto& calls = connect();
    co_await calls.async_open();
    auto const wanted = [](boost::json::array uris) {
        return boost::json::object{{"notifications", {{"resourceSubscriptions", std::move(uris)}}}};
    };
    auto const of_two = wanted({"note://a", "note://b"}), of_one = wanted({"note://a"});
    completion_box first, refused, last, further;
    calls.async_request("subscriptions/listen", of_two, first.handler());
    co_await settle(executor);
    calls.async_request("subscriptions/listen", of_two, refused.handler());
    co_await settle(executor);
    BOOST_TEST(refused.ec.value() == -32603);
    calls.async_request("subscriptions/listen", of_one, last.handler());
    co_await settle(executor);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(last.count == 0u);
    calls.async_request("subscriptions/listen", of_one, further.handler());
    co_await settle(executor);
    BOOST_TEST(further.ec.value() == -32603);
    BOOST_TEST(served->counters().subscriptions == 2u);
    BOOST_TEST(served->counters().refused == 2u);
    client.reset(); // completes the streams while the objects of their handlers exist
    co_await settle(executor);
    BOOST_TEST(first.count == 1u);
    BOOST_TEST(last.count == 1u);
}

LINKSPAN_CASE_IN(server_world, subscribed_resources_of_all_sessions_are_limited_unless_the_limit_is_zero)
{
    options.max_all_subscribed_resources = 2;
    offer_all(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    co_await calls.async_open();
    std::optional<session> other;
    other.emplace(executor, via<inproc>(recorded_inproc_to(*served)));
    co_await other->async_open();
    std::vector<int> codes; // of the responses to the requests
    auto const request = [&codes](session& by, std::string method, std::string uri) -> asio::awaitable<void> {
        boost::json::object const params{{"uri", uri}};
        auto const [ec, result] = co_await by.async_request(std::move(method), params, in_tuple);
        codes.push_back(ec.value());
    };
    std::string const subscribe = "resources/subscribe", first = "note://a", second = "note://b";
    co_await request(calls, subscribe, first);
    co_await request(*other, subscribe, first);
    co_await request(calls, subscribe, second); // refused
    co_await request(*other, "resources/unsubscribe", first);
    co_await request(calls, subscribe, second);
    co_await request(*other, subscribe, first); // refused
    client.reset();
    co_await settle(executor);
    co_await request(*other, subscribe, first); // the session that has ended does not count
    BOOST_TEST((codes == std::vector{0, 0, -32603, 0, 0, -32603, 0}));
    other.reset();

    options.max_all_subscribed_resources = 0;
    offer_all(make(protocol_version::v2025_11_25));
    auto& unlimited = connect();
    co_await unlimited.async_open();
    codes.clear();
    for (auto const& uri : {first, second, first + "/c"})
        co_await request(unlimited, subscribe, uri);
    BOOST_TEST((codes == std::vector{0, 0, 0}));
}

LINKSPAN_CASE_IN(server_world, resource_of_a_client_is_accepted_again_above_the_limits)
{
    for (bool const is_limit_of_all : {true, false}) {
        options.max_all_subscribed_resources = is_limit_of_all ? 1 : 0;
        options.max_subscribed_resources = is_limit_of_all ? 1'000 : 1;
        offer_all(make(protocol_version::v2025_11_25));
        auto& calls = connect();
        co_await calls.async_open();
        std::vector<int> codes; // of the responses
        for (std::string_view const uri : {"note://a", "note://a", "note://b"}) {
            boost::json::object const params{{"uri", uri}};
            auto const [ec, result] = co_await calls.async_request("resources/subscribe", params, in_tuple);
            codes.push_back(ec.value());
        }
        BOOST_TEST((codes == std::vector{0, 0, -32603}));
        BOOST_TEST(served->counters().refused == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
