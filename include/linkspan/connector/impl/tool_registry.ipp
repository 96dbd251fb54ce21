#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_REGISTRY_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_REGISTRY_IPP

#include <linkspan/connector/detail/tool_registry.hpp>
#include <linkspan/core/back_off.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/server_list.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Bounds of the wait after a failed list request, before a call lists the tools of an expired list again.
inline constexpr duration min_refresh_wait = std::chrono::seconds(1);
inline constexpr duration max_refresh_wait = std::chrono::seconds(60);

// Returns a text for human readers about the entries of a list that cannot be used.
inline std::string list_problems(tool_list const& list)
{
    std::string out;
    if (list.dropped != 0)
        out = std::to_string(list.dropped) + " tools without a name were dropped";
    if (!list.unusable.empty())
        (out += out.empty() ? "" : "; ") += "unusable tools: " + std::to_string(list.unusable.size());
    return out;
}

// Finds the entries of a list by the tools of the next list, which usually have the same order.
class entry_finder {
public:
    explicit entry_finder(std::span<catalog_entry const> entries) noexcept : entries_(entries) {}

    // Returns the entry of an equal tool; null: the list has none.
    catalog_entry const* find(tool const& tool)
    {
        if (next_ == entries_.size() || entries_[next_].tool->name != tool.name) {
            auto const found = by_name().find(tool.name);
            if (found == by_name_.end())
                return nullptr;
            next_ = found->second;
        }
        auto const& entry = entries_[next_++];
        return *entry.tool == tool ? &entry : nullptr;
    }

private:
    using index = std::unordered_map<std::string_view, std::size_t>;

    // The index is made for the first tool that is not at the expected position: it takes longer than the comparisons.
    index const& by_name()
    {
        if (by_name_.empty()) {
            by_name_.reserve(entries_.size());
            for (std::size_t i = 0; i != entries_.size(); ++i)
                by_name_.emplace(entries_[i].tool->name, i);
        }
        return by_name_;
    }

    std::span<catalog_entry const> entries_;
    std::size_t next_ = 0; // position after that of the last found name
    index by_name_;        // empty before the first tool at another position
};

LINKSPAN_DECL tool_registry::tool_registry(server_id server, std::string const& key, server_options const& options)
    : server_(server),
      key_(key),
      options_(options),
      tags_(options.tags.empty() ? nullptr : std::make_shared<std::vector<std::string> const>(options.tags))
{}

LINKSPAN_DECL bool tool_registry::rejects_unlisted(std::string_view tool) const
{
    return !is_known_ && options_.when_pins_break == pin_mode::reject &&
           std::ranges::find(options_.pins, tool, &tool_pin::tool) != options_.pins.end();
}

LINKSPAN_DECL std::vector<pin_difference> tool_registry::compare(std::span<tool_pin const> pins) const
{
    std::vector<tool> tools;
    for (auto const& entry : this->tools())
        tools.push_back(*entry.tool);
    auto out = compare_pins(pins, tools);
    // The server lists these tools, but the pin mode excludes them from the catalog.
    for (auto& one : out) {
        auto const known = std::ranges::find(broken_pins_, one.tool, &pin_difference::tool);
        if (one.found.empty() && known != broken_pins_.end())
            one.found = known->found;
    }
    std::erase_if(out, [](pin_difference const& one) { return one.found == one.pinned; });
    return out;
}

LINKSPAN_DECL tool_registry::change tool_registry::on_listed(tool_list list, policy_table const& policies,
                                                             time_point now, bool has_notifications)
{
    change out;
    auto broken = check_pins(list, out.events);
    out.problem_text = list_problems(list);
    if (unusable_ != list.unusable)
        for (auto const& tool : list.unusable)
            out.events.push_back({"unusable_tool", to_string(tool)});
    out.is_changed = differs(list.tools);
    auto snapshot = out.is_changed ? snapshot_of(std::move(list.tools), policies, out.events) : tools_;
    // No statement below can fail.
    fresh_until_ = now + list_freshness(list.ttl, has_notifications);
    failures_ = 0;
    is_known_ = true;
    last_error_ = {};
    broken_pins_ = std::move(broken);
    unusable_ = std::move(list.unusable);
    tools_ = std::move(snapshot);
    former_tools_ = nullptr;
    return out;
}

LINKSPAN_DECL bool tool_registry::on_no_tools()
{
    bool const had_tools = drop();
    is_known_ = true;
    return had_tools;
}

