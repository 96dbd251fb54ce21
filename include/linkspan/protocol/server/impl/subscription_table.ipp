#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_SUBSCRIPTION_TABLE_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_SUBSCRIPTION_TABLE_IPP

#include <linkspan/protocol/server/subscription_table.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL subscription_table::key subscription_table::add(subscription_filter wanted)
{
    subscribers_.emplace(last_ + 1, std::move(wanted));
    return ++last_;
}

LINKSPAN_DECL void subscription_table::remove(key subscriber) noexcept { subscribers_.erase(subscriber); }

LINKSPAN_DECL void subscription_table::add_lists(key subscriber, subscription_filter const& lists) noexcept
{
    auto const found = subscribers_.find(subscriber);
    if (found == subscribers_.end())
        return;
    found->second.tools |= lists.tools;
    found->second.prompts |= lists.prompts;
    found->second.resources |= lists.resources;
}

LINKSPAN_DECL void subscription_table::add_uri(key subscriber, std::string_view uri)
{
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        found->second.uris.emplace(uri);
}

LINKSPAN_DECL void subscription_table::remove_uri(key subscriber, std::string_view uri) noexcept
{
    auto const found = subscribers_.find(subscriber);
    if (found == subscribers_.end())
        return;
    if (auto const entry = found->second.uris.find(uri); entry != found->second.uris.end())
        found->second.uris.erase(entry);
}

LINKSPAN_DECL void subscription_table::add_task(key subscriber, std::string_view id)
{
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        found->second.task_ids.emplace(id);
}

LINKSPAN_DECL void subscription_table::remove_task(key subscriber, std::string_view id) noexcept
{
    auto const found = subscribers_.find(subscriber);
    if (found == subscribers_.end())
        return;
    if (auto const entry = found->second.task_ids.find(id); entry != found->second.task_ids.end())
        found->second.task_ids.erase(entry);
}

LINKSPAN_DECL bool subscription_table::matches(subscription_filter const& filter, std::string_view uri) noexcept
{
    return std::ranges::any_of(filter.uris, [uri](std::string const& wanted) {
        return uri == wanted || (uri.starts_with(wanted) && (wanted.ends_with('/') || uri[wanted.size()] == '/'));
    });
}

LINKSPAN_DECL bool subscription_table::wants(subscription_filter const& filter, change what) noexcept
{
    switch (what) {
    case change::tools: return filter.tools;
    case change::prompts: return filter.prompts;
    case change::resources: return filter.resources;
    case change::contents:
    case change::task: break;
    }
    return false;
}

LINKSPAN_DECL bool subscription_table::has_due() const noexcept
{
    return !updated_.empty() || !changed_tasks_.empty() ||
           std::ranges::any_of(changed_, [](bool each) { return each; });
}

LINKSPAN_DECL bool subscription_table::on_list_changed(change what) noexcept
{
    bool const had_pending = has_due();
    bool const is_wanted =
        std::ranges::any_of(subscribers_, [what](auto const& entry) { return wants(entry.second, what); });
    if (is_wanted)
        changed_[static_cast<std::size_t>(what)] = true;
    return is_wanted && !had_pending;
}

LINKSPAN_DECL bool subscription_table::on_updated(std::string_view uri)
{
    bool const had_pending = has_due();
    bool const is_wanted =
        std::ranges::any_of(subscribers_, [uri](auto const& entry) { return matches(entry.second, uri); });
    if (is_wanted)
        updated_.emplace(uri);
    return is_wanted && !had_pending;
}

LINKSPAN_DECL bool subscription_table::on_task_changed(std::string_view id)
{
    bool const had_pending = has_due();
    bool const is_wanted =
        std::ranges::any_of(subscribers_, [id](auto const& entry) { return entry.second.task_ids.contains(id); });
    if (is_wanted)
        changed_tasks_.emplace(id);
    return is_wanted && !had_pending;
}

LINKSPAN_DECL std::vector<subscription_table::notification> subscription_table::take()
{
    std::vector<notification> out;
    for (auto const& [subscriber, filter] : subscribers_) {
        for (auto const what : {change::tools, change::prompts, change::resources})
            if (changed_[static_cast<std::size_t>(what)] && wants(filter, what))
                out.push_back({subscriber, what, {}});
        for (auto const& uri : updated_)
            if (matches(filter, uri))
                out.push_back({subscriber, change::contents, uri});
        for (auto const& id : changed_tasks_)
            if (filter.task_ids.contains(id))
                out.push_back({subscriber, change::task, id});
    }
    changed_tasks_.clear();
    updated_.clear();
    std::ranges::fill(changed_, false);
    return out;
}

} // namespace linkspan

#endif
