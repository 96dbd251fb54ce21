#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_BUILDER_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_BUILDER_IPP

#include <linkspan/connector/detail/catalog_builder.hpp>

#include <limits>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL catalog_builder::catalog_builder(std::vector<tool_snapshot> lists, bool is_only_server)
    : lists_(std::move(lists)), is_only_server_(is_only_server)
{
    std::erase_if(lists_, [](tool_snapshot const& list) { return !list || list->empty(); });
    for (auto const& list : lists_)
        size_ += list->size();
    reserve();
    out_.entries_.reserve(size_);
}

LINKSPAN_DECL catalog_builder::catalog_builder(std::vector<catalog_entry> entries, bool is_only_server)
    : size_(entries.size()), is_only_server_(is_only_server)
{
    out_.entries_ = std::move(entries);
    reserve();
}

// Allocates the memory of the tables, so that no later step moves their elements.
LINKSPAN_DECL void catalog_builder::reserve()
{
    for (auto* const numbers : {&out_.index_->numbers, &own_, &groups_, &made_})
        numbers->reserve(size_);
    out_.index_->count = static_cast<std::uint32_t>(size_);
    out_.index_->own.reserve(size_);
    out_.index_->made.reserve(size_);
}

LINKSPAN_DECL bool catalog_builder::step(std::size_t max_entries)
{
    auto left = size_ <= max_entries ? std::numeric_limits<std::size_t>::max() : max_entries;
    while (pass_ != pass::done) {
        for (auto const end = elements_of_pass(); next_ < end; ++next_, --left) {
            if (left == 0)
                return false;
            process(static_cast<std::uint32_t>(next_));
        }
        begin_next_pass();
    }
    return true;
}

// Returns the number of elements that the pass processes.
LINKSPAN_DECL std::size_t catalog_builder::elements_of_pass() const noexcept
{
    switch (pass_) {
    case pass::layout: return drafts_.size();
    case pass::collisions: return next_ + collisions_.size();
    case pass::members: return drafts_.empty() ? 0 : size_;
    // With several servers, only a name of several tools is displayed in place of an exposed name.
    case pass::display: return drafts_.empty() && !is_only_server_ ? 0 : size_;
    case pass::naming:
    case pass::done: break;
    }
    return size_;
}

LINKSPAN_DECL void catalog_builder::begin_next_pass()
{
    next_ = 0;
    switch (pass_) {
    case pass::naming: pass_ = pass::layout; break;
    case pass::layout:
        pass_ = pass::collisions;
        out_.index_->members = std::make_unique_for_overwrite<std::uint32_t[]>(storage_);
        out_.collisions_.reserve(collisions_.size());
        break;
    case pass::collisions: pass_ = pass::members; break;
    case pass::members: pass_ = pass::display; break;
    case pass::display:
    case pass::done: pass_ = pass::done; break;
    }
}

LINKSPAN_DECL void catalog_builder::process(std::uint32_t element)
{
    switch (pass_) {
    case pass::naming: return name_entry(element);
    case pass::layout: return lay_out(element);
    case pass::collisions: return copy_collision();
    case pass::members: return store_entry(element);
    case pass::display: return display_entry(element);
    case pass::done: break;
    }
}

// Naming

LINKSPAN_DECL void catalog_builder::copy_entry()
{
    auto const& list = *lists_[list_];
    out_.entries_.push_back(list[position_]);
    if (++position_ == list.size()) {
        position_ = 0;
        lists_[list_++].reset();
    }
}

LINKSPAN_DECL void catalog_builder::name_entry(std::uint32_t number)
{
    auto& index = *out_.index_;
    if (number == out_.entries_.size())
        copy_entry();
    auto& entry = out_.entries_[number];
    if (!entry.input.has_value())
        entry.input = fingerprint::of_input(entry.tool->input_schema);
    index.numbers.push_back(number);
    for (auto* const names : {&own_, &groups_, &made_})
        names->push_back(catalog_index::none);
    ++index.ranges.try_emplace(entry.server, catalog_index::range{number, 0}).first->second.size;
    add_group(number);
    add_own_name(number);
    add_exposed_name(number);
}

LINKSPAN_DECL void catalog_builder::add_group(std::uint32_t number)
{
    auto& index = *out_.index_;
    std::string_view const group = out_.entries_[number].group;
    if (index.groups.empty() && !group.empty())
        index.groups.reserve(size_ - number);
    add_name(index.groups, group, number, groups_, catalog::match::kind::group, index.group(out_.entries_));
}

LINKSPAN_DECL void catalog_builder::add_own_name(std::uint32_t number)
{
    auto& index = *out_.index_;
    auto const& entry = out_.entries_[number];
    add_name(index.own, entry.tool->name, number, own_, catalog::match::kind::group, index.own_name(out_.entries_));
    auto const shared = own_[number];
    if (shared == catalog_index::none)
        return;
    // Tools of the same name are a group only if they have the same input schema.
    auto& facts = drafts_[shared];
    if (entry.input != out_.entries_[facts.first_entry].input)
        index.shared[shared].what = catalog::match::kind::ambiguous;
    facts.is_same_group = facts.is_same_group && entry.group == out_.entries_[facts.first_entry].group;
}

// An exposed name that several tools have is a collision: all of these tools lose the name, so that no server can take
// over the exposed name of another server's tool.
LINKSPAN_DECL void catalog_builder::add_exposed_name(std::uint32_t number)
{
    auto& index = *out_.index_;
    auto const& entry = out_.entries_[number];
    if (entry.exposed == entry.tool->name)
        return;
    auto const exposed_name = [&](std::uint32_t other) -> std::string_view {
        return out_.entries_[other < index.count ? other : index.shared[other - index.count].text].exposed;
    };
    if (add_name(index.made, entry.exposed, number, made_, catalog::match::kind::ambiguous, exposed_name))
        collisions_.emplace(entry.exposed, made_[number]);
}

