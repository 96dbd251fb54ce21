#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_CHANGE_SUBSCRIPTION_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_CHANGE_SUBSCRIPTION_IPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/change_subscription.hpp>
#include <linkspan/protocol/meta_keys.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void change_subscription::on_opened() noexcept
{
    on_stopped();
    grants_tools_ = true;
    attempts_ = 0;
    is_supported_ = allows_tasks_ = true;
    is_pausing_ = missed_lists_ = false;
    missed_updates_ = !established_.empty();
}

LINKSPAN_DECL void change_subscription::want_lists(bool tools, bool prompts, bool resources) noexcept
{
    wanted_.tools = tools;
    wanted_.prompts = prompts;
    wanted_.resources = resources;
}

LINKSPAN_DECL void change_subscription::add(std::string_view uri) { wanted_.uris.emplace(uri); }

LINKSPAN_DECL void change_subscription::establish(std::string_view uri)
{
    uri_set established;
    established.emplace(uri);
    add(uri);
    established_.merge(established);
}

LINKSPAN_DECL void change_subscription::remove(std::string_view uri) noexcept
{
    if (auto const found = established_.find(uri); found != established_.end())
        established_.erase(found);
    if (auto const found = wanted_.uris.find(uri); found != wanted_.uris.end())
        wanted_.uris.erase(found);
}

LINKSPAN_DECL void change_subscription::watch(std::string_view task)
{
    if (allows_tasks_)
        wanted_.task_ids.emplace(task);
}

LINKSPAN_DECL void change_subscription::unwatch(std::string_view task) noexcept
{
    if (auto const found = wanted_.task_ids.find(task); found != wanted_.task_ids.end())
        wanted_.task_ids.erase(found);
}

// Returns whether a request contains exactly the wanted changes, apart from tasks that are not wanted any more.
LINKSPAN_DECL bool change_subscription::is_covered_by(request const& last) const noexcept
{
    auto const& of = last.wanted;
    return last.id != 0 && of.tools == wanted_.tools && of.prompts == wanted_.prompts &&
           of.resources == wanted_.resources && of.uris == wanted_.uris &&
           std::ranges::includes(of.task_ids, wanted_.task_ids);
}

LINKSPAN_DECL change_subscription::action change_subscription::next() const noexcept
{
    auto const& last = newest_.id != 0 ? newest_ : current_;
    if (wanted_.empty())
        return last.id != 0 ? action::stop : action::none;
    if (!is_supported_ || is_pausing_ || is_covered_by(last))
        return action::none;
    return action::send;
}

LINKSPAN_DECL void change_subscription::on_sent(request_id id, time_point now)
{
    newest_ = {id, wanted_};
    began_ = now;
    if (current_.id == 0)
        grants_tools_ = true;
}

// Specification: 2026-07-28, basic/patterns, "Subscriptions", "Acknowledgment".
LINKSPAN_DECL change_subscription::acknowledged change_subscription::on_acknowledged(std::string_view params)
{
    acknowledged out;
    auto const meta = json_scan::member(params, "_meta");
    auto const id = json_scan::integer(json_scan::member(meta, meta_keys::subscription_id));
    if (newest_.id == 0 || id != newest_.id)
        return out;
    auto const granted = read_subscription_filter(json_scan::member(params, "notifications"));
    if (missed_updates_)
        out.missed_updates = established_;
    uri_set established;
    for (auto const& uri : newest_.wanted.uris)
        if (wanted_.uris.contains(uri))
            (granted.uris.contains(uri) ? established : out.refused).insert(uri);
    // The rest of the function does not throw.
    out.is_first = true;
    out.missed_lists = std::exchange(missed_lists_, false);
    missed_updates_ = false;
    established_.merge(established);
    remove_all(out.refused);
    for (auto const& uri : out.refused)
        newest_.wanted.uris.erase(uri); // else the request would be sent again without the refused resources
    std::erase_if(newest_.wanted.task_ids, [&](std::string const& task) {
        bool const is_refused = !granted.task_ids.contains(task);
        if (is_refused)
            unwatch(task);
        return is_refused;
    });
    grants_tools_ = granted.tools;
    out.replaced = std::exchange(current_, std::exchange(newest_, {})).id;
    return out;
}

// A server that does not support the method responds with -32601, or, if it does not support the requested changes,
// with -32602.
LINKSPAN_DECL change_subscription::ended change_subscription::on_end(request_id id, error_code ec, time_point now)
{
    ended out;
    if (!is_outstanding(id))
        return out;
    bool const is_newest = id == newest_.id;
    bool const is_refused = is_newest && ec.category() == rpc_category();
    bool const is_unknown = is_refused && ec.value() == -32601;
    bool const had_tasks = is_refused && !is_unknown && !newest_.wanted.task_ids.empty();
    if (is_newest && ec && !had_tasks)
        for (auto const& uri : newest_.wanted.uris)
            if (!established_.contains(uri))
                out.failed.insert(uri);
    bool const is_unsupported =
        is_unknown || (is_refused && !had_tasks && ec.value() == -32602 && out.failed.empty() && current_.id == 0);
    if (is_unsupported) {
        out.failed = wanted_.uris;
        out.missed_updates = established_;
    }
    // The rest of the function does not throw.
    is_supported_ = is_supported_ && !is_unsupported;
    if (had_tasks || is_unsupported) {
        allows_tasks_ = false;
        wanted_.task_ids.clear();
    }
    (is_newest ? newest_ : current_) = {};
    std::erase_if(out.failed, [this](std::string const& uri) { return !wanted_.uris.contains(uri); });
    remove_all(out.failed);
    if (current_.id == 0) {
        grants_tools_ = false;
        missed_lists_ = missed_updates_ = is_supported_;
    }
    if (next() == action::send) { // else a request is outstanding, or none is needed
        attempts_ = now - began_ > max_pause ? 1 : attempts_ + 1;
        out.pauses = is_pausing_ = true;
    }
    return out;
}

LINKSPAN_DECL duration change_subscription::pause(std::uint64_t draw) const noexcept
{
    return equal_jitter(min_pause, max_pause, attempts_, draw);
}

LINKSPAN_DECL void change_subscription::remove_all(uri_set const& uris) noexcept
{
    for (auto const& uri : uris)
        remove(uri);
}

} // namespace linkspan

#endif
