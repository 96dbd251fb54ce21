#ifndef LINKSPAN_HTTP_HTTP_CONFIG_HPP
#define LINKSPAN_HTTP_HTTP_CONFIG_HPP

#include <linkspan/auth/http_auth.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

class dialer;

/// Contents of the certificate that a server presented.
struct certificate {
    std::string subject;    ///< distinguished name of the server, for example "CN=example.com"
    std::string issuer;     ///< distinguished name of the authority
    std::string not_before; ///< start of the validity in the format of OpenSSL, for example "Nov 21 12:00:00 2026 GMT"
    std::string not_after;  ///< end of the validity, in the same format
    std::string protocol;   ///< version of TLS, for example "TLSv1.3"

    /// Compares all members.
    LINKSPAN_DECL bool operator==(certificate const& other) const;
};

/// Called with the certificate of the server after each successful TLS handshake, on the executor of the connection.
using certificate_handler = std::function<void(certificate const&)>;

/// Factory of a dialer that adds a layer to the connections of another dialer.
///
/// `linkspan::tls()` of <linkspan/http/tls/tls.hpp> returns the layer for TLS. One layer may be shared by several
/// configurations.
class dialer_layer {
public:
    dialer_layer() = default;
    dialer_layer(dialer_layer const&) = delete;
    dialer_layer& operator=(dialer_layer const&) = delete;
    virtual ~dialer_layer() = default;

    /// Returns a dialer that connects by `below` and adds the layer.
    ///
    /// \param below Makes the connections below the layer; not null.
    /// \param on_certificate Called with the certificate of each connection; may be empty.
    virtual std::shared_ptr<dialer> over(std::shared_ptr<dialer> below, certificate_handler on_certificate) const = 0;
};

/// Variant of the HTTP transport.
enum class http_framing {
    streamable, ///< Streamable HTTP: POST to one URL; since 2025-03-26
    sse,        ///< HTTP+SSE: an event stream from the server, POST to the server; 2024-11-05
    automatic,  ///< `streamable`; `sse` if the server refuses `initialize` as a server of 2024-11-05 does
};

/// Returns the kind of the transport for a framing, as in reports and configurations: "streamable_http", "http_sse"
/// or "http".
constexpr std::string_view kind_of(http_framing framing) noexcept
{
    switch (framing) {
    case http_framing::streamable: return "streamable_http";
    case http_framing::sse: return "http_sse";
    case http_framing::automatic: return "http";
    }
    return "?";
}

/// Redirects that are followed. Only redirects with the statuses 307 and 308 are followed, because they repeat the
/// request unchanged, and at most 5 redirects per request.
enum class redirects {
    none,        ///< no redirect is followed; the status becomes the error of the request
    same_origin, ///< redirects to the scheme, host and port of `http_config::url` are followed
};

/// IP addresses to which connections may be made. The addresses are checked for each connection, after the host name
/// was resolved.
enum class reachable {
    everything,  ///< all addresses
    public_only, ///< only addresses for which `is_public_address` is true; `address_forbidden` if the host has none
};

/// Configuration of a connection to a server over HTTP.
///
/// The type is an aggregate: `{.url = "https://example.com/mcp", .tls = tls()}`. g++ 12 destroys a temporary aggregate
/// twice in an expression with `co_await`: use a named object there, or `of`. `http_transport::check` describes which
/// configurations are invalid.
struct http_config {
    /// Returns a configuration with a URL, and optionally TLS. Safe in a `co_await` expression with g++ 12.
    LINKSPAN_DECL static http_config of(std::string url, std::shared_ptr<dialer_layer const> tls = {});

    /// Absolute URL of the server, for example "https://example.com/mcp". Must not be empty, and must not contain a
    /// user name or a password. If the scheme is https and `tls` is null, the opening fails with `tls_missing`.
    std::string url{};

    /// Additional headers of each request, by name. The transport sets some headers itself (for example Host, Accept,
    /// Content-Type, Mcp-Session-Id), which are not allowed here. The values are redacted in errors and logs.
    std::map<std::string, std::string> headers{};

