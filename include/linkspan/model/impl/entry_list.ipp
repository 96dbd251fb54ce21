#ifndef LINKSPAN_MODEL_IMPL_ENTRY_LIST_IPP
#define LINKSPAN_MODEL_IMPL_ENTRY_LIST_IPP

#include <linkspan/model/detail/append_entries.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/tool.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL error_code append_page(resource_list& list, std::string_view page)
{
    return detail::append_entries(list, list.entries, page, "resources", &read_resource);
}

LINKSPAN_DECL error_code append_page(resource_template_list& list, std::string_view page)
{
    return detail::append_entries(list, list.entries, page, "resourceTemplates", &read_resource_template);
}

LINKSPAN_DECL error_code append_page(prompt_list& list, std::string_view page)
{
    return detail::append_entries(list, list.entries, page, "prompts", &read_prompt);
}

LINKSPAN_DECL error_code append_page(task_list& list, std::string_view page)
{
    return detail::append_entries(list, list.entries, page, "tasks", &read_task);
}

} // namespace linkspan

#endif
