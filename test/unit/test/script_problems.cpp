#include "support/script_problems.hpp"

#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(script_problems_test)

using namespace linkspan::test;

namespace {

// A script with one problem.
struct row {
    std::string script, pointer, expected, found;
};

// Returns the problems of a script, in its order.
std::vector<linkspan::diagnostic> problems_in(std::string const& script)
{
    try {
        mock_script::parse(script);
    } catch (script_error const& failure) {
        return failure.problems();
    }
    return {};
}

void check_rows(std::vector<row> const& rows)
{
    for (auto const& [script, pointer, expected, found] : rows) {
        BOOST_TEST_INFO_SCOPE(script);
        auto const problems = problems_in(script);
        BOOST_TEST(problems.size() == 1u);
        if (problems.empty())
            continue;
        BOOST_TEST(problems[0].pointer == pointer);
        BOOST_TEST(problems[0].message == "expected " + expected + ", found " + found);
    }
}

// Returns a script with a rule for calls of the tool `t`, which has these members.
std::string rule_with(std::string const& members)
{
    return script_with(R"("rules":[{"on":{"call":"t"},)" + members + "}]");
}

// As above, with an action.
std::string hanging(std::string const& members) { return rule_with(members + R"(,"do":[{"hang":true}])"); }

// Returns a script with a rule, whose first action is this one.
std::string acting(std::string const& action) { return rule_with("\"do\":[" + action + R"(,{"hang":true}])"); }

// Returns a script with a rule for another event than a call.
std::string on_event(std::string const& trigger, std::string const& members)
{
    return script_with(R"("rules":[{"on":)" + trigger + "," + members + "}]");
}

std::string expecting(std::string const& expectation) { return script_with("\"expect\":[" + expectation + "]"); }

// Returns a script with a matcher.
std::string matching(std::string const& matcher) { return hanging(R"("where":{"/a":)" + matcher + "}"); }

std::string const expected_time = R"(a time such as "250ms", "2s", "1.5min" or "3h")";
std::string const expected_response = R"(an action that responds, or {"hang": true})";

} // namespace

