#ifndef LINKSPAN_BINDGEN_MAPPING_MAP_TOOLS_HPP
#define LINKSPAN_BINDGEN_MAPPING_MAP_TOOLS_HPP

#include <linkspan/bindgen/mapping/model.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <vector>

namespace linkspan::bindgen {

struct tool_mapping_result {
    std::vector<tool_binding> tools; ///< by their names
    std::vector<mapping_problem> problems;
};

/// Finds C++ types for the arguments and results of tools. Nothing is thrown, whatever the schemas hold: what has no
/// C++ type becomes free-form JSON, and is among the problems.
///
/// The names of a tool's types depend on that tool alone, unless two would be the same: of those the later one gets a
/// number, tools first.
LINKSPAN_DECL tool_mapping_result map_tools(std::vector<tool> tools);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/map_tools.ipp>
#endif

#endif
