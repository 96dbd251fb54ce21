// Reports of the rule that came nearest to a request that no rule handled.

#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/contains.hpp"
#include "support/rpc_error.hpp"
#include "support/script_problems.hpp"
#include "support/script_world.hpp"

BOOST_AUTO_TEST_SUITE(nearest_rule_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// Returns the part of an error from the nearest rule on; empty: the error names none.
std::string nearest_in(std::string_view detail)
{
    constexpr std::string_view begin = "the script has no rule for this call of 't'";
    auto const at = detail.find(begin);
    BOOST_TEST((at != detail.npos), detail);
    auto const rest = at == detail.npos ? std::string_view() : detail.substr(at + begin.size());
    constexpr std::string_view separator = "; nearest rule ";
    return std::string(rest.starts_with(separator) ? rest.substr(separator.size()) : rest);
}

struct nearest_world : script_world {
    // Calls the tool `t`. Returns the nearest rule in the error response.
    asio::awaitable<std::string> nearest(std::string arguments = "{}")
    {
        co_await reply("t", arguments);
        BOOST_TEST(last == rpc(-32603));
        co_return nearest_in(last_result.detail());
    }
};

} // namespace

LINKSPAN_CASE_IN(nearest_world, error_names_the_nearest_rule_and_its_conditions_that_do_not_hold)
{
    co_await open(script_with(R"("scenarios":{"auth":"expired"},"rules":[
        {"id":"list","on":{"request":"prompts/list"},"do":[{"hang":true}]},
        {"id":"event","on":{"notification":"n"},"do":[]},
        {"id":"other tool","on":{"call":"tt"},"do":[{"text":"a"}]},
        {"id":"city","on":{"call":"t"},"where":{"/arguments/city":"Paris"},"do":[{"text":"a"}]},
        {"id":"window","on":{"call":"t"},"where":{"/arguments/kind":"window"},
         "during":{"from":"5s","to":"10s"},"do":[{"text":"a"}]},
        {"id":"state","on":{"call":"t"},"where":{"/arguments/kind":"state"},"state":{"auth":"fresh","x":""},
         "do":[{"text":"a"}]},
        {"id":"number","on":{"call":"t"},"where":{"/arguments/kind":"number"},"times":2,"do":[{"text":"a"}]},
        {"id":"every","on":{"call":"t"},"where":{"/arguments/kind":"every"},"times":{"from":2,"to":5,"every":2},
         "do":[{"text":"a"}]},
        {"id":"no number","on":{"call":"t"},"where":{"/arguments/kind":"never"},"times":0,"do":[{"text":"a"}]},
        {"id":"draw","on":{"call":"t"},"where":{"/arguments/kind":"draw"},"chance":0,"do":[{"text":"a"}]},
        {"id":"steps","on":{"call":"t"},"where":{"/arguments/kind":"steps"},"sequence":[[{"text":"a"}]],
         "after":"unmatched"},
        {"on":{"call":"t"},"where":{"/arguments/a":{"gt":5},"/arguments/b":true},"do":[{"text":"a"}]}])"));
    BOOST_TEST(co_await nearest(R"({"city":"paris"})") ==
               R"('city': /arguments/city: expected "Paris", found "paris"; the texts differ in case only)");
    BOOST_TEST(co_await nearest() == R"('city': /arguments/city: expected "Paris", found nothing)");
    BOOST_TEST(co_await nearest(R"({"a":5})") == R"('city': /arguments/city: expected "Paris", found nothing)");
    BOOST_TEST(co_await nearest(R"({"a":5,"b":true})") == R"('#12': /arguments/a: expected {"gt":5}, found 5)");
    BOOST_TEST(co_await nearest(R"({"a":5,"b":1})") == R"('city': /arguments/city: expected "Paris", found nothing)");
    BOOST_TEST(co_await nearest(R"({"kind":"state"})") ==
               "'state': state of 'auth': expected 'fresh', found 'expired'");
    BOOST_TEST(co_await nearest(R"({"kind":"never"})") ==
               "'no number': times: the rule applies to no request, found 1");
    BOOST_TEST(co_await nearest(R"({"kind":"draw"})") == "'draw': chance: the draw did not select the request");
    BOOST_TEST(co_await nearest(R"({"kind":"every"})") ==
               "'every': times: expected a number from 2 to 5 at intervals of 2, found 1");
    std::string const replies =
        co_await reply("t", R"({"kind":"number"})") + co_await reply("t", R"({"kind":"number"})");
    BOOST_TEST(replies == "aa");
    BOOST_TEST(co_await nearest(R"({"kind":"number"})") == "'number': times: expected a number from 1 to 2, found 3");
    BOOST_TEST(co_await reply("t", R"({"kind":"steps"})") == "a");
    BOOST_TEST(co_await nearest(R"({"kind":"steps"})") == "'steps': sequence: all of its elements are used up");
    co_await pass(executor, 12s);
    BOOST_TEST(co_await nearest(R"({"kind":"window"})") ==
               "'window': during: expected a time from 5s and before 10s, found 12s");
}

