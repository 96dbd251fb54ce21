#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_SSE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_SSE_IPP

// Defines the explicit instantiation that <linkspan/http/client/http_sse.hpp> declares as extern.

#include <linkspan/http/client/http_sse.hpp>

namespace linkspan::inline LINKSPAN_ABI {

template any_transport any_transport::make<http_sse>(asio::any_io_executor const&, http_config const&);
template transport_factory via<http_sse>(http_config);

} // namespace linkspan

#endif
