#ifndef LINKSPAN_MODEL_IMPL_ENTRY_LIST_IPP
#define LINKSPAN_MODEL_IMPL_ENTRY_LIST_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/detail/page_hints.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/tool.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// `member`: the member of the page that contains the entries. `read` returns an empty optional for an invalid entry.
template<class Entry>
error_code append_entries(entry_list<Entry>& list, std::string_view page, std::string_view member,
                          std::optional<Entry> (*read)(std::string_view json))
{
    json_scan::reader entries(json_scan::member(page, member));
    if (!entries.is_array())
        return error::malformed_message;
    while (auto const entry = entries.next()) {
        if (auto value = read(entry->value))
            list.entries.push_back(std::move(*value));
        else
            ++list.dropped;
    }
    add_page_hints(list, page);
    return {};
}

} // namespace detail

LINKSPAN_DECL error_code append_page(resource_list& list, std::string_view page)
{
    return detail::append_entries(list, page, "resources", &read_resource);
}

LINKSPAN_DECL error_code append_page(resource_template_list& list, std::string_view page)
{
    return detail::append_entries(list, page, "resourceTemplates", &read_resource_template);
}

LINKSPAN_DECL error_code append_page(prompt_list& list, std::string_view page)
{
    return detail::append_entries(list, page, "prompts", &read_prompt);
}

LINKSPAN_DECL error_code append_page(task_list& list, std::string_view page)
{
    return detail::append_entries(list, page, "tasks", &read_task);
}

} // namespace linkspan

#endif
