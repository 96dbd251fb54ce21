#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_POINTER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_POINTER_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

class connector_core;
class logical_call;

using core_pointer = std::shared_ptr<connector_core>;

// Deleter that returns a call object to the pool of its connector, started or not.
struct call_deleter {
    core_pointer owner; // null in a moved-from pointer

    LINKSPAN_DECL void operator()(logical_call* call) const noexcept; // defined in impl/logical_call.ipp
};
using call_pointer = std::unique_ptr<logical_call, call_deleter>;

} // namespace linkspan::detail

#endif
