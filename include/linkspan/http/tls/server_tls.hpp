#ifndef LINKSPAN_HTTP_TLS_SERVER_TLS_HPP
#define LINKSPAN_HTTP_TLS_SERVER_TLS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/stream_layer.hpp>

#include <memory>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Configuration of TLS for a server: the certificate that it presents, and those that it requires of clients.
///
///     auto layer = linkspan::server_tls({.certificate_file = "server.pem", .key_file = "server.key"});
struct server_tls_config {
    /// Path of a PEM file with the certificate chain of the server, which begins with its own certificate. Either this
    /// member or `certificate_pem` must be set.
    std::string certificate_file{};
    /// PEM text of the certificate chain of the server. Default: empty, `certificate_file` is used.
    std::string certificate_pem{};

    /// Path of a PEM file with the private key of the server, without encryption. Either this member or `key_pem` must
    /// be set.
    std::string key_file{};
    /// PEM text of the private key of the server. Default: empty, `key_file` is used.
    std::string key_pem{};

    /// Path of a PEM file with certificate authorities. If this member or `client_ca_pem` is set, a client must present
    /// a certificate that one of the authorities has signed; other connections are closed during the handshake.
    /// Default: empty.
    std::string client_ca_file{};
    /// PEM text of certificate authorities of clients, in addition to those of `client_ca_file`. Default: empty.
    std::string client_ca_pem{};
};

/// Returns a layer for `http_endpoint_options::tls` that requires TLS 1.2 or 1.3. The certificate and the key are read
/// by this function, so that a change of the files has no effect on the layer.
///
///     linkspan::http_endpoint_options serving;
///     serving.tls = linkspan::server_tls({.certificate_file = "server.pem", .key_file = "server.key"});
///     linkspan::http_endpoint endpoint(server, serving);
///
/// The handshake is a part of the first read of a connection, so that `http_server_limits::idle_timeout` applies to it.
/// A connection whose handshake fails is closed.
///
/// \throws boost::system::system_error if a file cannot be read, contains no certificate or no key, or if the key does
/// not belong to the certificate. The text names the member of `config`, and not the content.
/// \throws std::invalid_argument if neither or both of a file and its text are set, for the certificate or the key.
/// \par Specification
/// RFC 8446; RFC 7301.
LINKSPAN_DECL std::shared_ptr<stream_layer const> server_tls(server_tls_config const& config);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/tls/impl/server_tls.ipp>
#endif

#endif
