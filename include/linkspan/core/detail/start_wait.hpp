#ifndef LINKSPAN_CORE_DETAIL_START_WAIT_HPP
#define LINKSPAN_CORE_DETAIL_START_WAIT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/erased_handler.hpp>
#include <linkspan/core/error.hpp>

namespace linkspan::inline LINKSPAN_ABI {

class timer;

namespace detail {

// Calls `waiting.async_wait`, which is compiled once for all handlers.
LINKSPAN_DECL void start_wait(timer& waiting, erased_handler<void(error_code)> handler);

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/start_wait.ipp>
#endif

#endif
