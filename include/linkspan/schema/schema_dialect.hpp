#ifndef LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP
#define LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

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

/// Returns whether the validation in a dialect ignores a keyword because only the other dialect defines it.
///
/// \param name Name of the keyword in a schema. The result is false for a name that neither dialect defines.
/// \param dialect Dialect of the schema.
LINKSPAN_DECL bool is_foreign_keyword(std::string_view name, schema_dialect dialect) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/schema_dialect.ipp>
#endif

#endif
