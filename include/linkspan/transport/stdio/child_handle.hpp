#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_HANDLE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_HANDLE_HPP

// This header also defines BOOST_VERSION.
#include <boost/asio/any_io_executor.hpp>

// A user may define LINKSPAN_PROCESS_PIDFD for the whole program to avoid Boost.Process. From Boost 1.86 on the macro
// is always defined, because Boost.Process v2 is a compiled library there, which Debian does not package.
#if !defined(LINKSPAN_PROCESS_PIDFD) && BOOST_VERSION >= 108600
#define LINKSPAN_PROCESS_PIDFD
#endif

#if defined(LINKSPAN_PROCESS_PIDFD)
#include <linkspan/transport/stdio/child_pidfd_handle.hpp>
#else
#include <linkspan/transport/stdio/child_boost_handle.hpp>
#endif

namespace linkspan::inline LINKSPAN_ABI {

/// Process handle that `child_stream` uses: `pidfd_process_handle` if `LINKSPAN_PROCESS_PIDFD` is defined or Boost is
/// 1.86 or later, else `boost_process_handle`.
#if defined(LINKSPAN_PROCESS_PIDFD)
using default_process_handle = pidfd_process_handle;
#else
using default_process_handle = boost_process_handle;
#endif

} // namespace linkspan

#endif
