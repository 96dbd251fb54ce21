#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_RECEIVING_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_CORE_RECEIVING_IPP

#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/http/client/detail/http_core.hpp>

#include <boost/asio/error.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Number of bytes of a body that is not a message in reports: enough to recognize the body.
inline constexpr std::size_t first_bytes_of_body = 200;

// Number of bytes of a body that are searched for secrets, before the body is cut to `first_bytes_of_body`.
inline constexpr std::size_t max_searched_bytes = std::size_t{64} << 10;

LINKSPAN_DECL void http_core::receive(receive_handler handler)
{
    receiver_ = std::move(handler);
    inbox_.release();
    if (!guard_)
        guard();
    if (!inbox_.empty() || closed_ || stream_.end())
        wake();
}

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
    guard_.emplace(executor_);
    guard_->expires_at(time_point::max());
    start_wait(*guard_, [guard = receiver_guard()](error_code) mutable { guard.release(); });
}

// Redacts the text of an error response, which error messages quote. The transport does so, because only the transport
// has the tokens of a provider.
LINKSPAN_DECL void http_core::redact_error(std::string& text, envelope& structure) const
{
    auto other = tokens_.secrets()(text);
    text.swap(other);
    auto const redacted = read_envelope(text);
    if (redacted.what == structure.what && redacted.id == structure.id)
        structure = redacted;
    else
        text.swap(other); // `structure` refers to this text
}

// `structure`, `elements`: structures of `text`, with views of it.
LINKSPAN_DECL void http_core::push_message(std::string&& text, envelope structure, request_id of,
                                           certainty max_certainty, std::vector<envelope> elements)
{
    if (structure.what == envelope::kind::error && tokens_.has_provider())
        redact_error(text, structure);
    inbox_.add_message(std::move(text), structure, of, max_certainty, std::move(elements));
    wake();
}

LINKSPAN_DECL void http_core::push_notice(transport_exchange const& what, inbound_notice::kind kind, error_code ec)
{
    inbound_notice notice;
    notice.what = kind;
    notice.id = what.post.id;
    notice.ec = ec;
    std::string text;
    if (kind == inbound_notice::kind::interrupted) {
        // 0: the stream was not resumed yet, because of the pause that the server requested.
        auto const failures = what.resumption.refusals();
        text = failures == 0   ? "stream lost, attempt to connect failed"
               : failures == 1 ? "stream lost, 1 attempt to resume failed"
                               : "stream lost, " + std::to_string(failures) + " attempts to resume failed";
    }
    inbox_.add_notice(notice, std::move(text));
    wake();
}

LINKSPAN_DECL void http_core::push_report(transport_exchange const& what, certainty delivery, error_code ec,
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
    // The text is redacted before it is cut, because a part of a secret is not recognized.
    auto const& secrets = tokens_.secrets();
    auto const redacted = secrets(std::string_view(what.reply()).substr(0, max_searched_bytes));
    std::string text(utf8_prefix(redacted, first_bytes_of_body));
    inbox_.add_report(report, std::move(text), secrets(what.challenge()));
    wake();
}

// The delivery is posted although `wake` usually runs in a handler: a server that closes the connection right after its
// response has then closed it before the receiver sends the next request, which would have an unknown outcome.
LINKSPAN_DECL void http_core::wake()
{
    if (receiver_ && inbox_.schedule_delivery())
        post_handler(executor_, [guard = receiver_guard()]() mutable {
            auto const core = guard.release();
            core->inbox_.begin_delivery();
            if (core->receiver_)
                core->deliver();
        });
}

// The handler of the receive may start the next receive, or close the transport, before it returns.
LINKSPAN_DECL void http_core::deliver()
{
    if (inbox_.empty() && !closed_ && !stream_.end())
        return;
    auto const batch = inbox_.take();
    error_code const ec = !batch.empty() ? error_code() : closed_ ? asio::error::operation_aborted : stream_.end();
    std::exchange(receiver_, {}).complete(ec, batch);
}

LINKSPAN_DECL void http_core::push_verdict(transport_exchange& what, http_verdict const& verdict)
{
    forget(what);
    if (verdict.what == http_verdict::kind::message)
        push_message(what.take_reply(), verdict.message, what.post.id, verdict.certainty);
    else
        push_report(what, verdict.certainty, verdict.ec, &verdict);
}

} // namespace linkspan::detail

#endif
