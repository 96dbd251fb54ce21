#include <linkspan/config/connector_config.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/config_problems.hpp"
#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(connector_config_test)

using namespace linkspan;
using linkspan::test::contains;
using namespace std::chrono_literals;
using severity = config_problem::severity;
using texts = std::vector<std::string>;
namespace data = boost::unit_test::data;

namespace {

connector_config read(std::string_view text) { return connector_config::from_json(text); }

// Reads a document with one server "s" that has these members.
connector_config read_server(std::string const& members) { return read(R"({"mcpServers":{"s":{)" + members + "}}}"); }

std::string all_of(connector_config const& config) { return linkspan::test::all_of(config.problems); }

texts names_of(connector_config const& config)
{
    texts names;
    for (auto const& server : config.servers)
        names.push_back(server.name);
    return names;
}

struct bad_row {
    char const* members; // of server "s"
    char const* pointer; // after "/mcpServers/s"
    char const* expected;
};

std::ostream& operator<<(std::ostream& out, bad_row const& row) { return out << row.members; }

// Each key with a value that has a wrong type or is out of range.
constexpr bad_row bad_values[] = {
    {R"("args":[])", "", "'command' is missing"},
    {R"("command":null)", "", "'command' is missing"},
    {R"("type":"stdio")", "", "'command' is missing"},
    {R"("type":"http")", "", "'url' is missing"},
    {R"("type":"stdio","url":"https://h")", "", "'command' is missing"},
    {R"("type":"http","command":"c","url":"https://h")", "/command", "not both"},
    {R"("command":"c","url":"https://h")", "/url", "not both"},
    {R"("url":"")", "/url", "empty"},
    {R"("url":7)", "/url", "a number"},
    {R"("url":"https://h","headers":[])", "/headers", "an array"},
    {R"("url":"https://h","headers":{"A":1})", "/headers/A", "a number"},
    {R"("url":"https://h","headers":{"":"x"})", "/headers/", "invalid header name"},
    {R"("url":"https://h","headers":{"A B":"x"})", "/headers/A B", "invalid header name"},
    {R"("url":"https://h","headers":{"A\r\nB":"x"})", "/headers/A\r\nB", "invalid header name"},
    {R"("command":"")", "/command", "empty"},
    {R"("command":7)", "/command", "a number"},
    {R"("command":"c","args":"a")", "/args", "a string"},
    {R"("command":"c","args":{})", "/args", "an object"},
    {R"("command":"c","args":["a",1])", "/args/1", "a number"},
    {R"("command":"c","args":["a",[]])", "/args/1", "an array"},
    {R"("command":"c","env":[])", "/env", "an array"},
    {R"("command":"c","env":{"A":1})", "/env/A", "a number"},
    {R"("command":"c","env":{"A/B~C":true})", "/env/A~1B~0C", "a boolean"},
    {R"("command":"c","env":{"":"x"})", "/env/", "invalid variable name"},
    {R"("command":"c","env":{"A=B":"x"})", "/env/A=B", "invalid variable name"},
    {R"("command":"c","env":{"A":null})", "/env/A", "null"},
    {R"("command":"c","env":{"A":"x\u0000"})", "/env/A", "NUL"},
    {R"("command":"\u0000")", "/command", "NUL"},
    {R"("command":"c","args":["a\u0000b"])", "/args/0", "NUL"},
    {R"("command":"c","cwd":"a\u0000b")", "/cwd", "NUL"},
    {R"("command":"c","cwd":false)", "/cwd", "a boolean"},
    {R"("command":"c","name":1)", "/name", "a number"},
    {R"("command":"c","description":1)", "/description", "a number"},
    {R"("command":"c","enabled":"yes")", "/enabled", "a string"},
    {R"("command":"c","is_active":1)", "/is_active", "a number"},
    {R"("command":"c","disabled":[])", "/disabled", "an array"},
    {R"("command":"c","enabled":true,"disabled":true)", "", "contradict"},
    {R"("command":"c","enabled":false,"is_active":true)", "", "contradict"},
    {R"("command":"c","required":"no")", "/required", "a string"},
    {R"("command":"c","start":"early")", "/start", "'lazy'"},
    {R"("command":"c","start":true)", "/start", "a boolean"},
    {R"("command":"c","restart":5)", "/restart", "a number"},
    {R"("command":"c","restart":{"max_restarts":-1})", "/restart/max_restarts", "-1"},
    {R"("command":"c","restart":{"max_restarts":1.5})", "/restart/max_restarts", "a number"},
    {R"("command":"c","restart":{"window":0})", "/restart/window", "seconds from 0.001 to 1000000, found 0"},
    {R"("command":"c","restart":{"wait":-1})", "/restart/wait", "a number of seconds from 0 to 1000000, found -1"},
    {R"("command":"c","restart":{"max_wait":"1s"})", "/restart/max_wait", "a string"},
    {R"("command":"c","restart":{"settled_after":[]})", "/restart/settled_after", "an array"},
    {R"("command":"c","restart":{"patience":1e300})", "/restart/patience", "seconds from 0"},
    {R"("command":"c","restart":{"max_slow_wait":-1})", "/restart/max_slow_wait", "seconds from 0"},
    {R"("command":"c","restart":{"unresponsive_after":"1m"})", "/restart/unresponsive_after", "a string"},
    {R"("command":"c","restart":{"give_up":1})", "/restart/give_up", "a number"},
    {R"("command":"c","timeout":0)", "/timeout", "expected a number of seconds from 0.001 to 1000000, found 0"},
    {R"("command":"c","timeout":-1)", "/timeout", "seconds from 0.001 to 1000000, found -1"},
    {R"("command":"c","timeout":1000001)", "/timeout", "1000000"},
    {R"("command":"c","timeout":18446744073709551615)", "/timeout", "1000000"},
    {R"("command":"c","timeout":1e-300)", "/timeout", "seconds from 0.001 to 1000000, found 1e-300"},
    {R"("command":"c","timeout":0.0005)", "/timeout", "seconds from 0.001 to 1000000, found 5e-04"},
    {R"("command":"c","startup_timeout_ms":0.5)", "/startup_timeout_ms",
     "expected a number of milliseconds from 1 to 1000000000, found 0.5"},
    {R"("command":"c","startup_timeout_ms":"5")", "/startup_timeout_ms",
     "expected a number of milliseconds from 1 to 1000000000, found a string"},
    {R"("command":"c","timeout":"60")", "/timeout", "a string"},
    {R"("command":"c","startup_timeout":{})", "/startup_timeout", "an object"},
    {R"("command":"c","strict":0)", "/strict", "a number"},
    {R"("command":"c","type":"ftp")", "/type", "'ftp'"},
    {R"("command":"c","type":1)", "/type", "a number"},
    {R"("command":"c","inherit_env":"none")", "/inherit_env", "'safe'"},
    {R"("command":"c","inherit_env":true)", "/inherit_env", "a boolean"},
    {R"("command":"c","priority":101)", "/priority", "0 to 100"},
    {R"("command":"c","priority":-1)", "/priority", "-1"},
    {R"("command":"c","priority":1.5)", "/priority", "a number"},
    {R"("command":"c","priority":"9")", "/priority", "a string"},
    {R"("command":"c","replicas":0)", "/replicas", "1 to 100"},
    {R"("command":"c","priority":18446744073709551615)", "/priority", "integer"},
    {R"("command":"c","tags":"x")", "/tags", "a string"},
    {R"("command":"c","tags":[null])", "/tags/0", "null"},
    {R"("command":"c","trust_annotations":1)", "/trust_annotations", "a number"},
    {R"("command":"c","validate_arguments":"yes")", "/validate_arguments", "a string"},
    {R"("command":"c","validate_results":1)", "/validate_results", "a number"},
    {R"("command":"c","result_classifier":"stat")", "/result_classifier", "expected one of 'status', found 'stat'"},
    {R"("command":"c","result_ttl":-1)", "/result_ttl", "seconds from 0"},
    {R"("command":"c","tools":{"t":{"result_ttl":"1s"}})", "/tools/t/result_ttl", "a string"},
    {R"("command":"c","max_in_flight":0)", "/max_in_flight", "1"},
    {R"("command":"c","max_in_flight":"many")", "/max_in_flight", "a string"},
    {R"("command":"c","max_line":0)", "/max_line", "1"},
    {R"("command":"c","max_line":"16M")", "/max_line", "a string"},
    {R"("command":"c","tools":[])", "/tools", "an array"},
    {R"("command":"c","tools":{"t":"never"})", "/tools/t", "a string"},
    {R"("command":"c","tools":{"t":{"replay":"always"}})", "/tools/t/replay", "'always'"},
    {R"("command":"c","tools":{"t":{"replay":0}})", "/tools/t/replay", "a number"},
    {R"("command":"c","tools":{"t":{"group":1}})", "/tools/t/group", "a number"},
};

struct unknown_row {
    char const* members;
    char const* pointer;
    char const* similar; // empty: no name is near
};

std::ostream& operator<<(std::ostream& out, unknown_row const& row) { return out << row.members; }

constexpr unknown_row unknown_keys[] = {
    {R"("command":"c","arg":[])", "/arg", "args"},
    {R"("command":"c","Command":"c")", "/Command", "command"},
    {R"("command":"c","prioritiy":1)", "/prioritiy", "priority"},
    {R"("command":"c","inheritenv":"all")", "/inheritenv", "inherit_env"},
    {R"("command":"c","tool":{})", "/tool", "tools"},
    {R"("command":"c","tools":{"t":{"reply":"never"}})", "/tools/t/reply", "replay"},
    {R"("command":"c","something":1)", "/something", ""},
    {R"("command":"c","something":null)", "/something", ""},
    {R"("command":"c","restart":{"max":1})", "/restart/max", ""},
    {R"("command":"c","start_up_timeout":1)", "/start_up_timeout", "startup_timeout"},
    {R"("command":"c","is_activ":true)", "/is_activ", "is_active"},
    {R"("command":"c","x/y":1)", "/x~1y", ""},
};

struct syntax_row {
    char const* document;
    char const* position;
};

std::ostream& operator<<(std::ostream& out, syntax_row const& row) { return out << row.document; }

constexpr syntax_row broken[] = {
    {"", "line 1, column 1"},
    {"{x", "line 1, column 2"},
    {"{\n  \"mcpServers\": {\n    nothing\n}}", "line 3, column 5"},
    {"{\"mcpServers\":{}} x", "line 1, column 19"},
    {"{\"mcpServers\":", "line 1, column 15"},
    {"{ // one\n /* two\n three */ x}", "line 3, column 11"},
    {"{/* open", "line 1, column 2"},
    {"{,}", "line 1, column 2"},
    {"\xef\xbb\xbf{x", "line 1, column 5"},
    {"{\"a\":\"\xff\"}", "line 1, column 7"},
};

} // namespace

BOOST_AUTO_TEST_CASE(every_server_key_is_read)
{
    auto const config = read_server(R"("name":"s","command":"server","args":["-v","/srv"],"env":{"A":"1","B":""},
        "cwd":"/tmp","type":"stdio","inherit_env":"all","description":"about it","enabled":false,"required":true,
        "start":"lazy","restart":{"max_restarts":2,"window":60,"wait":0.5,"max_wait":8,"settled_after":5,"patience":0,
                                     "max_slow_wait":60,"unresponsive_after":0,"give_up":true},
        "timeout":1.5,"startup_timeout":90,"strict":true,"priority":7,"tags":["fast","local"],
        "trust_annotations":true,"validate_arguments":true,"validate_results":false,"max_in_flight":3,"max_line":4096,
        "result_classifier":"status",
        "result_ttl":30,
        "tools":{"a":{"replay":"never","group":"g","result_ttl":0.5},
        "b":{"replay":"idempotent"},"c":{"replay":"read_only"},"d":{"replay":"keyed"},"e":{}})");
    BOOST_TEST(config.problems.empty(), all_of(config));
    BOOST_TEST(!config.has_errors());
    BOOST_TEST_REQUIRE(config.servers.size() == 1u);
    auto const& server = config.servers[0];
    BOOST_TEST(server.name == "s");
    BOOST_TEST(server.key() == "s");
    BOOST_TEST(server.command == "server");
    BOOST_TEST(server.args == (texts{"-v", "/srv"}), boost::test_tools::per_element());
    BOOST_TEST((server.env == std::map<std::string, std::string>{{"A", "1"}, {"B", ""}}));
    BOOST_TEST(server.cwd == "/tmp");
    BOOST_TEST((server.inherit == environment::all));
    BOOST_TEST(server.max_line == 4096u);
    BOOST_TEST(server.resolve().stdio->max_line == 4096u);
    BOOST_TEST(server.description == "about it");
    BOOST_TEST(server.pointer == "/mcpServers/s");
    BOOST_TEST((server.when_missing == missing::error)); // because of 'strict'
    auto const& options = server.options;
    BOOST_TEST(!options.enabled);
    BOOST_TEST(options.required);
    BOOST_TEST((options.start == start_mode::lazy));
    BOOST_TEST(options.restart.max_restarts == 2u);
    BOOST_TEST((options.restart.window == 60s));
    BOOST_TEST((options.restart.wait == 500ms));
    BOOST_TEST((options.restart.max_wait == 8s));
    BOOST_TEST((options.restart.settled_after == 5s));
    BOOST_TEST((options.restart.patience == 0s));
    BOOST_TEST((options.restart.max_slow_wait == 60s));
    BOOST_TEST((options.restart.unresponsive_after == 0s));
    BOOST_TEST(options.restart.give_up);
    BOOST_TEST((options.session.idle_timeout == 1500ms));
    BOOST_TEST((options.session.startup_timeout == 90s));
    BOOST_TEST(options.session.strict);
    BOOST_TEST(options.priority == 7);
    BOOST_TEST(options.tags == (texts{"fast", "local"}), boost::test_tools::per_element());
    BOOST_TEST(options.trust_annotations);
    BOOST_TEST((options.validate_arguments == true));
    BOOST_TEST((options.validate_results == false));
    BOOST_TEST(options.session.max_in_flight == 3u);
    call_result const failed(linkspan::detail::shared_text(R"({"structuredContent":{"status":"error"}})"), {});
    BOOST_TEST_REQUIRE(!!options.result_classifier);
    BOOST_TEST(options.result_classifier("a", failed).has_value());
    BOOST_TEST((options.tools.at("a").replay == replay_class::never));
    BOOST_TEST(options.tools.at("a").group == "g");
    BOOST_TEST((options.result_ttl == 30s));
    BOOST_TEST((options.tools.at("a").result_ttl == 500ms));
    BOOST_TEST(!options.tools.at("b").result_ttl);
    BOOST_TEST((options.tools.at("b").replay == replay_class::idempotent));
    BOOST_TEST((options.tools.at("c").replay == replay_class::read_only));
    BOOST_TEST((options.tools.at("d").replay == replay_class::keyed));
    BOOST_TEST(!options.tools.at("e").replay);
}

BOOST_AUTO_TEST_CASE(max_line_of_http_server_limits_body_and_event_size)
{
    auto const config = read_server(R"("url":"https://example.com/mcp","max_line":4096)");
    BOOST_TEST(config.problems.empty(), all_of(config));
    BOOST_TEST_REQUIRE(config.servers.size() == 1u);
    auto const http = config.servers[0].resolve().http();
    BOOST_TEST(http.max_body == 4096u);
    BOOST_TEST(http.max_event == 4096u);
    auto const plain = read_server(R"("url":"https://example.com/mcp")").servers.at(0).resolve().http();
    BOOST_TEST(plain.max_body == http_config().max_body);
    BOOST_TEST(plain.max_event == http_config().max_event);
}

BOOST_AUTO_TEST_CASE(server_with_only_a_command_has_defaults)
{
    server_options const defaults;
    for (std::string const rest :
         {"", R"(,"env":null,"args":null,"description":null,"priority":null,"restart":null)"}) {
        auto const config = read_server(R"("command":"server")" + rest);
        BOOST_TEST(config.problems.empty(), all_of(config));
        BOOST_TEST_REQUIRE(config.servers.size() == 1u);
        auto const& server = config.servers[0];
        BOOST_TEST(server.args.empty());
        BOOST_TEST(server.env.empty());
        BOOST_TEST(server.description.empty());
        BOOST_TEST((server.inherit == environment::safe));
        BOOST_TEST(server.options.enabled);
        BOOST_TEST(server.options.priority == defaults.priority);
        BOOST_TEST(server.options.session.max_in_flight == defaults.session.max_in_flight);
        BOOST_TEST((server.options.session.idle_timeout == 30s));
        BOOST_TEST((server.options.session.attempt_timeout == defaults.session.attempt_timeout));
        BOOST_TEST((server.options.start == start_mode::eager));
        BOOST_TEST(!server.options.trust_annotations);
        BOOST_TEST(!server.options.validate_arguments.has_value());
        BOOST_TEST(!server.options.validate_results.has_value());
        BOOST_TEST(server.options.tools.empty());
    }
}

BOOST_AUTO_TEST_CASE(server_is_enabled_or_disabled_by_any_of_three_keys)
{
    for (auto const* members : {R"("enabled":false)", R"("is_active":false)", R"("disabled":true)",
                                R"("enabled":false,"is_active":false,"disabled":true)"}) {
        auto const config = read_server(std::string(R"("command":"c",)") + members);
        BOOST_TEST(config.problems.empty(), all_of(config));
        BOOST_TEST(!config.servers.at(0).options.enabled, members);
    }
    for (auto const* members : {R"("enabled":true)", R"("is_active":true)", R"("disabled":false)"})
        BOOST_TEST(read_server(std::string(R"("command":"c",)") + members).servers.at(0).options.enabled, members);
}

BOOST_AUTO_TEST_CASE(default_timeout_and_max_retries_have_defaults)
{
    connector_config const none;
    BOOST_TEST(none.servers.empty());
    BOOST_TEST((none.default_timeout == 30s));
    BOOST_TEST(none.max_retries == 3u);
    BOOST_TEST(none.max_attempts() == 4u);
    auto const silent = read(R"({"servers":{}})");
    BOOST_TEST((silent.default_timeout == 30s));
    BOOST_TEST(silent.max_retries == 3u);
    auto const given = read(R"({"servers":{},"default_timeout":60,"max_retries":5})");
    BOOST_TEST(given.problems.empty(), all_of(given));
    BOOST_TEST((given.default_timeout == 60s));
    BOOST_TEST(given.max_retries == 5u);
    BOOST_TEST(given.max_attempts() == 6u);
}

BOOST_AUTO_TEST_CASE(schema_validation_settings_are_read_and_merged)
{
    auto config = read(R"({"servers":{},"validate_arguments":true})");
    BOOST_TEST(config.problems.empty(), all_of(config));
    BOOST_TEST((config.validate_arguments == true));
    BOOST_TEST(!config.validate_results.has_value());
    config |= read(R"({"servers":{},"validate_results":false})");
    BOOST_TEST((config.validate_arguments == true));
    BOOST_TEST((config.validate_results == false));
}

BOOST_AUTO_TEST_CASE(default_timeout_of_document_applies_to_its_servers)
{
    auto const config = read(R"({"mcpServers":{"a":{"command":"c"},"b":{"command":"c","timeout":5},
        "c":{"command":"c","timeout":900}},"default_timeout":60})");
    BOOST_TEST_REQUIRE(config.servers.size() == 3u);
    auto const session = [&](std::size_t i) { return config.servers[i].options.session; };
    BOOST_TEST((session(0).idle_timeout == 60s));
    BOOST_TEST((session(1).idle_timeout == 5s));
    BOOST_TEST((session(2).idle_timeout == 900s));
    // The attempt timeout is not below the idle timeout.
    BOOST_TEST((session(0).attempt_timeout == 300s));
    BOOST_TEST((session(2).attempt_timeout == 900s));
}

BOOST_AUTO_TEST_CASE(invalid_document_settings_are_reported_and_servers_are_read)
{
    for (auto const& [member, message] : {
             std::pair(R"("default_timeout":"60")", "error: /default_timeout: expected a number of seconds"),
             {R"("default_timeout":0)", "error: /default_timeout: expected a number of seconds"},
             {R"("default_timeout":1e999)", "error: /default_timeout: expected a number of seconds"},
             {R"("max_retries":-1)", "error: /max_retries: expected an integer from 0"},
             {R"("max_retries":2.5)", "error: /max_retries: expected an integer from 0"},
             {R"("max_retries":true)", "error: /max_retries: expected an integer from 0"},
             {R"("validate_results":3)", "error: /validate_results: expected"},
             {R"("inputs":{})", "error: /inputs: expected an array"},
             {R"("inputs":[7])", "error: /inputs/0: expected an object"},
             {R"("inputs":[{"description":"x"}])", "error: /inputs/0: 'id' is missing"},
             {R"("inputs":[{"id":"a"},{"id":1,"password":"x"}])", "error: /inputs/1/id: expected a string"},
             {R"("mcpServers":{"s":{"command":"c","restart":{"most":2}}})",
              "warning: server 's', /mcpServers/s/restart/most: the key is deprecated: use 'max_restarts'"},
             {R"("max_retry":1)", "warning: /max_retry: unknown key; did you mean 'max_retries'?"},
             {R"("servers":{})", "error: /servers: expected 'mcpServers' or 'servers', not both"},
         }) {
        auto const config = read(std::string(R"({"mcpServers":{"s":{"command":"c"}},)") + member + "}");
        BOOST_TEST(contains(all_of(config), message), all_of(config));
        BOOST_TEST((config.default_timeout == 30s));
        BOOST_TEST(config.max_retries == 3u);
        BOOST_TEST(config.servers.size() == 1u);
    }
}

BOOST_AUTO_TEST_CASE(servers_keep_the_order_of_the_document)
{
    auto const config = read(R"({"mcpServers":{"z":{"command":"1"},"a":{"command":"2"},"m":{"command":"3"}}})");
    BOOST_TEST(names_of(config) == (texts{"z", "a", "m"}), boost::test_tools::per_element());
    BOOST_TEST(read(R"({"mcpServers":{}})").problems.empty());
}

BOOST_DATA_TEST_CASE(invalid_value_is_reported_with_its_position_and_server_is_omitted, data::make(bad_values))
{
    auto const config = read_server(sample.members);
    BOOST_TEST(config.has_errors());
    BOOST_TEST(config.servers.empty());
    BOOST_TEST_REQUIRE(config.problems.size() == 1u, all_of(config));
    auto const& problem = config.problems[0];
    BOOST_TEST((problem.level == severity::error));
    BOOST_TEST(problem.subject == "s");
    BOOST_TEST(problem.pointer == std::string("/mcpServers/s") + sample.pointer);
    BOOST_TEST(contains(problem.message, sample.expected), problem.message);
}

BOOST_DATA_TEST_CASE(unknown_key_is_a_warning_that_suggests_similar_keys, data::make(unknown_keys))
{
    auto const config = read_server(sample.members);
    BOOST_TEST(!config.has_errors());
    BOOST_TEST(config.servers.size() == 1u);
    BOOST_TEST_REQUIRE(config.problems.size() == 1u, all_of(config));
    auto const& problem = config.problems[0];
    BOOST_TEST((problem.level == severity::warning));
    BOOST_TEST(problem.subject == "s");
    BOOST_TEST(problem.pointer == std::string("/mcpServers/s") + sample.pointer);
    BOOST_TEST(contains(problem.message, "unknown key"));
    std::string const similar = sample.similar;
    BOOST_TEST(contains(problem.message, similar.empty() ? "unknown key" : "did you mean '" + similar + "'?"));
    BOOST_TEST(contains(problem.message, "did you mean") == !similar.empty());
}

constexpr char const* oauth_keys[] = {
    "oauth", "auth", "scopes", "authProviderType", "oauth_resource", "targetAudience", "targetServiceAccount"};

BOOST_DATA_TEST_CASE(key_of_oauth_is_a_warning_that_names_the_alternatives, data::make(oauth_keys))
{
    std::string const key = sample;
    for (std::string const value : {R"("hunter2")", R"(["hunter2"])", R"({"clientId":"hunter2"})", "true"}) {
        auto const config = read_server(R"("url":"https://s.example/mcp",")" + key + "\":" + value);
        BOOST_TEST(!config.has_errors());
        BOOST_TEST(config.servers.size() == 1u);
        BOOST_TEST(all_of(config) == "warning: server 's', /mcpServers/s/" + key +
                                         ": not supported; no credentials are obtained: use 'headers', or a token "
                                         "provider in the program\n");
    }
    for (std::string const value : {"false", "null"}) {
        auto const config = read_server(R"("url":"https://s.example/mcp",")" + key + "\":" + value);
        BOOST_TEST(all_of(config) == "");
    }
}

BOOST_AUTO_TEST_CASE(reading_continues_after_the_first_problem)
{
    auto const config = read(R"({"mcpServer":1,"mcpServers":{"a":{"command":1,"args":2,"env":3},
        "b":{"command":"good"},"c":7,"":{"command":"c"}}})");
    BOOST_TEST(names_of(config) == (texts{"b"}), boost::test_tools::per_element());
    BOOST_TEST(config.problems.size() == 6u, all_of(config));
    BOOST_TEST(contains(all_of(config), "did you mean 'mcpServers'?"));
}

BOOST_AUTO_TEST_CASE(repeated_server_name_is_an_error_and_all_its_servers_are_omitted)
{
    for (std::string const key : {"mcpServers", "servers"}) {
        auto const config = read("{\"" + key + R"(":{"a":{"command":"1"},"b":{"command":"2","inherit_env":"safe"},
            "\u0061":{"command":"3"}, // and once more
            "a":{"command":"4","inherit_env":"safe"},}})");
        BOOST_TEST_REQUIRE(config.problems.size() == 1u, all_of(config));
        BOOST_TEST(to_string(config.problems[0]) == "error: server 'a', /" + key + "/a: two servers have this name");
        BOOST_TEST(names_of(config) == (texts{"b"}), boost::test_tools::per_element());
    }
    auto const root = read(R"({"a":{"command":"1"},"b":{"command":"2"},"a":{"command":"3"}})");
    BOOST_TEST(all_of(root) == "error: server 'a', /a: two servers have this name\n");
    BOOST_TEST(names_of(root) == (texts{"b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(last_value_of_a_repeated_key_is_used_with_a_warning)
{
    auto const config = read_server(R"("command":"1","env":{"A":"1","A":"2"},"command":"2")");
    BOOST_TEST(config.servers.at(0).command == "2");
    BOOST_TEST(config.servers.at(0).env.at("A") == "2");
    BOOST_TEST(all_of(config) == "warning: /mcpServers/s/env/A: duplicate key; the last value is used\n"
                                 "warning: /mcpServers/s/command: duplicate key; the last value is used\n");
}

BOOST_AUTO_TEST_CASE(servers_with_equal_keys_are_an_error_that_names_both)
{
    auto const config = read(R"({"mcpServers":{"my files":{"command":"1"},"x":{"command":"2"},
        "my_files":{"command":"3"},"my/files":{"command":"4"}}})");
    BOOST_TEST(all_of(config) ==
               "error: server 'my_files', /mcpServers/my_files: key 'my_files' is also the key of server 'my files'; "
               "both servers are ignored\n"
               "error: server 'my/files', /mcpServers/my~1files: key 'my_files' is also the key of server 'my files'; "
               "both servers are ignored\n");
    BOOST_TEST(names_of(config) == (texts{"x"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(server_name_is_any_text_without_control_characters)
{
    for (std::string const name : {"a b", "\xe6\x97\xa5\xe6\x9c\xac", "a/b~c", "\\\"", "x"})
        BOOST_TEST(read("{\"mcpServers\":{\"" + name + R"(":{"command":"c"}}})").problems.empty(), name);
    for (auto const& [name, message] : {std::pair<std::string, char const*>("", "the name of a server is empty"),
                                        {R"(a\u0000b)", "has control characters"},
                                        {R"(\u001b[2J)", "has control characters"},
                                        {std::string(256, 'x'), "more than 255 bytes"}}) {
        auto const config = read("{\"mcpServers\":{\"" + name + R"(":{"command":"c"}}})");
        BOOST_TEST(config.servers.empty(), name);
        BOOST_TEST(contains(all_of(config), message), all_of(config));
    }
    auto const other = read_server(R"("command":"c","name":"t")");
    BOOST_TEST(all_of(other) == "warning: server 's', /mcpServers/s/name: 'name' differs from the key of the server; "
                                "the key is used\n");
    BOOST_TEST(other.servers.at(0).name == "s");
}

BOOST_AUTO_TEST_CASE(document_without_a_servers_object_is_an_error)
{
    for (auto const* text :
         {"[]", "null", "7", "\"{}\"", R"({"mcpServers":[]})", R"({"mcpServers":null})", R"({"servers":"x"})",
          R"({"inputs":[]})", R"({"a":{"command":"c"},"b":1})", R"({"a":{"comand":"c"}})"}) {
        auto const config = read(text);
        BOOST_TEST(config.has_errors(), text);
        BOOST_TEST(config.servers.empty());
        BOOST_TEST_REQUIRE(!config.problems.empty());
        BOOST_TEST(config.problems.back().subject.empty());
    }
}

BOOST_DATA_TEST_CASE(invalid_json_is_reported_with_line_and_column, data::make(broken))
{
    auto const config = connector_config::from_json(sample.document, "f.json");
    BOOST_TEST(config.servers.empty());
    BOOST_TEST_REQUIRE(config.problems.size() == 1u);
    BOOST_TEST(contains(to_string(config.problems[0]), "f.json: error: not valid JSON: "));
    BOOST_TEST(contains(config.problems[0].message, sample.position), config.problems[0].message);
}

BOOST_AUTO_TEST_CASE(every_key_accepts_any_value_or_reports_a_problem)
{
    texts const values{"null",
                       "true",
                       "false",
                       "0",
                       "7",
                       "-1",
                       "1.5",
                       "1e999",
                       "18446744073709551615",
                       "\"\"",
                       "\"x\"",
                       "[]",
                       "{}",
                       "[[]]",
                       "[{}]",
                       "[\"x\"]",
                       "[1]",
                       "[null]",
                       "{\"\":{}}",
                       "{\"x\":\"y\"}",
                       "{\"x\":[]}",
                       "{\"x\":null}",
                       "{\"x\":{\"replay\":{}}}"};
    texts const keys{"name",
                     "command",
                     "args",
                     "env",
                     "cwd",
                     "type",
                     "url",
                     "headers",
                     "description",
                     "enabled",
                     "is_active",
                     "disabled",
                     "required",
                     "start",
                     "restart",
                     "timeout",
                     "startup_timeout",
                     "priority",
                     "replicas",
                     "tags",
                     "inherit_env",
                     "trust_annotations",
                     "validate_arguments",
                     "validate_results",
                     "result_classifier",
                     "result_ttl",
                     "max_in_flight",
                     "max_line",
                     "tools",
                     "strict"};
    for (auto const& key : keys) {
        for (auto const& value : values) {
            auto member = "\"" + key + "\":" + value;
            if (key != "command" && key != "url")
                member += ",\"command\":\"c\"";
            auto const config = read_server(member);
            BOOST_TEST(config.servers.empty() == config.has_errors(), member);
            for (auto const& problem : config.problems)
                BOOST_TEST((problem.pointer.starts_with("/mcpServers/s/" + key) || value == "null" || key == "type"),
                           member + ": " + to_string(problem));
            for (auto const& server : config.servers)
                server.resolve(env_source());
        }
    }
}

BOOST_AUTO_TEST_CASE(document_nested_too_deeply_is_an_error)
{
    for (std::size_t const depth : {29u, 1000u, 100'000u}) {
        auto const config = read_server(R"("command":"c","x":)" + std::string(depth, '[') + std::string(depth, ']'));
        BOOST_TEST(config.has_errors() == (depth > 29));
        BOOST_TEST(config.problems.size() == 1u, all_of(config));
    }
}

BOOST_AUTO_TEST_CASE(json_value_is_read_like_its_text)
{
    boost::json::value const document = boost::json::parse(R"({"servers":{"a":{"command":1},"b":{"command":"c"}}})");
    auto const config = connector_config::from_json(document, "f.json");
    auto const same = connector_config::from_json(R"({"servers":{"a":{"command":1},"b":{"command":"c"}}})", "f.json");
    BOOST_TEST(all_of(config) == all_of(same));
    BOOST_TEST(names_of(config) == (texts{"b"}), boost::test_tools::per_element());
    BOOST_TEST(config.servers[0].origin == "f.json");
}

BOOST_AUTO_TEST_CASE(later_document_replaces_servers_of_equal_name)
{
    auto const user = connector_config::from_json(
        R"({"mcpServers":{"a":{"command":"1","env":{"K":"1"}},"b":{"command":"2"},"bad":{}},"max_retries":1})", "user");
    auto const project = connector_config::from_json(
        R"({"mcpServers":{"c":{"command":"3"},"a":{"command":"4","timeout":7}},"default_timeout":60})", "project");
    auto config = user | project;
    BOOST_TEST(names_of(config) == (texts{"a", "b", "c"}), boost::test_tools::per_element());
    BOOST_TEST(config.servers[0].command == "4");
    BOOST_TEST(config.servers[0].env.empty()); // the later server replaces the earlier one completely
    BOOST_TEST(config.servers[0].origin == "project");
    BOOST_TEST(config.servers[1].origin == "user");
    BOOST_TEST(config.servers[2].origin == "project");
    BOOST_TEST(config.max_retries == 1u);
    BOOST_TEST((config.default_timeout == 60s));
    BOOST_TEST((config.servers[0].options.session.idle_timeout == 7s));
    BOOST_TEST((config.servers[1].options.session.idle_timeout == 60s));
    BOOST_TEST(all_of(config) == "user: error: server 'bad', /mcpServers/bad: 'command' is missing\n");

    config |= read(R"({"mcpServers":{},"default_timeout":30})");
    BOOST_TEST((config.servers[1].options.session.idle_timeout == 30s));
    BOOST_TEST(config.max_retries == 1u);
    config |= connector_config();
    BOOST_TEST((config.default_timeout == 30s));
    BOOST_TEST(config.servers.size() == 3u);
}

BOOST_AUTO_TEST_CASE(timeouts_of_a_server_added_in_code_are_kept_by_merge)
{
    server_config mine;
    mine.name = "mine";
    mine.command = "c";
    mine.options.session.idle_timeout = 5s;
    connector_config config;
    config.servers.push_back(mine);
    config |= read(R"({"mcpServers":{"a":{"command":"c"}},"default_timeout":60})");
    BOOST_TEST((config.servers[0].options.session.idle_timeout == 5s));
    BOOST_TEST((config.servers[1].options.session.idle_timeout == 60s));
}

BOOST_AUTO_TEST_CASE(keys_that_become_equal_by_merging_are_an_error)
{
    auto config = connector_config::from_json(R"({"mcpServers":{"my files":{"command":"1"}}})", "user");
    config |= connector_config::from_json(R"({"mcpServers":{"my_files":{"command":"1"}}})", "project");
    BOOST_TEST(config.servers.empty());
    BOOST_TEST(
        contains(all_of(config), "project: error: server 'my_files', /mcpServers/my_files: key 'my_files' is also"));
    BOOST_TEST(config.has_errors());
}

BOOST_AUTO_TEST_SUITE_END()
