#ifndef LINKSPAN_SCHEMA_DETAIL_COMPILE_SCHEMA_HPP
#define LINKSPAN_SCHEMA_DETAIL_COMPILE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/schema/detail/compiled_schema.hpp>
#include <linkspan/schema/schema_options.hpp>

#include <boost/json/value.hpp>

#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Compiles a schema and appends its problems to `problems`. Returns null if one of them is an error.
LINKSPAN_DECL std::shared_ptr<compiled_schema const>
compile_schema(boost::json::value const& schema, schema_options const& options, std::vector<diagnostic>& problems);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/compile_schema.ipp>
#endif

#endif
