#ifndef LINKSPAN_TEST_IMPL_CASE_IPP
#define LINKSPAN_TEST_IMPL_CASE_IPP

#include <linkspan/test/case.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Operations that do not belong to a server, for example on a channel, are not in the list.
inline std::string report_leaks(world const& here)
{
    std::string out = "test case completed with outstanding operations or pending waits";
    for (auto const& leak : here.leaks())
        (out += "\n  ") += leak;
    return out;
}

LINKSPAN_DECL void run_case(world& here, asio::awaitable<void> body, duration within)
{
    here.await(std::move(body), within);
    here.time.run_for(duration::zero());
    here.context.restart();
    here.context.poll();
    if (!here.context.stopped() || here.time.pending() != 0)
        throw leaked(report_leaks(here));
}

} // namespace linkspan::test::detail

#endif
