#ifndef LINKSPAN_SCHEMA_SCHEMA_VERDICT_HPP
#define LINKSPAN_SCHEMA_SCHEMA_VERDICT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Reason why a value is not valid against a schema.
struct schema_error {
    /// Location in the value, as a JSON Pointer (RFC 6901). Empty for the whole value. Keys of more than 128 bytes are
    /// truncated.
    std::string instance;

    /// Location of the keyword in the schema, as a JSON Pointer. If the keyword is in another document to which the
    /// schema refers, the URI of that document and '#' precede the pointer. Keys of more than 128 bytes are truncated.
    std::string schema;

    /// Keyword that the value violates: the last part of `schema`; "false" for the schema `false`. Empty if no keyword
    /// caused the error.
    std::string keyword;

    /// Description of the expectation. The text contains no part of the validated value except keys.
    std::string message;
};

/// Result of the validation of one value.
struct schema_verdict {
    /// Errors in the order in which they were found, at most `schema_options::max_errors`.
    ///
    /// The error of `anyOf` or `oneOf` precedes the errors of the alternatives. If `gave_up` is true, the list has one
    /// error that states the reason.
    std::vector<schema_error> errors;

    /// True if a limit of `schema_options` was reached before the result was known. The value is then treated as
    /// invalid. Default: false.
    bool gave_up = false;

    /// Returns true if the value is valid.
    bool valid() const noexcept { return errors.empty(); }

    /// Returns `valid()`.
    explicit operator bool() const noexcept { return valid(); }
};

/// Returns the error as one line: location in the value, message, location in the schema.
///
/// Example: "/age: must be at least 18 (/properties/age/minimum)". Empty parts are omitted.
LINKSPAN_DECL std::string to_string(schema_error const& error);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_verdict.ipp>
#endif

#endif
