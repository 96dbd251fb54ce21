#ifndef LINKSPAN_SESSION_DETAIL_REQUEST_POINTER_HPP
#define LINKSPAN_SESSION_DETAIL_REQUEST_POINTER_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_core;
class session_request;

using session_pointer = std::shared_ptr<session_core>;

// Deleter that returns a request object to the pool of its session. The handler and the options of the request are
// destroyed after that, because their destructors may start another request.
struct request_deleter {
    session_pointer session; // null in a moved-from pointer

    LINKSPAN_DECL void operator()(session_request* request) const noexcept; // defined in impl/session_request.ipp
};
using request_pointer = std::unique_ptr<session_request, request_deleter>;

} // namespace linkspan::detail

#endif
