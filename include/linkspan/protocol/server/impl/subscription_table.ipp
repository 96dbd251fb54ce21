#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_SUBSCRIPTION_TABLE_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_SUBSCRIPTION_TABLE_IPP

#include <linkspan/protocol/server/subscription_table.hpp>

#include <algorithm>
#include <tuple>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL subscription_table::key subscription_table::add(subscription_filter const& wanted)
{
    auto const added = last_ + 1;
    auto& entry = subscribers_[added];
    entry.tools = wanted.tools;
    entry.prompts = wanted.prompts;
    entry.resources = wanted.resources;
    try {
        for (auto const& uri : wanted.uris)
            add_uri(added, uri);
        for (auto const& id : wanted.task_ids)
            add_task(added, id);
    } catch (...) {
        remove(added);
        throw;
    }
    return last_ = added;
}

LINKSPAN_DECL void subscription_table::remove(key subscriber) noexcept
{
    auto const found = subscribers_.find(subscriber);
    if (found == subscribers_.end())
        return;
    all_uris_ -= found->second.uris.size();
    unlink_all(by_uri_, found->second.uris, subscriber);
    unlink_all(by_task_, found->second.task_ids, subscriber);
    subscribers_.erase(found);
}

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
        all_uris_ += link(by_uri_, found->second.uris, uri, subscriber) ? 1 : 0;
}

LINKSPAN_DECL void subscription_table::remove_uri(key subscriber, std::string_view uri) noexcept
{
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        all_uris_ -= unlink(by_uri_, found->second.uris, uri, subscriber) ? 1 : 0;
}

LINKSPAN_DECL void subscription_table::add_task(key subscriber, std::string_view id)
{
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        link(by_task_, found->second.task_ids, id, subscriber);
}

LINKSPAN_DECL void subscription_table::remove_task(key subscriber, std::string_view id) noexcept
{
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        unlink(by_task_, found->second.task_ids, id, subscriber);
}

// Adds a text to a subscriber. Returns false if the subscriber has it. An exception has no effect.
LINKSPAN_DECL bool subscription_table::link(index& in, std::set<std::string_view>& of, std::string_view text,
                                            key subscriber)
{
    auto place = in.find(text);
    if (place == in.end())
        place = in.try_emplace(std::string(text)).first;
    try {
        return place->second.insert(subscriber).second && of.insert(place->first).second;
    } catch (...) {
        place->second.erase(subscriber);
        if (place->second.empty())
            in.erase(place);
        throw;
    }
}

// Removes a text from a subscriber. Returns false if the subscriber does not have it.
LINKSPAN_DECL bool subscription_table::unlink(index& in, std::set<std::string_view>& of, std::string_view text,
                                              key subscriber) noexcept
{
    auto const place = in.find(text);
    if (place == in.end() || place->second.erase(subscriber) == 0)
        return false;
    of.erase(place->first); // before the text that it refers to
    if (place->second.empty())
        in.erase(place);
    return true;
}

LINKSPAN_DECL void subscription_table::unlink_all(index& in, std::set<std::string_view>& of, key subscriber) noexcept
{
    while (!of.empty())
        unlink(in, of, *of.begin(), subscriber);
}

// Calls a function with the subscribers of each URI that matches a resource, possibly twice for a URI: the URI of the
// resource, and its prefixes before and after each '/'.
template<class Function>
void subscription_table::for_each_match(std::string_view uri, Function const& function) const
{
    auto const pass = [&](std::string_view wanted) {
        if (auto const found = by_uri_.find(wanted); found != by_uri_.end())
            function(found->second);
    };
    for (auto slash = uri.find('/'); slash != uri.npos; slash = uri.find('/', slash + 1)) {
        pass(uri.substr(0, slash));
        pass(uri.substr(0, slash + 1));
    }
    pass(uri);
}

LINKSPAN_DECL bool subscription_table::wants(subscriber_entry const& of, change what) noexcept
{
    switch (what) {
    case change::tools: return of.tools;
    case change::prompts: return of.prompts;
    case change::resources: return of.resources;
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

LINKSPAN_DECL bool subscription_table::on_list_changed(change list) noexcept
{
    bool const had_pending = has_due();
    bool const is_wanted =
        std::ranges::any_of(subscribers_, [list](auto const& entry) { return wants(entry.second, list); });
    if (is_wanted)
        changed_[static_cast<std::size_t>(list)] = true;
    return is_wanted && !had_pending;
}

LINKSPAN_DECL bool subscription_table::on_updated(std::string_view uri)
{
    bool const had_pending = has_due();
    bool is_wanted = false;
    for_each_match(uri, [&](std::set<key> const&) { is_wanted = true; });
    if (is_wanted)
        updated_.emplace(uri);
    return is_wanted && !had_pending;
}

LINKSPAN_DECL bool subscription_table::on_task_changed(std::string_view id)
{
    bool const had_pending = has_due();
    bool const is_wanted = by_task_.contains(id);
    if (is_wanted)
        changed_tasks_.emplace(id);
    return is_wanted && !had_pending;
}

LINKSPAN_DECL std::vector<subscription_table::notification> subscription_table::take()
{
    std::vector<notification> out;
    for (auto const what : {change::tools, change::prompts, change::resources})
        if (changed_[static_cast<std::size_t>(what)])
            for (auto const& [subscriber, entry] : subscribers_)
                if (wants(entry, what))
                    out.push_back({subscriber, what, {}});
    auto const add = [&out](std::set<key> const& to, change what, std::string const& text) {
        for (auto const subscriber : to)
            out.push_back({subscriber, what, text});
    };
    for (auto const& uri : updated_)
        for_each_match(uri, [&](std::set<key> const& to) { add(to, change::contents, uri); });
    for (auto const& id : changed_tasks_)
        if (auto const found = by_task_.find(id); found != by_task_.end())
            add(found->second, change::task, id);
    std::ranges::sort(out, {}, [](auto const& each) { return std::tie(each.subscriber, each.what, each.uri); });
    auto const repeated = std::ranges::unique(out); // several URIs of a subscriber match the resource
    out.erase(repeated.begin(), repeated.end());
    changed_tasks_.clear();
    updated_.clear();
    std::ranges::fill(changed_, false);
    return out;
}

} // namespace linkspan

#endif
