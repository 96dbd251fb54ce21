// Export of scripted servers as scripts: a server that is read from the script has the same behaviour.

#include <linkspan/describe/local_tool.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>
#include <linkspan/test/script/value_conditions.hpp>
#include <linkspan/test/world.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"

BOOST_AUTO_TEST_SUITE(to_script_test)

namespace {

struct seat {
    static constexpr std::string_view tool = "t";
    using result_type = std::string;
    std::string city{};
    std::int64_t n = 1;
};
LINKSPAN_STRUCT(seat, (city), (n))

} // namespace

using namespace linkspan::test;
using linkspan::test::contains;
using namespace std::chrono_literals;
using build_type = std::function<void(scripted_server&)>;

namespace {

// Returns the text in the form in which Boost.JSON writes it, so that equal JSON is equal text.
std::string normal(std::string const& message)
{
    boost::system::error_code ec;
    auto const parsed = boost::json::parse(message, ec);
    return ec ? message : boost::json::serialize(parsed);
}

// The messages are sent in each protocol version, also if it does not have them. Servers that are made while the object
// exists do not record them.
class unrecorded {
public:
    unrecorded()
    {
        if (auto const* const log = std::getenv(variable))
            log_ = log;
        ::unsetenv(variable);
    }
    unrecorded(unrecorded const&) = delete;
    unrecorded& operator=(unrecorded const&) = delete;
    ~unrecorded()
    {
        if (!log_.empty())
            ::setenv(variable, log_.c_str(), 1);
    }

private:
    static constexpr char const* variable = "LINKSPAN_MESSAGE_LOG";

    std::string log_; // set by the constructor; empty: the messages of this program are not recorded
};

// A client that sends the same messages in each run, and writes down the time and text of each message it receives.
struct scripted_client {
    unrecorded const quiet{};
    world here;
    scripted_server& server = here.add_server("mock");
    std::shared_ptr<line_client> raw{};
    std::size_t seen = 0;
    std::string log{};

    explicit scripted_client(build_type const& build) { build(server); }
    ~scripted_client()
    {
        raw->close();
        here.run_until_idle();
    }

    void open()
    {
        raw = line_client::open(here.executor, server);
        raw->is_recorded = false; // rules send messages that no schema permits
        seen = 0;
        log += "open\n";
        run(100ms);
        raw->send(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                  R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        run(300ms);
    }

    // Advances the time, responds to requests, and opens a new connection if the server has ended the last one.
    void run(linkspan::duration span)
    {
        for (linkspan::duration done{}; done < span; done += 50ms) {
            here.run_for(50ms);
            for (; seen != raw->messages.size(); ++seen) {
                auto const message = raw->messages[seen];
                log += std::to_string(here.now().time_since_epoch() / 50ms) + " " + normal(message) + "\n";
                auto const id = linkspan::json_scan::member(message, "id");
                if (!id.empty() && !linkspan::json_scan::member(message, "method").empty())
                    raw->send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{"action":"accept"}})");
            }
        }
        if (raw->has_ended && seen != 0)
            open();
    }

    void call(std::string const& tool, std::string const& arguments)
    {
        static constexpr auto meta = R"(,"_meta":{"progressToken":7}}})";
        raw->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++calls) +
                  R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments + meta);
        run(400ms);
    }

    std::string behave()
    {
        open();
        raw->send(R"({"jsonrpc":"2.0","id":"l","method":"tools/list"})");
        for (auto const* const city : {"Paris", "paris", "Oslo", "Paris", "Paris", "Paris"})
            call("t", R"({"city":")" + std::string(city) + R"(","n":)" + std::to_string(calls) + "}");
        call("t", "{}");
        raw->send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"n":1}})");
        call("u", R"({"city":"Rome"})");
        server.open_gate("g");
        run(400ms);
        server.receive_signal(here.executor, "SIGTERM");
        run(100ms);
        server.receive_signal(here.executor, "SIGINT");
        run(100ms);
        call("t", R"({"city":"Paris"})");
        raw->send(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
        raw->send(R"({"jsonrpc":"2.0","id":"x","method":"extension/x"})");
        run(4s);
        raw->send(R"({"jsonrpc":"2.0","id":"m","method":"tools/list"})");
        call("t", "{}");
        for (std::string const tool :
             {"forecast", "search", "login", "balance", "book", "report", "count", "echo", "price", "status"})
            for (int n = 0; n != 3; ++n)
                call(tool, R"({"city":"Paris","seat":"1A","query":"x"})");
        raw->close();
        here.run_for(400ms);
        open();
        call("t", "{}");
        return log;
    }

    int calls = 0;
};

