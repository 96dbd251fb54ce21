#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CORE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CORE_HPP

#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/http/client/detail/http_client.hpp>
#include <linkspan/http/client/detail/http_connection.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/http/http_url.hpp>
#include <linkspan/http/sse.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/asio/error.hpp>
#include <boost/beast/http/field.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Number of bytes of a body that is not a message in reports: enough to recognize the body.
inline constexpr std::size_t first_bytes_of_body = 200;

// Number of bytes of a body that are searched for secrets, before the body is cut to `first_bytes_of_body`.
inline constexpr std::size_t max_searched_bytes = std::size_t{64} << 10;

// Maximum number of redirects of one exchange.
inline constexpr unsigned max_redirects = 5;

// Lower bound of the pause before a stream is resumed: protects the client from a server that requests no pause.
inline constexpr duration min_resume_pause = std::chrono::milliseconds(50);
// Upper bound of a pause that the server has not requested.
inline constexpr duration max_resume_pause = std::chrono::seconds(30);
// If the pause is longer, a connection is tried after this time, to detect early that the server is unreachable. A
// request that can fail over does not wait for the end of the pause in this case.
inline constexpr duration reachability_pause = std::chrono::seconds(1);

// Messages of at least this size are passed to the session without a copy.
inline constexpr std::size_t large_message = std::size_t{64} << 10;

// Maximum number of elements of a JSON-RPC batch whose structures are kept. A structure may be much larger than its
// element.
inline constexpr std::size_t max_kept_elements = 64;

// Number of recent tokens of a provider that are redacted.
inline constexpr std::size_t max_recent_tokens = 4;

// Upper bound of the memory that is reserved for a body because of its Content-Length, before the body has arrived.
inline constexpr std::size_t max_reserved_bytes = std::size_t{4} << 20;

inline http_url address_of(http_config const& config)
{
    std::string why;
    auto read = read_http_url(config.url, &why);
    if (!read)
        throw std::invalid_argument("linkspan: http_config::url is invalid: " + why);
    return *std::move(read);
}

// Purpose of an HTTP exchange, which determines how its response is processed.
enum class http_purpose {
    request,      // POST of a request
    notification, // POST of a notification, or of a response to a request of the server
    push,         // GET of the stream of notifications and requests of the server
    resume,       // GET of the rest of the stream of a response
    end_session,  // DELETE of the session
};

// State of an HTTP transport: exchanges, session of HTTP, tokens, streams, and messages that wait for a receive.
//
// Invariants:
// 1. `by_id_` has one exchange for each request that was passed to `send` and has no result yet; with HTTP with SSE,
//    only until its POST was accepted. Each request has one result, a message or a report, unless `abandon` or `close`
//    is called first.
// 2. An outstanding exchange is in exactly one place: in `held_`, in `awaiting_token_`, in `client_`, in its `pause`,
//    or in `pending_handshake_`.
// 3. After `close`, no exchange is started, and a receive completes with `operation_aborted` once `ready_` is empty.
// 4. A closed transport is not opened again.
class http_core final : public http_connection, public std::enable_shared_from_this<http_core> {
public:
    http_core(asio::any_io_executor executor, http_config const& config, http_framing framing, redactor secrets)
        : executor_(std::move(executor)),
          time_(time_source::of(executor_)),
          config_(config),
          url_(address_of(config)),
          framing_(framing),
          post_target_(url_.target),
          has_stream_(framing == http_framing::sse),
          dialer_(make_dialer(config_, url_)),
          client_(std::make_shared<http_client>(executor_, dialer_, client_options())),
          secrets_(secrets),
          fixed_secrets_(std::move(secrets)),
          guard_(executor_),
          token_timer_(executor_),
          endpoint_timer_(executor_),
          shutdown_timer_(executor_)
    {
        common_ = " HTTP/1.1\r\nHost: " + url_.authority() + "\r\nAccept-Encoding: identity\r\n";
        bool has_user_agent = false;
        for (auto const& [name, value] : config_.headers) {
            append_header(common_, name, value);
            has_user_agent = has_user_agent || equal_ignoring_case(name, "User-Agent");
        }
        if (!has_user_agent)
            append_header(common_, "User-Agent", "linkspan/" + std::string(version));
        if (auto const* const bearer = std::get_if<bearer_token>(&config_.auth))
            append_header(authorization_, "Authorization", "Bearer " + bearer->value);
        else if (auto const* const key = std::get_if<api_key>(&config_.auth))
            append_header(authorization_, key->header, key->value);
    }

