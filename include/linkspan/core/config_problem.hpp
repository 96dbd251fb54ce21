#ifndef LINKSPAN_CORE_CONFIG_PROBLEM_HPP
#define LINKSPAN_CORE_CONFIG_PROBLEM_HPP

#include <linkspan/core/detail/config.hpp>

#include <exception>
#include <string>
#include <vector>

namespace linkspan {

/// Something in a configuration that is wrong (`error`: its server is left out), or probably not meant so.
struct config_problem {
    enum class severity { warning, error };

    severity how = severity::error;
    std::string server;   ///< its name; empty: the document as a whole
    std::string pointer;  ///< where, as a JSON Pointer (RFC 6901)
    std::string message;  ///< what was expected and what came; never a value of `env`, `headers`, `url` or an input
    std::string origin{}; ///< of the document, as a file name; may be empty
};

/// On one line, without control characters:
/// "claude.json: error: server 'files', /mcpServers/files/comand: unknown key; did you mean 'command'?"
LINKSPAN_DECL std::string to_string(config_problem const& problem);

LINKSPAN_DECL bool has_errors(std::vector<config_problem> const& problems) noexcept;

namespace detail {

// What an exception of this library says, as a part of another sentence.
LINKSPAN_DECL std::string words_of(std::exception const& refused);

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/config_problem.ipp>
#endif

#endif
