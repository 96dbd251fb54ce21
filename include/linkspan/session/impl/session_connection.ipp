#ifndef LINKSPAN_SESSION_IMPL_SESSION_CONNECTION_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CONNECTION_IPP

#include <linkspan/session/detail/session_connection.hpp>

#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL session_opener::transport_traits session_connection::traits() const
{
    session_opener::transport_traits out;
    out.handshake_on_no_response = transport_->handshake_on_no_response();
    for (auto const& row : protocol_versions)
        out.carried[static_cast<std::size_t>(row.id)] = transport_->supports(row.id);
    return out;
}

} // namespace linkspan::detail

#endif
