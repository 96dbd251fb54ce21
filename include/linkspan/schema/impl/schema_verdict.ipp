#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_VERDICT_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_VERDICT_IPP

#include <linkspan/schema/schema_verdict.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(schema_error const& error)
{
    return error.instance + (error.instance.empty() ? "" : ": ") + error.message +
           (error.schema.empty() ? "" : " (" + error.schema + ')');
}

} // namespace linkspan

#endif
