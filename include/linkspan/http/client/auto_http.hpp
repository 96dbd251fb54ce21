#ifndef LINKSPAN_HTTP_CLIENT_AUTO_HTTP_HPP
#define LINKSPAN_HTTP_CLIENT_AUTO_HTTP_HPP

#include <linkspan/http/client/http_transport.hpp>
#include <linkspan/transport/any_transport.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Transport over HTTP for servers of all protocol versions.
///
/// The transport uses Streamable HTTP first. If the server refuses `initialize` with 400, 404 or 405, as a server of
/// 2024-11-05 does, the transport opens the event stream of HTTP+SSE, and repeats `initialize` there. If the event
/// stream cannot be opened, the refusal is the result of `initialize`.
///
///     hub.add<linkspan::auto_http>("search", {.url = "http://localhost:8080/mcp"});
///
/// \par Specification
/// 2025-11-25, basic/transports, "Backwards Compatibility".
using auto_http = http_transport<http_framing::automatic>;

static_assert(Transport<auto_http>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template any_transport any_transport::make<auto_http>(asio::any_io_executor const&, http_config const&);
extern template transport_factory via<auto_http>(http_config);
#endif

} // namespace linkspan

#endif
