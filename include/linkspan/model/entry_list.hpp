#ifndef LINKSPAN_MODEL_ENTRY_LIST_HPP
#define LINKSPAN_MODEL_ENTRY_LIST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/model/task.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// The entries of one list of a server, such as its resources: the merged pages of the list.
///
/// \tparam Entry `resource`, `resource_template`, `prompt` or `task`.
template<class Entry>
struct entry_list {
    std::vector<Entry> entries{};  ///< entries in the order of the server
    std::size_t dropped = 0;       ///< number of invalid entries, which are not in `entries`
    std::optional<duration> ttl{}; ///< `ttlMs`: validity of the list, the minimum of all pages; empty: not sent
    bool is_public = false;        ///< `cacheScope` is `public` on all pages: the list is the same for all users
    std::size_t pages = 0;         ///< number of pages that were read
    std::string detail{};          ///< human-readable text about an error; empty: none
};

using resource_list = entry_list<resource>;                   ///< result of `resources/list`
using resource_template_list = entry_list<resource_template>; ///< result of `resources/templates/list`
using prompt_list = entry_list<prompt>;                       ///< result of `prompts/list`
using task_list = entry_list<task>;                           ///< result of `tasks/list` (2025-11-25 only)

/// Appends one page of `resources/list`.
///
/// \param list The list to which the entries of the page are appended.
/// \param page The result of the list request as JSON text.
/// \par Errors
/// `malformed_message`: the member with the entries is not an array. The list is not modified then.
/// \par Exception safety
/// Basic: a part of the page may be appended. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/resources; MCP 2026-07-28, "Caching".
LINKSPAN_DECL error_code append_page(resource_list& list, std::string_view page);

/// Appends one page of `resources/templates/list`, with the errors and guarantees of the function for resources.
LINKSPAN_DECL error_code append_page(resource_template_list& list, std::string_view page);

/// Appends one page of `prompts/list`, with the errors and guarantees of the function for resources.
LINKSPAN_DECL error_code append_page(prompt_list& list, std::string_view page);

/// Appends one page of `tasks/list`, with the errors and guarantees of the function for resources.
LINKSPAN_DECL error_code append_page(task_list& list, std::string_view page);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/entry_list.ipp>
#endif

#endif
