#ifndef LINKSPAN_CORE_IMPL_ERROR_IPP
#define LINKSPAN_CORE_IMPL_ERROR_IPP

#include <linkspan/core/error.hpp>

#include <boost/system/errc.hpp>

#include <cstddef>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// These three functions have no default label, so that the compiler reports a missing enumerator.

constexpr char const* text_of(error code) noexcept
{
    switch (code) {
    case error::stream_ended: return "the peer closed the stream";
    case error::truncated_line: return "the stream ended inside a line";
    case error::line_too_long: return "a line is longer than max_line";
    case error::not_connected: return "the session is not open";
    case error::queue_full: return "max_queued requests are already queued for this server";
    case error::connection_failed: return "no server could be opened, or a required server failed to open";
    case error::malformed_http:
        return "the HTTP response is not valid HTTP/1.1, or has an encoding or a content type that was not requested";
    case error::body_too_long: return "the HTTP response is larger than max_head, max_body or max_event";
    case error::address_forbidden: return "connecting to the address of the server is not allowed";
    case error::tls_missing: return "the URL of the server begins with https://, but no TLS layer is configured";
    case error::session_lost:
        return "the server discarded the HTTP session, and a new session could not be established";
    case error::not_json: return "the server wrote a line that is not a JSON-RPC message";
    case error::malformed_message: return "a message is not valid JSON-RPC 2.0, or violates the MCP specification";
    case error::no_common_protocol_version: return "client and server have no protocol version in common";
    case error::repeated_cursor: return "a paginated list returned the same cursor twice";
    case error::list_too_long: return "a list has more pages than max_pages, or more entries than max_tools";
    case error::unsupported_input_request: return "the server requests input for which the client has no handler";
    case error::input_refused: return "a handler of the client refused the input that the server requested";
    case error::too_many_input_rounds:
        return "the server requests input in too many rounds, or too many inputs in one round";
    case error::subscription_refused: return "the server does not notify of changes of the resource";
    case error::nothing_configured: return "no server is configured";
    case error::unknown_server: return "no server has the given name";
    case error::server_disabled: return "the server is disabled";
    case error::tool_not_found: return "no server has a tool with the given name";
    case error::ambiguous_tool: return "several servers have different tools with the given name";
    case error::invalid_tool_name: return "Invalid MCP tool name: no tool is exposed under the given name";
    case error::invalid_arguments: return "the arguments of the tool are not valid";
    case error::tool_failed: return "the tool failed";
    case error::unexpected_result:
        return "the result does not have the requested type or does not match the output schema of the tool";
    case error::tools_changed:
        return "the definition of a tool differs from the pinned definition, or a pinned tool is not listed";
    case error::malformed_context: return "the trace context of the call is malformed";
    case error::routing_loop:
        return "the call has already passed through this connector, or through too many connectors";
    case error::interceptor_failed: return "an interceptor failed";
    case error::no_eligible_server: return "no server is eligible for the call";
    case error::attempt_timed_out: return "the server did not respond in time";
    case error::all_servers_failed: return "every eligible server failed, and repeating the call is safe";
    case error::deadline_exceeded: return "the timeout of the call elapsed";
    case error::outcome_unknown: return "a server may have executed the call";
    case error::task_cancelled: return "the task was cancelled";
    case error::entry_not_found: return "no server has a resource with the given URI, or a prompt with the given name";
    case error::ambiguous_prompt: return "several servers have different prompts with the given name";
    case error::too_many_clients: return "the server already serves max_clients clients";
    }
    return "unknown linkspan error";
}

constexpr char const* text_of(condition meaning) noexcept
{
    switch (meaning) {
    case condition::transport_failed: return "the transport failed";
    case condition::protocol_violated: return "the peer violated the protocol";
    case condition::tool_refused: return "the call was refused";
    case condition::error_response: return "the server sent an error response";
    case condition::not_executed: return "the call was not executed or may safely be repeated";
    case condition::outcome_unknown: return "the server may have executed the call";
    }
    return "unknown linkspan condition";
}

