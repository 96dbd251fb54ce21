#ifndef LINKSPAN_CONNECTOR_SERVER_OPTIONS_HPP
#define LINKSPAN_CONNECTOR_SERVER_OPTIONS_HPP

#include <linkspan/connector/call_validation.hpp>
#include <linkspan/connector/interceptor.hpp>
#include <linkspan/connector/restart_options.hpp>
#include <linkspan/connector/result_classifier.hpp>
#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
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

namespace linkspan::inline LINKSPAN_ABI {

/// Declarations of the operator about one tool of a server.
struct tool_options {
    /// States whether a call of unknown outcome may be sent again. The value takes precedence over the hints of the
    /// server. Empty: the replay class that the hints imply if `server_options::trust_annotations` is true, else
    /// `replay_class::never`.
    std::optional<replay_class> replay;

    /// Name of a group of interchangeable tools. Tools of the same group on several servers execute the same calls,
    /// independently of their names and schemas; the operator is responsible for their equivalence. A call may use the
    /// name of the group. Empty: tools are interchangeable if their names and input schemas are equal.
    std::string group;

    /// Time for which the connector stores a result of the tool, and uses it for equal calls instead of a request.
    /// Longer times are limited to 24 h. The operator is responsible for the validity of the results for this time; the
    /// hints of the server are not considered. 0: results are not stored. Empty: `server_options::result_ttl`.
    std::optional<duration> result_ttl;
};

/// Treatment of tools that differ from their pins. The event `pin_broken` reports them in both modes.
enum class pin_mode {
    /// The tools stay in the catalog.
    warn,
    /// The tools are removed from the catalog, as if the server did not list them.
    reject,
};

/// Determines which operations start a server.
enum class start_mode {
    /// `async_open`, `async_connect`, `async_refresh_tools`, or the first call that may need the server, such as a call
    /// of a tool that is not in the catalog.
    eager,
    /// `async_connect`, or the first call that needs the server.
    lazy,
    /// `async_open` or `async_connect`, but not a call.
    manual,
};

/// Options of one server of a connector.
///
///     linkspan::server_options options;
///     options.priority = 10;
///     options.tags = {"eu"};
///     hub.add<linkspan::stdio>("files", config, options);
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
///
/// \par Thread safety
/// Distinct objects: safe. The same object: unsafe for concurrent writes.
struct server_options {
    /// Constructs the defaults.
    LINKSPAN_DECL server_options();

    /// @name Special member functions
    /// Not inline: otherwise, each unit that uses the options would contain them and those of all members.
    /// @{
    LINKSPAN_DECL server_options(server_options const& other);            ///< Copies options.
    LINKSPAN_DECL server_options(server_options&& other) noexcept;        ///< Moves options.
    LINKSPAN_DECL server_options& operator=(server_options const& other); ///< Copies options.
    LINKSPAN_DECL server_options& operator=(server_options&& other);      ///< Moves options.
    LINKSPAN_DECL ~server_options();                                      ///< Destroys options.
    /// @}

    /// Rank for routing, 0 to 100. Servers with higher values are preferred. `connector::add` throws for other values.
    /// Default: 0.
    int priority = 0;

    /// Tags of the server, for `selector`, `routing::by_tags` and `catalog::tagged`. Empty: no tags.
    std::vector<std::string> tags;

    /// False: the server is disabled. The state of the connector (`connector_base::state`) contains the server, and
    /// only `async_enable` starts it. Default: true.
    bool enabled = true;

    /// True: `async_open` fails with `connection_failed` if this server cannot be opened. Default: false.
    bool required = false;

    /// Determines which operations start the server. Default: `start_mode::eager`.
    start_mode start = start_mode::eager;

    /// Options for restarts after a lost connection or a failed start.
    restart_options restart;

    /// Upper bound of the wait for outstanding calls before `async_disconnect`, `async_disable`, `async_remove` and
    /// `async_replace` begin the graceful shutdown of the transport. `async_shutdown` begins the shutdown without this
    /// wait. 0: no wait. Default: 5 s.
    duration drain_timeout = std::chrono::seconds(5);

    /// Upper bound of the wait for the response to a probe of the health policy. The probe of the negotiation has a
    /// timeout of its own, `session_options::probe_timeout`. Default: 5 s.
    duration probe_timeout = std::chrono::seconds(5);

    /// True: the hints `readOnlyHint` and `idempotentHint` of the server determine the replay class of its tools.
    /// Default: false.
    bool trust_annotations = false;

    /// Overrides `call_validation::arguments` of the connector. Empty: as set by `set_call_validation`.
    validation_choice validate_arguments;

    /// Overrides `call_validation::results` of the connector. Empty: as set by `set_call_validation`.
    validation_choice validate_results;

    /// Declarations about tools, by the tool's own name. Empty: none.
    std::map<std::string, tool_options, std::less<>> tools;

    /// Fingerprints that the tools had when bindings were generated, as in `weather::pins`. The connector compares them
    /// with each list of tools. The texts are not copied: they must remain valid until the connector is destroyed, also
    /// if the server is removed earlier. In generated code, the texts are literals. Empty: no comparison.
    std::vector<tool_pin> pins;

    /// Treatment of tools that differ from their pins. Default: `pin_mode::warn`.
    pin_mode when_pins_break = pin_mode::warn;

    /// Recognizes results that report an error of the tool without `isError`. The result of the call is then a tool
    /// error, as if the server had sent it with `isError`: its text is the message that the function returned, or is
    /// unchanged if the message is empty; other content and `structuredContent` are kept, and a text that was a JSON
    /// object becomes `structuredContent` if there is none. The call is not sent again. The function is called after
    /// the interceptors of the server, and not for results with `isError`, for tasks and for results of tasks. Empty:
    /// none.
    linkspan::result_classifier result_classifier;

    /// Time for which the connector stores the results of the server's tools with the replay class
    /// `replay_class::read_only`, and uses them for equal calls instead of requests. Longer times are limited to 24 h.
    /// See `<linkspan/connector/stored_results.hpp>` for the conditions. `tool_options::result_ttl` takes precedence.
    /// 0: results are not stored. Default: 0.
    duration result_ttl{};

    /// Interceptors around each attempt at this server. The first is the outermost. Empty: none.
    std::vector<interceptor> interceptors;

    /// Secrets to be redacted in errors, events, attempt records and the end of stderr. Secrets of the transport's
    /// configuration are added automatically.
    redactor secrets;

    /// Timeouts and limits of the session.
    session_options session;

    /// Settings for custom policies: the connector passes the object to their functions `added`. Empty: no settings.
    boost::json::object settings;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_options.ipp>
#endif

#endif
