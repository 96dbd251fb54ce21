#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_IPP

// Definitions of `http_core`: sending, tokens, receiving, responses, resumption, and HTTP with SSE.

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/http/client/detail/http_core.hpp>
#include <linkspan/protocol/outcome.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Ending

LINKSPAN_DECL void http_core::shutdown(done_handler done)
{
    if (closed_ || has_stream_ || session_id_.empty()) {
        close();
        return complete_later(std::move(done), {});
    }
    on_shutdown_.push_back(std::move(done));
    if (on_shutdown_.size() != 1)
        return; // completes with the outstanding shutdown
    // The timeout also bounds the time for a token and for a connection.
    shutdown_timer_.expires_after(config_.shutdown_timeout);
    start_wait(shutdown_timer_, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->finish_shutdown();
    });
    auto const ending = make(http_purpose::end_session, "DELETE");
    append_session_headers(ending->fields, session_headers(), {});
    launch(ending);
}

LINKSPAN_DECL void http_core::finish_shutdown()
{
    if (on_shutdown_.empty())
        return;
    for (auto& done : std::exchange(on_shutdown_, {}))
        complete_later(std::move(done), {});
    close();
}

LINKSPAN_DECL void http_core::close() noexcept
{
    if (std::exchange(closed_, true))
        return;
    client_->close();
    for (auto* const each : {&guard_, &token_timer_, &endpoint_timer_, &shutdown_timer_})
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

LINKSPAN_DECL std::size_t http_core::queued_bytes() const noexcept
{
    auto bytes = client_->queued_bytes();
    for (auto const& each : held_)
        bytes += each->body.size();
    return bytes;
}

LINKSPAN_DECL http_core::exchange_pointer http_core::make(http_purpose why, std::string_view verb)
{
    auto out = std::make_shared<exchange>(*this, why, verb);
    out->lane = http_lane::control;
    out->timeout = config_.control_timeout;
    return out;
}

LINKSPAN_DECL http_core::exchange_pointer http_core::make_stream(http_purpose why)
{
    auto out = make(why, "GET");
    out->fields = "Accept: text/event-stream\r\n";
    return out;
}

LINKSPAN_DECL http_message http_core::session_headers() const
{
    http_message out;
    out.version = session_protocol_version_;
    out.session = session_id_;
    return out;
}

LINKSPAN_DECL void http_core::send(outbound const& message) noexcept
{
    bool const is_handshake = message.kind == message_kind::handshake;
    auto const what = make(message.id != 0 ? http_purpose::request : http_purpose::notification, "POST");
    what->post = {message.id, is_handshake || message.kind == message_kind::probe, message.version,
                  !session_id_.empty() && !is_handshake};
    if (is_handshake) {
        what->session = ++sessions_;
        session_id_.clear();
        session_protocol_version_.reset();
        if (push_ && !has_stream_)
            abandon(std::exchange(push_, nullptr));
        holding_ = false;
    }
    if (message.kind == message_kind::initialized) {
        what->ends_handshake = true;
        session_protocol_version_ = message.version;
    }
    if (message.id != 0) {
        what->lane = message.kind == message_kind::request ? http_lane::call : http_lane::control;
        what->timeout = duration::max(); // the session has timeouts of its own for requests
    } else if (!what->ends_handshake) {
        what->lane = http_lane::notice;
    }
    append_post_headers(what->fields, {message.method, message.name, message.version, message.mirrored, session_id_});
    what->body = message.bytes;
    if (closed_)
        return fail_unsent(*what, asio::error::operation_aborted);
    if (message.id != 0)
        by_id_.emplace(message.id, what);
    // Messages on different connections may overtake each other. Requests must not overtake the end of the handshake.
    if (holding_ && message.id != 0 && !what->post.opens)
        return held_.push_back(what);
    holding_ = holding_ || what->ends_handshake;
    launch(what);
}

LINKSPAN_DECL void http_core::launch(exchange_pointer what)
{
    if (!await_token(what, {})) {
        compose(*what);
        client_->start(std::move(what));
    }
}

LINKSPAN_DECL void http_core::compose(exchange& what)
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

LINKSPAN_DECL void http_core::fail_unsent(exchange& what, error_code ec)
{
    forget(what);
    push_report(what, certainty::not_sent, ec);
}

LINKSPAN_DECL void http_core::forget(exchange const& what)
{
    auto const found = by_id_.find(what.post.id);
    if (found != by_id_.end() && found->second.get() == &what)
        by_id_.erase(found);
}

// Called if the response to a request arrived on another exchange. Releases the exchange of the request.
LINKSPAN_DECL void http_core::release_responded(std::optional<request_id> id)
{
    auto const found = id ? by_id_.find(*id) : by_id_.end();
    if (found == by_id_.end())
        return;
    auto const what = found->second;
    by_id_.erase(found);
    what->has_response = true;
    what->pause.reset();
    std::erase(held_, what);
    std::erase(awaiting_token_, what);
    client_->release(*what);
}

LINKSPAN_DECL void http_core::abandon(exchange_pointer const& what)
{
    std::erase(awaiting_token_, what);
    what->pause.reset();
    client_->cancel(*what);
}

LINKSPAN_DECL abandon_result http_core::abandon(request_id id) noexcept
{
    auto const found = by_id_.extract(id);
    if (!found)
        return abandon_result::peer_not_notified;
    auto const what = found.mapped();
    bool const is_begun = what->why == http_purpose::resume || what->status != 0;
    if (pending_handshake_ == what)
        pending_handshake_.reset();
    if (std::erase(held_, what) + std::erase(awaiting_token_, what) != 0)
        return !is_begun              ? abandon_result::not_sent
               : what->is_stateless() ? abandon_result::peer_notified
                                      : abandon_result::peer_not_notified;
    if (what->pause) { // between two streams
        what->pause.reset();
        return abandon_result::peer_not_notified;
    }
    if (!client_->cancel(*what) && !is_begun)
        return abandon_result::not_sent;
    return what->is_stateless() ? abandon_result::peer_notified : abandon_result::peer_not_notified;
}

// Tokens

// Returns true if the exchange has to wait for a token. The exchange is then launched when the token arrives.
LINKSPAN_DECL bool http_core::await_token(exchange_pointer const& what, std::string_view challenge)
{
    auto const* const provider = std::get_if<token_provider>(&config_.auth);
    if (!provider || (has_token_ && challenge.empty() && time_.now() < token_ends_))
        return false;
    awaiting_token_.push_back(what);
    if (std::exchange(token_requested_, true))
        return true;
    has_token_ = false;
    token_timer_.expires_after(config_.token_timeout);
    start_wait(token_timer_, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->on_token(error::attempt_timed_out, {});
    });
    auto const on_result = [weak = weak_from_this(), number = ++token_requests_](error_code ec, access_token token) {
        if (auto const self = weak.lock())
            post_handler(self->executor_, [self, number, ec, token = std::move(token)]() mutable {
                if (self->token_requests_ == number) // else the token arrived after its timeout
                    self->on_token(ec, std::move(token));
            });
    };
    try {
        provider->fetch({url_.text(), challenge}, on_result);
    } catch (...) { // `send` is noexcept, so the exception becomes an error of the waiting requests
        on_result(asio::error::access_denied, {});
    }
    return true;
}

