#ifndef LINKSPAN_HTTP_TLS_TLS_HPP
#define LINKSPAN_HTTP_TLS_TLS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/http_url.hpp>

#include <memory>
#include <string>
#include <utility>

namespace linkspan {

/// How TLS is spoken. A server's certificate is verified, with its name, unless the caller says otherwise.
struct tls_config {
    /// The authorities that the system trusts are trusted.
    bool system_roots = true;

    /// More authorities, as files of PEM, or as PEM text.
    std::string ca_file{}, ca_pem{};

    /// Our own certificate, with its chain, and its key, as files of PEM; empty: none.
    std::string certificate_file{}, key_file{};

    /// The name that the certificate must have, and that the server is told; empty: the host of the address.
    std::string server_name{};

    /// Whoever answers is taken for the server. Anybody on the way can read and change everything.
    bool trust_any_certificate_without_verification = false;
};

/// The category of the reasons why a certificate is not trusted, named "linkspan.tls". Its values are OpenSSL's
/// X509_V_ERR_..., as 10 for one that has expired.
LINKSPAN_DECL error_category const& tls_category() noexcept;

/// TLS 1.2 and 1.3 over connections: `http_config::tls`. One may serve many configurations.
///
///     hub.add<linkspan::auto_http>("search", {.url = "https://search.example/mcp", .tls = linkspan::tls()});
///
/// Throws `boost::system::system_error` when a file cannot be read, or holds no certificate or key, and
/// `std::invalid_argument` when our certificate has no key, or the key no certificate.
/// Errors of connections: those of `tls_category` when the certificate is not trusted; those of OpenSSL;
/// `stream_ended` when the server leaves in the middle of the handshake.
/// Thread safety: safe once made.
LINKSPAN_DECL std::shared_ptr<dialer_layer const> tls(tls_config const& config = {});

/// A transport over HTTP that can speak TLS without being told how: `http_config::tls` is `tls()` unless it is set.
template<class T>
class with_tls : public T {
public:
    with_tls(asio::any_io_executor executor, http_config const& config) : T(std::move(executor), secured(config)) {}

private:
    static http_config secured(http_config config)
    {
        if (auto const url = read_http_url(config.url); !config.tls && url && url->is_secure)
            config.tls = tls();
        return config;
    }
};

/// `http` and https, of whatever protocol version.
///
///     linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::https>> hub(executor);
using https = with_tls<auto_http>;

static_assert(Transport<https>);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/tls/impl/tls.ipp>
#endif

#endif
