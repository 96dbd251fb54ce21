#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_LIST_UPDATE_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_LIST_UPDATE_IPP

#include <linkspan/connector/detail/tool_list_update.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Names of entries, for `name_table`.
struct name_of_entry {
    std::span<catalog_entry const> entries;

    std::string_view operator()(std::uint32_t index) const noexcept { return entries[index].tool->name; }
};

LINKSPAN_DECL catalog_entry const* entry_finder::find(tool const& tool)
{
    auto const entries = entries_in(list_);
    if (next_ == entries.size() || entries[next_].tool->name != tool.name) {
        if (by_name_.empty())
            make_index();
        auto const found = by_name_.find(tool.name, name_table::hash_of(tool.name), name_of_entry{entries});
        if (found == name_table::none)
            return nullptr;
        next_ = found;
    }
    auto const& entry = entries[next_++];
    return *entry.tool == tool ? &entry : nullptr;
}

// The index is made for the first tool that is not at the expected position: it takes longer than the comparisons.
inline void entry_finder::make_index()
{
    auto const entries = entries_in(list_);
    by_name_.reserve(entries.size());
    for (std::uint32_t i = 0; i != entries.size(); ++i) {
        auto const& name = entries[i].tool->name;
        by_name_.add(name, name_table::hash_of(name), i, name_of_entry{entries});
    }
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
