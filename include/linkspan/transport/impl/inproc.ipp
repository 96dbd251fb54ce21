#ifndef LINKSPAN_TRANSPORT_IMPL_INPROC_IPP
#define LINKSPAN_TRANSPORT_IMPL_INPROC_IPP

// Defines the explicit instantiations that <linkspan/transport/inproc.hpp> declares as extern.

#include <linkspan/transport/inproc.hpp>

namespace linkspan::inline LINKSPAN_ABI {

template class line_connection<memory_stream>;
template any_transport any_transport::make<inproc>(asio::any_io_executor const&, inproc_config const&);
template transport_factory via<inproc>(inproc_config);

} // namespace linkspan

#endif