std::string behaviour_of(build_type const& build) { return scripted_client(build).behave(); }

std::string script_of(build_type const& build)
{
    scripted_server server;
    build(server);
    return to_script(server);
}

build_type reading(std::string const& script)
{
    return [script](scripted_server& server) { mock_script::parse(script).add_to(server); };
}

// Returns the problems of the export; empty: it has none.
std::string problems_of(build_type const& build)
{
    try {
        script_of(build);
    } catch (script_error const& failure) {
        return failure.what();
    }
    return {};
}

// Servers each of which uses one part of the C++ functions.
std::vector<build_type> servers()
{
    using own = scripted_server;
    return {
        // actions
        [](own& s) { s.on(call("t")).then(text("sun ${params.arguments.city} $${x} $ \" \n \xC3\xA9")); },
        [](own& s) {
            s.on(call("t")).then(structured(boost::json::object{{"a", {1, 2.5, "${x}"}}, {"b", nullptr}}));
        },
        [](own& s) {
            s.on(call("t")).then(structured(seat{"Rome", 3}));
        },
        [](own& s) { s.on(call("t")).then(result(R"("content":[],"x":{"${k}":"${vars.n}"},"big":1e30)")); },
        [](own& s) { s.on(call("t")).then(result("")); },
        [](own& s) { s.on(call("t")).then(tool_error("no ${city}")); },
        [](own& s) { s.on(call("t")).then(rpc_error(-32000, "busy ${tool}")); },
        [](own& s) {
            s.on(call("t")).then(respond_http(429, "", {{"A", "${x}"}}), text("a"));
        },
        [](own& s) { s.on(call("t")).then(rpc_error(-32042, "sign in", R"({"a":["${tool}",1]})")); },
        [](own& s) { s.on(call("t")).then(input_required(R"({"a":{"method":"roots/list"}})", R"("state")")); },
        [](own& s) { s.on(call("t")).then(delay(150ms), text("late"), delay(0ms)); },
        [](own& s) { s.on(call("t")).then(gate("g"), text("opened ${")); },
        [](own& s) {
            s.on(call("t")).then(gate("h"), text("opened"));
            s.on(call("u")).then(open_gate("h"), text("open"));
        },
        [](own& s) { s.on(call("t")).then(progress(0.5, 2), delay(100ms), progress(2, 2), text("done")); },
        [](own& s) { s.on(call("t")).then(notify("x/${y}", R"({"a":"${tool}"})"), notify("plain"), text("n")); },
        [](own& s) { s.on(call("t")).then(raw(R"({"not":"${a}"})"), default_response()); },
        [](own& s) { s.on(call("t")).then(send_request("roots/list"), text("after")); },
        [](own& s) { s.on(call("t")).then(send_request("a/b", R"({"c":"${d}"})", "answer", 100ms), text("after")); },
        [](own& s) { s.on(call("t")).then(hang()); },
        [](own& s) { s.on(call("t")).then(drop_connection()); },
        [](own& s) { s.on(call("t")).then(delay(10ms)); }, // no response
        [](own& s) { s.on(call("t")).then(); },
        [](own& s) { s.on(call("t")).then(fault(fault_kind::wrong_id), text("x")); },
        [](own& s) {
            s.on(call("t")).then(fault({.kind = fault_kind::delay, .delay_ms = 150}), text("x"));
            s.on(request("tools/list")).then(fault({.kind = fault_kind::oversize, .amount = 9}), default_response());
        },
        [](own& s) {
            s.on(call("t")).then(action([](exchange& on, auto const& next) { on.reply("\"own\":1"), next(); },
                                        action_needs::request, {R"({"result":{"own":1}})", false}));
        },
        // phases and the end of the phases
        [](own& s) { s.on(call("t")).once(text("1")).times(2, text("2")).pass(1).then(text("3")); },
        [](own& s) { s.on(call("t")).once(drop_connection()); },
        [](own& s) { s.on(call("t")); },
        [](own& s) {
            s.on(call("t")).times(2, text("1")).after_last(used_up::next_rule);
            s.on(call("t")).then(text("2"));
        },
        [](own& s) { s.on(call("t")).once(text("1")).once(text("2")).after_last(used_up::repeat_last); },
        [](own& s) { s.on(call("t")).once(text("1")).once(text("2")).after_last(used_up::cycle); },
        [](own& s) { s.on(call("t")).once(text("1")).after_last(used_up::refuse); },
        [](own& s) { s.on(call("t")).once(text("1")).after_last(used_up::refuse).named("my ${rule}"); },
        [](own& s) { s.on(call("t")).once(text("1")).after_last(used_up::repeat_last); },
        // triggers
        [](own& s) { s.on(request("extension/x")).then(result("\"x\":1")); },
        [](own& s) { s.on(request("tools/call")).then(text("each")); },
        [](own& s) { s.on(request("initialize")).once(rpc_error(-1, "no")).pass(9); },
        [](own& s) { s.on(notification("notifications/roots/list_changed")).once(notify("seen")); },
        [](own& s) {
            s.on(call("t")).then(send_request("roots/list"), text("after"));
            s.on(response("roots/list")).once(notify("first")).pass(1).then(notify("later"));
        },
        [](own& s) { s.on(connection_opened()).then(notify("hello")); },
        [](own& s) {
            s.on(call("t")).once(drop_connection()).then(text("${"));
            s.on(connection_closed()).set_state("line", "lost").then();
            s.on(call("t")).in_state("line", "lost").then(text("lost")).conditions().priority = 1;
        },
        [](own& s) {
            s.on(input_closed())
                .then(delay(100ms), action(
                                        [](exchange& on, auto const& next) {
                                            on.values().states["client"] = "left";
                                            next();
                                        },
                                        action_needs::nothing, {R"({"set":{"client":"left"}})", true}));
            s.on(call("t")).in_state("client", "left").then(text("closed before"));
        },
        [](own& s) { s.on(signal_received()).then(notify("signal")); },
        [](own& s) { s.on(signal_received("SIGINT")).then(notify("interrupted")); },
        [](own& s) { s.on(server_started()).then(delay(100ms), notify("started")); },
        [](own& s) { s.on(time_reached(2s)).then(notify("two")); },
        [](own& s) { s.on(time_reached(1s + 1ns)).once(notify("one")).after_last(used_up::refuse); },
        [](own& s) { s.on(gate_opened("g")).then(notify("gate")); },
        // conditions and changes
        [](own& s) { s.on(call(arg<&seat::city>(eq("Paris")), arg<&seat::n>(between(1, 3)))).then(text("both")); },
        [](own& s) {
            s.on(call(arg<&seat::n>(gt(1)), arg<&seat::n>(lt(4)))).then(text("two conditions of one value"));
            s.on(call(arg<&seat::city>(ne("Oslo")), arg<&seat::n>(in(1, 4)))).then(text("in"));
            s.on(call(arg<&seat::city>(prefix("Os")))).then(text("prefix"));
            s.on(call(arg<&seat::city>(suffix("is")), arg<&seat::n>(ge(5)))).then(text("suffix"));
            s.on(call(arg<&seat::city>(matches("^p")))).then(text("expression"));
            s.on(call(arg<&seat::city>(contains("ar")), arg<&seat::n>(le(0)))).then(text("contains"));
        },
        [](own& s) {
            s.on(call("t")).named("draws").then(text("x")).conditions().chance = 0.5;
            s.values().seed = 5;
        },
        [](own& s) { s.on(call("t")).then(text("x")).conditions().last = 2; },
        [](own& s) { s.on(call("t")).then(text("x")).conditions().first = 3; },
        [](own& s) {
            auto& every = s.on(call("t")).then(text("x")).conditions();
            every.first = every.every = 2;
        },
        [](own& s) {
            auto& one = s.on(call("t")).then(text("x")).conditions();
            one.first = one.last = 3;
            s.on(call("t")).then(text("never")).conditions().last = 0;
        },
        [](own& s) { s.on(call("t")).during(1s, 2s).then(text("in time")); },
        [](own& s) {
            s.on(call("u")).set_state("a", "${x}").change({value_change::kind::add, "n", 2.5}).then(text("set"));
            s.on(call("t")).in_state("a", "${x}").change({value_change::kind::set, "n", {1}}).then(text("in state"));
            s.values().states["a"] = "${x}";
            s.values().vars["n"] = 4;
        },
        // the server
        [](own& s) {
            s.tool("t", R"({"type":"object","properties":{"city":{}}})", nullptr, R"({"readOnlyHint":true})",
                   R"({"type":"object"})");
            s.describe("t", "A ${tool}").tool("v", R"({"type":"object"})", nullptr);
            s.page_size(1);
        },
        [](own& s) {
            s.dialogue().name = "own";
            s.dialogue().version = "3";
            s.dialogue().instructions = "use ${it}";
            s.dialogue().capabilities = R"({"tools":{},"logging":{}})";
            s.dialogue().protocol_versions = {linkspan::protocol_version::v2025_06_18};
        },
        [](own& s) {
            s.on(call("t")).then(text("x"));
            s.values().seed = 9;
            s.set_chaos(chaos(9, {.percent = 50,
                                  .max_delay = 200ms,
                                  .kinds = {fault_kind::delay, fault_kind::duplicate},
                                  .max_faults = 5}));
        },
    };
}

} // namespace

