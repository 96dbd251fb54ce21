#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_POINTER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_POINTER_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

class call_operation;
class call_runner;
class connector_core;

using core_pointer = std::shared_ptr<connector_core>;

// Deleter that returns a call object to the pool of its connector, started or not.
struct call_deleter {
    core_pointer owner; // null in a moved-from pointer

    LINKSPAN_DECL void operator()(call_runner* call) const noexcept;    // defined in impl/call_runner.ipp
    LINKSPAN_DECL void operator()(call_operation* call) const noexcept; // defined in impl/call_operation.ipp
};
using call_pointer = std::unique_ptr<call_runner, call_deleter>;

} // namespace linkspan::detail

#endif
