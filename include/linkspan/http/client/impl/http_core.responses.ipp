#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_RESPONSES_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_RESPONSES_IPP

#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/http/client/detail/http_core.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/protocol/outcome.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Responses

LINKSPAN_DECL void http_core::on_session_id(std::string_view id) { session_.on_id(id); }

LINKSPAN_DECL void http_core::on_stream(transport_exchange& what)
{
    if (what.purpose == http_purpose::resume)
        push_notice(what, inbound_notice::kind::continued, {});
}

LINKSPAN_DECL void http_core::on_event(transport_exchange& what, sse_event& event)
{
    if (stream_.carries_messages() && what.purpose == http_purpose::server_stream)
        return on_sse_event(what, event);
    if (event.type != "message")
        return;
    auto const message = read_envelope(event.data);
    bool const is_response = message.what == envelope::kind::result || message.what == envelope::kind::error;
    std::vector<envelope> elements;
    bool const completes = what.is_completed_by(message, event.data, elements);
    if (completes)
        what.complete();
    else if (is_response)
        release_responded(message.id);
    push_message(std::move(event.data), message, what.post.id, certainty::completed, std::move(elements));
    if (completes)
        forget(what);
}

LINKSPAN_DECL void http_core::on_result(transport_exchange& what) { client_->release(what); }

LINKSPAN_DECL void http_core::on_failure(exchange_pointer const& what, error_code ec)
{
    client_->cancel(*what);
    on_end(what, ec, true);
}

LINKSPAN_DECL void http_core::on_end(exchange_pointer const& what, error_code ec, bool sent)
{
    if (closed_ || what->is_complete())
        return;
    if (!ec && !what->is_stream() && !what->is_accepted() && (redirect(what) || authorize_again(what)))
        return;
    if (!ec && what->is_encoded() && what->is_accepted())
        ec = error::malformed_http;
    bool const is_refused = !what->is_stream() && what->status() >= 300;
    if (ec || is_refused)
        diagnostics_ = std::string(what->method) + " " + url_.authority() + ": " +
                       (ec ? ec : error_code(what->status(), http_category())).message();
    switch (what->purpose) {
    case http_purpose::server_stream:
        return stream_.carries_messages() ? on_sse_end(ec) : on_server_stream_end(what, ec);
    case http_purpose::end_session: return finish_shutdown();
    case http_purpose::notification:
        if (what->ends_handshake)
            on_handshake_over();
        return ended_.release(what);
    case http_purpose::request:
        if (!sent)
            return fail_unsent(*what, ec);
        [[fallthrough]];
    case http_purpose::resume:
        if (!sent || ec || what->is_stream())
            return on_broken(what, ec);
        return on_reply(*what);
    }
}

// Returns true if the request is sent again to the target of a redirect.
LINKSPAN_DECL bool http_core::redirect(exchange_pointer const& what)
{
    auto target = what->repetition.on_response(what->status(), what->location(), url_, what->target, config_.follow);
    if (!target)
        return false;
    what->target = std::move(*target);
    what->store_body();
    launch(what);
    return true;
}

// Returns true if the request is sent again with another token.
LINKSPAN_DECL bool http_core::authorize_again(exchange_pointer const& what)
{
    using step = request_repetition::step;
    if (what->status() != 401)
        return false;
    auto const next = what->repetition.on_unauthorized(tokens_.has_provider(), what->token == tokens_.number());
    if (next == step::none)
        return false;
    what->store_body();
    if (next == step::request_token)
        return await_token(what, what->challenge().empty() ? std::string("Bearer") : what->challenge());
    launch(what);
    return true;
}

LINKSPAN_DECL void http_core::on_reply(transport_exchange& what)
{
    auto const verdict = interpret(what.post, {what.status(), what.retry_after(), what.reply()});
    if (what.purpose == http_purpose::resume && verdict.what != http_verdict::kind::message) {
        forget(what); // the stream cannot be resumed, so the outcome is unknown
        // `session_lost` would allow sending the request again, although it may have been executed.
        bool const is_lost = verdict.ec == error::session_lost;
        return push_report(what, certainty::unknown, is_lost ? error_code(error::stream_ended) : verdict.ec);
    }
    if (verdict.what != http_verdict::kind::message && stream_.carries_messages() &&
        what.is_accepted()) // the stream has the response
        return forget(what);
    if (!fall_back(what, verdict))
        push_verdict(what, verdict);
}

// Called if a stream or a response ended before it was complete.
LINKSPAN_DECL void http_core::on_broken(exchange_pointer const& what, error_code ec)
{
    what->store_position();
    if (what->purpose == http_purpose::resume && what->status() == 0) {
        what->resumption.on_refused();
        push_notice(*what, inbound_notice::kind::interrupted, ec);
    }
    bool const was_stream = what->is_stream() || what->purpose == http_purpose::resume;
    // The server would send an event that is too long again.
    bool const is_resumable = !what->is_stateless() && what->session == session_.number() &&
                              !what->resumption.position().empty() && ec != error::body_too_long;
    if (was_stream && is_resumable && what->resumption.attempts() < config_.max_resumes)
        return resume_later(what, ec);
    forget(*what);
    push_report(*what, certainty_of(evidence::stream_ended), ec ? ec : error_code(error::stream_ended));
}

