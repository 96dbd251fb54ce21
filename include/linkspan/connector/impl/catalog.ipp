#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_IPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/catalog_builder.hpp>
#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL catalog::catalog() : index_(std::make_shared<detail::catalog_index>()) {}

LINKSPAN_DECL catalog::catalog(std::vector<catalog_entry> entries, bool only_server)
{
    detail::catalog_builder builder(std::move(entries), only_server);
    while (!builder.step(std::numeric_limits<std::size_t>::max()))
        continue;
    *this = builder.take();
}

LINKSPAN_DECL std::span<std::uint32_t const> catalog::preferred(match const& found) const
{
    return index_->preferred(found.entries);
}

LINKSPAN_DECL std::span<catalog_entry const> catalog::tools(std::string_view server_key) const noexcept
{
    auto const is_its = [&](catalog_entry const& entry) { return entry.server_key == server_key; };
    auto const first = std::ranges::find_if(entries_, is_its);
    return {first, std::ranges::find_if_not(first, entries_.end(), is_its)};
}

LINKSPAN_DECL std::vector<catalog_entry const*> catalog::tagged(std::string_view tag) const
{
    std::vector<catalog_entry const*> out;
    for (auto const& entry : entries_)
        if (entry.tags && std::ranges::find(*entry.tags, tag) != entry.tags->end())
            out.push_back(&entry);
    return out;
}

LINKSPAN_DECL std::vector<catalog_entry const*> catalog::with_input_schema(std::string_view input_schema) const
{
    std::vector<catalog_entry const*> out;
    auto const input = fingerprint::of_input(input_schema);
    for (auto const& entry : entries_)
        if (entry.input == input)
            out.push_back(&entry);
    return out;
}

LINKSPAN_DECL catalog::match catalog::find(std::string_view name) const
{
    return index_->match_of(index_->find(name, *this));
}

LINKSPAN_DECL catalog_entry const* catalog::find(server_id server, std::string_view tool) const
{
    auto const range = index_->ranges.find(server);
    if (range == index_->ranges.end())
        return nullptr;
    auto const [first, size] = range->second;
    auto const has_it = [&](catalog_entry const& entry) { return entry.tool->name == tool; };
    // Many servers may have the tool. The indexes are in ascending order, which permits a binary search.
    auto const number = index_->own.find(tool, detail::name_table::hash_of(tool), index_->own_name(entries_));
    auto const entries = index_->match_of(number).entries;
    auto const at = std::ranges::lower_bound(entries, first);
    if (at != entries.end() && *at - first < size && has_it(entries_[*at]))
        return &entries_[*at];
    // The name may identify a group in place of the tool.
    auto const its = tools().subspan(first, size);
    auto const found = std::ranges::find_if(its, has_it);
    return found == its.end() ? nullptr : &*found;
}

LINKSPAN_DECL std::vector<std::string> catalog::suggestions(std::string_view unknown, std::size_t max_count) const
{
    std::vector<std::string_view> all;
    all.reserve(index_->own.size() + index_->groups.size() + index_->made.size());
    auto const add = [&](auto name_of) {
        return [&all, name_of](std::uint32_t number) { all.push_back(name_of(number)); };
    };
    index_->own.for_each(add(index_->own_name(entries_)));
    index_->groups.for_each(add(index_->group(entries_)));
    index_->made.for_each(add(index_->exposed_name(entries_, collisions_)));
    return similar_names(unknown, all, max_count); // a name may be in several tables
}

} // namespace linkspan

#endif
