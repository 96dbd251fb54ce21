// linkspan --config FILE [--json] tools [--format flat|openai|anthropic] | call NAME [JSON] | state | check
//
// The servers of a configuration file, from the command line; doc/configuration.md has the formats of FILE. Variables
// are those of the environment, and the workspace folder is where we are. `check` opens each server, and says how far
// it came and what may help.
// Ends with 0: it went well; 1: the tool failed; 2: wrong usage or configuration; 3: a server was not reached, or lost.
// What went wrong is told on stderr.

#include <linkspan.hpp>
#include <linkspan/connector_config.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

namespace asio = boost::asio;

enum status { ok = 0, tool_failed = 1, wrong_usage = 2, not_connected = 3 };

constexpr char const* usage = "usage: linkspan --config FILE [--json] tools [--format flat|openai|anthropic] | "
                              "call NAME [JSON] | state | check\n";

struct command {
    std::string config, verb, tool, args = "{}";
    bool json = false;
    std::optional<linkspan::tool_format> format;
};

std::optional<linkspan::tool_format> format_from(std::string const& word)
{
    using format = linkspan::tool_format;
    if (word == "flat")
        return format::flat;
    if (word == "openai")
        return format::openai;
    return word == "anthropic" ? std::optional(format::anthropic) : std::nullopt;
}

std::optional<command> read_command(std::vector<std::string> const& words)
{
    command read;
    std::vector<std::string> rest;
    for (std::size_t i = 0; i != words.size(); ++i) {
        if (words[i] == "--json")
            read.json = true;
        else if (words[i] == "--config" && i + 1 != words.size())
            read.config = words[++i];
        else if (words[i] == "--format" && i + 1 != words.size() && !read.format) {
            if (read.format = format_from(words[++i]); !read.format)
                return std::nullopt;
        } else
            rest.push_back(words[i]);
    }
    if (read.config.empty() || rest.empty())
        return std::nullopt;
    read.verb = rest[0];
    bool const calls = read.verb == "call";
    if (!calls && read.verb != "tools" && read.verb != "state" && read.verb != "check")
        return std::nullopt;
    if (rest.size() > (calls ? 3u : 1u) || (calls && rest.size() < 2))
        return std::nullopt;
    if (read.format && read.verb != "tools")
        return std::nullopt;
    if (calls)
        read.tool = rest[1];
    if (rest.size() == 3)
        read.args = rest[2];
    return read;
}

// Strings of an object, as JSON.
std::string quoted(std::string_view text)
{
    std::string out;
    linkspan::append_quoted(out, text);
    return out;
}

void print_tools(linkspan::catalog const& catalog, bool json)
{
    for (auto const& entry : catalog.tools()) {
        auto const& tool = *entry.tool;
        if (json)
            std::cout << R"({"name":)" << quoted(entry.shown()) << R"(,"server":)" << quoted(entry.server_key)
                      << R"(,"tool":)" << quoted(tool.name) << R"(,"description":)" << quoted(tool.description)
                      << R"(,"replay":)" << quoted(to_string(entry.replay)) << R"(,"inputSchema":)" << tool.input_schema
                      << "}\n";
        else
            std::cout << entry.shown() << "  " << tool.description.substr(0, tool.description.find('\n')) << '\n';
    }
}

void print_state(std::vector<linkspan::server_status> const& servers, bool json)
{
    for (auto const& server : servers) {
        auto const spoken = server.spoken ? to_string(*server.spoken) : std::string_view("-");
        if (json)
            std::cout << R"({"server":)" << quoted(server.server) << R"(,"transport":)" << quoted(server.transport)
                      << R"(,"state":)" << quoted(to_string(server.state)) << R"(,"revision":)" << quoted(spoken)
                      << R"(,"tools":)" << server.tools << R"(,"last_error":)" << quoted(server.last_error) << "}\n";
        else
            std::cout << server.server << "  " << to_string(server.state) << "  " << spoken << "  " << server.tools
                      << " tools  " << server.last_error << '\n';
    }
}

// A tool that is not found may be one of a server that was not reached.
int report_failure(linkspan::error_code ec, linkspan::call_result const& result, bool all_reached)
{
    std::cerr << "linkspan: " << explain(ec, result) << '\n';
    if (ec == linkspan::error::ambiguous_tool || (ec == linkspan::error::tool_not_found && all_reached))
        return wrong_usage;
    return ec.category() == linkspan::rpc_category() ? tool_failed : not_connected;
}