    // Opens the stream of HTTP with SSE. Streamable HTTP needs no stream, so that the operation completes without I/O.
    void open(done_handler done) override
    {
        if (url_.is_secure && !config_.tls)
            return complete_later(std::move(done), error::tls_missing);
        if (!has_stream_)
            return complete_later(std::move(done), {});
        opener_ = std::move(done);
        open_stream();
    }

    // Delivers the items of `ready_` in a later handler, or the next item when it arrives.
    void receive(receive_handler receiver) override
    {
        receiver_ = std::move(receiver);
        delivered_.clear();
        if (!std::exchange(guarded_, true))
            guard();
        if (!ready_.empty() || closed_ || stream_error_)
            wake();
    }

    // Sends a message. A request is held until the response to `notifications/initialized`.
    void send(outbound const& message) noexcept override;

    // Ends the exchange of a request. The request has no result then.
    abandon_result abandon(request_id id) noexcept override;

    void shutdown(done_handler done) override;
    void close() noexcept override;
    std::size_t queued_bytes() const noexcept override;
    std::string const& diagnostics() const noexcept override { return diagnostics_; }
    asio::any_io_executor const& get_executor() const noexcept override { return executor_; }

private:
    class exchange;
    using exchange_pointer = std::shared_ptr<exchange>;

    // A received message, report or notice. The views of `what` are set when the item is delivered.
    struct item {
        inbound what;
        std::string text;                  // bytes of a small message, first bytes of a report, or text of a notice
        std::string challenge;             // `WWW-Authenticate` of a report
        std::shared_ptr<void const> owner; // owns the bytes of a large message; null: `text` has the bytes
        std::string_view large;            // bytes of a large message
        std::optional<envelope> structure; // structure of a message, with views of its bytes; empty: not known
        std::vector<envelope> elements;    // structures of the first elements of a batch, if `structure` is set
    };

    http_client::options client_options() const
    {
        http_client::options out{
            {url_.host, url_.port}, config_.max_connections, config_.connect_timeout, config_.idle_timeout, {}};
        out.limits.head = config_.max_head;
        out.limits.body = config_.max_body;
        return out;
    }

    void complete_later(done_handler done, error_code ec)
    {
        post_handler(executor_, [done = std::move(done), ec]() mutable { done.complete(ec); });
    }

    // Requests
    exchange_pointer make(http_purpose why, std::string_view verb);
    exchange_pointer make_stream(http_purpose why);
    http_message session_headers() const;
    void take_session(std::string_view id) { session_id_ = is_session_id(id) ? id : std::string_view(); }
    void launch(exchange_pointer what);
    void compose(exchange& what);
    bool await_token(exchange_pointer const& what, std::string_view challenge);
    void on_token(error_code ec, access_token token);
    void fail_unsent(exchange& what, error_code ec);
    void forget(exchange const& what);
    void release_responded(std::optional<request_id> id);
    void abandon(exchange_pointer const& what);

    // Responses
    void on_end(exchange_pointer const& what, error_code ec, bool sent);
    bool redirect(exchange_pointer const& what);
    bool authorize_again(exchange_pointer const& what);
    void on_reply(exchange& what);
    void on_broken(exchange_pointer const& what, error_code ec);
    void resume_later(exchange_pointer const& what, error_code ec);
    void resume_after(exchange_pointer const& what, duration pause);
    void try_connection(exchange_pointer const& what);
    void on_handshake_over();
    void on_push_end(exchange_pointer const& what, error_code ec);
    void open_push();
    void finish_shutdown();

    // HTTP with SSE
    void open_stream();
    void on_stream_event(exchange& what, sse_event& event);
    void on_stream_open(error_code ec);
    void on_stream_end(error_code ec);
    bool fall_back(exchange& refused, http_verdict const& verdict);

