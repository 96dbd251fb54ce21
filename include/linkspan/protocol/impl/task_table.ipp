#ifndef LINKSPAN_PROTOCOL_IMPL_TASK_TABLE_IPP
#define LINKSPAN_PROTOCOL_IMPL_TASK_TABLE_IPP

#include <linkspan/protocol/task_table.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL task const* task_table::add(std::string id, std::string owner,
                                          std::optional<std::chrono::milliseconds> ttl,
                                          std::optional<std::chrono::milliseconds> poll_interval, wall_time now)
{
    expire(now);
    if (tasks_.size() >= max_tasks_)
        return nullptr;
    entry added;
    added.place = owners_.take(owner);
    if (!added.place)
        return nullptr;
    added.what.id = id;
    added.what.created = added.what.updated = now;
    added.what.ttl = ttl;
    added.what.poll_interval = poll_interval;
    added.owner = std::move(owner);
    added.number = ++added_;
    auto const [place, is_new] = tasks_.emplace(std::move(id), std::move(added));
    return is_new ? &place->second.what : nullptr;
}

LINKSPAN_DECL task const* task_table::find(std::string_view id, std::string_view owner, wall_time now) const noexcept
{
    auto const found = tasks_.find(id);
    bool const is_found =
        found != tasks_.end() && found->second.owner == owner && !has_expired(found->second.what, now);
    return is_found ? &found->second.what : nullptr;
}

LINKSPAN_DECL bool task_table::has_expired(task const& what, wall_time now) noexcept
{
    return is_final(what.status) && what.ttl && now - what.created > *what.ttl;
}

LINKSPAN_DECL task_table::entry* task_table::find_open(std::string_view id) noexcept
{
    auto const found = tasks_.find(id);
    return found == tasks_.end() || is_final(found->second.what.status) ? nullptr : &found->second;
}

LINKSPAN_DECL bool task_table::on_input_required(std::string_view id, std::string requests, wall_time now)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    found->what.status = requests.empty() ? task_status::working : task_status::input_required;
    found->what.input_requests = std::move(requests);
    found->what.updated = now;
    return true;
}

LINKSPAN_DECL bool task_table::on_completed(std::string_view id, std::string result, wall_time now, bool has_failed)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    found->what.status = has_failed ? task_status::failed : task_status::completed;
    found->what.input_requests.clear();
    found->what.result = std::move(result);
    found->what.updated = now;
    return true;
}

LINKSPAN_DECL bool task_table::on_failed(std::string_view id, std::string error, wall_time now)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    found->what.status = task_status::failed;
    found->what.input_requests.clear();
    found->what.error = std::move(error);
    found->what.updated = now;
    return true;
}

LINKSPAN_DECL bool task_table::on_cancelled(std::string_view id, wall_time now)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    found->what.status = task_status::cancelled;
    found->what.input_requests.clear();
    found->what.updated = now;
    return true;
}

LINKSPAN_DECL std::vector<task const*> task_table::of(std::string_view owner, wall_time now) const
{
    std::vector<entry const*> found;
    for (auto const& [id, each] : tasks_)
        if (each.owner == owner && !has_expired(each.what, now))
            found.push_back(&each);
    std::ranges::sort(found, {}, &entry::number);
    std::vector<task const*> out;
    for (auto const* const each : found)
        out.push_back(&each->what);
    return out;
}

LINKSPAN_DECL void task_table::expire(wall_time now) noexcept
{
    std::erase_if(tasks_, [now](auto const& each) { return has_expired(each.second.what, now); });
}

} // namespace linkspan

#endif
