#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_LIST_UPDATE_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_LIST_UPDATE_IPP

#include <linkspan/connector/detail/tool_list_update.hpp>
#include <linkspan/json/json_scan.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL catalog_entry const* entry_finder::find(tool const& tool)
{
    auto const entries = entries_in(list_);
    if (next_ == entries.size() || entries[next_].tool->name != tool.name) {
        auto const found = by_name().find(tool.name);
        if (found == by_name_.end())
            return nullptr;
        next_ = found->second;
    }
    auto const& entry = entries[next_++];
    return *entry.tool == tool ? &entry : nullptr;
}

// The index is made for the first tool that is not at the expected position: it takes longer than the comparisons.
LINKSPAN_DECL entry_finder::index const& entry_finder::by_name()
{
    auto const entries = entries_in(list_);
    if (by_name_.empty()) {
        by_name_.reserve(entries.size());
        for (std::size_t i = 0; i != entries.size(); ++i)
            by_name_.emplace(entries[i].tool->name, i);
    }
    return by_name_;
}

LINKSPAN_DECL bool tool_list_update::step(std::size_t max_tools)
{
    for (; next_ != tools_.size(); ++next_, --max_tools) {
        if (max_tools == 0)
            return false;
        if (!is_changed_ && tools_[next_] != *entries_in(listed_)[next_].tool) {
            is_changed_ = true;
            next_ = 0;
        }
        if (is_changed_)
            add_next();
    }
    return true;
}

LINKSPAN_DECL tool_snapshot tool_list_update::take()
{
    if (!is_changed_)
        return listed_;
    return entries_.empty() ? nullptr : std::make_shared<std::vector<catalog_entry> const>(std::move(entries_));
}

LINKSPAN_DECL void tool_list_update::add_next()
{
    auto& tool = tools_[next_];
    if (policies_.observes_events() && json_scan::member(tool.input_schema, "type") != R"("object")")
        non_object_schemas_.push_back(tool.name);
    if (next_ == 0)
        entries_.reserve(tools_.size());
    auto& entry = entries_.emplace_back();
    entry.server = server_.id;
    entry.server_key = server_.key;
    entry.priority = server_.options.priority;
    entry.tags = server_.tags;
    entry.exposed = policies_.expose(server_.key, tool.name);
    entry.accepts_own_name = policies_.accepts_own_name(tool.name);
    // An unchanged tool keeps its object and its fingerprint, whose computation takes longer than all other steps.
    if (auto const* const known = last_.find(tool)) {
        entry.tool = known->tool;
        entry.input = known->input;
    } else {
        entry.tool = std::make_shared<linkspan::tool const>(std::move(tool));
        entry.input = fingerprint::of_input(entry.tool->input_schema);
    }
    classify(entry);
}

// Sets the group and the replay class of a tool. A destructive idempotent tool may have separate effects on two
// servers, so that its class applies to this server only, unless the operator declares it.
LINKSPAN_DECL void tool_list_update::classify(catalog_entry& entry) const
{
    auto const& hints = entry.tool->annotations;
    auto const& options = server_.options;
    auto const found = options.tools.find(entry.tool->name);
    if (found != options.tools.end())
        entry.group = found->second.group;
    if (found != options.tools.end() && found->second.replay) {
        entry.replay = *found->second.replay;
    } else if (options.trust_annotations && hints.read_only) {
        entry.replay = replay_class::read_only;
    } else if (options.trust_annotations && hints.idempotent) {
        entry.replay = replay_class::idempotent;
        entry.replay_on_same_server = hints.destructive;
    }
}

} // namespace linkspan::detail

#endif
