#ifndef LINKSPAN_TEST_SUPPORT_IDLE_REQUEST_HPP
#define LINKSPAN_TEST_SUPPORT_IDLE_REQUEST_HPP

#include <linkspan/protocol/client/request_op.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI::test {

// A request that ignores its completion.
struct idle_request : request_op {
    void on_done(reply const&) override {}
    void on_dropped() noexcept override {}
};

// Such a request that was started at this time, with the default timeouts.
struct started_request : idle_request {
    explicit started_request(time_point now)
    {
        began = now;
        idle_timeout = std::chrono::seconds(30);
        attempt_timeout = std::chrono::seconds(300);
    }
};

} // namespace linkspan::test

#endif
