#ifndef LINKSPAN_HTTP_CLIENT_IMPL_HTTP_REPLY_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_HTTP_REPLY_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/outcome.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr auto max_retry_after = std::chrono::hours(24);

// Returns true for statuses that a server sends before it runs a tool. Other statuses may come from a proxy that
// stopped waiting.
inline bool refuses_before_execution(int status) noexcept
{
    constexpr int statuses[] = {400, 401, 403, 404, 405, 406, 413, 415, 421, 429};
    return std::ranges::find(statuses, status) != std::ranges::end(statuses);
}

// Returns the maximum certainty that the status of a message allows. With 400, a server may refuse the request, or
// return an error of the tool: if the response has the id of the request, the code of the error decides. The codes
// -32000 to -32019, which each server defines itself, have no reliable meaning with 400.
inline certainty certainty_of_status(int status, envelope const& body) noexcept
{
    if (status >= 200 && status < 300)
        return certainty::completed;
    if (status == 400 && body.id && body.what == envelope::kind::error) {
        auto const code = read_failure(body.error).code;
        return code <= -32000 && code >= -32019 ? certainty::unknown : certainty_of_rpc(code);
    }
    return refuses_before_execution(status) ? certainty::refused : certainty::unknown;
}

inline http_verdict refusal(int status, certainty delivery)
{
    http_verdict out;
    out.certainty = delivery;
    out.ec = {status, http_category()};
    return out;
}

// Returns true if a response shows that the server discarded the session: 404, or, from some servers, 400 with an error
// without an id whose message contains "session". An error with the id of the request is a result of the tool,
// independently of its message.
inline bool discards_session(http_reply const& reply, envelope const& body)
{
    if (reply.status == 404)
        return true;
    if (reply.status != 400 || body.what != envelope::kind::error || body.id)
        return false;
    auto const failure = read_failure(body.error);
    auto const text = json_scan::quoted(failure.message).value_or("");
    constexpr std::string_view word = "session";
    auto const same = [](char a, char b) { return to_lower(a) == b; };
    bool const mentions_session = std::ranges::search(text, word, same).begin() != text.end();
    return failure.code == -32000 && mentions_session;
}

// Returns true for errors that only stateless servers return.
inline bool is_stateless_refusal(envelope const& body) noexcept
{
    auto const code = read_failure(body.error).code;
    return code == header_mismatch || code == missing_capability || code == unsupported_protocol_version;
}

} // namespace detail

LINKSPAN_DECL std::optional<duration> read_retry_after(std::string_view value) noexcept
{
    std::int64_t seconds = 0;
    auto const end = value.data() + value.size();
    auto const [stop, ec] = std::from_chars(value.data(), end, seconds);
    if (stop != end || value.empty() || value.front() == '-')
        return std::nullopt;
    if (ec == std::errc::result_out_of_range || seconds > std::chrono::seconds(detail::max_retry_after).count())
        return detail::max_retry_after;
    return std::chrono::seconds(seconds);
}

LINKSPAN_DECL bool is_media_type(std::string_view content_type, std::string_view type) noexcept
{
    auto name = content_type.substr(0, content_type.find(';'));
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t'))
        name.remove_suffix(1);
    return detail::equal_ignoring_case(name, type);
}

LINKSPAN_DECL http_verdict interpret(http_post const& posted, http_reply const& reply)
{
    auto const status = reply.status;
    bool const succeeded = status >= 200 && status < 300;
    if (posted.id == 0) {
        auto out = detail::refusal(status, certainty::refused);
        if (succeeded)
            out.what = http_verdict::kind::accepted;
        return out;
    }
    bool const is_handshake_era = !posted.version || traits_of(*posted.version).era == era::handshake;
    auto const body = read_envelope(reply.body);
    if (posted.has_session && !posted.opens && is_handshake_era && detail::discards_session(reply, body)) {
        auto out = detail::refusal(status, certainty::refused);
        out.ec = error::session_lost;
        return out;
    }
    auto const retry_after = read_retry_after(reply.retry_after);
    bool const is_throttled = status == 429 || (status == 503 && !reply.retry_after.empty());
    if (is_throttled || status == 401 || status == 403) {
        auto out = detail::refusal(status, certainty::refused);
        out.retry_after = retry_after;
        return out;
    }
    bool const is_response = body.what == envelope::kind::result || body.what == envelope::kind::error ||
                             (body.what == envelope::kind::batch && succeeded);
    bool const refuses_opening = posted.opens && (status == 400 || status == 404 || status == 405);
    if (is_response && (!body.id || *body.id == posted.id)) {
        auto out = detail::refusal(status, detail::certainty_of_status(status, body));
        out.what = http_verdict::kind::message;
        out.message = body;
        if (refuses_opening && !posted.version && !detail::is_stateless_refusal(body))
            out.era = era_evidence::handshake;
        return out;
    }
    auto out =
        detail::refusal(status, detail::refuses_before_execution(status) ? certainty::refused : certainty::unknown);
    if (status == 200)
        out.ec = error::malformed_message;
    if (refuses_opening)
        out.era = era_evidence::handshake;
    out.retry_after = retry_after;
    return out;
}

} // namespace linkspan

#endif
