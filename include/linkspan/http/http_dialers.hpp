#ifndef LINKSPAN_HTTP_HTTP_DIALERS_HPP
#define LINKSPAN_HTTP_HTTP_DIALERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_url.hpp>

#include <memory>
#include <string_view>

namespace linkspan {

/// Whether a host is to be reached without a proxy: `list` has names, which stand for what is below them too, and
/// addresses, separated by commas; "*" is everybody.
LINKSPAN_DECL bool bypasses_proxy(std::string_view list, std::string_view host) noexcept;

/// Whether an address, in text, is for everybody to reach: none of a loopback, a private network, a link, a carrier's
/// network, multicast, or none at all; nor an IPv6 address that stands for such an IPv4 one.
///
/// Specification: RFC 6890 and the registries that it made.
LINKSPAN_DECL bool is_public_address(std::string_view address) noexcept;

/// Connects by TCP. All addresses of a name are tried, each a quarter of a second after the one before or when that has
/// failed; the first that answers is used.
///
/// Errors: those of the resolver and of the system; `address_forbidden`.
LINKSPAN_DECL std::shared_ptr<dialer> make_tcp_dialer(reachable rule = reachable::everything);

/// Connects to a Unix socket, whatever the target.
LINKSPAN_DECL std::shared_ptr<dialer> make_unix_dialer(std::string path);

/// Connects to a proxy, and asks it by CONNECT for the target.
///
/// Errors: those of `below`; a status of `proxy_category` when the proxy refuses; `malformed_http`.
/// Specification: RFC 9110, section 9.3.6.
LINKSPAN_DECL std::shared_ptr<dialer> make_proxy_dialer(std::shared_ptr<dialer> below, http_url proxy);

/// What a configuration asks for.
LINKSPAN_DECL std::shared_ptr<dialer> make_dialer(http_config const& config, http_url const& to);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_dialers.ipp>
#endif

#endif
