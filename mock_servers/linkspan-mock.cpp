// linkspan-mock --script FILE [OPTION...]: an MCP server whose tools and behaviour are those of a script in the format
// linkspan-mock/1, over standard streams or HTTP. See usage() for the options; doc/mock-script.md describes the format.

#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/script/http_options.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/serve_http.hpp>
#include <linkspan/test/serve_stdio.hpp>

#include <boost/system/system_error.hpp>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "passthrough.hpp"
#include "plan_file.hpp"
#include "tape/commands.hpp"
#include "tape/server_config.hpp"

using linkspan::test::chaos_plan;
using linkspan::test::fault_carrier;
using linkspan::test::load_chaos_plan;
using linkspan::test::mock_script;
using linkspan::test::script_error;
using linkspan::test::scripted_server;
using linkspan::test::serve_http;
using linkspan::test::serve_stdio;

namespace {

constexpr std::string_view usage = R"(usage: linkspan-mock --script FILE [OPTION...]

Serves the MCP server that the script describes, to the client that started this process.

  --http PORT    serves HTTP on this port of 127.0.0.1 instead, and writes the URL to stdout; 0: any free port
  --sse PORT     as --http, with HTTP+SSE of 2024-11-05 at /sse; a script without 'protocolVersions' has this version
  --seed NUMBER  replaces the seed of the script, and that of the environment variable LINKSPAN_SEED
  --time-scale FACTOR  multiplies the times of the script, such as delays; from 0.001 to 1000
  --plan FILE    applies the faults of a plan, in place of the chaos of the script; ignores those of other servers;
                 at the end, a warning names those that did not occur
  --write-plan FILE  writes each fault that occurs to a file, which --plan reads
  --check        only checks the script, and the plan
  --schema       writes the JSON Schema of the format to stdout; no script is needed
  --help         writes this text

The server ends when its stdin is closed, also with --http and --sse; in a shell: sleep infinity | linkspan-mock ... &

Exit status: 0 after the end of the client, and over HTTP after SIGINT and SIGTERM; 2 for a wrong command line, script
or plan, or a port that cannot be opened; 3 if the client does not meet an expectation of the script, which is then
reported on stderr; 128 plus the number of the signal over standard streams; the status of the action 'exit', if the
script has one.
)";

struct options {
    std::string script;
    std::string plan, written_plan; // paths; empty: none
    std::optional<std::uint64_t> seed;
    std::optional<std::uint16_t> port; // empty: standard streams
    double time_scale = 1;
    bool sse = false, check = false, schema = false, help = false;
};

double time_scale_of(std::string const& word)
{
    double out = 0;
    auto const* const end = word.data() + word.size();
    auto const read = std::from_chars(word.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || !(out >= 0.001 && out <= 1000))
        throw std::invalid_argument("option '--time-scale': expected a number from 0.001 to 1000, found '" + word +
                                    "'");
    return out;
}

options read_options(mock_servers::option_reader words)
{
    options out;
    // An invalid value is reported also if an option replaces it.
    if (auto const* const seed = std::getenv("LINKSPAN_SEED"); seed && *seed)
        out.seed = mock_servers::number_of<std::uint64_t>(seed, "environment variable 'LINKSPAN_SEED'");
    while (words.next()) {
        auto const& word = words.option();
        if (word == "--script") {
            out.script = words.value();
        } else if (word == "--plan") {
            out.plan = words.value();
        } else if (word == "--write-plan") {
            out.written_plan = words.value();
        } else if (word == "--seed") {
            out.seed = words.number<std::uint64_t>();
        } else if (word == "--http" || word == "--sse") {
            out.port = words.number<std::uint16_t>();
            out.sse = word == "--sse";
        } else if (word == "--time-scale") {
            out.time_scale = time_scale_of(words.value());
        } else if (word == "--check") {
            out.check = true;
        } else if (word == "--schema") {
            out.schema = true;
        } else if (word == "--help") {
            out.help = true;
        } else {
            throw words.unknown();
        }
    }
    if (out.script.empty() && !out.schema && !out.help)
        throw std::invalid_argument("expected the option '--script FILE'");
    if (!out.plan.empty() && out.plan == out.written_plan)
        throw std::invalid_argument("options '--plan' and '--write-plan': expected different files, found '" +
                                    out.plan + "' twice");
    return out;
}

// Returns the status of the script.
int serve_on_port(scripted_server& server, mock_script const& script, options const& with)
{
    try {
        auto options = http_options(script);
        options.sse_path = with.sse ? "/sse" : "";
        options.port = *with.port;
        return serve_http(server, std::move(options));
    } catch (boost::system::system_error const& failed) {
        throw std::runtime_error("linkspan-mock: port " + std::to_string(*with.port) +
                                 " of 127.0.0.1: " + failed.code().message());
    }
}

// Writes a warning if no fault of a plan is one of this server: the name may be wrong.
void warn_of_other_servers(chaos_plan const& plan, std::string const& path, std::string const& server)
{
    std::set<std::string> names;
    for (auto const& fault : plan.faults)
        names.insert(fault.server);
    if (names.empty() || names.contains(server))
        return;
    std::cerr << "linkspan-mock: warning: " << path << ": expected faults of the server '" << server
              << "', found faults of";
    for (auto const& name : names)
        std::cerr << (name == *names.begin() ? " '" : ", '") << name << '\'';
    std::cerr << '\n';
}

