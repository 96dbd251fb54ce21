#ifndef LINKSPAN_IMPL_HTTP_CORE_IPP
#define LINKSPAN_IMPL_HTTP_CORE_IPP

#include <linkspan/detail/http_text.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/http_headers.hpp>
#include <linkspan/protocol/http_reply.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/protocol/sse.hpp>
#include <linkspan/time.hpp>
#include <linkspan/transport/http_client.hpp>
#include <linkspan/transport/http_core.hpp>
#include <linkspan/transport/http_dialers.hpp>
#include <linkspan/transport/http_url.hpp>
#include <linkspan/version.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/field.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::detail {

// Enough of an answer that is no message to recognise it.
inline constexpr std::size_t first_bytes_of_body = 200;

// A secret that begins in these bytes ends here at the latest.
inline constexpr std::size_t most_searched = std::size_t{64} << 10;

inline constexpr unsigned most_redirects = 5;
inline constexpr duration longest_resume_pause = std::chrono::seconds(30);

// What is larger is handed to the session without a copy.
inline constexpr std::size_t large_message = std::size_t{64} << 10;

// A body that says how long it is gets its room at once, but no more than this before it has come.
inline constexpr std::size_t most_reserved = std::size_t{4} << 20;

struct http_origin {
    http_url url;

    explicit http_origin(http_config const& config)
    {
        std::string why;
        auto read = read_http_url(config.url, &why);
        if (!read)
            throw std::invalid_argument("linkspan: the address of a server: " + why);
        url = *std::move(read);
    }
};

// One message on its way, or one stream; and what becomes of it.
enum class http_purpose {
    request,
    notification, // or an answer to a request of the server
    push,         // the stream of what the server sends unasked
    resume,       // the rest of the answer to a request
    end_session,
};

class http_core final : public std::enable_shared_from_this<http_core> {
public:
    using done_handler = http_connection::done_handler;
    using receive_handler = http_connection::receive_handler;

    http_core(asio::any_io_executor executor, http_config const& config, http_framing framing)
        : executor_(std::move(executor)),
          time_(time_source::of(executor_)),
          config_(config),
          url_(http_origin(config).url),
          post_target_(url_.target),
          framing_(framing),
          has_stream_(framing == http_framing::sse),
          client_(std::make_shared<http_client>(executor_, make_dialer(config_, url_), client_options())),
          secrets_(http_connection::secrets(config_)),
          guard_(executor_),
          token_limit_(executor_),
          endpoint_limit_(executor_),
          shutdown_limit_(executor_)
    {
        common_ = " HTTP/1.1\r\nHost: " + url_.authority() + "\r\nUser-Agent: linkspan/" + std::string(version) +
                  "\r\nAccept-Encoding: identity\r\n";
        for (auto const& [name, value] : config_.headers)
            append_header(common_, name, value);
        if (auto const* const bearer = std::get_if<bearer_token>(&config_.auth))
            append_header(authorization_, "Authorization", "Bearer " + bearer->value);
        else if (auto const* const key = std::get_if<api_key>(&config_.auth))
            append_header(authorization_, key->header, key->value);
    }

    void open(done_handler done)
    {
        if (url_.is_secure && !config_.tls)
            return complete_later(std::move(done), error::tls_missing);
        if (!has_stream_)
            return complete_later(std::move(done), {});
        opener_ = std::move(done);
        open_stream();
    }

    void receive(receive_handler receiver)
    {
        receiver_ = std::move(receiver);
        delivered_.clear();
        if (!std::exchange(guarded_, true))
            guard();
        if (!ready_.empty() || closed_ || stream_error_)
            wake();
    }

    void send(outbound const& message);
    withdrawal abandon(request_id id);

    void shutdown(done_handler done);
    void close() noexcept;
    std::size_t queued_bytes() const noexcept;
    std::string const& diagnostics() const noexcept { return diagnostics_; }

private:
    class exchange;
    using exchange_pointer = std::shared_ptr<exchange>;
    class receiver_guard;

    // What was received; its views are made when it is delivered.
    struct item {
        inbound what;
        std::string text; // bytes of a message, first bytes of a report
        std::string challenge;
        std::shared_ptr<void const> owner;
        std::string_view large; // of a message that `owner` holds
    };

