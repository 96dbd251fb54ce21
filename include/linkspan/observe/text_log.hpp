#ifndef LINKSPAN_OBSERVE_TEXT_LOG_HPP
#define LINKSPAN_OBSERVE_TEXT_LOG_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/concepts.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Observer that writes a line of text for each state change of a server, failed attempt and event.
///
///     [MCP] files started
///     [MCP] files: read_file failed, attempt 1: unknown, the peer closed the stream, after 12 ms
///     [MCP] files lost, restart is scheduled: the peer closed the stream
///
/// Each control character is replaced with a space, so that a text of a server cannot look like several lines.
///
///     linkspan::text_log log([](std::string_view line) { std::clog << line << '\n'; });
///
/// \par Executor
/// The sink is invoked on the executor of the connector.
/// \par Thread safety
/// Safe if the sink is safe to invoke concurrently. A connector invokes the sink on its executor only.
class text_log {
public:
    using role = observer_role;

    /// Constructs the observer.
    ///
    /// \param sink Invoked with each line, without a line end. The text is valid during the invocation. Must not be
    /// empty and must not throw.
    explicit text_log(std::function<void(std::string_view line)> sink) : sink_(std::move(sink)) {}

    /// Writes a line for a failed attempt: server, tool, number of the attempt, `call_options::correlation`, certainty,
    /// error and duration.
    LINKSPAN_DECL void on_attempt(attempt_view const& attempt) const;

    /// Writes a line for a state change, with the error and the detail text. The states `opening` and `closing` are
    /// omitted.
    LINKSPAN_DECL void on_state(state_view const& change) const;

    /// Writes a line for an event: server, name of the event and detail text.
    LINKSPAN_DECL void on_event(event_view const& event) const;

private:
    void write(std::string line) const;

    std::function<void(std::string_view)> sink_;
};

static_assert(check_policy<text_log>());

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/observe/impl/text_log.ipp>
#endif

#endif
