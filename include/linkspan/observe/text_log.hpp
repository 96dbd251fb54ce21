#ifndef LINKSPAN_OBSERVE_TEXT_LOG_HPP
#define LINKSPAN_OBSERVE_TEXT_LOG_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/concepts.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// An observer that writes a line for what people want to know: servers that start, are lost or fail, attempts that
/// fail, and events.
///
///     [MCP] files started (2026-07-28)
///     [MCP] files: read_file failed, attempt 1: unknown, the peer closed the stream, after 12 ms
///     [MCP] files lost, starts again: the peer closed the stream
///
/// A line holds no line end, whatever a server says. The sink is called on the executor of the connector, with a text
/// that is valid during the call.
class text_log {
public:
    using role = observer_role;

    explicit text_log(std::function<void(std::string_view line)> sink) : sink_(std::move(sink)) {}

    LINKSPAN_DECL void on_attempt(attempt_view const& attempt) const;
    LINKSPAN_DECL void on_state(state_view const& change) const;
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
