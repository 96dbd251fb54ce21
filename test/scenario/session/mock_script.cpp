#include <linkspan/model/required_elicitations.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/detail/exit_scope.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/exchange.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/script/to_script.hpp>
#include <linkspan/test/world.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/rpc_error.hpp"
#include "support/script_problems.hpp"
#include "support/script_world.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::protocol_version;
using linkspan::via;
namespace asio = boost::asio;

LINKSPAN_CASE_IN(script_world, tools_have_the_definition_of_the_script)
{
    co_await open(R"({"mock":1,"name":"n","server":{"info":{"name":"weather","version":"7"},"instructions":"Ask."},
        "pageSize":1,"tools":[
        {"name":"a","description":"first","inputSchema":{"type":"object","required":["x"]},
         "annotations":{"readOnlyHint":true}},
        {"name":"b","outputSchema":{"type":"object","properties":{"n":{"const":5}},"required":["n"]}}]})");
    auto const list = co_await client->async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 2u);
    BOOST_TEST(list.tools[0].description == "first");
    BOOST_TEST(list.tools[0].input_schema == R"({"type":"object","required":["x"]})");
    BOOST_TEST((list.tools[0].annotations.read_only == true));
    BOOST_TEST(server.received("tools/list") == 2u);
    BOOST_TEST(server.dialogue().version == "7");
    // A tool without a reply has a value for its output schema.
    BOOST_TEST(co_await reply("b") == R"({"n":5})");
    co_await reply("a");
    BOOST_TEST(last == rpc(-32603));
    BOOST_TEST(contains(last_result.detail(), "the script has no rule for this call of 'a'"), last_result.detail());
}

LINKSPAN_CASE_IN(script_world, unmatched_calls_have_the_chosen_response)
{
    co_await open(script_with(R"("unmatched":"respond")"));
    BOOST_TEST(co_await reply("t") == "");
    BOOST_TEST(!last);
    co_await reply("u"); // not a tool of the server
    BOOST_TEST(last == rpc(-32602));
    scripted_server silent;
    mock_script::parse(script_with(R"("unmatched":"hang")")).add_to(silent);
    linkspan::session used(executor, linkspan::via<linkspan::inproc>(silent));
    co_await used.async_open();
    auto const [ec, result] = co_await used.async_call_tool("t", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
}

LINKSPAN_CASE_IN(script_world, rules_precede_a_server_to_which_a_function_passes_messages_on)
{
    scripted_server other;
    mock_script::parse(R"({"mock":1,"tools":[{"name":"far","reply":{"text":"far away"}},
        {"name":"near","reply":{"text":"not reached"}}]})")
        .add_to(other);
    auto const script = mock_script::parse(R"({"mock":1,"unmatched":{"passthrough":{"command":["other","-x"]}},
        "tools":[{"name":"own"}],"rules":[{"on":{"call":"near"},"do":[{"text":"of a rule"}]}]})");
    BOOST_TEST_REQUIRE(script.passthrough().has_value());
    BOOST_TEST(script.passthrough()->command == (std::vector<std::string>{"other", "-x"}),
               boost::test_tools::per_element());
    BOOST_TEST(!mock_script::parse(R"({"mock":1})").passthrough().has_value());
    server.pass_on(
        [&](asio::any_io_executor const& on, linkspan::any_transport to) { other.serve(on, std::move(to)); });
    co_await open(script);
    auto const list = co_await client->async_list_tools();
    BOOST_TEST(list.tools.size() == 2u); // those of the other server
    BOOST_TEST(co_await reply("far") == "far away");
    BOOST_TEST(co_await reply("near") == "of a rule");
    BOOST_TEST(other.received("tools/call") == 1u);
    BOOST_TEST(server.received("tools/call") == 2u);
    BOOST_CHECK_EXCEPTION(to_script(server), script_error, [](script_error const& failure) {
        return contains(failure.what(), "the server behind the rules is a part of this program");
    });
}

LINKSPAN_CASE_IN(script_world, request_that_no_rule_handles_ends_a_server_that_fails_fast)
{
    server.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    co_await open(R"({"mock":1,"unmatched":"fail-fast","tools":[{"name":"t"},{"name":"u","reply":{"text":"u"}}],
        "rules":[{"id":"Oslo","on":{"call":"t"},"where":{"/arguments/city":"Oslo"},"do":[{"text":"Oslo"}]}]})");
    BOOST_TEST(co_await reply("t", R"({"city":"Oslo"})") == "Oslo");
    BOOST_TEST(co_await reply("u") == "u");
    BOOST_TEST(server.connections() == 1u);
    for (std::string const tool : {"t", "x"}) {
        co_await reply(tool);
        BOOST_TEST((last == error::stream_ended), tool << ": " << last.message());
        co_await client->async_open();
    }
    auto const [ec, raw] = co_await client->async_request("no/such", {}, in_tuple);
    BOOST_TEST((ec == error::stream_ended), ec.message());
    auto const script = to_script(server);
    BOOST_TEST(contains(script, R"("unmatched": "fail-fast")"), script);
    scripted_server read;
    mock_script::parse(script).add_to(read);
    BOOST_TEST(to_script(read) == script);
}

LINKSPAN_CASE_IN(script_world, expectations_are_verified_with_a_report_of_all_that_are_not_met)
{
    auto const script = mock_script::parse(R"({"mock":1,"tools":[{"name":"t"},{"name":"delete"}],"rules":[
        {"id":"slow","on":{"call":"t"},"where":{"/arguments/n":0},"do":[{"hang":true}]},
        {"id":"login","on":{"call":"t"},"where":{"/arguments/n":1},"do":[{"text":"1"}]},
        {"id":"pay","on":{"call":"t"},"do":[{"text":"2"}]}],
        "expect":[{"call":"t","where":{"/arguments/n":{"ge":1}},"count":{"min":2,"max":3}},{"never":{"call":"delete"}},
        {"cancelled":{"call":"t","where":{"/arguments/n":0}}},{"order":["login","pay"]},{"call":"t","count":3}]})");
    co_await open(script);
    co_await reply("t", R"({"n":2})");
    auto const early = script.verify(server);
    BOOST_TEST(!early);
    BOOST_TEST(contains(early.report(), "expected 2 to 3 tools/call t, where /arguments/n is {\"ge\":1}; found 1"),
               early);
    BOOST_TEST(contains(early.report(), "expected at least 1 cancelled tools/call t"), early);
    BOOST_TEST(contains(early.report(),
                        "expected the rules 'login', 'pay' in this order; rule 'login' was not selected; "
                        "selected rules: 'pay'"),
               early);
    BOOST_TEST(contains(early.report(), "expected exactly 3 tools/call t; found 1"), early);
    BOOST_TEST(!contains(early.report(), "delete"), early);

    co_await reply("t", R"({"n":0})"); // cancelled after 30 s
    co_await reply("t", R"({"n":1})");
    BOOST_TEST(contains(script.verify(server).report(), "rule 'pay' was not selected after 'login'"));
    co_await reply("t", R"({"n":3})");
    BOOST_TEST(contains(script.verify(server).report(), "expected exactly 3 tools/call t; found 4"));
    BOOST_TEST(server.verify(expectation(call("t")).exactly(4)));
    BOOST_TEST(server.requests().back().rule == "pay");
}

