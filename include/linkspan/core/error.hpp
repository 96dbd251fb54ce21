#ifndef LINKSPAN_CORE_ERROR_HPP
#define LINKSPAN_CORE_ERROR_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/error_condition.hpp>

#include <type_traits>

namespace linkspan::inline LINKSPAN_ABI {

using boost::system::error_category;
using boost::system::error_code;
using boost::system::error_condition;

/// Error codes of this library, in the category `category()`.
///
/// Each code names one cause and has one meaning for the caller: a `condition` or `errc::timed_out`. Programs store
/// and log codes, and compare them with a condition to decide about the next step:
///
///     if (ec == linkspan::condition::not_executed)
///         ... // the call can safely be repeated
enum class error {
    // Connection to the server

    /// The peer closed the stream between two messages, or before the end of an HTTP response.
    stream_ended = 1,
    /// The stream ended inside a line.
    truncated_line,
    /// A line or an event of a stream exceeds the size limit of its framing.
    line_too_long,
    /// The session is not open yet, or is closed.
    not_connected,
    /// The maximum number of requests is already queued for the server.
    queue_full,
    /// No server could be opened, a required server failed to open, or a transport could not be created.
    connection_failed,
    /// An HTTP response is not valid HTTP/1.1, or has a content encoding or a media type that the client did not
    /// request.
    malformed_http,
    /// An HTTP response exceeds a size limit.
    body_too_long,
    /// The configuration does not allow connections to the address of the server.
    address_forbidden,
    /// The scheme of the URL is https, and no TLS layer is configured (`http_config::tls`).
    tls_missing,
    /// The server discarded its HTTP session (`Mcp-Session-Id`), and a new handshake failed, or the server discarded
    /// the new session too.
    session_lost,

    // Messages and requests of the server

    /// The server wrote a line that is not a JSON-RPC message, and the session is in strict mode.
    not_json,
    /// A message is not valid JSON-RPC 2.0, or violates the MCP specification. In the module `agent`: a request of the
    /// model is truncated, does not have the given `tool_format`, or lacks required arguments.
    malformed_message,
    /// Client and server have no protocol version in common.
    no_common_protocol_version,
    /// The server returned the same cursor for two pages of a list.
    repeated_cursor,
    /// A paginated list exceeds the maximum number of pages or of entries.
    list_too_long,
    /// The server requests input of a kind for which the client has no handler. For a `linkspan::server`: the client
    /// does not declare the capability, or the protocol version does not have the request.
    unsupported_input_request,
    /// A handler of the client refused the input that the server requests, or threw an exception. For a
    /// `linkspan::server`: the client sent an error response to a request of the server.
    input_refused,
    /// The server requested input in more rounds than the limit allows, or too many inputs in one round.
    too_many_input_rounds,
    /// The server does not notify of changes of the resource.
    subscription_refused,

    // Configuration

    /// No server of a configuration could be added to the connector.
    nothing_configured,

    // Selection of the server and the tool

    /// No server has the given name.
    unknown_server,
    /// The server is disabled.
    server_disabled,
    /// No server, or not the selected server, has a tool with the given name.
    tool_not_found,
    /// Several servers have different tools with the given name. A qualified name selects one of them.
    ambiguous_tool,
    /// No tool is exposed under the given name (`async_invoke` and similar operations).
    invalid_tool_name,

    // Arguments and result of the tool

    /// The arguments are not a JSON object, or do not match the input schema of the tool. No request was sent.
    invalid_arguments,
    /// The tool reported a failure: its result has `isError`.
    tool_failed,
    /// The result cannot be converted to the requested type, or does not match the output schema of the tool.
    unexpected_result,
    /// The definition of a tool differs from the pinned definition, or a pinned tool is not listed.
    tools_changed,

    // Context of the call

    /// The trace context of the call does not have the form that the specification W3C Trace Context requires.
    malformed_context,
    /// The call has already passed through this connector, or through too many connectors.
    routing_loop,
    /// An interceptor threw an exception.
    interceptor_failed,

    // Outcome of the call over all attempts

    /// No server is eligible for the call.
    no_eligible_server,
    /// A timeout of one request, or of the opening of a server, elapsed.
    attempt_timed_out,
    /// Every candidate failed. The call was not executed, or a second execution is safe.
    all_servers_failed,
    /// The deadline of the call expired.
    deadline_exceeded,
    /// A server may have executed the call, and a second execution is not provably safe.
    outcome_unknown,

    // Tasks

