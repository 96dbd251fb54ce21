#ifndef LINKSPAN_HTTP_CLIENT_AUTO_HTTP_HPP
#define LINKSPAN_HTTP_CLIENT_AUTO_HTTP_HPP

#include <linkspan/http/client/http_transport.hpp>

namespace linkspan {

/// Talks to a server over HTTP, of whatever protocol version: Streamable HTTP first; where the server refuses the handshake as
/// one of 2024-11-05 does, with 400, 404 or 405, the stream of events of that time.
///
///     hub.add<linkspan::auto_http>("search", {.url = "http://localhost:8080/mcp"});
///
/// Specification: 2025-11-25, basic/transports, "Backwards Compatibility".
using auto_http = http_transport<http_framing::automatic>;

static_assert(Transport<auto_http>);

} // namespace linkspan

#endif