LINKSPAN_CASE_IN(nearest_world, rule_of_another_tool_or_method_is_the_nearest_one_if_no_other_exists)
{
    struct row {
        std::string rules, expected;
    };
    std::string const list = R"({"on":{"request":"prompts/list"},"do":[{"hang":true}]})";
    for (auto const& [rules, expected] : {
             row{"", ""},
             row{R"({"on":{"notification":"n"},"do":[]})", ""},
             row{list, "'#1': trigger: expected 'prompts/list', found 'tools/call'"},
             row{list + R"(,{"on":{"call":"u"},"do":[{"text":"a"}]})",
                 "'#2': trigger: expected a call of 'u', found 't'"},
             row{list + R"(,{"on":{"request":"tools/call"},"times":0,"do":[{"text":"a"}]})",
                 "'#2': times: the rule applies to no request, found 1"},
         }) {
        scripted_server other;
        mock_script::parse(script_with("\"rules\":[" + rules + "]")).add_to(other);
        linkspan::session used(executor, linkspan::via<linkspan::inproc>(other));
        co_await used.async_open();
        auto const [ec, result] = co_await used.async_call_tool("t", {}, in_tuple);
        BOOST_TEST(ec == rpc(-32603));
        BOOST_TEST(nearest_in(result.detail()) == expected, result.detail());
    }
}

LINKSPAN_CASE_IN(nearest_world, report_of_a_large_rule_and_a_large_request_is_bounded)
{
    std::string const large(1'000'000, 'x');
    std::string where;
    for (int i = 0; i != 7; ++i)
        where += (i == 0 ? "" : ",") + ("\"/arguments/" + std::to_string(i) + large) + "\":\"" + large + "\"";
    co_await open(script_with(R"("rules":[{"id":")" + large + R"(","on":{"call":"t"},"where":{"/arguments/n":1,)" +
                              where + R"(},"do":[{"text":"a"}]}])"));
    auto const text = co_await nearest(R"({"n":[")" + large + "\"]}");
    BOOST_TEST(text.size() < 2'500u);
    BOOST_TEST(text.ends_with("; and 4 more"), text);
}

LINKSPAN_CASE_IN(nearest_world, first_256_rules_are_compared)
{
    std::string rules;
    for (int i = 0; i != 257; ++i)
        rules += (i == 0 ? "" : ",") + (R"({"on":{"call":"t"},"where":{"/arguments/n":"rule )" + std::to_string(i)) +
                 R"("},"do":[{"text":"a"}]})";
    co_await open(script_with("\"rules\":[" + rules + "]"));
    BOOST_TEST((co_await nearest(R"({"n":"Rule 255"})")).starts_with("'#256': "));
    BOOST_TEST((co_await nearest(R"({"n":"Rule 256"})")).starts_with("'#26': ")); // as near as others
}

