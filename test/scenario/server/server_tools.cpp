// Tools of a server: definitions, handlers of all forms, validation, errors, notifications about one request.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/roots.hpp>

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/operands.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_tools_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

struct sum {
    double value = 0;
};
LINKSPAN_STRUCT(sum, value)

// Adds a tool for each form of a function.
void add_each_form(server& own)
{
    own.add(local_tool("add", "Adds", [](operands const& two) { return sum{two.a + two.b}; }));
    own.add(any_tool("raw"),
            [](server_request request) { request.complete(tool_output::text(std::string(request.arguments()))); });
    tool typed;
    typed.name = "typed";
    own.add(typed, [](operands const& two, server_request request) {
        request.complete(tool_output::text(std::to_string(static_cast<int>(two.a * two.b))));
    });
    own.add(any_tool("coroutine"), [](server_request request) -> asio::awaitable<void> {
        timer pause(request.get_executor());
        pause.expires_after(1s);
        co_await pause.async_wait(asio::use_awaitable);
        request.complete(tool_output::text("waited"));
    });
}

constexpr std::string_view opening =
    R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})";

// Connects a client in memory that is notified of changes of all lists that the server offers.
asio::awaitable<std::shared_ptr<line_client>> open_listener(server_world& world, protocol_version version)
{
    auto out = line_client::open(world.executor, inproc_to(*world.served));
    co_await settle(world.executor);
    if (version == protocol_version::v2026_07_28) {
        co_await out->ask(
            "subscriptions/listen",
            R"("notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true})");
    } else {
        co_await out->ask_in_session("initialize", std::string(opening));
        out->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        co_await settle(world.executor);
    }
    co_return out;
}

// Returns the response to a request of a client of open_listener(). `members`: of `params`.
asio::awaitable<std::string> ask_as(line_client& from, protocol_version version, std::string method,
                                    std::string members)
{
    return version == protocol_version::v2026_07_28 ? from.ask(std::move(method), std::move(members))
                                                    : from.ask_in_session(std::move(method), "{" + members + "}");
}

// Returns the numbers of notifications about the lists of tools, prompts and resources, and clears the messages.
std::string take_changes(line_client& from)
{
    std::string out;
    for (std::string_view const list : {"tools", "prompts", "resources"}) {
        auto const method = "notifications/" + std::string(list) + "/list_changed";
        auto const count =
            std::ranges::count_if(from.messages, [&](auto const& each) { return contains(each, method); });
        out += std::to_string(count) + ' ';
    }
    from.messages.clear();
    return out;
}

// Names of the entries of an offer, and a text that their functions return.
struct offered_names {
    std::string tool = "a", prompt = "p", resource = "note:one", uri_template = "note:{x}", text = "first";
};

void add_named(server& to, offered_names const& names)
{
    to.add(any_tool(names.tool),
           [text = names.text](server_request request) { request.complete(tool_output::text(text)); });
    prompt asked;
    asked.name = names.prompt;
    to.add(asked, [text = names.text] { return text; });
    resource note;
    note.uri = names.resource;
    to.add(note, [text = names.text] { return text; });
    resource_template notes;
    notes.uri_template = names.uri_template;
    to.add(notes, [text = names.text](uri_template::values const&) { return text; });
}

} // namespace

LINKSPAN_CASE_IN(server_world, a_coroutine_completes_its_request_with_a_struct)
{
    for (auto const version : newest_of_both_eras) {
        tool definition;
        definition.name = "sum";
        definition.output_schema = schema_text<sum>;
        make(version).add(definition, [](operands const& two, server_request request) -> asio::awaitable<void> {
            timer pause(request.get_executor());
            pause.expires_after(1s);
            co_await pause.async_wait(asio::use_awaitable);
            request.complete(structured_output(sum{two.a + two.b}));
        });
        auto& calls = connect();
        co_await calls.async_open();
        boost::json::object const two{{"a", 2}, {"b", 5}};
        auto const result = co_await calls.async_call_tool("sum", two);
        BOOST_TEST(result.structured() == R"({"value":7})");
        BOOST_TEST(result.text() == R"({"value":7})");
        BOOST_TEST(defects.empty());
    }
}