BOOST_AUTO_TEST_CASE(server_of_an_exported_script_behaves_as_the_original)
{
    std::set<std::string> behaviours;
    for (auto const& build : servers()) {
        auto const script = script_of(build);
        auto const expected = behaviour_of(build);
        BOOST_TEST(behaviour_of(reading(script)) == expected, script);
        BOOST_TEST(script_of(reading(script)) == script);
        behaviours.insert(expected);
    }
    // The messages of the client show each part. Three servers send no response to calls.
    BOOST_TEST(behaviours.size() == servers().size() - 2);
}

BOOST_AUTO_TEST_CASE(scripts_of_the_folder_are_equal_after_a_second_export)
{
    auto const folder = std::string(std::getenv("LINKSPAN_TEST_DIR")) + "/../mock_servers/scripts";
    int scripts = 0;
    for (auto const& file : std::filesystem::directory_iterator(folder)) {
        auto const path = file.path().string();
        build_type const original = [&](scripted_server& server) { mock_script::load(path).add_to(server); };
        auto const script = script_of(original);
        BOOST_TEST(script_of(reading(script)) == script, path);
        BOOST_TEST(behaviour_of(reading(script)) == behaviour_of(original), script);
        ++scripts;
    }
    BOOST_TEST(scripts >= 10);
}

