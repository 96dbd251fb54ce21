#ifndef LINKSPAN_CONNECTOR_SERVER_OPTIONS_HPP
#define LINKSPAN_CONNECTOR_SERVER_OPTIONS_HPP

#include <linkspan/connector/interceptor.hpp>
#include <linkspan/connector/restart_schedule.hpp>
#include <linkspan/core/attempt.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/session_options.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linkspan {

/// What the operator says about a tool.
struct tool_options {
    /// When a call of it whose outcome is unknown may be sent again. Empty: as the hints of a trusted server say, else
    /// never.
    std::optional<replay_class> replay;

    /// Tools of several servers with the same group stand in for each other, whatever their names and schemas: the
    /// operator vouches for that. A call may name the group. Empty: those of the same name and input.
    std::string group;
};

/// What of the calls is held against the schemas that servers list. Both cost time with each call.
struct call_validation {
    bool arguments = false; ///< against the tool's input schema, before anything is sent: `error::invalid_arguments`
    bool results = false;   ///< `structuredContent` against its output schema: `error::unexpected_result`
};

/// What becomes of tools that are not what they were pinned as: an observer hears of them either way.
enum class pin_mode {
    warn,
    refuse, ///< they are left out, as if the server did not list them
};

/// When a server is started.
enum class start_mode {
    eager,  ///< by `async_open`, or the first call that may need it
    lazy,   ///< by the first call that needs it, or `async_connect`
    manual, ///< by `async_open` or `async_connect`, and never by a call
};

/// How a connector treats a server.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct server_options {
    server_options() {}

    int priority = 0; ///< 0 to 100; the higher, the earlier
    std::vector<std::string> tags;
    bool enabled = true;   ///< else it is listed, and never started
    bool required = false; ///< `async_open` fails when it cannot be opened
    start_mode start = start_mode::eager;
    restart_options restart;
    duration drain_timeout = std::chrono::seconds(5); ///< calls that it has may be answered so long before it is ended
    duration probe_timeout = std::chrono::seconds(5); ///< of a probe that the health policy asks for
    bool trust_annotations = false;                   ///< the server's own hints may license a replay
    std::optional<bool> validate_arguments;           ///< `call_validation::arguments`; empty: as the connector has it
    std::optional<bool> validate_results;             ///< `call_validation::results`; likewise
    std::map<std::string, tool_options, std::less<>> tools;
    std::vector<tool_pin> pins; ///< what its tools were when bindings were made for them, as in `weather::pins`
    pin_mode when_pins_break = pin_mode::warn;
    std::vector<interceptor> interceptors; ///< around each attempt on this server; the first is the outermost
    redactor secrets; ///< taken out of all that is said about the server: errors, events, records, the end of stderr
    session_options session;
    boost::json::object settings; ///< for policies
};

} // namespace linkspan

#endif