    // Receiving
    void guard();
    auto receiver_guard();
    void remember_secret(std::string token);
    void redact_error(std::string& text, envelope& structure) const;
    void push_message(std::string&& text, envelope structure, request_id of, certainty at_most,
                      std::vector<envelope> elements = {});
    void push_verdict(exchange& what, http_verdict const& verdict);
    void push_notice(exchange const& what, inbound_notice::kind kind, error_code ec);
    void push_report(exchange const& what, certainty delivery, error_code ec, http_verdict const* verdict = nullptr);
    void wake();
    void deliver();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all operations
    time_source& time_;              // of `executor_`
    http_config config_;
    http_url url_;         // `config_.url`
    http_framing framing_; // variant of the transport, as chosen by the caller

    std::string post_target_; // `url_.target`; replaced by the event `endpoint` of HTTP with SSE
    // True if messages arrive on the stream of HTTP with SSE. Set by the constructor for `http_framing::sse`, and by
    // `fall_back`; cleared if the stream of `fall_back` cannot be opened.
    bool has_stream_;
    std::shared_ptr<linkspan::dialer> dialer_; // set by the constructor, shared with `client_`
    std::shared_ptr<http_client> client_;      // set by the constructor, closed by `close`
    std::string common_;                       // headers of all requests; set by the constructor
    std::string authorization_;                // header with the credentials, replaced by each token; empty: none
    redactor secrets_;                         // `fixed_secrets_` and `recent_tokens_`; replaced by each token
    redactor const fixed_secrets_;             // secrets of the configuration
    // The last `max_recent_tokens` tokens of the provider, the newest at the back.
    std::deque<std::string> recent_tokens_;
    // Text about the last failed exchange or response with a status of at least 300; never cleared.
    std::string diagnostics_;
    bool closed_ = false; // set by `close`, never cleared

    // Exchanges of requests without a result. Added by `send`, replaced by each resumption; removed with the result, by
    // `abandon` and by `close`.
    std::unordered_map<request_id, exchange_pointer> by_id_;
    std::deque<exchange_pointer> held_; // requests that are sent after the response to `notifications/initialized`
    // Set by `notifications/initialized`; cleared by its response, and by the next `initialize`.
    bool holding_ = false;
    std::string session_id_; // set by the response to `initialize`, cleared by the next `initialize`; empty: none
    unsigned sessions_ = 0;  // incremented by each `initialize`; streams of earlier sessions are not resumed
    // Set by `notifications/initialized`, cleared by `initialize`.
    std::optional<protocol_version> session_protocol_version_;
    // Stream for messages of the server that belong to no request. Set by `open_push`, `open_stream` and each
    // resumption; cleared when the server refuses the stream, at the end of the stream of HTTP with SSE, by
    // `initialize` of Streamable HTTP, and by `close`. Null: there is no stream.
    exchange_pointer push_;

    // Exchanges that wait for a token. Added by `await_token`; cleared by `on_token`, which starts them or ends them
    // with an error, and by `close`.
    std::deque<exchange_pointer> awaiting_token_;
    bool token_requested_ = false; // set by a call of the provider, cleared by its result and by its timeout
    bool has_token_ = false;       // set by a token, cleared when another one is requested
    unsigned token_requests_ = 0;  // incremented by each call of the provider; results of earlier calls are discarded
    unsigned tokens_ = 0;          // incremented by each token; 0: none was received
    time_point token_ends_ = time_point::max(); // expiry of the token, set by each token; max: unknown

    // Handler of `open`. Set while the stream of HTTP with SSE is opened; completed by `on_stream_open` and `close`.
    done_handler opener_;
    // Refused `initialize`. Set by `fall_back`; cleared when the stream is open or has failed, by `abandon` and by
    // `close`.
    exchange_pointer pending_handshake_;
    // Response to `pending_handshake_`: the result of the handshake if HTTP with SSE fails too. Set by `fall_back`,
    // never cleared.
    std::optional<http_verdict> refusal_;
    // Error of receives after the end of the stream of HTTP with SSE. Set at the end of the stream, never cleared.
    error_code stream_error_;