BOOST_AUTO_TEST_CASE(actions_of_scripts_are_exported_as_they_were_read)
{
    for (std::string const action : {
             R"({"text":"${params.arguments.city} $${"})",
             R"({"content":[{"type":"text","text":"${vars.a}"}]})",
             R"({"inputRequired":{"requests":{},"state":"${method}"}})",
             R"({"http":{"status":503,"headers":{"a":"${tool}"},"body":"${tool}"}})",
             R"({"progress":{"count":3,"every":"100ms","from":2,"total":9}})",
             R"({"log":{"level":"info","data":"${tool}"}})",
             R"({"sample":{"params":{"a":"${tool}"},"saveAs":"s","timeout":"1s"}})",
             R"({"elicit":{"params":{}}})",
             R"({"delay":{"uniform":["1ms","2ms"]}})",
             R"({"tools":{"add":[],"remove":["x"],"notify":false}})",
             R"({"set":{"$a":{"add":1},"b":"${tool} $${c}"}})",
             R"({"stderr":"line"})",
             R"({"exit":3})",
         }) {
        auto const rule = R"("do":[)" + action + R"(,{"hang":true}]})";
        auto const script = script_of(reading(R"({"mock":1,"rules":[{"on":{"call":"t"},)" + rule + "]}"));
        BOOST_TEST(contains(script, action), script);
    }
}

BOOST_AUTO_TEST_CASE(rules_of_http_requests_are_exported_as_they_are_read)
{
    scripted_server server;
    server.on(http_request("GET", "/mcp")).then(respond_http(405, "no \"${x}\"", {{"Allow", "POST"}}));
    server.on(http_request()).once(delay(1s)).then(hang());
    auto const script = to_script(server);
    BOOST_TEST(contains(script, R"("rules": [
  {"on":{"http":{"method":"GET","path":"/mcp"}},"do":[{"http":{"status":405,"headers":{"Allow":"POST"},"body":"no \"$${x}\""}}]},
  {"on":{"http":{}},"sequence":[[{"delay":"1s"}],[{"hang":true}]]}
])"),
               script);
    scripted_server read;
    mock_script::parse(script).add_to(read);
    BOOST_TEST(to_script(read) == script);
}

