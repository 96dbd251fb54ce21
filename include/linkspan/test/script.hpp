#ifndef LINKSPAN_TEST_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/describe/tool_result.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class http_exchange;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test {

/// A request that a scripted server has received: the interface with which actions produce the response.
///
/// JSON texts are sent without checks, so that a test can also produce invalid messages.
///
/// \par Lifetime
/// Valid until one of these events: the request has a response and the last action is complete; the client cancels the
/// request; the connection ends. An action that needs the exchange after a wait uses `wait` and its continuation.
/// \par Thread safety
/// None: use the object on the executor of the server.
class exchange {
public:
    virtual ~exchange() = default;

    virtual std::string_view method() const = 0;    ///< method of the request, for example `tools/call`
    virtual std::string_view tool() const = 0;      ///< called tool; empty if `method()` is not `tools/call`
    virtual std::string_view arguments() const = 0; ///< `arguments` of `params` as JSON text; "{}" if absent
    virtual std::string_view params() const = 0;    ///< `params` as JSON text; empty if absent

    /// Sends a result.
    ///
    /// \param members Members of the result object as JSON text without the braces. Members that the protocol version
    /// requires in addition, such as `resultType`, are added unless they are present.
    virtual void reply(std::string_view members) = 0;

    /// Sends an error response.
    ///
    /// \param code Code of the JSON-RPC error.
    /// \param message Message of the JSON-RPC error.
    virtual void refuse(int code, std::string_view message) = 0;

    /// Sends `bytes` followed by a line end, without checking them. The request stays pending.
    virtual void send(std::string_view bytes) = 0;

    /// Sends a notification. `params` is JSON text; empty: the notification has no `params`.
    virtual void notify(std::string_view method, std::string_view params) = 0;

    /// Sends `notifications/progress` for this request. No effect if the request contains no progress token.
    ///
    /// \param value Member `progress` of the notification.
    /// \param total Member `total` of the notification.
    virtual void progress(double value, double total) = 0;

    /// Sends a request to the client.
    ///
    /// \param method Method of the request.
    /// \param params JSON text; empty: the request has no `params`.
    /// \param next Invoked when the client has sent a response, a result or an error. Not invoked if the connection
    /// ends.
    virtual void send_request(std::string_view method, std::string_view params, std::function<void()> next) = 0;

    /// Invokes `next` after `span`. Each exchange has one wait: a second call cancels the first, whose `next` is not
    /// invoked. If the request is cancelled or the connection ends, `next` is not invoked.
    virtual void wait(duration span, std::function<void()> next) = 0;

    /// Ends the connection after the messages that were sent before, as if the server process had exited.
    virtual void drop() = 0;

    /// Returns the HTTP exchange of the request. Null for other transports, and when the HTTP exchange is complete.
    virtual http_exchange* http() { return nullptr; }

    /// Sends the response that the server sends to a request without a rule. With a server behind the rules, passes the
    /// request on to it.
    virtual void respond_by_default() {}

    /// Marks the request as complete. Called by actions that produce the response without `reply` and `refuse`.
    virtual void mark_complete() {}
};

/// One step of the handling of a request.
///
/// The step invokes `next` when it is complete, within the call or later. If `next` is not invoked, the following steps
/// are not executed.
using action = std::function<void(exchange&, std::function<void()> next)>;

/// Condition on requests: selects the requests that a rule applies to. Usually made by `call` or `request`.
///
///     server.on(request("tools/list")).once(rpc_error(-32603, "busy"));
///     server.on(call("pay")).then(hang());
struct trigger {
    std::string method;                                      ///< method of the request, compared for equality
    std::string tool;                                        ///< name of the called tool; empty: any
    std::function<bool(std::string_view arguments)> where{}; ///< predicate on the JSON text; empty: always true

    /// Returns whether the request satisfies all three conditions.
    bool matches(exchange const& request) const
    {
        return request.method() == method && (tool.empty() || request.tool() == tool) &&
               (!where || where(request.arguments()));
    }
};

/// Returns a condition that matches all calls of `tool`. A rule with this condition declares the tool.
inline trigger call(std::string tool) { return {"tools/call", std::move(tool)}; }

