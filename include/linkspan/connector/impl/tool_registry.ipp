#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_REGISTRY_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_REGISTRY_IPP

#include <linkspan/connector/detail/tool_registry.hpp>
#include <linkspan/core/back_off.hpp>
#include <linkspan/protocol/client/server_list.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
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

LINKSPAN_DECL tool_registry::tool_registry(server_id server, std::string const& key, server_options const& options)
    : server_{server, key, options,
              options.tags.empty() ? nullptr : std::make_shared<std::vector<std::string> const>(options.tags)}
{}

LINKSPAN_DECL bool tool_registry::rejects_unlisted(std::string_view tool) const
{
    return !is_known_ && server_.options.when_pins_break == pin_mode::reject &&
           std::ranges::find(server_.options.pins, tool, &tool_pin::tool) != server_.options.pins.end();
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

LINKSPAN_DECL tool_registry::pending_list tool_registry::begin_list(tool_list list,
                                                                    policy_table const& policies) const noexcept
{
    return {*this, std::move(list), policies};
}

LINKSPAN_DECL bool tool_registry::pending_list::step(std::size_t max_tools)
{
    if (!tools_) {
        auto const& pins = registry_.server_.options.pins;
        if (!pins_)
            pins_.emplace(pins);
        for (; !pins.empty() && compared_ != list_.tools.size(); ++compared_, --max_tools) {
            if (max_tools == 0)
                return false;
            pins_->add(list_.tools[compared_]);
        }
        broken_pins_ = pins_->differences();
        exclude_broken();
        tools_.emplace(std::exchange(list_.tools, {}), registry_.tools_, registry_.former_tools_, registry_.server_,
                       policies_);
    }
    return tools_->step(max_tools);
}

// Removes the tools that differ from their pins from the list, if the pin mode demands it.
LINKSPAN_DECL void tool_registry::pending_list::exclude_broken()
{
    if (registry_.server_.options.when_pins_break == pin_mode::warn || broken_pins_.empty())
        return;
    for (auto const& one : broken_pins_)
        if (!one.found.empty())
            list_.unusable.push_back({diagnostic::severity::error, one.tool, {}, "the tool differs from its pin"});
    std::erase_if(list_.tools, [&](tool const& tool) { return pins_->is_broken(tool.name); });
}

LINKSPAN_DECL tool_registry::change tool_registry::on_listed(pending_list made, time_point now, bool has_notifications)
{
    change out;
    auto& list = made.list_;
    auto& broken = made.broken_pins_;
    auto& tools = *made.tools_;
    if (broken != broken_pins_)
        for (auto const& one : broken)
            out.events.push_back({"pin_broken", to_string(one)});
    out.problem_text = list_problems(list);
    if (unusable_ != list.unusable)
        for (auto const& tool : list.unusable)
            out.events.push_back({"unusable_tool", to_string(tool)});
    for (auto const& name : tools.non_object_schemas())
        out.events.push_back({"non_object_schema", name});
    out.is_changed = tools.is_changed();
    auto snapshot = tools.take();
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

LINKSPAN_DECL tool_registry::change tool_registry::on_listed(tool_list list, policy_table const& policies,
                                                             time_point now, bool has_notifications)
{
    auto made = begin_list(std::move(list), policies);
    while (!made.step(std::numeric_limits<std::size_t>::max()))
        continue;
    return on_listed(std::move(made), now, has_notifications);
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

} // namespace linkspan::detail

#endif
