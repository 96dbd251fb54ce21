#ifndef LINKSPAN_SESSION_IMPL_SESSION_DIAGNOSTICS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_DIAGNOSTICS_IPP

#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/session/detail/session_diagnostics.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::string session_diagnostics::first_line() const
{
    return std::string(excerpt(std::string_view(reason_).substr(0, reason_.find('\n'))));
}

LINKSPAN_DECL void session_diagnostics::on_unexpected_output(std::string_view text)
{
    if (counters_.unexpected_output++ == 0)
        counters_.first_unexpected_output = excerpt(text);
    keep_first_output(text);
}

LINKSPAN_DECL void session_diagnostics::keep_first_output(std::string_view text)
{
    if (!opening_output_.empty())
        return;
    auto const start = excerpt(text);
    append_visible_quoted(opening_output_ = "unexpected output: ", start);
    if (start.size() < text.size())
        opening_output_ += "...";
}

LINKSPAN_DECL void session_diagnostics::add_output_to_reason() { add_to_reason(opening_output_); }

LINKSPAN_DECL void session_diagnostics::add_to_reason(std::string_view line)
{
    if (!line.empty())
        (reason_ += reason_.empty() ? "" : "\n") += line;
}

LINKSPAN_DECL void session_diagnostics::on_renewal_failed(error_code ec)
{
    auto const failure = std::exchange(reason_, "server discarded the session, and a new handshake failed: ");
    reason_ += ec.message();
    if (!failure.empty())
        (reason_ += ": ") += failure;
}

} // namespace linkspan::detail

#endif