LINKSPAN_CASE_IN(script_world, first_rule_with_the_highest_priority_is_used)
{
    co_await open(script_with(R"("rules":[
        {"on":{"call":"t"},"where":{"/arguments/n":{"lt":3}},"do":[{"text":"small"}]},
        {"on":{"call":"t"},"where":{"/arguments/n":{"absent":true}},"do":[{"text":"none"}]},
        {"on":{"call":"t"},"do":[{"text":"large"}]},
        {"on":{"call":"t"},"where":{"/arguments/n":2},"priority":1,"do":[{"text":"two"}]}])"));
    BOOST_TEST(co_await reply("t", R"({"n":1})") == "small");
    BOOST_TEST(co_await reply("t", R"({"n":2})") == "two");
    BOOST_TEST(co_await reply("t", R"({"n":3})") == "large");
    BOOST_TEST(co_await reply("t") == "none");
}

LINKSPAN_CASE_IN(script_world, rule_applies_to_numbered_requests)
{
    co_await open(script_with(R"("rules":[
        {"on":{"call":"t"},"times":{"nth":2},"do":[{"text":"second"}]},
        {"on":{"call":"t"},"times":{"every":3},"do":[{"text":"third"}]},
        {"on":{"call":"t"},"times":1,"do":[{"text":"first"}]},
        {"on":{"call":"t"},"do":[{"text":"other"}]}])"));
    std::vector<std::string> replies;
    for (int i = 0; i != 8; ++i)
        replies.push_back(co_await reply("t"));
    // A request that an earlier rule handles is not counted by later ones.
    std::vector<std::string> const expected{"first", "second", "other", "third", "other", "other", "third", "other"};
    BOOST_TEST(replies == expected, boost::test_tools::per_element());
}

LINKSPAN_CASE_IN(script_world, ended_sequence_continues_as_its_member_after_specifies)
{
    auto const rules_with = [](std::string const& after) {
        return script_with(R"("rules":[{"id":"r","on":{"call":"t"},"sequence":[[{"text":"1"}],[{"text":"2"}]])" +
                           after + R"(},{"on":{"call":"t"},"do":[{"text":"later rule"}]}])");
    };
    struct row {
        std::string after, expected;
    };
    for (auto const& [after, expected] :
         {row{"", "2"}, row{R"(,"after":"repeat-last")", "2"}, row{R"(,"after":"cycle")", "1"},
          row{R"(,"after":"unmatched")", "later rule"}}) {
        scripted_server other;
        mock_script::parse(rules_with(after)).add_to(other);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        std::string replies;
        for (int i = 0; i != 3; ++i)
            replies += (co_await used.async_call_tool("t")).text() + ",";
        BOOST_TEST(replies == "1,2," + expected + ",", after);
    }
    co_await open(rules_with(R"(,"after":"fail")"));
    co_await reply("t");
    co_await reply("t");
    auto const message = co_await reply("t");
    BOOST_TEST(last == rpc(-32603));
    BOOST_TEST(contains(last_result.detail(), "rule 'r' has no further phase"), last_result.detail());
}

LINKSPAN_CASE_IN(script_world, state_changes_when_the_rule_is_selected_and_not_after_its_delay)
{
    co_await open(script_with(R"("scenarios":{"auth":"expired"},"rules":[
        {"on":{"call":"t"},"state":{"auth":"expired"},"set":{"auth":"fresh"},"do":[{"delay":"5s"},{"text":"login"}]},
        {"on":{"call":"t"},"state":{"auth":"fresh"},"do":[{"text":"welcome"}]}])"));
    completion_box slow;
    client->async_call_tool("t", {}, slow.handler());
    BOOST_TEST(co_await reply("t") == "welcome");
    BOOST_TEST(slow.count == 0u);
    co_await pass(executor, 6s);
    BOOST_TEST(slow.result.text() == "login");
    BOOST_TEST(server.values().states.at("auth") == "fresh");
}

LINKSPAN_CASE_IN(script_world, factor_of_times_applies_to_all_times_of_a_script)
{
    server.values().time_scale = 0.1;
    co_await open(script_with(R"("vars":{"n":0},"rules":[
        {"on":{"at":"10s"},"set":{"$n":1},"do":[]},
        {"on":{"call":"t"},"during":{"from":"20s"},"do":[{"text":"later"}]},
        {"on":{"call":"t"},"where":{"/arguments/by":"progress"},"do":[{"progress":{"count":2,"every":"1s"}},{"text":"x"}]},
        {"on":{"call":"t"},"where":{"/arguments/by":"fault"},"do":[{"fault":{"kind":"delay","delay":"3s"}},{"text":"x"}]},
        {"on":{"call":"t"},"where":{"/arguments/by":"ramp"},"do":[{"delay":{"ramp":["0s","10s","10s"]}},{"text":"x"}]},
        {"on":{"call":"t"},"do":[{"delay":"4s"},{"text":"n=${vars.n}"}]}])"));
    auto const start = linkspan::test::since_start(time);
    auto const elapsed = [&] { return (linkspan::test::since_start(time) - start) / 1ms; };
    BOOST_TEST(co_await reply("t") == "n=0");
    BOOST_TEST(elapsed() == 400);
    co_await reply("t", R"({"by":"progress"})");
    BOOST_TEST(elapsed() == 600);
    co_await reply("t", R"({"by":"fault"})");
    BOOST_TEST(elapsed() == 900);
    co_await reply("t", R"({"by":"ramp"})"); // 9 s of the script after the first connection
    BOOST_TEST(elapsed() == 1800);
    BOOST_TEST((server.requests().back().time == 9s));
    BOOST_TEST(server.values().vars.at("n") == 1); // since 1 s
    co_await pass(executor, 200ms);
    BOOST_TEST(co_await reply("t") == "later");
    BOOST_CHECK_EXCEPTION(to_script(server), script_error, [](script_error const& failure) {
        return contains(failure.what(), "the factor of times has no form in a script");
    });
}

LINKSPAN_CASE_IN(script_world, rule_applies_during_its_window)
{
    co_await open(script_with(R"("rules":[
        {"on":{"call":"t"},"during":{"from":"5s","to":"10s"},"do":[{"text":"outage"}]},
        {"on":{"call":"t"},"do":[{"text":"up"}]}])"));
    std::string replies;
    for (int i = 0; i != 6; ++i) { // at 0 s, 2.5 s, ..., 12.5 s
        replies += co_await reply("t") + ",";
        co_await pass(executor, 2500ms);
    }
    BOOST_TEST(replies == "up,up,outage,outage,up,up,");
}

