#ifndef LINKSPAN_PROTOCOL_COMPOSE_HPP
#define LINKSPAN_PROTOCOL_COMPOSE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <string>
#include <string_view>

namespace linkspan {

/// What a client says about itself.
struct client_identity {
    std::string name = "linkspan";
    std::string version;
    std::string capabilities = "{}"; ///< a JSON object
};

/// A request as its parts. All texts are JSON and are copied as they are.
struct request_parts {
    request_id id = 0;           ///< 0 writes a notification
    std::string_view method;     ///< no escapes needed
    std::string_view params;     ///< members of `params`, without its braces; empty: none
    std::string_view more;       ///< more of these
    std::string_view meta;       ///< members of `params._meta`; empty: none
    bool wants_progress = false; ///< adds a progress token, which is the id
};

/// Writes messages straight into a buffer, without building a value.
///
/// In a stateless protocol version every request carries its envelope, which is composed once, when the protocol version is set.
///
/// Specification: 2026-07-28, basic, "_meta"; 2025-11-25, basic/lifecycle.
class composer {
public:
    /// From here on, requests are written in `version`.
    LINKSPAN_DECL void speak(protocol_version id, client_identity const& self);

    /// Replaces `out` by a request or notification; no line end.
    LINKSPAN_DECL void request(std::string& out, request_parts const& parts) const;

private:
    std::string envelope_; // members of _meta, or empty
};

/// Replaces `out` by the answer to a request of the peer: `result` is JSON text, `raw_id` the id as it came.
LINKSPAN_DECL void compose_result(std::string& out, std::string_view raw_id, std::string_view result);

/// The same for a refusal.
LINKSPAN_DECL void compose_failure(std::string& out, std::string_view raw_id, int code, std::string_view message);

/// The members of `initialize`'s params.
LINKSPAN_DECL std::string initialize_params(protocol_version proposed, client_identity const& self);

/// Appends the members of `tools/call`'s params. `arguments` is a JSON object.
LINKSPAN_DECL void append_call(std::string& out, std::string_view tool, std::string_view arguments);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/compose.ipp>
#endif

#endif
