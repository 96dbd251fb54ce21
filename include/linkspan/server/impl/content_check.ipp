#ifndef LINKSPAN_SERVER_IMPL_CONTENT_CHECK_IPP
#define LINKSPAN_SERVER_IMPL_CONTENT_CHECK_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/server/detail/content_check.hpp>
#include <linkspan/server/detail/json_object_check.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Visits a content block.
struct content_checker {
    std::string_view operator()(text_content const& block) const { return of_meta(block.meta); }
    std::string_view operator()(image_content const& block) const { return of_meta(block.meta); }
    std::string_view operator()(audio_content const& block) const { return of_meta(block.meta); }
    std::string_view operator()(resource_link const& block) const { return of_meta(block.resource.meta); }

    std::string_view operator()(embedded_resource const& block) const
    {
        auto const problem = of_meta(block.meta);
        return problem.empty() ? problem_of_content(block.resource) : problem;
    }

    std::string_view operator()(tool_use_content const& block) const
    {
        return is_json_object(block.input) ? of_meta(block.meta) : "the input of a tool call is not a JSON object";
    }

    std::string_view operator()(tool_result_content const& block) const
    {
        if (!json_scan::is_value(block.content) || !json_scan::reader(block.content).is_array())
            return "the content of a tool result is not a JSON array";
        if (!block.structured.empty() && !json_scan::is_value(block.structured))
            return "the structured content of a tool result is not JSON";
        return of_meta(block.meta);
    }

    std::string_view operator()(unknown_content const& block) const
    {
        return is_json_object(block.raw) ? std::string_view() : "a content block is not a JSON object";
    }

    static std::string_view of_meta(std::string_view meta)
    {
        bool const is_valid = meta.empty() || is_json_object(meta);
        return is_valid ? std::string_view() : "'_meta' of the content is not a JSON object";
    }
};

LINKSPAN_DECL std::string_view problem_of_content(content_block const& block)
{
    return std::visit(content_checker(), block);
}

LINKSPAN_DECL std::string_view problem_of_content(resource_contents const& contents)
{
    return content_checker::of_meta(contents.meta);
}

} // namespace linkspan::detail

#endif
