#ifndef LINKSPAN_TRANSPORT_STDIO_HPP
#define LINKSPAN_TRANSPORT_STDIO_HPP

#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/stdio/child_stream.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Transport to a server that runs as a child process and exchanges messages over its standard streams.
///
///     hub.add<linkspan::stdio>("files", {.command = "mcp-server-filesystem", .args = {"/srv"}});
///
/// The configuration is `stdio_config`. `async_open` starts the process. `async_shutdown` closes the stdin of the
/// process. If the process does not terminate, the transport sends SIGTERM after `stdio_config::close_grace`, and
/// SIGKILL after a further `stdio_config::term_grace`. `close` and the destructor kill the process and its process
/// group immediately.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, basic/transports, "stdio".
using stdio = line_connection<child_stream>;

static_assert(Transport<stdio>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template class line_connection<child_stream>;
extern template any_transport any_transport::make<stdio>(asio::any_io_executor const&, stdio_config const&);
extern template transport_factory via<stdio>(stdio_config);
#endif

} // namespace linkspan

#endif
