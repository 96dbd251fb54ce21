#ifndef LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP
#define LINKSPAN_SCHEMA_SCHEMA_DIALECT_HPP

namespace linkspan {

/// Which JSON Schema. MCP means 2020-12 where a schema does not say; servers say draft 7 often.
enum class schema_dialect { draft_7, draft_2020_12 };

} // namespace linkspan

#endif
