#ifndef LINKSPAN_CORE_DETAIL_PENDING_DISPATCH_HPP
#define LINKSPAN_CORE_DETAIL_PENDING_DISPATCH_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

// Declares the instantiations of `dispatch_pending` that both sessions and connectors use. The body of
// `session_calls.hpp` defines them.

#if defined(LINKSPAN_SEPARATE_COMPILATION)
namespace linkspan::inline LINKSPAN_ABI::detail {

extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code>*, error_code);
extern template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, call_result>*, error_code,
                                      call_result);

} // namespace linkspan::detail
#endif

#endif