LINKSPAN_CASE_IN(script_world, templates_have_values_of_request_and_variables)
{
    co_await open(
        script_with(R"("vars":{"n":0,"list":["a","b"]},"rules":[{"on":{"call":"t"},"set":{"$n":{"add":2}},"do":[
        {"structured":{"city":"${params.arguments.city}","days":"${params.arguments.days}","n":"${vars.n}",
        "text":"${method}/${tool}/${vars.list.1}/${vars.list}/${params.arguments.none}/$${x}",
        "none":"${vars.x}"}}]}])"));
    auto const text = co_await reply("t", R"({"city":"Oslo","days":{"from":3}})");
    BOOST_TEST(text ==
               R"({"city":"Oslo","days":{"from":3},"n":2,"text":"tools/call/t/b/[\"a\",\"b\"]//${x}","none":null})");
    BOOST_TEST(contains(co_await reply("t"), R"("n":4)"));
}

LINKSPAN_CASE_IN(script_world, text_with_two_expressions_has_both_values)
{
    co_await open(script_with(R"("vars":{"x":2.0},"rules":[{"on":{"call":"t"},"do":[{"structured":{"two":
        "${params.arguments.a}-${params.arguments.b}","x":"${vars.x}","text":"<${vars.x}>",
        "one":"${rand.int( 1, 1)}"}}]}])"));
    // A number has the same form in a text and as a value.
    BOOST_TEST(co_await reply("t", R"({"a":1,"b":"c"})") == R"({"two":"1-c","x":2,"text":"<2>","one":1})");
}

LINKSPAN_CASE_IN(script_world, addition_starts_at_0_and_does_not_overflow)
{
    co_await open(script_with(R"("vars":{"n":9223372036854775806,"m":-9223372036854775807},"rules":[{"on":{"call":"t"},
        "set":{"$n":{"add":1},"$m":{"add":-1},"$new":{"add":2}},"do":[{"text":"${vars.n} ${vars.m} ${vars.new}"}]}])"));
    BOOST_TEST(co_await reply("t") == "9223372036854775807 -9223372036854775808 2");
    co_await reply("t");
    BOOST_TEST(server.values().vars.at("n").get_double() == 9223372036854775808.0);
    BOOST_TEST(server.values().vars.at("m").get_double() == -9223372036854775809.0);
    BOOST_TEST(server.values().vars.at("new").get_int64() == 4);
}

LINKSPAN_CASE_IN(script_world, values_for_output_schemas_vary_and_depend_on_the_seed)
{
    auto const script = mock_script::parse(R"({"mock":1,"seed":7,"tools":[{"name":"t","outputSchema":{"type":"object",
        "properties":{"n":{"type":"integer","minimum":0,"maximum":1000000}},"required":["n"]}}],
        "rules":[{"on":{"call":"t"},"times":3,"do":[{"default":true}]}]})");
    std::set<std::string> runs;
    for (std::optional<std::uint64_t> const seed : {std::optional<std::uint64_t>(), {7}, {8}}) {
        scripted_server other;
        script.add_to(other, seed);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        std::set<std::string> values;
        std::string run;
        for (int i = 0; i != 20; ++i) {
            auto const text = (co_await used.async_call_tool("t")).text();
            values.insert(text);
            run += text;
        }
        BOOST_TEST(values.size() > 5u);
        runs.insert(run);
    }
    BOOST_TEST(runs.size() == 2u);
}

LINKSPAN_CASE_IN(script_world, rule_declares_its_tool)
{
    co_await open(R"({"mock":1,"tools":[{"name":"b","inputSchema":{"properties":{}}}],
        "rules":[{"on":{"call":"a"},"times":1,"do":[{"text":"1"}]}]})");
    auto const list = co_await client->async_list_tools();
    BOOST_TEST_REQUIRE(list.tools.size() == 2u);
    BOOST_TEST(list.tools[0].input_schema == R"({"properties":{},"type":"object"})");
    BOOST_TEST(list.tools[1].name == "a");
    BOOST_TEST(list.tools[1].input_schema == R"({"type":"object"})");
    BOOST_TEST(co_await reply("a") == "1");
    co_await reply("a");
    BOOST_TEST(last == rpc(-32603));
}

LINKSPAN_CASE_IN(script_world, unmatched_call_of_a_tool_that_a_rule_declares_has_the_chosen_response)
{
    auto const script_for = [](std::string const& members) {
        return mock_script::parse(R"({"mock":1,)" + members + R"("rules":[
            {"on":{"call":"pay"},"where":{"/arguments/n":1},"id":"one","do":[{"text":"paid"}]}]})");
    };
    co_await open(script_for(""));
    BOOST_TEST(co_await reply("pay", R"({"n":1})") == "paid");
    co_await reply("pay", R"({"n":2})");
    BOOST_TEST(last == rpc(-32603));
    BOOST_TEST(contains(last_result.detail(), "nearest rule 'one': /arguments/n: expected 1, found 2"),
               last_result.detail());
    auto const exported = to_script(server);
    BOOST_TEST(contains(exported, R"("unmatched": "error")"), exported);
    BOOST_TEST(!contains(exported, R"("reply")"), exported);

    scripted_server silent, generous;
    script_for(R"("unmatched":"hang",)").add_to(silent);
    client.emplace(executor, via<inproc>(silent));
    co_await client->async_open();
    co_await reply("pay", R"({"n":2})");
    BOOST_TEST((last == error::attempt_timed_out), last.message());
    script_for(R"("unmatched":"respond",)").add_to(generous);
    client.emplace(executor, via<inproc>(generous));
    co_await client->async_open();
    co_await reply("pay", R"({"n":2})");
    BOOST_TEST(!last, last.message());
}

LINKSPAN_CASE_IN(script_world, call_that_no_rule_matches_is_passed_on_to_a_server_behind_the_rules)
{
    scripted_server other;
    other.on(call("pay")).then(text("other"));
    server.pass_on(
        [&](asio::any_io_executor const& on, linkspan::any_transport to) { other.serve(on, std::move(to)); });
    co_await open(R"({"mock":1,"tools":[{"name":"pay"}],"rules":[
        {"on":{"call":"pay"},"where":{"/arguments/n":1},"do":[{"text":"rule"}]}]})");
    BOOST_TEST(co_await reply("pay", R"({"n":1})") == "rule");
    BOOST_TEST(co_await reply("pay", R"({"n":2})") == "other");
}

LINKSPAN_CASE_IN(script_world, connection_that_the_server_ends_is_no_cancellation)
{
    auto const script = mock_script::parse(script_with(R"("rules":[
        {"on":{"call":"t"},"where":{"/arguments/n":1},"do":[{"hang":true}]},{"on":{"call":"t"},"do":[{"close":true}]}],
        "expect":[{"cancelled":{"call":"t"}}])"));
    co_await open(script);
    completion_box slow;
    client->async_call_tool("t", boost::json::object{{"n", 1}}, slow.handler());
    co_await reply("t");
    co_await pass(executor, 1s);
    BOOST_TEST(slow.count == 1u);
    BOOST_TEST(!script.verify(server));
    co_await client->async_open(in_tuple);
    completion_box last_call;
    client->async_call_tool("t", boost::json::object{{"n", 1}}, last_call.handler());
    co_await pass(executor, 1s);
    client.reset(); // the client ends the connection
    co_await settle(executor);
    BOOST_TEST(script.verify(server));
}

