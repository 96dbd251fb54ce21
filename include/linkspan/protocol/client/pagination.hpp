#ifndef LINKSPAN_PROTOCOL_CLIENT_PAGINATION_HPP
#define LINKSPAN_PROTOCOL_CLIENT_PAGINATION_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Walks through the pages of a list.
///
/// Each page is one event and yields what to do: ask for the next page, or stop. A cursor is opaque, and an empty one
/// is a cursor like any other; only its absence (or null) ends the list. A server that hands out a cursor twice, or
/// pages without end, is stopped.
///
/// Specification: 2026-07-28, server/utilities/pagination.
class pagination {
public:
    static constexpr std::size_t default_max_pages = 64;

    explicit pagination(std::size_t max_pages = default_max_pages) noexcept : max_pages_(max_pages) {}

    struct action {
        enum class kind { next_page, done, failed };

        kind what;
        std::string_view cursor; ///< of the next page, as JSON text; valid until the next event
        error_code ec;           ///< why it failed
    };

    /// Event: a page came, the text of its result.
    /// Errors: `repeated_cursor`, `list_too_long`; `malformed_message` for a cursor that is no string.
    action on_page(std::string_view result)
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

private:
    std::size_t max_pages_;
    std::vector<std::string> seen_;
};

} // namespace linkspan

#endif
