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

namespace linkspan {

class dialer;

/// What the certificate of a server says.
struct certificate {
    std::string subject; ///< "CN=example.com"
    std::string issuer;
    std::string not_before, not_after; ///< as OpenSSL writes them, in GMT: "Nov 21 12:00:00 2026 GMT"
    std::string protocol;              ///< "TLSv1.3"

    bool operator==(certificate const&) const = default;
};

/// Is told the certificate of the server of each connection that was made.
using certificate_handler = std::function<void(certificate const&)>;

/// Puts a layer over connections: `linkspan::tls()` of <linkspan/http/tls/tls.hpp> makes one that speaks TLS.
class dialer_layer {
public:
    dialer_layer() = default;
    dialer_layer(dialer_layer const&) = delete;
    dialer_layer& operator=(dialer_layer const&) = delete;
    virtual ~dialer_layer() = default;

    virtual std::shared_ptr<dialer> over(std::shared_ptr<dialer> below, certificate_handler on_certificate) const = 0;
};

/// How messages travel over HTTP.
enum class http_framing {
    streamable, ///< POST to one address; since 2025-03-26
    sse,        ///< a stream of events one way, POST the other; 2024-11-05
    automatic,  ///< `streamable`, or `sse` where the server refuses the handshake as one of that time does
};

/// The transport that is made for a framing, by its kind.
constexpr std::string_view kind_of(http_framing framing) noexcept
{
    switch (framing) {
    case http_framing::streamable: return "streamable_http";
    case http_framing::sse: return "legacy_sse";
    case http_framing::automatic: return "http";
    }
    return "?";
}

/// Which redirects are followed. Only 307 and 308, which repeat the request as it is.
enum class redirects {
    none,
    same_origin, ///< the same scheme, host and port
};

/// Which addresses may be connected to. They are checked when the name of the host is resolved, for each connection.
enum class reachable {
    everything,
    public_only, ///< no loopback, private, link-local, shared, multicast or unspecified address
};

/// How to reach a server over HTTP.
///
/// An aggregate, for `{.url = "https://example.com/mcp", .tls = tls()}`. g++ 12 destroys a temporary of it twice in an
/// expression with `co_await`, whatever its members: name it before, or take `of`.
struct http_config {
    /// Returns the configuration of an address; safe in a `co_await` expression.
    static http_config of(std::string url, std::shared_ptr<dialer_layer const> tls = {})
    {
        http_config out;
        out.url = std::move(url);
        out.tls = std::move(tls);
        return out;
    }

    /// "https://example.com/mcp"; https needs `tls`. No name, no password.
    std::string url{};

    /// More headers for each request. Values never appear in an error or a log.
    std::map<std::string, std::string> headers{};

    http_auth auth{};

    /// For https: `linkspan::tls()`.
    std::shared_ptr<dialer_layer const> tls{};

    /// Called on the executor of the connection.
    certificate_handler on_certificate{};

    /// Path of a Unix socket to connect to, whatever host the address names; empty: TCP.
    std::string unix_socket{};

    /// "http://proxy:3128": connections are made through it, by CONNECT. Empty: none.
    std::string proxy{};

    /// Hosts that are reached without the proxy, as in NO_PROXY: "localhost,.internal,10.0.0.1", or "*".
    std::string no_proxy{};

    redirects follow = redirects::same_origin;
    reachable reach = reachable::everything;

    /// Makes the connections below TLS; null: `unix_socket`, `proxy` and TCP as above.
    std::shared_ptr<linkspan::dialer> dialer{};

    /// Connections that have a request of ours under way; more requests wait. What keeps the conversation going has
    /// connections of its own.
    std::size_t max_connections = 64;

    /// From the beginning until a connection can be used: resolution, TCP, proxy, TLS.
    duration connect_timeout = std::chrono::seconds(10);

    /// A connection that has not been used for so long is closed.
    duration idle_timeout = std::chrono::seconds(60);

    /// Until the answer to what is no request of ours: a notification, the opening of a stream, the end of the session.
    duration control_timeout = std::chrono::seconds(10);

    /// Until the token provider answers.
    duration token_timeout = std::chrono::seconds(30);

    /// In a shutdown: until the server has answered the end of the session.
    duration shutdown_timeout = std::chrono::seconds(2);

    /// bytes; a longer head, body or event of an answer ends its request.
    std::size_t max_head = std::size_t{64} << 10;
    std::size_t max_body = std::size_t{16} << 20;
    std::size_t max_event = std::size_t{16} << 20;

    /// Before a stream that broke off is resumed, where the server names no time; doubled each time, to 30 s at most.
    duration resume_pause = std::chrono::seconds(1);

    /// How often in a row an answer is asked for again without a new event.
    unsigned max_resumes = 5;
};

} // namespace linkspan

#endif
