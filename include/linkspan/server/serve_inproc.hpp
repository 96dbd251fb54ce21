#ifndef LINKSPAN_SERVER_SERVE_INPROC_HPP
#define LINKSPAN_SERVER_SERVE_INPROC_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/transport/inproc.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns a configuration of the transport `inproc` that connects to a server in the same process.
///
///     linkspan::connector<linkspan::transports<linkspan::inproc>> hub(executor);
///     hub.add<linkspan::inproc>("clock", linkspan::inproc_to(clock));
///
/// \param mcp_server The server, which must outlive the clients. The clients must be constructed with the executor of
/// the server.
/// \par Thread safety
/// Unsafe. The clients must be opened on the executor of the server.
inline inproc_config inproc_to(server& mcp_server)
{
    inproc_config out;
    out.connect = [&mcp_server](asio::any_io_executor const& executor, memory_end const& end) {
        mcp_server.async_serve(any_transport::make<inproc_server>(executor, {end}), {}, [](error_code) {});
        return error_code();
    };
    return out;
}

} // namespace linkspan

#endif