LINKSPAN_CASE_IN(server_world, structured_content_is_repeated_as_text_and_omitted_in_versions_without_it)
{
    for (auto const version : {protocol_version::v2025_03_26, protocol_version::v2025_06_18}) {
        add_each_form(make(version));
        auto& calls = connect();
        co_await calls.async_open();
        boost::json::object const two{{"a", 2}, {"b", 5}};
        auto const added = co_await calls.async_call_tool("add", two);
        BOOST_TEST(added.text() == R"({"value":7})");
        BOOST_TEST(added.structured() == (version == protocol_version::v2025_03_26 ? "" : R"({"value":7})"));
    }
}

LINKSPAN_CASE_IN(server_world, each_signature_of_a_handler_can_implement_a_tool)
{
    for (auto const version : newest_of_both_eras) {
        add_each_form(make(version));
        auto& calls = connect();
        co_await calls.async_open();
        auto const list = co_await calls.async_list_tools();
        BOOST_TEST_REQUIRE(list.tools.size() == 4u);
        BOOST_TEST(list.tools[0].name == "add");
        BOOST_TEST(list.tools[0].output_schema != "");
        BOOST_TEST(contains(list.tools[2].input_schema, R"("a")"));
        boost::json::object const two{{"a", 2}, {"b", 5}};
        auto const added = co_await calls.async_call_tool("add", two);
        BOOST_TEST(added.structured() == R"({"value":7})");
        auto const raw = co_await calls.async_call_tool("raw", two);
        BOOST_TEST(raw.text() == R"({"a":2,"b":5})");
        auto const typed = co_await calls.async_call_tool("typed", two);
        BOOST_TEST(typed.text() == "10");
        auto const waited = co_await calls.async_call_tool("coroutine");
        BOOST_TEST(waited.text() == "waited");
        BOOST_TEST(served->counters().clients == 1u);
    }
}

LINKSPAN_CASE_IN(server_world, arguments_and_results_are_validated)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        auto checked = any_tool("checked");
        checked.input_schema = R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
        checked.output_schema = R"({"type":"object","required":["m"]})";
        own.add(checked, [](server_request request) {
            tool_output out;
            out.structured = json_scan::member(request.arguments(), "n") == "1" ? R"({"m":1})" : R"({"k":1})";
            request.complete(out);
        });
        auto& calls = connect();
        co_await calls.async_open();
        boost::json::object const good{{"n", 1}}, bad{{"n", "x"}}, wrong{{"n", 2}};
        auto const accepted = co_await calls.async_call_tool("checked", good, in_tuple);
        BOOST_TEST(!std::get<0>(accepted));
        BOOST_TEST(std::get<1>(accepted).text() == R"({"m":1})"); // structured content is repeated as text
        auto const rejected = co_await calls.async_call_tool("checked", bad, in_tuple);
        BOOST_TEST(std::get<1>(rejected).is_error());
        BOOST_TEST(contains(std::get<1>(rejected).text(), "/n"), std::get<1>(rejected).text());
        auto const defective = co_await calls.async_call_tool("checked", wrong, in_tuple);
        BOOST_TEST(std::get<0>(defective).value() == -32603);
        BOOST_TEST(defects.size() == 1u);
        BOOST_TEST(contains(defects.at(0), "output schema"));
        defects.clear();
    }
}

