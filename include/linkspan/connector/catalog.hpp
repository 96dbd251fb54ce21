#ifndef LINKSPAN_CONNECTOR_CATALOG_HPP
#define LINKSPAN_CONNECTOR_CATALOG_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/json/fwd.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// A tool of a server. Its identity is the pair of both; names are looked up and never parsed.
struct catalog_entry {
    server_id server{};
    std::string server_key;
    int priority = 0;                                     ///< of the server: 0 to 100
    std::shared_ptr<std::vector<std::string> const> tags; ///< of the server; null: none
    std::string exposed;       ///< the name by which exactly this one is called; empty: another would have the same
    bool keeps_own = false;    ///< the naming policy keeps its own name too, where that is clear
    bool displays_own = false; ///< and so it is: models are shown that name
    std::shared_ptr<linkspan::tool const> tool; ///< never null; catalogues share it
    std::string group;                ///< declared by the operator; empty: none
    replay_class replay = replay_class::never;
    bool replay_stays = false; ///< `replay` holds on this server, and says nothing about others

    /// The name for models and people; empty: it has none, and is called at its server.
    std::string const& display_name() const noexcept { return displays_own ? tool->name : exposed; }

    /// Whether the naming policy gave it that name, or keeps it.
    bool has_name(std::string_view name) const noexcept { return exposed == name || (keeps_own && tool->name == name); }
};

/// The tools of all servers at one moment: immutable, and shared by the calls that began with it.
///
/// A tool is called by its exposed name, or by its own name where that is clear: when one server has it, or when all
/// servers that have it take the same input, so that they can stand in for each other. Tools that the operator declared
/// a group stand in for each other whatever their names, and are called by any of these, or by that of the group.
///
/// Thread safety: may be read from any thread.
class catalog {
public:
    catalog() = default;
    catalog(catalog&&) = default;
    catalog& operator=(catalog&&) = default;

    /// In the order of the servers, and of each server's own list. Entries that keep their own names show them where
    /// these are clear: of a server that is the only one, or of a group.
    LINKSPAN_DECL explicit catalog(std::vector<catalog_entry> entries, bool only_server = false);

    std::span<catalog_entry const> tools() const noexcept { return entries_; }

    /// Those of one server; none when there is no such server.
    LINKSPAN_DECL std::span<catalog_entry const> tools(std::string_view server_key) const noexcept;

    /// Those of servers that have this tag, in order. Lifetime: that of the catalogue.
    LINKSPAN_DECL std::vector<catalog_entry const*> tagged(std::string_view tag) const;

    /// Exposed names that two tools would have had, in order: neither has it, so that none is called for the other.
    /// Each is still called at its server.
    std::span<std::string const> collisions() const noexcept { return collisions_; }

    /// Those that take the same input: whose schema is equal but for the order of its keys. Lifetime: that of the
    /// catalogue.
    LINKSPAN_DECL std::vector<catalog_entry const*> with_input_schema(std::string_view input_schema) const;

    /// What a name stands for.
    struct match {
        enum class kind {
            unknown,
            one,       ///< an exposed name, or a name that only one server has
            group,     ///< servers that can stand in for each other
            ambiguous, ///< servers whose tools of that name are unlike
        };

        kind what = kind::unknown;
        std::span<std::uint32_t const> entries; ///< indexes of `tools()`
    };

    LINKSPAN_DECL match find(std::string_view name) const;

    /// The tool of that name on that server; null when it has none.
    LINKSPAN_DECL catalog_entry const* find(server_id server, std::string_view tool) const;

    /// Names that are like `name`, the most alike first.
    LINKSPAN_DECL std::vector<std::string> suggestions(std::string_view name, std::size_t most = 3) const;

private:
    using names = boost::unordered_flat_map<std::string_view, match, std::hash<std::string_view>>;

    template<class TextOf>
    std::vector<std::string_view> fill(names& into, TextOf text_of);
    void name_tools();
    void name_groups();
    void name_exposed();
    void show_own_names(bool only_server);
    bool are_alike(std::span<std::uint32_t const> entries) const;

    struct range {
        std::uint32_t first, size;
    };

    std::vector<catalog_entry> entries_;
    boost::unordered_flat_map<server_id, range> ranges_; // of the entries of a server, which stand together
    std::vector<std::uint32_t> numbers_;                 // 0, 1, 2 and so on: what a name of one entry stands for
    std::vector<std::vector<std::uint32_t>> members_;    // what names of several entries stand for
    std::vector<std::string> collisions_;
    names own_;  // of tools and groups; their texts are those of the entries
    names made_; // by the naming policy; their texts are those of the entries and of `collisions_`
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog.ipp>
#endif

#endif