LINKSPAN_CASE_IN(script_world, request_that_is_pending_when_the_server_ends_is_not_cancelled)
{
    auto const script = mock_script::parse(
        script_with(R"("rules":[{"on":{"call":"t"},"do":[{"hang":true}]}],"expect":[{"cancelled":{"call":"t"}}])"));
    co_await open(script);
    completion_box slow;
    client->async_call_tool("t", {}, slow.handler());
    co_await pass(executor, 1s);
    server.values().ending = true;
    client.reset();
    co_await settle(executor);
    BOOST_TEST(
        script.verify(server).report().starts_with("script: /expect/0: expected at least 1 cancelled tools/call t"));
}

LINKSPAN_CASE_IN(script_world, delay_of_a_ramp_grows_with_the_time_since_the_first_connection)
{
    auto const script = mock_script::parse(script_with(R"("rules":[
        {"on":{"call":"t"},"do":[{"delay":{"ramp":["1s","3s","20s"]}},{"text":"slow"}]}])"));
    co_await open(script);
    auto const opened = time.now();
    std::vector<linkspan::duration> delays;
    for (auto const at : {0s, 5s, 10s, 20s, 60s}) {
        co_await pass(executor, opened + at - time.now());
        auto const began = time.now();
        co_await client->async_call_tool("t");
        delays.push_back(time.now() - began);
    }
    std::vector<linkspan::duration> const expected{1s, 1500ms, 2s, 3s, 3s};
    BOOST_TEST((delays == expected));
}

LINKSPAN_CASE_IN(script_world, delay_of_a_ramp_does_not_change_draws)
{
    auto const draw = [](std::string const& delay) {
        return mock_script::parse(script_with(R"("seed":7,"rules":[{"on":{"call":"t"},"do":[{"delay":)" + delay +
                                              R"(},{"text":"${rand.int(1,1000000)}"}]}])"));
    };
    std::set<std::string> texts;
    for (auto const* const delay : {R"("1s")", R"({"ramp":["1s","2s","10s"]})"}) {
        scripted_server other;
        draw(delay).add_to(other);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        texts.insert((co_await used.async_call_tool("t")).text());
    }
    BOOST_TEST(texts.size() == 1u);
}

LINKSPAN_CASE_IN(script_world, draws_depend_on_the_seed_only)
{
    auto const script = mock_script::parse(script_with(R"("seed":7,"rules":[
        {"on":{"call":"t"},"chance":0.3,"do":[{"delay":{"uniform":["1s","2s"]}},{"text":"drawn ${rand.int(1,9)}"}]},
        {"on":{"call":"t"},"do":[{"delay":{"exp":"1s"}},{"delay":{"normal":["1s","100ms"]}},{"text":"other"}]}])"));
    std::set<std::string> runs;
    std::size_t drawn = 0;
    for (std::optional<std::uint64_t> const seed : {std::optional<std::uint64_t>(), {7}, {8}}) {
        scripted_server other;
        script.add_to(other, seed);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        auto const start = time.now();
        std::string run;
        for (int i = 0; i != 100; ++i) {
            auto const reply = (co_await used.async_call_tool("t")).text();
            drawn += reply != "other";
            run += reply + std::to_string((time.now() - start).count()) + "\n";
        }
        runs.insert(run);
    }
    BOOST_TEST(runs.size() == 2u); // the seed of the script is 7
    BOOST_TEST(drawn > 60u);
    BOOST_TEST(drawn < 120u);
}

LINKSPAN_CASE_IN(script_world, draws_of_adjacent_seeds_are_not_the_same_sequence)
{
    auto const script =
        mock_script::parse(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"text":"${rand.int(1,999999)}"}]}])"));
    std::vector<std::vector<std::string>> runs;
    for (std::uint64_t const seed : {7u, 8u}) {
        scripted_server other;
        script.add_to(other, seed);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        auto& run = runs.emplace_back();
        for (int i = 0; i != 5; ++i)
            run.push_back((co_await used.async_call_tool("t")).text());
    }
    for (auto const& one : runs[0])
        BOOST_TEST(std::ranges::count(runs[1], one) == 0, one);
}

LINKSPAN_CASE_IN(script_world, draws_of_a_rule_with_an_id_do_not_depend_on_other_rules)
{
    auto const rule_a = R"({"id":"a","on":{"call":"t"},"where":{"/arguments/n":{"absent":true}},"chance":0.5,"do":[
        {"text":"drawn"}]})";
    auto const rule_b = R"({"id":"b","on":{"call":"t"},"where":{"/arguments/n":1},"chance":0.5,"do":[{"text":"b"}]},)";
    auto const last_rule = R"(,{"on":{"call":"t"},"do":[{"text":"other"}]})";
    std::set<std::string> runs;
    for (bool const has_other : {false, true}) {
        scripted_server other;
        mock_script::parse(
            script_with(R"("seed":7,"rules":[)" + std::string(has_other ? rule_b : "") + rule_a + last_rule + "]"))
            .add_to(other);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        boost::json::object const n{{"n", 1}};
        std::string run;
        for (int i = 0; i != 30; ++i) {
            if (has_other)
                co_await used.async_call_tool("t", n);
            run += (co_await used.async_call_tool("t")).text() + ",";
        }
        BOOST_TEST(contains(run, "drawn,"));
        BOOST_TEST(contains(run, "other,"));
        runs.insert(run);
    }
    BOOST_TEST(runs.size() == 1u);
}

LINKSPAN_CASE_IN(script_world, long_list_of_actions_without_a_wait_completes)
{
    co_await open(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"progress":{"count":100000}},{"text":"end"}]}])"));
    BOOST_TEST(co_await reply("t") == "end");
}

LINKSPAN_CASE_IN(script_world, action_that_ends_twice_is_followed_by_one_execution_of_the_next)
{
    server.on(call("t")).then(
        [](exchange&, std::function<void()> const& next) {
            next();
            next();
        },
        notify("notifications/x"), text("end"));
    std::size_t notified = 0;
    make().on_notification("notifications/x", [&](std::string_view) { ++notified; });
    co_await client->async_open();
    BOOST_TEST(co_await reply("t") == "end");
    co_await pass(executor, 1s);
    BOOST_TEST(notified == 1u);
}

LINKSPAN_CASE_IN(script_world, continuation_has_no_effect_after_its_first_invocation)
{
    std::function<void()> stored;
    server.on(call("t")).then([&](exchange&, std::function<void()> const& next) { stored = next; }, delay(1s),
                              notify("notifications/x"), text("end"));
    std::size_t notified = 0;
    make().on_notification("notifications/x", [&](std::string_view) { ++notified; });
    co_await client->async_open();
    completion_box done;
    client->async_call_tool("t", {}, done.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(!!stored);
    stored();
    stored(); // during the delay
    co_await settle(executor);
    BOOST_TEST(notified == 0u);
    co_await pass(executor, 2s);
    BOOST_TEST(done.result.text() == "end");
    stored(); // after the last action
    co_await pass(executor, 2s);
    BOOST_TEST(notified == 1u);
}

LINKSPAN_CASE_IN(script_world, first_of_duplicate_members_of_a_request_is_significant)
{
    mock_script::parse(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"text":"${params.arguments.n}"}]}])"))
        .add_to(server);
    auto const raw = line_client::open(executor, server);
    auto const response = co_await raw->ask(
        "tools/call", R"("name":"t","name":"u","arguments":{"n":"first"},"arguments":{"n":"second"})");
    BOOST_TEST(contains(response, R"("text":"first")"), response);
    raw->close();
    co_await settle(executor);
}

