#ifndef LINKSPAN_CORE_ATTEMPT_HPP
#define LINKSPAN_CORE_ATTEMPT_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan {

/// What is known about the execution of one request, when its attempt is over.
enum class certainty {
    not_sent,  ///< no complete message left us: certainly not executed
    refused,   ///< the server refused before it ran the tool: certainly not executed
    unknown,   ///< a complete message left us, and nobody can say what became of it
    completed, ///< the server answered
};

constexpr std::string_view to_string(certainty how) noexcept
{
    switch (how) {
    case certainty::not_sent: return "not_sent";
    case certainty::refused: return "refused";
    case certainty::unknown: return "unknown";
    case certainty::completed: return "completed";
    }
    return "?";
}

/// When a call whose outcome is unknown may be sent again. `never < idempotent < read_only`; `keyed` stands beside
/// them: to the same server only, which removes duplicates by a key.
enum class replay_class { never, idempotent, read_only, keyed };

constexpr std::string_view to_string(replay_class klass) noexcept
{
    switch (klass) {
    case replay_class::never: return "never";
    case replay_class::idempotent: return "idempotent";
    case replay_class::read_only: return "read_only";
    case replay_class::keyed: return "keyed";
    }
    return "?";
}

/// How an attempt ended.
struct outcome {
    linkspan::certainty certainty = linkspan::certainty::unknown;
    bool answered = false;               ///< the server answered, if only with an error
    bool started = false;                ///< it reported progress: the tool ran, or began to
    error_code ec;                       ///< why it failed; empty for a result, a tool's own failure included
    duration elapsed{};                  ///< from the start of the attempt to its end
    std::optional<duration> retry_after; ///< the server asked for a pause
    bool pinned = false; ///< the server has asked back about the call: it may return there, and goes to no other
    /// The failure was already reported to the health policy: an earlier attempt of the same call on the same server
    /// failed, or the connection was lost with all calls on it. A breaker counts one failure.
    bool repeated = false;
};

/// One line of the trail that a call leaves: an attempt, or why there was none.
struct attempt_record {
    std::string server; ///< its name in the configuration
    request_id id = 0;  ///< 0 when nothing was sent
    outcome result;
    std::string detail; ///< for people: the server's own message, or the beginning of an answer that made no sense
};

} // namespace linkspan

#endif
