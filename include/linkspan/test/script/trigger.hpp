#ifndef LINKSPAN_TEST_SCRIPT_TRIGGER_HPP
#define LINKSPAN_TEST_SCRIPT_TRIGGER_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/test/script/exchange.hpp>
#include <linkspan/test/script/rule_conditions.hpp>
#include <linkspan/test/script/value_conditions.hpp>

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Condition on events: selects the requests or other events that a rule applies to. Made by `call`, `request` or one
/// of the functions below.
///
///     server.on(request("tools/list")).once(rpc_error(-32603, "busy"));
///     server.on(call("pay")).then(hang());
///     server.on(time_reached(2s)).then(drop_connection());
struct trigger {
    /// Method of the request or notification; for `event_kind::response`, that of the request of the server; for
    /// `event_kind::gate`, the name of the gate; for `event_kind::http`, the HTTP method, and for `event_kind::signal`,
    /// the name of the signal, where an empty text matches all; empty for other events.
    std::string method;
    std::string tool; ///< name of the called tool; empty: any
    /// Predicate on the JSON text of the arguments; empty: always true. Evaluated again for reports of the nearest
    /// rule.
    std::function<bool(std::string_view arguments)> where{};

    event_kind kind = event_kind::request; ///< kind of the event
    duration time{};                       ///< for `event_kind::time`: time since the first connection, not negative

    /// Conditions on the parameters, which a rule and an expectation add to their own.
    std::vector<parameter_condition> parameters{};

    std::string path{}; ///< for `event_kind::http`: path of the request, without a query; empty: any

    /// Returns whether the event satisfies all conditions, apart from `parameters`.
    bool matches(exchange const& event) const
    {
        bool const is_any = (kind == event_kind::http || kind == event_kind::signal) && method.empty();
        return event.kind() == kind && (is_any || event.method() == method) && event.time() == time &&
               (path.empty() || event.path() == path) && (tool.empty() || event.tool() == tool) &&
               (!where || where(event.arguments()));
    }

    /// Returns whether an event that this trigger matches has the parts that an action uses.
    bool permits(action_needs needs) const noexcept
    {
        switch (kind) {
        case event_kind::request: return true;
        case event_kind::http: return needs != action_needs::connection && needs != action_needs::request;
        case event_kind::disconnect: return needs == action_needs::nothing;
        default: return needs <= action_needs::connection;
        }
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
    requires(!detail::is_value_condition<std::remove_cvref_t<Value>>)
auto arg(Value&& value)
{
    auto const make = []<class Call, class Type>(Type Call::*member, auto&& expected) {
        static_assert(ToolCall<Call>,
                      "linkspan: arg: expected a member of a LINKSPAN_STRUCT with `tool` and `result_type`");
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

/// Returns a condition that matches calls whose arguments satisfy the given conditions. Other arguments are not
/// compared. The report of an expectation that is not met has the difference of each argument.
///
///     server.on(call(arg<&get_forecast::city>(eq("Oslo")), arg<&get_forecast::days>(le(3)))).then(text("rain"));
template<ToolCall Call, std::same_as<matched_argument<Call>>... Others>
trigger call(matched_argument<Call> first, Others... others)
{
    trigger out = call(std::string(Call::tool));
    out.parameters.push_back(std::move(first.condition));
    (out.parameters.push_back(std::move(others.condition)), ...);
    return out;
}

/// Returns a condition that matches all requests of `method`, for example "tools/list" or "server/discover".
inline trigger request(std::string method) { return {std::move(method), {}}; }

/// Returns a condition that matches all notifications of `method` from the client, for example
/// "notifications/roots/list_changed". Before the actions run, the server handles the notification in the same way as
/// without a rule.
inline trigger notification(std::string method)
{
    return {.method = std::move(method), .tool = {}, .kind = event_kind::notification};
}

/// Returns a condition that matches each response of the client, a result or an error, to a request of the server with
/// this method. Conditions on parameters refer to the whole response, for example "/result/action". The actions begin
/// before the action that sent the request continues.
inline trigger response(std::string method)
{
    return {.method = std::move(method), .tool = {}, .kind = event_kind::response};
}

/// Returns a condition that matches the opening of each connection. The actions begin before the first message of the
/// connection is handled.
inline trigger connection_opened() { return {.method = {}, .tool = {}, .kind = event_kind::connect}; }

/// Returns a condition that matches the end of the messages of a client, which has closed its side of a connection:
/// over standard streams, stdin of the server. The event precedes that of `connection_closed`, which occurs when the
/// actions of this event are complete. The client can still receive messages over standard streams. A connection over
/// HTTP, one that is lost, and one that the server ends have no such event.
inline trigger input_closed() { return {.method = {}, .tool = {}, .kind = event_kind::input_closed}; }

/// Returns a condition that matches the end of each connection, by the client or by the server. The actions must
/// neither need a connection nor wait.
inline trigger connection_closed() { return {.method = {}, .tool = {}, .kind = event_kind::disconnect}; }

/// Returns a condition that matches the opening of the first connection of the server, before `connection_opened`.
inline trigger server_started() { return {.method = {}, .tool = {}, .kind = event_kind::start}; }

/// Returns a condition that matches HTTP requests, before their authentication and before their message is read. When
/// the actions are complete and have not responded, the request is handled as without a rule. The event does not belong
/// to a connection of the scripted server, such as a session, so that the actions cannot send messages. The event does
/// not occur over other transports.
///
///     server.on(http_request("GET", "/.well-known/oauth-protected-resource")).then(respond_http(404));
///
/// \param method HTTP method, such as "POST"; empty: any.
/// \param path Path of the target, without a query; empty: any.
inline trigger http_request(std::string method = {}, std::string path = {})
{
    return {.method = std::move(method), .tool = {}, .kind = event_kind::http, .path = std::move(path)};
}

/// Returns a condition that matches a signal that ends a program: `serve_stdio` (with `takes_signals`) and `serve_http`
/// execute the actions instead of ending the program. A second signal ends the program, and so does the action `exit`.
/// The event occurs also without a connection; messages are sent over all open ones.
///
/// \param name "SIGINT" or "SIGTERM"; empty: both.
inline trigger signal_received(std::string name = {})
{
    return {.method = std::move(name), .tool = {}, .kind = event_kind::signal};
}

/// Returns a condition that matches a time since the first connection, once. If no connection is open at that time, the
/// event occurs when the next connection is opened. Several rules with the same time have one event, for which one of
/// the rules is selected. A rule that is added after that time, while a connection is open, is never selected.
///
/// \param since_start Time, not negative.
inline trigger time_reached(duration since_start)
{
    return {.method = {}, .tool = {}, .kind = event_kind::time, .time = since_start};
}

/// Returns a condition that matches the opening of a gate, before the actions that wait at it continue. If no
/// connection is open then, there is no event.
inline trigger gate_opened(std::string name)
{
    return {.method = std::move(name), .tool = {}, .kind = event_kind::gate};
}

} // namespace linkspan::test

#endif
