#ifndef LINKSPAN_MODEL_IMPL_TOOL_PAGE_IPP
#define LINKSPAN_MODEL_IMPL_TOOL_PAGE_IPP

#include <linkspan/model/tool_page.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL tool_page::tool_page(tool_list& list, std::string_view page)
    : entries_(list, list.tools, page, "tools", &read_tool)
{}

LINKSPAN_DECL bool tool_page::step(std::size_t max_bytes) { return entries_.step(max_bytes); }

} // namespace linkspan::detail

#endif
