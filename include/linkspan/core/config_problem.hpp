#ifndef LINKSPAN_CORE_CONFIG_PROBLEM_HPP
#define LINKSPAN_CORE_CONFIG_PROBLEM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <exception>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Problem that was found in a configuration document.
///
/// | member    | content                                                                                             |
/// |-----------|-----------------------------------------------------------------------------------------------------|
/// | `level`   | `warning`: the configuration is used; `error`: the server, the setting or the document is not used  |
/// | `subject` | name of the server that the problem belongs to; empty if the problem concerns the whole document    |
/// | `pointer` | location in the document; empty if the problem has no single location                               |
/// | `message` | expectation and offending key, without values of `env`, `headers`, `url` or inputs (may be secrets) |
struct config_problem : diagnostic {
    /// File name of the document. Empty if the document has none.
    std::string origin{};
};

/// Returns the problem as one line of text.
///
/// Example: "claude.json: warning: server 'files', /mcpServers/files/comand: unknown key; did you mean 'command'?"
/// Parts that are empty are omitted. Each control character (U+0000 to U+001F, U+007F to U+009F) and each byte that is
/// not UTF-8 is replaced with '?', so that the text of a document cannot control a terminal.
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