// Writes a warning for each fault that has no effect, of the script or of the plan that replaces its chaos.
void warn_of_faults_without_effect(mock_script const& script, std::optional<chaos_plan> const& plan,
                                   options const& with)
{
    auto const carrier = !with.port ? fault_carrier::stdio : with.sse ? fault_carrier::http_sse : fault_carrier::http;
    for (auto const& fault : script.faults_without_effect(carrier))
        if (!plan || !fault.starts_with("/chaos/"))
            std::cerr << "linkspan-mock: warning: " << with.script << ": " << fault << '\n';
    for (std::size_t i = 0; plan && i != plan->faults.size(); ++i)
        if (auto const kind = plan->faults[i].fault; !description_of(kind).carriers.contains(carrier))
            std::cerr << "linkspan-mock: warning: " << with.plan << ": /faults/" << i << "/fault: '"
                      << linkspan::name_of(kind) << "' does not occur over "
                      << linkspan::test::detail::name_of_carrier(carrier) << '\n';
}

// Writes a warning if faults of a plan for this server did not occur.
void warn_of_absent_faults(chaos_plan plan, chaos_plan const& occurred, std::string const& path,
                           std::string const& server)
{
    std::erase_if(plan.faults, [&server](auto const& fault) { return fault.server != server; });
    if (auto const absent = linkspan::test::detail::absent_faults(plan, occurred); !absent.faults.empty())
        std::cerr << "linkspan-mock: warning: " << path
                  << ": expected a message to which each fault applies, found none for " << to_json(absent) << '\n';
}

// Reads the script, and the plan, if there is one. Throws an exception with the problems of both.
std::pair<mock_script, std::optional<chaos_plan>> load(options const& with)
{
    std::optional<mock_script> script;
    std::optional<chaos_plan> plan;
    std::string problems;
    auto const add_problems = [&problems](char const* of) { (problems += problems.empty() ? "" : "\n") += of; };
    try {
        script = mock_script::load(with.script, {.url = mock_servers::check_server_url, .has_all_tools = true});
    } catch (script_error const& wrong) {
        add_problems(wrong.what());
    }
    try {
        if (!with.plan.empty())
            plan = load_chaos_plan(with.plan);
    } catch (std::invalid_argument const& wrong) {
        add_problems(wrong.what());
    }
    if (!problems.empty())
        throw std::runtime_error(problems);
    return {*std::move(script), std::move(plan)};
}

// Returns the exit status.
int run(options const& with)
{
    auto const [script, plan] = load(with);
    std::optional<mock_servers::plan_file> written;
    chaos_plan occurred; // if there is a plan
    scripted_server server;
    if (with.sse) // the default of the script
        server.dialogue().protocol_versions = {linkspan::protocol_version::v2024_11_05};
    script.add_to(server, with.seed);
    if (plan) {
        warn_of_other_servers(*plan, with.plan, server.dialogue().name);
        server.set_chaos(linkspan::test::chaos(*plan));
    }
    warn_of_faults_without_effect(script, plan, with);
    for (auto const& tool : script.misspelled_tools())
        std::cerr << "linkspan-mock: warning: " << with.script << ": " << tool << '\n';
    if (with.check)
        return 0;
    if (!with.written_plan.empty())
        written.emplace(with.written_plan);
    if (plan || written)
        server.on_fault([&, has_plan = plan.has_value()](auto const& fault) {
            if (written)
                written->add(fault);
            if (has_plan)
                occurred.faults.push_back(fault);
        });
    server.values().time_scale = with.time_scale;
    if (auto const to = script.passthrough())
        mock_servers::pass_on(server, *to);
    server.record_messages(script.has_expectations());
    int const status = with.port ? serve_on_port(server, script, with) : serve_stdio(server, {}, true);
    if (plan)
        warn_of_absent_faults(*plan, occurred, with.plan, server.dialogue().name);
    auto const verdict = script.verify(server);
    if (!verdict)
        std::cerr << verdict << '\n';
    return verdict ? status : 3;
}

} // namespace

int main(int argc, char** argv)
{
    options with;
    try {
        if (argc > 1 && mock_servers::is_tape_command(argv[1]))
            return mock_servers::run_tape_command(argv[1], {argc - 1, argv + 1});
        with = read_options({argc, argv});
    } catch (std::invalid_argument const& wrong) {
        std::cerr << "linkspan-mock: " << wrong.what() << "\nlinkspan-mock --help describes the options.\n";
        return 2;
    } catch (std::exception const& failed) {
        std::cerr << "linkspan-mock: " << failed.what() << '\n';
        return 2;
    }
    try {
        if (with.help)
            std::cout << usage << mock_servers::tape_usage;
        else if (with.schema)
            std::cout << mock_script::schema() << '\n';
        else
            return run(with);
        return 0;
    } catch (std::exception const& failed) {
        std::cerr << failed.what() << '\n';
    }
    return 2;
}
