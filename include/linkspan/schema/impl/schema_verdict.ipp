#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_VERDICT_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_VERDICT_IPP

#include <linkspan/core/diagnostic.hpp>
#include <linkspan/schema/schema_verdict.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(schema_error const& error)
{
    std::string out;
    detail::append_diagnostic(out, {}, error.instance, error.message);
    return error.schema.empty() ? out : out + " (" + error.schema + ')';
}

} // namespace linkspan

#endif