LINKSPAN_DECL void http_core::on_token(error_code ec, access_token token)
{
    if (closed_ || !std::exchange(token_requested_, false))
        return;
    token_timer_.cancel();
    if (!ec && !header_fault("Authorization", token.value).empty())
        ec = asio::error::invalid_argument;
    if (!ec) {
        ++tokens_;
        has_token_ = true;
        token_ends_ = token.expires_in ? time_.after(*token.expires_in) : time_point::max();
        authorization_ = "Authorization: Bearer " + token.value + "\r\n";
        remember_secret(std::move(token.value));
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

// Outstanding responses may contain a token that was replaced, so the last tokens are redacted too.
LINKSPAN_DECL void http_core::remember_secret(std::string token)
{
    recent_tokens_.push_back(std::move(token));
    if (recent_tokens_.size() > max_recent_tokens)
        recent_tokens_.pop_front();
    secrets_ = fixed_secrets_;
    for (auto const& each : recent_tokens_)
        secrets_.add(each);
}

// Receiving

// Returns a guard that drops the handler of the receive.
inline auto http_core::receiver_guard()
{
    auto const drop = [](http_core& core) { receive_handler const dropped = std::exchange(core.receiver_, {}); };
    return completion_guard(shared_from_this(), drop);
}

// A receive is not an operation of Asio, and its handler may own this transport. The handler of `guard_` drops the
// handler of the receive when the execution context ends, so that the transport does not keep itself alive.
LINKSPAN_DECL void http_core::guard()
{
    guard_.expires_at(time_point::max());
    start_wait(guard_, [guard = receiver_guard()](error_code) mutable { guard.release(); });
}

// Redacts the text of an error response, which error messages quote. The transport does so, because only the transport
// has the tokens of a provider.
LINKSPAN_DECL void http_core::redact_error(std::string& text, envelope& structure) const
{
    auto other = secrets_(text);
    text.swap(other);
    auto const redacted = read_envelope(text);
    if (redacted.what == structure.what && redacted.id == structure.id)
        structure = redacted;
    else
        text.swap(other); // `structure` refers to this text
}

// `structure`, `elements`: structures of `text`, with views of it.
LINKSPAN_DECL void http_core::push_message(std::string&& text, envelope structure, request_id of, certainty at_most,
                                           std::vector<envelope> elements)
{
    if (structure.what == envelope::kind::error && std::holds_alternative<token_provider>(config_.auth))
        redact_error(text, structure);
    inbound_message message;
    message.exchange = of;
    message.at_most = at_most;
    auto const* const address = text.data();
    auto& made = ready_.emplace_back();
    made.what = message;
    if (text.size() < large_message) {
        made.text = std::move(text);
    } else {
        auto const kept = std::make_shared<std::string const>(std::move(text));
        made.large = *kept;
        made.owner = kept;
    }
    // A move of a short string copies its characters, so that the views of the structure would dangle. A longer string
    // keeps its memory, also when `ready_` grows.
    static_assert(std::is_nothrow_move_constructible_v<item>);
    if (made.owner || made.text.data() == address) {
        made.structure = structure;
        made.elements = std::move(elements);
    }
    wake();
}

LINKSPAN_DECL void http_core::push_notice(exchange const& what, inbound_notice::kind kind, error_code ec)
{
    inbound_notice notice;
    notice.what = kind;
    notice.id = what.post.id;
    notice.ec = ec;
    auto& made = ready_.emplace_back();
    made.what = notice;
    if (kind == inbound_notice::kind::interrupted)
        made.text = what.refusals <= 1 ? std::string("stream lost, 1 attempt to resume failed")
                                       : "stream lost, " + std::to_string(what.refusals) + " attempts to resume failed";
    wake();
}

LINKSPAN_DECL void http_core::push_report(exchange const& what, certainty delivery, error_code ec,
                                          http_verdict const* verdict)
{
    inbound_report report;
    report.id = what.post.id;
    report.certainty = delivery;
    report.ec = ec;
    if (verdict) {
        report.era = verdict->era;
        report.retry_after = verdict->retry_after;
    }
    auto& made = ready_.emplace_back();
    made.what = report;
    // The text is redacted before it is cut, because a part of a secret is not recognized.
    made.text = secrets_(what.reply.substr(0, max_searched_bytes)).substr(0, first_bytes_of_body);
    made.challenge = secrets_(what.challenge);
    wake();
}

LINKSPAN_DECL void http_core::wake()
{
    if (receiver_ && !std::exchange(delivering_, true))
        post_handler(executor_, [guard = receiver_guard()]() mutable {
            auto const core = guard.release();
            core->delivering_ = false;
            if (core->receiver_)
                core->deliver();
        });
}

// The handler of the receive may start the next receive, or close the transport, before it returns.
LINKSPAN_DECL void http_core::deliver()
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
            message->structure = each.structure ? &*each.structure : nullptr;
            message->elements = each.elements;
        } else if (auto* const report = std::get_if<inbound_report>(&batch_.back())) {
            report->first_bytes = each.text;
            report->challenge = each.challenge;
        } else {
            std::get<inbound_notice>(batch_.back()).text = each.text;
        }
    }
    error_code const ec = !batch_.empty() ? error_code() : closed_ ? asio::error::operation_aborted : stream_error_;
    std::exchange(receiver_, {}).complete(ec, batch_);
}

