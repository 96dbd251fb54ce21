#ifndef LINKSPAN_CONFIG_CLIENT_CONFIG_HPP
#define LINKSPAN_CONFIG_CLIENT_CONFIG_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/expand.hpp>
#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// A program that has a configuration of MCP servers.
enum class client { claude_desktop, claude_code, cursor, vs_code, codex, gemini, windsurf, cline };

/// As its makers write it: "Claude Desktop".
LINKSPAN_DECL std::string_view to_string(client of) noexcept;

/// A file where a client keeps its configuration.
struct client_file {
    client of;
    std::string path;
};

/// The files where clients on Linux and macOS keep their configurations, whether they exist or not: those of the project
/// in `folder`, then those of the user. `from` is asked for HOME, XDG_CONFIG_HOME and CODEX_HOME; without HOME, there are
/// none of the user. An empty `folder` has none.
LINKSPAN_DECL std::vector<client_file> client_files(env_source const& from, std::string const& folder);

/// The client that keeps its configuration under such a path, by the end of the path; nothing if no client does.
LINKSPAN_DECL std::optional<client> client_of(std::string_view path);

/// Reads a file of a client: JSON, or the TOML of Codex. Keys beside the servers are ignored; a file without servers is
/// an empty configuration. Each problem is reported as by `connector_config::from_json`, and nothing is thrown.
///
/// `folder`: the project whose own servers are taken from a file that has those of several (Claude Code), instead of
/// others with the same name.
LINKSPAN_DECL connector_config read_client_config(client of, std::string_view text, std::string origin = {},
                                                  std::string const& folder = {});

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/client_config.ipp>
#endif

#endif
