#ifndef LINKSPAN_CONFIG_IMPL_DEFAULT_SERVERS_IPP
#define LINKSPAN_CONFIG_IMPL_DEFAULT_SERVERS_IPP

#include <linkspan/config/default_servers.hpp>
#include <linkspan/core/error.hpp>

#include <boost/system/system_category.hpp>

#include <cerrno>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline server_config uvx_server(std::string name, std::vector<std::string> args, std::string description)
{
    server_config server;
    server.name = std::move(name);
    server.command = "uvx";
    server.args = std::move(args);
    server.description = std::move(description);
    server.uses_default_timeout = true;
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
    auto const folder = directory;
    config.servers = {
        detail::uvx_server("github", {"mcp-server-github"}, "Repositories, issues and pull requests of GitHub"),
        detail::uvx_server("brave", {"mcp-server-brave-search"}, "Searches the web with Brave"),
        detail::uvx_server("filesystem", {"mcp-server-filesystem", std::move(directory)}, "Files of one directory"),
    };
    config.servers[0].env = {{"GITHUB_TOKEN", "${GITHUB_TOKEN}"}};
    config.servers[1].env = {{"BRAVE_API_KEY", "${BRAVE_API_KEY}"}};
    config.servers[0].required_variables = {"GITHUB_TOKEN"};
    config.servers[1].required_variables = {"BRAVE_API_KEY"};
    config.servers[2].private_folder = folder;
    return config;
}

// The parent folder may be writable by other users, who could have created the path.
LINKSPAN_DECL std::string detail::create_private_folder(std::string path)
{
    while (path.size() > 1 && path.ends_with('/')) // lstat follows a symbolic link with a trailing '/'
        path.pop_back();
    auto const failure_text = [&](std::string const& why) { return "folder '" + path + "' cannot be used: " + why; };
    auto const system_message = [] { return error_code(errno, boost::system::system_category()).message(); };
    if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return failure_text(system_message());
    struct stat about {};
    if (::lstat(path.c_str(), &about) != 0)
        return failure_text(system_message());
    if (S_ISLNK(about.st_mode))
        return failure_text("symbolic link, expected a folder");
    if (!S_ISDIR(about.st_mode))
        return failure_text("expected a folder");
    if (about.st_uid != ::geteuid())
        return failure_text("owned by user " + std::to_string(about.st_uid) + ", expected user " +
                            std::to_string(::geteuid()));
    return {};
}

} // namespace linkspan

#endif
