#ifndef LINKSPAN_TEST_IMPL_CASE_IPP
#define LINKSPAN_TEST_IMPL_CASE_IPP

#include <linkspan/test/case.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void run_case(world& here, asio::awaitable<void> body, duration within)
{
    here.await(std::move(body), within);
    here.time.run_for(duration::zero());
    here.context.restart();
    here.context.poll();
    if (!here.context.stopped() || here.time.pending() != 0)
        throw leaked("test case completed with outstanding operations or pending waits");
}

} // namespace linkspan::test::detail

#endif
