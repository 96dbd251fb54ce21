#ifndef LINKSPAN_SCHEMA_IMPL_SCHEMA_OPTIONS_IPP
#define LINKSPAN_SCHEMA_IMPL_SCHEMA_OPTIONS_IPP

#include <linkspan/schema/schema_options.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(schema_problem const& problem)
{
    return problem.schema + (problem.schema.empty() ? "" : ": ") + problem.message;
}

} // namespace linkspan

#endif
