// Configurations with secrets in all positions that allow them. The tests search all output for these secrets.

#include <linkspan/config/connector_config.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(config_secrets_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

// Part of each secret.
constexpr std::string_view mark = "hunter2";

struct row {
    char const* what;
    char const* members; // of server "s"
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.what; }

constexpr row rows[] = {
    {"env", R"("command":"c","env":{"K":"hunter2-env"})"},
    {"env, in an address", R"("command":"c","env":{"DB":"postgres://me:hunter2-db@host/x"})"},
    {"env, wrong kinds", R"("command":"c","env":{"K":["hunter2-a"],"L":{"x":"hunter2-b"}})"},
    {"env, no object", R"("command":"c","env":"hunter2-c")"},
    {"env, an array", R"("command":"c","env":["hunter2-c"])"},
    {"env, a NUL", R"("command":"c","env":{"K":"hunter2\u0000"})"},
    {"env, twice", R"("command":"c","env":{"K":"hunter2-a","K":"hunter2-b"})"},
    {"env, of a bad server", R"("env":{"K":"hunter2-env"},"priority":"x")"},
    {"env, expanded", R"("command":"c","env":{"K":"${SECRET}"})"},
    {"env, expanded within", R"("command":"c","env":{"K":"Bearer ${SECRET}!"})"},
    {"env, default", R"("command":"c","env":{"K":"${NOPE:-hunter2-default}"})"},
    {"env, nested default", R"("command":"c","env":{"K":"${NOPE:-hunter2-${SECRET}}"})"},
    {"env, no variable", R"("command":"c","env":{"K":"${NOPE hunter2}"})"},
    {"env, unclosed", R"("command":"c","env":{"K":"${SECRET hunter2"})"},
    {"env, value of two lines", R"("command":"c","env":{"K":"${LINES}"})"},
    {"args, expanded", R"("command":"c","args":["--token=${SECRET}"])"},
    {"args, address", R"("command":"c","args":["postgres://me:hunter2-db@host/x"])"},
    {"args, input", R"("command":"c","args":["${input:token}"])"},
    {"command, input", R"("command":"${input:token}")"},
    {"env, input", R"("command":"c","env":{"K":"${input:token}"})"},
    {"env, no such input", R"("command":"c","env":{"K":"${input:hunter2 or so}"})"},
    {"url", R"("url":"https://me:hunter2-pass@host/mcp")"},
    {"url, expanded", R"("url":"https://${SECRET}@host/mcp")"},
    {"url, query", R"("url":"https://host/mcp?key=hunter2-query&x=${SECRET}")"},
    {"url, no address", R"("url":"me:hunter2-pass at host")"},
    {"url, beside a command", R"("command":"c","url":"https://me:hunter2-pass@host/mcp")"},
    {"url, of a wrong type", R"("type":"stdio","url":"https://me:hunter2-pass@host/mcp")"},
    {"headers", R"("url":"https://host","headers":{"Authorization":"Bearer hunter2-token"})"},
    {"headers, expanded", R"("url":"https://host","headers":{"Authorization":"Bearer ${SECRET}"})"},
    {"headers, two lines", R"("url":"https://host","headers":{"X":"hunter2\r\nhunter2"})"},
    {"headers, wrong kinds", R"("url":"https://host","headers":{"X":["hunter2-x"]})"},
    {"headers, input", R"("url":"https://host","headers":{"X":"${input:token}"})"},
};

constexpr char const* formats[] = {
    R"({"mcpServers":{"s":{%}}})",
    R"({"servers":{"s":{%}}})",
    R"({"servers":{"s":{%}},"inputs":[{"id":"token","description":"Token","default":"hunter2-of-the-document"}]})",
    R"({"mcpServers":{"s":{%}},"inputs":[{"id":"token","description":7,"default":"hunter2-of-the-document"}]})",
    R"({"s":{"command":"c",%}})",
    R"({"mcpServers":{"s":{%} x}})",
    R"({"mcpServers":{"s":{%)",
    R"({"mcpServers":{"s":{%,"strict":true}}})",
};

std::optional<std::string> value_of(std::string_view name)
{
    if (name == "SECRET")
        return "hunter2-of-the-environment";
    return name == "LINES" ? std::optional("hunter2-line\nhunter2-other") : std::nullopt;
}

} // namespace

BOOST_DATA_TEST_CASE(problem_messages_contain_no_secrets, data::make(rows) * data::make(formats), planted, format)
{
    std::string document = format;
    document.replace(document.find('%'), 1, planted.members);
    variable_sources silent(value_of), with_input(value_of), empty{env_source()};
    with_input.inputs = [](input_variable const&) { return std::optional("hunter2-input"); };

    auto const config = connector_config::from_json(document, "f.json");
    std::string written = to_string(config) + to_string(config | config);
    std::vector<config_problem> problems = config.problems;
    for (auto const& server : config.servers) {
        written += to_string(server) + server.key() + server.name + server.pointer;
        server.resolve_env(silent, &problems);
        for (auto const& sources : {silent, with_input, empty}) {
            auto const resolved = server.resolve(sources);
            problems.insert(problems.end(), resolved.problems.begin(), resolved.problems.end());
        }
    }
    for (auto const& problem : problems)
        written += to_string(problem) + problem.message + problem.pointer + problem.subject + problem.origin;
    BOOST_TEST(written.find(mark) == written.npos, written);
}

// The document is truncated at each byte, and each byte is replaced by other bytes.
BOOST_AUTO_TEST_CASE(problems_of_damaged_document_contain_no_secrets)
{
    std::string const document = R"({/*x*/"servers":{"a b":{"type":"stdio","command":"c","args":["${input:t}"],
"env":{"K":"hunter2-a","L":"<${SECRET}>","M":"${NOPE:-hunter2-b}"},"tools":{"t":{"replay":"never"}},"timeout":5},
"u":{"url":"https://me:hunter2-c@host","headers":{"Authorization":"Bearer hunter2-d"}},},
"inputs":[{"id":"t","description":"T"}],"max_retries":2})";
    auto const contains_no_secret = [](std::string const& damaged) {
        auto const config = connector_config::from_json(damaged);
        std::string written = to_string(config);
        for (auto const& problem : config.problems)
            written += to_string(problem);
        for (auto const& server : config.servers)
            for (auto const& problem : server.resolve(env_source(value_of)).problems)
                written += to_string(problem);
        return written.find(mark) == written.npos;
    };
    for (std::size_t at = 0; at <= document.size(); ++at) {
        BOOST_TEST(contains_no_secret(document.substr(0, at)), document.substr(0, at));
        for (char const other : std::string_view("\"\\{}[],:/*$\0\xff \n0", 17)) {
            auto damaged = document;
            damaged.replace(at, 1, 1, other);
            BOOST_TEST(contains_no_secret(damaged), damaged);
        }
    }
}

// Redaction of output of a server, such as stderr, that contains the server's secrets.
BOOST_AUTO_TEST_CASE(redactor_of_a_server_removes_its_secrets)
{
    auto const config = connector_config::from_json(R"({"mcpServers":{
        "child":{"command":"${SECRET}/bin/c","args":["-k","${SECRET}","${input:token}","pg://me:hunter2-db@host/x",
                 "${LANG}"],
                 "env":{"A":"hunter2-literal","B":"<${SECRET}>","C":"${LINES}","D":"${NOPE:-hunter2-default}",
                        "E":"mysql://me:hunter2-mysql@host"}},
        "far":{"url":"https://hunter2-user:hunter2%40pass@host/x?key=hunter2-query",
               "headers":{"Authorization":"Bearer hunter2-token","X-Key":"${SECRET}"}}},
        "inputs":[{"id":"token"}]})");
    variable_sources from(
        [](std::string_view name) { return name == "LANG" ? std::optional<std::string>("C.UTF-8") : value_of(name); });
    from.inputs = [](input_variable const&) { return std::optional("hunter2-input"); };
    redactor redact;
    for (auto const& server : config.servers) {
        auto const resolved = server.resolve(from);
        BOOST_TEST(!has_errors(resolved.problems));
        redact.add(resolved.secrets);
    }
    for (auto const* said : {"hunter2-literal", "hunter2-of-the-environment", "<hunter2-of-the-environment>",
                             "hunter2-line", "hunter2-other", R"(hunter2-line\nhunter2-other)", "hunter2-default",
                             "hunter2-mysql", "hunter2-db", "hunter2-input", "hunter2-user", "hunter2%40pass",
                             "hunter2@pass", "hunter2-query", "Bearer hunter2-token", "hunter2-token"}) {
        auto const out = redact(std::string("error: '") + said + "' was refused");
        BOOST_TEST(out.find(mark) == out.npos, out);
        BOOST_TEST(out == "error: '***' was refused");
    }
    BOOST_TEST(redact("the locale is C.UTF-8") == "the locale is C.UTF-8");
}

BOOST_AUTO_TEST_SUITE_END()