// The dialogue of the server has a response to `ping`, which the rule precedes.
LINKSPAN_CASE_IN(script_world, progress_has_the_token_at_any_position_and_of_any_request)
{
    mock_script::parse(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"progress":{"count":1}},{"text":"end"}]},
        {"on":{"request":"ping"},"do":[{"progress":{"count":1}},{"default":true}]}])"))
        .add_to(server);
    auto const raw = line_client::open(executor, server);
    co_await raw->ask_in_session(
        "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
    co_await raw->ask_in_session("tools/call", R"({"name":"t","_meta":{"a.example/k":1,"progressToken":"last"}})");
    BOOST_TEST_REQUIRE(raw->messages.size() >= 2u);
    auto const& of_call = raw->messages[raw->messages.size() - 2];
    BOOST_TEST(contains(of_call, R"("progressToken":"last","progress":1)"), of_call);
    co_await raw->ask_in_session("ping", R"({"_meta":{"progressToken":5}})");
    auto const& of_ping = raw->messages[raw->messages.size() - 2];
    BOOST_TEST(contains(of_ping, R"("progressToken":5,"progress":1)"), of_ping);
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(script_world, wait_that_another_wait_has_replaced_is_not_continued)
{
    // The timers of both calls expire at the same time; the first handler starts the second wait of the other call.
    exchange* waiting = nullptr;
    server.on(call("first"))
        .then(
            delay(1s),
            [&](exchange&, std::function<void()> const& next) {
                waiting->wait(5s, [&] { waiting->reply(R"("content":[{"type":"text","text":"second wait"}])"); });
                next();
            },
            text("replaced"));
    server.on(call("t")).then([&](exchange& on, std::function<void()> const&) {
        waiting = &on;
        on.wait(1s, [&on] { on.reply(R"("content":[{"type":"text","text":"first wait"}])"); });
    });
    co_await make().async_open();
    completion_box first, second;
    client->async_call_tool("first", {}, first.handler());
    client->async_call_tool("t", {}, second.handler());
    co_await pass(executor, 2s);
    BOOST_TEST(first.result.text() == "replaced");
    BOOST_TEST(second.count == 0u);
    co_await pass(executor, 6s);
    BOOST_TEST(second.result.text() == "second wait");
}

LINKSPAN_CASE_IN(script_world, parameters_that_are_nested_deeply_are_compared)
{
    std::string deep = "1";
    for (int i = 0; i != 40; ++i)
        deep = R"({"a":)" + deep + "}";
    co_await open(
        script_with(R"("rules":[{"on":{"call":"t"},"where":{"/arguments/n":5},"do":[{"text":"${params.arguments.n}"}]},
        {"on":{"call":"t"},"do":[{"text":"other"}]}],"expect":[{"call":"t","where":{"/arguments/n":5}}])"));
    boost::json::parse_options deeper;
    deeper.max_depth = 100;
    auto const arguments = boost::json::parse(R"({"n":5,"deep":)" + deep + "}", {}, deeper).as_object();
    auto const result = co_await client->async_call_tool("t", arguments);
    BOOST_TEST(result.text() == "5");
    auto const met = server.verify(expectation(call("t")).where("/arguments/n", 5));
    BOOST_TEST(met);
}

LINKSPAN_CASE_IN(script_world, values_that_a_rule_sets_have_expressions)
{
    co_await open(script_with(R"("vars":{"n":1},"rules":[
        {"on":{"call":"t"},"set":{"user":"${params.arguments.user}","$last":{"n":["${params.arguments.n}"],"text":"n is ${vars.n}, $${x}"},
         "$copy":"${vars.last.n}"},"do":[{"set":{"$by":"${tool}","phase":"by ${tool}"}},
         {"structured":{"last":"${vars.last}","copy":"${vars.copy}","by":"${vars.by}"}}]},
        {"on":{"request":"no/such"},"state":{"user":"Ann","phase":"by t"},"do":[{"result":{"known":true}}]}])"));
    auto const expected = R"({"last":{"n":[2.5],"text":"n is 1, ${x}"},"copy":[2.5],"by":"t"})";
    scripted_server read;
    mock_script::parse(to_script(server)).add_to(read);
    for (bool const is_exported : {false, true}) {
        if (is_exported)
            client.emplace(executor, via<inproc>(read));
        if (is_exported)
            co_await client->async_open();
        BOOST_TEST(co_await reply("t", R"({"user":"Ann","n":2.5})") == expected);
        auto const known = co_await client->async_request("no/such");
        BOOST_TEST(contains(known.raw(), R"("known":true)"), known.raw());
    }
    BOOST_TEST(contains(script_problems(script_with(R"("rules":[{"on":{"call":"t"},"set":{"$a":{"b":"${x}"},"s":"${y}"},
        "do":[{"set":{"$c":"${z"}},{"text":""}]}])")),
                        "x: /rules/0/set/$a/b: expected ${params...}"));
    BOOST_TEST(contains(
        script_problems(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"set":{"s":"${z"}},{"text":""}]}])")),
        "x: /rules/0/do/0/set/s: expected '}'"));
}

LINKSPAN_CASE_IN(script_world, error_of_a_script_has_data)
{
    server.dialogue().protocol_versions = {protocol_version::v2025_11_25};
    co_await open(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"rpcError":{"code":-32042,"message":"sign in",
        "data":{"elicitations":[{"mode":"url","elicitationId":"${params.arguments.id}","url":"https://a.example/${tool}",
        "message":"Sign in"}]}}}]}])"));
    co_await reply("t", R"({"id":"e1"})");
    auto const pages = linkspan::required_elicitations(last, last_result);
    BOOST_TEST_REQUIRE(pages.size() == 1u);
    BOOST_TEST(pages[0].elicitation_id == "e1");
    BOOST_TEST(pages[0].url == "https://a.example/t");
    auto const exported = to_script(server);
    scripted_server read;
    mock_script::parse(exported).add_to(read);
    BOOST_TEST(to_script(read) == exported);
    BOOST_TEST(contains(exported, R"("elicitationId":"${params.arguments.id}")"), exported);
}