LINKSPAN_CASE_IN(server_world, validation_of_arguments_and_of_results_is_optional)
{
    for (bool const of_results : {true, false}) {
        options.validate_results = of_results;
        options.validate_arguments = !of_results;
        auto& own = make(protocol_version::v2025_11_25);
        auto checked = any_tool("checked");
        checked.input_schema = R"({"type":"object","required":["n"]})";
        checked.output_schema = R"({"type":"object","required":["m"]})";
        int calls = 0;
        own.add(checked, [&calls](server_request request) {
            ++calls;
            tool_output out;
            out.structured = R"({"k":1})";
            request.complete(out);
        });
        auto const raw = line_client::open(executor, inproc_to(own));
        co_await settle(executor);
        co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                                   R"("clientInfo":{"name":"c","version":"1"}})");
        auto const valid = co_await raw->ask_in_session("tools/call", R"({"name":"checked","arguments":{"n":1}})");
        BOOST_TEST(contains(valid, R"("code":-32603)") == of_results, valid);
        BOOST_TEST(contains(valid, R"("structuredContent":{"k":1})") != of_results, valid);
        BOOST_TEST(defects.size() == (of_results ? 1u : 0u));
        BOOST_TEST(calls == 1);
        auto const invalid = co_await raw->ask_in_session("tools/call", R"({"name":"checked","arguments":{}})");
        BOOST_TEST(contains(invalid, R"("isError":true)") != of_results, invalid);
        BOOST_TEST(calls == (of_results ? 2 : 1));
        defects.clear();
        raw->close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(server_world, invalid_arguments_are_a_protocol_error_before_2025_11_25)
{
    auto checked = any_tool("checked");
    checked.input_schema = R"({"type":"object","required":["n"]})";
    make(protocol_version::v2025_06_18).add(checked, [](server_request) {});
    co_await connect().async_open();
    auto const result = co_await client->async_call_tool("checked", in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32602);
}

// The handler could read another one of two values than the schema, or than the header field of an HTTP client.
LINKSPAN_CASE_IN(server_world, arguments_with_a_duplicate_key_are_refused)
{
    auto& own = make(protocol_version::v2025_11_25);
    auto checked = any_tool("checked");
    checked.input_schema = R"({"type":"object","properties":{"region":{"enum":["a","b"]}}})";
    own.add(checked, [](server_request request) { request.complete(tool_output::text("executed")); });
    checked.name = "mirrored";
    checked.input_schema = R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}})";
    options.validate_arguments = false;
    own.add(checked, [](server_request request) { request.complete(tool_output::text("executed")); });
    auto const raw = line_client::open(executor, inproc_to(own));
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                               R"("clientInfo":{"name":"c","version":"1"}})");
    for (std::string const name : {"checked", "mirrored"}) {
        auto const params = R"({"name":")" + name + R"(","arguments":{"region":"evil","region":"b"}})";
        auto const refused = co_await raw->ask_in_session("tools/call", params);
        BOOST_TEST(contains(refused, R"("isError":true)"), refused);
        BOOST_TEST(contains(refused, "ambiguous: duplicate key '/region'"), refused);
        auto const single = R"({"name":")" + name + R"(","arguments":{"region":"b"}})";
        auto const accepted = co_await raw->ask_in_session("tools/call", single);
        BOOST_TEST(contains(accepted, "executed"), accepted);
    }
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, exception_text_is_not_sent_to_the_client_unless_it_is_a_tool_failure)
{
    auto& own = make();
    own.add(local_tool("throws", "", [](operands const&) -> std::string { throw std::logic_error("secret 1"); }));
    own.add(local_tool("fails", "", [](operands const&) -> std::string { throw tool_failure("closed"); }));
    own.add(any_tool("coroutine"), [](server_request request) -> asio::awaitable<void> {
        timer pause(request.get_executor());
        pause.expires_after(1s);
        co_await pause.async_wait(asio::use_awaitable);
        throw std::logic_error("secret 2");
    });
    own.add(any_tool("forgets"), [](server_request) {});
    co_await connect().async_open();
    boost::json::object const two{{"a", 2}, {"b", 5}};
    for (std::string const name : {"throws", "coroutine", "forgets"}) {
        auto const result = co_await client->async_call_tool(name, two, in_tuple);
        BOOST_TEST(std::get<0>(result).value() == -32603);
        BOOST_TEST(!contains(std::get<1>(result).raw(), "secret"));
    }
    auto const failed = co_await client->async_call_tool("fails", two, in_tuple);
    BOOST_TEST(std::get<1>(failed).is_error());
    BOOST_TEST(std::get<1>(failed).text() == "closed");
    BOOST_TEST_REQUIRE(defects.size() == 2u);
    BOOST_TEST(defects[0] == "tools/call: secret 1");
    BOOST_TEST(defects[1] == "tools/call: secret 2");
}

