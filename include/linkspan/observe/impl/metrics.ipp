#ifndef LINKSPAN_OBSERVE_IMPL_METRICS_IPP
#define LINKSPAN_OBSERVE_IMPL_METRICS_IPP

#include <linkspan/observe/metrics.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::string error_type_of(attempt_view const& attempt)
{
    auto const& result = attempt.result;
    if (!result.ec)
        return attempt.tool_failed ? "tool_error" : "";
    if (result.ec.category() == rpc_category())
        return std::to_string(result.ec.value());
    if (result.ec == boost::system::errc::timed_out)
        return "timeout";
    if (result.ec == error::invalid_arguments)
        return "invalid_arguments";
    if (result.ec == error::unexpected_result)
        return "unexpected_result";
    return std::string(to_string(result.certainty));
}

inline boost::json::object json_of(duration_histogram const& histogram)
{
    boost::json::array bounds(histogram.bounds.begin(), histogram.bounds.end());
    boost::json::array buckets(histogram.buckets.begin(), histogram.buckets.end());
    boost::json::object out;
    out["count"] = histogram.count;
    out["sum"] = histogram.sum;
    out["bounds"] = std::move(bounds);
    out["buckets"] = std::move(buckets);
    return out;
}

template<class Value>
boost::json::array points_of(std::map<std::string, Value> const& by_server)
{
    boost::json::array out;
    for (auto const& [server, value] : by_server) {
        boost::json::object point;
        point["linkspan.server.key"] = server;
        point["value"] = value;
        out.push_back(std::move(point));
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL void duration_histogram::record(duration span) noexcept
{
    auto const seconds = std::chrono::duration<double>(span).count();
    ++count;
    sum += seconds;
    ++buckets[static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin())];
}

LINKSPAN_DECL void metrics::on_attempt(attempt_view const& attempt) const
{
    std::string const server(attempt.server.key);
    auto const& call = attempt.call;
    metrics_snapshot::attempt_key key{
        server, {}, detail::error_type_of(attempt), attempt.result.certainty, std::string(call.method)};
    if (call.method != "resources/read")
        key.tool = call.tool;
    std::lock_guard const lock(shared_->mutex);
    auto& counted = shared_->counted;
    counted.attempts[std::move(key)].record(attempt.result.elapsed);
    if (attempt.number > 1)
        ++counted.retries[server];
    if (attempt.number > 1 && attempt.repeats == 0)
        ++counted.failovers[server];
}

LINKSPAN_DECL void metrics::on_state(state_view const& change) const
{
    std::lock_guard const lock(shared_->mutex);
    auto const found = shared_->since.find(change.server.key);
    bool const was_ready = found != shared_->since.end();
    bool const is_ready = change.state == "ready";
    if (is_ready && !was_ready) {
        shared_->since.emplace(change.server.key, change.now);
    } else if (!is_ready && was_ready) {
        shared_->counted.sessions[found->first].record(change.now - found->second);
        shared_->since.erase(found);
    }
}

LINKSPAN_DECL void metrics::on_event(event_view const& event) const
{
    if (event.name != "health")
        return;
    std::lock_guard const lock(shared_->mutex);
    std::string const server(event.server);
    shared_->counted.breakers[server] = event.detail;
    if (event.detail == to_string(health_state::tripped))
        ++shared_->counted.ejections[server];
}

LINKSPAN_DECL metrics_snapshot metrics::snapshot() const
{
    std::lock_guard const lock(shared_->mutex);
    return shared_->counted;
}

LINKSPAN_DECL boost::json::object metrics_snapshot::to_json() const
{
    boost::json::array attempt_durations;
    for (auto const& [key, histogram] : attempts) {
        auto point = detail::json_of(histogram);
        point["mcp.method.name"] = key.method;
        if (key.method == "tools/call") {
            point["gen_ai.operation.name"] = "execute_tool";
            point["gen_ai.tool.name"] = key.tool;
        } else if (key.method == "prompts/get") {
            point["gen_ai.prompt.name"] = key.tool;
        }
        point["linkspan.server.key"] = key.server;
        point["linkspan.outcome"] = to_string(key.certainty);
        if (!key.error.empty())
            point["error.type"] = key.error;
        attempt_durations.push_back(std::move(point));
    }
    boost::json::array session_durations;
    for (auto const& [server, histogram] : sessions) {
        auto point = detail::json_of(histogram);
        point["linkspan.server.key"] = server;
        session_durations.push_back(std::move(point));
    }
    boost::json::object out;
    out["mcp.client.operation.duration"] = std::move(attempt_durations);
    out["mcp.client.session.duration"] = std::move(session_durations);
    out["linkspan.retries"] = detail::points_of(retries);
    out["linkspan.failovers"] = detail::points_of(failovers);
    out["linkspan.breaker.state"] = detail::points_of(breakers);
    out["linkspan.ejections"] = detail::points_of(ejections);
    return out;
}

} // namespace linkspan

#endif