    http_client::options client_options() const
    {
        http_client::options out{
            {url_.host, url_.port}, config_.max_connections, config_.connect_limit, config_.idle_limit, {}};
        out.limits.head = config_.max_head;
        out.limits.body = config_.max_body;
        return out;
    }

    void complete_later(done_handler done, error_code ec)
    {
        asio::post(executor_, [done = std::move(done), ec]() mutable { done.complete(ec); });
    }

    // Requests
    exchange_pointer make(http_purpose why, std::string_view verb);
    http_message session_headers() const;
    void launch(exchange_pointer what);
    void compose(exchange& what);
    bool await_token(exchange_pointer const& what, std::string_view challenge);
    void on_token(error_code ec, access_token token);
    void fail_unsent(exchange& what, error_code ec);
    void forget(exchange const& what);
    void withdraw(exchange_pointer const& what);

    // Responses
    void on_end(exchange_pointer const& what, error_code ec, bool sent);
    bool redirect(exchange_pointer const& what);
    bool authorize_again(exchange_pointer const& what);
    void on_reply(exchange& what);
    void on_broken(exchange_pointer const& what, error_code ec);
    void resume_later(exchange_pointer const& what);
    void on_handshake_over();
    void on_push_end(exchange_pointer const& what, error_code ec);
    void open_push();
    void finish_shutdown();

    // The stream of 2024-11-05
    void open_stream();
    void on_stream_event(exchange& what, sse_event& event);
    void on_stream_open(error_code ec);
    void on_stream_end(error_code ec);
    bool fall_back(exchange& refused, http_verdict const& verdict);

    // Receiving
    void guard();
    void push_message(std::string text, request_id of, certainty at_most);
    void push_report(exchange const& what, certainty how, error_code ec, http_verdict const* verdict = nullptr);
    void wake();
    void deliver();

    asio::any_io_executor executor_;
    time_source& time_;
    http_config config_;
    http_url url_;
    std::string post_target_; // where messages are posted
    http_framing framing_;
    bool has_stream_; // messages come over the stream of 2024-11-05
    std::shared_ptr<http_client> client_;
    std::string common_, authorization_; // headers
    redactor secrets_;                   // in them
    std::string diagnostics_;
    bool closed_ = false;

    std::unordered_map<request_id, exchange_pointer> by_id_;
    std::deque<exchange_pointer> held_; // until the server knows that the handshake is over
    bool holding_ = false;
    std::string session_id_;
    std::optional<revision> session_revision_;
    exchange_pointer push_;

    std::deque<exchange_pointer> awaiting_token_;
    bool asking_for_token_ = false;
    bool has_token_ = false;
    unsigned asks_ = 0;   // for a token
    unsigned tokens_ = 0; // that we were given
    time_point token_ends_ = time_point::max();

    done_handler opener_;                 // of the stream
    exchange_pointer pending_handshake_;  // refused, while the stream is tried
    std::optional<http_verdict> refusal_; // of it
    error_code stream_error_;

    std::vector<item> ready_, delivered_;
    std::vector<inbound> batch_;
    receive_handler receiver_;
    bool delivering_ = false; // a delivery is on its way
    bool guarded_ = false;
    timer guard_; // see `receiver_guard`
    timer token_limit_, endpoint_limit_, shutdown_limit_;
    done_handler on_shutdown_;
};

class http_core::exchange final : public client_exchange, public std::enable_shared_from_this<exchange> {
public:
    exchange(http_core& owner, http_purpose purpose, std::string_view method)
        : why(purpose), verb(method), target(owner.post_target_), owner_(owner.weak_from_this())
    {}

    http_purpose why;
    http_post post;
    bool ends_handshake = false; // it is `notifications/initialized`
    std::string_view verb;
    std::string target;
    std::string fields; // headers of its own
    std::string body;   // of the request
    unsigned redirects = 0;
    unsigned token = 0; // which it was sent with
    bool authorized_again = false;

