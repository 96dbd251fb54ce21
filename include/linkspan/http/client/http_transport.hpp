#ifndef LINKSPAN_HTTP_CLIENT_HTTP_TRANSPORT_HPP
#define LINKSPAN_HTTP_CLIENT_HTTP_TRANSPORT_HPP

#include <linkspan/http/client/detail/http_connection.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace linkspan {

/// A transport over HTTP/1.1. Connections are kept and shared; any number of requests are under way at once, each in
/// an exchange of its own, which to abandon closes.
///
/// Certainty: a request whose last byte was not accepted is `not_sent`; a status that refuses it is `refused`; an
/// answer that broke off is `unknown` unless the server can resume it, which it is then asked to.
/// Sessions of the handshake protocol versions are kept here: the id, the stream of what the server sends unasked, resumption,
/// and the end. Errors: those of connecting; `stream_ended`; `session_lost`; `malformed_http`; `body_too_long`;
/// `tls_missing`; statuses of `http_category`.
///
/// Specification: 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; 2024-11-05, "HTTP with SSE".
template<http_framing Framing>
class http_transport {
public:
    using role = transport_role;
    using config_type = http_config;
    using executor_type = asio::any_io_executor;
    static constexpr std::string_view kind = kind_of(Framing);
    static constexpr bool silence_is_legacy = false;
    static constexpr bool mirrors_arguments = Framing != http_framing::sse;

    /// Throws `std::invalid_argument` when an address, a header or a limit cannot work; says which, and no value.
    static void check(http_config const& config) { detail::http_connection::check(config); }

    /// The values of its headers and proofs.
    static redactor secrets(http_config const& config) { return detail::http_connection::secrets(config); }

    http_transport(executor_type executor, http_config const& config)
        : connection_(std::make_shared<detail::http_connection>(std::move(executor), config, Framing))
    {}

    http_transport(http_transport&&) noexcept = default;
    http_transport& operator=(http_transport&&) = delete;

    ~http_transport()
    {
        if (connection_)
            connection_->close();
    }

    executor_type get_executor() const noexcept { return connection_->executor(); }
    std::size_t queued_bytes() const noexcept { return connection_->queued_bytes(); }
    std::string diagnostics() const { return connection_->diagnostics(); }

    bool supports(protocol_version id) const noexcept
    {
        return Framing != http_framing::sse || traits_of(id).opening == era::handshake;
    }

    /// Completion signature: `void(error_code)`. Errors: `tls_missing`; with `legacy_sse` all that the opening of the
    /// stream may end with. Cancellation: by `close`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_open(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_open{connection_}, token);
    }

    /// Completion signature: `void(error_code, span<inbound const>)`.
    /// Errors: `operation_aborted` after `close`; with `legacy_sse` those by which its stream ended.
    /// Cancellation: by `close`.
    template<asio::completion_token_for<void(error_code, std::span<inbound const>)> Token = asio::deferred_t>
    auto async_receive(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, std::span<inbound const>)>(initiate_receive{connection_},
                                                                                       token);
    }

    /// Ends the session with the server, if there is one, within `http_config::shutdown_timeout`; then closes.
    ///
    /// Completion signature: `void(error_code)`. Errors: none. Cancellation: by `close`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_shutdown(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_shutdown{connection_}, token);
    }

    void send(outbound const& message) noexcept { connection_->send(message); }
    abandon_result abandon(request_id id) noexcept { return connection_->abandon(id); }
    void close() noexcept { connection_->close(); }

private:
    struct initiate_open {
        std::shared_ptr<detail::http_connection> connection;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            connection->open({std::forward<Handler>(handler), connection->executor()});
        }
    };

    struct initiate_receive {
        std::shared_ptr<detail::http_connection> connection;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            connection->receive({std::forward<Handler>(handler), connection->executor()});
        }
    };

    struct initiate_shutdown {
        std::shared_ptr<detail::http_connection> connection;

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            connection->shutdown({std::forward<Handler>(handler), connection->executor()});
        }
    };

    std::shared_ptr<detail::http_connection> connection_;
};

} // namespace linkspan

#endif
