#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVER_LIMITS_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVER_LIMITS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <chrono>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {

/// Limits of the HTTP connections of a server. Each limit applies to one connection, except `max_all_bodies`,
/// `max_bodies_per_address` and `max_all_queued`.
struct http_server_limits {
    /// Maximum size of the head of a request in bytes. A request with a larger head is refused with status 431.
    /// Default: 64 KiB.
    std::size_t max_head = std::size_t{64} << 10;

    /// Maximum size of the body of a request in bytes. A request with a larger body is refused with status 413.
    /// Default: 16 MiB.
    std::size_t max_body = std::size_t{16} << 20;

    /// Maximum number of bytes of the bodies of all connections of an `http_listener` together. Only bodies of more
    /// than 64 KiB count, with the bytes that were received, until the response is complete, or the connection is
    /// closed and the request is not handled any more. A request whose body would exceed the maximum is refused with
    /// status 503 and `Retry-After`, or with 413 if the body alone exceeds it. 0: no limit. Default: 256 MiB.
    std::size_t max_all_bodies = std::size_t{256} << 20;

    /// Maximum number of the bytes that `max_all_bodies` counts, for all connections of one remote IP address, so that
    /// one client cannot use up `max_all_bodies`, also before its authentication. A request whose body would exceed the
    /// maximum is refused as by `max_all_bodies`. IPv6 addresses with the same 64-bit prefix count as one address. Does
    /// not apply to Unix domain sockets. Behind a proxy, all clients have the address of the proxy. 0: no limit.
    /// Default: 64 MiB.
    std::size_t max_bodies_per_address = std::size_t{64} << 20;

    /// Maximum number of bytes that were passed to the connection and not accepted by the peer. If the number exceeds
    /// the maximum, the connection is closed. Default: 64 MiB.
    std::size_t max_queued = std::size_t{64} << 20;

    /// Maximum number of the bytes that `max_queued` counts, for all connections of an `http_listener` together. Only
    /// connections with more than 64 KiB count; bytes that are written together count until the peer has accepted the
    /// last of them. While the number exceeds the maximum, the connection with the most bytes of the remote IP address
    /// with the most bytes is closed, so that many connections of one address do not close those of others. Each
    /// connection over a Unix domain socket counts as an address of its own. 0: no limit. Default: 256 MiB.
    std::size_t max_all_queued = std::size_t{256} << 20;

    /// Maximum time from the start of the connection, or from the end of a response, to the first byte of the next
    /// request. The connection is closed when the time has elapsed. Default: 60 s.
    duration idle_timeout = std::chrono::seconds(60);

    /// Maximum time from the first byte of a request to the end of its head. A slower request is refused with status
    /// 408. Default: 10 s.
    duration head_timeout = std::chrono::seconds(10);

    /// Maximum time from the end of the head to the end of the body. A slower request is refused with status 408.
    /// Default: 30 s.
    duration body_timeout = std::chrono::seconds(30);

    /// Maximum time in which the peer accepts a piece of up to 64 KiB. The connection is closed when the time has
    /// elapsed. Default: 30 s.
    duration write_timeout = std::chrono::seconds(30);

    /// Time without output after which a comment is sent on an event stream, so that proxies keep the connection open.
    /// 0: no comments are sent. Default: 15 s.
    duration comment_every = std::chrono::seconds(15);
};

} // namespace linkspan

#endif