BOOST_AUTO_TEST_CASE(tools_of_scripts_are_exported_with_their_replies)
{
    auto const read = reading(R"({"mock":1,"unmatched":"hang","tools":[{"name":"a"},
        {"name":"b","reply":{"text":"${tool}"}},{"name":"c","outputSchema":{"type":"object"}},
        {"name":"d","outputSchema":{"type":"object"},"reply":{"default":true}}],
        "rules":[{"on":{"call":"e"},"do":[{"default":true}]}]})");
    auto const script = script_of([&](scripted_server& s) {
        read(s);
        s.tool("f", R"({"type":"object"})", nullptr);
    });
    auto const schema = std::string(R"(,"inputSchema":{"type":"object"})"),
               with = schema + R"(,"outputSchema":{"type":"object"})";
    BOOST_TEST(script == "{\n\"mock\": 1,\n\"tools\": [\n  {\"name\":\"a\"" + schema + "},\n  {\"name\":\"b\"" +
                             schema + ",\"reply\":{\"text\":\"${tool}\"}},\n  {\"name\":\"c\"" + with +
                             "},\n  {\"name\":\"d\"" + with + ",\"reply\":{\"default\":true}},\n  {\"name\":\"e\"" +
                             schema + "},\n  {\"name\":\"f\"" + schema +
                             ",\"reply\":{\"content\":[]}}\n],\n\"unmatched\": \"hang\",\n\"rules\": [\n  "
                             "{\"on\":{\"call\":\"e\"},\"do\":[{\"default\":true}]}\n]\n}\n");
    BOOST_TEST(script_of(reading(script)) == script);
}

BOOST_AUTO_TEST_CASE(texts_of_changes_and_header_fields_without_expressions_are_escaped)
{
    auto const script = script_of([](scripted_server& s) {
        s.on(call("t"))
            .set_state("s", "${a}")
            .change({value_change::kind::set, "v", "${b}"})
            .then(respond_http(429, "", {{"A", "${c}"}}));
    });
    BOOST_TEST(contains(script, R"("set":{"s":"$${a}","$v":"$${b}"})"), script);
    BOOST_TEST(contains(script, R"("headers":{"A":"$${c}"})"), script);
    BOOST_TEST(script_of(reading(script)) == script);
}