    int status = 0;
    std::string content_type, retry_after, challenge, location, encoding;
    std::string reply; // body of the response
    std::optional<sse_parser> events;
    bool answered = false;
    bool progressed = false; // an event came since it was last resumed
    unsigned resumes = 0;
    std::string last_id;           // of the stream that is resumed
    std::optional<duration> retry; // of it
    std::optional<timer> pause;    // before it is resumed

    bool on_head(head_type const& head) override
    {
        namespace field = boost::beast::http;
        auto const text = [&head](field::field name) { return std::string(head[name]); };
        status = static_cast<int>(head.result_int());
        content_type = text(field::field::content_type);
        retry_after = text(field::field::retry_after);
        challenge = text(field::field::www_authenticate);
        location = text(field::field::location);
        encoding = text(field::field::content_encoding);
        reply.clear();
        events.reset();
        auto const owner = owner_.lock();
        if (!owner)
            return false;
        if (post.opens && !post.spoken && status == 200)
            owner->session_id_ = std::string(head["Mcp-Session-Id"]);
        bool const may_stream = why != http_purpose::notification && why != http_purpose::end_session;
        if (may_stream && status == 200 && is_media_type(content_type, "text/event-stream")) {
            events.emplace(owner->config_.max_event);
            return true;
        }
        auto const length = head.find(field::field::content_length);
        if (length != head.end())
            reply.reserve(std::min(most_reserved, number_in(length->value())));
        return false;
    }

    void on_body(std::string_view piece) override
    {
        if (!events) {
            reply += piece;
            return;
        }
        auto const owner = owner_.lock();
        if (!owner || answered)
            return;
        auto const self = shared_from_this();
        auto const batch = events->resume(piece);
        for (auto& event : batch.events) {
            on_event(*owner, event);
            if (answered || owner->closed_)
                break;
        }
        if (owner->closed_)
            return;
        if (answered)
            return owner->client_->release(*this);
        if (batch.ec) {
            owner->client_->cancel(*this);
            owner->on_end(self, error::body_too_long, true);
        }
    }

    void on_end(error_code ec, bool sent) override
    {
        if (auto const owner = owner_.lock())
            owner->on_end(shared_from_this(), ec, sent);
    }

    // Where to go on behind what was read.
    void keep_place()
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
            if (c < '0' || c > '9' || out > most_reserved)
                break;
            out = out * 10 + static_cast<std::size_t>(c - '0');
        }
        return out;
    }

    void on_event(http_core& owner, sse_event& event)
    {
        progressed = true;
        if (owner.has_stream_ && why == http_purpose::push)
            return owner.on_stream_event(*this, event);
        if (event.type != "message")
            return;
        auto const message = read_envelope(event.data);
        bool const is_answer = message.what == envelope::kind::result || message.what == envelope::kind::error;
        answered = post.id != 0 && is_answer && message.id.value_or(post.id) == post.id;
        owner.push_message(std::move(event.data), post.id, certainty::completed);
        if (answered)
            owner.forget(*this);
    }

    std::weak_ptr<http_core> owner_;
};

// Ending

inline void http_core::shutdown(done_handler done)
{
    if (closed_ || has_stream_ || session_id_.empty()) {
        close();
        return complete_later(std::move(done), {});
    }
    on_shutdown_ = std::move(done);
    // Of all that it takes: a token and a connection too.
    shutdown_limit_.expires_after(config_.shutdown_limit);
    shutdown_limit_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->finish_shutdown();
    });
    auto const ending = make(http_purpose::end_session, "DELETE");
    append_session_headers(ending->fields, session_headers(), {});
    launch(ending);
}

inline void http_core::finish_shutdown()
{
    if (!on_shutdown_)
        return;
    complete_later(std::move(on_shutdown_), {});
    close();
}

inline void http_core::close() noexcept
{
    if (std::exchange(closed_, true))
        return;
    client_->close();
    for (auto* const each : {&guard_, &token_limit_, &endpoint_limit_, &shutdown_limit_})
        each->cancel();
    for (auto const& [id, each] : by_id_)
        each->pause.reset();
    if (push_)
        push_->pause.reset();
    by_id_.clear();
    held_.clear();
    awaiting_token_.clear();
    push_.reset();
    pending_handshake_.reset();
    if (opener_)
        complete_later(std::move(opener_), asio::error::operation_aborted);
    finish_shutdown();
    wake();
}

