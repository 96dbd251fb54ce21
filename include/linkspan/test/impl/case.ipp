#ifndef LINKSPAN_TEST_IMPL_CASE_IPP
#define LINKSPAN_TEST_IMPL_CASE_IPP

#include <linkspan/test/case.hpp>

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void run_case(world& here, asio::awaitable<void> body, duration within)
{
    bool done = false;
    std::exception_ptr failure;
    asio::co_spawn(here.context, std::move(body), [&](std::exception_ptr thrown) {
        done = true;
        failure = thrown;
    });
    here.time.run_until([&] { return done; }, within);
    if (failure)
        std::rethrow_exception(failure);
    here.time.run_for(duration::zero());
    here.context.restart();
    here.context.poll();
    if (!here.context.stopped() || here.time.pending() != 0)
        throw leaked("test case completed with outstanding operations or pending waits");
}

} // namespace linkspan::test::detail

#endif
