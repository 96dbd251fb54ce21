#ifndef LINKSPAN_OBSERVE_METRICS_HPP
#define LINKSPAN_OBSERVE_METRICS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/concepts.hpp>

#include <boost/json/fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// How long things took: how many, how long together, and how many up to each bound.
///
/// The bounds, in seconds, are those of `mcp.client.operation.duration` (OpenTelemetry, semantic conventions for MCP).
struct duration_histogram {
    static constexpr std::array<double, 14> bounds{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300};

    std::uint64_t count = 0;
    double sum = 0;                                         ///< seconds
    std::array<std::uint64_t, bounds.size() + 1> buckets{}; ///< the last is for what took longer than all bounds

    LINKSPAN_DECL void record(duration span) noexcept;
};

/// What was counted up to one moment.
struct metrics_snapshot {
    /// What tells one series of attempts from another.
    struct attempt_key {
        std::string server; ///< `linkspan.server.key`
        std::string tool;   ///< `gen_ai.tool.name`

        /// `error.type`: empty, "tool_error", "timeout", a JSON-RPC code, or a certainty; "invalid_arguments" and
        /// "unexpected_result" count what did not fit a schema.
        std::string error;
        certainty how = certainty::completed; ///< `linkspan.outcome`

        auto operator<=>(attempt_key const&) const = default;
    };

    std::map<attempt_key, duration_histogram> attempts; ///< `mcp.client.operation.duration`
    std::map<std::string, duration_histogram> sessions; ///< `mcp.client.session.duration`, by server: those that ended
    std::map<std::string, std::uint64_t> retries;       ///< `linkspan.retries`: attempts after the first, by server
    std::map<std::string, std::uint64_t> failovers;     ///< `linkspan.failovers`: of these, those on another server
    std::map<std::string, std::string> breakers;        ///< `linkspan.breaker.state`: the health of each server
    std::map<std::string, std::uint64_t> ejections;     ///< `linkspan.ejections`: a breaker opened

    /// One object: a member for each metric, an array of its points with their attributes.
    LINKSPAN_DECL boost::json::object to_json() const;
};

/// An observer that counts, under the names of OpenTelemetry where it has some. Copies count together: keep one, and
/// give another to the connector.
///
///     linkspan::metrics counted;
///     linkspan::connector<linkspan::transports<linkspan::stdio>, linkspan::metrics> hub(executor, counted);
///     ... counted.snapshot().to_json();
///
/// Specification: OpenTelemetry, "Semantic conventions for Model Context Protocol" (development).
/// Thread safety: `snapshot` may be called from any thread.
class metrics {
public:
    using role = observer_role;

    metrics() : shared_(std::make_shared<shared>()) {}

    LINKSPAN_DECL void on_attempt(attempt_view const& attempt) const;
    LINKSPAN_DECL void on_state(state_view const& change) const;
    LINKSPAN_DECL void on_event(event_view const& event) const;

    LINKSPAN_DECL metrics_snapshot snapshot() const;

private:
    struct shared {
        std::mutex mutex;
        metrics_snapshot counted;                             // guarded by `mutex`
        std::map<std::string, time_point, std::less<>> since; // guarded by `mutex`: sessions that are ready
    };

    std::shared_ptr<shared> shared_;
};

static_assert(check_policy<metrics>());

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/observe/impl/metrics.ipp>
#endif

#endif