LINKSPAN_CASE_IN(server_world, a_defect_has_the_name_and_the_id_of_its_request)
{
    auto& own = make(protocol_version::v2026_07_28);
    auto const fails = [](server_request) { throw std::logic_error("failed"); };
    own.add(any_tool("says"), fails);
    own.add(resource{.uri = "file:///r", .name = "r"}, fails);
    own.add(prompt{.name = R"(a "p")"}, fails);
    own.set_notification_handler("notifications/n",
                                 [](client_info const&, std::string_view) { throw std::logic_error("failed"); });
    auto const raw = line_client::open(executor, inproc_to(own));
    co_await settle(executor);
    co_await raw->ask("tools/call", R"("name":"says","arguments":{})");
    BOOST_TEST(last_defect == "says 1");
    co_await raw->ask("resources/read", R"("uri":"file:///r")");
    BOOST_TEST(last_defect == "file:///r 2");
    co_await raw->ask("prompts/get", R"("name":"a \"p\"")");
    BOOST_TEST(last_defect == R"(a "p" 3)");
    raw->send_unrecorded(R"({"jsonrpc":"2.0","method":"notifications/n"})");
    co_await settle(executor);
    BOOST_TEST(last_defect == " ");
    BOOST_TEST_REQUIRE(defects.size() == 4u);
    BOOST_TEST(defects[2] == "prompts/get: failed");
    BOOST_TEST(defects[3] == "notifications/n: failed");
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, a_coroutine_that_is_aborted_by_a_cancellation_is_not_a_defect)
{
    int aborted = 0;
    make().add(any_tool("waits"), [&](server_request request) -> asio::awaitable<void> {
        timer pause(request.get_executor());
        pause.expires_after(1h);
        request.on_cancelled([&] { pause.cancel(); });
        try {
            co_await pause.async_wait(asio::use_awaitable);
        } catch (boost::system::system_error const&) {
            ++aborted;
            throw;
        }
    });
    co_await connect().async_open();
    call_options brief;
    brief.timeout = 1s;
    auto const result = co_await client->async_call_tool("waits", boost::json::object(), brief, in_tuple);
    BOOST_TEST((std::get<0>(result) == error::deadline_exceeded));
    co_await settle(executor);
    BOOST_TEST(aborted == 1);
    BOOST_TEST(served->counters().cancelled == 1u);
    BOOST_TEST(defects.empty());
}

LINKSPAN_CASE_IN(server_world, handlers_may_be_generic_or_noexcept)
{
    make().add(any_tool("generic"), [](auto request) { request.complete(tool_output::text("generic")); });
    served->add(any_tool("noexcept"),
                [](server_request request) noexcept { request.complete(tool_output::text("noexcept")); });
    co_await connect().async_open();
    for (std::string const name : {"generic", "noexcept"}) {
        auto const result = co_await client->async_call_tool(name);
        BOOST_TEST(result.text() == name);
    }
}

LINKSPAN_CASE_IN(server_world, schemas_are_checked_even_if_nothing_is_validated)
{
    options.validate_arguments = options.validate_results = false;
    auto& own = make();
    auto bad = any_tool("a");
    bad.output_schema = R"({"type":"no such type"})";
    BOOST_CHECK_THROW(own.add(bad, [](server_request) {}), std::invalid_argument);
    std::swap(bad.input_schema, bad.output_schema);
    BOOST_CHECK_THROW(own.add(bad, [](server_request) {}), std::invalid_argument);
    auto strict = any_tool("b");
    strict.input_schema = R"({"type":"object","required":["x"]})";
    own.add(strict, [](server_request request) { request.complete(tool_output::text("not validated")); });
    co_await connect().async_open();
    BOOST_TEST((co_await client->async_call_tool("b")).text() == "not validated");
}

LINKSPAN_CASE_IN(server_world, rejected_entries_are_reported_in_one_sentence)
{
    auto& own = make();
    auto const nothing = [](server_request) {};
    own.add(any_tool("a"), nothing);
    auto const why = [&](tool const& what) {
        try {
            own.add(what, nothing);
        } catch (std::invalid_argument const& rejected) {
            return std::string(rejected.what());
        }
        return std::string("accepted");
    };
    BOOST_TEST(why(any_tool("a")) == R"(linkspan: tool "a" exists already)");
    BOOST_TEST(contains(why(any_tool("a b")), "illegal name"));
    auto bad_schema = any_tool("b");
    bad_schema.input_schema = R"({"type":"no such type"})";
    BOOST_TEST(contains(why(bad_schema), "invalid input schema"), why(bad_schema));
    for (std::string const schema : {"{}", R"({"type":"string"})", R"({"properties":{}})"}) {
        bad_schema.input_schema = schema; // clients may refuse the whole list because of such a tool
        BOOST_TEST(why(bad_schema) == "linkspan: tool \"b\" has an invalid input schema: expected \"type\": \"object\" "
                                      "at its root");
    }
    bad_schema.input_schema = "[";
    BOOST_TEST(contains(why(bad_schema), "input schema"), why(bad_schema));
    bad_schema.input_schema = R"({"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}})";
    BOOST_TEST(contains(why(bad_schema), "tool \"b\" has an invalid input schema: "), why(bad_schema));
    co_await connect().async_open();
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u);
}

