#ifndef LINKSPAN_CONNECTOR_DETAIL_CATALOG_BUILDER_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CATALOG_BUILDER_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/detail/tool_snapshot.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/name_table.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Tables of a catalog, which map names and servers to tools. Filled by `catalog_builder`, then immutable.
//
// The number of a name is the index of an entry if it is less than the number of entries; else, after subtraction of
// the number of entries, the index of a `shared_name`. A name of one entry therefore needs no allocation of its own.
struct catalog_index {
    static constexpr std::uint32_t none = name_table::none;

    // Index of the first entry and number of entries of one server, which are adjacent.
    struct range {
        std::uint32_t first, size;
    };

    // A name of several entries. Its entries are at `first` in `members`. The element before
    // `first` is the number of the entries with the highest priority, which follow the entries; 0: all entries.
    struct shared_name {
        catalog::match::kind what;
        std::uint32_t text; // index of an entry with the name; of an exposed name: of the name in `collisions()`
        std::uint32_t first = 0, size = 1;
    };

    std::uint32_t count = 0;                            // number of entries; set by the constructor of the builder
    boost::unordered_flat_map<server_id, range> ranges; // by server
    name_table own;                                     // own names of tools
    name_table groups;                        // groups that the operator declared, which take precedence over own names
    name_table made;                          // names from the naming policy, which take precedence over both
    std::vector<std::uint32_t> numbers;       // 0, 1, 2 and so on: storage for matches of one entry
    std::deque<shared_name> shared;           // a deque grows without moving its elements
    std::unique_ptr<std::uint32_t[]> members; // storage for the entries of `shared`

    // Return functions that return the name of a number in a table.
    auto own_name(std::span<catalog_entry const> entries) const
    {
        return [this, entries](std::uint32_t number) -> std::string_view {
            return entries[number < count ? number : shared[number - count].text].tool->name;
        };
    }
    auto group(std::span<catalog_entry const> entries) const
    {
        return [this, entries](std::uint32_t number) -> std::string_view {
            return entries[number < count ? number : shared[number - count].text].group;
        };
    }
    auto exposed_name(std::span<catalog_entry const> entries, std::span<std::string const> collisions) const
    {
        return [this, entries, collisions](std::uint32_t number) -> std::string_view {
            return number < count ? entries[number].exposed : collisions[shared[number - count].text];
        };
    }

    // Returns the number of a name; `none`: the name is unknown. An exposed name takes precedence over a group, and a
    // group over an own name.
    std::uint32_t find(std::string_view name, catalog const& all) const
    {
        auto const hash = name_table::hash_of(name);
        if (auto const found = made.find(name, hash, exposed_name(all.tools(), all.collisions())); found != none)
            return found;
        if (auto const found = groups.find(name, hash, group(all.tools())); found != none)
            return found;
        return own.find(name, hash, own_name(all.tools()));
    }

    catalog::match match_of(std::uint32_t number) const noexcept
    {
        if (number == none)
            return {};
        if (number < count)
            return {catalog::match::kind::one, {&numbers[number], 1}};
        auto const& name = shared[number - count];
        return {name.what, {members.get() + name.first, name.size}};
    }

    // Returns the entries of a match that have the highest priority.
    static std::span<std::uint32_t const> preferred(std::span<std::uint32_t const> entries) noexcept
    {
        if (entries.size() < 2)
            return entries;
        auto const count = *(entries.data() - 1);
        return count == 0 ? entries : std::span(entries.data() + entries.size(), count);
    }
};

// Construction of a catalog in steps of a bounded number of entries, without I/O.
//
// A construction consists of passes over the entries. Each step processes at most as many entries as the caller
// specifies, so that a large catalog can be built in many turns of an event loop. The result is independent of the size
// of the steps.
//
// Invariant: no step does work for all entries at once, except the allocation of memory that is not written.
class catalog_builder {
public:
    // Begins the construction from lists. `is_only_server`: see the constructor of `catalog`.
    LINKSPAN_DECL catalog_builder(std::vector<tool_snapshot> lists, bool is_only_server);