/// Returns a condition that matches calls of a described tool whose arguments satisfy a predicate.
///
/// Calls whose arguments cannot be decoded as `Call` do not match.
///
/// \tparam Call A described struct that names its tool, see `ToolCall`.
/// \param accepts Predicate on the decoded arguments; empty: all arguments that can be decoded match.
///
///     server.on(call<get_forecast>([](get_forecast const& arguments) { return arguments.days > 7; })).then(hang());
template<ToolCall Call>
trigger call(std::function<bool(Call const&)> accepts = {})
{
    return {"tools/call", std::string(Call::tool), [accepts = std::move(accepts)](std::string_view text) {
                Call arguments{};
                mismatches problems;
                return decode(arguments, text, problems) && (!accepts || accepts(arguments));
            }};
}

/// A data member of a `ToolCall` and the value that it must have. Made by `arg` and passed to `call`.
template<class Call, class Value>
struct expected_argument {
    Value Call::*member; ///< member of the arguments
    Value value;         ///< compared with `==`
};

/// Returns the condition that the data member `Member` equals `value`.
///
///     server.on(call(arg<&get_forecast::city>("Oslo"))).then(structured(rain));
///
/// \tparam Member Pointer to a data member of a `ToolCall`.
/// \param value Converted to the type of the member.
template<auto Member, class Value>
auto arg(Value&& value)
{
    auto const make = []<class Call, class Type>(Type Call::*member, auto&& expected) {
        return expected_argument<Call, Type>{member, Type(std::forward<decltype(expected)>(expected))};
    };
    return make(Member, std::forward<Value>(value));
}

/// Returns a condition that matches calls whose arguments have the given values. Other arguments are not compared.
///
///     server.on(call(arg<&get_forecast::city>("Oslo"), arg<&get_forecast::days>(3))).then(text("rain"));
template<ToolCall Call, class Value, class... Values>
trigger call(expected_argument<Call, Value> first, expected_argument<Call, Values>... others)
{
    return call<Call>([=](Call const& arguments) {
        return arguments.*first.member == first.value && (... && (arguments.*others.member == others.value));
    });
}

/// Returns a condition that matches all requests of `method`, for example "tools/list" or "server/discover".
inline trigger request(std::string method) { return {std::move(method), {}}; }

/// @name Actions
///
/// Functions that make the steps of a rule. The actions of one phase of a rule run one after another:
///
///     server.on(call("forecast")).then(progress(1, 2), delay(2s), text("sunny"));
///
/// An action after the response, such as a notification, is cancelled when the connection ends.
/// @{

/// Returns an action that waits for `span` before the next action.
inline action delay(duration span)
{
    return [span](exchange& on, std::function<void()> next) { on.wait(span, std::move(next)); };
}

/// Returns an action that sends a result. `members` is the JSON text of its members, without the braces.
inline action result(std::string members)
{
    return [members = std::move(members)](exchange& on, std::function<void()> const& next) {
        on.reply(members);
        next();
    };
}

/// Returns an action that sends a tool result with one text content block.
inline action text(std::string_view content) { return result(result_members(std::string(content))); }

/// Returns an action that sends a tool result with `structuredContent` and the same JSON as a text content block.
inline action structured(boost::json::object const& content) { return result(result_members(content)); }

/// Returns an action that sends `content` as the result of a tool, converted like the return value of a `local_tool`.
///
/// \tparam T A type with a JSON mapping: a described struct or a map becomes `structuredContent`, other values become
/// `{"result": value}`.
template<class T>
    requires(linkspan::detail::kind_of<T> != linkspan::detail::type_kind::none && !std::same_as<T, boost::json::object>)
action structured(T const& content)
{
    return result(result_members(content));
}

/// Returns an action that sends a result of type `input_required`, with which a server of a stateless protocol version
/// requests input from the client.
///
/// \param requests JSON text of `inputRequests`; empty: the member is absent.
/// \param state JSON text of `requestState`, including its quotes; empty: the member is absent.
/// \par Specification
/// MCP 2026-07-28, basic, "Multi Round-Trip Requests".
inline action input_required(std::string_view requests, std::string_view state = {})
{
    std::string members = R"("resultType":"input_required")";
    if (!requests.empty())
        (members += R"(,"inputRequests":)") += requests;
    if (!state.empty())
        (members += R"(,"requestState":)") += state;
    return result(std::move(members));
}

/// Returns an action that sends a tool result with `isError` set to true and one text content block.
inline action tool_error(std::string_view content)
{
    return result(result_members(std::string(content)) + R"(,"isError":true)");
}

