#ifndef LINKSPAN_CONFIG_CLIENT_CONFIG_HPP
#define LINKSPAN_CONFIG_CLIENT_CONFIG_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/expand.hpp>
#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Programs whose configuration files contain MCP servers, and whose formats this library reads.
enum class client { claude_desktop, claude_code, cursor, vs_code, codex, gemini, windsurf, cline };

/// Returns the product name of a client, such as "Claude Desktop".
///
/// \returns A string with static storage duration; "?" for a value that is no enumerator.
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL std::string_view to_string(client of) noexcept;

/// Path of a file in which a client may store its configuration. The file need not exist.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
struct client_file {
    /// Client that reads the file; selects the dialect that `read_client_config` uses.
    client of;

    /// Path of the file. The path of a file in a project is relative if the argument `folder` of `client_files` is
    /// relative.
    std::string path;
};

/// Returns the paths at which clients on Linux and macOS store their configurations.
///
/// The result contains first the files of the project, and then the files of the user: the file of Codex, followed by
/// files in HOME and in the configuration folder (XDG_CONFIG_HOME or `$HOME/.config`, and `$HOME/Library/Application
/// Support`) in an unspecified order. The function does not access the file system: the result contains paths whether
/// or not the files exist.
///
/// \param from Source of HOME, XDG_CONFIG_HOME and CODEX_HOME. Without HOME, the result contains no file of the user
/// except the one in CODEX_HOME. An empty function is a source without variables.
/// \param folder Folder of the project. Empty: no files of a project.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, and exceptions of `from`.
LINKSPAN_DECL std::vector<client_file> client_files(env_source const& from, std::string const& folder);

/// Returns the client that stores its configuration at a path, or an empty optional if there is no such client.
///
/// Only the end of the path is compared, such as ".cursor/mcp.json". Any other path that ends in ".toml" is attributed
/// to Codex. The function does not access the file system.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::optional<client> client_of(std::string_view path);

/// Reads the configuration file of a client.
///
/// The format is JSON with comments and trailing commas, or TOML for Codex. Only the members that configure servers are
/// read; all others are ignored. A document without servers is an empty configuration. The dialect of the client
/// applies: texts of Codex and Claude Desktop contain no variables, `$NAME` is a variable for Gemini, `timeout` is in
/// milliseconds for Gemini and Claude Code. A server of Gemini is disabled if the list `mcp.allowed` exists and does
/// not contain the name of the server, or if the list `mcp.excluded` contains the name.
///
///     auto const config = read_client_config(client::cursor, text, ".cursor/mcp.json");
///
/// \param of Client that wrote the file.
/// \param text Content of the file.
/// \param origin Name of the file, for problems and servers. May be empty.
/// \param folder Absolute path of the folder of a project. A Claude Code file may contain servers per project, in an
/// object whose keys are such paths; the function compares the texts. The servers of this project replace servers of
/// the user with the same name. Empty: only the servers of the user are read.
/// \returns The configuration. Problems, such as text that is not valid JSON, are in `connector_config::problems`, with
/// their place; a server with an error is not in `servers`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`. An invalid document is not reported as an exception.
LINKSPAN_DECL connector_config read_client_config(client of, std::string_view text, std::string origin = {},
                                                  std::string const& folder = {});

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/client_config.ipp>
#endif

#endif
