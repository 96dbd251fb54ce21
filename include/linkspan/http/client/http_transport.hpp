#ifndef LINKSPAN_HTTP_CLIENT_HTTP_TRANSPORT_HPP
#define LINKSPAN_HTTP_CLIENT_HTTP_TRANSPORT_HPP

#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/http/client/detail/http_connection.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Transport over HTTP/1.1. The class satisfies the concept `Transport`.
///
/// Connections are kept open and reused. Each request has an HTTP exchange of its own. At most
/// `http_config::max_connections` exchanges of calls are concurrent; further ones are queued. The function `abandon`
/// closes the exchange of a request.
///
/// Delivery certainty: a request whose last byte was not accepted by the connection is `not_sent`. A request that the
/// server refused before the execution, by an HTTP status, is `refused`. If a response is interrupted, the transport
/// first tries to resume it; the request is `unknown` if the response cannot be resumed.
///
/// For servers of the handshake era, the transport maintains the HTTP session (`Mcp-Session-Id`): its id, the stream of
/// notifications, the resumption of streams, and the end of the HTTP session.
///
/// \tparam Framing Variant of HTTP: Streamable HTTP, HTTP+SSE, or automatic selection.
/// \par Errors of requests
/// Errors of the dialer; errors of the socket, such as `asio::error::connection_reset`; `asio::error::timed_out`: no
/// connection within `http_config::connect_timeout`; `attempt_timed_out`: no token within `http_config::token_timeout`;
/// the error of the token provider; `stream_ended`: the response was interrupted; `session_lost`: the server discarded
/// the HTTP session; `malformed_http`: the response is not HTTP/1.1, or has an encoding that was not requested;
/// `malformed_message`: the body of a response with status 200 is not the JSON-RPC response; `body_too_long`: a limit
/// of `http_config` was exceeded; a status of `http_category`: the server refused the request.
/// \par Executor
/// All members are used on the executor that was passed to the constructor.
/// \par Lifetime
/// May be destroyed with outstanding operations, which then complete with `operation_aborted`.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; 2024-11-05, "HTTP with SSE".
template<http_framing Framing>
class http_transport {
public:
    using role = transport_role;                 ///< marks the class as a transport; see `Transport`
    using config_type = http_config;             ///< type of the configuration
    using executor_type = asio::any_io_executor; ///< type of the executor

    /// Name of the transport in reports and configurations.
    static constexpr std::string_view kind = kind_of(Framing);

    /// A missing response to the probe is a failure, and does not indicate a server of the handshake era.
    static constexpr bool handshake_on_no_response = false;

    /// True if the transport sends `outbound::mirrored` as headers, in stateless protocol versions.
    static constexpr bool mirrors_arguments = Framing != http_framing::sse;

    /// Validates a configuration.
    ///
    /// \throws std::invalid_argument if `url` or `proxy` is invalid, the scheme of `proxy` is not http, a header is
    /// invalid or set twice, `token_provider::fetch` is empty, `proxy` and `unix_socket` are both set, a size limit or
    /// `max_connections` is 0, or `connect_timeout`, `control_timeout` or `token_timeout` is not positive. The text
    /// names the member, and contains no value of a header.
    static void check(http_config const& config) { detail::http_connection::check(config); }

    /// Returns a redactor for the secrets of a configuration: credentials, values of headers, and the secrets within
    /// `url` and `proxy`.
    static redactor secrets(http_config const& config) { return detail::http_connection::secrets(config); }

    /// Creates a transport that is not open. Starts no connection.
    ///
    /// \throws std::invalid_argument if `check` throws it.
    http_transport(executor_type executor, http_config const& config)
        : connection_(detail::http_connection::make(std::move(executor), config, Framing))
    {}

    /// Moves the transport. The moved-from object may only be destroyed.
    http_transport(http_transport&&) noexcept = default;
    http_transport& operator=(http_transport&&) = delete;

    /// Closes the transport. Outstanding operations complete with `operation_aborted`.
    ~http_transport()
    {
        if (connection_)
            connection_->close();
    }

    /// Returns the executor that was passed to the constructor.
    executor_type get_executor() const noexcept { return connection_->get_executor(); }

    /// Returns the size of all messages that were passed to `send` and not completely written, in bytes.
    std::size_t queued_bytes() const noexcept { return connection_->queued_bytes(); }

