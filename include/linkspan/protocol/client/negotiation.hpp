#ifndef LINKSPAN_PROTOCOL_CLIENT_NEGOTIATION_HPP
#define LINKSPAN_PROTOCOL_CLIENT_NEGOTIATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <bitset>
#include <optional>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Codes of JSON-RPC errors that the negotiation interprets (2026-07-28, basic, "Error Codes").
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_capability = -32021;
inline constexpr int unsupported_protocol_version = -32022;
inline constexpr int invalid_params = -32602;

} // namespace detail

/// State machine that determines the protocol version for a connection to a server of unknown era.
///
/// The machine probes the server with `server/discover` and falls back to the handshake (`initialize`) unless the
/// response proves that the server is stateless. Each event returns the action that the driver must perform next. The
/// class performs no I/O.
///
///     start --> probe --> (probe again) --> done              the server is stateless
///                 +-----> (reopen) --> initialize --> done    the server requires the handshake
///
/// Actions in parentheses are optional; `reopen` occurs only if the connection ended during the probe.
///
/// Invariants: each protocol version is proposed at most once by a probe and at most once by a handshake; one version
/// may be probed a second time if the response that refuses it lists it as the only common version. The machine
/// therefore terminates for any behaviour of the server. After `done` or `failed`, every event returns `none`.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// 2026-07-28, basic/versioning; basic/transports, "Backward Compatibility".
class negotiation {
public:
    /// Options of a negotiation.
    struct options {
        /// Era that an earlier negotiation with the same server determined; `era::handshake` skips the probe. Empty:
        /// the era is not known. Default: empty.
        std::optional<era> remembered;

        /// True if a timeout of the probe, or the end of the connection during the probe, leads to the handshake; false
        /// if it is a failure. Default: true, as for stdio.
        bool handshake_on_no_response = true;

        /// True if the error codes -32020 and -32021 lead to the handshake like all other codes. False if they are
        /// failures, because the specification reserves them for stateless servers. Default: true, as for stdio, where
        /// the fallback must not depend on a code.
        bool handshake_on_any_error = true;

        /// Protocol versions that the transport supports, indexed by `protocol_version`. Default: all.
        std::bitset<protocol_versions.size()> carried = ~std::bitset<protocol_versions.size()>();
    };

    /// Action that the driver must perform next.
    struct action {
        /// Kinds of actions.
        enum class kind {
            /// Send `server/discover` in protocol version `proposed`.
            probe,
            /// Send `initialize` with `proposed` as the protocol version.
            initialize,
            /// Open a new connection, then call `on_reopened`.
            reopen,
            /// Use protocol version `proposed`. After a handshake, send `notifications/initialized` first.
            done,
            /// Report the error `ec` and close the connection.
            failed,
            /// No action: the event does not apply to the current state.
            none,
        };

        /// Kind of the action.
        kind what;
        /// Protocol version, for `probe`, `initialize` and `done`.
        protocol_version proposed{};
        /// Reason, for `failed`; else no error.
        error_code ec;
    };

    /// Constructs a machine in its initial state.
    explicit negotiation(options const& values) noexcept : options_(values) {}

    /// Event: the connection is open. Returns `probe`, or `initialize` if the era `handshake` is remembered or the
    /// transport supports no stateless version.
    ///
    /// \par Errors
    /// `no_common_protocol_version`: the transport supports no version of the required era.
    LINKSPAN_DECL action start();

    /// Event: the connection that the action `reopen` requested is open. Returns `initialize`.
    ///
    /// \par Errors
    /// `stream_ended`: the transport supports no version of the era `handshake`. The error of the previous handshake:
    /// the server refused its version, and no other version is left to propose.
    LINKSPAN_DECL action on_reopened();

    /// Event: the server responded to the last request with a result.
    ///
    /// A result of the probe with an array `supportedVersions` selects the newest common version; every other result
    /// leads to the handshake. A result of `initialize` determines the version.
    ///
    /// \param result JSON text of the result.
    /// \par Errors
    /// `no_common_protocol_version`: the result names no version that the transport supports.
    LINKSPAN_DECL action on_result(std::string_view result);

    /// Event: the server responded to the last request with an error.
    ///
    /// Code -32022, and in the handshake also -32602, with an array `supported` selects the newest common version that
    /// was not proposed yet. Other errors of the probe lead to the handshake, subject to `handshake_on_any_error`. An
    /// error of the handshake leads to a probe if the server was not probed before.
    ///
    /// \param code Code of the JSON-RPC error.
    /// \param data JSON text of its member `data`; empty: none.
    /// \par Errors
    /// The JSON-RPC error as a code of `rpc_category()`. `no_common_protocol_version`: no version is left to propose.
    LINKSPAN_DECL action on_error(int code, std::string_view data);

    /// Event: the transport reported that the server refused the last request without a JSON-RPC response, for example
    /// by an HTTP status.
    ///
    /// \param indicated Era of the server, as far as the refusal reveals it; empty: the refusal reveals no era.
    /// \param ec Error of the transport.
    /// \par Errors
    /// `ec`: the refusal does not indicate that the other era could succeed.
    LINKSPAN_DECL action on_refused(std::optional<era> indicated, error_code ec);

    /// Event: the response to the last request is malformed. A malformed response to the probe leads to the handshake.
    ///
    /// \param ec Error that describes the response; the error of the action if the handshake has failed.
    LINKSPAN_DECL action on_unreadable(error_code ec);

    /// Event: the response to the last request did not arrive in time. If that request was the probe and
    /// `handshake_on_no_response` is true, the next action is the handshake.
    ///
    /// \par Errors
    /// `attempt_timed_out`: in all other cases.
    LINKSPAN_DECL action on_no_response();

    /// Event: the connection ended. Returns `reopen` if the connection ended during the probe for the first time and
    /// `handshake_on_no_response` is true.
    ///
    /// \param ec Error of the connection; the error of the action in all other cases.
    LINKSPAN_DECL action on_end(error_code ec);

    /// Returns whether the last action was `reopen` and `on_reopened` was not called yet.
    bool is_reopening() const noexcept { return state_ == state::reopening; }

private:
    enum class state { idle, probing, reopening, initializing, over };

    std::optional<protocol_version> newest_supported(era which) const;
    action probe_newest(error_code error_if_none);
    action initialize_newest(error_code error_if_none);
    action probe(protocol_version proposed);
    action initialize(protocol_version proposed);
    action choose(std::string_view supported, bool accepted);
    action fail(error_code ec);

    // set by the constructor
    options options_;
    // updated by each event; `over` is final
    state state_ = state::idle;
    // version in the last action `probe` or `initialize`; set by these actions
    protocol_version proposed_{};
    // set by the action `reopen`, which occurs at most once; never cleared
    bool reopened_ = false;
    // set when a version is probed a second time, which is done once; never cleared
    bool probed_twice_ = false;
    // set by each error of a handshake; reported if no version is left to propose
    error_code handshake_error_ = error::no_common_protocol_version;
    // versions that were proposed by a probe and by a handshake; never cleared
    std::vector<protocol_version> probed_, initialized_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/negotiation.ipp>
#endif

#endif
