#include "servers.hpp"

#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "client_files.hpp"
#include "exit_status.hpp"
#include "standard_streams.hpp"

namespace cli {
namespace {

using linkspan::config_problem;
using linkspan::server_config;

server_config own_server(command const& what)
{
    server_config out;
    try {
        if (!what.address.empty()) {
            out = server_config::from_url(what.address);
        } else {
            out.command = what.program.front();
            out.args.assign(what.program.begin() + 1, what.program.end());
            out.name = std::filesystem::path(out.command).filename().string();
        }
    } catch (std::invalid_argument const& rejected) {
        throw usage_error(linkspan::detail::message_of(rejected));
    }
    add_server_options(what, out);
    out.uses_default_timeout = true;
    return out;
}

std::string input_variable_name(std::string const& id)
{
    std::string out = "LINKSPAN_INPUT_";
    for (char const c : id)
        out += (c >= 'a' && c <= 'z')                        ? static_cast<char>(c - 'a' + 'A')
               : std::isalnum(static_cast<unsigned char>(c)) ? c
                                                             : '_';
    return out;
}

// Returns the value of an option, of a variable of the environment, or of a prompt. Each input is requested once.
linkspan::input_source input_source_of(command const& what)
{
    return [given = what.inputs](linkspan::input_variable const& input) mutable -> std::optional<std::string> {
        if (auto const found = given.find(input.id); found != given.end())
            return found->second;
        auto const* const variable = std::getenv(input_variable_name(input.id).c_str());
        auto value = variable
                         ? std::optional<std::string>(variable)
                         : prompt_on_terminal(input.description.empty() ? input.id : input.description, input.password);
        if ((!value || value->empty()) && !input.fallback.empty())
            value = input.fallback;
        if (value)
            given.emplace(input.id, *value);
        return value;
    };
}

linkspan::variable_sources sources_of(command const& what)
{
    linkspan::variable_sources from;
    from.inputs = input_source_of(what);
    from.workspace_folder = current_folder();
    from.files = [](std::string const& path) -> std::optional<std::string> {
        try {
            return read_file(path);
        } catch (usage_error const&) {
            return std::nullopt;
        }
    };
    return from;
}

bool is_named(config_problem const& problem, std::string_view name) { return problem.subject == name; }

bool is_error(config_problem const& problem) { return problem.level == config_problem::severity::error; }

bool has_tags(server_config const& server, std::vector<std::string> const& tags)
{
    auto const& own = server.options.tags;
    return std::ranges::all_of(tags, [&](auto const& tag) { return std::ranges::find(own, tag) != own.end(); });
}

// Prints the problems of the documents and of the selected servers. Returns the number of servers with errors.
std::size_t print_problems(server_book const& book, std::string_view name)
{
    std::vector<std::string> faulty;
    for (auto const& problem : book.config.problems) {
        bool const is_chosen = problem.subject.empty() || name.empty() || is_named(problem, name);
        if (!is_chosen || (book.is_found && !is_error(problem)))
            continue;
        note(to_string(problem));
        if (is_error(problem) && std::ranges::find(faulty, problem.subject + problem.origin) == faulty.end())
            faulty.push_back(problem.subject + problem.origin);
    }
    return faulty.size();
}

void apply(command const& what, linkspan::server_options& options)
{
    options.start = linkspan::start_mode::eager; // servers that are not needed are not selected
    options.required = false;
    if (what.timeout) {
        options.session.startup_timeout = *what.timeout;
        options.session.probe_timeout = std::min(options.session.probe_timeout, *what.timeout);
        options.session.idle_timeout = options.session.attempt_timeout = *what.timeout;
    }
}

[[noreturn]] void fail_without_enabled_server(std::vector<std::string> const& tags)
{
    std::string text = tags.empty() ? "no server is enabled" : "no enabled server has the tag";
    text += tags.size() > 1 ? "s" : "";
    std::string separator = " ";
    for (auto const& tag : tags)
        text += std::exchange(separator, " and ") + "'" + tag + "'";
    throw usage_error(text);
}

} // namespace

std::vector<std::string> server_book::names() const
{
    std::vector<std::string> out;
    auto const add = [&](std::string const& name) {
        if (!name.empty() && std::ranges::find(out, name) == out.end())
            out.push_back(name);
    };
    for (auto const& server : config.servers)
        add(server.name);
    for (auto const& problem : config.problems)
        add(problem.subject);
    return out;
}

std::string unknown_server_text(server_book const& book, std::string_view name)
{
    auto const names = book.names();
    auto const similar = linkspan::similar_names(name, names, 3);
    std::string text = "no server is named '" + std::string(name) + "'";
    std::string separator = similar.empty() ? "; known servers: " : "; similar names: ";
    for (auto const& other : similar.empty() ? names : similar)
        text += std::exchange(separator, ", ") + other;
    return text;
}

void add_server_options(command const& what, server_config& to)
{
    for (auto const& [name, value] : what.headers)
        to.headers[name] = value;
    for (auto const& [name, value] : what.env) {
        auto const* const value_found = value ? value->c_str() : std::getenv(name.c_str());
        if (!value_found)
            throw usage_error("option '--env': variable '" + name + "' is not set");
        to.env[name] = value_found;
    }
}

server_config const* server_set::find(std::string_view key) const
{
    auto const found = std::ranges::find(config.servers, key, &server_config::key);
    return found == config.servers.end() ? nullptr : &*found;
}

server_book read_servers(command const& what)
{
    server_book out;
    if (what.has_own_server()) {
        out.config.servers.push_back(own_server(what));
        return out;
    }
    out.is_found = what.configs.empty();
    for (auto const& path : what.configs) {
        out.config |= read_client_file(path, read_file(path));
        out.files.push_back(path);
    }
    if (out.is_found)
        find_client_files(out);
    if (!out.names().empty())
        return out;
    print_problems(out, {});
    if (out.is_found)
        throw usage_error("no configuration with servers was found; expected --config FILE, a URL, or a command "
                          "after --");
    std::string names;
    for (auto const& path : out.files)
        names += (names.empty() ? "" : ", ") + path;
    throw usage_error(names + ": no servers");
}

tool_name split_tool(server_book const& book, std::string_view word)
{
    tool_name out{{}, std::string(word)};
    std::size_t longest = 0;
    for (auto const& name : book.names())
        for (auto const& prefix : {name, linkspan::server_key(name)})
            for (std::string_view const separator : {".", "__"}) {
                auto const whole = prefix + std::string(separator);
                if (whole.size() <= longest || whole.size() >= word.size() || !word.starts_with(whole))
                    continue;
                longest = whole.size();
                out = {name, std::string(word.substr(longest))};
            }
    return out;
}

server_set choose(server_book const& book, command const& what, std::string_view name)
{
    server_set out{book.config, sources_of(what), print_problems(book, name)};
    out.config.servers.clear();
    out.config.validate_arguments = book.config.validate_arguments.value_or(true);
    bool is_known = out.skipped != 0 || name.empty();
    for (auto const& server : book.config.servers) {
        if (!name.empty() && server.name != name)
            continue;
        is_known = true;
        if (!has_tags(server, what.tags))
            continue;
        if (!server.options.enabled && !name.empty())
            throw usage_error("server '" + server.name + "' is disabled in " + server.origin);
        apply(what, out.config.servers.emplace_back(server).options);
    }
    if (!is_known)
        throw usage_error(unknown_server_text(book, name));
    auto const is_enabled = [](server_config const& server) { return server.options.enabled; };
    if (std::ranges::any_of(out.config.servers, is_enabled))
        return out;
    if (out.skipped != 0)
        throw usage_error("no server can be used");
    fail_without_enabled_server(what.tags);
}

} // namespace cli
