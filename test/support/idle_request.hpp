#ifndef LINKSPAN_TEST_SUPPORT_IDLE_REQUEST_HPP
#define LINKSPAN_TEST_SUPPORT_IDLE_REQUEST_HPP

#include <linkspan/protocol/client/request_op.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// A request that ignores its completion.
struct idle_request final : request_op {
    void on_done(reply const&) override {}
    void on_dropped() noexcept override {}
};

} // namespace linkspan::test

#endif
