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

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the key of a server: its name as an identifier of 1 to 32 characters of `A-Za-z0-9_-`.
///
/// A name of that form is its own key. Otherwise, each sequence of characters that a key must not contain is replaced
/// by `_`, or dropped at the beginning and the end of the name. A result of more than 32 characters is cut to 23
/// characters, and an empty result becomes `server`; in both cases, `_` and 8 hexadecimal digits of the SHA-256 of the
/// name are appended.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string server_key(std::string_view name);

/// Configuration of a server with all variables replaced. The object contains secrets: do not print it.
///
/// At most one of `stdio` and `url` is set; neither is set if `problems` contains an error.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
struct resolved_server {
    /// Child process to start. Empty: the server has an error or is reached over HTTP.
    std::optional<stdio_config> stdio;

    /// URL of the server. Empty: the server has an error or is a child process.
    std::string url;

    /// HTTP headers for each request, by name. Empty: none. The headers `Authorization` and `Proxy-Authorization` are
    /// omitted if their value contains no credentials.
    std::map<std::string, std::string> headers;

    /// Path of the Unix socket to connect to. Empty: TCP.
    std::string unix_socket;

    /// Maximum number of bytes of a line of a child process, or of a body or event over HTTP. Default:
    /// `line_framing::default_max_line`.
    std::size_t max_line = line_framing::default_max_line;

    /// Secrets to redact in errors and in stderr output of the server.
    redactor secrets;

    /// Errors and warnings of the replacement of variables. Empty: none.
    std::vector<config_problem> problems;

    /// Returns the configuration of a transport over HTTP: `url`, `headers`, `unix_socket`, and `max_line` as limit of
    /// bodies and events. All other members have their defaults.
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

/// Configuration of one server, before variables are replaced.
///
///     auto server = server_config::from_string("npx -y @modelcontextprotocol/server-filesystem /srv");
///     server.name = "files";
///     server.env["TOKEN"] = "${FILES_TOKEN}";
///
/// Either `command` or `url` is set. `options` apply in both cases.
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
struct server_config {
    server_config() {}

    /// Name of the server: any text. The servers of a connector must have different keys; see `key`.
    std::string name;

    /// Program to start as a child process: a path, or a name that is searched in PATH. Empty if `url` is set.
    std::string command;

    /// Arguments of the program. No shell interprets them. Empty: none.
    std::vector<std::string> args;

    /// Environment variables of the child process, by name. These variables replace inherited variables and variables
    /// of `env_file` with the same names.
    std::map<std::string, std::string> env;

    /// Path of a file of lines `NAME=value`, read by `variable_sources::files`; a relative path is relative to
    /// `variable_sources::workspace_folder`. Variables of `env` take precedence. Empty: none.
    std::string env_file;

    /// Working directory of the child process. Empty: that of this process.
    std::string cwd;

    /// Variables of this process that the child process inherits. Default: `environment::safe`.
    environment inherit = environment::safe;

    /// Maximum number of bytes of a line of a child process, or of a body or event over HTTP. A longer line ends the
    /// connection; a larger body or event makes its request fail. A document may set 1 to 1000000000. Default:
    /// `line_framing::default_max_line`.
    std::size_t max_line = line_framing::default_max_line;

    /// URL of a server that is reached over HTTP. Empty: the server is started with `command`.
    std::string url;

    /// HTTP headers for each request, by name. Empty: none.
    std::map<std::string, std::string> headers;

    /// Path of a Unix socket to connect to, regardless of the host in `url`. Empty: TCP.
    std::string unix_socket;

    /// HTTP transport of MCP that the server uses. Default: the transport is detected when the connection is opened.
    http_framing framing = http_framing::automatic;

    /// Human-readable description of the server. May be empty.
    std::string description;

    /// Names of the tools that may be used. Empty optional: all tools. A connector does not apply this list: a program
    /// that respects the list calls `allows_tool`.
    std::optional<std::vector<std::string>> only_tools;

    /// Names of the tools that must not be used, even if `only_tools` contains them. Default: none.
    std::vector<std::string> hidden_tools;

    /// Options of the server in a connector: priority, start, restarts, timeouts, and so on.
    server_options options;

    /// Number of times that `add_servers` adds the server, from 1 to 100: under its name, and under its name followed
    /// by `_2`, `_3` and so on. The tools of the replicas are interchangeable, because their names and input schemas
    /// are equal, so that the routing policy selects a replica for each call. Default: 1.
    int replicas = 1;

    /// Variables that are replaced. `connector_config::from_json` sets this member as the format of the document
    /// requires. Default: whole values of `env` only.
    expand expansion = expand::whole_value;

    /// Treatment of variables in `env` without a value. `connector_config::from_json` sets `missing::error` for a
    /// server with `strict`. Default: warning and empty value.
    missing when_missing = missing::empty_with_warning;

