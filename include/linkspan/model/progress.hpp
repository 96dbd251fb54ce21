#ifndef LINKSPAN_MODEL_PROGRESS_HPP
#define LINKSPAN_MODEL_PROGRESS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_options.hpp>

#include <optional>
#include <string_view>

namespace linkspan {

/// `notifications/progress`: the request that it is about, and what it says.
struct progress_notification {
    request_id token = 0;
    progress_update update;
};

/// Reads the params of `notifications/progress`. Nothing when the token is none of ours, or `progress` no number.
LINKSPAN_DECL std::optional<progress_notification> read_progress(std::string_view params);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/progress.ipp>
#endif

#endif
