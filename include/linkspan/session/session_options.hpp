#ifndef LINKSPAN_SESSION_SESSION_OPTIONS_HPP
#define LINKSPAN_SESSION_SESSION_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/session/hosted_task_limit.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Options of a session: identity, timeouts and limits.
///
/// Timeouts are durations; `duration::max()` disables a timeout. The type is not an aggregate, because g++ 12
/// miscompiles temporary aggregates in `co_await` expressions.
///
///     linkspan::session_options options;
///     options.attempt_timeout = std::chrono::minutes(1);
///     linkspan::session files(executor, linkspan::via<linkspan::stdio>({.command = "mcp-files"}), options);
struct session_options {
    /// Constructs the defaults.
    LINKSPAN_DECL session_options();

    /// @name Special member functions
    /// Not inline: otherwise, each unit that uses the options would contain them and those of all members.
    /// @{
    LINKSPAN_DECL session_options(session_options const& other);                ///< Copies options.
    LINKSPAN_DECL session_options(session_options&& other) noexcept;            ///< Moves options.
    LINKSPAN_DECL session_options& operator=(session_options const& other);     ///< Copies options.
    LINKSPAN_DECL session_options& operator=(session_options&& other) noexcept; ///< Moves options.
    LINKSPAN_DECL ~session_options();                                           ///< Destroys options.
    /// @}

    /// Name of the client in `clientInfo`, which is sent to the server. Default: "linkspan".
    std::string client_name = "linkspan";

    /// Version of the client in `clientInfo`. Default: the version of the library.
    std::string client_version = std::string(version);

    /// Extensions that the client supports, as the text of a JSON object with the settings of each extension, such as
    /// `{"com.example/charts":{}}`. Declared in protocol versions since 2026-07-28. The extension for tasks must not be
    /// among them: calls that may become tasks declare it (`async_start_task`, `call_options::allow_task`). Empty:
    /// none. Default: empty.
    std::string extensions;

    /// Maximum time from the start of `async_open` to the response to `initialize`. The time in which the transport is
    /// opened is included, but only the timeouts of the transport interrupt the opening of the transport. Default:
    /// 30 s.
    duration startup_timeout = std::chrono::seconds(30);

    /// Maximum time from the start of `async_open` to the response to the probe. Values above `startup_timeout` have no
    /// effect. When this timeout expires, a session over stdio falls back to the handshake, and a session over HTTP
    /// fails with `attempt_timed_out`. Default: 10 s.
    duration probe_timeout = std::chrono::seconds(10);

    /// Maximum time from the transmission of a request to its response. Each progress notification of the request
    /// restarts the timeout. Default: 30 s.
    duration idle_timeout = std::chrono::seconds(30);

    /// Maximum time from the transmission of a request to its response, independent of progress. A request is also
    /// queued for at most this time. Default: 300 s.
    duration attempt_timeout = std::chrono::seconds(300);

    /// Maximum number of requests that were sent and have no response. Further requests are queued. At least 1; the
    /// constructor of a session and `connector::add` reject 0 with `std::invalid_argument`. Default: 256.
    std::size_t max_in_flight = 256;

    /// Maximum number of queued requests. Further requests fail with `queue_full`. 0: no request is queued. Default:
    /// 1024.
    std::size_t max_queued = 1024;

    /// Maximum number of pages of a list. Longer lists fail with `list_too_long`. Default: 64.
    std::size_t max_pages = pagination::default_max_pages;

    /// Maximum number of tools, or of other entries, of a list. Longer lists fail with `list_too_long`. Default:
    /// 10,000.
    std::size_t max_tools = 10'000;

    /// Maximum number of tasks that the session hosts: the server can request that its request for sampling or
    /// elicitation continues as a task, whose result the server reads later. Declared in 2025-11-25 only. A final task
    /// is kept until the time that the server requests, at most 24 h (24 h if the server requests none), has elapsed
    /// since the creation of the task, and at most until the end of the connection. Further requests for tasks are
    /// refused with -32603. 0: no tasks. Default: 0.
    hosted_task_limit max_hosted_tasks{};

    /// Maximum number of times that a stateless server may request input for one request. 0: every such request fails
    /// with `too_many_input_rounds`. Default: 10.
    unsigned max_input_rounds = 10;

    /// Era of the server, if known from an earlier session. `handshake`: the session omits the probe with
    /// `server/discover`. `stateless` or empty: the server is probed. Default: empty. The session replaces its copy of
    /// this value after each negotiation.
    std::optional<era> remembered;

    /// If true, a line that is not a valid JSON object or array ends the connection with `not_json`. If false, such a
    /// line is counted in `session_counters::unexpected_output` and ignored. Default: false.
    bool strict = false;

    /// Applies to transports over HTTP. If true, every error response to the probe except -32022 causes a fallback to
    /// the handshake, as in the SDK for TypeScript. If false, -32020 and -32021, which the specification reserves for
    /// stateless servers, make the opening fail. A session over stdio always falls back. Default: false.
    bool handshake_on_any_error = false;
};

namespace detail {

// Throws `std::invalid_argument` if a member of the options is not valid. `owner`: name of the session for the message,
// such as "server 'a'".
LINKSPAN_DECL void check(session_options const& options, std::string_view owner);

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_options.ipp>
#endif

#endif