LINKSPAN_CASE_IN(server_world, aborted_operation_of_a_coroutine_is_a_defect_if_the_request_was_not_cancelled)
{
    make(protocol_version::v2026_07_28).add(any_tool("abort"), [](server_request request) -> asio::awaitable<void> {
        request.report_progress(1);
        throw boost::system::system_error(asio::error::operation_aborted);
        co_return;
    });
    auto& calls = connect();
    co_await calls.async_open();
    auto const [ec, result] = co_await calls.async_call_tool("abort", boost::json::object(), in_tuple);
    BOOST_TEST(ec.value() == -32603);
    BOOST_TEST(served->counters().defects == 1u);
}

LINKSPAN_CASE_IN(server_world, progress_increases_and_log_messages_have_at_least_the_requested_level)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("work"), [](server_request request) {
            request.report_progress(1, 3, "one");
            request.report_progress(1, 3);
            request.report_progress(std::numeric_limits<double>::infinity());
            request.report_progress(2, std::numeric_limits<double>::quiet_NaN());
            request.log(log_level::debug, raw_json(R"("fine")"));
            request.log(log_level::error, raw_json(R"({"k":1})"), "own");
            request.complete(tool_output::text("done"));
            request.report_progress(3);
        });
        auto& calls = connect();
        std::vector<std::string> messages;
        calls.on_notification("notifications/message", [&](std::string_view params) { messages.emplace_back(params); });
        co_await calls.async_open();
        if (version == protocol_version::v2025_11_25) {
            boost::json::object const level{{"level", "warning"}};
            co_await calls.async_request("logging/setLevel", level);
        }
        std::vector<double> values;
        call_options with;
        with.on_progress = [&](progress_update const& update) {
            values.push_back(update.progress);
            BOOST_TEST(update.total.has_value() == (update.progress == 1));
        };
        co_await calls.async_call_tool("work", boost::json::object(), with);
        BOOST_TEST((values == std::vector<double>{1, 2}));
        BOOST_TEST(served->counters().dropped_progress == 2u);
        if (version == protocol_version::v2025_11_25) {
            BOOST_TEST_REQUIRE(messages.size() == 1u);
            BOOST_TEST(messages[0] == R"({"level":"error","logger":"own","data":{"k":1}})");
        } else {
            BOOST_TEST(messages.empty()); // the request contains no level
        }
    }
}

