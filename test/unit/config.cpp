#include <linkspan/config.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

using namespace linkspan;
using severity = config_problem::severity;
using texts = std::vector<std::string>;
namespace data = boost::unit_test::data;

namespace {

constexpr std::string_view secret = "hunter2-never-to-be-seen";

// The one server of a document, from its members.
configuration read_server(std::string const& members)
{
    return read_configuration(R"({"mcpServers":{"s":{)" + members + "}}}");
}

std::string all_of(configuration const& read)
{
    std::string out;
    for (auto const& problem : read.problems)
        out += to_string(problem) + "\n";
    return out;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

struct bad_row {
    char const* members; // of server "s"
    char const* pointer; // after "/mcpServers/s"
    char const* says;
};

std::ostream& operator<<(std::ostream& out, bad_row const& row) { return out << row.members; }

// Each key with a value of a wrong kind, or out of its range.
constexpr bad_row bad_values[] = {
    {R"("args":[])", "", "command"},
    {R"("command":"")", "/command", "empty"},
    {R"("command":7)", "/command", "a number"},
    {R"("command":null)", "/command", "null"},
    {R"("command":"c","args":"a")", "/args", "text"},
    {R"("command":"c","args":{})", "/args", "an object"},
    {R"("command":"c","args":["a",1])", "/args/1", "a number"},
    {R"("command":"c","args":["a",[]])", "/args/1", "an array"},
    {R"("command":"c","env":[])", "/env", "an array"},
    {R"("command":"c","env":{"A":1})", "/env/A", "a number"},
    {R"("command":"c","env":{"A/B~C":true})", "/env/A~1B~0C", "a boolean"},
    {R"("command":"c","cwd":false)", "/cwd", "a boolean"},
    {R"("command":"c","type":"sse")", "/type", "'sse'"},
    {R"("command":"c","type":1)", "/type", "a number"},
    {R"("command":"c","inherit_env":"none")", "/inherit_env", "'safe'"},
    {R"("command":"c","inherit_env":true)", "/inherit_env", "a boolean"},
    {R"("command":"c","priority":101)", "/priority", "0 to 100"},
    {R"("command":"c","priority":-1)", "/priority", "-1"},
    {R"("command":"c","priority":1.5)", "/priority", "a number"},
    {R"("command":"c","priority":"9")", "/priority", "text"},
    {R"("command":"c","priority":18446744073709551615)", "/priority", "integer"},
    {R"("command":"c","tags":"x")", "/tags", "text"},
    {R"("command":"c","tags":[null])", "/tags/0", "null"},
    {R"("command":"c","trust_annotations":1)", "/trust_annotations", "a number"},
    {R"("command":"c","max_in_flight":0)", "/max_in_flight", "1"},
    {R"("command":"c","max_in_flight":"many")", "/max_in_flight", "text"},
    {R"("command":"c","tools":[])", "/tools", "an array"},
    {R"("command":"c","tools":{"t":"never"})", "/tools/t", "text"},
    {R"("command":"c","tools":{"t":{"replay":"always"}})", "/tools/t/replay", "'always'"},
    {R"("command":"c","tools":{"t":{"replay":0}})", "/tools/t/replay", "a number"},
};

struct unknown_row {
    char const* members;
    char const* pointer;
    char const* nearest; // empty: no name is near
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
};

} // namespace

BOOST_AUTO_TEST_SUITE(config_test)

BOOST_AUTO_TEST_CASE(every_key_is_read)
{
    auto const read = read_server(R"("command":"server","args":["-v","/srv"],"env":{"A":"1","B":""},"cwd":"/tmp",
        "type":"stdio","inherit_env":"all","priority":7,"tags":["fast","local"],"trust_annotations":true,
        "max_in_flight":3,"tools":{"a":{"replay":"never"},"b":{"replay":"idempotent"},"c":{"replay":"read_only"},
        "d":{"replay":"keyed"},"e":{}})");
    BOOST_TEST(read.problems.empty(), all_of(read));
    BOOST_TEST(!read.has_errors());
    BOOST_TEST_REQUIRE(read.servers.size() == 1u);
    auto const& server = read.servers[0];
    BOOST_TEST(server.name == "s");
    BOOST_TEST(server.transport.command == "server");
    BOOST_TEST(server.transport.args == (texts{"-v", "/srv"}), boost::test_tools::per_element());
    BOOST_TEST((server.transport.env == std::map<std::string, std::string>{{"A", "1"}, {"B", ""}}));
    BOOST_TEST(server.transport.cwd == "/tmp");
    BOOST_TEST((server.transport.inherit == environment::all));
    BOOST_TEST(server.options.priority == 7);
    BOOST_TEST(server.options.tags == (texts{"fast", "local"}), boost::test_tools::per_element());
    BOOST_TEST(server.options.trust_annotations);
    BOOST_TEST(server.options.session.max_in_flight == 3u);
    auto const& tools = server.options.tools;
    BOOST_TEST((tools.at("a").replay == replay_class::never));
    BOOST_TEST((tools.at("b").replay == replay_class::idempotent));
    BOOST_TEST((tools.at("c").replay == replay_class::read_only));
    BOOST_TEST((tools.at("d").replay == replay_class::keyed));
    BOOST_TEST(!tools.at("e").replay);
}

BOOST_AUTO_TEST_CASE(a_command_is_enough)
{
    auto const read = read_server(R"("command":"server")");
    BOOST_TEST(read.problems.empty());
    BOOST_TEST_REQUIRE(read.servers.size() == 1u);
    server_options const defaults;
    auto const& options = read.servers[0].options;
    BOOST_TEST(options.priority == defaults.priority);
    BOOST_TEST(options.session.max_in_flight == defaults.session.max_in_flight);
    BOOST_TEST(!options.trust_annotations);
    BOOST_TEST(options.tools.empty());
    BOOST_TEST((read.servers[0].transport.inherit == environment::safe));
    BOOST_TEST(read_server(R"("command":"c","inherit_env":"safe")").problems.empty());
}

BOOST_AUTO_TEST_CASE(the_servers_keep_the_order_of_the_document)
{
    auto const read =
        read_configuration(R"({"mcpServers":{"z":{"command":"1"},"a":{"command":"2"},"m":{"command":"3"}}})");
    texts names;
    for (auto const& server : read.servers)
        names.push_back(server.name);
    BOOST_TEST(names == (texts{"z", "a", "m"}), boost::test_tools::per_element());
    BOOST_TEST(read_configuration(R"({"mcpServers":{}})").problems.empty());
}

BOOST_DATA_TEST_CASE(a_bad_value_is_reported_with_its_place_and_its_server_left_out, data::make(bad_values))
{
    auto const read = read_server(sample.members);
    BOOST_TEST(read.has_errors());
    BOOST_TEST(read.servers.empty());
    BOOST_TEST_REQUIRE(read.problems.size() == 1u, all_of(read));
    auto const& problem = read.problems[0];
    BOOST_TEST((problem.how == severity::error));
    BOOST_TEST(problem.server == "s");
    BOOST_TEST(problem.pointer == std::string("/mcpServers/s") + sample.pointer);
    BOOST_TEST(contains(problem.message, sample.says), problem.message);
}

BOOST_DATA_TEST_CASE(an_unknown_key_is_a_warning_that_names_the_nearest_one, data::make(unknown_keys))
{
    auto const read = read_server(sample.members);
    BOOST_TEST(!read.has_errors());
    BOOST_TEST(read.servers.size() == 1u);
    BOOST_TEST_REQUIRE(read.problems.size() == 1u, all_of(read));
    auto const& problem = read.problems[0];
    BOOST_TEST((problem.how == severity::warning));
    BOOST_TEST(problem.server == "s");
    BOOST_TEST(problem.pointer == std::string("/mcpServers/s") + sample.pointer);
    BOOST_TEST(contains(problem.message, "unknown key"));
    std::string const nearest = sample.nearest;
    BOOST_TEST(contains(problem.message, nearest.empty() ? "unknown key" : "did you mean '" + nearest + "'?"));
    BOOST_TEST(contains(problem.message, "did you mean") == !nearest.empty());
}

BOOST_AUTO_TEST_CASE(reading_does_not_stop_at_the_first_problem)
{
    auto const read = read_configuration(R"({"mcpServer":1,"mcpServers":{"a":{"command":1,"args":2,"env":3},
        "b":{"command":"good"},"c":7,"":{"command":"c"}}})");
    BOOST_TEST_REQUIRE(read.servers.size() == 1u);
    BOOST_TEST(read.servers[0].name == "b");
    BOOST_TEST(read.problems.size() == 6u, all_of(read));
    BOOST_TEST(contains(all_of(read), "did you mean 'mcpServers'?"));
}

