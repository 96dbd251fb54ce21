#ifndef LINKSPAN_HTTP_DETAIL_PUBLIC_ADDRESS_HPP
#define LINKSPAN_HTTP_DETAIL_PUBLIC_ADDRESS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/ip/address.hpp>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Returns true if an address is globally reachable; see `is_public_address`.
LINKSPAN_DECL bool is_public(asio::ip::address const& address) noexcept;

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/public_address.ipp>
#endif

#endif
