#ifndef LINKSPAN_DEFAULT_SERVERS_HPP
#define LINKSPAN_DEFAULT_SERVERS_HPP

#include <linkspan/connector_config.hpp>
#include <linkspan/detail/config.hpp>

#include <string>

namespace linkspan {

/// Three servers to begin with, all started by `uvx`: "github" with GITHUB_TOKEN, "brave" with BRAVE_API_KEY, both of
/// our environment, and "filesystem" on one directory; by default `hyvve` in that for temporary files.
LINKSPAN_DECL connector_config default_servers(std::string directory = {});

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/default_servers.ipp>
#endif

#endif