BOOST_AUTO_TEST_CASE(a_name_that_two_servers_have_belongs_to_neither)
{
    auto const read = read_configuration(
        R"({"mcpServers":{"a":{"command":"1"},"b":{"command":"2"},"\u0061":{"command":"3"},"a":{"command":"4"}}})");
    BOOST_TEST(read.has_errors());
    BOOST_TEST_REQUIRE(read.problems.size() == 1u, all_of(read));
    BOOST_TEST(read.problems[0].server == "a");
    BOOST_TEST(read.problems[0].pointer == "/mcpServers/a");
    BOOST_TEST_REQUIRE(read.servers.size() == 1u);
    BOOST_TEST(read.servers[0].name == "b");
}

BOOST_AUTO_TEST_CASE(a_document_is_an_object_with_the_servers)
{
    for (auto const* text : {"[]", "null", "7", "{}", R"({"mcpServers":[]})", R"({"servers":{}})"}) {
        auto const read = read_configuration(text);
        BOOST_TEST(read.has_errors(), text);
        BOOST_TEST(read.servers.empty());
        BOOST_TEST_REQUIRE(!read.problems.empty());
        BOOST_TEST(read.problems.back().server.empty());
    }
}

BOOST_DATA_TEST_CASE(what_is_no_json_is_reported_with_line_and_column, data::make(broken))
{
    auto const read = read_configuration(sample.document);
    BOOST_TEST(read.servers.empty());
    BOOST_TEST_REQUIRE(read.problems.size() == 1u);
    BOOST_TEST(contains(read.problems[0].message, sample.position), read.problems[0].message);
}