// Sending

inline std::size_t http_core::queued_bytes() const noexcept
{
    auto bytes = client_->queued_bytes();
    for (auto const& each : held_)
        bytes += each->body.size();
    return bytes;
}

inline http_core::exchange_pointer http_core::make(http_purpose why, std::string_view verb)
{
    auto out = std::make_shared<exchange>(*this, why, verb);
    out->is_call = false;
    if (why != http_purpose::resume)
        out->limit = config_.control_limit;
    return out;
}

inline http_message http_core::session_headers() const
{
    http_message out;
    out.spoken = session_revision_;
    out.session = session_id_;
    return out;
}

inline void http_core::send(outbound const& message)
{
    bool const is_handshake = message.method == "initialize";
    auto const what = make(message.id != 0 ? http_purpose::request : http_purpose::notification, "POST");
    what->post = {message.id, is_handshake || message.method == "server/discover", message.spoken,
                  !session_id_.empty() && !is_handshake};
    if (is_handshake) {
        session_id_.clear();
        session_revision_.reset();
        if (push_ && !has_stream_)
            withdraw(std::exchange(push_, nullptr));
        holding_ = false;
    }
    if (message.method == "notifications/initialized") {
        what->ends_handshake = true;
        session_revision_ = message.spoken;
    }
    if (message.id != 0) {
        what->is_call = !what->post.opens;
        what->limit = duration::max(); // the session has time limits for its requests
    }
    append_post_headers(what->fields, {message.method, message.name, message.spoken, message.mirrored, session_id_});
    what->body = message.bytes;
    if (closed_)
        return fail_unsent(*what, asio::error::operation_aborted);
    if (message.id != 0)
        by_id_.emplace(message.id, what);
    // Connections keep no order: what follows the handshake must not overtake its end.
    if (holding_ && what->is_call)
        return held_.push_back(what);
    holding_ = holding_ || what->ends_handshake;
    launch(what);
}

inline void http_core::launch(exchange_pointer what)
{
    if (!await_token(what, {})) {
        compose(*what);
        client_->start(std::move(what));
    }
}

inline void http_core::compose(exchange& what)
{
    auto& out = what.request;
    out.clear();
    out.reserve(what.target.size() + common_.size() + authorization_.size() + what.fields.size() + what.body.size() +
                64);
    out.append(what.verb).append(" ").append(what.target).append(common_).append(authorization_).append(what.fields);
    if (what.verb == "POST")
        append_header(out, "Content-Length", std::to_string(what.body.size()));
    out.append("\r\n").append(what.body);
    what.token = tokens_;
}

inline void http_core::fail_unsent(exchange& what, error_code ec)
{
    forget(what);
    push_report(what, certainty::not_sent, ec);
}

inline void http_core::forget(exchange const& what)
{
    auto const found = by_id_.find(what.post.id);
    if (found != by_id_.end() && found->second.get() == &what)
        by_id_.erase(found);
}

inline void http_core::withdraw(exchange_pointer const& what)
{
    std::erase(awaiting_token_, what);
    what->pause.reset();
    client_->cancel(*what);
}

inline withdrawal http_core::abandon(request_id id)
{
    auto const found = by_id_.extract(id);
    if (!found)
        return withdrawal::untold;
    auto const what = found.mapped();
    bool const is_modern = what->post.spoken && traits_of(*what->post.spoken).opening == era::stateless;
    bool const is_begun = what->why == http_purpose::resume || what->status != 0;
    if (std::erase(held_, what) + std::erase(awaiting_token_, what) != 0)
        return is_begun ? withdrawal::untold : withdrawal::unsent;
    if (what->pause) { // between two streams
        what->pause.reset();
        return withdrawal::untold;
    }
    if (!client_->cancel(*what) && !is_begun)
        return withdrawal::unsent;
    return is_modern ? withdrawal::told : withdrawal::untold;
}

// Tokens

