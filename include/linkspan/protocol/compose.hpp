#ifndef LINKSPAN_PROTOCOL_COMPOSE_HPP
#define LINKSPAN_PROTOCOL_COMPOSE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Name, version and capabilities that a client sends to servers.
///
/// \par Specification
/// 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, basic, "_meta".
struct client_identity {
    /// Name of the client (`clientInfo.name`). Default: "linkspan".
    std::string name = "linkspan";
    /// Version of the client (`clientInfo.version`). Default: empty.
    std::string version;
    /// Capabilities of the client, as the text of a JSON object. Default: "{}", which means none.
    std::string capabilities = "{}";
    /// Minimum level of the log messages that servers send, in the era `stateless`; empty: no messages. Default: empty.
    std::optional<log_level> min_level{};
};

/// Parts of a request or notification. All texts are JSON and are copied unchanged.
struct request_parts {
    /// Id of the request; 0: a notification. Default: 0.
    request_id id = 0;
    /// JSON-RPC method; must not contain characters that require an escape.
    std::string_view method;
    /// Members of `params`, without braces; empty: none.
    std::string_view params;
    /// Further members of `params`, without braces; empty: none.
    std::string_view more;
    /// Members of `params._meta`, without braces; empty: none.
    std::string_view meta;
    /// Whether the sender requests progress notifications: `params._meta` then contains a progress token, which is
    /// equal to the id. True requires that `id` is not 0. Default: false.
    bool requests_progress = false;
    /// Whether the capabilities in `params._meta` contain the extension for tasks, in a stateless protocol version. The
    /// server may then return a task instead of a result. Default: false.
    bool declares_tasks = false;
};

/// Writer of JSON-RPC requests and notifications. The class writes text into a buffer and builds no JSON value.
///
/// In a stateless protocol version, every request contains the protocol version, the capabilities and the identity of
/// the client in `params._meta`. The function `set_protocol_version` composes these members once for all requests.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: concurrent calls of `request` are safe.
/// \par Specification
/// 2026-07-28, basic, "_meta"; 2025-11-25, basic/lifecycle.
class composer {
public:
    /// Sets the protocol version and the identity for subsequent requests. Before the first call, requests contain
    /// neither.
    LINKSPAN_DECL void set_protocol_version(protocol_version id, client_identity const& self);

    /// Replaces `out` by a request or notification, without a line end.
    LINKSPAN_DECL void request(text_buffer& out, request_parts const& parts) const;

    /// Writes a request or notification to the memory after the text of `to`, with room for a line end after it. The
    /// text is not changed.
    ///
    /// \returns The message, valid until the next call of `to.prepare`.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string_view write_after(text_buffer& to, request_parts const& parts) const;

private:
    std::string_view write(text_buffer& out, request_parts const& parts, std::string_view meta_members) const;
    std::string members_with_tasks() const;

    // members of `_meta` of each request; set by set_protocol_version(), empty in the era `handshake`
    std::string meta_members_;
    // part of `meta_members_` that is the object of the capabilities; set with `meta_members_`
    std::size_t capabilities_begin_ = 0, capabilities_size_ = 0;
};

/// Replaces `out` by a response with a result.
///
/// \param out Receives the message, without a line end.
/// \param raw_id Id of the request as JSON text, as in `envelope::raw_id`.
/// \param result JSON text of the result.
LINKSPAN_DECL void compose_result(text_buffer& out, std::string_view raw_id, std::string_view result);

/// Replaces `out` by an error response.
///
/// \param out Receives the message, without a line end.
/// \param raw_id Id of the request as JSON text, as in `envelope::raw_id`.
/// \param code Code of the JSON-RPC error.
/// \param message Text of the error, which is quoted.
LINKSPAN_DECL void compose_failure(text_buffer& out, std::string_view raw_id, int code, std::string_view message);

/// Returns the members of the params of `initialize`, without braces.
///
/// \param proposed Protocol version that the client proposes.
/// \param self Identity and capabilities of the client.
LINKSPAN_DECL std::string initialize_params(protocol_version proposed, client_identity const& self);

/// Appends the members of the params of `tools/call` to `out`, without braces.
///
/// \param out Receives the members.
/// \param tool Name of the tool, which is quoted.
/// \param arguments JSON text of an object, which is copied unchanged.
LINKSPAN_DECL void append_call(std::string& out, std::string_view tool, std::string_view arguments);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/compose.ipp>
#endif

#endif
