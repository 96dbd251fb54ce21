#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_USAGE_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_USAGE_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {

/// Resources that a process uses.
struct child_usage {
    std::optional<std::uint64_t> resident_bytes; ///< memory in RAM, in bytes; empty: not available
    std::optional<std::size_t> open_files;       ///< open file descriptors; empty: not available
};

/// Reads the resources of a process from `/proc`.
///
/// The function blocks for the time of a few system calls; the number of file descriptors determines their duration.
/// Both members of the result are empty if the process has terminated, also if it was not reaped yet. A member is empty
/// if the operating system does not permit or support reading it.
///
/// \param pid Process id, at least 1. The process may be any process.
/// \par Thread safety
/// Safe.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL child_usage read_child_usage(std::int64_t pid);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_usage.ipp>
#endif

#endif