BOOST_AUTO_TEST_CASE(a_value_of_env_is_in_no_message)
{
    std::string const hidden(secret);
    for (auto const& members : texts{
             R"("command":"c","env":{"KEY":[")" + hidden + R"("]})", R"("command":"c","env":")" + hidden + '"',
             R"("command":"c","env":[")" + hidden + R"("])", R"("command":"c","env":{"KEY":{"x":")" + hidden + R"("}})",
             R"("env":{"KEY":")" + hidden + R"("})", R"("command":"c","env":{"KEY":")" + hidden + R"("},"cwd":1)",
             R"("command":"c","env":{"KEY":")" + hidden + R"("} x)", R"("command":"c","env":{"KEY":")" + hidden}) {
        auto const read = read_server(members);
        BOOST_TEST(read.has_errors(), members);
        BOOST_TEST(!contains(all_of(read), hidden), all_of(read));
    }
}

BOOST_AUTO_TEST_CASE(a_problem_reads_as_one_line)
{
    config_problem const problem{severity::error, "files", "/mcpServers/files/comand", "unknown key"};
    auto const text = to_string(problem);
    BOOST_TEST(contains(text, "server 'files', /mcpServers/files/comand: unknown key"));
    BOOST_TEST(contains(text, "error"));
    config_problem const whole{severity::warning, "", "", "odd"};
    BOOST_TEST(contains(to_string(whole), "warning"));
    BOOST_TEST(contains(to_string(whole), "odd"));
}

BOOST_AUTO_TEST_SUITE_END()
