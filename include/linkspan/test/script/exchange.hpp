#ifndef LINKSPAN_TEST_SCRIPT_EXCHANGE_HPP
#define LINKSPAN_TEST_SCRIPT_EXCHANGE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class http_exchange;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test {

/// Kinds of events that a rule may apply to.
enum class event_kind : std::uint8_t {
    request,      ///< the client has sent a request
    notification, ///< the client has sent a notification
    connect,      ///< a connection was opened; no message was handled
    disconnect,   ///< a connection has ended
    start,        ///< the first connection was opened
    time,         ///< a time since the first connection has been reached
    gate,         ///< a gate was opened
    response,     ///< the client has responded to a request of the server
    input_closed, ///< the client has closed its side of a connection, which has not ended yet
    http,         ///< an HTTP request has arrived; its message is not read yet
    signal        ///< the process has received a signal
};

/// Names and values of the header fields of an HTTP request.
using header_fields = std::vector<std::pair<std::string, std::string>>;

/// Declaration of a tool of a scripted server.
struct tool_declaration {
    std::string name;                                  ///< name
    std::string description{};                         ///< description; empty: none
    std::string input_schema = R"({"type":"object"})"; ///< JSON text
    std::string annotations{};                         ///< JSON text; empty: none
    std::string output_schema{};                       ///< JSON text; empty: none
    std::string execution{}; ///< JSON text of `execution`, such as `{"taskSupport":"optional"}`; empty: none
    std::string title{};     ///< title; empty: none
    std::string icons{};     ///< JSON text of an array; empty: none
    std::string meta{};      ///< JSON text of `_meta`; empty: none
};

/// A request that a scripted server has received, or another event: the interface with which actions produce the
/// response.
///
/// JSON texts are sent without checks, so that a test can also produce invalid messages.
///
/// For an event that is not a request, `reply`, `refuse`, `progress`, `respond_by_default` and `mark_complete` have no
/// effect. Other messages are sent over the connection of the event; at `event_kind::time`, `event_kind::gate` and
/// `event_kind::signal`, over all connections that were open at that time. For `event_kind::disconnect`, no message is
/// sent, and the actions after an action that is not complete when it returns are not executed.
///
/// \par Lifetime
/// Valid until one of these events: the request has a response and the last action is complete; the client cancels the
/// request; the connection, or the last one of an event of several connections, ends. An action that needs the exchange
/// after a wait uses `wait` and its continuation.
/// \par Thread safety
/// None: use the object on the executor of the server.
class exchange {
public:
    virtual ~exchange() = default;

    virtual event_kind kind() const { return event_kind::request; } ///< kind of the event

    virtual duration time() const { return {}; } ///< at `event_kind::time`: time since the first connection; else 0

    /// Returns the method of the request or notification, for example `tools/call`; at `event_kind::response`, that of
    /// the request of the server; at `event_kind::gate`, the name of the gate; at `event_kind::http`, the HTTP method;
    /// at `event_kind::signal`, the name of the signal; empty for other events.
    virtual std::string_view method() const = 0;

    /// Returns the path of the HTTP request at `event_kind::http`, without a query; empty for other events.
    virtual std::string_view path() const { return {}; }

    // Of duplicate members of the params, `tool` and `arguments` have the first, as those of a `server`.
    virtual std::string_view tool() const = 0;      ///< called tool; empty if `method()` is not `tools/call`
    virtual std::string_view arguments() const = 0; ///< `arguments` of `params` as JSON text; "{}" if absent
    virtual std::string_view params() const = 0;    ///< `params` as JSON text; empty if absent. At
                                                    ///< `event_kind::response`, the whole response

    /// Returns the whole message of a request, a notification or a response as JSON text; empty for other events. After
    /// the selection of the rule, the text of a request contains the members `jsonrpc`, `id`, `method` and `params`
    /// only, unless a server is behind the rules.
    virtual std::string message() const { return {}; }

    /// Returns the id of the request as JSON text. Empty for other events.
    virtual std::string_view id() const { return {}; }

