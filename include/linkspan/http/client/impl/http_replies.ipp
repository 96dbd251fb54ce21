#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_REPLIES_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_REPLIES_IPP

// What becomes of an exchange over HTTP: the part of `http_core` that reads responses.

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/client/detail/http_core.hpp>
#include <linkspan/protocol/outcome.hpp>

namespace linkspan::detail {

// Responses

LINKSPAN_DECL void http_core::on_end(exchange_pointer const& what, error_code ec, bool sent)
{
    if (closed_ || what->answered)
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

// True: it goes on elsewhere.
LINKSPAN_DECL bool http_core::redirect(exchange_pointer const& what)
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
LINKSPAN_DECL bool http_core::authorize_again(exchange_pointer const& what)
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

LINKSPAN_DECL void http_core::on_reply(exchange& what)
{
    auto const verdict = judge(what.post, {what.status, what.retry_after, what.reply});
    if (what.why == http_purpose::resume && verdict.what != http_verdict::kind::message) {
        forget(what); // it cannot be resumed: nobody knows what became of it
        // Even when the session is gone: what that error allows, to send it again, this one must not.
        bool const is_lost = verdict.ec == error::session_lost;
        return push_report(what, certainty::unknown, is_lost ? error_code(error::stream_ended) : verdict.ec);
    }
    if (verdict.what != http_verdict::kind::message && has_stream_ && what.is_accepted()) // it comes over the stream
        return forget(what);
    if (!fall_back(what, verdict))
        push_verdict(what, verdict);
}

LINKSPAN_DECL void http_core::push_verdict(exchange& what, http_verdict const& verdict)
{
    forget(what);
    if (verdict.what == http_verdict::kind::message)
        push_message(std::move(what.reply), what.post.id, verdict.how);
    else
        push_report(what, verdict.how, verdict.ec, &verdict);
}

// A stream, or an answer, that ended before it was complete.
LINKSPAN_DECL void http_core::on_broken(exchange_pointer const& what, error_code ec)
{
    what->keep_place();
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

// `ec`: error of the stream; empty: the server ended the stream and is reachable.
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
        std::min<duration>(config_.resume_pause * (1 << std::min(what->resumes, 5u)), longest_resume_pause);
    auto pause = next->retry.value_or(doubled);
    // Nothing bounds how often: a server that ends its stream at once, each time, must not keep us busy.
    if (next->why == http_purpose::push && what->resumes != 0)
        pause = std::max(pause, doubled);
    pause = std::max(pause, least_resume_pause);
    next->pause.emplace(executor_);
    if (!ec || next->why != http_purpose::resume || next->resumes != 1 || pause <= reachability_pause)
        return resume_after(next, pause);
    next->pause->expires_after(reachability_pause);
    next->pause->async_wait([weak = weak_from_this(), waiting = std::weak_ptr(next),
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
    what->pause->async_wait([weak = weak_from_this(), waiting = std::weak_ptr(what)](error_code ec) {
        auto const self = weak.lock();
        auto const due = waiting.lock();
        if (ec || !self || self->closed_ || !due)
            return;
        due->pause.reset();
        due->dialing.reset();
        self->launch(due);
    });
}

// The server may have asked for a long pause before it died, and no request may be sent in the pause. A connection that
// is refused says enough; one that is made is closed.
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

// What the server sends unasked. Whether it has such a stream, only asking tells.
LINKSPAN_DECL void http_core::open_push()
{
    push_ = make_stream(http_purpose::push);
    push_->post.spoken = session_revision_;
    append_session_headers(push_->fields, session_headers(), {});
    launch(push_);
}

LINKSPAN_DECL void http_core::on_push_end(exchange_pointer const& what, error_code ec)
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
    resume_later(what, ec);
}

// The stream of 2024-11-05

LINKSPAN_DECL void http_core::open_stream()
{
    push_ = make_stream(http_purpose::push);
    push_->target = url_.target;
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

LINKSPAN_DECL void http_core::on_stream_event(exchange& what, sse_event& event)
{
    if (event.type == "message") {
        auto const message = read_envelope(event.data);
        if (message.what == envelope::kind::result || message.what == envelope::kind::error)
            release_answered(message.id);
        return push_message(std::move(event.data), 0, certainty::completed);
    }
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

LINKSPAN_DECL void http_core::on_stream_open(error_code ec)
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

// A server that refuses the handshake may be one of the time of streams.
LINKSPAN_DECL bool http_core::fall_back(exchange& refused, http_verdict const& verdict)
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

} // namespace linkspan::detail

#endif