LINKSPAN_DECL bool tool_registry::drop()
{
    is_known_ = false;
    fresh_until_ = time_point::max();
    if (!tools_)
        return false;
    former_tools_ = std::exchange(tools_, nullptr);
    return true;
}

LINKSPAN_DECL bool tool_registry::request(requester done)
{
    requesters_.push_back(std::move(done));
    return !is_listing_;
}

LINKSPAN_DECL std::vector<tool_registry::requester> tool_registry::on_list_started(time_point now)
{
    is_listing_ = true;
    schedule_.on_list_started(now);
    return std::exchange(requesters_, {});
}

LINKSPAN_DECL std::optional<time_point> tool_registry::on_list_completed(error_code ec, bool is_changed, time_point now)
{
    using result = refresh_schedule::list_result;
    last_error_ = ec;
    if (ec)
        fresh_until_ = std::max(fresh_until_, now + doubled(min_refresh_wait, max_refresh_wait, ++failures_));
    return schedule_.on_list_ended(now, ec ? result::failed : is_changed ? result::changed : result::same);
}

// Returns the broken pins, and reports them unless they equal those of the previous list. Removes their tools from the
// list, if the pin mode demands it.
LINKSPAN_DECL std::vector<pin_difference> tool_registry::check_pins(tool_list& list, std::vector<event>& events) const
{
    auto broken = compare_pins(options_.pins, list.tools);
    if (broken != broken_pins_)
        for (auto const& one : broken)
            events.push_back({"pin_broken", to_string(one)});
    if (options_.when_pins_break == pin_mode::warn)
        return broken;
    for (auto const& one : broken)
        if (std::erase_if(list.tools, [&](tool const& tool) { return tool.name == one.tool; }) != 0)
            list.unusable.push_back({diagnostic::severity::error, one.tool, {}, "the tool differs from its pin"});
    return broken;
}

// Returns false if the list equals the known list, which is frequent for servers with a short `ttlMs`.
LINKSPAN_DECL bool tool_registry::differs(std::vector<tool> const& tools) const
{
    auto const is_known = [](catalog_entry const& entry, tool const& tool) { return *entry.tool == tool; };
    return !std::ranges::equal(this->tools(), tools, is_known);
}

// Returns the catalog entries of the tools; null: there are none.
LINKSPAN_DECL tool_registry::tool_snapshot
tool_registry::snapshot_of(std::vector<tool> tools, policy_table const& policies, std::vector<event>& events) const
{
    std::vector<catalog_entry> entries;
    entries.reserve(tools.size());
    // An unchanged tool keeps its object and its fingerprint, whose computation takes longer than all other steps.
    entry_finder last(entries_of(tools_ ? tools_ : former_tools_));
    for (auto& tool : tools) {
        if (policies.observes_events() && json_scan::member(tool.input_schema, "type") != R"("object")")
            events.push_back({"non_object_schema", tool.name});
        auto& entry = entries.emplace_back();
        entry.server = server_;
        entry.server_key = key_;
        entry.priority = options_.priority;
        entry.tags = tags_;
        entry.exposed = policies.expose(key_, tool.name);
        entry.accepts_own_name = policies.accepts_own_name(tool.name);
        if (auto const* const known = last.find(tool)) {
            entry.tool = known->tool;
            entry.input = known->input;
        } else {
            entry.tool = std::make_shared<linkspan::tool const>(std::move(tool));
            entry.input = fingerprint::of_input(entry.tool->input_schema);
        }
        classify(entry);
    }
    return entries.empty() ? nullptr : std::make_shared<std::vector<catalog_entry> const>(std::move(entries));
}

// Sets the group and the replay class of a tool. A destructive idempotent tool may have separate effects on two
// servers, so that its class applies to this server only, unless the operator declares it.
LINKSPAN_DECL void tool_registry::classify(catalog_entry& entry) const
{
    auto const& hints = entry.tool->annotations;
    auto const found = options_.tools.find(entry.tool->name);
    if (found != options_.tools.end())
        entry.group = found->second.group;
    if (found != options_.tools.end() && found->second.replay) {
        entry.replay = *found->second.replay;
    } else if (options_.trust_annotations && hints.read_only) {
        entry.replay = replay_class::read_only;
    } else if (options_.trust_annotations && hints.idempotent) {
        entry.replay = replay_class::idempotent;
        entry.replay_on_same_server = hints.destructive;
    }
}

} // namespace linkspan::detail

#endif
