#ifndef LINKSPAN_MODEL_TOOL_PAGE_HPP
#define LINKSPAN_MODEL_TOOL_PAGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/detail/append_entries.hpp>
#include <linkspan/model/tool.hpp>

#include <cstddef>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A page of `tools/list`, whose tools are appended to a list in steps, so that a large page does not block an event
// loop.
class tool_page {
public:
    // `list` and `page` must remain valid as long as the object.
    LINKSPAN_DECL tool_page(tool_list& list, std::string_view page);

    // Returns false if `tools` is not an array.
    bool is_valid() const noexcept { return entries_.is_valid(); }

    // Appends the next tools, at least one, until their JSON texts together have `max_bytes` bytes. Returns whether all
    // tools are appended. Preconditions: is_valid(), and not all tools are appended.
    [[nodiscard]] LINKSPAN_DECL bool step(std::size_t max_bytes);

private:
    page_entries<tool_list, tool> entries_; // set by the constructor, advanced by step()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/tool_page.ipp>
#endif

#endif