    /// The server reports that the task was cancelled, by this client or for another reason. The tool may have had
    /// effects. For a `linkspan::server`: the client reports that it has cancelled its task.
    task_cancelled,

    // Resources and prompts of a connector

    /// No server lists a resource with the given URI, has a template that matches it, or lists a prompt with the given
    /// name.
    entry_not_found,
    /// Several servers list different prompts with the given name. A qualified name selects one of them.
    ambiguous_prompt,

    // Clients of a `linkspan::server`

    /// The server already serves `serving_options::max_clients` clients, and has disconnected this one.
    too_many_clients,
};

/// Meanings of error codes for the caller. Any `error_code` can be compared with a condition.
///
/// Codes of other libraries and of the operating system mean `transport_failed`, except a cancellation, which means
/// `errc::operation_canceled`. JSON-RPC codes of servers (`rpc_category`), HTTP statuses (`http_category`) and statuses
/// of proxies (`proxy_category`) have the conditions that their categories define. `error::deadline_exceeded` and
/// `error::attempt_timed_out` mean `errc::timed_out` of Boost.System instead of a condition of this enumeration.
enum class condition {
    /// The server was not reached, or the connection was lost.
    transport_failed = 1,
    /// The server violates the protocol or a limit, requires input that the client does not support, or has a tool or a
    /// result that is not as expected. A retry has no prospect of success.
    protocol_violated,
    /// The server refused the call, this library rejected it, or an interceptor threw an exception. The caller has to
    /// change the call. The tool was not executed if the certainty of the attempt is `not_sent` or `refused`; after
    /// -32602, a status from 400 to 499 or `interceptor_failed`, it may have been executed.
    tool_refused,
    /// The server sent an error response, the tool reported a failure, its task was cancelled, or a handler of the
    /// client refused the input that the server requested during the call. The tool may have been executed.
    error_response,
    /// No server executed the tool, or a second execution is safe. The call can safely be repeated.
    not_executed,
    /// A server may have executed the tool. The caller has to check the effects before it repeats the call.
    outcome_unknown,
};

/// Returns the category of `error`, named "linkspan".
LINKSPAN_DECL error_category const& category() noexcept;

/// Returns the category of `condition`, named "linkspan.condition".
LINKSPAN_DECL error_category const& condition_category() noexcept;

/// Returns the category of the codes in JSON-RPC error responses, named "linkspan.rpc".
///
/// The values are the codes themselves, as in `ec.value() == -32602`. Every value is a failure, including 0. The codes
/// -32700, -32600, -32601, -32602, -32020, -32021 and -32022 mean `condition::tool_refused`. Tools also use -32602 for
/// errors of their own; an attempt with this code therefore has the delivery certainty `completed`. All other codes
/// mean `condition::error_response`.
/// \par Specification
/// JSON-RPC 2.0, section 5.1; MCP 2026-07-28, basic, "Error Codes".
LINKSPAN_DECL error_category const& rpc_category() noexcept;

/// Returns the category of HTTP statuses with which a request failed, named "linkspan.http".
///
/// The values are the statuses themselves, as in `ec.value() == 403`. A status from 400 to 499 means
/// `condition::tool_refused`. A status of at least 500 means `condition::error_response`. A status below 400, such as
/// 202 without a response, means `condition::protocol_violated`.
/// \par Specification
/// RFC 9110, section 15.
LINKSPAN_DECL error_category const& http_category() noexcept;

/// Returns the category of the statuses with which an HTTP proxy refuses a tunnel, named "linkspan.proxy".
///
/// The values are the statuses themselves. All of them mean `condition::transport_failed`: the server has received no
/// request.
/// \par Specification
/// RFC 9110, sections 9.3.6 and 15.
LINKSPAN_DECL error_category const& proxy_category() noexcept;

/// Returns the error code for an enumerator. Called by the converting constructor of `error_code`.
inline error_code make_error_code(error code) noexcept { return {static_cast<int>(code), category()}; }

/// Returns the error condition for an enumerator. Called by the converting constructor of `error_condition`.
inline error_condition make_error_condition(condition meaning) noexcept
{
    return {static_cast<int>(meaning), condition_category()};
}

} // namespace linkspan

/// Declares `linkspan::error` as an enumeration of error codes.
template<>
struct boost::system::is_error_code_enum<linkspan::error> : std::true_type {};

/// Declares `linkspan::condition` as an enumeration of error conditions.
template<>
struct boost::system::is_error_condition_enum<linkspan::condition> : std::true_type {};

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/error.ipp>
#endif

#endif
