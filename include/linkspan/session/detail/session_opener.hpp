#ifndef LINKSPAN_SESSION_DETAIL_SESSION_OPENER_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_OPENER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/protocol/message_kind.hpp>
#include <linkspan/session/detail/session_diagnostics.hpp>
#include <linkspan/session/session_options.hpp>
#include <linkspan/session/session_state.hpp>

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Opening of one session, from the first request to the agreement on a protocol version, and the results: the version,
// the era, and the description of the server. The class composes the requests that `negotiation` demands, and
// translates their outcomes into events of `negotiation`. The class performs no I/O.
//
//     begin, on_transport ─> on_connected ─> next_request ─> on_reply, on_refused, on_end ─> (action)
//                                 ^               ^                                             │
//                                 └─── reopen ────┴────────────── probe, initialize ────────────┤
//                                                                                               v
//                                                       on_negotiated (done), on_failed (failed)
//
// Invariants:
// 1. `on_connected`, `next_request`, `on_reply`, `on_refused` and `on_end` are called only after `on_transport` or
//    `begin_renewal`, which start a negotiation.
// 2. A renewal keeps `version()` until its own negotiation is complete.
// 3. A failure after the transport was open makes the next opening probe the era again, because the server may have
//    been replaced.
class session_opener {
public:
    using action = negotiation::action;

    // Properties of a transport that determine the negotiation.
    struct transport_traits {
        bool handshake_on_no_response = true; // a probe without a response indicates a server of the era `handshake`
        std::bitset<protocol_versions.size()> carried = ~std::bitset<protocol_versions.size()>(); // versions, by value
    };

    // Request of the negotiation: `server/discover` or `initialize`. The views are valid until the next request.
    struct request {
        std::string_view method;
        message_kind kind;
        std::string_view params; // members of `params`, without braces
        time_point deadline;
    };

    LINKSPAN_DECL explicit session_opener(session_options const& options);

    // Called when the session is opened, before the transport.
    LINKSPAN_DECL void begin(time_point now) noexcept;

    // Called once for each opening, before the transport is open: starts the negotiation.
    LINKSPAN_DECL void on_transport(transport_traits const& traits);

    // Called when the server has discarded the HTTP session (`Mcp-Session-Id`). Starts a new handshake on the same
    // transport and returns its first action.
    LINKSPAN_DECL action begin_renewal(transport_traits const& traits, time_point now);

    // Called when a transport is open, the first one or the one that the action `reopen` required.
    LINKSPAN_DECL action on_connected();

    // Composes the request of an action `probe` or `initialize`. `capabilities`: those of this client, as the text of
    // a JSON object, which become a part of `identity()`.
    LINKSPAN_DECL request next_request(action const& next, std::string capabilities);

    // Called with the outcome of the last request. The message of an error response becomes the reason in
    // `diagnostics`.
    LINKSPAN_DECL action on_reply(reply const& completion, session_diagnostics& diagnostics);

    // Called if the server has refused the last request by an HTTP status, without a JSON-RPC response.
    LINKSPAN_DECL action on_refused(era_evidence indicated, error_code ec);

    // Called if the connection has ended before the negotiation was complete.
    LINKSPAN_DECL action on_end(error_code ec);

    // Called for the action `done`.
    LINKSPAN_DECL void on_negotiated(protocol_version version) noexcept;

    // Called if the opening, not a renewal, has failed.
    LINKSPAN_DECL void on_failed() noexcept;

    // Returns the negotiated protocol version; empty: the session is being opened, or its last opening has failed.
    std::optional<protocol_version> version() const noexcept { return version_; }

    // Returns the protocol version in which the last request of the negotiation was written; empty: `initialize`.
    std::optional<protocol_version> proposed() const noexcept { return proposed_; }

    // Sets the level of log messages in `identity()`.
    void set_log_level(log_level level) noexcept { identity_.min_level = level; }

    client_identity const& identity() const noexcept { return identity_; }
    server_description const& server() const noexcept { return server_; }

    // Returns whether a transport was open since the last `begin`.
    bool connected() const noexcept { return connected_; }

private:
    void start_negotiation(transport_traits const& traits, std::optional<era> remembered);
    void describe_server(std::string_view result);

    // Set by the constructor; the capabilities by each request of a negotiation, the level by `set_log_level`.
    client_identity identity_;
    duration startup_timeout_, probe_timeout_; // set by the constructor
    bool handshake_on_any_error_;              // set by the constructor
    // Initially an option. Replaced by each negotiation; cleared if the opening fails after the transport was open.
    std::optional<era> remembered_;
    std::optional<negotiation> negotiation_;   // replaced by each opening and each renewal, never cleared
    time_point opened_at_{};                   // start of the current opening or renewal; its timeouts count from here
    std::string params_;                       // of the last request; replaced by each request
    std::optional<protocol_version> proposed_; // version of the last probe; empty after `initialize`
    std::optional<protocol_version> version_;  // set by `on_negotiated`, cleared by `begin`
    bool connected_ = false;                   // set by `on_connected`, cleared by `begin`
    server_description server_;                // replaced by each result of a request of a negotiation, never cleared
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_opener.ipp>
#endif

#endif