// Adds the name of an entry to a table, unless the name is empty. Returns whether the entry is the second one with this
// name, which makes it a shared name of the kind `what`.
template<class NameOf>
bool catalog_builder::add_name(name_table& table, std::string_view name, std::uint32_t number, assignment& names,
                               catalog::match::kind what, NameOf const& name_of)
{
    if (name.empty())
        return false;
    auto const hash = name_table::hash_of(name);
    auto const known = table.add(name, hash, number, name_of);
    if (known == catalog_index::none)
        return false;
    auto const count = out_.index_->count;
    if (known >= count) {
        names[number] = known - count;
        add_member(names[number], number);
        return false;
    }
    names[known] = names[number] = add_shared(known, what);
    table.replace(name, hash, count + names[known], name_of);
    add_member(names[number], number);
    return true;
}

// Adds a shared name with one entry, and returns its index.
LINKSPAN_DECL std::uint32_t catalog_builder::add_shared(std::uint32_t number, catalog::match::kind what)
{
    auto& shared = out_.index_->shared;
    drafts_.push_back({number, out_.entries_[number].priority});
    shared.push_back({what, number});
    return static_cast<std::uint32_t>(shared.size() - 1);
}

LINKSPAN_DECL void catalog_builder::add_member(std::uint32_t name, std::uint32_t number)
{
    auto& facts = drafts_[name];
    auto const priority = out_.entries_[number].priority;
    ++out_.index_->shared[name].size;
    if (priority > facts.highest_priority) {
        facts.highest_priority = priority;
        facts.preferred = 1;
    } else if (priority == facts.highest_priority) {
        ++facts.preferred;
    }
}

// Storage of the entries of shared names

LINKSPAN_DECL void catalog_builder::lay_out(std::uint32_t name)
{
    auto& shared = out_.index_->shared[name];
    auto& facts = drafts_[name];
    if (facts.preferred == shared.size)
        facts.preferred = 0;
    shared.first = static_cast<std::uint32_t>(storage_ + 1); // after the number of preferred entries
    storage_ += 1 + shared.size + facts.preferred;
}

// The entries of the collision lose their exposed name, see store_entry().
LINKSPAN_DECL void catalog_builder::copy_collision()
{
    auto const collision = collisions_.begin();
    out_.index_->shared[collision->second].text = static_cast<std::uint32_t>(out_.collisions_.size());
    out_.collisions_.emplace_back(collision->first);
    collisions_.erase(collision);
}

LINKSPAN_DECL void catalog_builder::store_entry(std::uint32_t number)
{
    for (auto const* const names : {&own_, &groups_, &made_})
        if (auto const name = (*names)[number]; name != catalog_index::none)
            store_member(name, number);
    if (made_[number] != catalog_index::none)
        out_.entries_[number].exposed.clear();
    if (groups_[number] != catalog_index::none)
        name_group_of(number);
}

// Makes the own name of a member identify the group, unless a tool outside of the group has the same name.
LINKSPAN_DECL void catalog_builder::name_group_of(std::uint32_t number)
{
    auto& index = *out_.index_;
    auto const& group = index.shared[groups_[number]];
    std::string_view const name = out_.entries_[number].tool->name;
    if (name.empty())
        return;
    if (own_[number] == catalog_index::none) {
        own_[number] = add_shared(number, group.what);
        index.own.replace(name, name_table::hash_of(name), index.count + own_[number], index.own_name(out_.entries_));
    } else if (auto const& facts = drafts_[own_[number]];
               !facts.is_same_group || facts.placed != index.shared[own_[number]].size) {
        return; // or not all entries with the own name are stored
    }
    auto& own = index.shared[own_[number]];
    own = {group.what, own.text, group.first, group.size};
}

LINKSPAN_DECL void catalog_builder::store_member(std::uint32_t name, std::uint32_t number)
{
    auto const& shared = out_.index_->shared[name];
    auto& facts = drafts_[name];
    auto* const members = out_.index_->members.get() + shared.first;
    if (facts.placed == 0)
        members[-1] = facts.preferred;
    members[facts.placed++] = number;
    if (facts.preferred != 0 && out_.entries_[number].priority == facts.highest_priority)
        members[shared.size + facts.placed_preferred++] = number;
}

// Display

LINKSPAN_DECL void catalog_builder::display_entry(std::uint32_t number)
{
    auto& entry = out_.entries_[number];
    auto const& index = *out_.index_;
    auto const own = own_[number], group = groups_[number];
    bool const has_shared_name = own != catalog_index::none || group != catalog_index::none;
    if (!entry.accepts_own_name || !(is_only_server_ || has_shared_name))
        return;
    // The own name may equal the exposed name of another tool, or the name of a group.
    auto value = own == catalog_index::none ? catalog_index::none : drafts_[own].meaning;
    if (value == catalog_index::none) {
        value = index.find(entry.tool->name, out_);
        if (own != catalog_index::none)
            drafts_[own].meaning = value;
    }
    if (value == catalog_index::none)
        return;
    if (value < size_) {
        entry.displays_own_name = is_only_server_ && value == number;
        return;
    }
    auto const name = value - static_cast<std::uint32_t>(size_);
    auto const& shared = index.shared[name];
    entry.displays_own_name = shared.what == catalog::match::kind::group && (name == own || name == group);
}

} // namespace linkspan::detail

#endif
