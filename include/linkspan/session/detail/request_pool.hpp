#ifndef LINKSPAN_SESSION_DETAIL_REQUEST_POOL_HPP
#define LINKSPAN_SESSION_DETAIL_REQUEST_POOL_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_core;
class session_request;

using session_pointer = std::shared_ptr<session_core>;

// Request objects of a session that are not in use. They are reused with their memory, so that a request does not
// allocate.
//
// Invariant: `free_` has capacity for all objects that `take` has made, so that `put` does not fail.
class request_pool {
public:
    LINKSPAN_DECL request_pool() noexcept;
    LINKSPAN_DECL ~request_pool();

    // Returns an unused object; makes one if there is none.
    LINKSPAN_DECL std::unique_ptr<session_request> take();

    LINKSPAN_DECL void put(std::unique_ptr<session_request> request) noexcept;

private:
    std::vector<std::unique_ptr<session_request>> free_; // removed by take(), added by put()
    std::size_t made_ = 0;                               // number of objects made by take(); never decremented
};

// Deleter that returns a request object to the pool of its session. The handler and the options of the request are
// destroyed after that, because their destructors may start another request.
struct request_deleter {
    session_pointer session; // null in a moved-from pointer

    LINKSPAN_DECL void operator()(session_request* request) const noexcept;
};
using request_pointer = std::unique_ptr<session_request, request_deleter>;

} // namespace linkspan::detail

// The bodies are in <linkspan/session/impl/session_request.ipp>, because they need the class `session_request`.

#endif