// True: it waits for one, and will be launched with it.
inline bool http_core::await_token(exchange_pointer const& what, std::string_view challenge)
{
    auto const* const provider = std::get_if<token_provider>(&config_.auth);
    if (!provider || (has_token_ && challenge.empty() && time_.now() < token_ends_))
        return false;
    awaiting_token_.push_back(what);
    if (std::exchange(asking_for_token_, true))
        return true;
    has_token_ = false;
    token_limit_.expires_after(config_.token_limit);
    token_limit_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->on_token(error::attempt_timed_out, {});
    });
    provider->ask({url_.text(), challenge},
                  [weak = weak_from_this(), ask = ++asks_](error_code ec, access_token token) {
                      if (auto const self = weak.lock())
                          asio::post(self->executor_, [self, ask, ec, token = std::move(token)]() mutable {
                              if (self->asks_ == ask) // not one that came too late
                                  self->on_token(ec, std::move(token));
                          });
                  });
    return true;
}

inline void http_core::on_token(error_code ec, access_token token)
{
    if (closed_ || !std::exchange(asking_for_token_, false))
        return;
    token_limit_.cancel();
    if (!ec && !header_fault("Authorization", token.value).empty())
        ec = asio::error::invalid_argument;
    if (!ec) {
        ++tokens_;
        has_token_ = true;
        token_ends_ = token.good_for ? time_.after(*token.good_for) : time_point::max();
        authorization_ = "Authorization: Bearer " + token.value + "\r\n";
        secrets_.add(token.value);
    }
    for (auto const& each : std::exchange(awaiting_token_, {})) {
        if (ec) {
            on_end(each, ec, false);
        } else {
            compose(*each);
            client_->start(each);
        }
    }
}

// Responses

inline void http_core::on_end(exchange_pointer const& what, error_code ec, bool sent)
{
    if (closed_ || what->answered)
        return;
    if (!ec && !what->events && (redirect(what) || authorize_again(what)))
        return;
    if (!ec && !what->encoding.empty() && !equal_ignoring_case(what->encoding, "identity"))
        ec = error::malformed_http;
    if (ec)
        diagnostics_ = std::string(what->verb) + " " + url_.authority() + ": " + ec.message();
    else if (!what->events && what->status >= 300)
        diagnostics_ = std::string(what->verb) + " " + url_.authority() + ": " +
                       error_code(what->status, http_category()).message();
    switch (what->why) {
    case http_purpose::push: return has_stream_ ? on_stream_end(ec) : on_push_end(what, ec);
    case http_purpose::end_session: return finish_shutdown();
    case http_purpose::notification:
        if (what->ends_handshake)
            on_handshake_over();
        return;
    case http_purpose::request:
        if (!sent)
            return fail_unsent(*what, ec);
        [[fallthrough]];
    case http_purpose::resume:
        if (!sent || ec || what->events)
            return on_broken(what, ec);
        return on_reply(*what);
    }
}

// True: it goes on elsewhere.
inline bool http_core::redirect(exchange_pointer const& what)
{
    if ((what->status != 307 && what->status != 308) || config_.follow == redirects::none || what->location.empty() ||
        what->redirects == most_redirects)
        return false;
    auto base = url_;
    base.target = what->target;
    auto const to = resolve_http_url(base, what->location);
    if (!to || !to->has_origin_of(url_))
        return false;
    ++what->redirects;
    what->target = to->target;
    launch(what);
    return true;
}

// True: it is sent again with another token.
inline bool http_core::authorize_again(exchange_pointer const& what)
{
    if (what->status != 401 || !std::holds_alternative<token_provider>(config_.auth) ||
        std::exchange(what->authorized_again, true))
        return false;
    if (what->token != tokens_) { // somebody has got one meanwhile
        launch(what);
        return true;
    }
    auto const challenge = what->challenge.empty() ? std::string("Bearer") : what->challenge;
    return await_token(what, challenge);
}

