#ifndef LINKSPAN_CONNECTOR_DETAIL_INTERCEPTED_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_INTERCEPTED_CALL_HPP

#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Runs the interceptors of the connector around a prepared call. Each invocation of `interceptor_chain::last` starts a
// separate call, with the request that the interceptors pass and the restrictions of `call` to servers and names.
LINKSPAN_DECL void start_intercepted(call_pointer call, pending_handler<void(error_code, call_result)> handler);

} // namespace linkspan::detail

// The function bodies require `call_runner`: <linkspan/connector/detail/call_runner.hpp> includes them.

#endif
