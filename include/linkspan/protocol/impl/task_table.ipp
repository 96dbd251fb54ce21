#ifndef LINKSPAN_PROTOCOL_IMPL_TASK_TABLE_IPP
#define LINKSPAN_PROTOCOL_IMPL_TASK_TABLE_IPP

#include <linkspan/protocol/task_table.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Error of a task whose result or error was discarded. It is stored regardless of the limits of bytes.
inline constexpr std::string_view too_large_outcome =
    R"({"code":-32603,"message":"The outcome of the task was discarded, because it exceeds a limit of stored bytes"})";

// Returns the sum, or the maximum if it exceeds the range.
inline time_point expiry_of(time_point created, std::optional<std::chrono::milliseconds> ttl) noexcept
{
    auto const max = std::chrono::floor<std::chrono::milliseconds>(time_point::max() - created);
    return ttl && *ttl < max ? created + *ttl : time_point::max();
}

} // namespace detail

LINKSPAN_DECL task const* task_table::add(std::string id, std::string owner,
                                          std::optional<std::chrono::milliseconds> ttl,
                                          std::optional<std::chrono::milliseconds> poll_interval, task_timestamp now,
                                          std::string account)
{
    expire(now);
    if (account.empty())
        account = owner;
    auto const known = accounts_.find(account);
    auto const counted_tasks = known == accounts_.end() ? 0 : known->second.tasks;
    bool const is_full = tasks_.size() >= limits_.max_tasks || (!account.empty() && counted_tasks >= limits_.max_each);
    if (is_full || tasks_.contains(id))
        return nullptr;
    entry added;
    added.what.id = id;
    added.what.created = added.what.updated = now.wall;
    added.what.ttl = ttl;
    added.what.poll_interval = poll_interval;
    added.expiry = detail::expiry_of(now.steady, ttl);
    added.number = ++added_;
    added.owner = std::move(owner);
    auto const place = tasks_.emplace(std::move(id), std::move(added)).first;
    try {
        place->second.account = accounts_.try_emplace(std::move(account)).first;
    } catch (...) {
        tasks_.erase(place);
        throw;
    }
    ++place->second.account->second.tasks;
    return &place->second.what;
}

LINKSPAN_DECL task const* task_table::find(std::string_view id, std::string_view owner,
                                           task_timestamp now) const noexcept
{
    auto const found = tasks_.find(id);
    bool const is_found = found != tasks_.end() && found->second.owner == owner && !has_expired(found->second, now);
    return is_found ? &found->second.what : nullptr;
}

LINKSPAN_DECL bool task_table::has_expired(entry const& of, task_timestamp now) noexcept
{
    return is_final(of.what.status) && now.steady > of.expiry;
}

LINKSPAN_DECL bool task_table::is_past_ttl(std::string_view id, task_timestamp now) const noexcept
{
    auto const found = tasks_.find(id);
    return found != tasks_.end() && now.steady > found->second.expiry;
}

LINKSPAN_DECL task_table::entry* task_table::find_open(std::string_view id) noexcept
{
    auto const found = tasks_.find(id);
    return found == tasks_.end() || is_final(found->second.what.status) ? nullptr : &found->second;
}

LINKSPAN_DECL bool task_table::on_input_required(std::string_view id, std::string requests, task_timestamp now)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    found->what.status = requests.empty() ? task_status::working : task_status::input_required;
    found->what.input_requests = std::move(requests);
    found->what.updated = now.wall;
    return true;
}

LINKSPAN_DECL bool task_table::on_completed(std::string_view id, std::string result, task_timestamp now,
                                            bool has_failed)
{
    return on_outcome(id, has_failed ? task_status::failed : task_status::completed, &task::result, std::move(result),
                      now);
}

LINKSPAN_DECL bool task_table::on_failed(std::string_view id, std::string error, task_timestamp now)
{
    return on_outcome(id, task_status::failed, &task::error, std::move(error), now);
}

LINKSPAN_DECL bool task_table::on_outcome(std::string_view id, task_status status, std::string task::*member,
                                          std::string outcome, task_timestamp now)
{
    auto* const found = find_open(id);
    if (!found)
        return false;
    expire(now);
    if (fits(*found, outcome.size())) {
        found->what.*member = std::move(outcome);
        finish(*found, status, now);
    } else {
        ++discarded_;
        found->what.error = detail::too_large_outcome;
        finish(*found, task_status::failed, now);
    }
    return true;
}

LINKSPAN_DECL bool task_table::on_cancelled(std::string_view id, task_timestamp now)
{
    auto* const found = find_open(id);
    if (found)
        finish(*found, task_status::cancelled, now);
    return found != nullptr;
}

LINKSPAN_DECL void task_table::finish(entry& of, task_status status, task_timestamp now) noexcept
{
    of.what.status = status;
    of.what.input_requests = std::string(); // releases the memory
    of.what.updated = now.wall;
    auto const bytes = of.what.result.size() + of.what.error.size();
    bytes_ += bytes;
    of.account->second.bytes += bytes;
    next_expiry_ = std::min(next_expiry_, of.expiry);
}

LINKSPAN_DECL bool task_table::fits(entry const& in, std::size_t bytes) const noexcept
{
    // The short errors of discarded outcomes may exceed a limit.
    auto const is_within = [bytes](std::size_t used, std::size_t max) { return used <= max && bytes <= max - used; };
    return is_within(bytes_, limits_.max_bytes) &&
           (in.account->first.empty() || is_within(in.account->second.bytes, limits_.max_bytes_each));
}

LINKSPAN_DECL bool task_table::fits(std::string_view id, std::size_t bytes) const noexcept
{
    auto const found = tasks_.find(id);
    return found != tasks_.end() && fits(found->second, bytes);
}

LINKSPAN_DECL std::vector<task const*> task_table::of(std::string_view owner, task_timestamp now) const
{
    std::vector<entry const*> found;
    for (auto const& [id, each] : tasks_)
        if (each.owner == owner && !has_expired(each, now))
            found.push_back(&each);
    std::ranges::sort(found, {}, &entry::number);
    std::vector<task const*> out;
    for (auto const* const each : found)
        out.push_back(&each->what);
    return out;
}

// A task that has not expired expires only if `next_expiry_` has passed.
LINKSPAN_DECL void task_table::expire(task_timestamp now) noexcept
{
    if (now.steady <= next_expiry_)
        return;
    next_expiry_ = time_point::max();
    std::erase_if(tasks_, [&](auto const& each) {
        bool const is_removed = has_expired(each.second, now);
        if (is_removed)
            release(each.second);
        else if (is_final(each.second.what.status))
            next_expiry_ = std::min(next_expiry_, each.second.expiry);
        return is_removed;
    });
}

LINKSPAN_DECL void task_table::release(entry const& of) noexcept
{
    auto const bytes = of.what.result.size() + of.what.error.size();
    bytes_ -= bytes;
    of.account->second.bytes -= bytes;
    if (--of.account->second.tasks == 0)
        accounts_.erase(of.account);
}

LINKSPAN_DECL void task_table::remove(std::string_view id) noexcept
{
    auto const found = tasks_.find(id);
    if (found == tasks_.end())
        return;
    release(found->second);
    tasks_.erase(found);
}

LINKSPAN_DECL void task_table::clear() noexcept
{
    tasks_.clear();
    accounts_.clear();
    bytes_ = 0;
    next_expiry_ = time_point::max();
}

} // namespace linkspan

#endif
