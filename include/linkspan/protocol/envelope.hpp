#ifndef LINKSPAN_PROTOCOL_ENVELOPE_HPP
#define LINKSPAN_PROTOCOL_ENVELOPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <optional>
#include <string_view>

namespace linkspan {

/// A JSON-RPC message, read once and in place: what kind it is, and slices of its parts.
///
/// Lifetime: the slices point into the text that was read.
/// Specification: JSON-RPC 2.0; 2025-11-25, basic, "Messages".
struct envelope {
    enum class kind {
        invalid,      ///< an object, but no JSON-RPC message; `id` may be known all the same
        not_json,     ///< no JSON object or array at all
        batch,        ///< an array of messages, which only 2025-03-26 has
        request,      ///< has a method and an id
        notification, ///< has a method and no id
        result,
        error,
    };

    kind what = kind::not_json;
    std::optional<request_id> id; ///< an integer, or a string of digits; nothing when missing, null or other text
    std::string_view raw_id;      ///< the id as text, quotes included; empty when missing, or no id at all
    std::string_view method;      ///< between its quotes
    std::string_view params;
    std::string_view result;
    std::string_view result_type; ///< `resultType` of an object `result`, as JSON text; empty when missing
    std::string_view error;       ///< the error object
};

/// Reads one message. Members of any order, and unknown ones, are accepted; so is a missing `jsonrpc`, but no other
/// value than "2.0". A message that breaks off keeps the id that stood before the break.
LINKSPAN_DECL envelope read_envelope(std::string_view text) noexcept;

/// The error object of a response.
struct rpc_failure {
    int code = 0;             ///< 0 when it is missing or no integer
    std::string_view message; ///< as JSON text, quotes included; empty when missing
    std::string_view data;    ///< as JSON text; empty when missing
};

LINKSPAN_DECL rpc_failure read_failure(std::string_view error) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/envelope.ipp>
#endif

#endif