    std::vector<item> ready_;     // items that wait for a receive; added by `push_...`, moved by `deliver`
    std::vector<item> delivered_; // items of the last receive; cleared by the next one
    std::vector<inbound> batch_;  // views of `delivered_`; replaced by each delivery
    receive_handler receiver_;    // set by `receive`; cleared by the delivery, and at the end of the execution context
    bool delivering_ = false;     // set when a delivery is posted, cleared when it runs
    bool guarded_ = false;        // set by the first receive, never cleared
    timer guard_;                 // started by the first receive, cancelled by `close`; see `guard`
    timer token_timer_;           // runs while `token_requested_`
    timer endpoint_timer_;        // runs while the stream of HTTP with SSE is opened
    timer shutdown_timer_;        // runs while `on_shutdown_` is not empty
    // Handlers of `shutdown`. Added while DELETE is outstanding; completed at its end, by the timeout and by `close`.
    std::vector<done_handler> on_shutdown_;
};

// One exchange of the transport: the message, the state of the response, and the state of its resumption. A resumption
// and its interrupted exchange are different objects.
class http_core::exchange final : public client_exchange, public std::enable_shared_from_this<exchange> {
public:
    exchange(http_core& owner, http_purpose purpose, std::string_view method)
        : why(purpose),
          verb(method),
          target(owner.post_target_),
          session(owner.sessions_),
          owner_(owner.weak_from_this())
    {}

    // The request: set before the exchange is passed to `launch`.
    http_purpose why;
    http_post post;                // properties of the message; for a resumption, of the request that is resumed
    bool ends_handshake = false;   // true if the message is `notifications/initialized`
    std::string_view verb;         // method of HTTP
    std::string target;            // changed by a redirect, and when a handshake is repeated with HTTP with SSE
    std::string fields;            // headers of this request, in addition to `common_` and `authorization_`
    std::string body;              // body of the request
    unsigned redirects = 0;        // redirects followed so far
    unsigned session;              // value of `sessions_` when the exchange was made
    unsigned token = 0;            // value of `tokens_` when the request was composed last
    bool authorized_again = false; // set when the request is sent again with another token, never cleared

    // The response. Each response replaces these members, except the last two.
    int status = 0;          // 0: no response was received
    std::string retry_after; // values of headers; empty: the header is absent
    std::string challenge;   // `WWW-Authenticate`
    std::string location;
    std::string encoding;             // `Content-Encoding`
    std::string reply;                // body of a response that is not a stream
    std::optional<sse_parser> events; // empty: the response is not a stream
    // Set when the result of the request arrives as an event, on any stream; never cleared. A result in a body that is
    // not a stream does not set the member.
    bool has_response = false;
    bool progressed = false; // set by each event, cleared at the end of the stream

    // The resumption. `resume_later` passes the first four members to the next exchange.
    unsigned resumes = 0;  // consecutive resumptions without a new event; cleared by an event
    unsigned refusals = 0; // consecutive resumptions without a response; cleared by a stream
    std::string last_id;   // id of the last event, set at the end of the stream; empty: the stream cannot be resumed
    std::optional<duration> retry; // pause that the server requested, set at the end of the stream
    std::optional<timer> pause;    // set by `resume_later`; cleared at its expiry, by `abandon` and by `close`
    std::shared_ptr<void> dialing; // handle of the connection of `try_connection`; cleared at the end of `pause`

    bool on_head(head_type const& head) override
    {
        namespace field = boost::beast::http;
        auto const text = [&head](field::field name) { return std::string(head[name]); };
        status = static_cast<int>(head.result_int());
        retry_after = text(field::field::retry_after);
        challenge = text(field::field::www_authenticate);
        location = text(field::field::location);
        encoding = text(field::field::content_encoding);
        reply.clear();
        events.reset();
        auto const owner = owner_.lock();
        if (!owner)
            return false;
        if (post.opens && !post.version && status == 200)
            owner->take_session(head["Mcp-Session-Id"]);
        bool const may_stream = why != http_purpose::notification && why != http_purpose::end_session;
        if (may_stream && status == 200 && is_media_type(text(field::field::content_type), "text/event-stream")) {
            events.emplace(owner->config_.max_event);
            refusals = 0;
            if (why == http_purpose::resume)
                owner->push_notice(*this, inbound_notice::kind::continued, {});
            return true;
        }
        auto const length = head.find(field::field::content_length);
        if (length != head.end())
            reply.reserve(std::min(max_reserved_bytes, number_in(length->value())));
        return false;
    }

