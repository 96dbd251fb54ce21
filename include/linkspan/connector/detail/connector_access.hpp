#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_ACCESS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_ACCESS_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Grants access to the state of a connector.
struct connector_access {
    static core_pointer const& core(connector_base const& of) noexcept { return of.core_; }
};

} // namespace linkspan::detail

#endif
