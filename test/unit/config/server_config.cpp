#include <linkspan/config/server_config.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/config_problems.hpp"

BOOST_AUTO_TEST_SUITE(server_config_test)

using namespace linkspan;
using linkspan::test::all_of;
using severity = config_problem::severity;
using texts = std::vector<std::string>;
using variables = std::map<std::string, std::string>;
namespace data = boost::unit_test::data;

namespace {

env_source from(std::map<std::string, std::string, std::less<>> values)
{
    return [values = std::move(values)](std::string_view name) {
        auto const found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

server_config server(expand how = expand::interpolate)
{
    server_config out;
    out.name = "s";
    out.command = "c";
    out.expansion = how;
    out.pointer = "/mcpServers/s";
    out.origin = "f.json";
    return out;
}

struct key_row {
    std::string name;
    std::string key;
};

std::ostream& operator<<(std::ostream& out, key_row const& row) { return out << row.name; }

key_row const keys[] = {
    {"github", "github"},
    {"my_server-2", "my_server-2"},
    {"_", "_"},
    {"My Slack", "My_Slack"},
    {"My  Slack!", "My_Slack"},
    {" a.b/c ", "a_b_c"},
    {std::string(32, 'x'), std::string(32, 'x')},
    {std::string(33, 'x'), std::string(23, 'x') + "_11ba55a3"},
    {std::string(33, ' ') + "a", "a"},
    {"\xe6\x97\xa5\xe6\x9c\xac", "server_cf2abf0c"},
    {"!", "server_bb7208bc"},
};

struct fault_row {
    char const* what;
    void (*change)(server_config&);
    char const* message; // without the origin
};

std::ostream& operator<<(std::ostream& out, fault_row const& row) { return out << row.what; }

void to_http(server_config& s)
{
    s.command.clear();
    s.url = "https://host/mcp";
}

// Places in which a missing variable is an error.
constexpr fault_row faults[] = {
    {"command", [](server_config& s) { s.command = "${NOPE}"; }, "/command: variable 'NOPE': not set"},
    {"command, folder", [](server_config& s) { s.command = "${workspaceFolder}/x"; },
     "/command: variable 'workspaceFolder': not set"},
    {"args",
     [](server_config& s) {
         s.args = {"a", "--x=${NOPE}"};
     },
     "/args/1: variable 'NOPE': not set"},
    {"cwd", [](server_config& s) { s.cwd = "${env:NOPE}"; }, "/cwd: variable 'NOPE': not set"},
    {"env, nested",
     [](server_config& s) {
         s.env = {{"K", "${NOPE:-${A}}"}};
     },
     "/env/K: variable 'NOPE': the default after ':-' must not contain variables"},
    {"env, strict",
     [](server_config& s) {
         s.env = {{"K/L", "${NOPE}"}};
         s.when_missing = missing::error;
     },
     "/env/K~1L: variable 'NOPE': not set"},
    {"env, invalid variable name",
     [](server_config& s) {
         s.env = {{"K", "${not a name}"}};
         s.when_missing = missing::error;
     },
     "/env/K: a variable: not set"},
    {"input that is not declared",
     [](server_config& s) {
         s.env = {{"K", "${input:nope}"}};
     },
     "/env/K: input 'nope': not declared in 'inputs'"},
    {"invalid input name",
     [](server_config& s) {
         s.env = {{"K", "${input:no pe}"}};
     },
     "/env/K: an input: not declared in 'inputs'"},
    {"input without a source", [](server_config& s) { s.args = {"${input:my-token}"}; },
     "/args/0: input 'my-token' (Token for the API): no input source is configured"},
    {"url", [](server_config& s) { to_http(s), s.url = "https://${NOPE}/mcp"; }, "/url: variable 'NOPE': not set"},
    {"url, form", [](server_config& s) { to_http(s), s.url = "host/mcp"; },
     "/url: expected a URL such as https://host/path"},
    {"url, blank", [](server_config& s) { to_http(s), s.url = "https://ho st"; },
     "/url: expected a URL such as https://host/path"},
    {"header",
     [](server_config& s) {
         to_http(s), s.headers = {{"X-Key", "${NOPE}"}};
     },
     "/headers/X-Key: variable 'NOPE': not set"},
    {"header, lines",
     [](server_config& s) {
         to_http(s), s.headers = {{"X-Key", "a\r\nX-Other: b"}};
     },
     "/headers/X-Key: expected a value without line breaks"},
    {"command that becomes empty", [](server_config& s) { s.command = "${NOPE:-}"; }, "/command: empty"},
    {"NUL in a value",
     [](server_config& s) {
         s.env = {{"K", "${NUL}"}};
     },
     "/env/K: the value of a variable has a NUL byte"},
};

} // namespace

BOOST_AUTO_TEST_CASE(new_server_config_has_defaults)
{
    server_config const made;
    BOOST_TEST(made.args.empty());
    BOOST_TEST(made.env.empty());
    BOOST_TEST(made.description.empty());
    BOOST_TEST(made.options.enabled);
    BOOST_TEST(made.options.priority == 0);
    BOOST_TEST((made.inherit == environment::safe));
    BOOST_TEST((made.expansion == expand::whole_value));
    BOOST_TEST((made.when_missing == missing::empty_with_warning));
}

BOOST_DATA_TEST_CASE(server_key_is_derived_from_name, data::make(keys))
{
    BOOST_TEST(server_key(sample.name) == sample.key);
    BOOST_TEST(server_key(sample.key) == sample.key);
    BOOST_TEST(sample.key.size() <= 32u);
}

BOOST_AUTO_TEST_CASE(environment_variables_are_resolved)
{
    auto made = server(expand::whole_value);
    made.env = {{"TOKEN", "${GITHUB_TOKEN}"}, {"LITERAL", "as it is"}, {"PART", "a-${GITHUB_TOKEN}"}, {"NONE", "${X}"}};
    auto const source = from({{"GITHUB_TOKEN", "ghp"}});
    variables const expected{{"TOKEN", "ghp"}, {"LITERAL", "as it is"}, {"PART", "a-${GITHUB_TOKEN}"}, {"NONE", ""}};
    BOOST_TEST((made.resolve_env(source) == expected));
    std::vector<config_problem> problems;
    BOOST_TEST((made.resolve_env(variable_sources(source), &problems) == expected));
    BOOST_TEST(all_of(problems) ==
               "f.json: warning: server 's', /mcpServers/s/env/NONE: variable 'X': not set; an empty "
               "value is used\n");
    BOOST_TEST((server_config().resolve_env() == variables()));
}

BOOST_AUTO_TEST_CASE(whole_value_mode_replaces_variables_in_env_only)
{
    auto made = server(expand::whole_value);
    made.command = "${A}";
    made.args = {"${A}", "${NOPE}"};
    made.cwd = "${A}";
    made.env = {{"K", "${A}"}};
    auto const resolved = made.resolve(from({{"A", "value"}}));
    BOOST_TEST(resolved.problems.empty(), all_of(resolved.problems));
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    BOOST_TEST(resolved.stdio->command == "${A}");
    BOOST_TEST(resolved.stdio->args == (texts{"${A}", "${NOPE}"}), boost::test_tools::per_element());
    BOOST_TEST(resolved.stdio->cwd == "${A}");
    BOOST_TEST(resolved.stdio->env.at("K") == "value");
}

BOOST_AUTO_TEST_CASE(interpolation_applies_to_command_arguments_cwd_and_env)
{
    auto made = server();
    made.command = "${BIN:-/usr/bin}/x";
    made.args = {"--token=${T}", "${userHome}"};
    made.cwd = "${workspaceFolder}";
    made.env = {{"K", "<${T}>"}};
    made.inherit = environment::all;
    variable_sources sources(from({{"T", "value"}, {"HOME", "/home/me"}}));
    sources.workspace_folder = "/srv";
    auto const resolved = made.resolve(sources);
    BOOST_TEST(resolved.problems.empty(), all_of(resolved.problems));
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    BOOST_TEST(resolved.stdio->command == "/usr/bin/x");
    BOOST_TEST(resolved.stdio->args == (texts{"--token=value", "/home/me"}), boost::test_tools::per_element());
    BOOST_TEST(resolved.stdio->cwd == "/srv");
    BOOST_TEST(resolved.stdio->env.at("K") == "<value>");
    BOOST_TEST((resolved.stdio->inherit == environment::all));
}

// Programs are started without a shell, so that these characters have no special meaning.
BOOST_AUTO_TEST_CASE(shell_metacharacters_are_passed_unchanged)
{
    texts const odd{"; rm -rf /", "$(id)", "`id`", "a|b && c > d", "*", "~", "$HOME", "\"'\\", "a\nb", "", "--"};
    for (auto const how : {expand::whole_value, expand::interpolate}) {
        auto made = server(how);
        made.command = "c; id";
        made.args = odd;
        for (auto const& text : odd)
            made.env["K" + std::to_string(made.env.size())] = text;
        auto const resolved = made.resolve(from({{"id", "never"}, {"HOME", "never"}}));
        BOOST_TEST_REQUIRE(resolved.stdio.has_value());
        BOOST_TEST(resolved.stdio->command == "c; id");
        BOOST_TEST(resolved.stdio->args == odd, boost::test_tools::per_element());
        BOOST_TEST((resolved.stdio->env == made.env));
    }
}

// The variable `A` with the value "${A}", and two variables that refer to each other.
BOOST_AUTO_TEST_CASE(cyclic_variables_are_expanded_once)
{
    auto made = server();
    made.env = {{"K", "${A}"}, {"L", "${B}${C}"}};
    auto const env = made.resolve_env(from({{"A", "${A}"}, {"B", "${C}"}, {"C", "${B}"}}));
    BOOST_TEST((env == variables{{"K", "${A}"}, {"L", "${C}${B}"}}));
}

BOOST_DATA_TEST_CASE(server_with_invalid_value_does_not_resolve, data::make(faults))
{
    auto made = server();
    made.inputs = {{.id = "my-token", .description = "Token for the API"}};
    sample.change(made);
    variable_sources const sources(from({{"A", "1"}, {"NUL", std::string("\0", 1)}}));
    auto const resolved = made.resolve(sources);
    BOOST_TEST(!resolved.stdio);
    BOOST_TEST(resolved.url.empty());
    BOOST_TEST(has_errors(resolved.problems));
    BOOST_TEST(all_of(resolved.problems)
                       .find(std::string("f.json: error: server 's', /mcpServers/s") + sample.message + "\n") !=
                   std::string::npos,
               all_of(resolved.problems));
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_server_are_reported)
{
    auto made = server();
    made.command = "${X1}";
    made.args = {"${X2}", "${X3}"};
    made.env = {{"K", "${X4}"}, {"L", "${input:x5}"}};
    made.cwd = "${X6}";
    BOOST_TEST(made.resolve(from({})).problems.size() == 6u);
}

BOOST_AUTO_TEST_CASE(input_variable_is_requested_from_the_input_source)
{
    auto made = server();
    made.inputs = {{.id = "key", .description = "Key", .password = true}};
    made.env = {{"K", "${input:key}"}};
    variable_sources sources(from({}));
    std::vector<std::string> requested;
    std::optional<std::string> value = "entered";
    sources.inputs = [&](input_variable const& input) {
        requested.push_back(input.id + (input.password ? ", a password" : ""));
        return value;
    };
    BOOST_TEST(made.resolve(sources).stdio->env.at("K") == "entered");
    BOOST_TEST(requested == (texts{"key, a password"}), boost::test_tools::per_element());
    value.reset();
    BOOST_TEST(all_of(made.resolve(sources).problems) ==
               "f.json: error: server 's', /mcpServers/s/env/K: input 'key' (Key): no value was entered\n");
}

BOOST_AUTO_TEST_CASE(http_server_resolves_url_and_headers)
{
    auto made = server();
    to_http(made);
    made.url = "${BASE:-https://host}/mcp";
    made.headers = {{"Authorization", "Bearer ${T}"}};
    auto const resolved = made.resolve(from({{"T", "value"}}));
    BOOST_TEST(!resolved.stdio);
    BOOST_TEST(resolved.url == "https://host/mcp");
    BOOST_TEST(resolved.headers.at("Authorization") == "Bearer value");
    BOOST_TEST(all_of(resolved.problems) == "");
}

BOOST_AUTO_TEST_CASE(empty_authorization_header_is_omitted)
{
    for (std::string const value : {"", "  ", "Bearer", "bearer ", "Basic ${EMPTY}", "Bearer ${NOPE:-}", "${EMPTY}"}) {
        for (std::string const name : {"Authorization", "authorization", "Proxy-Authorization"}) {
            auto made = server();
            to_http(made);
            made.headers = {{name, value}, {"X-Empty", ""}};
            auto const resolved = made.resolve(from({{"EMPTY", ""}}));
            BOOST_TEST(!has_errors(resolved.problems), value);
            BOOST_TEST((resolved.headers == variables{{"X-Empty", ""}}), value);
            BOOST_TEST(all_of(resolved.problems).find("/headers/" + name + ": empty value; the header is not sent") !=
                       std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(server_description_is_one_line_without_values)
{
    auto made = server();
    BOOST_TEST(to_string(made) == "s: c (f.json)");
    made.args = {"secret"};
    made.env = {{"KEY", "secret"}, {"LEY", "secret"}};
    made.options.enabled = false;
    made.origin.clear();
    BOOST_TEST(to_string(made) == "s: c, 1 argument, env KEY LEY, disabled");
    made.args.push_back("x");
    made.env.clear();
    BOOST_TEST(to_string(made) == "s: c, 2 arguments, disabled");
    to_http(made);
    made.url = "https://user:secret@host/?key=secret";
    made.headers = {{"X-Key", "secret"}};
    BOOST_TEST(to_string(made) == "s: over HTTP, headers X-Key, disabled");
}

BOOST_AUTO_TEST_SUITE_END()