inline error_condition meaning_of(error code) noexcept
{
    switch (code) {
    case error::stream_ended:
    case error::truncated_line:
    case error::session_lost:
    case error::address_forbidden:
    case error::tls_missing:
    case error::connection_failed: return condition::transport_failed;
    case error::line_too_long:
    case error::malformed_http:
    case error::body_too_long:
    case error::not_json:
    case error::malformed_message:
    case error::no_common_protocol_version:
    case error::repeated_cursor:
    case error::unexpected_result:
    case error::tools_changed:
    case error::unsupported_input_request:
    case error::too_many_input_rounds:
    case error::list_too_long: return condition::protocol_violated;
    case error::input_refused:
    case error::task_cancelled:
    case error::tool_failed: return condition::error_response;
    case error::nothing_configured:
    case error::malformed_context:
    case error::routing_loop:
    case error::interceptor_failed:
    case error::unknown_server:
    case error::subscription_refused:
    case error::entry_not_found:
    case error::ambiguous_prompt:
    case error::tool_not_found:
    case error::invalid_tool_name:
    case error::invalid_arguments:
    case error::ambiguous_tool: return condition::tool_refused;
    case error::server_disabled:
    case error::not_connected:
    case error::too_many_clients:
    case error::queue_full:
    case error::no_eligible_server:
    case error::all_servers_failed: return condition::not_executed;
    case error::attempt_timed_out:
    case error::deadline_exceeded: return boost::system::errc::make_error_condition(boost::system::errc::timed_out);
    case error::outcome_unknown: return condition::outcome_unknown;
    }
    return {static_cast<int>(code), category()};
}

// Categories with equal numbers are equal: each shared library has its own copy of the objects.

class category_of_errors final : public error_category {
public:
    constexpr category_of_errors() noexcept : error_category(0x6f1d5a0c93b8e247) {}

    char const* name() const noexcept override { return "linkspan"; }
    std::string message(int value) const override { return text_of(static_cast<error>(value)); }
    char const* message(int value, char*, std::size_t) const noexcept override
    {
        return text_of(static_cast<error>(value));
    }
    error_condition default_error_condition(int value) const noexcept override
    {
        return meaning_of(static_cast<error>(value));
    }
};

constexpr char const* text_of_rpc(int code) noexcept
{
    switch (code) {
    case -32700: return "the server could not parse the request";
    case -32600: return "the server refused the request as invalid";
    case -32601: return "the server does not support the method";
    case -32602: return "the server refused the parameters";
    case -32603: return "internal error of the server";
    case -32020: return "the server reports that the HTTP headers do not match the request";
    case -32021: return "the server requires a capability that the client did not declare";
    case -32022: return "the server does not support the protocol version of the request";
    }
    return "the server sent an error response";
}

// The listed codes mean, according to the specification, that the request was not executed. All other codes may be sent
// by the tool.
constexpr condition meaning_of_rpc(int code) noexcept
{
    switch (code) {
    case -32700:
    case -32600:
    case -32601:
    case -32602:
    case -32020:
    case -32021:
    case -32022: return condition::tool_refused;
    }
    return condition::error_response;
}

class category_of_rpc_errors final : public error_category {
public:
    constexpr category_of_rpc_errors() noexcept : error_category(0x3ac90e57d1f4862b) {}

    char const* name() const noexcept override { return "linkspan.rpc"; }
    std::string message(int value) const override { return text_of_rpc(value); }
    char const* message(int value, char*, std::size_t) const noexcept override { return text_of_rpc(value); }
    error_condition default_error_condition(int value) const noexcept override { return meaning_of_rpc(value); }
    // JSON-RPC defines no code for success, so that 0 is a failure too.
    bool failed(int) const noexcept override { return true; }
};

