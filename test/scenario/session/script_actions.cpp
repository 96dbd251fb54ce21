// Actions on the state, the tools and the process of a scripted server, in C++ and in scripts.

#include <linkspan/model/log_level.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/state_actions.hpp>
#include <linkspan/test/script/to_script.hpp>
#include <linkspan/test/world.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"

BOOST_AUTO_TEST_SUITE(script_actions_test)

using namespace linkspan::test;
using linkspan::log_level;
using linkspan::test::contains;
using namespace std::chrono_literals;

namespace {

auto const handshake = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                       R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";

using build_type = std::function<void(scripted_server&)>;

// Returns the responses of a server to these messages, with the time of each, and all other messages that it sends.
std::string dialogue(build_type const& build, std::vector<std::string> const& messages)
{
    world here;
    auto& server = here.add_server("mock");
    build(server);
    auto const client = line_client::open(here.executor, server);
    client->is_recorded = false; // the scripted server records the messages
    client->send(handshake);
    std::string out;
    std::size_t seen = 0;
    for (auto const& one : messages) {
        client->send(one);
        here.time.run_for(1s);
        for (; seen != client->messages.size(); ++seen)
            out += client->messages[seen] + '\n';
    }
    client->close();
    here.run_until_idle();
    return out;
}

std::string call_of(std::string const& tool, std::string const& arguments = "{}")
{
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" +
           arguments + "}}";
}

std::string request_of(std::string const& method, std::string const& params)
{
    return R"({"jsonrpc":"2.0","id":2,"method":")" + method + R"(","params":)" + params + "}";
}

// Returns the dialogue with a server of a script.
std::string dialogue_of(std::string const& script, std::vector<std::string> const& messages)
{
    return dialogue([&script](scripted_server& server) { mock_script::parse(script).add_to(server); }, messages);
}

void build_with_actions(scripted_server& server)
{
    server.values().states["auth"] = "none";
    server.values().vars["n"] = 1;
    server.on(call("login")).then(set_state("auth", "${id}"), set_variable("user", {{"name", "ann"}}), text("welcome"));
    server.on(call("add")).then(add_to_variable("n", 2), log(log_level::warning, "${n} grows"), text("added"));
    server.on(call("reset")).then(reset_values(), text("reset"));
    server.on(call("pay")).in_state("auth", "${id}").then(text("paid"));
    server.on(call("pay")).then(tool_error("log in first"));
    server.on(call("grow")).then(declare_tool({.name = "new"}), text("grown"));
    server.on(call("shrink")).then(remove_tool("new"), text("shrunk"));
    server.on(call("slow")).then(delay({{"ramp", {"1ms", "20ms", "10s"}}}), write_to_stderr("slow"), text("late"));
    server.on(call("end")).then(exit_process(4));
}

} // namespace

BOOST_AUTO_TEST_CASE(actions_of_a_program_have_the_same_effect_in_an_exported_script)
{
    auto const list = request_of("tools/list", "{}");
    std::vector<std::string> const messages{call_of("pay"),
                                            call_of("login"),
                                            call_of("pay"),
                                            call_of("add"),
                                            call_of("new"),
                                            call_of("grow"),
                                            call_of("new"),
                                            list,
                                            call_of("add"),
                                            call_of("slow"),
                                            call_of("shrink"),
                                            call_of("new"),
                                            list,
                                            call_of("reset"),
                                            call_of("pay"),
                                            call_of("end"),
                                            list};
    scripted_server original;
    build_with_actions(original);
    auto const of_program = dialogue(build_with_actions, messages);
    BOOST_TEST(dialogue_of(to_script(original), messages) == of_program);

    // The state is a text, and not an expression.
    BOOST_TEST(contains(of_program, "log in first"), of_program);
    BOOST_TEST(contains(of_program, "paid"), of_program);
    BOOST_TEST(contains(of_program, R"("method":"notifications/message","params":{"level":"warning",)"
                                    R"("data":"${n} grows"})"),
               of_program);
    BOOST_TEST(contains(of_program, "Unknown tool: new"), of_program);
    BOOST_TEST(contains(of_program, R"({"name":"new","inputSchema":{"type":"object"}})"), of_program);
    BOOST_TEST(contains(of_program, "late"), of_program);
    BOOST_TEST(of_program.find("log in first") != of_program.rfind("log in first"), of_program); // after the reset
}

