// linkspan-bindgen: generates C++ headers for the tools of MCP servers. `linkspan-bindgen --help` lists the options,
// and <linkspan/bindgen/command.hpp> the exit statuses. Variables of a configuration are read from the environment, and
// the workspace folder is the current folder.

#include <linkspan/bindgen/command.hpp>
#include <linkspan/bindgen/files.hpp>
#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/diagnose.hpp>
#include <linkspan/core/similar_names.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../web.hpp"

namespace {

namespace bindgen = linkspan::bindgen;

[[noreturn]] void reject(std::string const& sentence)
{
    throw bindgen::command_error(bindgen::exit_wrong_usage, sentence);
}

linkspan::server_config find_server(std::string const& path, std::string const& name)
{
    std::error_code ec;
    auto const text = bindgen::read_file(path, ec);
    if (!text)
        reject("cannot read " + path + ": " + ec.message());
    auto const config = linkspan::connector_config::from_json(*text, path);
    auto const found = std::ranges::find_if(config.servers, [&](auto const& s) { return s.name == name; });
    if (found != config.servers.end())
        return *found;
    std::vector<std::string> names;
    for (auto const& server : config.servers)
        names.push_back(server.name);
    auto const similar = linkspan::similar_names(name, names, 3);
    auto why = path + ": no server is named '" + name + "'";
    std::string separator = similar.empty() ? "; known servers: " : "; similar names: ";
    for (auto const& other : similar.empty() ? names : similar)
        why += std::exchange(separator, ", ") + other;
    for (auto const& problem : config.problems)
        why += "; " + to_string(problem);
    reject(why);
}

// Returns the tools of a server.
bindgen::tool_lock fetch_tools(std::string const& path, std::string const& name)
{
    auto const server = find_server(path, name);
    linkspan::diagnose_options with;
    with.timeout = std::chrono::seconds(60); // some servers are installed at their first start
    with.variables.workspace_folder = std::filesystem::current_path().string();
    boost::asio::io_context context(1);
    linkspan::diagnosis report;
    using list = linkspan::transports<linkspan::stdio, web_transport>;
    linkspan::async_diagnose<list>(context.get_executor(), server, with,
                                   [&](linkspan::error_code, linkspan::diagnosis made) { report = std::move(made); });
    context.run();
    if (!report.success) {
        if (report.code ==
            linkspan::diagnosis_code::invalid_url) // rejected before a connection; `detail` has the reason
            throw bindgen::command_error(bindgen::exit_not_connected, "server '" + name + "': " + report.detail);
        auto why = "server '" + name + "': " + std::string(to_string(*report.code));
        auto reason = report.ec ? report.ec.message() : std::string();
        if (report.detail.find(reason) != report.detail.npos)
            reason.clear();
        for (std::string const& part : {report.message, reason, report.detail})
            why += part.empty() ? "" : ": " + part;
        throw bindgen::command_error(bindgen::exit_not_connected, why);
    }
    bindgen::tool_lock lock;
    lock.server = report.server.name.empty() ? name : report.server.name;
    lock.version = report.server.version;
    lock.tools = std::move(report.tools);
    return lock;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        auto const what = bindgen::read_command({argv + 1, argv + argc});
        return run_command(what, {std::cout, std::cerr, fetch_tools});
    } catch (bindgen::command_error const& error) {
        std::cerr << "linkspan-bindgen: " << error.what() << "; see --help\n";
        return error.status;
    }
}