// Statuses of RFC 9110 and of later documents with which servers refuse requests.
constexpr char const* text_of_status(int status) noexcept
{
    switch (status) {
    case 202: return "HTTP 202 Accepted without a response";
    case 204: return "HTTP 204 No Content";
    case 301: return "HTTP 301 Moved Permanently";
    case 302: return "HTTP 302 Found";
    case 303: return "HTTP 303 See Other";
    case 304: return "HTTP 304 Not Modified";
    case 307: return "HTTP 307 Temporary Redirect";
    case 308: return "HTTP 308 Permanent Redirect";
    case 400: return "HTTP 400 Bad Request";
    case 401: return "HTTP 401 Unauthorized";
    case 403: return "HTTP 403 Forbidden";
    case 404: return "HTTP 404 Not Found";
    case 405: return "HTTP 405 Method Not Allowed";
    case 406: return "HTTP 406 Not Acceptable";
    case 407: return "HTTP 407 Proxy Authentication Required";
    case 409: return "HTTP 409 Conflict";
    case 410: return "HTTP 410 Gone";
    case 413: return "HTTP 413 Content Too Large";
    case 415: return "HTTP 415 Unsupported Media Type";
    case 421: return "HTTP 421 Misdirected Request";
    case 429: return "HTTP 429 Too Many Requests";
    case 500: return "HTTP 500 Internal Server Error";
    case 502: return "HTTP 502 Bad Gateway";
    case 503: return "HTTP 503 Service Unavailable";
    case 504: return "HTTP 504 Gateway Timeout";
    }
    return "unexpected HTTP status";
}

// After a status 4xx, the caller must change the request. After other statuses, the server may have executed the
// request.
constexpr condition meaning_of_status(int status) noexcept
{
    return status >= 400 && status < 500 ? condition::tool_refused
           : status >= 500               ? condition::error_response
                                         : condition::protocol_violated;
}

class category_of_http_errors final : public error_category {
public:
    constexpr category_of_http_errors() noexcept : error_category(0x58d20b96e3f714ca) {}

    char const* name() const noexcept override { return "linkspan.http"; }
    std::string message(int value) const override { return text_of_status(value); }
    char const* message(int value, char*, std::size_t) const noexcept override { return text_of_status(value); }
    error_condition default_error_condition(int value) const noexcept override { return meaning_of_status(value); }
};

class category_of_proxy_errors final : public error_category {
public:
    constexpr category_of_proxy_errors() noexcept : error_category(0xe3057bd96c1f284a) {}

    char const* name() const noexcept override { return "linkspan.proxy"; }
    std::string message(int value) const override
    {
        return std::string("the proxy refused the connection: ") + text_of_status(value);
    }
    error_condition default_error_condition(int) const noexcept override { return condition::transport_failed; }
};

class category_of_conditions final : public error_category {
public:
    constexpr category_of_conditions() noexcept : error_category(0xb27c41e86d3f905a) {}

    char const* name() const noexcept override { return "linkspan.condition"; }
    std::string message(int value) const override { return text_of(static_cast<condition>(value)); }
    char const* message(int value, char*, std::size_t) const noexcept override
    {
        return text_of(static_cast<condition>(value));
    }

    // Codes of this library have a default condition. The codes of all other libraries mean `transport_failed`.
    bool equivalent(error_code const& code, int value) const noexcept override
    {
        return static_cast<condition>(value) == condition::transport_failed && code.failed() &&
               code.category() != category() && code.category() != rpc_category() &&
               code.category() != http_category() && code != boost::system::errc::operation_canceled;
    }
};

} // namespace detail

LINKSPAN_DECL error_category const& category() noexcept
{
    static constinit detail::category_of_errors const instance;
    return instance;
}

LINKSPAN_DECL error_category const& rpc_category() noexcept
{
    static constinit detail::category_of_rpc_errors const instance;
    return instance;
}

LINKSPAN_DECL error_category const& http_category() noexcept
{
    static constinit detail::category_of_http_errors const instance;
    return instance;
}

LINKSPAN_DECL error_category const& proxy_category() noexcept
{
    static constinit detail::category_of_proxy_errors const instance;
    return instance;
}

LINKSPAN_DECL error_category const& condition_category() noexcept
{
    static constinit detail::category_of_conditions const instance;
    return instance;
}

} // namespace linkspan

#endif
