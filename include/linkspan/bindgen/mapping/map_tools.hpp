#ifndef LINKSPAN_BINDGEN_MAPPING_MAP_TOOLS_HPP
#define LINKSPAN_BINDGEN_MAPPING_MAP_TOOLS_HPP

#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/model/tool.hpp>

#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Result of `map_tools`.
struct tool_mapping_result {
    std::vector<tool_binding> tools; ///< Tools in the order of their names.
    /// Parts of schemas that became free-form JSON, and schemas that are too large to be embedded. The subject is
    /// "tool 'name'"; the pointer begins at the tool, as in "/inputSchema/properties/city". Empty: none.
    std::vector<diagnostic> problems;
};

/// Maps the schemas of tools to C++ types.
///
///     auto const mapped = map_tools(lock.tools);
///     for (auto const& problem : mapped.problems)
///         std::cerr << to_string(problem) << '\n';
///
/// A part of a schema that has no C++ type becomes free-form JSON, and is reported in `problems`. The names of the
/// types of a tool depend on that tool only, unless two names are equal: the later type then receives a number as
/// suffix. Names of tools take precedence over names of other types.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`. Invalid schemas are not reported as exceptions.
LINKSPAN_DECL tool_mapping_result map_tools(std::vector<tool> tools);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/map_tools.ipp>
#endif

#endif