BOOST_AUTO_TEST_CASE(actions_change_states_variables_and_the_process)
{
    world here;
    auto& server = here.add_server("mock");
    build_with_actions(server);
    int status = 0;
    server.values().exit = [&status](int with) { status = with; };
    auto const client = line_client::open(here.executor, server);
    client->is_recorded = false; // the scripted server records the messages
    client->send(handshake);
    for (auto const* const tool : {"login", "add", "add", "end"})
        client->send(call_of(tool));
    here.time.run_for(1s);
    BOOST_TEST(server.values().state("auth") == "${id}");
    BOOST_TEST((server.values().vars == boost::json::object{{"n", 5}, {"user", {{"name", "ann"}}}}));
    BOOST_TEST(status == 4);
    client->send(call_of("reset"));
    here.time.run_for(1s);
    BOOST_TEST(server.values().state("auth") == "none");
    BOOST_TEST((server.values().vars == boost::json::object{{"n", 1}}));
    client->close();
    here.run_until_idle();
}

BOOST_AUTO_TEST_CASE(actions_of_an_event_find_the_declared_tools)
{
    world here;
    auto& server = here.add_server("mock");
    std::vector<bool> found;
    server.on(call("login")).then(open_gate("ready"), text("welcome"));
    server.on(gate_opened("ready")).then([&found](exchange& on, std::function<void()> const& next) {
        for (auto const* const tool : {"login", "absent"})
            found.push_back(on.has_tool(tool));
        next();
    });
    auto const client = line_client::open(here.executor, server);
    client->is_recorded = false; // the scripted server records the messages
    client->send(handshake);
    client->send(call_of("login"));
    here.time.run_for(1s);
    BOOST_TEST((found == std::vector<bool>{true, false}));
    client->close();
    here.run_until_idle();
}

BOOST_AUTO_TEST_CASE(invalid_parameters_of_actions_are_rejected)
{
    auto const expects = [](std::string_view text) {
        return [text](std::invalid_argument const& wrong) { return contains(wrong.what(), text); };
    };
    BOOST_CHECK_EXCEPTION(delay({{"uniform", {"10ms"}}}), std::invalid_argument, expects("linkspan: action: /delay"));
    BOOST_CHECK_EXCEPTION(delay({{"exp", "soon"}}), std::invalid_argument,
                          expects("linkspan: action: /delay: expected"));
    BOOST_CHECK_EXCEPTION(set_state("$auth", "none"), std::invalid_argument,
                          expects("linkspan: action: set_state: expected a name that does not begin with '$'"));
    BOOST_CHECK_EXCEPTION(set_variable("n", {{"add", 1}}), std::invalid_argument,
                          expects("linkspan: action: set_variable: expected a value that is no object with the only "
                                  "member 'add'"));
    set_variable("n", {{"add", 1}, {"b", 2}});
    scripted_server server;
    auto& complete = server.on(call("t")).then(text("x"));
    BOOST_CHECK_EXCEPTION(complete.once(text("y")), std::invalid_argument,
                          expects("linkspan: rule: expected no phase after the one for all further requests"));
    BOOST_CHECK_THROW(complete.pass(1), std::invalid_argument);
    BOOST_CHECK_EXCEPTION(complete.change({.what = value_change::kind::add, .name = "n", .value = "abc"}),
                          std::invalid_argument,
                          expects("linkspan: rule: expected a number that is added to the variable 'n'"));
    BOOST_CHECK_EXCEPTION(exit_process(256), std::invalid_argument,
                          expects("linkspan: action: /exit: expected an integer from 0 to 255, found 256"));
}

