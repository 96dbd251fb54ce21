#ifndef LINKSPAN_SESSION_IMPL_REQUEST_ORIGIN_IPP
#define LINKSPAN_SESSION_IMPL_REQUEST_ORIGIN_IPP

#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/detail/request_origin.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::string request_origin::redacted(std::string_view text) const
{
    return secrets ? (*secrets)(text) : std::string(text);
}

LINKSPAN_DECL call_result request_origin::success() const
{
    call_result out(shared_text("{}"), {});
    out.server(server);
    return out;
}

LINKSPAN_DECL call_result request_origin::failure(outcome const& of, std::string_view why) const
{
    std::vector<attempt_record> trail(1);
    auto& record = trail.front();
    record.server = server ? *server : std::string();
    record.result = of;
    record.detail = redacted(why);
    auto text = record.detail;
    call_result out;
    out.trail(std::move(trail), std::move(text));
    out.server(server);
    return out;
}

LINKSPAN_DECL std::string quote_result(std::string_view result, request_origin const& origin)
{
    constexpr std::size_t max_redacted = 16 * 1024; // longer than a secret, and shorter than a large result
    constexpr std::size_t max_quoted = 200;
    auto const text = origin.redacted(result.substr(0, max_redacted));
    return std::string(utf8_prefix(text, max_quoted));
}

LINKSPAN_DECL void explain_malformed(error_code& ec, call_result& result, std::string_view what,
                                     request_origin const& origin)
{
    ec = error::malformed_message;
    if (result.attempts().empty()) { // as after a success
        outcome of;
        of.certainty = certainty_of(evidence::unreadable);
        of.has_response = true;
        of.ec = ec;
        auto const failed = origin.failure(of, what);
        result.trail({failed.attempts().begin(), failed.attempts().end()});
    }
    result.explain(std::string(what) + ": " + quote_result(result.raw(), origin));
}

} // namespace linkspan::detail

#endif
