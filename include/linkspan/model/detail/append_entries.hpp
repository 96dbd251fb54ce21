#ifndef LINKSPAN_MODEL_DETAIL_APPEND_ENTRIES_HPP
#define LINKSPAN_MODEL_DETAIL_APPEND_ENTRIES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
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

// The entries of a page, which are appended to a list in steps. The page is counted, and its hints about caching are
// merged: the shortest time to live, and `public` only if all pages are public.
//
// Specification: MCP 2026-07-28, "Caching".
template<class List, class Entry>
class page_entries {
public:
    // Returns an empty optional for an invalid entry.
    using reader = std::optional<Entry> (*)(std::string_view json);

    // `to`: the vector of entries of `list`. `key`: of the member with the entries. The references and the text of the
    // page must remain valid as long as the object.
    page_entries(List& list, std::vector<Entry>& to, std::string_view page, std::string_view key, reader read)
        : list_(list), to_(to), read_(read), members_(read_page_members(page, key)), entries_(members_.entries)
    {}

    // Returns false if the member is not an array.
    bool is_valid() const noexcept { return entries_.is_array(); }

    // Appends the next entries until their texts have `max_bytes`, at least one entry. Returns whether all entries are
    // appended. Preconditions: is_valid(), and not all entries are appended.
    [[nodiscard]] bool step(std::size_t max_bytes)
    {
        for (std::size_t bytes = 0; bytes < max_bytes;) {
            auto const entry = entries_.next();
            if (!entry) {
                finish();
                return true;
            }
            if (std::exchange(is_first_, false))
                reserve_for(to_, members_.entries, entry->value);
            if (auto value = read_(entry->value))
                to_.push_back(std::move(*value));
            else
                ++list_.dropped;
            bytes += entry->value.size();
        }
        return false;
    }

private:
    void finish()
    {
        if (auto const span = read_ttl(members_.ttl))
            list_.ttl = std::min(*span, list_.ttl.value_or(*span));
        list_.is_public = (list_.pages++ == 0 || list_.is_public) && members_.scope == R"("public")";
    }

    List& list_;                // this and the next three: set by the constructor
    std::vector<Entry>& to_;    //
    reader read_;               //
    page_members members_;      //
    json_scan::reader entries_; // advanced by step()
    bool is_first_ = true;      // cleared by the first step()
};

// Appends all entries of a page to a list; see `page_entries`.
template<class List, class Entry>
error_code append_entries(List& list, std::vector<Entry>& to, std::string_view page, std::string_view key,
                          std::optional<Entry> (*read)(std::string_view json))
{
    page_entries<List, Entry> entries(list, to, page, key, read);
    if (!entries.is_valid())
        return error::malformed_message;
    while (!entries.step(std::numeric_limits<std::size_t>::max()))
        continue;
    return {};
}

} // namespace detail
} // namespace linkspan

#endif