using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>, linkspan::safe_failover>;

asio::awaitable<int> call(hub_type& hub, command const& what, bool all_reached)
{
    linkspan::raw_json const args(what.args);
    auto const [ec, result] = co_await hub.async_call(what.tool, args, asio::as_tuple(asio::use_awaitable));
    if (ec)
        co_return report_failure(ec, result, all_reached);
    if (what.json)
        std::cout << result.raw() << '\n';
    else
        std::cout << result.text() << '\n';
    co_return result.is_error() ? tool_failed : ok;
}

asio::awaitable<int> perform(hub_type& hub, command const& what)
{
    auto const [ec, report] = co_await hub.async_open(asio::as_tuple(asio::use_awaitable));
    bool const checks = what.verb == "check";
    for (auto const& line : report.servers)
        if (checks)
            what.json ? check::print_json(line) : check::print(line);
        else if (line.ec)
            std::cerr << "linkspan: server '" << line.server << "': " << line.ec.message() << ": " << line.detail
                      << '\n';
    int status = ec || (checks && report.failures() != 0) ? not_connected : ok;
    if (what.verb == "state")
        print_state(hub.state().servers, what.json);
    else if (!ec && what.format)
        std::cout << export_tools(*hub.tools(), *what.format) << '\n';
    else if (!ec && what.verb == "tools")
        print_tools(*hub.tools(), what.json);
    else if (!ec && !checks)
        status = co_await call(hub, what, report.failures() == 0);
    co_await hub.async_shutdown(asio::as_tuple(asio::use_awaitable));
    co_return status;
}

// The servers of a configuration, ready to be added to a connector.
struct server_set {
    struct entry {
        std::string key;
        linkspan::stdio_config transport;
        linkspan::server_options options;
    };

    std::vector<entry> servers;
    std::vector<linkspan::config_problem> problems;
};

//[ resolve
// A disabled server is listed whatever is missing for its start.
server_set resolve(linkspan::connector_config const& config)
{
    linkspan::variable_sources from;
    from.workspace_folder = std::filesystem::current_path().string();
    server_set out;
    out.problems = config.problems;
    for (auto const& server : config.servers) {
        auto resolved = server.resolve(from);
        bool const enabled = server.options.enabled;
        if (enabled)
            out.problems.insert(out.problems.end(), resolved.problems.begin(), resolved.problems.end());
        if (!resolved.stdio && !enabled && !server.command.empty())
            resolved.stdio.emplace().command = server.command;
        auto options = server.options;
        options.secrets.add(resolved.secrets);
        if (resolved.stdio)
            out.servers.push_back({server.key(), std::move(*resolved.stdio), std::move(options)});
    }
    return out;
}
//]

int run(command const& what, server_set set, unsigned max_attempts)
{
    asio::io_context context(1);
    hub_type hub(context.get_executor(), linkspan::safe_failover{.max_attempts = max_attempts});
    for (auto& [key, transport, options] : set.servers)
        hub.add<linkspan::stdio>(key, std::move(transport), std::move(options));
    int status = ok;
    asio::co_spawn(context, perform(hub, what), [&](std::exception_ptr failure, int result) {
        if (failure)
            std::rethrow_exception(failure);
        status = result;
    });
    context.run();
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    auto const what = read_command({argv + 1, argv + argc});
    if (!what) {
        std::cerr << usage;
        return wrong_usage;
    }
    boost::system::error_code ec;
    if (auto const args = boost::json::parse(what->args, ec); ec || !args.is_object()) {
        std::cerr << "linkspan: the arguments are no JSON object\n";
        return wrong_usage;
    }
    std::ifstream file(what->config);
    if (!file) {
        std::cerr << "linkspan: cannot read " << what->config << '\n';
        return wrong_usage;
    }
    std::string const text(std::istreambuf_iterator<char>(file), {});
    auto const config = linkspan::connector_config::from_json(text, what->config);
    auto servers = resolve(config);
    for (auto const& problem : servers.problems)
        std::cerr << "linkspan: " << to_string(problem) << '\n';
    bool const wrong = has_errors(servers.problems);
    if (wrong || servers.servers.empty()) {
        if (!wrong)
            std::cerr << "linkspan: " << what->config << ": no servers\n";
        return wrong_usage;
    }
    return run(*what, std::move(servers), config.max_attempts());
}
