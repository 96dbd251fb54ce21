#ifndef LINKSPAN_HTTP_CLIENT_HTTP_SSE_HPP
#define LINKSPAN_HTTP_CLIENT_HTTP_SSE_HPP

#include <linkspan/http/client/http_transport.hpp>
#include <linkspan/transport/any_transport.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Transport for servers of 2024-11-05, which send messages on an event stream and receive messages by POST.
///
/// The URL for POST is given by the event `endpoint` of the server. A URL of another origin fails the opening with
/// `address_forbidden`. The end of the event stream is the end of the connection.
///
///     linkspan::session old(executor, linkspan::via<linkspan::http_sse>({.url = "http://localhost:8080/sse"}));
///
/// \par Specification
/// 2024-11-05, basic/transports, "HTTP with SSE".
using http_sse = http_transport<http_framing::sse>;

static_assert(Transport<http_sse>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template any_transport any_transport::make<http_sse>(asio::any_io_executor const&, http_config const&);
extern template transport_factory via<http_sse>(http_config);
#endif

} // namespace linkspan

#endif
