#ifndef LINKSPAN_SESSION_DETAIL_WAITING_SUBSCRIBER_HPP
#define LINKSPAN_SESSION_DETAIL_WAITING_SUBSCRIBER_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/detail/request_origin.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Operation `async_subscribe_resource` in the era `stateless`, which waits for the acknowledgement of a request that it
// shares with other operations.
class waiting_subscriber {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    waiting_subscriber(asio::any_io_executor const& executor, time_point now, std::string resource,
                       request_origin origin, handler_type done)
        : uri(std::move(resource)),
          completion(make_cancellable(std::move(done), executor)),
          timeout(executor),
          origin_(std::move(origin)),
          began_(now)
    {}

    // Completes the operation, unless it was cancelled. Must not be called inside the initiating function. `why`:
    // reason of the error, as text for a human reader.
    void complete(time_point now, error_code ec, std::string_view why)
    {
        timeout.cancel();
        completion->complete(ec, ec ? failure(now, ec, why) : origin_.success());
    }

    // Returns the result of a failed operation. The operation has no effect, so that the certainty is `refused`.
    call_result failure(time_point now, error_code ec, std::string_view why) const
    {
        outcome of;
        of.certainty = certainty::refused;
        of.ec = ec;
        of.elapsed = now - began_;
        return origin_.failure(of, why);
    }

    std::string const uri;                                                                   // of the resource
    std::shared_ptr<cancellable_completion<void(error_code, call_result)>> const completion; // of the caller
    timer timeout; // started by the owner, cancelled by `complete`

private:
    request_origin origin_; // this and the next: set by the constructor
    time_point began_;
};

} // namespace linkspan::detail

#endif
