#ifndef LINKSPAN_SERVER_DETAIL_READ_WAIT_HPP
#define LINKSPAN_SERVER_DETAIL_READ_WAIT_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/server/detail/served_request.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Waits until a slow client has read the bytes that were sent for a request, except a number of them. Carriers report
// no event for this; the object compares the numbers in pauses, which begin with 1 ms and double up to 32 ms.
//
// Owned by the handler that start() posts, and then by the handler of its timer.
//
// Invariant: from start() to the completion of `done_`, one of these handlers is outstanding or executing, unless
// the memory was not sufficient for it.
class read_wait final : public std::enable_shared_from_this<read_wait> {
public:
    using handler_type = pending_handler<void(error_code)>;

    LINKSPAN_DECL read_wait(served_request_pointer request, std::size_t max_bytes, handler_type done);

    LINKSPAN_DECL void start();

private:
    void check();
    void pause();

    served_request_pointer request_; // this and the next four: set by the constructor
    time_source& time_;
    std::size_t max_bytes_;
    std::shared_ptr<cancellable_completion<void(error_code)>> done_;
    timer timer_;
    duration pause_ = std::chrono::milliseconds(1);              // doubled by pause()
    std::size_t last_ = std::numeric_limits<std::size_t>::max(); // number of unread bytes at the last comparison
    time_point since_{};                                         // when the number last decreased
};

} // namespace linkspan::detail

#endif
