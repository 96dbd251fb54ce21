#ifndef LINKSPAN_SESSION_IMPL_TASK_HOST_IPP
#define LINKSPAN_SESSION_IMPL_TASK_HOST_IPP

#include <linkspan/core/detail/secure_random.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/related_task.hpp>
#include <linkspan/session/detail/task_host.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace hosting {

inline constexpr auto version = protocol_version::v2025_11_25;

// All tasks of a session belong to its server.
inline constexpr std::string_view owner = "";

inline task_host::response failure(std::string_view raw_id, int code, std::string message)
{
    return {std::string(raw_id), {}, code, std::move(message)};
}

// Returns an object with the members of a task.
inline std::string describe(task const& from)
{
    std::string out = "{";
    append_members(out, from, version, false);
    return out += '}';
}

} // namespace hosting

LINKSPAN_DECL std::unique_ptr<hosted_tasks> host_tasks(std::size_t max_tasks)
{
    return std::make_unique<task_host>(max_tasks);
}

LINKSPAN_DECL std::string task_host::begin(server_request_id request, std::string_view params, task_timestamp now)
{
    constexpr std::chrono::milliseconds max_ttl = std::chrono::hours(24), poll_interval = std::chrono::seconds(1);
    auto const requested = json_scan::integer(json_scan::member(json_scan::member(params, "task"), "ttl"));
    auto const ttl = requested && *requested >= 0 ? std::min(std::chrono::milliseconds(*requested), max_ttl) : max_ttl;
    task described;
    described.id = to_hex(secure_bytes(16));
    described.created = described.updated = now.wall;
    described.ttl = ttl;
    described.poll_interval = poll_interval;
    auto out = R"({"task":)" + hosting::describe(described) + '}';
    running_map added;
    added.emplace(request, described.id);
    if (!table_.add(std::move(described.id), std::string(hosting::owner), ttl, poll_interval, now))
        return {};
    running_.merge(added);
    return out;
}

LINKSPAN_DECL std::vector<task_host::response> task_host::on_request(envelope const& request, task_timestamp now,
                                                                     server_request_id& cancelled)
{
    auto const method = request.method;
    if (method == "tasks/list") {
        if (!json_scan::member(request.params, "cursor").empty())
            return {hosting::failure(request.raw_id, -32602, "Invalid cursor")}; // the list has one page
        std::string list = R"({"tasks":[)";
        for (auto const* const each : table_.of(hosting::owner, now))
            (list += list.back() == '[' ? "" : ",") += hosting::describe(*each);
        return {{std::string(request.raw_id), list + "]}", 0, {}}};
    }
    if (method != "tasks/get" && method != "tasks/result" && method != "tasks/cancel")
        return {hosting::failure(request.raw_id, -32601, "Method not found")};
    auto const id = json_scan::string(json_scan::member(request.params, "taskId")).value_or("");
    table_.expire(now);
    auto const* const found = table_.find(id, hosting::owner, now);
    if (!found)
        return {hosting::failure(request.raw_id, -32602, "Unknown task")};
    if (method == "tasks/cancel")
        return cancel(*found, request.raw_id, now, cancelled);
    if (method == "tasks/get")
        return {{std::string(request.raw_id), hosting::describe(*found), 0, {}}};
    if (is_final(found->status))
        return {outcome_of(*found, request.raw_id)};
    waiting_.emplace(id, request.raw_id);
    return {};
}

LINKSPAN_DECL std::vector<task_host::response> task_host::cancel(task const& found, std::string_view raw_id,
                                                                 task_timestamp now, server_request_id& cancelled)
{
    if (is_final(found.status))
        return {hosting::failure(raw_id, -32602, "The task is " + std::string(to_string(found.status)) + " already")};
    auto ended = found;
    ended.status = task_status::cancelled;
    ended.updated = now.wall;
    auto out = outcomes_of(ended, now);
    out.push_back({std::string(raw_id), hosting::describe(ended), 0, {}});
    auto const running = std::ranges::find(running_, found.id, &running_map::value_type::second);
    table_.on_cancelled(ended.id, now);
    waiting_.erase(ended.id);
    cancelled = running->first;
    running_.erase(running);
    return out;
}

LINKSPAN_DECL std::vector<task_host::response> task_host::on_outcome(server_request_id request, std::string_view result,
                                                                     int code, std::string_view message,
                                                                     task_timestamp now)
{
    auto const running = running_.find(request);
    if (running == running_.end())
        return {};
    table_.expire(now);
    auto ended = *table_.find(running->second, hosting::owner, now); // a task that is not final does not expire
    bool const fits = result.empty() || table_.fits(ended.id, result.size());
    if (!fits) {
        code = -32603;
        message = "The result was discarded, because it exceeds the limit of stored bytes";
    }
    if (!result.empty() && fits) {
        ended.status = task_status::completed;
        ended.result = result;
    } else {
        ended.status = task_status::failed;
        object_writer object(ended.error);
        object.number("code", code);
        object.text("message", message);
        object.close();
    }
    auto out = outcomes_of(ended, now);
    if (ended.status == task_status::completed)
        table_.on_completed(ended.id, std::move(ended.result), now);
    else
        table_.on_failed(ended.id, std::move(ended.error), now);
    waiting_.erase(ended.id);
    running_.erase(running);
    return out;
}

// Returns the outcome of a task that becomes final for each request that waits for it.
LINKSPAN_DECL std::vector<task_host::response> task_host::outcomes_of(task const& ended, task_timestamp now) const
{
    std::vector<response> out;
    bool const has_expired = table_.is_past_ttl(ended.id, now);
    auto const [first, last] = waiting_.equal_range(ended.id);
    for (auto each = first; each != last; ++each)
        out.push_back(has_expired ? hosting::failure(each->second, -32602, "The task has expired")
                                  : outcome_of(ended, each->second));
    return out;
}

// Returns what the response to the request of the task would have been, with the id of the task in `_meta`.
LINKSPAN_DECL task_host::response task_host::outcome_of(task const& from, std::string_view raw_id)
{
    if (from.status == task_status::cancelled)
        return hosting::failure(raw_id, -32603, "The task was cancelled");
    if (from.status == task_status::failed) {
        auto const failed = read_failure(from.error);
        return hosting::failure(raw_id, failed.code, json_scan::string(failed.message).value_or(""));
    }
    return {std::string(raw_id), with_related_task(from.result, '"' + from.id + '"'), 0, {}};
}

LINKSPAN_DECL void task_host::on_cancelled(std::string_view raw_id) noexcept
{
    std::erase_if(waiting_, [raw_id](auto const& entry) { return entry.second == raw_id; });
}

LINKSPAN_DECL void task_host::discard()
{
    running_.clear();
    waiting_.clear();
    table_.clear();
}

} // namespace linkspan::detail

#endif
