#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/detail/text_writer.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/http/client/detail/http_core.hpp>
#include <linkspan/http/http_headers.hpp>

#include <boost/asio/error.hpp>

#include <variant>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline http_client::options client_options(http_config const& config, http_url const& url)
{
    http_client::options out{
        {url.host, url.port}, config.max_connections, config.connect_timeout, config.idle_timeout, {}};
    out.limits.head = config.max_head;
    out.limits.body = config.max_body;
    return out;
}

LINKSPAN_DECL http_core::http_core(asio::any_io_executor executor, http_config const& config, http_framing framing,
                                   redactor secrets)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      config_(config),
      url_(address_of(config)),
      dialer_(make_dialer(config_, url_)),
      client_(std::make_shared<http_client>(executor_, dialer_, client_options(config_, url_))),
      tokens_(config_.auth, std::move(secrets)),
      token_wait_{{}, timer(executor_)},
      stream_(framing, url_.target),
      endpoint_timer_(executor_),
      shutdown_wait_{{}, timer(executor_)}
{
    common_ = " HTTP/1.1\r\nHost: " + url_.authority() + "\r\nAccept-Encoding: identity\r\n";
    bool has_user_agent = false;
    for (auto const& [name, value] : config_.headers) {
        append_header(common_, name, value);
        has_user_agent = has_user_agent || equal_ignoring_case(name, "User-Agent");
    }
    if (!has_user_agent)
        append_header(common_, "User-Agent", "linkspan/" + std::string(version));
}

LINKSPAN_DECL void http_core::open(done_handler done)
{
    if (url_.is_secure && !config_.tls)
        return complete_later(std::move(done), error::tls_missing);
    if (!stream_.carries_messages())
        return complete_later(std::move(done), {});
    opener_ = std::move(done);
    open_sse_stream();
}

// Ending

LINKSPAN_DECL void http_core::shutdown(done_handler done)
{
    if (closed_ || stream_.carries_messages() || session_.id().empty()) {
        close();
        return complete_later(std::move(done), {});
    }
    shutdown_wait_.handlers.push_back(std::move(done));
    if (shutdown_wait_.handlers.size() != 1)
        return; // completes with the outstanding shutdown
    // The timeout also bounds the time for a token and for a connection.
    shutdown_wait_.deadline.expires_after(config_.shutdown_timeout);
    start_wait(shutdown_wait_.deadline, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->finish_shutdown();
    });
    auto const ending = make(http_purpose::end_session, "DELETE");
    append_session_headers(ending->fields, session_.headers(), {});
    launch(ending);
}

LINKSPAN_DECL void http_core::finish_shutdown()
{
    if (shutdown_wait_.handlers.empty())
        return;
    for (auto& done : std::exchange(shutdown_wait_.handlers, {}))
        complete_later(std::move(done), {});
    close();
}

LINKSPAN_DECL void http_core::close() noexcept
{
    if (std::exchange(closed_, true))
        return;
    client_->close();
    for (auto* const each : {&token_wait_.deadline, &endpoint_timer_, &shutdown_wait_.deadline})
        each->cancel();
    if (guard_)
        guard_->cancel();
    for (auto const& [id, each] : by_id_)
        each->pause.reset();
    if (stream_exchange_)
        stream_exchange_->pause.reset();
    by_id_.clear();
    ended_.clear();
    held_.clear();
    token_wait_.exchanges.clear();
    stream_exchange_.reset();
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
    for (auto const* const waiting : {&held_, &token_wait_.exchanges})
        for (auto const& each : *waiting)
            bytes += each->body.size();
    return bytes;
}

LINKSPAN_DECL http_core::exchange_pointer http_core::make(http_purpose purpose, std::string_view method)
{
    auto out = ended_.acquire();
    if (out)
        out->reuse(purpose, method);
    else
        out = std::make_shared<transport_exchange>(weak_from_this(), purpose, method, config_.max_event);
    out->target = stream_.post_target();
    out->session = session_.number();
    out->lane = http_lane::control;
    out->timeout = config_.control_timeout;
    return out;
}

LINKSPAN_DECL http_core::exchange_pointer http_core::make_stream(http_purpose purpose)
{
    auto out = make(purpose, "GET");
    out->fields = "Accept: text/event-stream\r\n";
    return out;
}

LINKSPAN_DECL void http_core::send(outbound const& message) noexcept
{
    bool const is_handshake = message.kind == message_kind::handshake;
    auto const what = make(message.id != 0 ? http_purpose::request : http_purpose::notification, "POST");
    what->post = {message.id, is_handshake || message.kind == message_kind::probe, message.version,
                  !session_.id().empty() && !is_handshake};
    if (is_handshake) {
        what->session = session_.begin();
        if (stream_exchange_ && !stream_.carries_messages())
            abandon(std::exchange(stream_exchange_, nullptr));
    }
    if (message.kind == message_kind::initialized) {
        what->ends_handshake = true;
        session_.on_initialized(message.version);
    }
    if (message.id != 0) {
        what->lane = message.kind == message_kind::request ? http_lane::call : http_lane::control;
        what->timeout = duration::max(); // the session has timeouts of its own for requests
    } else if (!what->ends_handshake) {
        what->lane = http_lane::other_messages;
    }
    post_headers_.append(what->fields,
                         {message.method, message.name, message.version, message.mirrored, session_.id()});
    if (closed_)
        return fail_unsent(*what, asio::error::operation_aborted);
    if (message.id != 0)
        by_id_.emplace(message.id, what);
    bool const is_held = session_.must_hold(message.id, what->post.opens);
    if (is_held)
        held_.push_back(what);
    if (is_held || await_token(what, {})) {
        what->body = message.bytes;
        return;
    }
    compose(*what, message.bytes);
    client_->start(what);
}

