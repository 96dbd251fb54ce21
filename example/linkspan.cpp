// linkspan --config FILE [--json] tools [--format flat|openai|anthropic] | call NAME [JSON] | state | check
// linkspan [--json] [--timeout SECONDS] check URL|COMMAND
//
// The servers of a configuration file, from the command line; doc/configuration.md has the formats of FILE. Variables
// are those of the environment, and the workspace folder is where we are. `check` opens each server, and says how far
// it came and what may help; without FILE it tries one server, given by its address or its command.
// Ends with 0: it went well; 1: the tool failed; 2: wrong usage or configuration; 3: a server was not reached, or lost.
// What went wrong is told on stderr.

#include <linkspan.hpp>
#include <linkspan/connector_config.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/transport/stdio.hpp>
#include <linkspan/validate.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "web.hpp"

namespace {

namespace asio = boost::asio;

enum status { ok = 0, tool_failed = 1, wrong_usage = 2, not_connected = 3 };

constexpr char const* usage = "usage: linkspan --config FILE [--json] tools [--format flat|openai|anthropic] | "
                              "call NAME [JSON] | state | check\n"
                              "       linkspan [--json] [--timeout SECONDS] check URL|COMMAND\n";

struct command {
    std::string config, verb, tool, args = "{}";
    std::string server; // to be checked without a configuration
    bool json = false;
    std::optional<linkspan::tool_format> format;
    std::optional<std::chrono::seconds> timeout;
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

// From a second to an hour.
std::optional<std::chrono::seconds> seconds_from(std::string const& word)
{
    unsigned count = 0;
    auto const* const end = word.data() + word.size();
    auto const [stop, ec] = std::from_chars(word.data(), end, count);
    if (ec != std::errc() || stop != end || count == 0 || count > 3600)
        return std::nullopt;
    return std::chrono::seconds(count);
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
        } else if (words[i] == "--timeout" && i + 1 != words.size() && !read.timeout) {
            if (read.timeout = seconds_from(words[++i]); !read.timeout)
                return std::nullopt;
        } else
            rest.push_back(words[i]);
    }
    if (rest.empty())
        return std::nullopt;
    read.verb = rest[0];
    if (read.config.empty()) {
        if (read.verb != "check" || rest.size() != 2 || read.format)
            return std::nullopt;
        read.server = rest[1];
        return read;
    }
    if (read.timeout)
        return std::nullopt;
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
    if (ec == linkspan::error::ambiguous_tool || ec == linkspan::error::invalid_arguments ||
        (ec == linkspan::error::tool_not_found && all_reached))
        return wrong_usage;
    return ec.category() == linkspan::rpc_category() ? tool_failed : not_connected;
}

using https = web_transport;
using linkspan::stdio;
using transport_list = linkspan::transports<stdio, https>;
using hub_type = linkspan::connector<transport_list, linkspan::safe_failover>;

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
        std::optional<linkspan::stdio_config> started;
        linkspan::http_config reached; // unless it is started
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
        linkspan::http_config reached;
        reached.url = resolved.url;
        reached.headers = std::move(resolved.headers);
        reached.unix_socket = resolved.unix_socket;
        if (resolved.stdio || !reached.url.empty())
            out.servers.push_back({server.key(), std::move(resolved.stdio), std::move(reached), std::move(options)});
    }
    return out;
}
//]

// Those that cannot work are left out, and told.
void add(hub_type& hub, server_set set)
{
    for (auto& [key, started, reached, options] : set.servers)
        try {
            if (started)
                hub.add<stdio>(key, std::move(*started), std::move(options));
            else
                hub.add<https>(key, std::move(reached), std::move(options));
        } catch (std::invalid_argument const& refused) {
            std::cerr << "linkspan: server '" << key << "': " << refused.what() << '\n';
        }
}

// Runs a coroutine that yields a status to its end.
int run(asio::io_context& context, asio::awaitable<int> work)
{
    int status = ok;
    asio::co_spawn(context, std::move(work), [&](std::exception_ptr failure, int result) {
        if (failure)
            std::rethrow_exception(failure);
        status = result;
    });
    context.run();
    return status;
}

asio::awaitable<int> check_one(command const& what)
{
    linkspan::validate_options with;
    if (what.timeout)
        with.limit = *what.timeout;
    with.from.workspace_folder = std::filesystem::current_path().string();
    auto const executor = co_await asio::this_coro::executor;
    auto const report =
        co_await linkspan::async_validate<transport_list>(executor, what.server, with, asio::use_awaitable);
    if (what.json)
        std::cout << to_json(report) << '\n';
    else
        check::print(report);
    co_return report.success ? ok : report.code == linkspan::validation_code::invalid_url ? wrong_usage : not_connected;
}

} // namespace

int main(int argc, char** argv)
{
    auto const what = read_command({argv + 1, argv + argc});
    if (!what) {
        std::cerr << usage;
        return wrong_usage;
    }
    if (!what->server.empty()) {
        asio::io_context context(1);
        return run(context, check_one(*what));
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
    asio::io_context context(1);
    hub_type hub(context.get_executor(), linkspan::safe_failover{.max_attempts = config.max_attempts()});
    hub.validate_calls({config.validate_arguments.value_or(false), config.validate_results.value_or(false)});
    add(hub, std::move(servers));
    return hub.state().servers.empty() ? wrong_usage : run(context, perform(hub, *what));
}
