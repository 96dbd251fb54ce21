#ifndef LINKSPAN_HTTP_CLIENT_IMPL_TRANSPORT_EXCHANGE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_TRANSPORT_EXCHANGE_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/client/detail/transport_exchange.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/beast/http/field.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum memory that is reserved for a body according to its Content-Length, before the body has arrived. Memory that
// is not written is not resident. The value is the default of `http_config::max_body`.
inline constexpr std::size_t max_reserved_bytes = std::size_t{16} << 20;

// Returns the decimal number at the beginning of a text. If this number exceeds `max_reserved_bytes`, the result may be
// any number that exceeds it.
inline std::size_t content_length(std::string_view text) noexcept
{
    std::size_t out = 0;
    for (char const c : text) {
        if (c < '0' || c > '9' || out > max_reserved_bytes)
            break;
        out = out * 10 + static_cast<std::size_t>(c - '0');
    }
    return out;
}

LINKSPAN_DECL bool transport_exchange::is_large() const noexcept
{
    auto const is_long = [](std::string const& text) { return text.capacity() > kept_text; };
    return stream_bytes_ > kept_text || is_long(request) || is_long(body) || is_long(reply_) || is_long(fields) ||
           is_long(target) || is_long(response_.challenge) || is_long(response_.location);
}

LINKSPAN_DECL void transport_exchange::reuse(http_purpose of, std::string_view http_method)
{
    client_exchange::reuse();
    purpose = of;
    method = http_method;
    post = {};
    ends_handshake = false;
    repetition = {};
    session = token = 0;
    body_size = 0;
    resumption = {};
    pause.reset();
    dialing.reset();
    for (auto* const text : {&target, &fields, &body, &reply_})
        text->clear();
    response_.clear();
    events_.reset();
    stream_bytes_ = 0;
    is_complete_ = false;
}

LINKSPAN_DECL bool transport_exchange::on_head(http_head const& head)
{
    using field = boost::beast::http::field;
    response_.status = head.status();
    set_text(response_.retry_after, head[field::retry_after]);
    set_text(response_.challenge, head[field::www_authenticate]);
    set_text(response_.location, head[field::location]);
    set_text(response_.encoding, head[field::content_encoding]);
    reply_.clear();
    events_.reset();
    stream_bytes_ = 0;
    auto const to = receiver_.lock();
    if (!to)
        return false;
    constexpr int ok = 200;
    // The head of a resumed stream may lack the id, which the interrupted response had.
    if (post.opens && !post.version && response_.status == ok && purpose != http_purpose::resume)
        to->on_session_id(head["Mcp-Session-Id"]);
    bool const may_stream = purpose != http_purpose::notification && purpose != http_purpose::end_session;
    if (may_stream && response_.status == ok && is_media_type(head[field::content_type], "text/event-stream")) {
        events_.emplace(max_event_);
        resumption.on_stream();
        to->on_stream(*this);
        return true;
    }
    reply_.reserve(std::min(max_reserved_bytes, content_length(head[field::content_length])));
    return false;
}

LINKSPAN_DECL void transport_exchange::on_body(std::string_view piece)
{
    if (!events_ && !is_encoded()) {
        reply_ += piece;
        return;
    }
    auto const to = receiver_.lock();
    if (!to || is_complete_)
        return;
    auto const self = shared_from_this(); // the receiver may release all other references
    if (is_encoded()) {
        if (is_accepted())
            to->on_failure(self, error::malformed_http);
        return; // the body of a refusal is not needed
    }
    stream_bytes_ += piece.size();
    auto const batch = events_->resume(piece);
    for (auto& event : batch.events) {
        resumption.on_event();
        to->on_event(*this, event);
        if (is_complete_ || !to->is_open())
            break;
    }
    if (!to->is_open())
        return;
    if (is_complete_)
        return to->on_result(*this);
    if (batch.ec)
        to->on_failure(self, error::body_too_long);
}

LINKSPAN_DECL bool transport_exchange::is_encoded() const noexcept
{
    return !response_.encoding.empty() && !equal_ignoring_case(response_.encoding, "identity");
}

LINKSPAN_DECL bool transport_exchange::is_completed_by(envelope const& message) const noexcept
{
    using kind = envelope::kind;
    bool const is_unreadable = message.what == kind::invalid && message.method.empty();
    return (message.what == kind::result || message.what == kind::error || is_unreadable) &&
           message.id.value_or(post.id) == post.id;
}

LINKSPAN_DECL bool transport_exchange::is_completed_by(envelope const& message, std::string_view text,
                                                       std::vector<envelope>& kept) const
{
    if (post.id == 0)
        return false;
    if (message.what != envelope::kind::batch)
        return is_completed_by(message);
    bool out = false;
    for (json_scan::reader elements(text); auto const element = elements.next();) {
        auto const one = read_envelope(element->value);
        out = out || is_completed_by(one);
        if (kept.size() != max_kept_elements)
            kept.push_back(one);
        else if (out)
            break;
    }
    return out;
}

} // namespace linkspan::detail

#endif