BOOST_AUTO_TEST_CASE(icons_of_a_tool_that_are_no_array_are_a_problem)
{
    for (std::string const icons : {"{}", "["}) {
        auto const report = problems_of([&](scripted_server& s) {
            s.declare({.name = "t",
                       .description = {},
                       .input_schema = R"({"type":"object"})",
                       .annotations = {},
                       .output_schema = {},
                       .icons = icons});
        });
        BOOST_TEST(report.starts_with("to_script: tool 't': /tools/0: the text of the icons is "), report);
    }
}

BOOST_AUTO_TEST_CASE(parts_without_a_form_are_problems_that_name_the_rule)
{
    auto const is_called = [](exchange& on, std::function<void()> const& next) {
        on.reply("\"content\":[]");
        next();
    };
    auto const report = problems_of([&](scripted_server& s) {
        s.on(call("t")).named("own").once(text("a")).then(delay(1s), is_called);
        s.on(call<seat>([](seat const& one) { return one.n > 1; })).then(is_called);
        s.on(request("a/b")).named("json").then(result("\"a\":1,\"a\":2"), notify("x", "[1"));
    });
    BOOST_TEST(report ==
               "to_script: rule 'own': /rules/0: action 2 of phase 2 is a function of this program\n"
               "to_script: rule #2 (tools/call t): /rules/1: the condition on the arguments is a function of "
               "this program; conditions such as arg<...>(eq(...)) have a form\n"
               "to_script: rule #2 (tools/call t): /rules/1: action 1 of phase 1 is a function of this program\n"
               "to_script: rule 'json': /rules/2: the JSON text of action 1 of phase 1 is ambiguous: duplicate "
               "key '/result/a'\n"
               "to_script: rule 'json': /rules/2: the JSON text of action 2 of phase 1 is not valid "
               "JSON: unexpected '}' at byte 36, inside '/notify/params'");
}

BOOST_AUTO_TEST_CASE(server_of_a_world_without_chaos_has_no_faults)
{
    world here;
    auto& shop = here.add_server("shop");
    shop.on(call("buy")).then(text("bought"));
    BOOST_TEST(!contains(to_script(shop), "chaos"));
}

