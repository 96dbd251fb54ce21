#ifndef LINKSPAN_CONNECTOR_PROCESS_USAGE_HPP
#define LINKSPAN_CONNECTOR_PROCESS_USAGE_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/detail/config.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Adds the memory and the number of open file descriptors of each child process to a state:
/// `server_status::resident_bytes` and `open_files`. Blocks for a few system calls per child process.
///
///     auto state = hub.state();
///     linkspan::add_process_usage(state);
///     std::cout << to_json(state) << '\n';
///
/// The state of a connector does not contain these numbers by itself, because they are read from `/proc` for each child
/// process. The members of servers without a child process, and of a child process that has terminated, are empty. If a
/// child process terminates after the state was read, another process may have received its process id.
///
/// \param state The state, which the function changes.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL void add_process_usage(connector_state& state);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/process_usage.ipp>
#endif

#endif
