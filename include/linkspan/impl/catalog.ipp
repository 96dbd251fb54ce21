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

// The entries by a text of theirs: those with the same text stand together. Few allocations, however many there are: a
// catalogue is made anew whenever one of a thousand servers changes.
struct catalog::lists {
    struct list {
        std::string_view text;
        std::uint32_t first = 0;
        std::uint32_t size = 0;
    };

    // `text_of` an entry may be empty: then it is in no list.
    template<class TextOf>
    lists(std::span<catalog_entry const> entries, TextOf text_of)
    {
        constexpr auto none = static_cast<std::uint32_t>(-1);
        boost::unordered_flat_map<std::string_view, std::uint32_t> numbers;
        std::vector<std::uint32_t> list_of(entries.size(), none);
        for (std::size_t i = 0; i != entries.size(); ++i) {
            std::string_view const text = text_of(entries[i]);
            if (text.empty())
                continue;
            auto const [found, is_new] = numbers.emplace(text, static_cast<std::uint32_t>(all.size()));
            if (is_new)
                all.push_back({text});
            list_of[i] = found->second;
            ++all[found->second].size;
        }
        for (std::uint32_t first = 0; auto& one : all)
            one.first = std::exchange(first, first + one.size);
        members.resize(all.empty() ? 0 : all.back().first + all.back().size);
        std::vector<std::uint32_t> filled(all.size());
        for (std::uint32_t i = 0; i != entries.size(); ++i)
            if (auto const number = list_of[i]; number != none)
                members[all[number].first + filled[number]++] = i;
    }

    std::span<std::uint32_t const> of(list const& one) const { return std::span(members).subspan(one.first, one.size); }

    std::vector<list> all;
    std::vector<std::uint32_t> members;
};

LINKSPAN_DECL catalog::catalog(std::vector<catalog_entry> entries, bool only_server) : entries_(std::move(entries))
{
    // A name that was made for one tool stands for it, whatever else is called so.
    auto const special_name = [](catalog_entry const& entry) {
        return entry.exposed == entry.tool->name ? std::string_view() : std::string_view(entry.exposed);
    };
    lists by_name(entries_, [](catalog_entry const& entry) { return std::string_view(entry.tool->name); });
    lists by_group(entries_, [](catalog_entry const& entry) { return std::string_view(entry.group); });
    lists by_exposed(entries_, special_name);
    names_.reserve(by_name.all.size() + by_group.all.size() + by_exposed.all.size());
    name_tools(by_name, by_group);
    name_exposed(by_exposed);
    show_own_names(only_server);
    for (auto* const list : {&by_name, &by_group, &by_exposed})
        members_.push_back(std::move(list->members)); // the numbers stay where they are
}

LINKSPAN_DECL void catalog::name_tools(lists const& by_name, lists const& by_group)
{
    using kind = match::kind;
    auto const what = [](std::span<std::uint32_t const> members) {
        return members.size() > 1 ? kind::group : kind::one;
    };
    for (auto const& one : by_name.all) {
        auto const owners = by_name.of(one);
        names_[one.text] = {owners.size() == 1 || are_alike(owners) ? what(owners) : kind::ambiguous, owners};
    }
    for (auto const& group : by_group.all) {
        auto const members = by_group.of(group);
        names_[group.text] = {what(members), members};
        // The own name of a member stands for the group, unless others have that name too.
        for (auto const i : members) {
            auto& meaning = names_[entries_[i].tool->name];
            auto const is_member = [&](std::uint32_t other) { return entries_[other].group == group.text; };
            if (std::ranges::all_of(meaning.entries, is_member))
                meaning = {what(members), members};
        }
    }
}

// One that was made for two stands for neither: no server can take over another's name by the choice of its own.
LINKSPAN_DECL void catalog::name_exposed(lists const& by_exposed)
{
    using kind = match::kind;
    for (auto const& one : by_exposed.all)
        if (one.size > 1)
            collisions_.emplace_back(one.text);
    std::ranges::sort(collisions_);
    for (auto const& one : by_exposed.all) {
        auto const owners = by_exposed.of(one);
        if (one.size == 1) {
            names_[one.text] = {kind::one, owners};
            continue;
        }
        names_.erase(one.text);
        names_[*std::ranges::lower_bound(collisions_, one.text)] = {kind::ambiguous, owners};
        for (auto const i : owners)
            entries_[i].exposed.clear();
    }
}

LINKSPAN_DECL void catalog::show_own_names(bool only_server)
{
    for (std::uint32_t i = 0; i != entries_.size(); ++i) {
        auto& entry = entries_[i];
        if (!entry.keeps_own)
            continue;
        auto const meaning = find(entry.tool->name); // perhaps that of a name that was made for another
        bool const is_clear = meaning.what == match::kind::group || (only_server && meaning.what == match::kind::one);
        entry.shows_own = is_clear && std::ranges::count(meaning.entries, i) != 0;
    }
}

LINKSPAN_DECL bool catalog::are_alike(std::span<std::uint32_t const> entries) const
{
    auto const& first = entries_[entries.front()].tool->input_schema;
    return std::ranges::all_of(entries.subspan(1), [&](std::uint32_t i) {
        return detail::same_schema(first, entries_[i].tool->input_schema);
    });
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

LINKSPAN_DECL catalog::match catalog::find(std::string_view name) const
{
    auto const found = names_.find(name);
    return found == names_.end() ? match() : found->second;
}

LINKSPAN_DECL catalog_entry const* catalog::find(server_id server, std::string_view tool) const
{
    auto const wanted = [&](catalog_entry const& entry) { return entry.server == server && entry.tool->name == tool; };
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
