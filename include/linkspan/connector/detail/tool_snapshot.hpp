#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_SNAPSHOT_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_SNAPSHOT_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <memory>
#include <span>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// List of the tools of one server; null: no tools. Immutable, so that the server can list its tools again while a
// catalog is constructed from the list.
using tool_snapshot = std::shared_ptr<std::vector<catalog_entry> const>;

inline std::span<catalog_entry const> entries_in(tool_snapshot const& list) noexcept
{
    return list ? std::span<catalog_entry const>(*list) : std::span<catalog_entry const>();
}

} // namespace linkspan::detail

#endif
