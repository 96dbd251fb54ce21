#ifndef LINKSPAN_MODEL_CALL_OPTIONS_HPP
#define LINKSPAN_MODEL_CALL_OPTIONS_HPP

#include <linkspan/core/fwd.hpp>

#include <functional>
#include <optional>
#include <string>

namespace linkspan {

/// What a server says about the progress of a call.
///
/// Specification: 2025-11-25, basic/utilities/progress.
struct progress_update {
    double progress = 0;         ///< rises with each update
    std::optional<double> total; ///< in the same unit, which is the server's choice
    std::string message;         ///< since 2025-03-26; may be empty
};

/// How a call is made. What is empty takes the default of the session or connector.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct call_options {
    call_options() {}

    /// Without an answer, or a sign of progress, for so long, an attempt is over.
    std::optional<duration> idle_timeout;

    /// However much progress there is, an attempt is over after this time.
    std::optional<duration> attempt_timeout;

    /// Of the call as a whole, over all attempts.
    std::optional<duration> timeout;

    /// The share of the time left that an attempt may use while another server could take the call afterwards, as its
    /// replay class allows. 0 to 1; 1: all of it. Empty: as the fallback policy has it, 0.5 by default.
    std::optional<double> attempt_share;

    /// Called on the executor of the session or connector; must not throw.
    std::function<void(progress_update const&)> on_progress;

    /// Calls with equal texts belong together, for a routing policy that looks at it; empty: none.
    std::string affinity;

    /// An id of the caller's own by which observers know the call; it is not sent. Empty: none.
    std::string correlation;

    /// Members of `params._meta`, as the text of a JSON object; empty: none.
    std::string meta;
};

} // namespace linkspan

#endif
