#ifndef LINKSPAN_MODEL_PROGRESS_HPP
#define LINKSPAN_MODEL_PROGRESS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Params of `notifications/progress`.
struct progress_notification {
    request_id token = 0;   ///< progress token: the id of the request
    progress_update update; ///< reported progress, total and message
};

/// Reads the params of `notifications/progress`.
///
/// \param params The params as the text of a JSON object.
/// \returns The notification, or an empty optional if `progressToken` is not an integer (as a number or as a string) or
/// `progress` is not a number. An invalid `total` or `message` is treated as missing. Members after a syntax error are
/// ignored.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25, basic/utilities/progress.
LINKSPAN_DECL std::optional<progress_notification> read_progress(std::string_view params);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/progress.ipp>
#endif

#endif
