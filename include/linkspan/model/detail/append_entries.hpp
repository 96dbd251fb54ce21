#ifndef LINKSPAN_MODEL_DETAIL_APPEND_ENTRIES_HPP
#define LINKSPAN_MODEL_DETAIL_APPEND_ENTRIES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<duration> read_ttl(std::string_view milliseconds) noexcept; // <linkspan/model/tool.hpp>

namespace detail {

// Values of the members of a page of a list as JSON text; empty: missing.
struct page_members {
    std::string_view entries, ttl, scope;
};

// Reads the text of a page once, because a page of thousands of entries has megabytes. `entries`: the key of the
// entries. The first of several members with the same key counts.
inline page_members read_page_members(std::string_view page, std::string_view entries) noexcept
{
    page_members out;
    auto const set = [](std::string_view& value, std::string_view text) {
        if (value.empty())
            value = text;
    };
    json_scan::reader members(page);
    while (auto const member = members.is_object() ? members.next() : std::nullopt) {
        if (member->key == entries)
            set(out.entries, member->value);
        else if (member->key == "ttlMs")
            set(out.ttl, member->value);
        else if (member->key == "cacheScope")
            set(out.scope, member->value);
    }
    return out;
}

// Allocates memory for the entries of a page, so that the growth of the list moves few entries. The number is estimated
// from the size of the first entry. The limit prevents that a short first entry causes a large allocation.
template<class Entry>
void reserve_for(std::vector<Entry>& to, std::string_view entries, std::string_view first)
{
    constexpr std::size_t max_entries = 16'384;
    auto const wanted = to.size() + std::min(entries.size() / first.size(), max_entries);
    if (wanted > to.capacity())
        to.reserve(std::max(wanted, 2 * to.capacity())); // many small pages cost no more than without this function
}

// Appends the entries of a page to a list, whose vector of entries is `to`, and counts the page. Merges the hints of
// the page about caching: the shortest time to live, and `public` only if all pages are public. `key`: of the member
// with the entries. `read` returns an empty optional for an invalid entry.
//
// Specification: MCP 2026-07-28, "Caching".
template<class List, class Entry>
error_code append_entries(List& list, std::vector<Entry>& to, std::string_view page, std::string_view key,
                          std::optional<Entry> (*read)(std::string_view json))
{
    auto const members = read_page_members(page, key);
    json_scan::reader entries(members.entries);
    if (!entries.is_array())
        return error::malformed_message;
    bool is_first = true;
    while (auto const entry = entries.next()) {
        if (std::exchange(is_first, false))
            reserve_for(to, members.entries, entry->value);
        if (auto value = read(entry->value))
            to.push_back(std::move(*value));
        else
            ++list.dropped;
    }
    if (auto const span = read_ttl(members.ttl))
        list.ttl = std::min(*span, list.ttl.value_or(*span));
    list.is_public = (list.pages++ == 0 || list.is_public) && members.scope == R"("public")";
    return {};
}

} // namespace detail
} // namespace linkspan

#endif
