#ifndef LINKSPAN_CONFIG_DEFAULT_SERVERS_HPP
#define LINKSPAN_CONFIG_DEFAULT_SERVERS_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <string>

namespace linkspan {

/// Three servers to begin with, all started by `uvx`: "github" with GITHUB_TOKEN, "brave" with BRAVE_API_KEY, both of
/// our environment, and "filesystem" on one directory; by default `hyvve` in that for temporary files.
///
/// `add_servers` skips "github" or "brave", with a warning, if its variable is not set, and creates the directory with
/// mode 0700. A directory that is a symbolic link, or belongs to another user, is an error of "filesystem".
LINKSPAN_DECL connector_config default_servers(std::string directory = {});

namespace detail {

// Creates it with mode 0700 unless it is there. Yields why it cannot be used; empty: it can.
LINKSPAN_DECL std::string create_private_folder(std::string path);

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/default_servers.ipp>
#endif

#endif
