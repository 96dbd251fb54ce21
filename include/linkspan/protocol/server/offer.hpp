#ifndef LINKSPAN_PROTOCOL_SERVER_OFFER_HPP
#define LINKSPAN_PROTOCOL_SERVER_OFFER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/uri_template.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// The four lists that a server offers.
enum class offer_list {
    tools,     ///< `tools/list`
    resources, ///< `resources/list`
    templates, ///< `resources/templates/list`
    prompts    ///< `prompts/list`
};

/// Tools, resources, resource templates and prompts that a server offers, and the pages of their lists.
///
/// The pages are composed once per change and protocol version. A cursor belongs to one state of a list: after a
/// change, a page with an older cursor is not found, and the client starts again. The class performs no I/O.
///
/// Invariant: the names in a list are unique, and `pages` of a list is empty after each change of the list.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28, server/tools, server/resources, server/prompts, server/utilities/pagination.
class offer {
public:
    /// Creates an empty offer.
    ///
    /// \param page_size Maximum number of entries per page; 0: all entries are on one page.
    explicit offer(std::size_t page_size = 0) : page_size_(page_size) {}

    /// @name Additions
    /// The functions return an empty text, or the reason why nothing was added: a text that names the entry, such as
    /// `tool "sum" exists already`. If a function throws `std::bad_alloc`, nothing was added.
    /// @{

    /// Adds a tool. The name must have 1 to 128 characters of `A-Z a-z 0-9 _ - .`, and both schemas must be JSON
    /// objects without whitespace before the brace. The output schema may be empty.
    LINKSPAN_DECL std::string add(tool entry);
    /// Adds a resource. The URI must have a scheme.
    LINKSPAN_DECL std::string add(resource entry);
    /// Adds a resource template.
    LINKSPAN_DECL std::string add(resource_template entry);
    /// Adds a prompt. The names of its arguments must be unique and not empty.
    LINKSPAN_DECL std::string add(prompt entry);
    /// @}

    /// Removes the entry with a name, a URI or a URI template. Returns whether there was one.
    LINKSPAN_DECL bool remove(offer_list from, std::string_view name) noexcept;

    /// Continues an earlier state, which this offer replaces. A list that does not differ keeps its pages and its
    /// cursors; the cursors of the other lists become invalid. A list that was offered stays offered.
    ///
    /// \param before The earlier state, with the same page size. Its lists are unspecified afterwards.
    /// \returns By `offer_list`: whether the entries of the list, or their order, differ.
    LINKSPAN_DECL std::array<bool, 4> continue_from(offer& before) noexcept;

    /// Returns the number of entries of a list.
    LINKSPAN_DECL std::size_t size(offer_list list) const noexcept;

    /// Returns whether a list has or had an entry. The server then declares the capability of the list.
    bool is_offered(offer_list list) const noexcept { return offered_[static_cast<std::size_t>(list)]; }

    /// Returns the members of the result with one page of a list, without braces.
    ///
    /// \param list The list.
    /// \param cursor Cursor of the request, decoded; empty optional: the first page.
    /// \param id Protocol version of the result.
    /// \returns The members; null: the cursor does not belong to the current state of the list. Valid until the next
    /// change of the offer.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string const* page(offer_list list, std::optional<std::string_view> cursor, protocol_version id);

    /// Finds the first template that matches a URI.
    ///
    /// \returns The position of the template in its list, and the values of its variables; empty: none matches.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::optional<std::pair<std::size_t, uri_template::values>> match(std::string_view uri) const;

    /// Returns the text of the template at a position of its list.
    std::string const& template_at(std::size_t position) const noexcept
    {
        return templates_.entries[position].uri_template;
    }

    /// Returns the tool with a name; null: there is none. Valid until the next change of the offer.
    LINKSPAN_DECL tool const* find_tool(std::string_view name) const noexcept;
    /// Returns the prompt with a name; null: there is none. Valid until the next change of the offer.
    LINKSPAN_DECL prompt const* find_prompt(std::string_view name) const noexcept;

private:
    // Entries of one list, and its pages per protocol version.
    template<class Entry>
    struct listed {
        std::vector<Entry> entries;                                           // in the order of addition
        std::array<std::vector<std::string>, protocol_versions.size()> pages; // composed by page(), cleared by changes
        std::uint64_t changes = 0;                                            // number of changes; part of each cursor
    };

    template<class Entry>
    void append(listed<Entry>& to, offer_list which, Entry&& entry);
    template<class Entry>
    static bool erase(listed<Entry>& from, std::string_view name) noexcept;
    template<class Entry>
    static bool continue_list(listed<Entry>& now, listed<Entry>& before) noexcept;
    template<class Entry>
    std::string const* page_of(listed<Entry>& from, std::string_view key, std::optional<std::string_view> cursor,
                               protocol_version id);
    template<class Entry>
    void compose(listed<Entry>& from, std::string_view key, protocol_version id);

    std::size_t page_size_;               // set by the constructor
    listed<tool> tools_;                  // changed by add() and remove(), as all lists
    listed<resource> resources_;          //
    listed<resource_template> templates_; //
    listed<prompt> prompts_;              //
    std::vector<uri_template> matchers_;  // parsed `templates_`, in the same order
    std::array<bool, 4> offered_{};       // by `offer_list`; set by the first addition and continue_from()
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/offer.ipp>
#endif

#endif
