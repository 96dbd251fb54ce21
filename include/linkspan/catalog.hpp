#ifndef LINKSPAN_CATALOG_HPP
#define LINKSPAN_CATALOG_HPP

#include <linkspan/attempt.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/fwd.hpp>
#include <linkspan/tool.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linkspan {

/// A tool of a server. Its identity is the pair of both; names are looked up and never parsed.
struct catalog_entry {
    server_id server{};
    std::string server_key;
    std::string exposed; ///< the name by which exactly this one is called; empty: another would have the same
    tool_definition tool;
    replay_class replay = replay_class::never;
    bool replay_stays = false; ///< `replay` holds on this server, and says nothing about others
};

/// The tools of all servers at one moment: immutable, and shared by the calls that began with it.
///
/// A tool is called by its exposed name, or by its own name where that is clear: when one server has it, or when all
/// servers that have it take the same input, so that they can stand in for each other.
///
/// Thread safety: may be read from any thread.
class catalog {
public:
    catalog() = default;

    /// In the order of the servers, and of each server's own list.
    LINKSPAN_DECL explicit catalog(std::vector<catalog_entry> entries);

    std::span<catalog_entry const> tools() const noexcept { return entries_; }

    /// Exposed names that two tools would have had, in order: neither has it, so that none is called for the other.
    /// Each is still called at its server.
    std::span<std::string const> collisions() const noexcept { return collisions_; }

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
    LINKSPAN_DECL std::vector<std::string> nearest(std::string_view name, std::size_t most = 3) const;

private:
    struct hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };

    struct meaning {
        std::vector<std::uint32_t> entries;
        match::kind what = match::kind::one;
    };

    bool are_alike(std::span<std::uint32_t const> entries) const;

    std::vector<catalog_entry> entries_;
    std::vector<std::string> collisions_;
    std::unordered_map<std::string, meaning, hash, std::equal_to<>> names_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/catalog.ipp>
#endif

#endif
