#ifndef LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP
#define LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP

#include <linkspan/bindgen/drift/difference.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Compares the tools of a server at two points in time.
///
/// Schemas are compared by their meaning for the caller: it is no breaking difference if the newer tool accepts more
/// arguments, or if its results have more members. Differences in notation are ignored: the order of keys, a `$ref`
/// instead of its target, `"type":["x"]` instead of `"type":"x"`, and `true` instead of `{}`.
///
///     for (auto const& one : compare_tools(lock.tools, current))
///         std::cout << to_string(one) << '\n';
///
/// The number of comparison steps per schema is limited: a schema that exceeds the limit is reported as `drift::risky`.
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