    /// Returns a human-readable text about the last exchange that failed: HTTP method, authority and error. Empty: no
    /// exchange has failed.
    std::string diagnostics() const { return connection_->diagnostics(); }

    /// Returns true if the transport can carry messages of a protocol version. HTTP+SSE carries the versions of
    /// the handshake era only.
    bool supports(protocol_version id) const noexcept
    {
        return Framing != http_framing::sse || traits_of(id).era == era::handshake;
    }

    /// Opens the transport.
    ///
    /// The variant HTTP+SSE opens the event stream and waits for the event `endpoint`. The other variants make no
    /// connection until the first message is sent.
    ///
    /// \par Preconditions
    /// Called once per object.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `tls_missing`: the URL is https, and `http_config::tls` is null. `operation_aborted`: closed. With HTTP+SSE
    /// also: errors of the dialer, the socket and the token provider; `attempt_timed_out`: no event `endpoint` within
    /// `http_config::control_timeout`; `address_forbidden`: the URL in that event has another origin; a status of
    /// `http_category`: the server refused the stream; `malformed_http`: the response is not an event stream;
    /// `stream_ended`: the stream ended.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor complete the operation with `operation_aborted`.
    /// \par Executor
    /// Call on the transport's executor. The handler runs on its associated executor (default: the transport's
    /// executor), never inside the initiating function.
    /// \par Lifetime
    /// The transport may be destroyed during the operation, which closes it.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// 2024-11-05, basic/transports, "HTTP with SSE". The other variants send no message when they are opened.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(
            detail::initiate<&detail::http_connection::open>(connection_), token);
    }

    /// Receives messages, reports and notices.
    ///
    /// \par Preconditions
    /// At most one receive is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::span<inbound const>)`. The span contains all messages, reports and notices since the last
    /// receive, and is empty on error. The span is valid until the next receive is initiated, also after `close`.
    /// \par Errors
    /// `operation_aborted`: closed. With HTTP+SSE also the error by which the event stream ended. Both are
    /// reported after all received messages.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor complete the operation with `operation_aborted`.
    /// \par Executor
    /// Call on the transport's executor. The handler runs on its associated executor (default: the transport's
    /// executor), never inside the initiating function.
    /// \par Lifetime
    /// The transport may be destroyed during the operation, which then completes with `operation_aborted`. When the
    /// execution context ends, the handler is destroyed without being invoked.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; 2024-11-05, "HTTP with SSE".
    template<asio::completion_token_for<void(error_code, std::span<inbound const>)> Token = asio::deferred_t>
    auto async_receive(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::span<inbound const>)>(
            detail::initiate<&detail::http_connection::receive>(connection_), token);
    }

    /// Shuts the transport down gracefully, and closes it.
    ///
    /// If the server assigned a session id, the transport sends DELETE for the HTTP session and waits at most
    /// `http_config::shutdown_timeout` for the response. The result of DELETE is ignored. Several shutdowns may be
    /// outstanding; all of them complete with the first one.
    ///
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// None.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor complete the operation without an error.
    /// \par Executor
    /// Call on the transport's executor. The handler runs on its associated executor (default: the transport's
    /// executor), never inside the initiating function.
    /// \par Lifetime
    /// The transport may be destroyed during the operation, which closes it and completes the operation.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// 2025-11-25, basic/transports, "Session Management".
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(
            detail::initiate<&detail::http_connection::shutdown>(connection_), token);
    }

    /// Sends a message by POST, or queues the message until a connection is available. The function copies the bytes
    /// before it returns. The failure of a request is delivered by `async_receive` as a report. The failure of a
    /// notification or a response is not reported.
    void send(outbound const& message) noexcept { connection_->send(message); }
    /// Closes the exchange of a request, and drops its response. For a stateless server, closing the exchange notifies
    /// the server of the cancellation.
    abandon_result abandon(request_id id) noexcept { return connection_->abandon(id); }
    /// Closes all connections immediately. Idempotent. Outstanding operations complete after `close` has returned:
    /// `async_shutdown` without an error, the others with `operation_aborted`.
    void close() noexcept { connection_->close(); }

private:
    std::shared_ptr<detail::http_connection> connection_;
};

} // namespace linkspan

#endif
