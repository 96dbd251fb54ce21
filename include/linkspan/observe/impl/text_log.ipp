#ifndef LINKSPAN_OBSERVE_IMPL_TEXT_LOG_IPP
#define LINKSPAN_OBSERVE_IMPL_TEXT_LOG_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/observe/text_log.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the text for a state; empty for states that are not logged.
inline std::string_view phrase_for(std::string_view state, bool failed) noexcept
{
    // A server that fails to list its tools remains ready.
    if (state == "ready")
        return failed ? " did not list its tools" : " started";
    if (state == "waiting")
        return " lost, restart is scheduled";
    if (state == "idle")
        return " idle, started by the next call that needs it";
    if (state == "failed")
        return " failed";
    if (state == "closed")
        return " closed";
    if (state == "disabled")
        return " disabled";
    return {};
}

} // namespace detail

LINKSPAN_DECL void text_log::on_attempt(attempt_view const& attempt) const
{
    auto const& result = attempt.result;
    if (!result.ec)
        return;
    auto const elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(result.elapsed).count();
    std::string line(attempt.server.key);
    (line += ": ") += attempt.call.tool;
    (line += " failed, attempt ") += std::to_string(attempt.number);
    if (!attempt.call.correlation.empty())
        (line += " for ") += attempt.call.correlation;
    (line += ": ") += to_string(result.certainty);
    (line += ", ") += result.ec.message();
    write(line + ", after " + std::to_string(elapsed) + " ms");
}

LINKSPAN_DECL void text_log::on_state(state_view const& change) const
{
    auto const phrase = detail::phrase_for(change.state, change.ec.failed());
    if (phrase.empty())
        return;
    std::string line(change.server.key);
    line += phrase;
    if (change.ec)
        (line += ": ") += change.ec.message();
    if (!change.detail.empty() && change.detail != change.ec.message())
        (line += ": ") += change.detail;
    write(std::move(line));
}

LINKSPAN_DECL void text_log::on_event(event_view const& event) const
{
    std::string line(event.server);
    (line += line.empty() ? "" : ": ") += event.name;
    if (!event.detail.empty())
        (line += ": ") += event.detail;
    write(std::move(line));
}

LINKSPAN_DECL void text_log::write(std::string line) const { sink_("[MCP] " + detail::without_controls(line, ' ')); }

} // namespace linkspan

#endif
