#ifndef LINKSPAN_CONFIG_HPP
#define LINKSPAN_CONFIG_HPP

#include <linkspan/detail/config.hpp>
#include <linkspan/server_options.hpp>
#include <linkspan/transport/stdio_config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Something in a configuration that is wrong (`error`: its server is left out), or probably not meant so.
struct config_problem {
    enum class severity { warning, error };

    severity how = severity::error;
    std::string server;  ///< empty: the document as a whole
    std::string pointer; ///< where, as a JSON Pointer (RFC 6901)
    std::string message; ///< what was expected and what came; never a value of `env`
};

/// "server 'files', /mcpServers/files/comand: unknown key; did you mean 'command'?"
LINKSPAN_DECL std::string to_string(config_problem const& problem);

/// A server to be started as a child.
struct configured_server {
    std::string name;
    stdio_config transport;
    server_options options;
};

struct configuration {
    std::vector<configured_server> servers; ///< in the order of the document
    std::vector<config_problem> problems;

    LINKSPAN_DECL bool has_errors() const noexcept;
};

/// Reads `{"mcpServers": {name: {...}}}`. Each server has
///
/// | key                     | value                                                             |
/// |-------------------------|-------------------------------------------------------------------|
/// | `command`               | text; the only key that must be there                             |
/// | `args`                  | array of texts                                                    |
/// | `env`                   | object of texts                                                   |
/// | `cwd`                   | text                                                              |
/// | `type`                  | "stdio"                                                           |
/// | `inherit_env`           | "safe" or "all"                                                   |
/// | `priority`              | integer, 0 to 100                                                 |
/// | `tags`                  | array of texts                                                    |
/// | `trust_annotations`     | boolean                                                           |
/// | `max_in_flight`         | integer, 1 to 1,000,000                                           |
/// | `tools.NAME.replay`     | "never", "idempotent", "read_only" or "keyed"                     |
///
/// Nothing is thrown, and nothing stops at the first problem: every one is reported, with the place where it is.
LINKSPAN_DECL configuration read_configuration(std::string_view json);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/config.ipp>
#endif

#endif
