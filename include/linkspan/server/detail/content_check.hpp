#ifndef LINKSPAN_SERVER_DETAIL_CONTENT_CHECK_HPP
#define LINKSPAN_SERVER_DETAIL_CONTENT_CHECK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/resource.hpp>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

// Checks of the JSON texts in content of a handler: members `meta` and `raw`, and those of tool calls.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Return the reason for which content cannot be a part of a message; empty: none.
LINKSPAN_DECL std::string_view problem_of_content(content_block const& block);
LINKSPAN_DECL std::string_view problem_of_content(resource_contents const& contents);

// The same for a text block without `meta`, as most blocks, takes one comparison.
inline std::string_view problem_of_content(std::vector<content_block> const& blocks)
{
    for (auto const& block : blocks)
        if (auto const* const text = std::get_if<text_content>(&block); !text || !text->meta.empty())
            if (auto const problem = problem_of_content(block); !problem.empty())
                return problem;
    return {};
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/content_check.ipp>
#endif

#endif