    /// Inputs that the document of the server declares. Default: none.
    std::vector<input_variable> inputs;

    /// Names of variables of the environment that the server requires: `add_servers` skips the server, with a warning,
    /// if one of them is not set or is empty. Default: none.
    std::vector<std::string> required_variables;

    /// Folder that `add_servers` creates with mode 0700 if it does not exist; its parent must exist. A symbolic link,
    /// or a folder of another user, is an error. Empty: none. Default: empty.
    std::string private_folder;

    /// Whether `connector_config::from_json` and `connector_config::operator|=` set `options.session.idle_timeout` to
    /// `connector_config::default_timeout`. True for a server that a document lists without `timeout`. Default: false.
    bool uses_default_timeout = false;

    /// Name of the document that contains the server. May be empty.
    std::string origin;

    /// Place of the server in its document, as a JSON Pointer (RFC 6901). Empty: the server was not read from a
    /// document.
    std::string pointer;

    /// Returns `server_key(name)`: the name of the server within a connector.
    std::string key() const { return server_key(name); }

    /// Returns whether a tool may be used: `only_tools` has no value or contains the name of the tool, and
    /// `hidden_tools` does not contain the name.
    ///
    /// \par Exception safety
    /// Never throws.
    LINKSPAN_DECL bool allows_tool(std::string_view tool) const;

    /// Returns the configuration of a server with a URL. The name of the server is the host, followed by the port if
    /// the URL has one, or the file name of the socket or program.
    ///
    /// | URL                                      | server                                                           |
    /// |------------------------------------------|------------------------------------------------------------------|
    /// | `http://host/mcp`, `https://host/mcp`    | reached over HTTP; a path that ends in "/sse" selects HTTP+SSE   |
    /// | `unix:/path/of/socket?path=/mcp`         | reached over HTTP by a Unix socket; default of `path`: "/mcp"    |
    /// | `command://program?arg=first&arg=second` | started as a child process                                       |
    ///
    /// Percent escapes are decoded in the parts of `unix:` and `command:` URLs.
    ///
    /// \throws std::invalid_argument `url` has none of these forms. The message states the expected form, and contains
    /// no part of `url`, which may contain credentials.
    /// \par Exception safety
    /// Strong. Also throws `std::bad_alloc`.
    LINKSPAN_DECL static server_config from_url(std::string_view url);

    /// Returns the configuration of a server given as a URL, as for `from_url`, or as a command line.
    ///
    ///     server_config::from_string("https://search.example/mcp");
    ///     server_config::from_string("server --root '/my files'");
    ///
    /// A text without a scheme is a command line: words separated by whitespace, with single or double quotes around
    /// words that contain whitespace. A backslash escapes the next character, except in single quotes. No shell
    /// interprets the text. The name of the server is the file name of its program.
    ///
    /// \throws std::invalid_argument The text is empty, a quote is not closed, or the URL is not supported. The message
    /// contains no part of the text.
    /// \par Exception safety
    /// Strong. Also throws `std::bad_alloc`.
    LINKSPAN_DECL static server_config from_string(std::string_view text);

    /// Returns `env` with its variables replaced. The result does not contain the variables of `env_file`.
    ///
    /// \param from Sources of values.
    /// \param problems The errors and warnings are appended to this vector. Null: they are discarded.
    /// \returns The variables by name, without those that have an error.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`, and exceptions of the sources.
    LINKSPAN_DECL std::map<std::string, std::string> resolve_env(variable_sources const& from,
                                                                 std::vector<config_problem>* problems = nullptr) const;

    /// Returns `env` with its variables replaced by their values in the environment `from`. Errors and warnings are
    /// discarded.
    ///
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`, and exceptions of `from`.
    LINKSPAN_DECL std::map<std::string, std::string> resolve_env(env_source const& from) const;

    /// Returns `env` with its variables replaced by their values in the environment of this process. Errors and
    /// warnings are discarded.
    ///
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    std::map<std::string, std::string> resolve_env() const { return resolve_env(variable_sources()); }

    /// Returns the configuration with all variables replaced.
    ///
    /// Errors, such as a variable without a value or an invalid URL, are in `resolved_server::problems`. The folder
    /// `private_folder` and `required_variables` are not checked.
    ///
    /// \param from Sources of values. Each source is called once per occurrence of its variable.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`, and exceptions of the sources.
    LINKSPAN_DECL resolved_server resolve(variable_sources const& from = {}) const;
};

/// Returns a human-readable description of a server, as one line without secrets. The line contains the name of the
/// server, its program with the number of arguments or "over HTTP", the names of variables or headers, "disabled" if
/// the server is disabled, and the origin. The line contains no value, no argument and no URL.
///
///     "github: uvx, 1 argument, env GITHUB_TOKEN (claude.json)"
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string to_string(server_config const& server);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/server_config.ipp>
#endif

#endif
