#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVING_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVING_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Validation of HTTP requests to an MCP server, before their messages are processed. The class performs no I/O. Its
/// only state is the `_meta` of an earlier stateless request, because clients repeat it.
///
/// Accepts a request as a message of a protocol version and session, or refuses the request with the status, the
/// headers and the error that the protocol version specifies. Sessions are stored by the server, and are looked up by
/// functions in `options`.
///
/// If a request has several faults, the first fault in this order determines the response: path (404), origin and host
/// (403), HTTP method (405), media types (415, 406), JSON (-32700), message (-32600). A fault for which only an error
/// code is listed has the status 400. In a stateless protocol version, the order continues with: `initialize` without a
/// protocol version in `_meta` (-32022), members of `_meta` (-32602), protocol version in the header that differs from
/// the one in `_meta` (-32020), protocol version (-32022), headers of the method, the name and the arguments, missing
/// header of the protocol version (-32020), `initialize` (404, -32601). In the handshake era, the order continues with:
/// `initialize` with a session id (-32600), missing session id (-32000), unknown session (404, -32001), header of the
/// protocol version (-32000), a batch that the protocol version does not have, or that contains `initialize` or another
/// batch (-32600).
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP".
class http_serving {
public:
    /// Properties of the server.
    struct options {
        std::vector<protocol_version> protocol_versions{protocol_version::v2025_11_25,
                                                        protocol_version::v2026_07_28}; ///< supported; not empty
        std::string path = "/mcp";        ///< path of the MCP endpoint; the query of a request is ignored
        std::vector<std::string> origins; ///< allowed values of Origin, for example "https://app.example"; empty: none
        std::vector<std::string> hosts;   ///< allowed values of Host, without a port; empty: all
        std::uint16_t port = 0; ///< port of the server: an Origin with one of `hosts` and this port is allowed; 0: none
        bool sessions = true;   ///< whether `initialize` creates a session; later requests must then have a session id
        bool get_stream = true; ///< whether GET opens a stream of notifications and requests of the server
        bool delete_session = true; ///< whether DELETE ends a session

        /// Returns the protocol version of an open session of a principal; an empty result means that there is no such
        /// session, and the request is refused with 404. Used if `sessions` is true; an empty function is treated as a
        /// server without open sessions.
        std::function<std::optional<protocol_version>(std::string_view id, std::string_view principal)> session;

        /// Returns the mirrored arguments of a tool; null: the tool has none, or does not exist. Empty function:
        /// headers of arguments are not checked.
        std::function<mirrored_arguments const*(std::string_view tool)> mirrored;
    };

    /// Result of the validation of a request.
    struct verdict {
        /// Next step of the server.
        enum class kind {
            refuse,      ///< send a response with `status`, `fields` and `body`
            message,     ///< process `message` in the protocol version `version`
            batch,       ///< process the messages of the array in the body, in the protocol version `version`
            initialize,  ///< process `message`, which is the request `initialize`
            open_stream, ///< open a stream of messages of the server, or resume a stream after `last_event`
            end_session, ///< end the session `session`
            escaped,     ///< validate the request again with `body`, the same message without escapes in names
        };

        kind what = kind::refuse;                                ///< next step of the server
        int status = 0;                                          ///< HTTP status; only with `refuse`
        std::vector<std::pair<std::string, std::string>> fields; ///< header fields of the response; only with `refuse`
        std::string body;            ///< JSON-RPC error response of `refuse`, message of `escaped`; empty: no body
        envelope message;            ///< message of the request; views of its body
        protocol_version version{};  ///< protocol version of the request, which also determines the era
        std::string_view session;    ///< session id; view of the request; empty: none
        std::string_view last_event; ///< Last-Event-ID; view of the request; empty: a new stream
    };

    /// Creates a validator for a server.
    LINKSPAN_DECL explicit http_serving(options properties);
    http_serving(http_serving const&) = delete;
    http_serving& operator=(http_serving const&) = delete;

    /// Returns the options that were passed to the constructor.
    options const& settings() const noexcept { return options_; }

    /// Validates a request. The result has views of the request, which must outlive it.
    ///
    /// \param head Request line and header fields.
    /// \param body Body without the framing of chunks; may be empty.
    /// \param principal Identity of the client, which is passed to `options::session`; empty: anonymous.
    LINKSPAN_DECL verdict decide(http_head const& head, std::string_view body, std::string_view principal = {});

    /// Returns true if the headers Origin and Host of a request are allowed. A missing Origin is allowed, because only
    /// browsers send that header. If the result is false, the request must be refused with 403.
    LINKSPAN_DECL bool has_allowed_origin(http_head const& head) const;

    /// Returns the HTTP status of a response with a JSON-RPC error code, in a stateless protocol version.
    ///
    /// \par Specification
    /// 2026-07-28, basic/transports, "Status codes".
    static constexpr int status_of_error(int code) noexcept
    {
        switch (code) {
        case -32700:
        case -32600:
        case -32020:
        case -32021:
        case -32022: return 400;
        case -32601: return 404;
        default: return 200;
        }
    }

private:
    // Members of `_meta` that a stateless request must have, as JSON texts; empty: missing.
    struct required_meta {
        std::string_view version, capabilities;
    };

    // Structure of the message in the body of a POST request.
    struct posted_message;

    // Request without a message.
    struct bare_request {
        http_head const& head;
        std::string_view principal;
    };

    static required_meta read_required_meta(std::string_view meta) noexcept;
    bool supports(protocol_version id) const noexcept;
    bool is_allowed_host(std::string_view host) const noexcept;
    bool is_own_origin(std::string_view origin) const noexcept;
    verdict decide_post(bare_request const& from, std::string_view body);
    verdict decide_stateless(http_head const& head, posted_message const& posted) const;
    verdict decide_handshake(bare_request const& from, std::string_view body, envelope const& message) const;
    verdict decide_other(bare_request const& from) const;
    bool is_stateless_request(http_head const& head, posted_message const& posted) const;
    std::string header_fault(http_head const& head, posted_message const& posted) const;
    std::string argument_fault(http_head const& head, posted_message const& posted) const;
    verdict unsupported(envelope const& message, std::string_view proposed) const;
    std::optional<verdict> check_session(bare_request const& from, envelope const& message, verdict& found) const;
    std::string allowed() const;

    options options_;
    // Whether `options_.protocol_versions` has a version of the era. Set by the constructor and not changed later.
    bool has_handshake_, has_stateless_;
    // `_meta` of the last accepted stateless request without white space between its members, without a progress token
    // as its first member, and its required members, as views of it. Set by decide_post(); at most `detail::kept_text`
    // bytes.
    std::string accepted_meta_;
    required_meta accepted_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_serving.ipp>
#endif

#endif
