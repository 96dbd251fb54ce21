#ifndef LINKSPAN_HTTP_CLIENT_STREAMABLE_HTTP_HPP
#define LINKSPAN_HTTP_CLIENT_STREAMABLE_HTTP_HPP

#include <linkspan/http/client/http_transport.hpp>
#include <linkspan/transport/any_transport.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Transport over Streamable HTTP, for servers of both eras.
///
///     hub.add<linkspan::streamable_http>("search", {.url = "http://localhost:8080/mcp"});
///
/// \par Specification
/// 2025-03-26 to 2026-07-28, basic/transports, "Streamable HTTP".
using streamable_http = http_transport<http_framing::streamable>;

static_assert(Transport<streamable_http>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template any_transport any_transport::make<streamable_http>(asio::any_io_executor const&, http_config const&);
extern template transport_factory via<streamable_http>(http_config);
#endif

} // namespace linkspan

#endif