/// Returns an action that sends a JSON-RPC error response.
///
/// \param code Code of the JSON-RPC error, for example -32602.
/// \param message Message of the JSON-RPC error.
inline action rpc_error(int code, std::string message)
{
    return [code, message = std::move(message)](exchange& on, std::function<void()> const& next) {
        on.refuse(code, message);
        next();
    };
}

/// Returns an action that sends the response that the server sends to a request without a rule. With a server behind
/// the rules, the action passes the request on to it, and the next action does not wait for the response.
///
///     server.on(call("forecast")).once(delay(2s), default_response());
inline action default_response()
{
    return [](exchange& on, std::function<void()> const& next) {
        on.respond_by_default();
        next();
    };
}

/// Returns an action that sends nothing and never completes. The request stays pending until it is cancelled.
inline action hang()
{
    return [](exchange&, std::function<void()> const&) {};
}

/// Returns an action that ends the connection, as if the server process had exited. Later actions are not executed.
inline action drop_connection()
{
    return [](exchange& on, std::function<void()> const&) { on.drop(); };
}

/// Returns an action that sends `bytes` followed by a line end, without checking them.
inline action raw(std::string bytes)
{
    return [bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
        on.send(bytes);
        next();
    };
}

/// Returns an action that sends a notification.
///
/// \param method Method of the notification, for example "notifications/message".
/// \param params JSON text; empty: the notification has no `params`.
inline action notify(std::string method, std::string params = {})
{
    return [method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> const& next) {
        on.notify(method, params);
        next();
    };
}

/// Returns an action that sends `notifications/progress`, if the request contains a progress token.
///
/// \param value Member `progress` of the notification.
/// \param total Member `total` of the notification.
inline action progress(double value, double total)
{
    return [value, total](exchange& on, std::function<void()> const& next) {
        on.progress(value, total);
        next();
    };
}

/// Returns an action that sends a request to the client and completes when the client has sent a response, a result or
/// an error.
///
/// \param method Method of the request, for example "roots/list".
/// \param params JSON text; empty: the request has no `params`.
inline action send_request(std::string method, std::string params = {})
{
    return [method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> next) {
        on.send_request(method, params, std::move(next));
    };
}

/// @}

/// The behaviour of a scripted server for the requests that one `trigger` matches.
///
/// A rule is a sequence of phases. Each phase has a list of actions and a number of requests that it applies to; the
/// phases are used in the order in which they were added. After the last request of the last phase, the rule is used
/// up: the server sends its default response.
///
///     server.on(call("pay")).once(drop_connection()).then(text("paid"));
///
/// \par Thread safety
/// None: use the object on the thread that runs the test.
class rule {
public:
    /// Makes a rule without phases.
    explicit rule(trigger when) : when_(std::move(when)) {}

    /// Adds a phase for all further requests. The actions run one after another for each request.
    ///
    /// \returns This object.
    template<class... Actions>
    rule& then(Actions... actions)
    {
        return times(std::numeric_limits<std::size_t>::max(), std::move(actions)...);
    }

    /// Adds a phase for one request. The actions run one after another.
    ///
    /// \returns This object.
    template<class... Actions>
    rule& once(Actions... actions)
    {
        return times(1, std::move(actions)...);
    }

    /// Adds a phase for `count` requests. The actions run one after another for each request.
    ///
    /// \returns This object.
    template<class... Actions>
    rule& times(std::size_t count, Actions... actions)
    {
        auto steps = std::make_shared<std::vector<action>>();
        (steps->emplace_back(std::move(actions)), ...);
        phases_.push_back({count, std::move(steps)});
        return *this;
    }

    /// Adds a phase of `count` requests that receive the default response of the server.
    ///
    /// \returns This object.
    rule& pass(std::size_t count)
    {
        phases_.push_back({count, nullptr});
        return *this;
    }

    /// Returns whether the condition of this rule matches `request`, also if all phases are used up.
    bool matches(exchange const& request) const { return when_.matches(request); }
    /// Returns the condition of this rule.
    trigger const& when() const noexcept { return when_; }

    /// Returns the actions for the next request and counts that request. Null: the server sends its default response.
    std::shared_ptr<std::vector<action> const> next()
    {
        for (auto& [left, actions] : phases_)
            if (left != 0) {
                --left;
                return actions;
            }
        return nullptr;
    }

private:
    struct phase {
        std::size_t left;                                   // requests; decremented by rule::next()
        std::shared_ptr<std::vector<action> const> actions; // null: default response
    };

    trigger when_;
    std::vector<phase> phases_;
};

} // namespace linkspan::test

#endif
