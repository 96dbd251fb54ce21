#ifndef LINKSPAN_SESSION_IMPL_HEADER_MIRROR_IPP
#define LINKSPAN_SESSION_IMPL_HEADER_MIRROR_IPP

#include <linkspan/core/diagnostic.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/detail/header_mirror.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void header_mirror::read(tool_list& list, std::size_t first, arguments_by_tool& out)
{
    auto kept = list.tools.begin() + static_cast<std::ptrdiff_t>(first);
    for (auto tool = kept; tool != list.tools.end(); ++tool) {
        auto found = read_mirrored_arguments(tool->input_schema);
        if (!found.fault.empty()) {
            list.unusable.push_back({diagnostic::severity::error, std::move(tool->name), {}, std::move(found.fault)});
            continue;
        }
        if (!found.all.empty())
            out.insert_or_assign(tool->name, std::move(found.all));
        if (kept != tool)
            *kept = std::move(*tool);
        ++kept;
    }
    list.tools.erase(kept, list.tools.end());
}

LINKSPAN_DECL std::span<header_value const> header_mirror::headers_of_call(std::string_view tool,
                                                                           std::string_view params)
{
    auto const found = by_tool_.find(tool);
    if (found == by_tool_.end())
        return {};
    auto const object = '{' + std::string(params) + '}';
    auto const arguments = json_scan::member(object, "arguments");
    texts_.clear();
    headers_.clear();
    texts_.reserve(found->second.size()); // the headers refer to the texts
    for (auto const& argument : found->second)
        if (auto value = mirrored_value(arguments, argument))
            headers_.push_back({argument.header, texts_.emplace_back(std::move(*value))});
    return headers_;
}

} // namespace linkspan::detail

#endif