    /// Returns the current time of the server's executor, which is virtual in a test in virtual time.
    virtual wall_time wall_now() const { return {}; }

    /// Returns the time since the first connection of the server.
    virtual duration since_start() const { return {}; }

    /// Sends a result.
    ///
    /// \param members Members of the result object as JSON text without the braces. Members that the protocol version
    /// requires in addition, such as `resultType`, are added unless they are present.
    virtual void reply(std::string_view members) = 0;

    /// Sends an error response.
    ///
    /// \param code Code of the JSON-RPC error.
    /// \param message Message of the JSON-RPC error.
    /// \param data JSON text of the member `data` of the error; empty: the member is absent.
    virtual void refuse(int code, std::string_view message, std::string_view data = {}) = 0;

    /// Sends `bytes`, which need not be a valid message, followed by a line end. The request stays pending.
    virtual void send(std::string_view bytes) = 0;

    /// Sends a notification. `params` is JSON text; empty: the notification has no `params`.
    ///
    /// A notification of a change of a list or a resource, without a subscription id, is also sent for each open
    /// request `subscriptions/listen` of all connections to which this notification was granted, with the id of the
    /// subscription. Clients of stateless protocol versions receive the notification in this way only. If the request
    /// of this exchange is `subscriptions/listen`, the notification is sent in its response stream without changes, and
    /// to no other subscription.
    virtual void notify(std::string_view method, std::string_view params) = 0;

    /// Sends `notifications/progress` for this request. Has no effect if the request contains no progress token.
    ///
    /// \param value Member `progress` of the notification.
    /// \param total Member `total` of the notification.
    virtual void progress(double value, double total) = 0;

    /// Sends a request to the client; if the event has several connections, over the connection that was opened last.
    ///
    /// \param method Method of the request.
    /// \param params JSON text; empty: the request has no `params`.
    /// \param next Invoked with the JSON text of the response of the client, which contains a result or an error. Not
    /// invoked if the client has cancelled the request of this exchange, or the connection has ended.
    virtual void send_request(std::string_view method, std::string_view params,
                              std::function<void(std::string_view response)> next) = 0;

    /// Sends a request to the client, and ignores the content of the response.
    void send_request(std::string_view method, std::string_view params, std::function<void()> next)
    {
        send_request(method, params, [next = std::move(next)](std::string_view) { next(); });
    }

    /// Sets a fault of the response to this request, which the actions or the server behind the rules send later. Has
    /// no effect for other events, or if the fault does not apply to the response (`applies`).
    virtual void set_fault(fault_setting const& fault) { static_cast<void>(fault); }

    /// Invokes `next` after `span`. Each exchange has one wait: a second call cancels the first, whose `next` is not
    /// invoked. If the request is cancelled or the connection ends, `next` is not invoked.
    virtual void wait(duration span, std::function<void()> next) = 0;

    /// Cancels the wait, whose continuation is then not invoked. Has no effect if there is no wait.
    virtual void cancel_wait() {}

    /// Ends the connection after the messages that were sent before, as if the server process had exited. At
    /// `event_kind::http`, closes the connection of the HTTP request.
    virtual void drop() = 0;

    /// Returns the HTTP exchange of the request, also at `event_kind::http`. Null for other transports, and when the
    /// HTTP exchange is complete.
    virtual http_exchange* http() { return nullptr; }

    /// Returns the value of a header field of the HTTP request, ignoring the case of `name`. Empty if the request has
    /// no field with this name, for other transports, and for other events than requests and `event_kind::http`.
    virtual std::optional<std::string> http_header(std::string_view name) const
    {
        static_cast<void>(name);
        return std::nullopt;
    }

    /// Returns the header fields of the HTTP request. Empty for other transports, and for other events than requests
    /// and `event_kind::http`.
    virtual header_fields http_headers() const { return {}; }

    /// Sends the response that the server sends to a request without a rule. If a server is behind the rules
    /// (`scripted_server`), passes the request on to that server.
    virtual void respond_by_default() {}

