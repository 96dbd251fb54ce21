#ifndef LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP
#define LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP

#include <linkspan/core/detail/config.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Version of the JSON Schema specification that defines the keywords of a schema.
///
/// A schema names its dialect with `$schema`.
enum class schema_dialect {
    /// JSON Schema draft 7 (`http://json-schema.org/draft-07/schema`), which many servers use.
    draft_7,
    /// JSON Schema 2020-12 (`https://json-schema.org/draft/2020-12/schema`), which MCP requires for schemas without
    /// `$schema`.
    draft_2020_12
};

} // namespace linkspan

#endif