// Responses

LINKSPAN_DECL void http_core::on_end(exchange_pointer const& what, error_code ec, bool sent)
{
    if (closed_ || what->has_response)
        return;
    if (!ec && !what->events && (redirect(what) || authorize_again(what)))
        return;
    if (!ec && what->is_encoded() && what->is_accepted())
        ec = error::malformed_http;
    bool const is_refused = !what->events && what->status >= 300;
    if (ec || is_refused)
        diagnostics_ = std::string(what->verb) + " " + url_.authority() + ": " +
                       (ec ? ec : error_code(what->status, http_category())).message();
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

// Returns true if the request is sent again to the target of a redirect.
LINKSPAN_DECL bool http_core::redirect(exchange_pointer const& what)
{
    if ((what->status != 307 && what->status != 308) || config_.follow == redirects::none || what->location.empty() ||
        what->redirects == max_redirects)
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

// Returns true if the request is sent again with another token.
LINKSPAN_DECL bool http_core::authorize_again(exchange_pointer const& what)
{
    if (what->status != 401 || !std::holds_alternative<token_provider>(config_.auth) ||
        std::exchange(what->authorized_again, true))
        return false;
    if (what->token != tokens_) { // another exchange has received a new token meanwhile
        launch(what);
        return true;
    }
    auto const challenge = what->challenge.empty() ? std::string("Bearer") : what->challenge;
    return await_token(what, challenge);
}

LINKSPAN_DECL void http_core::on_reply(exchange& what)
{
    auto const verdict = interpret(what.post, {what.status, what.retry_after, what.reply});
    if (what.why == http_purpose::resume && verdict.what != http_verdict::kind::message) {
        forget(what); // the stream cannot be resumed, so the outcome is unknown
        // `session_lost` would allow sending the request again, although it may have been executed.
        bool const is_lost = verdict.ec == error::session_lost;
        return push_report(what, certainty::unknown, is_lost ? error_code(error::stream_ended) : verdict.ec);
    }
    if (verdict.what != http_verdict::kind::message && has_stream_ && what.is_accepted()) // the stream has the response
        return forget(what);
    if (!fall_back(what, verdict))
        push_verdict(what, verdict);
}

LINKSPAN_DECL void http_core::push_verdict(exchange& what, http_verdict const& verdict)
{
    forget(what);
    if (verdict.what == http_verdict::kind::message)
        push_message(std::move(what.reply), verdict.message, what.post.id, verdict.certainty);
    else
        push_report(what, verdict.certainty, verdict.ec, &verdict);
}

// Called if a stream or a response ended before it was complete.
LINKSPAN_DECL void http_core::on_broken(exchange_pointer const& what, error_code ec)
{
    what->store_position();
    if (std::exchange(what->progressed, false))
        what->resumes = 0;
    if (what->why == http_purpose::resume && what->status == 0) {
        ++what->refusals;
        push_notice(*what, inbound_notice::kind::interrupted, ec);
    }
    bool const was_stream = what->events || what->why == http_purpose::resume;
    bool const is_known = !what->is_stateless() && what->session == sessions_ && !what->last_id.empty();
    if (was_stream && is_known && what->resumes < config_.max_resumes)
        return resume_later(what, ec);
    forget(*what);
    push_report(*what, certainty_of(evidence::stream_ended), ec ? ec : error_code(error::stream_ended));
}

// Schedules the resumption of a stream. `ec`: error of the stream; empty: the server ended the stream and is reachable.
LINKSPAN_DECL void http_core::resume_later(exchange_pointer const& what, error_code ec)
{
    auto const next = make_stream(what->why == http_purpose::push ? http_purpose::push : http_purpose::resume);
    next->post = what->post;
    next->last_id = what->last_id;
    next->retry = what->retry;
    next->resumes = what->resumes + 1;
    next->refusals = what->refusals;
    append_session_headers(next->fields, session_headers(), next->last_id);
    if (next->post.id != 0)
        by_id_[next->post.id] = next;
    else
        push_ = next;
    duration const doubled =
        std::min<duration>(config_.resume_pause * (1 << std::min(what->resumes, 5u)), max_resume_pause);
    auto pause = next->retry.value_or(doubled);
    // The number of resumptions of this stream is not limited, so a short pause of the server must not cause a busy
    // loop.
    if (next->why == http_purpose::push && what->resumes != 0)
        pause = std::max(pause, doubled);
    pause = std::max(pause, min_resume_pause);
    next->pause.emplace(executor_);
    if (!ec || next->why != http_purpose::resume || next->resumes != 1 || pause <= reachability_pause)
        return resume_after(next, pause);
    next->pause->expires_after(reachability_pause);
    start_wait(*next->pause, [weak = weak_from_this(), waiting = std::weak_ptr(next),
                              rest = pause - reachability_pause](error_code cancelled) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (cancelled || !self || self->closed_ || !due)
            return;
        self->try_connection(due);
        self->resume_after(due, rest);
    });
}

LINKSPAN_DECL void http_core::resume_after(exchange_pointer const& what, duration pause)
{
    what->pause->expires_after(pause);
    start_wait(*what->pause, [weak = weak_from_this(), waiting = std::weak_ptr(what)](error_code ec) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (ec || !self || self->closed_ || !due)
            return;
        due->pause.reset();
        due->dialing.reset();
        self->launch(due);
    });
}