inline void http_core::on_reply(exchange& what)
{
    auto const verdict = judge(what.post, {what.status, what.content_type, what.retry_after, what.reply});
    if (what.why == http_purpose::resume && verdict.what != http_verdict::kind::message) {
        forget(what); // it cannot be resumed: nobody knows what became of it
        // Even when the session is gone: what that error allows, to send it again, this one must not.
        bool const is_lost = verdict.ec == error::session_lost;
        return push_report(what, certainty::unknown, is_lost ? error_code(error::stream_ended) : verdict.ec);
    }
    bool const is_accepted = what.status >= 200 && what.status < 300;
    if (verdict.what == http_verdict::kind::message) {
        forget(what);
        return push_message(std::move(what.reply), what.post.id, verdict.how);
    }
    if (has_stream_ && is_accepted) // the answer comes over the stream
        return forget(what);
    if (fall_back(what, verdict))
        return;
    forget(what);
    push_report(what, verdict.how, verdict.ec, &verdict);
}

// A stream, or an answer, that ended before it was complete.
inline void http_core::on_broken(exchange_pointer const& what, error_code ec)
{
    what->keep_place();
    bool const is_modern = what->post.spoken && traits_of(*what->post.spoken).opening == era::stateless;
    if (std::exchange(what->progressed, false))
        what->resumes = 0;
    bool const was_stream = what->events || what->why == http_purpose::resume;
    if (was_stream && !is_modern && !what->last_id.empty() && what->resumes < config_.max_resumes)
        return resume_later(what);
    forget(*what);
    push_report(*what, certainty_of(evidence::stream_ended), ec ? ec : error_code(error::stream_ended));
}

inline void http_core::resume_later(exchange_pointer const& what)
{
    auto const next = make(what->why == http_purpose::push ? http_purpose::push : http_purpose::resume, "GET");
    next->post = what->post;
    next->last_id = what->last_id;
    next->retry = what->retry;
    next->resumes = what->resumes + 1;
    next->limit = config_.control_limit;
    next->fields = "Accept: text/event-stream\r\n";
    append_session_headers(next->fields, session_headers(), next->last_id);
    if (next->post.id != 0)
        by_id_[next->post.id] = next;
    else
        push_ = next;
    duration const doubled =
        std::min<duration>(config_.resume_pause * (1 << std::min(what->resumes, 5u)), longest_resume_pause);
    auto pause = next->retry.value_or(doubled);
    // Nothing bounds how often: a server that ends its stream at once, each time, must not keep us busy.
    if (next->why == http_purpose::push && what->resumes != 0)
        pause = std::max(pause, doubled);
    next->pause.emplace(executor_);
    next->pause->expires_after(pause);
    next->pause->async_wait([weak = weak_from_this(), waiting = std::weak_ptr(next)](error_code ec) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (ec || !self || self->closed_ || !due)
            return;
        due->pause.reset();
        self->launch(due);
    });
}

inline void http_core::on_handshake_over()
{
    holding_ = false;
    if (!has_stream_)
        open_push();
    for (auto const& each : std::exchange(held_, {}))
        launch(each);
}

// What the server sends unasked. Whether it has such a stream, only asking tells.
inline void http_core::open_push()
{
    push_ = make(http_purpose::push, "GET");
    push_->post.spoken = session_revision_;
    push_->fields = "Accept: text/event-stream\r\n";
    append_session_headers(push_->fields, session_headers(), {});
    launch(push_);
}

inline void http_core::on_push_end(exchange_pointer const& what, error_code ec)
{
    if (push_ != what)
        return;
    push_.reset();
    what->keep_place();
    bool const was_refused = !ec && !what->events;
    if (was_refused)
        return;
    if (std::exchange(what->progressed, false))
        what->resumes = 0;
    resume_later(what);
}

// The stream of 2024-11-05

inline void http_core::open_stream()
{
    push_ = make(http_purpose::push, "GET");
    push_->target = url_.target;
    push_->fields = "Accept: text/event-stream\r\n";
    endpoint_limit_.expires_after(config_.control_limit);
    endpoint_limit_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->closed_ || !self->push_)
            return;
        self->withdraw(self->push_);
        self->on_stream_end(error::attempt_timed_out);
    });
    launch(push_);
}

