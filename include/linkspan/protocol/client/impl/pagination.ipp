#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_PAGINATION_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_PAGINATION_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/pagination.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL pagination::action pagination::on_page(std::string_view result)
{
    using kind = action::kind;
    auto const cursor = json_scan::member(result, "nextCursor");
    if (cursor.empty() || cursor == "null")
        return {kind::done, {}, {}};
    if (!json_scan::quoted(cursor))
        return {kind::failed, {}, error::malformed_message};
    if (std::ranges::find(seen_, cursor) != seen_.end())
        return {kind::failed, {}, error::repeated_cursor};
    seen_.emplace_back(cursor);
    if (seen_.size() >= max_pages_)
        return {kind::failed, {}, error::list_too_long};
    return {kind::next_page, seen_.back(), {}};
}

} // namespace linkspan

#endif
