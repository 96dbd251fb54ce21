#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_IPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/similar_names.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

struct catalog::index {
    using names = boost::unordered_flat_map<std::string_view, match, std::hash<std::string_view>>;

    // Index of the first entry and number of entries of one server, which are adjacent.
    struct range {
        std::uint32_t first, size;
    };

    boost::unordered_flat_map<server_id, range> ranges; // by server
    names own;  // own names of tools, and groups; the texts belong to the entries
    names made; // names from the naming policy; the texts belong to the entries and to `collisions_`
    // The members with the highest priority, for each list of `members_` with several priorities; by its address.
    boost::unordered_flat_map<std::uint32_t const*, std::vector<std::uint32_t>> preferred;
};

LINKSPAN_DECL catalog::catalog() : index_(std::make_shared<index>()) {}

LINKSPAN_DECL catalog::catalog(std::vector<catalog_entry> entries, bool only_server)
    : entries_(std::move(entries)), numbers_(entries_.size()), index_(std::make_shared<index>())
{
    std::iota(numbers_.begin(), numbers_.end(), std::uint32_t{0});
    for (auto const i : numbers_) {
        auto& entry = entries_[i];
        ++index_->ranges.try_emplace(entry.server, index::range{i, 0}).first->second.size;
        if (!entry.input.has_value())
            entry.input = fingerprint::of_input(entry.tool->input_schema);
    }
    name_tools();
    name_groups();
    name_exposed();
    display_own_names(only_server);
    find_preferred();
}

// Inserts each entry into `into`, with the result of `text_of` as the key. An entry with an empty text is skipped.
// Returns the texts that several entries have, sorted. Their kind is `ambiguous`, unless the caller changes it. A text
// of a single entry requires no allocation of its own: a catalog is constructed whenever one of many servers changes.
template<class Names>
std::vector<std::string_view> catalog::fill(Names& into, std::string_view (*text_of)(catalog_entry const&))
{
    struct holder {
        std::string_view text;
        std::uint32_t entry;
    };
    std::vector<holder> holders; // entries with texts that several entries have
    into.reserve(entries_.size());
    for (auto const& number : numbers_) {
        std::string_view const text = text_of(entries_[number]);
        if (text.empty())
            continue;
        auto const [found, is_new] = into.emplace(text, match{match::kind::one, {&number, 1}});
        if (is_new)
            continue;
        if (auto& first = found->second; first.what == match::kind::one) {
            first.what = match::kind::ambiguous;
            holders.push_back({text, first.entries.front()});
        }
        holders.push_back({text, number});
    }
    std::ranges::sort(holders, {}, [](holder const& one) { return std::tie(one.text, one.entry); });
    std::vector<std::string_view> texts;
    for (auto const& [text, entry] : holders) {
        if (texts.empty() || texts.back() != text) {
            texts.push_back(text);
            members_.emplace_back();
        }
        members_.back().push_back(entry);
        into.find(text)->second.entries = members_.back();
    }
    return texts;
}

// Fills `own` with the tools' own names. Tools with equal names and equal fingerprints of their inputs are a group.
LINKSPAN_DECL void catalog::name_tools()
{
    auto const shared =
        fill(index_->own, [](catalog_entry const& entry) -> std::string_view { return entry.tool->name; });
    for (auto const name : shared)
        if (auto& meaning = index_->own.find(name)->second; have_same_input(meaning.entries))
            meaning.what = match::kind::group;
}

// Adds the groups that the operator declared to `own`.
LINKSPAN_DECL void catalog::name_groups()
{
    index::names groups;
    for (auto const group : fill(groups, [](catalog_entry const& entry) -> std::string_view { return entry.group; }))
        groups.find(group)->second.what = match::kind::group;
    for (auto const& [group, members] : groups) {
        index_->own.insert_or_assign(group, members);
        // The own name of a member identifies the group, unless a tool outside of the group has the same name.
        for (auto const i : members.entries) {
            auto& meaning = index_->own.find(entries_[i].tool->name)->second;
            if (meaning.entries.data() == members.entries.data())
                continue; // set for an earlier member with the same own name
            auto const is_member = [&](std::uint32_t other) { return entries_[other].group == group; };
            if (std::ranges::all_of(meaning.entries, is_member))
                meaning = members;
        }
    }
}