LINKSPAN_DECL void http_core::launch(exchange_pointer what)
{
    if (!await_token(what, {})) {
        compose(*what, what->body);
        client_->start(std::move(what));
    }
}

// `body`: body of the request, which is copied into the request only; a large one should not be copied twice.
LINKSPAN_DECL void http_core::compose(transport_exchange& what, std::string_view body)
{
    using namespace std::string_view_literals;
    constexpr auto length_name = "Content-Length: "sv;
    auto const& authorization = tokens_.authorization();
    auto& out = what.request;
    auto const head = what.method.size() + 1 + what.target.size() + common_.size() + authorization.size() +
                      what.fields.size() + length_name.size() + text_writer::max_digits + 4;
    out.clear();
    out.reserve(head + body.size());
    out.resize(head);
    text_writer to(out.data());
    to.add(what.method);
    to.add(' ');
    to.add(what.target);
    to.add(common_);
    to.add(authorization);
    to.add(what.fields);
    if (what.method == "POST") {
        to.add(length_name);
        to.add_number(body.size());
        to.add("\r\n"sv);
    }
    to.add("\r\n"sv);
    out.resize(static_cast<std::size_t>(to.end() - out.data()));
    out += body;
    what.body_size = body.size();
    what.token = tokens_.number();
}

LINKSPAN_DECL void http_core::fail_unsent(transport_exchange& what, error_code ec)
{
    forget(what);
    // After a response, which was a redirect or a refusal with 401, the request was to be sent again.
    push_report(what, what.status() == 0 ? certainty::not_sent : certainty::refused, ec);
}

LINKSPAN_DECL void http_core::forget(transport_exchange const& what)
{
    auto const found = by_id_.find(what.post.id);
    if (found == by_id_.end() || found->second.get() != &what)
        return;
    if (what.purpose == http_purpose::request) // a handler may have a weak reference to a resumption
        ended_.release(std::move(found->second));
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
    what->complete();
    what->pause.reset();
    std::erase(held_, what);
    std::erase(token_wait_.exchanges, what);
    client_->release(*what);
}

LINKSPAN_DECL void http_core::abandon(exchange_pointer const& what)
{
    std::erase(token_wait_.exchanges, what);
    what->pause.reset();
    client_->cancel(*what);
}

LINKSPAN_DECL abandon_result http_core::abandon(request_id id) noexcept
{
    auto const found = by_id_.find(id);
    if (found == by_id_.end())
        return abandon_result::peer_not_notified;
    auto const what = std::move(found->second);
    by_id_.erase(found);
    bool const is_begun = what->purpose == http_purpose::resume || what->status() != 0;
    if (pending_handshake_ == what)
        pending_handshake_.reset();
    if (std::erase(held_, what) + std::erase(token_wait_.exchanges, what) != 0)
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
    if (!tokens_.has_provider() || !tokens_.must_wait(challenge, time_.now()))
        return false;
    token_wait_.exchanges.push_back(what);
    auto const request = tokens_.begin_request();
    if (request == 0)
        return true; // another request is outstanding
    token_wait_.deadline.expires_after(config_.token_timeout);
    start_wait(token_wait_.deadline, [weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self)
            self->on_token(error::attempt_timed_out, {});
    });
    auto const on_token_result = [weak = weak_from_this(), request](error_code ec, access_token token) {
        if (auto const self = weak.lock())
            post_handler(self->executor_, [self, request, ec, token = std::move(token)]() mutable {
                if (self->tokens_.is_outstanding(request)) // else the token arrived after its timeout
                    self->on_token(ec, std::move(token));
            });
    };
    try {
        std::get<token_provider>(config_.auth).fetch({url_.text(), challenge}, on_token_result);
    } catch (...) { // `send` is noexcept, so the exception becomes an error of the waiting requests
        on_token_result(asio::error::access_denied, {});
    }
    return true;
}

LINKSPAN_DECL void http_core::on_token(error_code ec, access_token token)
{
    if (closed_ || !tokens_.end_request())
        return;
    token_wait_.deadline.cancel();
    ec = tokens_.on_result(ec, std::move(token), time_.now());
    for (auto const& each : std::exchange(token_wait_.exchanges, {})) {
        if (ec) {
            on_end(each, ec, false);
        } else {
            compose(*each, each->body);
            client_->start(each);
        }
    }
}

} // namespace linkspan::detail

#endif
