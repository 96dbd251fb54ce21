#ifndef LINKSPAN_HTTP_HTTP_DIALERS_HPP
#define LINKSPAN_HTTP_HTTP_DIALERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_url.hpp>

#include <memory>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns true if a host is to be reached without a proxy.
///
/// \param list Host names and IP addresses, separated by commas, as in the environment variable NO_PROXY. A name
/// matches itself and all its subdomains, with or without a leading dot. "*" matches every host. Case is ignored.
/// \param host A host name, or an IP address without brackets.
LINKSPAN_DECL bool bypasses_proxy(std::string_view list, std::string_view host) noexcept;

/// Returns true if an IP address is globally reachable.
///
/// The result is false for loopback, private, link-local, shared (carrier-grade NAT), documentation, benchmark,
/// multicast, reserved and unspecified addresses. For an IPv6 address that embeds an IPv4 address (mapped, NAT64,
/// 6to4), the result is that for the IPv4 address.
///
/// \param address An IPv4 or IPv6 address as text. For any other text, the result is false.
/// \par Specification
/// RFC 6890, and the IANA registries of special-purpose addresses.
LINKSPAN_DECL bool is_public_address(std::string_view address) noexcept;

/// Returns a dialer for TCP.
///
/// The addresses of a host name are attempted in the order of the resolver. Each further address is attempted 250 ms
/// after the previous one, or as soon as an attempt has failed. The first connection that succeeds is used. Sockets
/// have `TCP_NODELAY` and `FD_CLOEXEC`.
///
/// \param rule Addresses that are allowed. Other addresses are skipped.
/// \par Errors
/// `address_forbidden`: `rule` allows no address of the host. Errors of the resolver. Errors of the operating system:
/// the first failure, if no connection succeeded. `operation_aborted`: the handle of the operation was destroyed.
/// \par Specification
/// RFC 8305, section 5.
LINKSPAN_DECL std::shared_ptr<dialer> make_tcp_dialer(reachable rule = reachable::everything);

/// Returns a dialer for a Unix domain socket. The dialer ignores the target.
///
/// \param path Path of the socket.
/// \par Errors
/// `asio::error::name_too_long`: the path does not fit into a socket address. Errors of the operating system.
/// `operation_aborted`: the handle of the operation was destroyed.
LINKSPAN_DECL std::shared_ptr<dialer> make_unix_dialer(std::string path);

/// Returns a dialer that connects through an HTTP proxy by CONNECT.
///
/// \param below Makes the connections to the proxy; not null.
/// \param proxy URL of the proxy; only host and port are used.
/// \par Errors
/// Errors of `below`. A status of `proxy_category`: the proxy refused the tunnel. `malformed_http`: the response of the
/// proxy is not HTTP/1.1. `body_too_long`: the head of that response exceeds 64 KiB. `stream_ended`: the proxy closed
/// the connection.
/// \par Specification
/// RFC 9110, section 9.3.6.
LINKSPAN_DECL std::shared_ptr<dialer> make_proxy_dialer(std::shared_ptr<dialer> below, http_url proxy);

/// Returns the dialer for a configuration. The dialer connects by `http_config::dialer`, by `unix_socket` or by TCP,
/// then through the proxy, then with TLS.
///
/// \param config Configuration of the connection.
/// \param to URL of the server. TLS is used if its scheme is `https` and `http_config::tls` is not null. Its host
/// determines whether the proxy is used.
LINKSPAN_DECL std::shared_ptr<dialer> make_dialer(http_config const& config, http_url const& to);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_dialers.ipp>
#endif

#endif
