#ifndef LINKSPAN_IMPL_DEFAULT_SERVERS_IPP
#define LINKSPAN_IMPL_DEFAULT_SERVERS_IPP

#include <linkspan/default_servers.hpp>
#include <linkspan/error.hpp>

#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace linkspan {
namespace detail {

inline server_config uvx_server(std::string name, std::vector<std::string> args, std::string description)
{
    server_config server;
    server.name = std::move(name);
    server.command = "uvx";
    server.args = std::move(args);
    server.description = std::move(description);
    server.takes_default_timeout = true;
    server.origin = "default servers";
    return server;
}

inline std::string default_directory()
{
    std::error_code ec;
    auto const folder = std::filesystem::temp_directory_path(ec);
    return ((ec ? std::filesystem::path("/tmp") : folder) / "hyvve").string();
}

} // namespace detail

LINKSPAN_DECL connector_config default_servers(std::string directory)
{
    if (directory.empty())
        directory = detail::default_directory();
    connector_config config;
    config.servers = {
        detail::uvx_server("github", {"mcp-server-github"}, "Repositories, issues and pull requests of GitHub"),
        detail::uvx_server("brave", {"mcp-server-brave-search"}, "Searches the web with Brave"),
        detail::uvx_server("filesystem", {"mcp-server-filesystem", std::move(directory)}, "Files of one directory"),
    };
    config.servers[0].env = {{"GITHUB_TOKEN", "${GITHUB_TOKEN}"}};
    config.servers[1].env = {{"BRAVE_API_KEY", "${BRAVE_API_KEY}"}};
    return config;
}

} // namespace linkspan

#endif