LINKSPAN_CASE_IN(script_world, each_action_has_its_effect)
{
    std::vector<std::string> messages;
    std::string const script(script_with(R"("rules":[{"on":{"call":"t"},"sequence":[
        [{"content":[{"type":"text","text":"${params.arguments.a}"}]}],
        [{"toolError":"no ${params.arguments.a}"}],
        [{"rpcError":{"code":-32001,"message":"busy ${params.arguments.a}"}}],
        [{"result":{"content":[],"structuredContent":{"x":1}}}],
        [{"notify":{"method":"notifications/x","params":{"a":"${params.arguments.a}"}}},
         {"log":{"level":"error","data":{"b":1}}}, {"stderr":"one line"}, {"default":true}],
        [{"progress":{"count":3,"every":"1s"}},{"set":{"$seen":true}},{"text":"${vars.seen}"}],
        [{"emit":"not JSON"},{"text":"after"}],
        [{"close":true}],
        [{"exit":3}]]}])"));
    mock_script::parse(script).add_to(server);
    auto& session = make();
    for (std::string const method : {"notifications/x", "notifications/message"})
        session.on_notification(
            method, [&messages, method](std::string_view params) { messages.push_back(method + std::string(params)); });
    co_await session.async_open();
    BOOST_TEST(co_await reply("t", R"({"a":"A"})") == "A");
    BOOST_TEST(co_await reply("t", R"({"a":"B"})") == "no B");
    BOOST_TEST(last_result.is_error());
    co_await reply("t", R"({"a":"C"})");
    BOOST_TEST(last == rpc(-32001));
    BOOST_TEST(contains(last_result.detail(), "busy C"), last_result.detail());
    co_await reply("t");
    BOOST_TEST(last_result.structured() == R"({"x":1})");
    BOOST_TEST(co_await reply("t", R"({"a":5})") == "");
    BOOST_TEST(std::ranges::count(messages, R"(notifications/x{"a":5})") == 1);
    BOOST_TEST(std::ranges::count(messages, R"(notifications/message{"level":"error","data":{"b":1}})") == 1);
    auto const before = time.now();
    BOOST_TEST(co_await reply("t") == "true");
    BOOST_TEST((time.now() - before == 3s));
    BOOST_TEST(co_await reply("t") == "after");
    BOOST_TEST(client->counters().unexpected_output == 1u);
    BOOST_TEST(client->counters().first_unexpected_output == "not JSON");
    for (int i = 0; i != 2; ++i) { // an exit within a test ends the connection
        co_await reply("t");
        BOOST_TEST(last == make_error_code(error::stream_ended));
        co_await client->async_open(in_tuple);
    }
}

LINKSPAN_CASE_IN(script_world, phases_without_requests_are_not_added)
{
    server.on(call("t")).once(text("1")).times(0, text("none")).after_last(used_up::next_rule);
    server.on(call("t")).pass(0).once(text("2")).pass(0).after_last(used_up::repeat_last);
    co_await make().async_open();
    std::string replies;
    for (int i = 0; i != 3; ++i)
        replies += co_await reply("t") + ",";
    BOOST_TEST(replies == "1,2,2,");
}

LINKSPAN_CASE_IN(script_world, report_of_an_order_has_the_last_selections)
{
    auto const script = mock_script::parse(script_with(R"("unmatched":"respond","rules":[
        {"id":"first","on":{"call":"t"},"times":1,"do":[{"text":"1"}]},
        {"id":"second","on":{"call":"t"},"times":20,"do":[{"text":"2"}]},
        {"id":"third","on":{"call":"never"},"do":[{"text":"3"}]}],"expect":[{"order":["first","third"]}])"));
    co_await open(script);
    for (int i = 0; i != 40; ++i) // the last 19 have no rule
        co_await reply("t");
    auto const report = script.verify(server).report();
    std::string expected = "selected rules:";
    for (int i = 0; i != 20; ++i)
        expected += " 'second'";
    BOOST_TEST(report.ends_with(expected), report);
}

BOOST_AUTO_TEST_CASE(exit_of_a_server_is_unset_after_an_exception)
{
    scripted_server served;
    auto& values = served.values();
    values.ending = true; // of an earlier run
    try {
        linkspan::test::detail::exit_scope const scope(served, [](int) {});
        BOOST_TEST(!values.ending);
        BOOST_TEST((values.exit != nullptr));
        throw std::runtime_error("of an action");
    } catch (std::runtime_error const&) {
        BOOST_TEST((values.exit == nullptr));
    }
}

LINKSPAN_CASE_IN(script_world, rule_for_a_request_replaces_its_response)
{
    co_await open(script_with(R"("protocolVersions":["2025-11-25"],"rules":[
        {"on":{"request":"tools/list"},"times":1,"do":[{"rpcError":{"code":-32603,"message":"busy"}}]},
        {"on":{"call":"t"},"do":[{"request":{"method":"roots/list"}},{"text":"asked"}]}])"));
    auto const [ec, list] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(ec == rpc(-32603));
    BOOST_TEST((co_await client->async_list_tools()).tools.size() == 1u);
    BOOST_TEST((client->protocol_version() == protocol_version::v2025_11_25));
    BOOST_TEST(co_await reply("t") == "asked");
}

LINKSPAN_CASE_IN(script_world, login_expires_after_two_reads)
{
    co_await open(project_script("expiring-login.json"));
    BOOST_TEST(co_await reply("balance") == "the login has expired");
    BOOST_TEST(co_await reply("login") == "login 1");
    BOOST_TEST(co_await reply("balance") == R"({"balance":100})");
    BOOST_TEST(co_await reply("balance") == R"({"balance":90})");
    BOOST_TEST(co_await reply("balance") == "the login has expired");
    BOOST_TEST(co_await reply("login") == "login 2");
    BOOST_TEST(co_await reply("balance") == R"({"balance":100})");
}

LINKSPAN_CASE_IN(script_world, server_in_maintenance_refuses_calls_and_restarts)
{
    co_await open(project_script("maintenance.json"));
    BOOST_TEST(co_await reply("status") == "the service is up");
    co_await pass(executor, 11s);
    co_await reply("status");
    BOOST_TEST(last == rpc(-32000));
    BOOST_TEST(contains(last_result.detail(), "down until 15 s"), last_result.detail());
    co_await pass(executor, 5s);
    co_await reply("status");
    BOOST_TEST((last == error::not_connected));
    co_await client->async_open();
    BOOST_TEST(co_await reply("status") == "the service is up");
}

LINKSPAN_CASE_IN(script_world, burst_of_calls_is_limited_in_the_first_second)
{
    co_await open(project_script("burst-limit.json"));
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(co_await reply("search", R"({"query":"lamp"})") == "3 results for lamp");
    co_await reply("search");
    BOOST_TEST(last == rpc(-32000));
    co_await pass(executor, 1s);
    BOOST_TEST(co_await reply("search", R"({"query":"lamp"})") == "3 results for lamp");
}