    // Begins the construction from entries, which are not copied. Entries of one server are adjacent.
    LINKSPAN_DECL catalog_builder(std::vector<catalog_entry> entries, bool is_only_server);

    // Returns the number of entries of the catalog.
    std::size_t size() const noexcept { return size_; }

    // Processes at most `max_entries` entries in one pass or several; all of them in all passes, if the catalog has no
    // more. Returns whether the construction is complete. After an exception, the object can only be destroyed.
    // Preconditions: `max_entries` is positive, and the construction is not complete.
    [[nodiscard]] LINKSPAN_DECL bool step(std::size_t max_entries);

    // Returns the catalog. Precondition: the construction is complete.
    catalog take() noexcept { return std::move(out_); }

private:
    // Passes, in their order.
    enum class pass {
        naming,     // over the entries: copies an entry, and adds its names to the tables
        layout,     // over the shared names: determines the storage of their entries
        collisions, // over the colliding exposed names: copies the name
        members,    // over the entries: stores them with their shared names
        display,    // over the entries: determines which own names are displayed
        done,
    };

    // Facts about a `shared_name` that are needed for its construction only.
    struct draft {
        std::uint32_t first_entry;                      // set by add_shared()
        int highest_priority;                           // of the entries so far
        std::uint32_t preferred = 1;                    // number of the entries so far with the highest priority
        bool is_same_group = true;                      // the entries so far are in the same declared group, or in none
        std::uint32_t placed = 0, placed_preferred = 0; // stored entries; incremented by store_member()
        std::uint32_t meaning = catalog_index::none;    // result of catalog_index::find(); set by display_entry()
    };

    // The shared names of entries, by the index of the entry; `none`: the entry has no such name.
    using assignment = std::vector<std::uint32_t>;

    void reserve();
    std::size_t elements_of_pass() const noexcept;
    void begin_next_pass();
    void process(std::uint32_t element);

    void copy_entry();
    void name_entry(std::uint32_t number);
    void add_own_name(std::uint32_t number);
    void add_group(std::uint32_t number);
    void add_exposed_name(std::uint32_t number);
    template<class NameOf>
    bool add_name(name_table& table, std::string_view name, std::uint32_t number, assignment& names,
                  catalog::match::kind what, NameOf const& name_of);
    std::uint32_t add_shared(std::uint32_t number, catalog::match::kind what);
    void add_member(std::uint32_t name, std::uint32_t number);
    void lay_out(std::uint32_t name);
    void copy_collision();
    void store_entry(std::uint32_t number);
    void name_group_of(std::uint32_t number);
    void store_member(std::uint32_t name, std::uint32_t number);
    void display_entry(std::uint32_t number);

    std::vector<tool_snapshot> lists_; // lists with entries; set by the constructor, empty if entries were given
    std::size_t list_ = 0;             // list of the next entry; incremented by copy_entry()
    std::size_t position_ = 0;         // of the next entry in its list; set by copy_entry()
    std::size_t size_ = 0;             // set by the constructor
    bool is_only_server_;              // set by the constructor
    pass pass_ = pass::naming;         // set by begin_next_pass()
    std::size_t next_ = 0;             // next element of the pass; incremented by step(), cleared by begin_next_pass()
    std::size_t storage_ = 0;          // elements of `catalog_index::members`; increased by lay_out()
    std::deque<draft> drafts_;         // parallel to `catalog_index::shared`; added by add_shared()
    assignment own_, groups_, made_;   // of own names, declared groups and exposed names; set by the pass `naming`
    // Exposed names of several entries, and the indexes of the shared names; moved by copy_collision().
    std::map<std::string_view, std::uint32_t> collisions_;
    catalog out_; // moved out by take()
};

} // namespace linkspan::detail

// The function bodies of `catalog` require this header, which includes them.
#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog.ipp>
#include <linkspan/connector/impl/catalog_builder.ipp>
#endif

#endif
