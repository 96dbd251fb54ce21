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

namespace linkspan::inline LINKSPAN_ABI {

/// Histogram of durations.
///
/// The bounds are those of `mcp.client.operation.duration`, in seconds.
///
/// \par Specification
/// OpenTelemetry, "Semantic conventions for Model Context Protocol" (development).
struct duration_histogram {
    /// Upper bounds of the buckets in seconds, inclusive.
    static constexpr std::array<double, 14> bounds{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300};

    /// Number of recorded durations.
    std::uint64_t count = 0;

    /// Sum of the recorded durations, in seconds.
    double sum = 0;

    /// Number of durations per bucket. The last bucket counts the durations above all bounds.
    std::array<std::uint64_t, bounds.size() + 1> buckets{};

    /// Adds a duration to the histogram.
    LINKSPAN_DECL void record(duration span) noexcept;
};

/// Counts of a `metrics` observer at one moment.
struct metrics_snapshot {
    /// Attributes that identify one series of attempts.
    struct attempt_key {
        /// Name of the server: `linkspan.server.key`.
        std::string server;

        /// Name of the tool (`gen_ai.tool.name`) or of the prompt (`gen_ai.prompt.name`). Empty for `resources/read`,
        /// so that the number of series does not grow with the number of URIs.
        std::string tool;

        /// `error.type`. Empty: a result without `isError`. "tool_error": a result with `isError`. "timeout": a timeout
        /// elapsed. A number: the JSON-RPC code of the error response. "invalid_arguments", "unexpected_result": the
        /// arguments or the result do not match the schema. Other errors: the name of the certainty.
        std::string error;

        /// Delivery certainty of the attempt: `linkspan.outcome`.
        linkspan::certainty certainty = linkspan::certainty::completed;

        /// Method of the request: `mcp.method.name`.
        std::string method = "tools/call";

        auto operator<=>(attempt_key const&) const = default;
    };

    /// `mcp.client.operation.duration`: durations of attempts.
    std::map<attempt_key, duration_histogram> attempts;

    /// `mcp.client.session.duration`: durations of ended sessions, by server.
    std::map<std::string, duration_histogram> sessions;

    /// `linkspan.retries`: attempts after the first one of a call, by server.
    std::map<std::string, std::uint64_t> retries;

    /// `linkspan.failovers`: retries on a server without an earlier attempt of the call (`attempt_view::repeats` is 0),
    /// by server.
    std::map<std::string, std::uint64_t> failovers;

    /// `linkspan.breaker.state`: name of the current health state, such as "tripped", by server. A server whose health
    /// state has not changed has no entry.
    std::map<std::string, std::string> breakers;

    /// `linkspan.ejections`: openings of the circuit breaker, by server.
    std::map<std::string, std::uint64_t> ejections;

    /// Returns the counts as a JSON object: one member per metric, whose value is an array of data points with their
    /// attributes.
    LINKSPAN_DECL boost::json::object to_json() const;
};

/// Observer that counts attempts, sessions and health changes under the names of OpenTelemetry.
///
/// Copies share their counts: keep one copy and pass another one to the connector.
///
///     linkspan::metrics counted;
///     linkspan::connector<linkspan::transports<linkspan::stdio>, linkspan::metrics> hub(executor, counted);
///     auto const exported = counted.snapshot().to_json();
///
/// \par Thread safety
/// All functions: safe from any thread, also on copies.
/// \par Specification
/// OpenTelemetry, "Semantic conventions for Model Context Protocol" (development).
class metrics {
public:
    using role = observer_role;

    /// Constructs an observer without counts.
    metrics() : shared_(std::make_shared<shared>()) {}

    /// Counts an attempt, and whether it is a retry or a failover.
    LINKSPAN_DECL void on_attempt(attempt_view const& attempt) const;

    /// Measures the duration of sessions: from the state `ready` to any other state.
    LINKSPAN_DECL void on_state(state_view const& change) const;

    /// Records the health state, and counts the openings of circuit breakers, from the event `health`. Other events are
    /// ignored.
    LINKSPAN_DECL void on_event(event_view const& event) const;

    /// Returns a copy of the counts.
    LINKSPAN_DECL metrics_snapshot snapshot() const;

private:
    // Shared by all copies.
    struct shared {
        std::mutex mutex;
        metrics_snapshot counted;                             // guarded by `mutex`
        std::map<std::string, time_point, std::less<>> since; // guarded by `mutex`: start of each ready session
    };

    std::shared_ptr<shared> shared_;
};

static_assert(check_policy<metrics>());

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/observe/impl/metrics.ipp>
#endif

#endif