inline void http_core::on_stream_event(exchange& what, sse_event& event)
{
    if (event.type == "message")
        return push_message(std::move(event.data), 0, certainty::completed);
    if (event.type != "endpoint" || (!opener_ && !pending_handshake_))
        return;
    // Where to post is for the server to say, but not whom to post to.
    auto base = url_;
    base.target = what.target;
    auto const to = resolve_http_url(base, event.data);
    if (!to || !to->has_origin_of(url_)) {
        client_->cancel(*push_);
        return on_stream_open(error::address_forbidden);
    }
    post_target_ = to->target;
    on_stream_open({});
}

inline void http_core::on_stream_open(error_code ec)
{
    endpoint_limit_.cancel();
    if (opener_)
        complete_later(std::move(opener_), ec);
    auto const handshake = std::exchange(pending_handshake_, nullptr);
    if (!handshake)
        return;
    if (ec) { // then what was refused first counts
        has_stream_ = false;
        push_.reset();
        forget(*handshake);
        return push_report(*handshake, refusal_->how, refusal_->ec, &*refusal_);
    }
    handshake->target = post_target_;
    launch(handshake);
}

inline void http_core::on_stream_end(error_code ec)
{
    if (!ec && push_ && !push_->events)
        ec = push_->status == 200 ? error_code(error::malformed_http) : error_code(push_->status, http_category());
    if (!ec)
        ec = error::stream_ended;
    if (opener_ || pending_handshake_)
        return on_stream_open(ec);
    push_.reset();
    stream_error_ = ec;
    wake();
}

// A server that refuses the handshake may be one of the time of streams.
inline bool http_core::fall_back(exchange& refused, http_verdict const& verdict)
{
    bool const is_handshake = refused.post.opens && !refused.post.spoken;
    if (framing_ != http_framing::automatic || has_stream_ || !is_handshake || verdict.era != era_evidence::handshake)
        return false;
    pending_handshake_ = refused.shared_from_this();
    refusal_ = verdict;
    has_stream_ = true;
    open_stream();
    return true;
}

// Receiving

// A receive waits in no operation of Asio, so one of these waits in its place, and another brings what came: when the
// context ends, the receive is dropped with it, for its handler may own this transport, which would keep itself alive.
class http_core::receiver_guard {
public:
    explicit receiver_guard(std::shared_ptr<http_core> core) noexcept : core_(std::move(core)) {}
    receiver_guard(receiver_guard&&) noexcept = default;
    receiver_guard& operator=(receiver_guard&&) = delete;

    ~receiver_guard()
    {
        if (core_)
            receive_handler const dropped = std::exchange(core_->receiver_, {});
    }

    void operator()(error_code) { core_.reset(); }

    void operator()()
    {
        auto const core = std::exchange(core_, nullptr);
        core->delivering_ = false;
        if (core->receiver_)
            core->deliver();
    }

private:
    std::shared_ptr<http_core> core_;
};

inline void http_core::guard()
{
    guard_.expires_at(time_point::max());
    guard_.async_wait(receiver_guard(shared_from_this()));
}

inline void http_core::push_message(std::string text, request_id of, certainty at_most)
{
    inbound_message message;
    message.exchange = of;
    message.at_most = at_most;
    auto& made = ready_.emplace_back();
    made.what = message;
    if (text.size() < large_message) {
        made.text = std::move(text);
    } else {
        auto const kept = std::make_shared<std::string const>(std::move(text));
        made.large = *kept;
        made.owner = kept;
    }
    wake();
}

inline void http_core::push_report(exchange const& what, certainty how, error_code ec, http_verdict const* verdict)
{
    inbound_report report;
    report.id = what.post.id;
    report.how = how;
    report.ec = ec;
    if (verdict) {
        report.era = verdict->era;
        report.retry_after = verdict->retry_after;
    }
    auto& made = ready_.emplace_back();
    made.what = report;
    // First the secrets: half of one is no secret that we know.
    made.text = secrets_(what.reply.substr(0, most_searched)).substr(0, first_bytes_of_body);
    made.challenge = secrets_(what.challenge);
    wake();
}

inline void http_core::wake()
{
    if (receiver_ && !std::exchange(delivering_, true))
        asio::post(executor_, receiver_guard(shared_from_this()));
}

