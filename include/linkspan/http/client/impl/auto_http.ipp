#ifndef LINKSPAN_HTTP_CLIENT_IMPL_AUTO_HTTP_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_AUTO_HTTP_IPP

// Defines the explicit instantiation that <linkspan/http/client/auto_http.hpp> declares as extern.

#include <linkspan/http/client/auto_http.hpp>

namespace linkspan::inline LINKSPAN_ABI {

template any_transport any_transport::make<auto_http>(asio::any_io_executor const&, http_config const&);
template transport_factory via<auto_http>(http_config);

} // namespace linkspan

#endif
