#ifndef LINKSPAN_PROTOCOL_OUTCOME_HPP
#define LINKSPAN_PROTOCOL_OUTCOME_HPP

#include <linkspan/core/attempt.hpp>

namespace linkspan {

/// What a layer saw of an attempt. HTTP adds its statuses in its transport, in the same vocabulary of `certainty`.
enum class evidence {
    refused_here,     ///< we never tried: no connection, no room, or a policy said no
    never_connected,  ///< spawn, connect or negotiation failed, or the connection is gone
    write_failed,     ///< the end of the message was not accepted
    withdrawn_unsent, ///< cancelled before it was written
    withdrawn,        ///< cancelled, or out of time, after it was written
    stream_ended,     ///< the connection was lost before the answer came
    unreadable,       ///< an answer came and made no sense
    result,           ///< a well-formed result
};

/// The certainty that a piece of evidence gives. Together with `certainty_of_rpc` the only table from evidence to
/// certainty; it never depends on the tool.
constexpr certainty certainty_of(evidence seen) noexcept
{
    switch (seen) {
    case evidence::refused_here:
    case evidence::never_connected:
    case evidence::write_failed:
    case evidence::withdrawn_unsent: return certainty::not_sent;
    case evidence::withdrawn:
    case evidence::stream_ended:
    case evidence::unreadable: return certainty::unknown;
    case evidence::result: return certainty::completed;
    }
    return certainty::unknown;
}

/// The certainty that a JSON-RPC error gives. -32602 counts as an answer of the tool; it is a refusal only when the
/// server, asked again, no longer lists the tool, and that is for the caller to find out.
///
/// Specification: JSON-RPC 2.0, 5.1; 2026-07-28, basic, "Error Codes".
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
    if (code <= -32000 && code >= -32019) // the server's own: no shared meaning
        return certainty::completed;
    if (code <= -32000 && code >= -32768) // -32603 and what else JSON-RPC reserves: it may come after side effects
        return certainty::unknown;
    return certainty::completed; // codes of the application
}

} // namespace linkspan

#endif
