#ifndef LINKSPAN_SESSION_DETAIL_TIMEOUT_TEXT_HPP
#define LINKSPAN_SESSION_DETAIL_TIMEOUT_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/client/request_op.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns a text with the timeout that completed a request, its duration, and the option that sets it.
//
// Precondition: the scheduler contains the request, so that `due()` is the time of the timeout.
LINKSPAN_DECL std::string timeout_text(request_op const& op);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/timeout_text.ipp>
#endif

#endif