    /// Returns the rule that is nearest to this request, in the form of `scripted_server::nearest_rule`. Empty for
    /// other events, and if the server has no rules for requests.
    virtual std::string nearest_rule() const { return {}; }

    /// Declares a tool of the server, or replaces the declaration of the tool with this name. No effect with a server
    /// behind the rules. The function sends no notification.
    virtual void declare_tool(tool_declaration const& declared) { static_cast<void>(declared); }

    /// Returns whether the server has declared a tool. With a server behind the rules, true for requests, and false for
    /// other events.
    virtual bool has_tool(std::string_view name) const
    {
        static_cast<void>(name);
        return true;
    }

    /// Removes a tool of the server. No effect with a server behind the rules. The function sends no notification.
    virtual void remove_tool(std::string_view name) { static_cast<void>(name); }

    /// Sends an HTTP response in place of the JSON-RPC response, and completes the request. Over other transports, the
    /// request is completed without a response. At `event_kind::http`, sends the response to the HTTP request.
    ///
    /// \param text The whole HTTP response.
    virtual void respond_http(std::string_view text) { static_cast<void>(text); }

    /// Marks the request as complete. Called by actions that produce the response without `reply` and `refuse`.
    virtual void mark_complete() {}

    /// Returns the scenarios and variables of the server, which actions may read and change.
    virtual script_values& values() = 0;
};

/// The parts of an event that an action uses. `trigger::permits` determines the events that have them.
enum class action_needs : std::uint8_t {
    nothing,    ///< the action uses states and variables, or the process
    time,       ///< the action waits, or closes the connection
    connection, ///< the action sends messages that are not responses
    http,       ///< the action responds to the HTTP request, or leaves the request without a response
    request     ///< the action responds to a request, or sends its progress
};

/// The form of an action in a script, with which `to_script` exports it.
struct action_form {
    /// JSON text of the action, an object with one member as in `doc/mock-script.md`. Empty: there is none.
    std::string json{};

    /// Whether texts in `json` contain the expressions of scripts. False: `to_script` escapes a text that looks like an
    /// expression, such as `${`.
    bool has_expressions = false;
};

/// One step of the handling of a request or another event.
///
/// The step invokes `next` when it is complete, within the call or later. If `next` is not invoked, the following steps
/// are not executed. Further invocations of `next` have no effect.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: as safe as the function.
class action {
public:
    /// Type of the function.
    using function_type = std::function<void(exchange&, std::function<void()> next)>;

    /// Makes an action without a function, which must not be executed.
    action() = default;

    /// Makes an action that calls a function.
    ///
    /// \param run The function.
    /// \param needs Parts of an event without which a rule rejects the action. Default: the action is accepted for each
    /// event.
    /// \param form Form of the action in a script, which has the behaviour of the function. Default: there is none.
    template<class Function>
        requires(!std::same_as<std::remove_cvref_t<Function>, action> &&
                 std::constructible_from<function_type, Function>)
    action(Function&& run, action_needs needs = action_needs::nothing, action_form form = {})
        : run_(std::forward<Function>(run)), needs_(needs), form_(std::move(form))
    {}

    /// Makes an action with the function of another one, and a form.
    action(action from, action_form form) : run_(std::move(from.run_)), needs_(from.needs_), form_(std::move(form)) {}

    /// Calls the function.
    void operator()(exchange& on, std::function<void()> next) const { run_(on, std::move(next)); }

    /// Returns the parts of an event that the action uses.
    action_needs needs() const noexcept { return needs_; }

    /// Returns the form of the action in a script.
    action_form const& form() const noexcept { return form_; }

    /// Returns whether the action has a function.
    explicit operator bool() const noexcept { return run_ != nullptr; }

private:
    function_type run_; // set by the constructor; empty: there is none
    action_needs needs_ = action_needs::nothing;
    action_form form_; // set by the constructor; empty: there is none
};

} // namespace linkspan::test

#endif