BOOST_AUTO_TEST_CASE(each_part_of_a_server_without_a_form_is_a_problem)
{
    struct row {
        build_type build;
        std::string expected;
    };
    auto const add = [](scripted_server& s) -> rule& { return s.on(call("t")).then(text("x")); };
    auto const read = [](scripted_server& s, std::string const& tool) {
        mock_script::parse(R"({"mock":1,"tools":[)" + tool + "]}").add_to(s);
    };
    for (auto const& [build, expected] : {
             row{[](auto& s) { s.line_suffix("\r"); }, "line_suffix"},
             row{[](auto& s) { s.cut_requests_after(9); }, "cut_requests_after"},
             row{[](auto& s) { s.cut_responses_after(9); }, "cut_responses_after"},
             row{[](auto& s) {
                     s.set_chaos(chaos(
                         parse_chaos_plan(R"({"faults":[{"server":"s","connection":1,"message":1,"fault":"drop"}]})")));
                 },
                 "faults of a plan"},
             row{[](auto& s) { s.set_chaos(chaos(3)); }, "of another seed"},
             row{[](auto& s) { s.dialogue().title = "T"; }, "title"},
             row{[](auto& s) { s.dialogue().capabilities = "{"; }, "the text of the capabilities is"},
             row{[](auto& s) { s.dialogue().capabilities_of = [](auto) { return ""; }; },
                 "capabilities are a function"},
             row{[](auto& s) { s.dialogue().protocol_versions.clear(); }, "/protocolVersions: expected"},
             row{[](auto& s) { s.open_gate("g"); }, "gate 'g' is open"},
             row{[](auto& s) { s.tool("a", "{}", nullptr); }, "tool 'a': /tools/0: the input schema has no type"},
             row{[](auto& s) { s.tool("a", "1", nullptr); }, "the input schema is not a JSON object"},
             row{[](auto& s) { s.tool("a", R"({"type":"array"})", nullptr); }, "tool 'a': /tools/0/inputSchema/type"},
             row{[](auto& s) { s.tool("a", R"({"type":"object"})", [](auto) { return ""; }); }, "a function of this"},
             row{[](auto& s) {
                     s.tool("a", R"({"type":"object"})", nullptr).tool("a", R"({"type":"object"})", nullptr);
                 },
                 "/tools/1/name: expected a name that no other tool has"},
             row{[&](auto& s) { add(s), s.remove_tool("t"); }, "the tool 't' is not declared"},
             row{[](auto& s) { s.on(call("t")).then(delay(-1s), text("x")); }, "/rules/0/do/0/delay: expected a time"},
             row{[](auto& s) { s.on(call("t")).then(raw("a\nb")); }, "/rules/0/do/0/emit: expected"},
             row{[](auto& s) { s.on(call("t")).then(text("\xFF")); }, "the JSON text of action 1 of phase 1 is"},
             row{[](auto& s) { s.on(call("t")).times(10'001, text("x")); }, "10001 requests"},
             row{[&](auto& s) { add(s).named("#7"); }, "rule '#7': /rules/0/id"},
             row{[&](auto& s) { add(s).named("a"), add(s).named("a"); }, "rule 'a': /rules/1/id"},
             row{[&](auto& s) { add(s).conditions().chance = 0.5; }, "a name is required"},
             row{[&](auto& s) { add(s).conditions().every = 2; }, "a script selects multiples"},
             row{[&](auto& s) { add(s).set_state("$a", "b"); }, "begins with '$'"},
             row{[&](auto& s) {
                     add(s).change({value_change::kind::add, "n", 1}).change({value_change::kind::add, "n", 1});
                 },
                 "'n' is changed twice"},
             row{[&](auto& s) {
                     add(s).change({value_change::kind::set, "n", boost::json::object{{"add", 1}}});
                 },
                 "an addition in a script"},
             row{[](auto& s) {
                     s.on(trigger{"a/b", "t"}).then(text("x"));
                 },
                 "no event has the method"},
             row{[](auto& s) { s.on(notification("a")).then(text("x")); }, ""}, // rejected when it is added
             row{[&](auto& s) {
                     read(s, R"({"name":"t","reply":{"text":"a"}})");
                     s.on(call("t")).once(text("b"));
                 },
                 "the reply of the tool"},
             row{[&](auto& s) {
                     read(s, R"({"name":"t","reply":{"text":"a"}})");
                     add(s).conditions().priority = std::numeric_limits<int>::min();
                 },
                 "follows the replies of the tools"},
             row{[&](auto& s) {
                     read(s, R"({"name":"t","reply":{"text":"a"}})");
                     s.remove_tool("t");
                 },
                 "the tool 't', which is not declared"},
         }) {
        if (expected.empty())
            BOOST_CHECK_THROW(problems_of(build), std::invalid_argument);
        else
            BOOST_TEST(contains(problems_of(build), expected), problems_of(build) + " lacks " + expected);
    }
}

BOOST_AUTO_TEST_CASE(server_behind_the_rules_is_a_problem)
{
    world here;
    linkspan::server behind(here.executor, {.name = "own", .version = "1"});
    scripted_server rules(behind);
    BOOST_CHECK_EXCEPTION(to_script(rules), script_error,
                          [](auto const& failure) { return contains(failure.what(), "the server behind the rules"); });
}

BOOST_AUTO_TEST_SUITE_END()
