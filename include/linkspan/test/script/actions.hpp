#ifndef LINKSPAN_TEST_SCRIPT_ACTIONS_HPP
#define LINKSPAN_TEST_SCRIPT_ACTIONS_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/script/detail/action_forms.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/span_text.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// @name Actions
///
/// Functions that return actions, the steps of a rule. The actions of one phase of a rule run one after another:
///
///     server.on(call("forecast")).then(progress(1, 2), delay(2s), text("sunny"));
///
/// An action that runs after the response, such as a notification, is cancelled when the connection ends.
/// @{

/// Returns an action that waits for `span` before the next action.
inline action delay(duration span)
{
    return {[span](exchange& on, std::function<void()> next) { on.wait(span, std::move(next)); }, action_needs::time,
            detail::text_form("delay", detail::span_text(span))};
}

/// Returns an action that waits until a gate is opened, by `scripted_server::open_gate` or the action `open_gate`. At
/// an open gate, the action is complete at once.
inline action gate(std::string name)
{
    auto form = detail::text_form("gate", name);
    return {[name = std::move(name)](exchange& on, std::function<void()> next) {
                on.values().gates.wait(name, on, std::move(next));
            },
            action_needs::time, std::move(form)};
}

/// Returns an action that opens a gate. The actions that wait at the gate complete before the next action begins.
inline action open_gate(std::string name)
{
    auto form = detail::text_form("openGate", name);
    return {[name = std::move(name)](exchange& on, std::function<void()> const& next) {
                on.values().gates.open(name);
                next();
            },
            action_needs::nothing, std::move(form)};
}

namespace detail {

// Returns an HTTP response with the length of its body.
inline std::string http_response_text(int status, std::map<std::string, std::string> const& headers,
                                      std::string_view body)
{
    std::string out = "HTTP/1.1 " + std::to_string(status) + " scripted\r\n";
    for (auto const& [name, value] : headers)
        out += name + ": " + value + "\r\n";
    out += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return out.append(body);
}

// Returns an action that sends a result with these members, and has this form.
inline action result_action(std::string members, action_form form)
{
    return {[members = std::move(members)](exchange& on, std::function<void()> const& next) {
                on.reply(members);
                next();
            },
            action_needs::request, std::move(form)};
}

} // namespace detail

/// Returns an action that sends a result. `members` is the JSON text of its members, without the braces.
inline action result(std::string members)
{
    auto form = detail::form_of("result", "{" + members + "}");
    return detail::result_action(std::move(members), std::move(form));
}

/// Returns an action that sends a tool result with one text content block.
inline action text(std::string_view content)
{
    return detail::result_action(result_members(std::string(content)), detail::text_form("text", content));
}

/// Returns an action that sends a tool result with `structuredContent` and the same JSON as a text content block.
inline action structured(boost::json::object const& content)
{
    return detail::result_action(result_members(content), detail::form_of("structured", detail::json_text(content)));
}

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
    return detail::result_action(result_members(std::string(content)) + R"(,"isError":true)",
                                 detail::text_form("toolError", content));
}

/// Returns an action that sends a JSON-RPC error response.
///
/// \param code Code of the JSON-RPC error, for example -32602.
/// \param message Message of the JSON-RPC error.
/// \param data JSON text of the member `data` of the error, such as `{"elicitations":[]}`; empty: the member is absent.
inline action rpc_error(int code, std::string message, std::string data = {})
{
    auto members = R"({"code":)" + std::to_string(code) + R"(,"message":)" + detail::quoted(message);
    if (!data.empty())
        (members += R"(,"data":)") += data;
    return {
        [code, message = std::move(message), data = std::move(data)](exchange& on, std::function<void()> const& next) {
            on.refuse(code, message, data);
            next();
        },
        action_needs::request, detail::form_of("rpcError", members + "}")};
}

/// Returns an action that sends the response that the server sends to a request without a rule. If the
/// `scripted_server` was constructed with a `linkspan::server`, the action passes the request on to that server, and
/// the next action begins before that server responds.
///
///     server.on(call("forecast")).once(delay(2s), default_response());
inline action default_response()
{
    return {[](exchange& on, std::function<void()> const& next) {
                on.respond_by_default();
                next();
            },
            action_needs::request, detail::form_of("default", "true")};
}

/// Returns an action that sends nothing and never completes. The request stays pending until it is cancelled or its
/// connection ends.
inline action hang()
{
    return {[](exchange&, std::function<void()> const&) {}, action_needs::http, detail::form_of("hang", "true")};
}

/// Returns an action that ends the connection, as if the server process had exited. Later actions are not executed.
inline action drop_connection()
{
    return {[](exchange& on, std::function<void()> const&) { on.drop(); }, action_needs::time,
            detail::form_of("close", "true")};
}