LINKSPAN_CASE_IN(nearest_world, report_of_an_expectation_names_the_nearest_rule)
{
    auto const script = mock_script::parse(script_with(R"("unmatched":"hang","scenarios":{"auth":"expired"},"rules":[
        {"id":"login","on":{"call":"t"},"where":{"/arguments/n":1},"state":{"auth":"expired"},"set":{"auth":"fresh"},
         "do":[{"text":"a"}]}],
        "expect":[{"call":"t","where":{"/arguments/n":3}}])"));
    co_await open(script);
    co_await reply("t", R"({"n":2})"); // no response in time
    co_await reply("t", R"({"n":1})");
    auto const report = script.verify(server).report();
    // The state is that of the request, and the request that the rule handled has no nearest one.
    BOOST_TEST(contains(report, "\n    /arguments/n: expected 3, found 2\n    nearest rule 'login': /arguments/n: "
                                "expected 1, found 2\n"),
               report);
    BOOST_TEST(report.ends_with("\n    /arguments/n: expected 3, found 1"), report);
    BOOST_TEST(server.nearest_rule(server.requests().size()) == "");
}

LINKSPAN_CASE_IN(nearest_world, report_of_an_order_has_the_requests_to_which_the_missing_rule_came_nearest)
{
    auto const script = mock_script::parse(script_with(R"("rules":[
        {"id":"login","on":{"call":"t"},"where":{"/arguments/user":"Ada"},"do":[{"text":"a"}]},
        {"id":"pay","on":{"call":"t"},"where":{"/arguments/sum":5},"do":[{"text":"a"}]}],
        "expect":[{"order":["login","pay"]}])"));
    co_await open(script);
    co_await reply("t", R"({"user":"ada"})");
    co_await reply("t", R"({"sum":4})"); // nearest to the other rule
    co_await reply("t", R"({"sum":5})");
    for (auto const* const user : {"Eva", "Ida", "Eda"})
        co_await reply("t", R"({"user":")" + std::string(user) + "\"}");
    auto const report = script.verify(server).report();
    auto const line = [](int number, std::string const& user) {
        return "\n  near: #" + std::to_string(number) +
               " tools/call\n    nearest rule 'login': /arguments/user: expected \"Ada\", found \"" + user + '"';
    };
    BOOST_TEST(report.ends_with(" 'unmatched'" + line(7, "Eda") + line(6, "Ida") + line(5, "Eva")), report);
}

LINKSPAN_CASE_IN(nearest_world, recorded_requests_are_compared_with_rules_in_program_text)
{
    std::size_t accepted = 0;
    auto const is_accepted = [&](std::string_view arguments) { return contains(arguments, "yes") && ++accepted != 0; };
    server.on({"tools/call", "t", is_accepted}).then(text("a"));
    server.on(call("u")).times(1, text("a")).after_last(used_up::next_rule).named("u");
    server.on(call("v")).then(text("a")).conditions().last = 1;
    server.on(call("w")).then(text("a")).conditions().chance = 0;
    co_await make().async_open();
    std::vector<std::string> nearest;
    for (auto const* const tool : {"t", "u", "u", "v", "v", "w"}) {
        co_await reply(tool, R"({"a":"no"})");
        nearest.push_back(server.nearest_rule(server.requests().size() - 1));
    }
    std::vector<std::string> const expected{
        R"(nearest rule, without a name: expected arguments that the predicate accepts, found {"a":"no"})",
        "",
        "nearest rule 'u': sequence: all of its elements are used up",
        "",
        "nearest rule, without a name: times: expected a number from 1 to 1",
        "nearest rule, without a name: chance: the draw did not select the request"};
    BOOST_TEST(nearest == expected, boost::test_tools::per_element());
    BOOST_TEST(server.nearest_rule(0) == ""); // the opening needs no rule
    server.on(call("x")).then(text("a"));
    auto const report = server.verify(expectation(call("t")).where("/arguments/a", "yes")).report();
    BOOST_TEST(contains(report, "\n    nearest rule, without a name: expected arguments"), report);
}

BOOST_AUTO_TEST_SUITE_END()