    void on_body(std::string_view piece) override
    {
        if (!events && !is_encoded()) {
            reply += piece;
            return;
        }
        auto const owner = owner_.lock();
        if (!owner || has_response)
            return;
        auto const self = shared_from_this();
        if (is_encoded()) {
            if (is_accepted())
                end(*owner, error::malformed_http);
            return; // the body of a refusal is not needed
        }
        auto const batch = events->resume(piece);
        for (auto& event : batch.events) {
            on_event(*owner, event);
            if (has_response || owner->closed_)
                break;
        }
        if (owner->closed_)
            return;
        if (has_response)
            return owner->client_->release(*this);
        if (batch.ec)
            end(*owner, error::body_too_long);
    }

    void on_end(error_code ec, bool sent) override
    {
        if (auto const owner = owner_.lock())
            owner->on_end(shared_from_this(), ec, sent);
    }

    // Returns true if the request belongs to the stateless era, in which closing the stream cancels the request, and an
    // interrupted stream cannot be resumed.
    bool is_stateless() const noexcept { return post.version && traits_of(*post.version).opening == era::stateless; }

    bool is_accepted() const noexcept { return status >= 200 && status < 300; }

    // Returns true if the response has a content coding, although the request accepts only `identity`.
    bool is_encoded() const noexcept { return !encoding.empty() && !equal_ignoring_case(encoding, "identity"); }

    // Stores the position from which the stream can be resumed.
    void store_position()
    {
        if (!events)
            return;
        if (!events->last_id().empty())
            last_id = events->last_id();
        if (events->retry())
            retry = events->retry();
    }

private:
    static std::size_t number_in(boost::beast::string_view text) noexcept
    {
        std::size_t out = 0;
        for (char const c : text) {
            if (c < '0' || c > '9' || out > max_reserved_bytes)
                break;
            out = out * 10 + static_cast<std::size_t>(c - '0');
        }
        return out;
    }

    // Returns true if a message completes the request: the response, or an invalid message with the id of the request
    // or without an id.
    bool ends(envelope const& message) const
    {
        using kind = envelope::kind;
        bool const is_unreadable = message.what == kind::invalid && message.method.empty();
        return (message.what == kind::result || message.what == kind::error || is_unreadable) &&
               message.id.value_or(post.id) == post.id;
    }

    // Reads a JSON-RPC batch. Returns true if an element completes the request. `kept` receives the structures of the
    // first elements.
    bool batch_ends(std::string_view text, std::vector<envelope>& kept) const
    {
        bool out = false;
        for (json_scan::reader elements(text); auto const element = elements.next();) {
            auto const one = read_envelope(element->value);
            out = out || ends(one);
            if (kept.size() != max_kept_elements)
                kept.push_back(one);
            else if (out)
                break;
        }
        return out;
    }

    // Ends the exchange with an error, without reading the rest of the response.
    void end(http_core& owner, error_code ec)
    {
        auto const self = shared_from_this();
        owner.client_->cancel(*this);
        owner.on_end(self, ec, true);
    }

    void on_event(http_core& owner, sse_event& event)
    {
        progressed = true;
        if (owner.has_stream_ && why == http_purpose::push)
            return owner.on_stream_event(*this, event);
        if (event.type != "message")
            return;
        auto const message = read_envelope(event.data);
        bool const is_response = message.what == envelope::kind::result || message.what == envelope::kind::error;
        std::vector<envelope> elements;
        has_response =
            post.id != 0 && (message.what == envelope::kind::batch ? batch_ends(event.data, elements) : ends(message));
        if (is_response && !has_response)
            owner.release_responded(message.id);
        owner.push_message(std::move(event.data), message, post.id, certainty::completed, std::move(elements));
        if (has_response)
            owner.forget(*this);
    }

    std::weak_ptr<http_core> owner_; // set by the constructor; expired: the transport was destroyed
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_core.ipp>
#endif

#endif