LINKSPAN_CASE_IN(script_world, slow_report_has_progress_and_expects_a_cancellation)
{
    auto const script = project_script("slow-report.json");
    co_await open(script);
    std::vector<double> progress;
    linkspan::call_options with_progress;
    with_progress.on_progress = [&](auto const& update) { progress.push_back(update.progress); };
    auto const done = co_await client->async_call_tool("report", {}, with_progress);
    BOOST_TEST(done.text() == R"({"pages":12})");
    std::vector<double> const all{1, 2, 3, 4};
    BOOST_TEST(progress == all, boost::test_tools::per_element());
    BOOST_TEST(!script.verify(server));
    asio::cancellation_signal cancel;
    completion_box result;
    client->async_call_tool("report", asio::bind_cancellation_slot(cancel.slot(), result.handler()));
    co_await pass(executor, 30s);
    cancel.emit(asio::cancellation_type::terminal);
    co_await pass(executor, 1s);
    BOOST_TEST(result.count == 1u);
    BOOST_TEST(script.verify(server));
}

LINKSPAN_CASE_IN(script_world, wrong_results_are_received_in_their_order)
{
    co_await open(project_script("wrong-results.json"));
    BOOST_TEST(co_await reply("price") == R"({"price":"12 euros"})"); // a session does not validate by default
    BOOST_TEST(co_await reply("price") == "");                        // no content block can be read
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(co_await reply("price") == R"({"price":12})");
}

LINKSPAN_CASE_IN(script_world, reconnecting_server_counts_connections_and_notifications)
{
    co_await open(project_script("reconnecting.json"));
    BOOST_TEST(co_await reply("count") == "connection 1, roots 0");
    BOOST_TEST(client->notify("notifications/roots/list_changed"));
    BOOST_TEST(co_await reply("count") == "connection 1, roots 1");
    co_await reply("count");
    BOOST_TEST((last == error::stream_ended));
    co_await client->async_open();
    BOOST_TEST(co_await reply("count") == "connection 2, roots 1");
}

LINKSPAN_CASE_IN(script_world, list_with_pages_fails_once_on_its_second_page)
{
    auto const script = project_script("pages.json");
    co_await open(script);
    auto const [ec, none] = co_await client->async_list_tools(in_tuple);
    BOOST_TEST(ec == rpc(-32603));
    BOOST_TEST(!script.verify(server));
    auto const list = co_await client->async_list_tools();
    BOOST_TEST(list.tools.size() == 5u);
    BOOST_TEST(script.verify(server));
}

LINKSPAN_CASE_IN(script_world, unreliable_server_has_an_outage_and_slow_responses)
{
    auto script = project_script("unreliable.json");
    script.add_to(server);
    co_await make().async_open();
    auto const start = time.now();
    std::size_t busy = 0, lost = 0, slow = 0, quick = 0;
    while (time.now() - start < 20s) {
        auto const sent = time.now();
        auto const text = co_await reply("echo", R"({"text":"hello"})");
        auto const took = time.now() - sent;
        bool const is_outage = sent - start >= 5s && sent - start < 10s;
        BOOST_TEST((last == rpc(-32000)) == is_outage);
        if (is_outage) {
            BOOST_TEST((took > 0s && took < 1s));
            ++busy;
        } else if (last) {
            BOOST_TEST(last == make_error_code(error::stream_ended));
            co_await client->async_open(in_tuple);
            ++lost;
        } else {
            BOOST_TEST(text == "hello");
            BOOST_TEST((took == 0s || took == 2s));
            ++(took == 2s ? slow : quick);
        }
        co_await pass(executor, 100ms);
    }
    BOOST_TEST(busy > 10u);
    BOOST_TEST(lost > 0u);
    BOOST_TEST(slow > 3u);
    BOOST_TEST(quick >= 4 * slow);
    BOOST_TEST(quick < 5 * slow + 5);
}

LINKSPAN_CASE_IN(script_world, script_requests_input_and_uses_it_in_the_second_request)
{
    auto const script = project_script("seat-booking.json");
    script.add_to(server);
    std::string asked, answer = R"({"action":"decline"})";
    make().on_request("elicitation/create", [&](std::string_view params, linkspan::responder respond) {
        asked = params;
        respond(linkspan::raw_json(answer));
    });
    co_await client->async_open();
    BOOST_TEST(co_await reply("book", R"({"flight":"LS7"})") == "no seat was chosen");
    BOOST_TEST(!script.verify(server));
    answer = R"({"action":"accept","content":{"seat":"4A"}})";
    BOOST_TEST(co_await reply("book", R"({"flight":"LS7"})") == "seat 4A, flight LS7");
    BOOST_TEST(contains(asked, "Which seat for LS7?"), asked);
    BOOST_TEST(script.verify(server));
}

LINKSPAN_CASE_IN(script_world, events_without_a_request_select_rules_with_their_conditions)
{
    co_await open(
        script_with(R"("protocolVersions":["2025-11-25"],"vars":{"opened":0,"closed":0,"ready":0,"starts":0},"rules":[
        {"on":{"start":true},"set":{"$starts":{"add":1}},"do":[]},
        {"on":{"connect":true},"times":1,"set":{"phase":"first"},"do":[{"set":{"$opened":{"add":1}}}]},
        {"on":{"connect":true},"set":{"$opened":{"add":10}},"do":[]},
        {"on":{"disconnect":true},"do":[{"set":{"$closed":{"add":1}}}]},
        {"on":{"notification":"notifications/roots/list_changed"},"where":{"/n":{"ge":2}},"state":{"phase":"first"},
         "do":[{"delay":"1s"},{"set":{"$ready":{"add":2}}}]},
        {"on":{"call":"t"},"do":[{"text":"${vars.starts} ${vars.opened} ${vars.closed} ${vars.ready}"}]}])"));
    BOOST_TEST(co_await reply("t") == "1 1 0 0");
    boost::json::object const first{{"n", 1}}, second{{"n", 2}};
    BOOST_TEST(client->notify("notifications/roots/list_changed", first)); // does not satisfy the condition
    BOOST_TEST(client->notify("notifications/roots/list_changed", second));
    BOOST_TEST(co_await reply("t") == "1 1 0 0"); // the action after the delay is not executed yet
    co_await pass(executor, 2s);
    BOOST_TEST(co_await reply("t") == "1 1 0 2");
    server.drop_connections();
    co_await pass(executor, 1s);
    co_await client->async_open(in_tuple);
    BOOST_TEST(co_await reply("t") == "1 11 1 2");
}

LINKSPAN_CASE_IN(script_world, rule_of_a_time_is_executed_once_and_after_a_pause_without_connections)
{
    co_await open(script_with(R"("rules":[
        {"on":{"at":"2s"},"set":{"$n":{"add":1}},"do":[]},
        {"on":{"at":"4s"},"do":[{"close":true}]},
        {"on":{"at":"5s"},"set":{"$n":{"add":10}},"do":[]},
        {"on":{"call":"t"},"do":[{"text":"n=${vars.n}"}]}])"));
    BOOST_TEST(co_await reply("t") == "n=");
    co_await pass(executor, 3s);
    BOOST_TEST(co_await reply("t") == "n=1");
    co_await pass(executor, 3s);
    BOOST_TEST(co_await reply("t") != "n=1"); // the connection was closed at 4 s
    co_await client->async_open(in_tuple);
    BOOST_TEST(co_await reply("t") == "n=11");
    co_await pass(executor, 10s);
    BOOST_TEST(co_await reply("t") == "n=11");
}

