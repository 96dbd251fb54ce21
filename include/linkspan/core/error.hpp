#ifndef LINKSPAN_CORE_ERROR_HPP
#define LINKSPAN_CORE_ERROR_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/error_condition.hpp>

#include <type_traits>

namespace linkspan {

using boost::system::error_category;
using boost::system::error_code;
using boost::system::error_condition;

/// What exactly went wrong. Store and log these; compare with a `condition` to decide.
enum class error {
    // The way to the server
    stream_ended = 1,  ///< the peer closed the stream between two messages
    truncated_line,    ///< the stream ended inside a line
    line_too_long,     ///< a line outgrew the limit of its framing
    not_connected,     ///< the session is not open, or is over
    queue_full,        ///< too many calls wait for this server
    connection_failed, ///< not one server could be opened
    malformed_http,    ///< an answer is no HTTP/1.1, or not in a form that was asked for
    body_too_long,     ///< an answer over HTTP outgrew a limit
    address_forbidden, ///< the server's address is not among those that may be reached
    tls_missing,       ///< the address is https, and no TLS was configured
    session_lost,      ///< the server has forgotten the session: it wants another handshake
    // The dialogue with the server
    not_json,                   ///< strict mode: the server wrote a line that is no JSON-RPC message
    malformed_message,          ///< a message is no valid JSON-RPC 2.0, or not what the specification asks for
    no_common_protocol_version, ///< client and server share no protocol protocol version
    repeated_cursor,            ///< a list came back to a page that was read before
    list_too_long,              ///< a list has more pages or entries than allowed
    unsupported_input_request,  ///< the server asks back for something that the client has no handler for
    input_refused,              ///< the client would not tell the server what it asks back for
    too_many_input_rounds,      ///< the server asks back again and again
    nothing_configured,         ///< a connector was to be made of no server
    // The name of the server or tool
    unknown_server,    ///< no server has that name
    server_disabled,   ///< the server is disabled
    tool_not_found,    ///< no server has a tool of that name
    ambiguous_tool,    ///< several servers have unlike tools of that name: use a qualified one
    invalid_tool_name, ///< no tool is exposed under that name
    // The arguments of the tool and its result
    invalid_arguments, ///< the arguments are not what the tool asks for; nothing was sent
    tool_failed,       ///< the tool failed, as it says itself
    unexpected_result, ///< the result is not of the type that was asked for, or does not fit the tool's own schema
    tools_changed,     ///< a tool is not what it was when bindings were made for it
    // What stands around the call
    malformed_context,  ///< a trace or context to be handed on is not what its specification asks for
    routing_loop,       ///< the call came through this connector before, or through too many
    interceptor_failed, ///< an interceptor threw
    // The logical call
    no_eligible_server, ///< no server may take the call
    attempt_timed_out,  ///< a server did not answer in the time of one attempt
    all_servers_failed, ///< every candidate failed; the call was not executed, or its tool may run twice
    deadline_exceeded,  ///< the call ran out of time
    outcome_unknown,    ///< a server may have executed the call; running it again is not provably safe
};

/// What it means for the caller: compare any `error_code` with one of these. A code from outside this library, as of
/// the operating system or of Asio, is `transport_failed`; a server's own JSON-RPC code (`rpc_category`) and a status of
/// HTTP (`http_category`) say their meanings themselves. Two meanings have a name in Boost.System already and get none
/// here: `errc::timed_out` for `error::deadline_exceeded` and `error::attempt_timed_out`, `errc::operation_canceled` for
/// what the caller withdrew.
enum class condition {
    transport_failed = 1, ///< the server was not reached, or was lost
    protocol_violated,    ///< the peer does not speak the protocol: trying again will not help
    tool_refused,         ///< the call was refused before the tool ran: change it
    answered_with_error,  ///< the server answered with an error of its own; the tool may have run
    not_executed,         ///< no server ran the tool, or it may run twice: calling again is safe
    outcome_unknown,      ///< a server may have run the tool: look before calling again
};

/// The category of `error`, named "linkspan".
LINKSPAN_DECL error_category const& category() noexcept;

/// The category of `condition`, named "linkspan.condition".
LINKSPAN_DECL error_category const& condition_category() noexcept;

/// The category of the codes that servers put into JSON-RPC errors, named "linkspan.rpc". Its values are the codes
/// themselves, as in `ec.value() == -32602`.
///
/// Specification: JSON-RPC 2.0, section 5.1; 2026-07-28, basic, "Error Codes".
LINKSPAN_DECL error_category const& rpc_category() noexcept;

/// The category of the statuses that an HTTP server refuses with, named "linkspan.http". Its values are the statuses
/// themselves, as in `ec.value() == 403`.
///
/// Specification: RFC 9110, section 15.
LINKSPAN_DECL error_category const& http_category() noexcept;

/// The category of the statuses by which a proxy refuses the way to a server, named "linkspan.proxy". All mean
/// `condition::transport_failed`: the server has heard nothing.
LINKSPAN_DECL error_category const& proxy_category() noexcept;

inline error_code make_error_code(error code) noexcept { return {static_cast<int>(code), category()}; }

inline error_condition make_error_condition(condition meaning) noexcept
{
    return {static_cast<int>(meaning), condition_category()};
}

} // namespace linkspan

template<>
struct boost::system::is_error_code_enum<linkspan::error> : std::true_type {};

template<>
struct boost::system::is_error_condition_enum<linkspan::condition> : std::true_type {};

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/error.ipp>
#endif

#endif
