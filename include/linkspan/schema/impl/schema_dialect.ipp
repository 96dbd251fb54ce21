#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_DIALECT_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_DIALECT_IPP

#include <linkspan/schema/detail/keywords.hpp>
#include <linkspan/schema/schema_dialect.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL bool is_foreign_keyword(std::string_view name, schema_dialect dialect) noexcept
{
    auto const known = detail::find_keyword(name);
    return known && !detail::is_defined(*known, dialect);
}

} // namespace linkspan

#endif
