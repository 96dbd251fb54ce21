#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_HANDLE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_HANDLE_HPP

// BOOST_VERSION comes with it.
#include <boost/asio/any_io_executor.hpp>

// Define LINKSPAN_PROCESS_PIDFD for the whole program to do without Boost.Process. From Boost 1.86 on that is so in any
// case: there Boost.Process is a compiled library, which Debian does not ship.
#if !defined(LINKSPAN_PROCESS_PIDFD) && BOOST_VERSION >= 108600
#define LINKSPAN_PROCESS_PIDFD
#endif

#if defined(LINKSPAN_PROCESS_PIDFD)
#include <linkspan/transport/stdio/child_pidfd_handle.hpp>
#else
#include <linkspan/transport/stdio/child_boost_handle.hpp>
#endif

namespace linkspan {

/// What a `child_stream` holds its child with.
#if defined(LINKSPAN_PROCESS_PIDFD)
using default_process_handle = pidfd_process_handle;
#else
using default_process_handle = boost_process_handle;
#endif

} // namespace linkspan

#endif
