#ifndef LINKSPAN_MODEL_DETAIL_PAGE_HINTS_HPP
#define LINKSPAN_MODEL_DETAIL_PAGE_HINTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<duration> read_ttl(std::string_view milliseconds) noexcept; // <linkspan/model/tool.hpp>

namespace detail {

// Counts a page of a list, and merges the hints of the page about caching: the shortest time to live, and `public` only
// if all pages are public.
//
// Specification: 2026-07-28, "Caching".
template<class List>
void add_page_hints(List& list, std::string_view page)
{
    if (auto const span = read_ttl(json_scan::member(page, "ttlMs")))
        list.ttl = std::min(*span, list.ttl.value_or(*span));
    list.is_public = (list.pages++ == 0 || list.is_public) && json_scan::member(page, "cacheScope") == R"("public")";
}

} // namespace detail
} // namespace linkspan

#endif