/// Returns an action after which the response to the request has a fault. An action that responds must follow.
///
///     server.on(call("forecast")).once(fault(fault_kind::wrong_id), text("sunny"));
///     server.on(request("tools/list")).then(fault({.kind = fault_kind::oversize, .amount = 9}), default_response());
///
/// \param setting Kind and parameters of the fault; see `doc/faults.md`. The action has no effect if the kind does not
/// apply to the response or to the connection.
inline action fault(fault_setting setting)
{
    return {[setting](exchange& on, std::function<void()> const& next) {
                on.set_fault(setting);
                next();
            },
            action_needs::request, detail::form_of(setting)};
}

/// Returns an action after which the response has a fault with the default parameters of its kind.
inline action fault(fault_kind kind) { return fault(fault_setting{.kind = kind}); }

/// Returns an action that sends an HTTP response in place of the response to a request, or to an HTTP request
/// (`http_request`). Over other transports, the request has no response.
///
/// \param status Status from 200 to 599.
/// \param body Body; its length is added to the header fields.
/// \param headers Header fields, each without line ends.
inline action respond_http(int status, std::string const& body = {},
                           std::map<std::string, std::string> const& headers = {})
{
    auto form = R"({"status":)" + std::to_string(status) + R"(,"headers":{)";
    for (auto const& [name, value] : headers)
        form += (form.ends_with('{') ? "" : ",") + detail::quoted(name) + ":" + detail::quoted(value);
    form += R"(},"body":)" + detail::quoted(body) + "}";
    return {
        [text = detail::http_response_text(status, headers, body)](exchange& on, std::function<void()> const& next) {
            on.respond_http(text);
            next();
        },
        action_needs::http, detail::form_of("http", form)};
}

/// Returns an action that sends `bytes`, which need not be a valid message, followed by a line end.
inline action raw(std::string bytes)
{
    auto form = detail::text_form("emit", bytes);
    return {[bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
                on.send(bytes);
                next();
            },
            action_needs::connection, std::move(form)};
}

/// Returns an action that sends a notification.
///
/// \param method Method of the notification, for example "notifications/message".
/// \param params JSON text; empty: the notification has no `params`.
inline action notify(std::string method, std::string params = {})
{
    auto form = detail::form_of("notify", detail::message_members(method, params) + "}");
    return {[method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> const& next) {
                on.notify(method, params);
                next();
            },
            action_needs::connection, std::move(form)};
}

/// Returns an action that sends `notifications/progress`, if the request contains a progress token.
///
/// \param value Member `progress` of the notification.
/// \param total Member `total` of the notification.
inline action progress(double value, double total)
{
    return {[value, total](exchange& on, std::function<void()> const& next) {
                on.progress(value, total);
                next();
            },
            action_needs::request, detail::form_of_progress(1, {}, value, total)};
}

/// Returns an action that sends a request to the client and completes when the client has sent a response, a result or
/// an error.
///
/// \param method Method of the request, for example "roots/list".
/// \param params JSON text; empty: the request has no `params`.
inline action send_request(std::string method, std::string params = {})
{
    auto form = detail::form_of("request", detail::message_members(method, params) + "}");
    return {[method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> next) {
                on.send_request(method, params, std::move(next));
            },
            action_needs::connection, std::move(form)};
}

/// Returns an action that sends a request to the client, and stores the response as a variable of the server.
///
/// \param method Method of the request.
/// \param params JSON text; empty: the request has no `params`.
/// \param variable Name of the variable, which becomes the response: an object with the member `result` or `error`. If
/// the client does not respond in time, the variable becomes null. Empty: the response is not stored.
/// \param timeout Maximum time until the response, after which the next action runs. Default: no timeout.
inline action send_request(std::string method, std::string params, std::string variable,
                           duration timeout = duration::max())
{
    auto run = [=](exchange& on, std::function<void()> const& next) {
        auto const is_over = std::make_shared<bool>(false);
        auto const complete = [=, &on](std::string_view response) {
            if (std::exchange(*is_over, true))
                return;
            on.cancel_wait();
            if (!variable.empty())
                on.values().store_response(variable, response);
            next();
        };
        if (timeout != duration::max())
            on.wait(timeout, [complete] { complete("null"); });
        on.send_request(method, params, complete);
    };
    auto form = detail::message_members(method, params);
    if (!variable.empty())
        (form += R"(,"saveAs":)") += detail::quoted(variable);
    if (timeout != duration::max())
        (form += R"(,"timeout":)") += detail::quoted(detail::span_text(timeout));
    return {std::move(run), action_needs::connection, detail::form_of("request", form + "}")};
}

/// @}

} // namespace linkspan::test

#endif
