#ifndef LINKSPAN_HTTP_CLIENT_IMPL_TRANSPORT_EXCHANGE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_TRANSPORT_EXCHANGE_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/client/detail/transport_exchange.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/beast/http/field.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Upper bound of the memory that is reserved for a body because of its Content-Length, before the body has arrived.
inline constexpr std::size_t max_reserved_bytes = std::size_t{4} << 20;

// Returns the decimal number at the beginning of a text, or a number above `max_reserved_bytes` if it is larger.
inline std::size_t content_length(boost::beast::string_view text) noexcept
{
    std::size_t out = 0;
    for (char const c : text) {
        if (c < '0' || c > '9' || out > max_reserved_bytes)
            break;
        out = out * 10 + static_cast<std::size_t>(c - '0');
    }
    return out;
}

LINKSPAN_DECL bool transport_exchange::on_head(head_type const& head)
{
    using field = boost::beast::http::field;
    auto const text = [&head](field name) { return std::string(head[name]); };
    status_ = static_cast<int>(head.result_int());
    retry_after_ = text(field::retry_after);
    challenge_ = text(field::www_authenticate);
    location_ = text(field::location);
    encoding_ = text(field::content_encoding);
    reply_.clear();
    events_.reset();
    auto const to = receiver_.lock();
    if (!to)
        return false;
    constexpr int ok = 200;
    if (post.opens && !post.version && status_ == ok)
        to->on_session_id(head["Mcp-Session-Id"]);
    bool const may_stream = why != http_purpose::notification && why != http_purpose::end_session;
    if (may_stream && status_ == ok && is_media_type(text(field::content_type), "text/event-stream")) {
        events_.emplace(max_event_);
        resumption.on_stream();
        to->on_stream(*this);
        return true;
    }
    auto const length = head.find(field::content_length);
    if (length != head.end())
        reply_.reserve(std::min(max_reserved_bytes, content_length(length->value())));
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
    return !encoding_.empty() && !equal_ignoring_case(encoding_, "identity");
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