// The receiver may start the next receive, or close, before it returns.
inline void http_core::deliver()
{
    if (ready_.empty() && !closed_ && !stream_error_)
        return;
    delivered_.swap(ready_);
    ready_.clear();
    batch_.clear();
    for (auto const& each : delivered_) {
        batch_.push_back(each.what);
        if (auto* const message = std::get_if<inbound_message>(&batch_.back())) {
            message->bytes = each.owner ? each.large : std::string_view(each.text);
            message->owner = each.owner ? &each.owner : nullptr;
        } else if (auto* const report = std::get_if<inbound_report>(&batch_.back())) {
            report->first_bytes = each.text;
            report->challenge = each.challenge;
        }
    }
    error_code const ec = !batch_.empty() ? error_code() : closed_ ? asio::error::operation_aborted : stream_error_;
    std::exchange(receiver_, {}).complete(ec, batch_);
}

// The door

LINKSPAN_DECL void http_connection::check(http_config const& config)
{
    auto const refuse = [](std::string const& sentence) { throw std::invalid_argument("linkspan: " + sentence); };
    http_origin const origin(config);
    auto const check_header = [&](std::string_view name, std::string_view value) {
        auto const fault = header_fault(name, value);
        bool const is_printable = header_fault("x", name).empty();
        if (!fault.empty())
            refuse("the header '" + std::string(is_printable ? name : "?") + "': " + std::string(fault));
    };
    for (auto const& [name, value] : config.headers)
        check_header(name, value);
    if (auto const* const bearer = std::get_if<bearer_token>(&config.auth))
        check_header("Authorization", bearer->value);
    else if (auto const* const key = std::get_if<api_key>(&config.auth))
        check_header(key->header, key->value);
    else if (auto const* const provider = std::get_if<token_provider>(&config.auth); provider && !provider->ask)
        refuse("a token provider asks nobody");
    std::string why;
    if (!config.proxy.empty() && !read_http_url(config.proxy, &why))
        refuse("the address of the proxy: " + why);
    if (config.max_connections == 0 || config.max_head == 0 || config.max_body == 0 || config.max_event == 0)
        refuse("a limit of HTTP is 0");
    if (std::min({config.connect_limit, config.control_limit, config.token_limit}) <= duration::zero())
        refuse("a time limit of HTTP is 0");
}

LINKSPAN_DECL redactor http_connection::secrets(http_config const& config)
{
    redactor out;
    out.add_address(config.url);
    out.add_address(config.proxy);
    auto const add_header = [&out](std::string_view value) {
        out.add(value);
        // "Bearer x": who complains about it may say x alone.
        if (auto const blank = value.find(' '); blank != value.npos)
            out.add(value.substr(blank + 1));
    };
    for (auto const& [name, value] : config.headers)
        add_header(value);
    if (auto const* const bearer = std::get_if<bearer_token>(&config.auth))
        add_header(bearer->value);
    else if (auto const* const key = std::get_if<api_key>(&config.auth))
        add_header(key->value);
    return out;
}

LINKSPAN_DECL http_connection::http_connection(asio::any_io_executor executor, http_config const& config,
                                               http_framing framing)
    : executor_(std::move(executor))
{
    check(config);
    core_ = std::make_shared<http_core>(executor_, config, framing);
}

LINKSPAN_DECL void http_connection::open(done_handler done) { core_->open(std::move(done)); }
LINKSPAN_DECL void http_connection::receive(receive_handler receiver) { core_->receive(std::move(receiver)); }
LINKSPAN_DECL void http_connection::send(outbound const& message) noexcept { core_->send(message); }
LINKSPAN_DECL withdrawal http_connection::abandon(request_id id) noexcept { return core_->abandon(id); }
LINKSPAN_DECL void http_connection::shutdown(done_handler done) { core_->shutdown(std::move(done)); }
LINKSPAN_DECL void http_connection::close() noexcept { core_->close(); }
LINKSPAN_DECL std::size_t http_connection::queued_bytes() const noexcept { return core_->queued_bytes(); }
LINKSPAN_DECL std::string http_connection::diagnostics() const { return core_->diagnostics(); }

} // namespace linkspan::detail

#endif