BOOST_AUTO_TEST_CASE(problem_of_a_script_has_its_pointer_expectation_and_value)
{
    std::string const long_text(200, 'x');
    check_rows({
        {"{", "", "JSON", "invalid text at line 1, column 2"},
        {"{}", "/mock", "a value", "nothing"},
        {"[]", "", "an object", "[]"},
        {R"({"mock":2})", "/mock", "1", "2"},
        {script_with(R"("rules":[{"on":{"call":"t"}}], x)"), "", "JSON", "invalid text at line 1, column 65"},
        {script_with(R"("tols":[1])"), "/tols", "no member of this name (similar: 'tools')", "[1]"},
        {script_with(R"("resources":[{"uri":"a","blob":"!!!"}])"), "/resources/0/blob", "a text in base64", R"("!!!")"},
        {script_with(R"("unmatched":{"passthrough":{}})"), "/unmatched/passthrough",
         "exactly one of 'command' and 'url'", "{}"},
        {script_with(R"("unmatched":{"passthrough":{"command":["a"],"url":"b"}})"), "/unmatched/passthrough",
         "exactly one of 'command' and 'url'", R"({"command":["a"],"url":"b"})"},
        {script_with(R"("unmatched":{"passthrough":{"command":[""]}})"), "/unmatched/passthrough/command/0",
         "the name of a program", R"("")"},
        {script_with(R"("unmatched":"ignore")"), "/unmatched", R"(one of "respond", "error", "hang", "fail-fast")",
         R"("ignore")"},
        {script_with(R"("name":)" + ("[\"" + long_text) + "\"]"), "/name", "a string",
         "[\"" + long_text.substr(0, 126) + "..."},
        {script_with("\"" + long_text + "\":1.50"), "/" + long_text.substr(0, 128) + "...", "no member of this name",
         "1.5"},
        {script_with(R"("$schema":5)"), "/$schema", "a string", "5"},
        {expecting(R"({"order":[]})"), "/expect/0/order", "at least 1 item", "[]"},
        {expecting(R"({"stdinClosed":false})"), "/expect/0/stdinClosed", "true", "false"},
        {expecting(R"({"stdinClosed":true,"count":1})"), "/expect/0",
         "'where' and 'count' only beside 'call' or 'request'", R"({"stdinClosed":true,"count":1})"},
        {script_with(R"("protocolVersions":["2099-01-01"])"), "/protocolVersions/0", "a protocol version of MCP",
         R"("2099-01-01")"},
        {R"({"mock":1,"tools":[{"name":"t"},{"name":"t"}]})", "/tools/1/name", "a name that no other tool has",
         R"("t")"},
        {R"({"mock":1,"tools":[{"name":"t","reply":{"delay":"1s"}}]})", "/tools/0/reply", expected_response,
         R"({"delay":"1s"})"},
        {R"({"mock":1,"tools":[{"name":"t","inputSchema":{"type":"array"}}]})", "/tools/0/inputSchema/type",
         R"("object")", R"("array")"},
        {R"({"mock":1,"tools":[{"name":"t","outputSchema":{"type":"array"}}]})", "/tools/0/outputSchema",
         "a schema of an object, for which a value can be made, or a member 'reply'", R"({"type":"array"})"},
        {script_with(R"("toolsFrom":"absent.json")"), "/toolsFrom", "a file with a result of tools/list",
         R"("absent.json", which cannot be read: No such file or directory)"},
        {acting(R"({"resource":{"uri":"a","text":"b"}})"), "/rules/0/do/0/resource/uri",
         "the URI of an element of 'resources'", R"("a")"},
        {R"({"mock":1,"resources":[{"uri":"a","text":""}],"rules":[{"on":{"connect":true},"do":[{"resource":{"uri":"a"}}]}]})",
         "/rules/0/do/0/resource", "exactly one of 'text' and 'blob'", R"({"uri":"a"})"},
        {acting(R"({"resources":{"add":[{"uri":"a"}]}})"), "/rules/0/do/0/resources/add/0",
         "exactly one of 'text' and 'blob'", R"({"uri":"a"})"},
        {acting(R"({"resources":{"add":[{"uri":"a","text":""}],"remove":["a","b"]}})"),
         "/rules/0/do/0/resources/remove/1", "the URI of a resource of the script", R"("b")"},
        {script_with(R"("tape":{})"), "/tape/file", "a value", "nothing"},
        {R"({"mock":1,"resources":[{"uri":"a"}]})", "/resources/0", "exactly one of 'text' and 'blob'",
         R"({"uri":"a"})"},
        {R"({"mock":1,"resources":[{"uri":"a","text":""},{"uri":"a","text":""}]})", "/resources/1/uri",
         "a URI or name that no other entry has", R"("a")"},
        {R"({"mock":1,"prompts":[{"name":"p","messages":[1]},{"name":"p","messages":[1]}]})", "/prompts/1/name",
         "a URI or name that no other entry has", R"("p")"},
        {script_with(R"("chaos":{"maxDelay":"1s","delay":"1s"})"), "/chaos/delay", "no such member beside 'maxDelay'",
         R"("1s")"},
        {script_with(R"("chaos":{"delay":"soon"})"), "/chaos/delay", expected_time, R"("soon")"},
        {script_with(R"("chaos":{"delay":{"lognormal":["1s",11]}})"), "/chaos/delay/lognormal/1",
         "a number from 0 to 10", "11"},
        {script_with(R"("chaos":{"maxDelay":"0ms"})"), "/chaos/maxDelay", "a time of at least 1 ms", R"("0ms")"},
        {script_with(R"("chaos":{"percent":101})"), "/chaos/percent", "an integer up to 100", "101"},
        {expecting(R"({"call":"a","count":{"min":2,"max":1}})"), "/expect/0/count/max",
         "a number that is not less than 'min'", "1"},
        {expecting(R"({"never":{}})"), "/expect/0/never", "exactly one of 'call' and 'request'", "{}"},
        {expecting(R"({"order":["unmatched"],"count":1})"), "/expect/0",
         "'where' and 'count' only beside 'call' or 'request'", R"({"order":["unmatched"],"count":1})"},
        {expecting(R"({"order":["unmatched","x"]})"), "/expect/0/order/1", "the name of a rule", R"("x")"},
        {expecting("{}"), "/expect/0",
         "exactly one of 'call', 'request', 'never', 'cancelled', 'order' and 'stdinClosed'", "{}"},
        {expecting(R"({"call":"t","where":{"a":1}})"), "/expect/0/where/a",
         "a JSON Pointer into the parameters as name, such as '/arguments/city', or into the message, such as '#/id', "
         "or a header field, such as '#/http/headers/authorization'",
         R"("a")"},
    });
}

