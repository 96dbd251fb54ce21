#ifndef LINKSPAN_CORE_CONFIG_PROBLEM_HPP
#define LINKSPAN_CORE_CONFIG_PROBLEM_HPP

#include <linkspan/core/detail/config.hpp>

#include <exception>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Problem that was found in a configuration document.
struct config_problem {
    /// Effect of the problem.
    enum class severity {
        /// The configuration is used, but probably does not express the intention of the operator.
        warning,
        /// The server that the problem belongs to is omitted from the configuration.
        error
    };

    /// Severity of the problem. Default: `error`.
    severity how = severity::error;

    /// Name of the server that the problem belongs to. Empty if the problem concerns the whole document.
    std::string server;

    /// Location in the document, as a JSON Pointer (RFC 6901). Empty if the problem has no single location.
    std::string pointer;

    /// Description of the problem: the expectation and the offending key. The text contains no value of `env`,
    /// `headers`, `url` or an input, which may be secret.
    std::string message;

    /// File name of the document. Empty if the document has none.
    std::string origin{};
};

/// Returns the problem as one line of text.
///
/// Example: "claude.json: error: server 'files', /mcpServers/files/comand: unknown key; did you mean 'command'?"
/// Parts that are empty are omitted. Each control character is replaced with '?', so that the text of a document
/// cannot control a terminal.
LINKSPAN_DECL std::string to_string(config_problem const& problem);

/// Returns true if at least one of the problems has the severity `error`.
LINKSPAN_DECL bool has_errors(std::vector<config_problem> const& problems) noexcept;

namespace detail {

// Returns the message of an exception without the prefix "linkspan: ", for use inside another message.
LINKSPAN_DECL std::string message_of(std::exception const& refused);

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/config_problem.ipp>
#endif

#endif
