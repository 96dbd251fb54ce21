#ifndef LINKSPAN_PROTOCOL_CLIENT_PAGINATION_HPP
#define LINKSPAN_PROTOCOL_CLIENT_PAGINATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// State machine that reads the pages of a list, such as the list of tools.
///
/// Each page is an event that returns the next action: request the next page, or stop. A cursor is opaque: the empty
/// string is a cursor, and only a missing cursor or null ends the list. The machine stops if the server repeats a
/// cursor or sends too many pages. An object is used for one list.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// 2026-07-28, server/utilities/pagination.
class pagination {
public:
    /// Default maximum number of pages.
    static constexpr std::size_t default_max_pages = 64;

    /// Constructs a machine that accepts at most `max_pages` pages.
    explicit pagination(std::size_t max_pages = default_max_pages) noexcept : max_pages_(max_pages) {}

    /// Action that the driver must perform next.
    struct action {
        /// `next_page`: request the page at `cursor`. `done`: the list is complete. `failed`: report `ec`.
        enum class kind { next_page, done, failed };

        /// Kind of the action.
        kind what;
        /// Cursor of the next page as JSON text, for `next_page`; valid until the next event.
        std::string_view cursor;
        /// Reason, for `failed`; else no error.
        error_code ec;
    };

    /// Event: a page was received.
    ///
    /// \param result JSON text of the result of the list request.
    /// \par Errors
    /// `repeated_cursor`: the cursor was returned by an earlier page. `list_too_long`: `max_pages` pages were received
    /// and the list continues. `malformed_message`: the cursor is not a string.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL action on_page(std::string_view result);

private:
    // set by the constructor
    std::size_t max_pages_;
    // cursors of all pages so far, for the detection of a repeated cursor; never cleared
    std::vector<std::string> seen_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/pagination.ipp>
#endif

#endif
