#ifndef LINKSPAN_CONFIG_SERVER_CONFIG_HPP
#define LINKSPAN_CONFIG_SERVER_CONFIG_HPP

#include <linkspan/config/expand.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// What a server is called where only identifiers do: 1 to 32 of `A-Za-z0-9_-`. A name that is one stays as it is; else
/// a `_` stands for each run of other characters within it. A name that is then too long, or has none left, gets 8
/// digits of its SHA-256 to tell it from others.
LINKSPAN_DECL std::string server_key(std::string_view name);

/// A server with its variables replaced. It holds secrets: do not print it.
struct resolved_server {
    std::optional<stdio_config> stdio;          ///< to start it; empty: it has an error, or is not started but reached
    std::string url;                            ///< to reach it; empty: it has an error, or is started
    std::map<std::string, std::string> headers; ///< to reach it
    std::string unix_socket;                    ///< to reach it by, if not by TCP
    std::size_t max_line = line_framing::default_max_line; ///< bytes; of a body or event over HTTP
    redactor secrets;                                      ///< all that must not be seen in its errors and its stderr
    std::vector<config_problem> problems;

    /// To reach it over HTTP.
    http_config http() const
    {
        http_config out;
        out.url = url;
        out.headers = headers;
        out.unix_socket = unix_socket;
        out.max_body = out.max_event = max_line;
        return out;
    }
};

/// A server, as a configuration has it: its variables are still in it.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct server_config {
    server_config() {}

    std::string name; ///< any text
    std::string command;
    std::vector<std::string> args;
    std::map<std::string, std::string> env;
    std::string env_file; ///< of lines NAME=value below `env`; read by `variable_sources::files`; empty: none
    std::string cwd;
    environment inherit = environment::safe;

    /// bytes; a longer line of a server that is started ends its connection, as does a longer body or event over HTTP.
    std::size_t max_line = line_framing::default_max_line;

    std::string url; ///< of a server that is reached and not started; then `command` is empty
    std::map<std::string, std::string> headers;
    std::string unix_socket; ///< path of a socket to reach it by, whatever host `url` names; empty: TCP
    http_framing framing = http_framing::automatic;
    std::string description;
    std::optional<std::vector<std::string>>
        only_tools;                        ///< names that may be used; empty: all. A connector does not look
    std::vector<std::string> hidden_tools; ///< names that may not be used, even if they are in `only_tools`
    server_options options;

    expand expansion = expand::whole_value;
    missing when_missing = missing::empty_with_warning; ///< in `env`
    std::vector<input_variable> inputs;                 ///< that its document declares

    /// Variables of the environment without which the server is of no use: `add_servers` skips the server, with a
    /// warning, if one of them is not set or is empty.
    std::vector<std::string> required_variables;

    /// A folder that `add_servers` creates with mode 0700 unless it exists; its parent must exist. A symbolic link or a
    /// folder of another user is an error. Empty: none.
    std::string private_folder;

    bool takes_default_timeout = false; ///< `connector_config::default_timeout` becomes `options.session.idle_timeout`
    std::string origin;                 ///< of its document, as a file name; may be empty
    std::string pointer;                ///< its place there

    std::string key() const { return server_key(name); }

    /// Whether `only_tools` and `hidden_tools` allow a tool.
    LINKSPAN_DECL bool allows_tool(std::string_view tool) const;

    /// A server by its address: "http://host/mcp" or "https://...", "unix:/path/of/socket" with "?path=/mcp" if need
    /// be, "command://program?arg=first&arg=second". A path that ends in "/sse" is taken for a server of 2024-11-05.
    /// It is named by its host or program.
    ///
    /// Throws `std::invalid_argument` for anything else; the text says what was expected, and nothing of the address.
    LINKSPAN_DECL static server_config from_url(std::string_view url);

    /// The same; and what has no scheme is a command with its arguments, in quotes where they hold blanks: "server
    /// --root '/my files'". No shell sees it, so nothing else in it has a meaning.
    LINKSPAN_DECL static server_config from_string(std::string_view text);

    /// `env` with its variables replaced. A value with an error is left out. The problems are appended to `problems`.
    LINKSPAN_DECL std::map<std::string, std::string> resolve_env(variable_sources const& from,
                                                                 std::vector<config_problem>* problems = nullptr) const;
    LINKSPAN_DECL std::map<std::string, std::string> resolve_env(env_source const& from) const;
    std::map<std::string, std::string> resolve_env() const { return resolve_env(variable_sources()); }

    /// Everything with its variables replaced. Each source is asked once for each place where its variable stands.
    LINKSPAN_DECL resolved_server resolve(variable_sources const& from = {}) const;
};

/// For people, and without secrets: the names of variables and headers, but no value, no argument and no address.
/// "github: uvx, 1 argument, env GITHUB_TOKEN (claude.json)"
LINKSPAN_DECL std::string to_string(server_config const& server);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/server_config.ipp>
#endif

#endif
