#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVING_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVING_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// What a server does with a request of HTTP before its message is looked at: takes it, as a message of some protocol version
/// and session, or refuses it with the status, the headers and the error that its protocol version wants.
///
/// It keeps no sessions: `options` ask the server for what it knows. Where a request has several faults the earliest of
/// these counts: the place, the origin, the method of HTTP, its types, JSON, the message, the envelope, the protocol version,
/// the method and the name as headers, the arguments as headers, the protocol version as a header.
///
/// Specification: 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP".
/// Thread safety: none needed; `decide` changes nothing.
class http_serving {
public:
    struct options {
        std::vector<protocol_version> speaks{protocol_version::v2025_11_25,
                                             protocol_version::v2026_07_28}; ///< at least one
        std::string path = "/mcp";
        std::vector<std::string> origins; ///< that browsers may come from, as "https://app.example"
        std::vector<std::string> hosts;   ///< that `Host` may name, without a port; empty: any
        bool sessions = true;             ///< a handshake begins a session
        bool get_stream = true;           ///< a GET opens a stream of what the server says unasked
        bool delete_session = true;       ///< a DELETE ends a session

        /// The protocol version of a session that is alive.
        std::function<std::optional<protocol_version>(std::string_view id)> session;

        /// The mirrored arguments of a tool; null: it has none, or does not exist.
        std::function<mirrored_arguments const*(std::string_view tool)> mirrored;
    };

    struct field {
        std::string_view name, value;
    };

    struct request {
        std::string_view method, target;
        std::span<field const> fields;
        std::string_view body;

        /// The value of the first field of that name, in whatever case, without blanks around it.
        LINKSPAN_DECL std::optional<std::string_view> header(std::string_view name) const noexcept;
    };

    struct verdict {
        enum class kind {
            refuse,      ///< answer with `status`, `fields` and `body`
            message,     ///< `message` is one, in the protocol version `version`
            batch,       ///< the body is an array of messages, in the protocol version `version`
            initialize,  ///< `message` begins a conversation with a handshake
            open_stream, ///< what the server says unasked, or what was sent behind `last_event`
            end_session, ///< as it says
        };

        kind what = kind::refuse;
        int status = 0;
        std::vector<std::pair<std::string, std::string>> fields;
        std::string body;            ///< JSON, or empty
        envelope message;            ///< views into the body of the request
        protocol_version version{};  ///< says in which era the request is, too
        std::string_view session;    ///< a view into the request; empty: none
        std::string_view last_event; ///< a view into the request; empty: from here on
    };

    explicit http_serving(options with) : options_(std::move(with)) {}

    options const& with() const noexcept { return options_; }

    LINKSPAN_DECL verdict decide(request const& what) const;

    /// Whether a request comes from where requests may come from, by `Origin` and `Host`, whatever it is for. Else it is
    /// to be refused with 403.
    LINKSPAN_DECL bool is_from_here(request const& what) const;

    /// The status that an error of a stateless protocol version is answered with. 2026-07-28, basic/transports, "Status codes".
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
    bool speaks(protocol_version id) const noexcept;
    bool speaks(era opening) const noexcept;
    verdict decide_post(request const& what) const;
    verdict decide_stateless(request const& what, envelope const& message) const;
    verdict decide_handshake(request const& what, envelope const& message) const;
    verdict decide_other(request const& what) const;
    bool claims_stateless(request const& what, envelope const& message) const;
    std::string header_fault(request const& what, envelope const& message) const;
    std::string argument_fault(request const& what, envelope const& message) const;
    verdict unsupported(envelope const& message, std::string_view proposed) const;
    std::optional<verdict> check_session(request const& what, envelope const& message, verdict& found) const;
    std::string allowed() const;

    options options_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_serving.ipp>
#endif

#endif