BOOST_AUTO_TEST_CASE(problem_of_a_rule_has_its_pointer_expectation_and_value)
{
    std::string const pointer = "a JSON Pointer into the parameters as name, such as '/arguments/city', or into the "
                                "message, such as '#/id', or a header field, such as '#/http/headers/authorization'";
    std::string const id = "an id that is not empty, is not 'unmatched', and does not begin with '#' or 'reply of '";
    std::string const times = "a number 'to' from which at least one request is selected";
    std::string const no_request = "an action that needs no request, because the event of the trigger has none";
    check_rows({
        {script_with(R"("rules":[{"do":[{"hang":true}]}])"), "/rules/0/on", "a value", "nothing"},
        {on_event(R"({"call":"t","request":"b"})", R"("do":[{"hang":true}])"), "/rules/0/on",
         "exactly one of 'call', 'request', 'notification', 'response', 'connect', 'stdin-eof', 'disconnect', "
         "'start', 'at', 'gate', 'http' and 'signal'",
         R"({"call":"t","request":"b"})"},
        {on_event(R"({"call":""})", R"("do":[{"hang":true}])"), "/rules/0/on/call",
         R"(the name of a tool; {"request": "tools/call"} is the trigger for all calls)", R"("")"},
        {on_event(R"({"at":"soon"})", R"("do":[])"), "/rules/0/on/at", expected_time, R"("soon")"},
        {on_event(R"({"start":true})", R"("where":{"/a":1},"do":[])"), "/rules/0/where",
         "no such member, because the event of the trigger has no parameters", R"({"/a":1})"},
        {on_event(R"({"notification":"n"})", R"("sequence":[[]],"after":"fail")"), "/rules/0/after",
         "no 'fail', because the event of the trigger has no request", R"("fail")"},
        {on_event(R"({"notification":"n"})", R"("do":[{"set":{}},{"text":"a"}])"), "/rules/0/do/1", no_request,
         R"({"text":"a"})"},
        {on_event(R"({"stdin-eof":true})", R"("do":[{"delay":"1s"},{"text":"a"}])"), "/rules/0/do/1", no_request,
         R"({"text":"a"})"},
        {on_event(R"({"stdin-eof":true})", R"("where":{"/a":1},"do":[])"), "/rules/0/where",
         "no such member, because the event of the trigger has no parameters", R"({"/a":1})"},
        {on_event(R"({"stdin-eof":true})", R"("do":[{"request":{"method":"roots/list"}}])"),
         "/rules/0/do/0/request/timeout", "a time, because the client sends no response after the end of stdin",
         "nothing"},
        {on_event(R"({"request":""})", R"("do":[{"hang":true}])"), "/rules/0/on/request", "at least 1 character",
         R"("")"},
        {on_event(R"({"http":{"path":""}})", R"("do":[])"), "/rules/0/on/http/path", "at least 1 character", R"("")"},
        {on_event(R"({"http":{}})", R"("where":{"/a":1},"do":[])"), "/rules/0/where/~1a",
         "a header field, such as '#/http/headers/authorization'", R"("/a")"},
        {on_event(R"({"signal":"SIGHUP"})", R"("do":[])"), "/rules/0/on/signal", R"(one of "SIGINT", "SIGTERM", "any")",
         R"("SIGHUP")"},
        {on_event(R"({"signal":"any"})", R"("do":[{"text":"a"}])"), "/rules/0/do/0", no_request, R"({"text":"a"})"},
        {on_event(R"({"disconnect":true})", R"("do":[{"close":true}])"), "/rules/0/do/0",
         "'set', 'reset', 'openGate', 'stderr' or 'exit', because the connection has ended", R"({"close":true})"},
        {hanging(R"("id":"")"), "/rules/0/id", id, R"("")"},
        {hanging(R"("id":"#2")"), "/rules/0/id", id, R"("#2")"},
        {hanging(R"("id":"reply of t")"), "/rules/0/id", id, R"("reply of t")"},
        {hanging(R"("id":"unmatched")"), "/rules/0/id", id, R"("unmatched")"},
        {script_with(R"("rules":[{"id":"a","on":{"call":"t"},"do":[{"hang":true}]},
            {"id":"a","on":{"call":"t"},"do":[{"hang":true}]}])"),
         "/rules/1/id", "an id that no other rule has", R"("a")"},
        {hanging(R"("times":{"every":0})"), "/rules/0/times/every", "an integer from 1", "0"},
        {hanging(R"("times":{"from":3,"to":2})"), "/rules/0/times", times, R"({"from":3,"to":2})"},
        {hanging(R"("times":{"every":5,"to":4})"), "/rules/0/times", times, R"({"every":5,"to":4})"},
        {hanging(R"("times":{"nth":1,"to":2})"), "/rules/0/times", "'nth' without further members",
         R"({"nth":1,"to":2})"},
        {hanging(R"("times":{"nth":1,"every":2})"), "/rules/0/times", "'nth' without further members",
         R"({"nth":1,"every":2})"},
        {hanging(R"("during":{"from":"2s","to":"2s"})"), "/rules/0/during", "a time 'to' after the time 'from'",
         R"({"from":"2s","to":"2s"})"},
        {hanging(R"("during":{"from":5})"), "/rules/0/during/from", "a string", "5"},
        {hanging(R"("during":{"to":"-1s"})"), "/rules/0/during/to", expected_time, R"("-1s")"},
        {hanging(R"("chance":2)"), "/rules/0/chance", "a number from 0 to 1", "2"},
        {hanging(R"("where":{"arguments":1})"), "/rules/0/where/arguments", pointer, R"("arguments")"},
        {hanging(R"("where":{"/a~":1})"), "/rules/0/where/~1a~0", pointer, R"("/a~")"},
        {hanging(R"("where":{"/a~2":1})"), "/rules/0/where/~1a~02", pointer, R"("/a~2")"},
        {hanging(R"("where":{"#id":1})"), "/rules/0/where/#id", pointer, R"("#id")"},
        {hanging(R"("where":{"#/http/status":1})"), "/rules/0/where/#~1http~1status", pointer, R"("#/http/status")"},
        {on_event(R"({"notification":"n"})", R"("where":{"#/http/headers/a":1},"do":[])"),
         "/rules/0/where/#~1http~1headers~1a",
         "a JSON Pointer into the parameters as name, such as '/arguments/city', or into the message, such as '#/id'",
         R"("#/http/headers/a")"},
        {hanging(R"("set":{"s":1})"), "/rules/0/set/s",
         "the state of a scenario, a string; the name of a variable begins with '$'", "1"},
        {hanging(R"("set":{"$n":{"add":"1"}})"), "/rules/0/set/$n/add", "a number", R"("1")"},
        {script_with(R"("vars":{"s":"a","n":1},"rules":[{"on":{"call":"t"},"do":[{"hang":true}],
            "set":{"$s":{"add":1},"$n":{"add":1},"$new":{"add":1}}}])"),
         "/rules/0/set/$s/add", "a variable that is a number in 'vars'", R"("a")"},
        {rule_with(R"("do":[])"), "/rules/0/do", expected_response, "[]"},
        {rule_with(R"("sequence":[[{"text":"a"}],[{"delay":"1s"}]])"), "/rules/0/sequence/1", expected_response,
         R"([{"delay":"1s"}])"},
        {hanging(R"("after":"cycle")"), "/rules/0/after", "no such member beside 'do'", R"("cycle")"},
        {rule_with(R"("do":[{"text":"a"}],"sequence":[[{"text":"b"}]])"), "/rules/0",
         "exactly one of 'do' and 'sequence'",
         R"({"on":{"call":"t"},"do":[{"text":"a"}],"sequence":[[{"text":"b"}]]})"},
        {rule_with(R"("priority":0)"), "/rules/0", "exactly one of 'do' and 'sequence'",
         R"({"on":{"call":"t"},"priority":0})"},
    });
}

BOOST_AUTO_TEST_CASE(problem_of_an_action_has_its_pointer_expectation_and_value)
{
    std::string const expression =
        "${params...}, ${vars.NAME}, ${method}, ${tool}, ${id}, ${now}, ${uuid}, ${rand.int(LOWEST,HIGHEST)}, or "
        "$${ for the text ${";
    std::string const distribution = "exactly one of 'uniform', 'normal', 'lognormal', 'exp' and 'ramp', with " +
                                     expected_time +
                                     "; the lowest of 'uniform' first, and the last time of 'ramp' "
                                     "above 0";
    std::string const end = "'}' at the end of each expression, or $${ for the text ${";
    auto const with_text = [](std::string const& text) { return acting(R"({"text":")" + text + "\"}"); };
    check_rows({
        {acting("5"), "/rules/0/do/0", "an object", "5"},
        {rule_with(R"("do":[{}])"), "/rules/0/do/0", "exactly one member", "{}"},
        {acting(R"({"text":"a","hang":true})"), "/rules/0/do/0", "exactly one member", R"({"text":"a","hang":true})"},
        {acting(R"({"txt":"a"})"), "/rules/0/do/0/txt", "no member of this name (similar: 'text')", R"("a")"},
        {with_text("${params.a}-${params..b}"), "/rules/0/do/0/text", expression, R"("${params..b}")"},
        {with_text("${params.}"), "/rules/0/do/0/text", expression, R"("${params.}")"},
        {with_text("${vars.}"), "/rules/0/do/0/text", expression, R"("${vars.}")"},
        {with_text("${params.a${vars.b}}"), "/rules/0/do/0/text", expression, R"("${params.a${vars.b}")"},
        {with_text("${rand.int(3,1)}"), "/rules/0/do/0/text", expression, R"("${rand.int(3,1)}")"},
        {with_text("a ${method"), "/rules/0/do/0/text", end, R"("a ${method")"},
        {acting(R"({"content":[{"type":"text","text":"${x}"}]})"), "/rules/0/do/0/content/0/text", expression,
         R"("${x}")"},
        {acting(R"({"result":{"a":["${x}"]}})"), "/rules/0/do/0/result/a/0", expression, R"("${x}")"},
        {acting(R"({"rpcError":{"code":1,"message":"${x}"}})"), "/rules/0/do/0/rpcError/message", expression,
         R"("${x}")"},
        {acting(R"({"inputRequired":{"requests":{"a":"${x}"}}})"), "/rules/0/do/0/inputRequired/requests/a", expression,
         R"("${x}")"},
        {acting(R"({"inputRequired":{"state":"${x}"}})"), "/rules/0/do/0/inputRequired/state", expression, R"("${x}")"},
        {R"({"mock":1,"resources":[{"uri":"a","text":"${x}"}]})", "/resources/0/text", expression, R"("${x}")"},
        {R"({"mock":1,"prompts":[{"name":"p","messages":[{"content":{"type":"text","text":"${x}"}}]}]})",
         "/prompts/0/messages/0/content/text", expression, R"("${x}")"},
        {acting(R"({"emit":"a\nb"})"), "/rules/0/do/0/emit", "a text without a line break, which would end the message",
         R"("a\nb")"},
        {acting(R"({"log":{"level":"loud","data":1}})"), "/rules/0/do/0/log/level",
         R"(one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")", R"("loud")"},
        {acting(R"({"delay":"4 s"})"), "/rules/0/do/0/delay", expected_time, R"("4 s")"},
        {acting(R"({"delay":{"lognormal":["1s",11]}})"), "/rules/0/do/0/delay/lognormal/1", "a number from 0 to 10",
         "11"},
        {acting(R"({"delay":{"gauss":1}})"), "/rules/0/do/0/delay/gauss",
         "no member of this name (known: 'uniform', 'normal', 'lognormal', 'exp', 'ramp')", "1"},
        {expecting(R"({"call":"a","count":{"mn":2}})"), "/expect/0/count/mn",
         "no member of this name (known: 'min', 'max')", "2"},
        {acting(R"({"delay":{"uniform":["2s","1s"]}})"), "/rules/0/do/0/delay", distribution,
         R"({"uniform":["2s","1s"]})"},
        {acting(R"({"delay":{"ramp":["0s","1s","0s"]}})"), "/rules/0/do/0/delay", distribution,
         R"({"ramp":["0s","1s","0s"]})"},
        {acting(R"({"delay":{"ramp":["0s","1s","soon"]}})"), "/rules/0/do/0/delay", distribution,
         R"({"ramp":["0s","1s","soon"]})"},
        {acting(R"({"delay":{"ramp":["0s","1s"]}})"), "/rules/0/do/0/delay/ramp", "an array of 3", R"(["0s","1s"])"},
        {acting(R"({"progress":{"count":1,"every":"x"}})"), "/rules/0/do/0/progress/every", expected_time, R"("x")"},
        {acting(R"({"fault":{"kind":"delay","delay":"x"}})"), "/rules/0/do/0/fault/delay", expected_time, R"("x")"},
        {acting(R"({"request":{"method":"ping","timeout":"soon"}})"), "/rules/0/do/0/request/timeout", expected_time,
         R"("soon")"},
        {acting(R"({"http":{"status":200,"headers":{"A b":"c"}}})"), "/rules/0/do/0/http/headers/A b",
         "a header field on one line", R"("c")"},
    });
}

BOOST_AUTO_TEST_CASE(problem_of_a_matcher_has_its_pointer_expectation_and_value)
{
    auto const at = [](std::string const& matcher) { return "/rules/0/where/~1a" + matcher; };
    std::string deep = "1";
    for (int i = 0; i != 65; ++i)
        deep = R"({"not":)" + deep + "}";
    std::string many = "[0";
    for (int i = 0; i != 256; ++i)
        many += ",0";
    std::string const type = "a type of JSON Schema (null, boolean, integer, number, string, array, object), or an "
                             "array of them";
    std::string at_deepest = at("");
    for (int i = 0; i != 64; ++i)
        at_deepest += "/not";
    check_rows({
        {matching("{}"), at(""), R"(a matcher in the object; {"eq":{}} matches an empty object)", "{}"},
        {matching(R"({"eqq":1})"), at("/eqq"), "the name of a matcher (similar: 'eq')", R"("eqq")"},
        {matching(R"({"in":5})"), at("/in"), "an array of values", "5"},
        {matching(R"({"lt":"5"})"), at("/lt"), "a number", R"("5")"},
        {matching(R"({"between":[1]})"), at("/between"), "[lowest, highest], two numbers", "[1]"},
        {matching(R"({"between":[2,1.5]})"), at("/between"), "[lowest, highest], the lower number first", "[2,1.5]"},
        {matching(R"({"approx":{"value":1}})"), at("/approx"),
         R"({"value": number, "abs": number} or {"value": number, "rel": number})", R"({"value":1})"},
        {matching(R"({"approx":{"value":1,"abs":-1}})"), at("/approx"), "a tolerance that is not negative",
         R"({"value":1,"abs":-1})"},
        {matching(R"({"re":5})"), at("/re"), "a string", "5"},
        {matching(R"({"re":"("})"), at("/re"),
         "a regular expression of ECMA-262 without look-around and "
         "back-references",
         R"("(")"},
        {matching(R"({"len":-1})"), at("/len"), "a number that is not negative, or [least, most]", "-1"},
        {matching(R"({"len":[2,1]})"), at("/len"), "[least, most], the lower number first", "[2,1]"},
        {matching(R"({"type":"text"})"), at("/type"), type, R"("text")"},
        {matching(R"({"schema":{"type":5}})"), at("/schema/type"),
         "a valid JSON Schema (must be the name of a type or a non-empty array of such names)", "5"},
        {matching(R"({"unordered":5})"), at("/unordered"), "an array of values", "5"},
        {matching(R"({"unordered":)" + many + "]}"), at("/unordered"), "at most 256 values", "257"},
        {matching(R"({"all":[]})"), at("/all"), "an array of matchers that is not empty", "[]"},
        {matching(R"({"present":1})"), at("/present"), "true or false", "1"},
        {matching(R"({"capture":""})"), at("/capture"), "the name of a variable, not empty", R"("")"},
        {matching(R"({"not":{"capture":"x"}})"), at("/not/capture"), "no 'capture' within another matcher", R"("x")"},
        {matching(deep), at_deepest, "at most 64 nested matchers", R"({"not":1})"},
    });
}

BOOST_AUTO_TEST_CASE(unknown_kind_of_fault_has_a_similar_name)
{
    auto const problems = problems_in(acting(R"({"fault":"half_close"})"));
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(problems[0].pointer == "/rules/0/do/0/fault");
    BOOST_TEST(contains(problems[0].message, R"((similar: "half-close"), found "half_close")"), problems[0].message);
}

// The state of a scenario that nothing sets is always empty.
BOOST_AUTO_TEST_CASE(scenario_of_a_condition_must_have_a_state_that_is_set)
{
    std::string const expected = "a scenario of 'scenarios' or 'set'";
    check_rows({
        {hanging(R"("state":{"door":"open"})"), "/rules/0/state/door", expected, R"("door")"},
        {hanging(R"("state":{"dor/x":"open"},"set":{"dor":"a","$door":1})"), "/rules/0/state/dor~1x",
         expected + " (similar: 'dor')", R"("dor/x")"},
    });
    for (auto const& script :
         {hanging(R"("state":{"door":""})"), hanging(R"("state":{"door":"open"},"set":{"door":"open"})"),
          rule_with(R"("state":{"door":"open"},"do":[{"set":{"door":"open"}},{"hang":true}])"),
          rule_with(R"("state":{"door":"open"},"sequence":[[{"hang":true}],[{"set":{"door":"open"}},{"hang":true}]])"),
          script_with(R"("scenarios":{"door":"closed"},"rules":[{"on":{"call":"t"},"state":{"door":"open"},)"
                      R"("do":[{"hang":true}]}])")})
        BOOST_TEST(problems_in(script).empty(), script);
}

// A server may have further tools, so that its tools are known when the script is added.
BOOST_AUTO_TEST_CASE(tool_of_an_expectation_must_be_one_of_the_server)
{
    auto const added = [](std::string const& members, std::string const& own_tool = "own") {
        scripted_server server;
        server.tool(own_tool, "{}", nullptr);
        try {
            mock_script::parse(R"({"mock":1,"tools":[{"name":"weather"}],)" + members + "}", "x.json").add_to(server);
        } catch (script_error const& failure) {
            BOOST_TEST(server.requests().empty());
            return std::string(failure.what());
        }
        return std::string();
    };
    auto const expecting = [](std::string const& one) { return "\"expect\":[" + one + "]"; };
    BOOST_TEST(added(expecting(R"({"call":"weathr","count":0})")) ==
               R"(x.json: /expect/0/call: expected a tool of the server (similar: 'weather'), found "weathr")");
    BOOST_TEST(added(expecting(R"({"call":"own"},{"never":{"call":"x"}},{"cancelled":{"call":"y"}})")) ==
               R"(x.json: /expect/1/never/call: expected a tool of the server, found "x")"
               "\n"
               R"(x.json: /expect/2/cancelled/call: expected a tool of the server, found "y")");
    std::string const hang = R"("do":[{"hang":true}])";
    auto const with_rule = [&](std::string const& trigger, std::string const& actions) {
        return R"("rules":[{"on":)" + trigger + "," + actions + "}]," + expecting(R"({"call":"x"})");
    };
    BOOST_TEST(added(expecting(R"({"never":{"call":"weather"}},{"never":{"call":"x"}})"), "x").empty());
    BOOST_TEST(added(with_rule(R"({"call":"x"})", hang)).empty());
    BOOST_TEST(added(with_rule(R"({"request":"tools/call"})", hang)).empty());
    BOOST_TEST(added(with_rule(R"({"connect":true})", R"("do":[{"tools":{"add":[{"name":"x"}]}}])")).empty());
    BOOST_TEST(
        added(R"("unmatched":{"passthrough":{"url":"http://localhost"}},)" + expecting(R"({"call":"x"})")).empty());
}

BOOST_AUTO_TEST_CASE(script_without_a_problem_is_accepted)
{
    for (auto const& script : {
             hanging(R"("times":{"from":18446744073709551615,"every":2})"),
             acting(R"({"text":"a $${method $ {}"})"),
             script_with(R"("rules":[{"id":"a","on":{"call":"t"},"do":[{"hang":true}]}],"expect":[{"order":["a"]}])"),
             script_with(R"("rules":[{"on":{"call":"t"},"do":[{"hang":true}]}],"expect":[{"order":["#1"]}])"),
             hanging(R"("where":{"":{"type":"object"},"/a~0~1":1})"),
             matching(R"j({"schema":{"pattern":"(?=a)"}})j"),
         })
        BOOST_TEST(script_problems(script) == "");
}

BOOST_AUTO_TEST_CASE(report_of_more_than_1000_problems_states_that_others_may_follow)
{
    auto const report_of = [](int unknown_members) {
        std::string script = R"({"mock":1)";
        for (int i = 0; i != unknown_members; ++i)
            script += ",\"x" + std::to_string(i) + "\":1";
        return script_problems(script + "}");
    };
    auto const report = report_of(1100);
    BOOST_TEST(std::ranges::count(report, '\n') == 1000);
    BOOST_TEST(report.ends_with("further problems of types and names may follow: at most 1000 are reported at once"),
               report);
    BOOST_TEST(std::ranges::count(report_of(999), '\n') == 998);
    std::string rules;
    for (int i = 0; i != 1100; ++i)
        rules += std::string(i == 0 ? "" : ",") + R"({"on":{"call":"t"},"x":1,"do":[{"text":"x"}]})";
    BOOST_TEST(!contains(script_problems(R"({"mock":1,"rules":[)" + rules + "]}"), "expected an action that responds"));
}

BOOST_AUTO_TEST_CASE(repeated_names_of_members_are_reported_with_their_locations)
{
    BOOST_TEST(script_problems(R"({"mock":1,"rules":[{"on":{"call":"t"},"do":[{"text":"1"}]}],
        "tools":[{"name":"t","inputSchema":{"a/b":{"type":"object","t\u0079pe":[{"x":1,"x":{"y":1,"y":2,"y":3}}]}}}],
        "rules":[]})") == "x: /tools/0/inputSchema/a~1b/type: expected no second member of this name, found "
                          "[{\"x\":{\"y\":3}}]\n"
                          "x: /tools/0/inputSchema/a~1b/type/0/x: expected no second member of this name, found "
                          "{\"y\":3}\n"
                          "x: /tools/0/inputSchema/a~1b/type/0/x/y: expected no second member of this name, found 2\n"
                          "x: /tools/0/inputSchema/a~1b/type/0/x/y: expected no second member of this name, found 3\n"
                          "x: /rules: expected no second member of this name, found []");
    std::string many = R"({"mock":1,"vars":{)";
    for (int i = 0; i != 1100; ++i)
        many += R"("a":1,)";
    auto const report = script_problems(many + R"("b":1}})");
    BOOST_TEST(std::ranges::count(report, '\n') == 999);
    BOOST_TEST(!contains(script_problems(R"({"mock":1,"mock":1)"), "second member")); // not JSON
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_script_are_reported_with_their_locations)
{
    try {
        mock_script::parse(R"({"mock":1,"tols":1,"protocolVersions":["2099-01-01"],
            "tools":[{"name":"a","outputSchema":{"type":"object","required":["x"],"properties":{"x":false}}},
            {"name":"a"}],
            "rules":[
            {"on":{"call":"a","request":"b"},"do":[{"text":"${parms.x}","hang":true},{"delay":"4 s"}]},
            {"on":{"call":"a"},"where":{"arguments":{"eqq":1}},"times":{"nth":1,"to":2},"set":{"s":1,"$n":{"add":"1"}}},
            {"on":{"call":"a"},"after":"cycle","during":{"from":"-1s"},
             "do":[{"delay":{"uniform":["2s","1s"]}},{},{"text":"${rand.int(3,1)}"}]}],
            "unmatched":"ignore",
            "expect":[{"call":"a","count":{"min":2,"max":1}},{"never":{}},{"order":["x"],"count":1},{}]})",
                           "x.json");
        BOOST_ERROR("no exception");
    } catch (script_error const& failure) {
        std::string const expected =
            "x.json: /tols: expected no member of this name (similar: 'tools'), found 1\n"
            "x.json: /unmatched: expected one of \"respond\", \"error\", \"hang\", \"fail-fast\", found \"ignore\"\n"
            "x.json: /protocolVersions/0: expected a protocol version of MCP, found \"2099-01-01\"\n"
            "x.json: /tools/0/outputSchema: expected a schema of an object, for which a value can be "
            "made, or a member 'reply', found "
            "{\"type\":\"object\",\"required\":[\"x\"],\"properties\":{\"x\":false}}; no valid value "
            "found in 200 trials; the last one: /x: the schema 'false' permits no value\n"
            "x.json: /tools/1/name: expected a name that no other tool has, found \"a\"\n"
            "x.json: /rules/0/on: expected exactly one of 'call', 'request', 'notification', 'response', "
            "'connect', 'stdin-eof', 'disconnect', 'start', 'at', 'gate', 'http' and 'signal', found "
            "{\"call\":\"a\",\"request\":\"b\"}\n"
            "x.json: /rules/0/do/0/text: expected ${params...}, ${vars.NAME}, ${method}, ${tool}, ${id}, ${now}, "
            "${uuid}, "
            "${rand.int(LOWEST,HIGHEST)}, or $${ for the text ${, found \"${parms.x}\"\n"
            "x.json: /rules/0/do/0: expected exactly one member, found "
            "{\"text\":\"${parms.x}\",\"hang\":true}\n"
            "x.json: /rules/0/do/1/delay: expected a time such as \"250ms\", \"2s\", \"1.5min\" or "
            "\"3h\", found \"4 s\"\n"
            "x.json: /rules/1/where/arguments: expected a JSON Pointer into the parameters as name, such "
            "as '/arguments/city', or into the message, such as '#/id', or a header field, such as "
            "'#/http/headers/authorization', found "
            "\"arguments\"\n"
            "x.json: /rules/1/where/arguments/eqq: expected the name of a matcher (similar: 'eq'), found "
            "\"eqq\"\n"
            "x.json: /rules/1/set/s: expected the state of a scenario, a string; the name of a variable "
            "begins with '$', found 1\n"
            "x.json: /rules/1/set/$n/add: expected a number, found \"1\"\n"
            "x.json: /rules/1: expected exactly one of 'do' and 'sequence', found "
            "{\"on\":{\"call\":\"a\"},\"where\":{\"arguments\":{\"eqq\":1}},\"times\":{\"nth\":1,\"to\":2},\"set\":{"
            "\"s\":1,\"$n\":{\"add\":\"1\"}}}\n"
            "x.json: /rules/1/times: expected 'nth' without further members, found {\"nth\":1,\"to\":2}\n"
            "x.json: /rules/2/during/from: expected a time such as \"250ms\", \"2s\", \"1.5min\" or "
            "\"3h\", found \"-1s\"\n"
            "x.json: /rules/2/after: expected no such member beside 'do', found \"cycle\"\n"
            "x.json: /rules/2/do/0/delay: expected exactly one of 'uniform', 'normal', 'lognormal', "
            "'exp' and 'ramp', with a time such as \"250ms\", \"2s\", \"1.5min\" or \"3h\"; the lowest of 'uniform' "
            "first, and the last time of 'ramp' above 0, found {\"uniform\":[\"2s\",\"1s\"]}\n"
            "x.json: /rules/2/do/1: expected exactly one member, found {}\n"
            "x.json: /rules/2/do/2/text: expected ${params...}, ${vars.NAME}, ${method}, ${tool}, ${id}, ${now}, "
            "${uuid}, "
            "${rand.int(LOWEST,HIGHEST)}, or $${ for the text ${, found \"${rand.int(3,1)}\"\n"
            "x.json: /expect/0/count/max: expected a number that is not less than 'min', found 1\n"
            "x.json: /expect/1/never: expected exactly one of 'call' and 'request', found {}\n"
            "x.json: /expect/2: expected 'where' and 'count' only beside 'call' or 'request', found "
            "{\"order\":[\"x\"],\"count\":1}\n"
            "x.json: /expect/2/order/0: expected the name of a rule, found \"x\"\n"
            "x.json: /expect/3: expected exactly one of 'call', 'request', 'never', 'cancelled', 'order' and "
            "'stdinClosed', found {}";
        BOOST_TEST(failure.what() == expected);
        BOOST_TEST(failure.problems().size() == 25u);
    }
}

BOOST_AUTO_TEST_CASE(script_that_cannot_be_read_is_an_error_with_its_name)
{
    auto const message_of = [](auto&& read) {
        try {
            read();
        } catch (script_error const& failure) {
            return std::string(failure.what());
        }
        return std::string("no exception");
    };
    BOOST_TEST(message_of([] { mock_script::load("/no/such.json"); }) ==
               "/no/such.json: expected a file that can be read, found 'No such file or directory'");
    BOOST_TEST(message_of([] { mock_script::load("/"); }) ==
               "/: expected a file that can be read, found 'Is a directory'");
    BOOST_TEST(message_of([] { mock_script::parse("{"); }) ==
               "script: expected JSON, found invalid text at line 1, column 2");
    BOOST_TEST(message_of([] { mock_script::parse("{}"); }) == "script: /mock: expected a value, found nothing");
    BOOST_TEST(contains(message_of([] { mock_script::parse(R"({"mock":2})"); }), "script: /mock: expected 1, found"));
}

BOOST_AUTO_TEST_SUITE_END()
