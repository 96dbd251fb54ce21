#ifndef LINKSPAN_HTTP_CLIENT_IMPL_LEGACY_SSE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_LEGACY_SSE_IPP

// Defines the explicit instantiation that <linkspan/http/client/legacy_sse.hpp> declares as extern.

#include <linkspan/http/client/legacy_sse.hpp>

namespace linkspan::inline LINKSPAN_ABI {

template any_transport any_transport::make<legacy_sse>(asio::any_io_executor const&, http_config const&);
template transport_factory via<legacy_sse>(http_config);

} // namespace linkspan

#endif
