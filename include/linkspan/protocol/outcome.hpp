#ifndef LINKSPAN_PROTOCOL_OUTCOME_HPP
#define LINKSPAN_PROTOCOL_OUTCOME_HPP

#include <linkspan/core/attempt.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Observation about an attempt, from which its `certainty` follows. Transports over HTTP derive the certainty from the
/// HTTP status instead.
enum class evidence {
    /// This process rejected the attempt: the session is not open, the queue is full, or a policy rejected the server.
    rejected_locally,
    /// The attempt needed a connection that did not exist: the process could not be started, the connection or the
    /// negotiation failed, or the connection was lost before the request was sent.
    not_connected,
    /// The end of the message was not accepted by the connection.
    write_failed,
    /// The request was cancelled or timed out before it was written.
    abandoned_unsent,
    /// The request was cancelled or timed out after it was written.
    abandoned,
    /// The connection was lost before the response arrived.
    stream_ended,
    /// The response is malformed.
    unreadable,
    /// The response is a well-formed result.
    result,
};

/// Returns the certainty that follows from an observation. The result never depends on the tool. The result for a value
/// that is not an enumerator is `certainty::unknown`.
///
/// This function, `certainty_of_rpc`, and the interpretation of HTTP statuses by `interpret`
/// (<linkspan/http/client/http_reply.hpp>) are the only mappings from observations to certainties.
constexpr certainty certainty_of(evidence seen) noexcept
{
    switch (seen) {
    case evidence::rejected_locally:
    case evidence::not_connected:
    case evidence::write_failed:
    case evidence::abandoned_unsent: return certainty::not_sent;
    case evidence::abandoned:
    case evidence::stream_ended:
    case evidence::unreadable: return certainty::unknown;
    case evidence::result: return certainty::completed;
    }
    return certainty::unknown;
}

/// Returns the certainty of a request to which the server responded with a JSON-RPC error.
///
/// Code -32602 (invalid params) is `completed`, because tools use it for their own errors. If the server no longer
/// lists the tool, the caller may treat the error as `refused`.
///
/// \param code Code of the JSON-RPC error.
/// \par Specification
/// JSON-RPC 2.0, 5.1; 2026-07-28, basic, "Error Codes".
constexpr certainty certainty_of_rpc(int code) noexcept
{
    switch (code) {
    case -32700: // parse error
    case -32600: // invalid request
    case -32601: // method not found
    case -32020: // header mismatch
    case -32021: // missing client capability
    case -32022: // unsupported protocol version
        return certainty::refused;
    case -32602: return certainty::completed; // invalid params
    }
    if (code <= -32000 && code >= -32019) // defined by the server, without a common meaning
        return certainty::completed;
    if (code <= -32000 && code >= -32768) // reserved, such as -32603: may follow side effects
        return certainty::unknown;
    return certainty::completed; // codes of applications
}

} // namespace linkspan

#endif
