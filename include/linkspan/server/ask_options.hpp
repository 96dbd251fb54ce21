#ifndef LINKSPAN_SERVER_ASK_OPTIONS_HPP
#define LINKSPAN_SERVER_ASK_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_options.hpp>

#include <functional>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of a request to the client (`server_request::async_ask`).
///
/// \par Thread safety
/// Distinct objects: safe.
// Not an aggregate: g++ 12 miscompiles a temporary aggregate in a co_await expression.
struct ask_options {
    /// Constructs options that are all empty.
    ask_options() {}

    /// Called for each progress notification of the client about the request, on the executor of the server, until the
    /// operation completes. The function must not throw. In the era `stateless`, clients send no progress. Empty: the
    /// request has no progress token.
    std::function<void(progress_update const&)> on_progress;
};

} // namespace linkspan

#endif
