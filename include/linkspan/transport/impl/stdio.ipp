#ifndef LINKSPAN_TRANSPORT_IMPL_STDIO_IPP
#define LINKSPAN_TRANSPORT_IMPL_STDIO_IPP

// Defines the explicit instantiations that <linkspan/transport/stdio.hpp> declares as extern.

#include <linkspan/transport/stdio.hpp>

namespace linkspan::inline LINKSPAN_ABI {

template class line_connection<child_stream>;
template any_transport any_transport::make<stdio>(asio::any_io_executor const&, stdio_config const&);
template transport_factory via<stdio>(stdio_config);

} // namespace linkspan

#endif
