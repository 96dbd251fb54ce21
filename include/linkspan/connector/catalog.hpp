#ifndef LINKSPAN_CONNECTOR_CATALOG_HPP
#define LINKSPAN_CONNECTOR_CATALOG_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/json/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

class catalog_builder;
class retired_catalogs;
struct catalog_index; // tables of names and servers; defined in another header, which programs need not compile

} // namespace detail

/// One tool of one server in a catalog.
///
/// The identity of the tool is the pair of `server_key` and `tool->name`. Exposed names are compared, never parsed.
struct catalog_entry {
    /// Identifier of the server in its connector.
    server_id server{};

    /// Name of the server.
    std::string server_key;

    /// `server_options::priority` of the server, 0 to 100.
    int priority = 0;

    /// `server_options::tags` of the server. Null: none.
    std::shared_ptr<std::vector<std::string> const> tags;

    /// Name from the naming policy, for `async_invoke`. Empty: the naming policy returned the same name for another
    /// tool (see `catalog::collisions`).
    std::string exposed;

    /// True: the naming policy also accepts the tool's own name if that name is unambiguous.
    bool accepts_own_name = false;

    /// True: the own name is displayed instead of `exposed`. `accepts_own_name` is then true, and the connector has
    /// only one server, or the own name identifies a group of interchangeable tools.
    bool displays_own_name = false;

    /// Description of the tool in the list of the server. Never null; successive catalogs share the object.
    std::shared_ptr<linkspan::tool const> tool;

    /// Fingerprint of the input schema of `tool`, computed when the connector reads the server's list of tools. Without
    /// a value: the constructor of `catalog` computes the fingerprint.
    fingerprint input;

    /// `tool_options::group`, declared by the operator. Empty: no group.
    std::string group;

    /// States whether a call of unknown outcome may be sent again. The value is `tool_options::replay` if the operator
    /// declared it. Otherwise, the value is the replay class that the annotations of the tool imply, if
    /// `server_options::trust_annotations` is true, and `never` if it is false.
    replay_class replay = replay_class::never;

    /// True: `replay` permits a second execution on this server only, not on another server.
    bool replay_on_same_server = false;

    /// Returns the name for models and human readers: the own name if `displays_own_name`, else `exposed`. Empty: the
    /// tool can be called in the scope of its server, or by its own name if that name is unambiguous.
    std::string const& display_name() const noexcept { return displays_own_name ? tool->name : exposed; }

    /// Returns whether `name` is the exposed name, or the own name if the naming policy accepts it.
    bool has_name(std::string_view name) const noexcept
    {
        return exposed == name || (accepts_own_name && tool->name == name);
    }
};

/// Immutable snapshot of the tools of all servers.
///
/// A tool is identified by its exposed name, or by its own name if the own name is unambiguous: if only one server has
/// a tool of this name, or if all tools of this name have the same input schema, so that they are interchangeable.
/// Tools for which the operator declared the same group (`tool_options::group`) are interchangeable independently of
/// their names and schemas. The name of the group identifies them; so does the own name of a member, unless a tool
/// outside of the group has the same name.
///
///     auto const tools = hub.catalog();
///     for (auto const& entry : tools->tools())
///         std::cout << entry.server_key << ": " << entry.display_name() << '\n';
///
/// \par Thread safety
/// Immutable after construction: safe to read from any thread.
class catalog {
public:
    /// Constructs an empty catalog.
    LINKSPAN_DECL catalog();
    catalog(catalog&&) = default;
    catalog& operator=(catalog&&) = default;

    /// Constructs a catalog and determines which names are unambiguous.
    ///
    /// \param entries The tools, in the order of the servers and of each server's list; entries of one server are
    /// adjacent.
    /// \param only_server True if the connector has only one server: the own names of its tools with `accepts_own_name`
    /// are displayed.
    LINKSPAN_DECL explicit catalog(std::vector<catalog_entry> entries, bool only_server = false);

    /// Returns all tools, in the order of the servers and of each server's list.
    std::span<catalog_entry const> tools() const noexcept { return entries_; }

    /// Returns the tools of one server. Empty if there is no such server or it has no tools.
    LINKSPAN_DECL std::span<catalog_entry const> tools(std::string_view server_key) const noexcept;

    /// Returns the tools of all servers with a tag, in the order of `tools()`. The pointers are valid as long as the
    /// catalog.
    LINKSPAN_DECL std::vector<catalog_entry const*> tagged(std::string_view tag) const;

    /// Returns the names that the naming policy returned for several tools, sorted. None of these tools is exposed by
    /// the name, so that no tool is called in place of another. Each of them can be called in the scope of its server.
    std::span<std::string const> collisions() const noexcept { return collisions_; }

    /// Returns the tools with this input schema, in the order of `tools()`. Schemas are equal as JSON values: the order
    /// of keys, whitespace, and the notation of numbers and strings do not matter. The pointers are valid as long as
    /// the catalog.
    LINKSPAN_DECL std::vector<catalog_entry const*> with_input_schema(std::string_view input_schema) const;

    /// Result of the look-up of a name.
    struct match {
        /// Number and relation of the tools that a name identifies.
        enum class kind {
            /// No tool has the name.
            unknown,
            /// One tool: the name is its exposed name, or an own name or a group that no other tool has.
            one,
            /// Several interchangeable tools.
            group,
            /// Several tools that are not interchangeable, or a name in `collisions()`.
            ambiguous,
        };

        /// Kind of the match.
        kind what = kind::unknown;

        /// Indexes into `tools()`, in ascending order. Valid as long as the catalog. Empty if `what` is `unknown`.
        std::span<std::uint32_t const> entries;
    };

    /// Returns the tools that a name identifies. An exposed name takes precedence over an equal own name.
    LINKSPAN_DECL match find(std::string_view name) const;

    /// Returns the entries of a match that have the highest `catalog_entry::priority` among the entries of the match.
    ///
    /// \param found A match of this catalog.
    /// \returns Indexes into `tools()`, in ascending order. Valid as long as the catalog.
    LINKSPAN_DECL std::span<std::uint32_t const> preferred(match const& found) const;

    /// Returns the tool with this own name on one server; null if the server has no such tool.
    LINKSPAN_DECL catalog_entry const* find(server_id server, std::string_view tool) const;

    /// Returns names in the catalog that are similar to `name` by edit distance, the most similar first.
    ///
    /// \param name The unknown name.
    /// \param max_count Maximum number of names.
    LINKSPAN_DECL std::vector<std::string> suggestions(std::string_view name, std::size_t max_count = 3) const;

private:
    friend class detail::catalog_builder;
    friend class detail::retired_catalogs;

    std::vector<catalog_entry> entries_;           // this and the other members are set by `catalog_builder`
    std::vector<std::string> collisions_;          // sorted
    std::shared_ptr<detail::catalog_index> index_; // null only in a moved-from catalog; not shared
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/detail/catalog_builder.hpp>
#endif

#endif
