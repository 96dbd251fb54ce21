#ifndef LINKSPAN_HTTP_TLS_TLS_HPP
#define LINKSPAN_HTTP_TLS_TLS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/http_url.hpp>

#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Configuration of TLS. By default, the certificate of the server and its name are verified.
///
///     auto layer = linkspan::tls({.ca_file = "/etc/acme/ca.pem"});
struct tls_config {
    /// True if the certificate authorities of the operating system (the default paths of OpenSSL) are trusted.
    bool system_roots = true;

    /// Path of a PEM file with additional certificate authorities. Empty: none.
    std::string ca_file{};
    /// PEM text of additional certificate authorities. Empty: none.
    std::string ca_pem{};

    /// Path of a PEM file with the certificate chain of the client. Must be set if `key_file` is set. Empty: the client
    /// presents no certificate.
    std::string certificate_file{};
    /// Path of a PEM file with the private key of the client. Must be set if `certificate_file` is set. Empty: no key.
    std::string key_file{};

    /// Name or IP address that the certificate must have. A name is also sent as server name indication. Empty: the
    /// host of the URL.
    std::string server_name{};

    /// True if every certificate is accepted. An attacker on the network path can then read and modify all messages.
    /// For tests only.
    bool trust_any_certificate_without_verification = false;
};

/// Returns the category of certificate verification errors, named "linkspan.tls". The values are the constants
/// `X509_V_ERR_...` of OpenSSL, for example 10 for an expired certificate.
LINKSPAN_DECL error_category const& tls_category() noexcept;

/// Returns a layer for `http_config::tls` that adds TLS 1.2 or 1.3 to connections. One layer may be used by many
/// configurations.
///
///     hub.add<linkspan::auto_http>("search", {.url = "https://search.example/mcp", .tls = linkspan::tls()});
///
/// \throws boost::system::system_error if a file cannot be read, or contains no certificate or no key.
/// \throws std::invalid_argument if only one of `certificate_file` and `key_file` is set.
/// \par Errors of connections
/// A code of `tls_category`: the certificate is not trusted. Errors of OpenSSL: the handshake failed. `stream_ended`:
/// the server closed the connection during the handshake. `asio::error::invalid_argument`: the server name is not
/// valid. Errors of the dialer below.
LINKSPAN_DECL std::shared_ptr<dialer_layer const> tls(tls_config const& config = {});

/// Transport over HTTP with TLS by default: if the URL is https and `http_config::tls` is null, `tls()` is used.
///
/// \tparam T A transport over HTTP: `auto_http`, `streamable_http` or `http_sse`.
template<class T>
class with_tls : public T {
public:
    /// Creates a transport that is not open.
    ///
    /// \throws std::invalid_argument if the configuration is invalid.
    with_tls(asio::any_io_executor executor, http_config const& config) : T(std::move(executor), secured(config)) {}

private:
    static http_config secured(http_config config)
    {
        if (auto const url = read_http_url(config.url); !config.tls && url && url->is_secure)
            config.tls = tls();
        return config;
    }
};

/// Transport over http and https, for servers of all protocol versions.
///
///     linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::https>> hub(executor);
using https = with_tls<auto_http>;

static_assert(Transport<https>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template any_transport any_transport::make<https>(asio::any_io_executor const&, http_config const&);
extern template transport_factory via<https>(http_config);
#endif

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/tls/impl/tls.ipp>
#endif

#endif
