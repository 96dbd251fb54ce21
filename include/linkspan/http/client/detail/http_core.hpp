#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CORE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CORE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/detail/exchange_pool.hpp>
#include <linkspan/http/client/detail/http_client.hpp>
#include <linkspan/http/client/detail/http_connection.hpp>
#include <linkspan/http/client/detail/http_session.hpp>
#include <linkspan/http/client/detail/inbound_queue.hpp>
#include <linkspan/http/client/detail/post_headers.hpp>
#include <linkspan/http/client/detail/server_stream.hpp>
#include <linkspan/http/client/detail/token_source.hpp>
#include <linkspan/http/client/detail/transport_exchange.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/http/http_url.hpp>
#include <linkspan/http/sse.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the parsed URL of a configuration. Throws `std::invalid_argument` if it is invalid.
inline http_url address_of(http_config const& config)
{
    std::string why;
    auto read = read_http_url(config.url, &why);
    if (!read)
        throw std::invalid_argument("linkspan: http_config::url is invalid: " + why);
    return *std::move(read);
}

// State of an HTTP transport: exchanges, HTTP session (`Mcp-Session-Id`), tokens, streams, and messages that wait for a
// receive.
//
// Invariants:
// 1. `by_id_` has one exchange for each request that was passed to `send` and has no result yet; with HTTP+SSE,
//    only until its POST was accepted. Each request has one result, a message or a report, unless `abandon` or `close`
//    is called first.
// 2. An outstanding exchange is in exactly one place: in `held_`, in `token_wait_`, in `client_` or in
//    `pending_handshake_`, or it waits for the end of its `pause`.
// 3. After `close`, no exchange is started, and a receive completes with `operation_aborted` once `inbox_` is empty.
// 4. A closed transport is not opened again.
class http_core final : public http_connection,
                        public transport_exchange::receiver,
                        public std::enable_shared_from_this<http_core> {
public:
    LINKSPAN_DECL http_core(asio::any_io_executor executor, http_config const& config, http_framing framing,
                            redactor secrets);

    // Opens the stream of HTTP+SSE. Streamable HTTP needs no stream, so that the operation completes without I/O.
    LINKSPAN_DECL void open(done_handler done) override;

    // Delivers the items of `inbox_` in a later handler, or the next item when it arrives.
    LINKSPAN_DECL void receive(receive_handler handler) override;

    // Sends a message. A request is held while the response to `notifications/initialized` is outstanding.
    LINKSPAN_DECL void send(outbound const& message) noexcept override;

    // Ends the exchange of a request, which then has no result.
    LINKSPAN_DECL abandon_result abandon(request_id id) noexcept override;

    LINKSPAN_DECL void shutdown(done_handler done) override;
    LINKSPAN_DECL void close() noexcept override;
    LINKSPAN_DECL std::size_t queued_bytes() const noexcept override;
    std::string const& diagnostics() const noexcept override { return diagnostics_; }
    asio::any_io_executor const& get_executor() const noexcept override { return executor_; }

private:
    using exchange_pointer = std::shared_ptr<transport_exchange>;

    struct token_wait {
        std::deque<exchange_pointer> exchanges;
        timer deadline; // runs while a token is requested
    };

    struct shutdown_wait {
        std::vector<done_handler> handlers;
        timer deadline; // runs while `handlers` is not empty
    };

    void complete_later(done_handler done, error_code ec)
    {
        post_handler(executor_, [done = std::move(done), ec]() mutable { done.complete(ec); });
    }

    // Requests and tokens, in http_core.ipp

    exchange_pointer make(http_purpose purpose, std::string_view method);
    exchange_pointer make_stream(http_purpose purpose);
    void launch(exchange_pointer what);
    void compose(transport_exchange& what, std::string_view body);
    bool await_token(exchange_pointer const& what, std::string_view challenge);
    void on_token(error_code ec, access_token token);
    void fail_unsent(transport_exchange& what, error_code ec);
    void forget(transport_exchange const& what);
    void release_responded(std::optional<request_id> id);
    void abandon(exchange_pointer const& what);
    void finish_shutdown();

    // Received items, in http_core.receiving.ipp

    void guard();
    auto receiver_guard();
    void redact_error(std::string& text, envelope& structure) const;
    void push_message(std::string&& text, envelope structure, request_id of, certainty max_certainty,
                      std::vector<envelope> elements = {});
    void push_verdict(transport_exchange& what, http_verdict const& verdict);
    void push_notice(transport_exchange const& what, inbound_notice::kind kind, error_code ec);
    void push_report(transport_exchange const& what, certainty delivery, error_code ec,
                     http_verdict const* verdict = nullptr);
    void wake();
    void deliver();

    // Responses, in http_core.responses.ipp

    LINKSPAN_DECL void on_session_id(std::string_view id) override;
    LINKSPAN_DECL void on_stream(transport_exchange& what) override;
    LINKSPAN_DECL void on_event(transport_exchange& what, sse_event& event) override;
    LINKSPAN_DECL void on_result(transport_exchange& what) override;
    LINKSPAN_DECL void on_failure(exchange_pointer const& what, error_code ec) override;
    LINKSPAN_DECL void on_end(exchange_pointer const& what, error_code ec, bool sent) override;
    bool is_open() const noexcept override { return !closed_; }
    bool redirect(exchange_pointer const& what);
    bool authorize_again(exchange_pointer const& what);
    void on_reply(transport_exchange& what);
    void on_broken(exchange_pointer const& what, error_code ec);
    void resume_later(exchange_pointer const& what, error_code ec);
    void resume_after(exchange_pointer const& what, duration pause);
    void check_reachability(exchange_pointer const& what);
    void on_handshake_over();
    void on_server_stream_end(exchange_pointer const& what, error_code ec);
    void open_server_stream();

    // HTTP+SSE, in http_core.responses.ipp

    void open_sse_stream();
    void on_sse_event(transport_exchange& what, sse_event& event);
    void on_sse_open(error_code ec);
    void on_sse_end(error_code ec);
    bool fall_back(transport_exchange& refused, http_verdict const& verdict);

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all operations
    time_source& time_;              // of `executor_`
    http_config config_;
    http_url url_;                             // `config_.url`
    std::shared_ptr<linkspan::dialer> dialer_; // shared with `client_`
    std::string common_;                       // headers of all requests

    post_headers post_headers_; // headers of the last POST request

    std::shared_ptr<http_client> client_; // set by the constructor, closed by `close`
    bool closed_ = false;                 // set by `close`, never cleared
    // Text about the last failed exchange or response with a status of at least 300; never cleared.
    std::string diagnostics_;

    // Exchanges of requests without a result. Added by `send`, replaced by each resumption; removed with the result, by
    // `abandon` and by `close`.
    boost::unordered_flat_map<request_id, exchange_pointer> by_id_;
    exchange_pool ended_; // of requests and notifications; added at their end, cleared by `close`
    // HTTP session. Begun by `initialize`; its id is set by the response of the server, and its version by
    // `notifications/initialized`.
    http_session session_;
    // Requests that are sent after the response to `notifications/initialized`. Added by `send`; cleared by
    // `on_handshake_over`, which sends them, and by `close`; removed by `abandon` and `release_responded`.
    std::deque<exchange_pointer> held_;

    token_source tokens_; // credentials, and secrets that are redacted; changed by `await_token` and `on_token`
    // Exchanges that wait for a token. Added by `await_token`; cleared by `on_token`, which starts them or ends them
    // with an error, and by `close`.
    token_wait token_wait_;

    // Role of the stream for messages of the server that belong to no request. Changed by `on_sse_event`, `on_sse_end`
    // and `fall_back`.
    server_stream stream_;
    // Exchange of that stream. Set by `open_server_stream`, `open_sse_stream` and each resumption; cleared when the
    // server refuses the stream, at the end of the stream of HTTP+SSE, by `initialize` of Streamable HTTP, and by
    // `close`. Null: there is no stream.
    exchange_pointer stream_exchange_;
    // Handler of `open`. Set while the stream of HTTP+SSE is opened; completed by `on_sse_open` and `close`.
    done_handler opener_;
    // Refused `initialize`. Set by `fall_back`; cleared when the stream is open or has failed, by `abandon` and by
    // `close`.
    exchange_pointer pending_handshake_;
    timer endpoint_timer_; // runs while the stream of HTTP+SSE is opened

    // Items that wait for a receive. Added by the functions `push_...`; moved to the receiver by `deliver`, and
    // released by the next `receive`.
    inbound_queue inbox_;
    receive_handler receiver_;   // set by `receive`; cleared by the delivery, and at the end of the execution context
    std::optional<timer> guard_; // set and started by the first receive, cancelled by `close`; see `guard`

    // Handlers of `shutdown`. Added while DELETE is outstanding; completed at its end, by the timeout and by `close`.
    shutdown_wait shutdown_wait_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_core.ipp>
#include <linkspan/http/client/impl/http_core.receiving.ipp>
#include <linkspan/http/client/impl/http_core.responses.ipp>
#endif

#endif