BOOST_AUTO_TEST_CASE(partial_script_has_the_parts_with_a_form)
{
    scripted_server server;
    server.tool("own", R"({"type":"object"})", [](std::string_view) { return std::string(); });
    server.on(call("t")).named("a").then(text("x"));
    server.on(call("t")).named("own action").then([](exchange& on, auto const& next) {
        on.reply("");
        next();
    });
    server.on(call("u")).named("b").then(text("y"));
    trigger own = call("t");
    own.where = [](std::string_view) { return true; };
    std::vector<any_expectation> const expected{expectation(own), expectation(call("t")),
                                                rule_order({"a", "own action"}), rule_order({"a", "b"})};
    auto const [json, omitted] = to_partial_script(server, expected);
    std::string texts;
    for (auto const& one : omitted)
        texts += one.subject + ": " + one.pointer + ": " + one.message + '\n';
    BOOST_TEST(contains(texts, "tool 'own': /tools/0: the result is a function of this program\n"), texts);
    BOOST_TEST(contains(texts, "rule 'own action': /rules/1: action 1 of phase 1 is a function of this program\n"),
               texts);
    BOOST_TEST(contains(texts, "expectation #1: /expect/0: the condition on the arguments is a function"), texts);
    BOOST_TEST(contains(texts, "expectation #3: /expect/2/order/1: expected the name of a rule, found \"own action\""),
               texts);
    BOOST_TEST(omitted.size() == 4u, texts);

    auto const script = boost::json::parse(json);
    BOOST_TEST(script.at("tools").as_array().size() == 3u, json);
    BOOST_TEST(script.at("rules").as_array().size() == 2u, json);
    BOOST_TEST(script.at("expect").as_array().size() == 2u, json);
    BOOST_TEST(contains(dialogue_of(json, {call_of("u")}), R"("text":"y")"), json);
    BOOST_CHECK_THROW(to_script(server, expected), script_error);
}

BOOST_AUTO_TEST_CASE(texts_of_resources_are_evaluated_when_their_action_runs)
{
    std::string const script = R"({"mock":1,"resources":[{"uri":"r://a","text":"at first"}],"rules":[
        {"on":{"call":"change"},"do":[{"resource":{"uri":"r://a","text":"${params.arguments.v} by ${tool}"}},{"text":"ok"}]},
        {"on":{"call":"add"},"do":[{"resources":{"add":[{"uri":"r://b","text":"$${} ${params.arguments.v}"}]}},
                                   {"text":"ok"}]}]})";
    auto const read_a = request_of("resources/read", R"({"uri":"r://a"})");
    auto const read_b = request_of("resources/read", R"({"uri":"r://b"})");
    auto const got =
        dialogue_of(script, {read_a, call_of("change", R"({"v":42})"), read_a, call_of("change", R"({"v":43})"), read_a,
                             call_of("add", R"({"v":"x"})"), read_b});
    BOOST_TEST(contains(got, R"("text":"at first")"), got);
    BOOST_TEST(contains(got, R"("text":"42 by change")"), got);
    BOOST_TEST(contains(got, R"("text":"43 by change")"), got);
    BOOST_TEST(contains(got, R"("text":"${} x")"), got);

    scripted_server server;
    mock_script::parse(R"({"mock":1,"resources":[{"uri":"r://a","text":"at first"}],"rules":[
        {"on":{"call":"change"},"do":[{"resource":{"uri":"r://a","text":"${params.arguments.v}"}},{"text":"ok"}]}]})")
        .add_to(server);
    auto const exported = dialogue_of(to_script(server), {call_of("change", R"({"v":42})"), read_a});
    BOOST_TEST(contains(exported, R"("text":"42")"), exported);
    BOOST_CHECK_EXCEPTION(
        mock_script::parse(R"({"mock":1,"resources":[{"uri":"a","text":""}],"rules":[{"on":{"call":"t"},"do":[
            {"resource":{"uri":"a","text":"${oops}"}},{"text":"ok"}]}]})"),
        script_error,
        [](script_error const& wrong) { return contains(wrong.what(), "/rules/0/do/0/resource/text: expected"); });
}