    /// Credentials that are sent with each request. Default: none.
    http_auth auth{};

    /// TLS layer for URLs with the scheme https, for example `linkspan::tls()`. Null: https is not possible.
    std::shared_ptr<dialer_layer const> tls{};

    /// Called with the certificate of each TLS connection, on the executor of the connection. Empty: not called.
    certificate_handler on_certificate{};

    /// Path of a Unix socket, to which connections are made instead of the host of `url`. Empty: TCP.
    std::string unix_socket{};

    /// URL of an HTTP proxy, for example "http://proxy:3128". The scheme must be http. All connections are tunnelled by
    /// CONNECT, also connections to http URLs. Must not be combined with `unix_socket`. Empty: no proxy.
    std::string proxy{};

    /// Hosts that are reached without the proxy, in the format of NO_PROXY: "localhost,.internal,10.0.0.1", or "*" for
    /// all hosts. Empty: none. See `bypasses_proxy`.
    std::string no_proxy{};

    /// Redirects that are followed. Default: `redirects::same_origin`.
    redirects follow = redirects::same_origin;

    /// IP addresses to which connections may be made. With a proxy, the address of the proxy is checked. The rule does
    /// not apply to Unix sockets and to a custom `dialer`. Default: `reachable::everything`.
    reachable reach = reachable::everything;

    /// Makes the connections below `proxy` and TLS. Null: a dialer for `unix_socket`, or for TCP.
    std::shared_ptr<linkspan::dialer> dialer{};

    /// Maximum number of connections with an outstanding request of a caller; further requests are queued. Requests
    /// that the session itself sends (negotiation, `ping`, subscription, event streams) do not count, and notifications
    /// and responses use at most 8 further connections. At least 1. Default: 64.
    std::size_t max_connections = 64;

    /// Maximum time to make one connection: name resolution, TCP, proxy and TLS. Greater than 0. Default: 10 s.
    duration connect_timeout = std::chrono::seconds(10);

    /// Time after which an unused connection is closed. `duration::max()`: never. Default: 60 s.
    duration idle_timeout = std::chrono::seconds(60);

    /// Maximum time until the HTTP response to an HTTP request without a JSON-RPC request: one that sends a
    /// notification or a response, opens an event stream, or ends the HTTP session. Greater than 0. Default: 10 s.
    duration control_timeout = std::chrono::seconds(10);

    /// Maximum time until the token provider returns a token. Greater than 0. Default: 30 s.
    duration token_timeout = std::chrono::seconds(30);

    /// Maximum time of a shutdown, in which the transport sends DELETE for the HTTP session. 0: the transport does not
    /// wait for the response. Default: 2 s.
    duration shutdown_timeout = std::chrono::seconds(2);

    /// Maximum size of the head of a response, in bytes. A larger head fails the request with `body_too_long`. At least
    /// 1. Default: 64 KiB.
    std::size_t max_head = std::size_t{64} << 10;

    /// Maximum size of a response body that is not an event stream, in bytes. A larger body fails the request with
    /// `body_too_long`. At least 1. Default: 16 MiB.
    std::size_t max_body = std::size_t{16} << 20;

    /// Maximum size of one event of a stream, in bytes. A larger event ends the stream with `body_too_long`. At least
    /// 1. Default: 16 MiB.
    std::size_t max_event = std::size_t{16} << 20;

    /// Pause before an interrupted stream is resumed, if the server specified no pause (`retry`). The pause is doubled
    /// for each consecutive attempt, up to 30 s, and is at least 50 ms. Default: 1 s.
    duration resume_pause = std::chrono::seconds(1);

    /// Maximum number of consecutive attempts, without a new event between them, to resume the stream of a response.
    /// The stream of notifications is resumed without a limit. 0: responses are not resumed. Default: 5.
    unsigned max_resumes = 5;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_config.ipp>
#endif

#endif
