#ifndef LINKSPAN_CONNECTOR_DETAIL_TOOL_LIST_UPDATE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TOOL_LIST_UPDATE_HPP

#include <linkspan/connector/detail/tool_snapshot.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/name_table.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/policy/set.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The common parts of the catalog entries of all tools of one server. The references must remain valid.
struct listed_server {
    server_id id;
    std::string const& key; // name of the server
    server_options const& options;
    std::shared_ptr<std::vector<std::string> const> tags; // `options.tags`, for catalog entries; null: none
};

// Finds the entries of a list by the tools of the next list, which usually have the same order.
class entry_finder {
public:
    explicit entry_finder(tool_snapshot list) noexcept : list_(std::move(list)) {}

    // Returns the entry of an equal tool; null: the list has none.
    LINKSPAN_DECL catalog_entry const* find(tool const& tool);

private:
    void make_index();

    tool_snapshot list_;   // set by the constructor
    std::size_t next_ = 0; // position after that of the last found name; set by find()
    name_table by_name_;   // positions; empty before the first tool at another position; set by make_index()
};

// Comparison of a list of tools with the previous list of the server, and construction of its catalog entries, without
// I/O. Each step processes a bounded number of tools, so that a large list can be stored in many turns of an event
// loop.
//
// Invariant: no step does work for all tools at once, except the first one that finds a tool at another position, which
// makes an index of the names of the previous list.
class tool_list_update {
public:
    // `tools`: the new list. `listed`: the list that the catalog has. `former`: a list whose entries are reused if
    // `listed` is null.
    tool_list_update(std::vector<tool> tools, tool_snapshot listed, tool_snapshot const& former,
                     listed_server const& server, policy_table const& policies) noexcept
        : server_(server),
          policies_(policies),
          tools_(std::move(tools)),
          listed_(std::move(listed)),
          last_(listed_ ? listed_ : former),
          is_changed_(tools_.size() != entries_in(listed_).size())
    {}

    // Processes at most `max_tools` tools. Returns whether all tools are processed. After an exception, the object can
    // only be destroyed. Preconditions: `max_tools` is positive, and not all tools are processed.
    [[nodiscard]] LINKSPAN_DECL bool step(std::size_t max_tools);

    // Returns whether the list differs from the previous list. Precondition: all tools are processed.
    bool is_changed() const noexcept { return is_changed_; }

    // Returns the new list, or the previous one if they are equal. Precondition: all tools are processed.
    LINKSPAN_DECL tool_snapshot take();

    // Returns the names of the new tools whose input schemas do not have the type `object`. Collected only if an
    // observer receives them, and if the list differs from the previous list.
    std::vector<std::string> const& non_object_schemas() const noexcept { return non_object_schemas_; }

private:
    void add_next();
    void classify(catalog_entry& entry) const;

    listed_server const& server_;                 // this and the next four: set by the constructor
    policy_table const& policies_;                //
    std::vector<tool> tools_;                     // elements are moved out by add_next()
    tool_snapshot listed_;                        //
    entry_finder last_;                           //
    std::size_t next_ = 0;                        // next element of `tools_`; incremented by step()
    bool is_changed_;                             // set by the constructor, and by step() at the first difference
    std::vector<catalog_entry> entries_;          // of the first `next_` tools if `is_changed_`; added by add_next()
    std::vector<std::string> non_object_schemas_; // added by add_next()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/tool_list_update.ipp>
#endif

#endif