LINKSPAN_CASE_IN(server_world, cancelled_requests_have_no_response)
{
    for (auto const version : newest_of_both_eras) {
        std::optional<server_request> held;
        int cancelled = 0;
        make(version).add(any_tool("hold"), [&](server_request request) {
            request.on_cancelled([&] { ++cancelled; });
            held.emplace(std::move(request));
        });
        auto& calls = connect();
        co_await calls.async_open();
        call_options brief;
        brief.timeout = 1s;
        auto const result = co_await calls.async_call_tool("hold", boost::json::object(), brief, in_tuple);
        BOOST_TEST(static_cast<bool>(std::get<0>(result)));
        co_await settle(executor);
        BOOST_TEST(cancelled == 1);
        BOOST_TEST_REQUIRE(held.has_value());
        BOOST_TEST(held->is_over());
        held->complete(tool_output::text("late"));
        held.reset();
        BOOST_TEST(served->counters().cancelled == 1u);
    }
}

LINKSPAN_CASE_IN(server_world, changes_of_the_tools_are_notified_once_per_turn)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        own.add(any_tool("a"), [](server_request) {});
        auto& calls = connect();
        int changes = 0;
        calls.on_notification("notifications/tools/list_changed", [&](std::string_view) { ++changes; });
        co_await calls.async_open();
        co_await calls.async_list_tools();
        if (version == protocol_version::v2026_07_28)
            continue; // a session listens only as a part of a connector
        own.add(any_tool("b"), [](server_request) {});
        own.add(any_tool("c"), [](server_request) {});
        BOOST_TEST(own.remove_tool("a"));
        BOOST_TEST(!own.remove_tool("a"));
        co_await settle(executor);
        BOOST_TEST(changes == 1);
        BOOST_TEST((co_await calls.async_list_tools()).tools.size() == 2u);
    }
}