// Schedules the resumption of a stream. `ec`: error of the stream; empty: the server ended the stream and is reachable.
LINKSPAN_DECL void http_core::resume_later(exchange_pointer const& what, error_code ec)
{
    bool const is_server_stream = what->purpose == http_purpose::server_stream;
    auto const next = make_stream(is_server_stream ? http_purpose::server_stream : http_purpose::resume);
    next->post = what->post;
    next->resumption = what->resumption.next();
    append_session_headers(next->fields, session_.headers(), next->resumption.position());
    if (next->post.id != 0)
        by_id_[next->post.id] = next;
    else
        stream_exchange_ = next;
    auto const pause = next->resumption.pause(config_.resume_pause, is_server_stream);
    next->pause.emplace(executor_);
    if (!ec || next->purpose != http_purpose::resume || !next->resumption.checks_reachability(pause))
        return resume_after(next, pause);
    constexpr auto reachability_pause = stream_resumption::reachability_pause;
    next->pause->expires_after(reachability_pause);
    start_wait(*next->pause, [weak = weak_from_this(), waiting = std::weak_ptr(next),
                              rest = pause - reachability_pause](error_code cancelled) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (cancelled || !self || self->closed_ || !due)
            return;
        self->check_reachability(due);
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
LINKSPAN_DECL void http_core::check_reachability(exchange_pointer const& what)
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
    session_.on_handshake_over();
    if (!stream_.carries_messages())
        open_server_stream();
    for (auto const& each : std::exchange(held_, {}))
        launch(each);
}

// Opens the stream of messages of the server. A server without this stream refuses the request, which is no error.
LINKSPAN_DECL void http_core::open_server_stream()
{
    stream_exchange_ = make_stream(http_purpose::server_stream);
    stream_exchange_->post.version = session_.version();
    append_session_headers(stream_exchange_->fields, session_.headers(), {});
    launch(stream_exchange_);
}

LINKSPAN_DECL void http_core::on_server_stream_end(exchange_pointer const& what, error_code ec)
{
    if (stream_exchange_ != what)
        return;
    stream_exchange_.reset();
    what->store_position();
    if (ec == error::body_too_long)
        what->resumption.on_too_long_event();
    bool const was_refused = !ec && !what->is_stream();
    if (!was_refused)
        resume_later(what, ec);
}

// HTTP+SSE

LINKSPAN_DECL void http_core::open_sse_stream()
{
    stream_exchange_ = make_stream(http_purpose::server_stream);
    stream_exchange_->target = url_.target;
    endpoint_timer_.expires_after(config_.control_timeout);
    start_wait(endpoint_timer_, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->closed_ || !self->stream_exchange_)
            return;
        self->abandon(self->stream_exchange_);
        self->on_sse_end(error::attempt_timed_out);
    });
    launch(stream_exchange_);
}

LINKSPAN_DECL void http_core::on_sse_event(transport_exchange& what, sse_event& event)
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
        client_->cancel(*stream_exchange_);
        return on_sse_open(error::address_forbidden);
    }
    stream_.on_endpoint(to->target);
    on_sse_open({});
}

LINKSPAN_DECL void http_core::on_sse_open(error_code ec)
{
    endpoint_timer_.cancel();
    if (opener_)
        complete_later(std::move(opener_), ec);
    auto const handshake = std::exchange(pending_handshake_, nullptr);
    if (!handshake)
        return;
    if (ec) { // the refusal of Streamable HTTP is the result of the handshake
        stream_exchange_.reset();
        return push_verdict(*handshake, stream_.on_fallback_failed());
    }
    handshake->target = stream_.post_target();
    handshake->store_body();
    launch(handshake);
}

LINKSPAN_DECL void http_core::on_sse_end(error_code ec)
{
    ec = stream_exchange_ ? server_stream::reason_of_end(ec, stream_exchange_->status(), stream_exchange_->is_stream())
                          : server_stream::reason_of_end(ec, 0, true);
    if (opener_ || pending_handshake_)
        return on_sse_open(ec);
    stream_exchange_.reset();
    stream_.on_end(ec);
    wake();
}

// Tries HTTP+SSE after the server has refused `initialize`. Returns false if the refusal is the result.
LINKSPAN_DECL bool http_core::fall_back(transport_exchange& refused, http_verdict const& verdict)
{
    if (!stream_.fall_back(refused.post, verdict))
        return false;
    pending_handshake_ = refused.shared_from_this();
    open_sse_stream();
    return true;
}

} // namespace linkspan::detail

#endif
