#ifndef LINKSPAN_SCHEMA_SCHEMA_OPTIONS_HPP
#define LINKSPAN_SCHEMA_SCHEMA_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/schema_dialect.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace linkspan {

struct schema_options {
    /// Of schemas that name none with `$schema`.
    schema_dialect dialect = schema_dialect::draft_2020_12;

    /// What a schema may refer to, by URI, as meta-schemas. Nothing is ever fetched.
    std::map<std::string, boost::json::value, std::less<>> documents{};

    /// Otherwise a pattern that cannot be matched in linear time is left out, with a warning.
    bool refuses_unsupported_patterns = false;

    /// Schemas in each other while a value is checked, and in the text of a schema. It bounds the stack: 512 take less
    /// than 512 KiB where the optimiser is on.
    std::size_t max_depth = 512;

    /// For one value: schemas that are applied, values that are compared, states of patterns, and texts by 64 bytes;
    /// bounds the time. 10 million take some tenths of a second.
    std::size_t max_steps = 10'000'000;

    /// of one verdict
    std::size_t max_errors = 32;

    /// For one schema: about the bytes that it becomes, and that are written on the way; bounds the memory and the time
    /// of compiling. One that needs more is refused. Those of real tools need 1 to 10 times the bytes of their text.
    std::size_t max_compiled_size = std::size_t{1} << 26;
};

/// Something in a schema that is wrong, or that is not checked.
struct schema_problem {
    enum class severity { warning, error };

    severity how = severity::error;
    std::string schema; ///< where, as a JSON Pointer (RFC 6901); in another document: behind its URI and a '#'
    std::string message;
};

/// "/properties/age/minimum: ..."
LINKSPAN_DECL std::string to_string(schema_problem const& problem);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_options.ipp>
#endif

#endif
