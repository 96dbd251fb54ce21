#ifndef LINKSPAN_IMPL_CATALOG_IPP
#define LINKSPAN_IMPL_CATALOG_IPP

#include <linkspan/catalog.hpp>
#include <linkspan/nearest_names.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <ranges>
#include <utility>

namespace linkspan {
namespace detail {

// Two schemas that differ in the order of their keys, or in blanks, are the same.
inline bool same_schema(std::string_view a, std::string_view b)
{
    if (a == b)
        return true;
    error_code ec;
    auto const left = boost::json::parse({a.data(), a.size()}, ec);
    if (ec)
        return false;
    auto const right = boost::json::parse({b.data(), b.size()}, ec);
    return !ec && left == right;
}

} // namespace detail

LINKSPAN_DECL catalog::catalog(std::vector<catalog_entry> entries) : entries_(std::move(entries))
{
    for (std::uint32_t i = 0; i != entries_.size(); ++i)
        names_[entries_[i].tool.name].entries.push_back(i);
    for (auto& [text, owners] : names_)
        if (owners.entries.size() > 1)
            owners.what = are_alike(owners.entries) ? match::kind::group : match::kind::ambiguous;
    // A name that was made for one tool stands for it, whatever else is called so. One that was made for two stands for
    // neither: no server can take over another's name by the choice of its own.
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> exposed;
    for (std::uint32_t i = 0; i != entries_.size(); ++i)
        if (entries_[i].exposed != entries_[i].tool.name)
            exposed[entries_[i].exposed].push_back(i);
    for (auto& [text, owners] : exposed) {
        bool const is_shared = owners.size() > 1;
        if (is_shared)
            collisions_.emplace_back(text);
        auto const what = is_shared ? match::kind::ambiguous : match::kind::one;
        names_.insert_or_assign(std::string(text), meaning{std::move(owners), what});
    }
    std::ranges::sort(collisions_);
    for (auto const& text : collisions_)
        for (auto const i : names_.find(text)->second.entries)
            entries_[i].exposed.clear();
}

LINKSPAN_DECL bool catalog::are_alike(std::span<std::uint32_t const> entries) const
{
    auto const& first = entries_[entries.front()].tool.input_schema;
    return std::ranges::all_of(
        entries.subspan(1), [&](std::uint32_t i) { return detail::same_schema(first, entries_[i].tool.input_schema); });
}

LINKSPAN_DECL catalog::match catalog::find(std::string_view name) const
{
    auto const found = names_.find(name);
    return found == names_.end() ? match() : match{found->second.what, found->second.entries};
}

LINKSPAN_DECL catalog_entry const* catalog::find(server_id server, std::string_view tool) const
{
    auto const wanted = [&](catalog_entry const& entry) { return entry.server == server && entry.tool.name == tool; };
    for (auto const i : find(tool).entries)
        if (wanted(entries_[i]))
            return &entries_[i];
    // An exposed name may hide a tool of the same name.
    auto const found = std::ranges::find_if(entries_, wanted);
    return found == entries_.end() ? nullptr : &*found;
}

LINKSPAN_DECL std::vector<std::string> catalog::nearest(std::string_view name, std::size_t most) const
{
    return nearest_names(name, names_ | std::views::keys, most);
}

} // namespace linkspan

#endif
