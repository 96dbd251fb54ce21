#ifndef LINKSPAN_CONNECTOR_INTERCEPTOR_HPP
#define LINKSPAN_CONNECTOR_INTERCEPTOR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan {

namespace asio = boost::asio;

/// A call as interceptors see it, and may change it.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct tool_request {
    tool_request() {}

    std::string
        server; ///< the one that is about to get it; empty where that is not chosen yet. To change it is in vain
    std::string tool;
    std::string arguments = "{}"; ///< a JSON object
    call_options options;
};

namespace detail {
struct interceptor_chain;
}

/// What follows an interceptor: the next one, and at last the call. May be called more than once, or not at all.
class next_call {
public:
    next_call(std::shared_ptr<detail::interceptor_chain const> chain, std::size_t at) noexcept
        : chain_(std::move(chain)), at_(at)
    {}

    /// Throws `call_error` when the call fails.
    LINKSPAN_DECL asio::awaitable<call_result> operator()(tool_request request) const;

private:
    std::shared_ptr<detail::interceptor_chain const> chain_;
    std::size_t at_;
};

/// Stands around calls: may change what is asked, answer itself, look at the answer or change it. It runs on the
/// executor of the connector, and is a coroutine:
///
///     hub.add_interceptor([](tool_request request, next_call next) -> asio::awaitable<call_result> {
///         pass_deps(request.options, deps_of_this_user());
///         auto result = co_await next(std::move(request));
///         co_return result;
///     });
///
/// The first one that was added is the outermost. Those of a connector stand around a call as a whole; those of a
/// server (`server_options::interceptors`) around each attempt there. An interceptor that throws ends what it stands
/// around: a `call_error` is the failure that it says, anything else is `interceptor_failed`, and a call that had not
/// gone on by then was not sent.
///
/// Cancellation of the call reaches what an interceptor awaits. The time limit of the call ends what stands around an
/// attempt; what stands around the whole call looks after its own time.
using interceptor = std::function<asio::awaitable<call_result>(tool_request, next_call)>;

namespace detail {

struct interceptor_chain {
    std::vector<interceptor> all;
    std::function<asio::awaitable<call_result>(tool_request)> last;
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/interceptor.ipp>
#endif

#endif
