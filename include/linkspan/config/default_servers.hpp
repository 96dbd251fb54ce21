#ifndef LINKSPAN_CONFIG_DEFAULT_SERVERS_HPP
#define LINKSPAN_CONFIG_DEFAULT_SERVERS_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns a configuration of three servers that are started with `uvx`.
///
/// | name         | command                           | variable of the environment   |
/// |--------------|-----------------------------------|-------------------------------|
/// | `github`     | `uvx mcp-server-github`           | `GITHUB_TOKEN`                |
/// | `brave`      | `uvx mcp-server-brave-search`     | `BRAVE_API_KEY`               |
/// | `filesystem` | `uvx mcp-server-filesystem DIR`   |                               |
///
/// `DIR` is `directory`. `add_servers` skips "github" or "brave", with a warning, if its variable is not set or is
/// empty. `add_servers` creates the directory with mode 0700 if it does not exist; a symbolic link, or a directory of
/// another user, is an error of "filesystem". `default_servers` itself accesses neither the variables of the table nor
/// the directory.
///
/// \param directory Directory that the server "filesystem" may access. Empty: the directory `hyvve` in the directory
/// for temporary files.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL connector_config default_servers(std::string directory = {});

namespace detail {

// Creates a folder with mode 0700 if it does not exist. Returns the reason why the folder cannot be used; empty: it can
// be used.
LINKSPAN_DECL std::string create_private_folder(std::string path);

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/default_servers.ipp>
#endif

#endif
