#ifndef LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP
#define LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP

#include <linkspan/bindgen/drift/difference.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Compares the tools of a server at two points in time.
///
/// Schemas are compared by their meaning for the caller: arguments may accept more, results may have more members. The
/// order of keys, `$ref` or its target in place, `"type":["x"]` or `"type":"x"`, and `true` or `{}` make no difference.
///
///     for (auto const& one : compare_tools(lock.tools, current))
///         std::cout << to_string(one) << '\n';
///
/// The number of steps per schema is limited: a schema that exceeds it is reported as `drift::risky`.
///
/// \param then Older tools. Of several tools with one name, the first is compared.
/// \param now Newer tools. Of several tools with one name, the first is compared.
/// \returns The differences, in the order of the names of the tools. Empty: none.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::vector<difference> compare_tools(std::vector<tool> const& then, std::vector<tool> const& now);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/drift/impl/drift.ipp>
#endif

#endif