LINKSPAN_CASE_IN(server_world, replaced_offer_is_notified_once_for_each_list_that_differs)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        std::optional<server_request> held;
        offered_names names;
        add_named(own, names);
        own.add(any_tool("hold"), [&held](server_request request) { held.emplace(std::move(request)); });
        auto const raw = co_await open_listener(*this, version);
        auto const ask = [&](std::string method, std::string members) {
            return ask_as(*raw, version, std::move(method), std::move(members));
        };
        auto const replace = [&own](offered_names const& by) {
            own.replace_offer([&by](server& next) { add_named(next, by); });
        };
        co_await ask("tools/call", R"("name":"hold")");
        BOOST_TEST_REQUIRE(held.has_value());
        auto const held_id = raw->last_id();
        BOOST_TEST(take_changes(*raw) == "0 0 0 ");

        names.text = "second";
        replace(names); // without "hold"
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "1 0 0 ");
        auto const called = co_await ask("tools/call", R"("name":"a")");
        BOOST_TEST(contains(called, R"("text":"second")"), called);
        auto const prompted = co_await ask("prompts/get", R"("name":"p")");
        BOOST_TEST(contains(prompted, R"("text":"second")"), prompted);
        for (std::string const uri : {"note:one", "note:any"}) {
            auto const read = co_await ask("resources/read", R"("uri":")" + uri + '"');
            BOOST_TEST(contains(read, R"("text":"second")"), read);
        }
        auto const unknown = co_await ask("tools/call", R"("name":"hold")");
        BOOST_TEST(contains(unknown, R"("code":-32602)"), unknown);
        held->complete(tool_output::text("held"));
        held.reset();
        co_await settle(executor);
        BOOST_TEST(contains(raw->response(held_id), R"("text":"held")"));
        raw->messages.clear();

        names.text = "third"; // other functions of equal entries
        replace(names);
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "0 0 0 ");
        auto const again = co_await ask("tools/call", R"("name":"a")");
        BOOST_TEST(contains(again, R"("text":"third")"), again);
        raw->messages.clear();

        names.uri_template = "other:{x}";
        replace(names);
        names.prompt = "q"; // in the same turn
        own.replace_offer([&](server& next) {
            add_named(next, names);
            next.replace_offer([&](server& last) { add_named(last, names); });
        });
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "0 1 1 ");
        own.replace_offer([](server&) {});
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "1 1 1 ");
        auto const none = co_await ask("tools/list", "");
        BOOST_TEST(contains(none, R"("tools":[])"), none);
        raw->close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(server_world, failed_replacement_of_the_offer_keeps_the_entries_and_notifies_no_client)
{
    options.page_size = 1;
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        add_named(own, {});
        own.add(any_tool("b"), [](server_request) {});
        auto const raw = co_await open_listener(*this, version);
        auto const before = co_await ask_as(*raw, version, "tools/list", "");
        auto const cursor = std::string(json_scan::member(json_scan::member(before, "result"), "nextCursor"));
        auto const fill = [](server& next) {
            offered_names other;
            other.text = "other";
            add_named(next, other);
            auto as_task = any_tool("task");
            as_task.tasks = task_support::optional;
            next.add(as_task, [](server_request) {});
            next.add(any_tool("a"), [](server_request) {}); // exists already
        };
        BOOST_CHECK_THROW(own.replace_offer(fill), std::invalid_argument);
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "0 0 0 ");
        auto const called = co_await ask_as(*raw, version, "tools/call", R"("name":"a")");
        BOOST_TEST(contains(called, R"("text":"first")"), called);
        auto const rest = co_await ask_as(*raw, version, "tools/list", R"("cursor":)" + cursor);
        BOOST_TEST(contains(rest, R"("name":"b")"), rest);
        own.add(any_tool("c"), [](server_request) {}); // is notified again
        co_await settle(executor);
        BOOST_TEST(take_changes(*raw) == "1 0 0 ");
        raw->close();
        co_await settle(executor);
        auto const next = line_client::open(executor, inproc_to(own));
        co_await settle(executor);
        std::string described;
        if (version == protocol_version::v2026_07_28)
            described = co_await next->ask("server/discover", "");
        else
            described = co_await next->ask_in_session("initialize", std::string(opening));
        BOOST_TEST(contains(described, R"("capabilities")"), described);
        BOOST_TEST(!contains(described, "tasks"), described);
        next->close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(server_world, tools_that_are_replaced_in_one_turn_are_notified_once_and_never_listed_in_part)
{
    options.page_size = 1;
    for (auto const version : newest_of_both_eras) {
        bool const is_stateless = version == protocol_version::v2026_07_28;
        auto& own = make(version);
        for (std::string const name : {"a", "b"})
            own.add(any_tool(name), [](server_request) {});
        auto const raw = co_await open_listener(*this, version);
        // Requests a page of the tools, and returns the response.
        auto const list = [&raw, version](std::string const& cursor) {
            return ask_as(*raw, version, "tools/list", cursor.empty() ? std::string() : R"("cursor":)" + cursor);
        };
        auto const cursor_of = [](std::string const& response) {
            return std::string(json_scan::member(json_scan::member(response, "result"), "nextCursor"));
        };
        auto const old_page = co_await list("");
        BOOST_TEST(contains(old_page, R"("name":"a")"), old_page);

        auto const notified = [&raw] {
            return std::ranges::count_if(raw->messages,
                                         [](auto const& each) { return contains(each, "tools/list_changed"); });
        };
        // Sends a request for the tools without waiting.
        auto const send_list = [&raw, is_stateless](std::string const& id) {
            raw->send(R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"tools/list","params":{)" +
                      (is_stateless ? R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                      R"("io.modelcontextprotocol/clientCapabilities":{}})"
                                    : "") +
                      "}}");
        };
        BOOST_TEST(notified() == 0);
        for (std::string const name : {"a", "b"}) {
            send_list("before removal of " + name);
            BOOST_TEST(own.remove_tool(name));
        }
        for (std::string const name : {"c", "d"}) {
            send_list("before addition of " + name);
            own.add(any_tool(name), [](server_request) {});
        }
        co_await settle(executor);
        BOOST_TEST(notified() == 1);
        std::string last;
        for (std::string const id :
             {"before removal of a", "before removal of b", "before addition of c", "before addition of d"}) {
            last = raw->response('"' + id + '"');
            BOOST_TEST(contains(last, R"("name":"c")"), last);
        }
        auto const outdated = co_await list(cursor_of(old_page));
        BOOST_TEST(contains(outdated, R"("code":-32602)"), outdated);
        auto const next = co_await list(cursor_of(last));
        BOOST_TEST(contains(next, R"("name":"d")"), next);
        BOOST_TEST(cursor_of(next) == "");
        raw->close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(server_world, results_passed_as_json_text_are_checked_and_receive_missing_members)
{
    auto& own = make(protocol_version::v2026_07_28);
    auto checked = any_tool("checked");
    checked.output_schema = R"({"type":"object","required":["m"]})";
    own.add(checked, [](server_request request) {
        auto const given = json_scan::member(request.arguments(), "result");
        request.complete(raw_json(json_scan::string(given).value_or("")));
    });
    own.set_request_handler("own/list", [](server_request request) { request.complete(raw_json(" { } ")); });
    co_await connect().async_open();
    auto const list = co_await client->async_request("own/list");
    BOOST_TEST(contains(list.raw(), R"({"ttlMs":0,"cacheScope":"private","resultType":"complete")"), list.raw());
    boost::json::object const good{{"result", R"({"content":[],"structuredContent":{"m":1},"_meta":{"k":1}})"}},
        wrong{{"result", R"({"content":[],"structuredContent":{}})"}}, text{{"result", "[]"}},
        failed{{"result", R"({"content":[],"isError":true})"}};
    auto const accepted = co_await client->async_call_tool("checked", good);
    BOOST_TEST(accepted.structured() == R"({"m":1})");
    auto const failure = co_await client->async_call_tool("checked", failed);
    BOOST_TEST(failure.is_error());
    BOOST_TEST(defects.empty());
    for (auto const* const each : {&wrong, &text}) {
        auto const refused = co_await client->async_call_tool("checked", *each, in_tuple);
        BOOST_TEST(std::get<0>(refused).value() == -32603);
    }
    BOOST_TEST(defects.size() == 2u);
}

LINKSPAN_CASE_IN(server_world, results_have_the_identity_of_the_server_beside_their_own_meta)
{
    make(protocol_version::v2026_07_28).add(any_tool("meta"), [](server_request request) {
        auto out = tool_output::text("x");
        out.meta = R"({"k":1})";
        request.complete(out);
    });
    co_await connect().async_open();
    auto const result = co_await client->async_call_tool("meta");
    auto const meta = json_scan::member(result.raw(), "_meta");
    BOOST_TEST(json_scan::member(meta, "k") == "1");
    BOOST_TEST(contains(meta, R"("io.modelcontextprotocol/serverInfo":{"name":"own","version":"7"})"), meta);
}

LINKSPAN_CASE_IN(server_world, only_three_methods_can_require_input_in_stateless_versions)
{
    auto& own = make(protocol_version::v2026_07_28);
    own.set_request_handler("own/ask", [](server_request request) { request.require_input({}, "state"); });
    own.set_request_handler("own/wait", [](server_request request) -> asio::awaitable<void> {
        auto const answer = co_await request.async_ask<roots>(roots_request(), in_tuple);
        request.fail(std::get<0>(answer));
    });
    auto& calls = connect();
    calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) { reply(roots_result()); });
    co_await calls.async_open();
    auto const required = co_await calls.async_request("own/ask", in_tuple);
    BOOST_TEST(std::get<0>(required).value() == -32603);
    BOOST_TEST(defects.size() == 1u);
    auto const waited = co_await calls.async_request("own/wait", in_tuple);
    BOOST_TEST(std::get<0>(waited).value() == -32021);
}

BOOST_AUTO_TEST_SUITE_END()