// Makes a connection without sending a request, which the pause of the server does not allow. A refused connection
// shows that the server is unreachable. A successful connection is closed.
LINKSPAN_DECL void http_core::try_connection(exchange_pointer const& what)
{
    auto on_dialed = [weak = weak_from_this(), waiting = std::weak_ptr(what)](error_code ec,
                                                                              std::unique_ptr<byte_stream> const&) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (ec && self && !self->closed_ && due && due->pause)
            self->push_notice(*due, inbound_notice::kind::interrupted, ec);
    };
    what->dialing = dialer_->dial(executor_, {url_.host, url_.port}, {std::move(on_dialed), executor_});
}

LINKSPAN_DECL void http_core::on_handshake_over()
{
    holding_ = false;
    if (!has_stream_)
        open_push();
    for (auto const& each : std::exchange(held_, {}))
        launch(each);
}

// Opens the stream of messages of the server. A server without this stream refuses the request, which is no error.
LINKSPAN_DECL void http_core::open_push()
{
    push_ = make_stream(http_purpose::push);
    push_->post.version = session_protocol_version_;
    append_session_headers(push_->fields, session_headers(), {});
    launch(push_);
}

LINKSPAN_DECL void http_core::on_push_end(exchange_pointer const& what, error_code ec)
{
    if (push_ != what)
        return;
    push_.reset();
    what->store_position();
    bool const was_refused = !ec && !what->events;
    if (was_refused)
        return;
    if (std::exchange(what->progressed, false))
        what->resumes = 0;
    resume_later(what, ec);
}

