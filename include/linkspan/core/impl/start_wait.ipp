#ifndef LINKSPAN_CORE_IMPL_START_WAIT_IPP
#define LINKSPAN_CORE_IMPL_START_WAIT_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/time.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void start_wait(timer& waiting, erased_handler<void(error_code)> handler)
{
    waiting.async_wait(std::move(handler));
}

} // namespace linkspan::detail

#endif
