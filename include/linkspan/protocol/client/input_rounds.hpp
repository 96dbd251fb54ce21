#ifndef LINKSPAN_PROTOCOL_CLIENT_INPUT_ROUNDS_HPP
#define LINKSPAN_PROTOCOL_CLIENT_INPUT_ROUNDS_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A request of the server for input, which the client has to fulfil before the server completes the original request.
///
/// \par Lifetime
/// All views refer to the text of the result that was read.
struct input_request {
    /// Key of the request within `inputRequests`, without quotes and with escapes as written. The response is sent
    /// under the same key.
    std::string_view key;

    /// JSON-RPC method, such as "elicitation/create", without quotes.
    std::string_view method;
    /// JSON text of the params; empty: the request has none.
    std::string_view params;
};

/// A result with `resultType` "input_required": the server requests input instead of returning a result.
///
/// \par Lifetime
/// All views refer to the text of the result that was read.
struct input_required_result {
    /// Requests for input, in the order of the text. Empty: the original request is to be sent again with `state` only.
    std::vector<input_request> requests;
    /// JSON string with the opaque state of the server, quotes included; empty: the server provided none.
    std::string_view state;
};

/// Response of the client to one `input_request`.
struct input_response {
    /// Key of the request, as in `input_request::key`.
    std::string key;
    /// JSON text of the result.
    std::string result;
};

/// Returns whether the result of a request with this method may request input: true for `tools/call`, `prompts/get` and
/// `resources/read`.
constexpr bool may_require_input(std::string_view method) noexcept
{
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

/// Reads a result with `resultType` "input_required".
///
/// \param result JSON text of the result, which must outlive the returned views.
/// \returns The requests and the state. Empty: `inputRequests` is not an object, one of its members has no method,
///   `requestState` is not a string, or the result contains neither a request nor a state.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// 2026-07-28, basic, "Multi Round-Trip Requests".
LINKSPAN_DECL std::optional<input_required_result> read_input_required(std::string_view result);

/// Replaces `out` by the members that are added to the params of the original request when it is sent again:
/// `inputResponses` and `requestState`.
///
/// \param out Receives members of a JSON object, without braces; empty if there are neither responses nor a state.
/// \param responses Responses to the requests of the server.
/// \param state JSON string, as in `input_required_result::state`; empty: none.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
/// \par Specification
/// 2026-07-28, basic, "Multi Round-Trip Requests".
LINKSPAN_DECL void compose_input(std::string& out, std::span<input_response const> responses, std::string_view state);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/input_rounds.ipp>
#endif

#endif
