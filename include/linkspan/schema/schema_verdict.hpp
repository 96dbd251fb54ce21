#ifndef LINKSPAN_SCHEMA_SCHEMA_VERDICT_HPP
#define LINKSPAN_SCHEMA_SCHEMA_VERDICT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <vector>

namespace linkspan {

/// Why a value is not valid.
struct schema_error {
    std::string instance; ///< where in the value, as a JSON Pointer (RFC 6901); of keys beyond 128 bytes the front
    std::string schema;   ///< which keyword said so, as a JSON Pointer; in another document: behind its URI and a '#'
    std::string keyword;  ///< the last part of it; "false" for a schema that allows nothing; empty: see `message`
    std::string message;  ///< what was expected; names keys, but no values
};

struct schema_verdict {
    /// In the order in which they were found, those of alternatives behind the one that says that none fits.
    std::vector<schema_error> errors;

    bool gave_up = false; ///< at a limit, before it was known: the value does not count as valid

    bool valid() const noexcept { return errors.empty(); }
    explicit operator bool() const noexcept { return valid(); }
};

/// "/age: must be at least 18 (/properties/age/minimum)"
LINKSPAN_DECL std::string to_string(schema_error const& error);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_verdict.ipp>
#endif

#endif
