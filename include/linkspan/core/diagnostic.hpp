#ifndef LINKSPAN_CORE_DIAGNOSTIC_HPP
#define LINKSPAN_CORE_DIAGNOSTIC_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Problem that was found in a document, a schema or a tool, with its location and a human-readable sentence.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
/// \par Specification
/// RFC 6901 (JSON Pointer).
struct diagnostic {
    /// Effect of the problem.
    enum class severity {
        /// The input is used, but a part of it is ignored or probably does not express the intention of its author.
        warning,
        /// The subject is not used.
        error
    };

    /// Severity of the problem. Default: `error`.
    severity level = severity::error;

    /// Name or description of the object that has the problem, such as the name of a server. Empty: the whole input.
    std::string subject{};

    /// Location in the input, as a JSON Pointer. If the location is in another document to which the input refers, the
    /// URI of that document and '#' precede the pointer. Empty: the problem concerns the whole input or several
    /// locations.
    std::string pointer{};

    /// Human-readable description of the problem.
    std::string message{};

    bool operator==(diagnostic const&) const = default;
};

/// Returns the subject, the location and the message of a diagnostic as one line. Empty parts and the severity are
/// omitted.
///
/// Example: "tool 'search': /inputSchema/properties/city: nested deeper than 64 levels".
LINKSPAN_DECL std::string to_string(diagnostic const& from);

namespace detail {

// Appends subject, location and message in the form of all diagnostics; empty parts are omitted. `separator` is between
// the subject and the location; ": " precedes the message.
LINKSPAN_DECL void append_diagnostic(std::string& out, std::string_view subject, std::string_view pointer,
                                     std::string_view message, std::string_view separator = ": ");

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/diagnostic.ipp>
#endif

#endif