// Fills `made` with the exposed names. An exposed name that several tools have is a collision: all of these tools lose
// the name, so that no server can take over the exposed name of another server's tool.
LINKSPAN_DECL void catalog::name_exposed()
{
    auto const shared = fill(index_->made, [](catalog_entry const& entry) -> std::string_view {
        return entry.exposed == entry.tool->name ? std::string_view() : entry.exposed;
    });
    collisions_.assign(shared.begin(), shared.end());
    for (auto const& text : collisions_) {
        auto const meaning = index_->made.find(text)->second;
        // The key refers to the text of an entry, which is cleared below.
        index_->made.erase(text);
        index_->made.emplace(text, meaning);
        for (auto const i : meaning.entries)
            entries_[i].exposed.clear();
    }
}

// Sets `displays_own_name` of the tools whose own names are unambiguous.
LINKSPAN_DECL void catalog::display_own_names(bool only_server)
{
    auto const show = [&](std::uint32_t i) {
        auto& entry = entries_[i];
        if (!entry.accepts_own_name)
            return;
        // The own name may equal the exposed name of another tool.
        auto const meaning = find(entry.tool->name);
        bool const is_clear = meaning.what == match::kind::group || (only_server && meaning.what == match::kind::one);
        entry.displays_own_name = is_clear && std::ranges::binary_search(meaning.entries, i);
    };
    if (only_server)
        std::ranges::for_each(numbers_, show);
    else // with several servers, only a group of several tools is displayed by its own name
        for (auto const& members : members_)
            std::ranges::for_each(members, show);
}

LINKSPAN_DECL void catalog::find_preferred()
{
    auto const priority = [&](std::uint32_t i) { return entries_[i].priority; };
    for (auto const& members : members_) {
        auto const [lowest, highest] = std::ranges::minmax(members, {}, priority);
        if (priority(lowest) == priority(highest))
            continue;
        auto& preferred = index_->preferred[members.data()];
        for (auto const i : members)
            if (priority(i) == priority(highest))
                preferred.push_back(i);
    }
}

LINKSPAN_DECL std::span<std::uint32_t const> catalog::preferred(match const& found) const
{
    auto const there = index_->preferred.find(found.entries.data());
    return there == index_->preferred.end() ? found.entries : std::span<std::uint32_t const>(there->second);
}

LINKSPAN_DECL bool catalog::have_same_input(std::span<std::uint32_t const> entries) const
{
    auto const& first = entries_[entries.front()].input;
    return std::ranges::all_of(entries.subspan(1), [&](std::uint32_t i) { return entries_[i].input == first; });
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
    // An exposed name takes precedence over equal own names.
    if (auto const found = index_->made.find(name); found != index_->made.end())
        return found->second;
    auto const found = index_->own.find(name);
    return found == index_->own.end() ? match() : found->second;
}

LINKSPAN_DECL catalog_entry const* catalog::find(server_id server, std::string_view tool) const
{
    auto const range = index_->ranges.find(server);
    if (range == index_->ranges.end())
        return nullptr;
    auto const [first, size] = range->second;
    auto const has_it = [&](catalog_entry const& entry) { return entry.tool->name == tool; };
    // Many servers may have the tool. The indexes are in ascending order, which permits a binary search.
    if (auto const found = index_->own.find(tool); found != index_->own.end()) {
        auto const entries = found->second.entries;
        auto const at = std::ranges::lower_bound(entries, first);
        if (at != entries.end() && *at - first < size && has_it(entries_[*at]))
            return &entries_[*at];
    }
    // If the name of a group equals the name of the tool, `own` contains the group in place of the tool.
    auto const its = tools().subspan(first, size);
    auto const found = std::ranges::find_if(its, has_it);
    return found == its.end() ? nullptr : &*found;
}

LINKSPAN_DECL std::vector<std::string> catalog::suggestions(std::string_view name, std::size_t max_count) const
{
    std::vector<std::string_view> all;
    all.reserve(index_->own.size() + index_->made.size());
    for (auto const& [text, meaning] : index_->own)
        all.push_back(text);
    for (auto const& [text, meaning] : index_->made)
        if (!index_->own.contains(text))
            all.push_back(text);
    return similar_names(name, all, max_count);
}

} // namespace linkspan

#endif