LINKSPAN_CASE_IN(script_world, rule_of_an_event_has_a_priority_and_a_chance)
{
    co_await open(script_with(R"("protocolVersions":["2025-11-25"],"seed":7,"rules":[
        {"on":{"notification":"notifications/roots/list_changed"},"chance":0.5,"priority":1,"set":{"$some":{"add":1}},"do":[]},
        {"on":{"notification":"notifications/roots/list_changed"},"set":{"$low":{"add":1}},"do":[]},
        {"on":{"notification":"notifications/roots/list_changed"},"priority":2,"where":{"/high":true},"set":{"$high":{"add":1}},"do":[]},
        {"on":{"call":"t"},"do":[{"text":"${vars.high} ${vars.some} ${vars.low}"}]}])"));
    for (int i = 0; i != 20; ++i)
        BOOST_TEST(client->notify("notifications/roots/list_changed"));
    boost::json::object const high{{"high", true}};
    BOOST_TEST(client->notify("notifications/roots/list_changed", high));
    BOOST_TEST(co_await reply("t") == "1 13 7"); // the numbers of the seed
}

LINKSPAN_CASE_IN(script_world, request_waits_at_a_gate_that_another_request_opens)
{
    co_await open(script_with(R"("vars":{"opened":0},"rules":[
        {"on":{"call":"t"},"times":1,"do":[{"gate":"second"},{"text":"first after ${vars.opened}"}]},
        {"on":{"gate":"second"},"set":{"$opened":{"add":1}},"do":[]},
        {"on":{"call":"t"},"do":[{"openGate":"second"},{"gate":"second"},{"text":"second"}]}])"));
    completion_box first;
    client->async_call_tool("t", first.handler());
    co_await pass(executor, 10s);
    BOOST_TEST(first.count == 0u);
    BOOST_TEST(!server.values().gates.is_open("second"));
    BOOST_TEST(co_await reply("t") == "second");
    BOOST_TEST(first.count == 1u);
    BOOST_TEST(first.result.text() == "first after 1");
    BOOST_TEST(server.values().gates.is_open("second"));
    BOOST_TEST(co_await reply("t") == "second"); // the gate stays open, and has no further event
    BOOST_TEST(server.values().vars.at("opened") == 1);
}

LINKSPAN_CASE_IN(script_world, test_opens_a_gate_and_cancelled_requests_do_not_wait)
{
    server.on(call("t")).then(gate("data"), text("done"));
    server.on(call("u")).then(gate("other"), text("done"));
    co_await make().async_open();
    completion_box kept, cancelled, other;
    asio::cancellation_signal cancel;
    client->async_call_tool("u", other.handler());
    client->async_call_tool("t", kept.handler());
    client->async_call_tool("t", asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    co_await pass(executor, 1s);
    std::vector<std::string> waiting;
    server.values().gates.list_waiting(waiting, "weather");
    BOOST_TEST_REQUIRE(waiting.size() == 2u); // one line per gate
    BOOST_TEST(waiting.front() == "weather: 2 actions wait at the gate data");
    BOOST_TEST(waiting.back() == "weather: 1 action waits at the gate other");
    cancel.emit(asio::cancellation_type::terminal);
    co_await pass(executor, 1s);
    std::vector<std::string> remaining;
    server.values().gates.list_waiting(remaining, "weather");
    BOOST_TEST(remaining.front() == "weather: 1 action waits at the gate data");
    server.open_gate("other");
    server.open_gate("data");
    co_await pass(executor, 1s);
    BOOST_TEST(kept.count == 1u);
    BOOST_TEST(kept.result.text() == "done");
    BOOST_TEST(other.count == 1u);
    BOOST_TEST(server.received("tools/call") == 3u);
}

BOOST_AUTO_TEST_CASE(report_of_a_stall_names_the_gate)
{
    world here;
    auto& weather = here.add_server("weather");
    weather.on(call("t")).then(gate("data"), text("done"));
    linkspan::session_options without_timeouts;
    without_timeouts.idle_timeout = without_timeouts.attempt_timeout = linkspan::duration::max();
    linkspan::session used(here.executor, linkspan::via<linkspan::inproc>(weather), without_timeouts);
    here.await(used.async_open(asio::use_awaitable));
    std::string report;
    try {
        here.await(used.async_call_tool("t", asio::use_awaitable));
    } catch (stalled const& stall) {
        report = stall.what();
    }
    BOOST_TEST(contains(report, "weather: 1 action waits at the gate data"), report);
}

BOOST_AUTO_TEST_CASE(rule_rejects_actions_that_its_event_does_not_permit)
{
    scripted_server server;
    BOOST_CHECK_THROW(server.on(connection_opened()).then(text("x")), std::invalid_argument);
    BOOST_CHECK_THROW(server.on(connection_closed()).then(delay(1s)), std::invalid_argument);
    BOOST_CHECK_NO_THROW(server.on(time_reached(1s)).then(delay(1s), drop_connection()));
    BOOST_CHECK_THROW(expectation(notification("n")), std::invalid_argument);
    // The unit test of the problems of scripts has those of other events.
    auto const on = [](std::string const& trigger, std::string const& actions) {
        return script_problems(script_with(R"("rules":[{"on":)" + trigger + R"(,"do":[{"set":{}},)" + actions + "]}]"));
    };
    BOOST_TEST(contains(on(R"({"connect":true})", R"({"hang":true})"), "/rules/0/do/1: expected an action that needs"));
    BOOST_TEST(contains(on(R"({"start":true})", R"({"progress":{"count":1}})"), "/rules/0/do/1: expected an action"));
    BOOST_TEST(contains(on(R"({"at":"1s"})", R"({"default":true})"), "/rules/0/do/1: expected an action that needs"));
    BOOST_TEST(on(R"({"disconnect":true})", R"({"stderr":"a"},{"exit":1})") == "");
    BOOST_TEST(on(R"({"at":"1s"})", R"({"notify":{"method":"m"}},{"log":{"data":1}},{"delay":"1s"},{"emit":"a"},
        {"close":true})") == "");
}

BOOST_AUTO_TEST_CASE(schema_of_the_format_accepts_scripts)
{
    auto const schema = boost::json::parse(mock_script::schema());
    linkspan::schema_validator const check(schema);
    BOOST_TEST(check.ok());
    BOOST_TEST(check.accepts(boost::json::parse(script_with(R"("rules":[{"on":{"call":"t"},"do":[{"hang":true}]}])"))));
    BOOST_TEST(!check.accepts(boost::json::parse(script_with(R"("rules":[{"on":{"call":"t"},"doo":[]}])"))));
    auto const folder = std::string(std::getenv("LINKSPAN_TEST_DIR")) + "/../mock_servers/scripts";
    std::size_t scripts = 0;
    for (auto const& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream in(file.path());
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        BOOST_TEST(check.accepts(boost::json::parse(text)), file.path());
        ++scripts;
    }
    BOOST_TEST(scripts >= 10u);
}

BOOST_AUTO_TEST_SUITE_END()