BOOST_AUTO_TEST_CASE(calls_of_tools_that_actions_change_depend_on_the_current_tools)
{
    std::string const changes = R"("tools":[{"name":"old","reply":{"text":"of old"}}],"rules":[
        {"on":{"call":"change"},"do":[{"tools":{"remove":["old"],"add":[{"name":"new"},{"name":"drawn","outputSchema":
            {"type":"object","properties":{"y":{"type":"integer","minimum":7,"maximum":7}},"required":["y"]}}]}},
            {"text":"ok"}]}]})";
    std::vector<std::string> const before{call_of("old"), call_of("new"), call_of("drawn")};
    std::vector<std::string> const after{call_of("change"), call_of("old"), call_of("new"), call_of("drawn")};
    std::string const script = R"({"mock":1,"unmatched":"error",)" + changes;
    auto const first = dialogue_of(script, before);
    BOOST_TEST(contains(first, "of old"), first);
    BOOST_TEST(contains(first, "Unknown tool: new"), first);
    BOOST_TEST(contains(first, "Unknown tool: drawn"), first);
    auto const then = dialogue_of(script, after);
    BOOST_TEST(contains(then, "Unknown tool: old"), then);
    BOOST_TEST(contains(then, "the script has no rule for this call of 'new'"), then);
    BOOST_TEST(contains(then, R"("structuredContent":{"y":7})"), then);

    scripted_server server;
    mock_script::parse(script).add_to(server);
    BOOST_TEST(dialogue_of(to_script(server), after) == then);
}

BOOST_AUTO_TEST_CASE(script_with_log_messages_has_the_capability_logging)
{
    auto const set_level = request_of("logging/setLevel", R"({"level":"info"})");
    auto const with_log = dialogue_of(
        R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"log":{"data":"x"}},{"text":"ok"}]}]})", {set_level});
    BOOST_TEST(contains(with_log, R"("logging":{})"), with_log);
    BOOST_TEST(contains(with_log, R"("id":2,"result":{})"), with_log);
    auto const with_rule = dialogue_of(R"({"mock":1,"rules":[
        {"on":{"request":"logging/setLevel"},"do":[{"rpcError":{"code":-32602,"message":"no"}}]},
        {"on":{"call":"t"},"do":[{"log":{"data":"x"}},{"text":"ok"}]}]})",
                                       {set_level});
    BOOST_TEST(contains(with_rule, R"("logging":{})"), with_rule);
    BOOST_TEST(contains(with_rule, R"("id":2,"error":{"code":-32602)"), with_rule);
    auto const without = dialogue_of(R"({"mock":1})", {set_level});
    BOOST_TEST(!contains(without, R"("logging":{})"), without);
    BOOST_TEST(contains(without, "-32601"), without);
}

BOOST_AUTO_TEST_CASE(names_of_variables_have_no_dollar_sign)
{
    std::string const script = R"({"mock":1,"vars":{"$n":5},"rules":[{"on":{"call":"t"},"do":[
        {"elicit":{"params":{},"saveAs":"$v"}},{"text":"ok"}]}]})";
    BOOST_CHECK_EXCEPTION(mock_script::parse(script, "x"), script_error, [](script_error const& wrong) {
        BOOST_TEST(wrong.what() == R"(x: /vars/$n: expected the name of a variable without '$', which only 'set' )"
                                   "requires, found \"$n\"\n"
                                   "x: /rules/0/do/0/elicit/saveAs: expected the name of a variable without '$', which "
                                   "only 'set' requires, found \"$v\"");
        return true;
    });
}

BOOST_AUTO_TEST_SUITE_END()