// HTTP with SSE

LINKSPAN_DECL void http_core::open_stream()
{
    push_ = make_stream(http_purpose::push);
    push_->target = url_.target;
    endpoint_timer_.expires_after(config_.control_timeout);
    start_wait(endpoint_timer_, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->closed_ || !self->push_)
            return;
        self->abandon(self->push_);
        self->on_stream_end(error::attempt_timed_out);
    });
    launch(push_);
}

LINKSPAN_DECL void http_core::on_stream_event(exchange& what, sse_event& event)
{
    if (event.type == "message") {
        auto const message = read_envelope(event.data);
        if (message.what == envelope::kind::result || message.what == envelope::kind::error)
            release_responded(message.id);
        return push_message(std::move(event.data), message, 0, certainty::completed);
    }
    if (event.type != "endpoint" || (!opener_ && !pending_handshake_))
        return;
    // The server determines the URL for POST, but only within its own origin, so that credentials stay there.
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

LINKSPAN_DECL void http_core::on_stream_open(error_code ec)
{
    endpoint_timer_.cancel();
    if (opener_)
        complete_later(std::move(opener_), ec);
    auto const handshake = std::exchange(pending_handshake_, nullptr);
    if (!handshake)
        return;
    if (ec) { // the refusal of Streamable HTTP is the result of the handshake
        has_stream_ = false;
        push_.reset();
        return push_verdict(*handshake, *refusal_);
    }
    handshake->target = post_target_;
    launch(handshake);
}

LINKSPAN_DECL void http_core::on_stream_end(error_code ec)
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

// Tries HTTP with SSE after the server has refused `initialize`. Returns false if the refusal is the result.
LINKSPAN_DECL bool http_core::fall_back(exchange& refused, http_verdict const& verdict)
{
    bool const is_handshake = refused.post.opens && !refused.post.version;
    if (framing_ != http_framing::automatic || has_stream_ || !is_handshake || verdict.era != era_evidence::handshake)
        return false;
    pending_handshake_ = refused.shared_from_this();
    refusal_ = verdict;
    has_stream_ = true;
    open_stream();
    return true;
}

} // namespace linkspan::detail

#endif
