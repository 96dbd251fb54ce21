#ifndef LINKSPAN_PROTOCOL_CLIENT_NEGOTIATION_HPP
#define LINKSPAN_PROTOCOL_CLIENT_NEGOTIATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <bitset>
#include <optional>
#include <string_view>
#include <vector>

namespace linkspan {

namespace detail {

inline constexpr int header_mismatch = -32020;
inline constexpr int missing_capability = -32021;
inline constexpr int unsupported_protocol_version = -32022;
inline constexpr int invalid_params = -32602;

} // namespace detail

/// Finds out in which protocol version to speak with a server that may know either era.
///
/// It probes with `server/discover` and falls back to the handshake of the older protocol versions unless the server proves to
/// be a modern one. What the driver sees is an event, and what it shall do next is the answer:
///
///     start ──> probe ──> (probe again) ──> done              the server is stateless
///                 └────> reopen ──> initialize ──> done       the server is older; `reopen` when it left on the probe
///
/// Each protocol version is proposed at most once in each of the two ways, and one once more when the server refuses it and names
/// it at the same time; so it ends whatever the server answers.
///
/// Specification: 2026-07-28, basic/versioning and basic/transports, "Backward Compatibility".
class negotiation {
public:
    struct options {
        std::optional<era> remembered; ///< what an earlier negotiation found; `handshake` skips the probe
        bool silence_is_legacy = true; ///< no answer to the probe, or the end of the stream, means an older server
        /// So does -32020 or -32021, of which the specification says that only a modern server sends it. True over
        /// pipes, where the fallback must not depend on a code.
        bool any_error_is_legacy = true;
        std::bitset<protocol_versions.size()> carried =
            ~std::bitset<protocol_versions.size()>(); ///< what the transport supports
    };

    struct action {
        enum class kind {
            probe,      ///< send `server/discover` in `proposed`
            initialize, ///< send `initialize` that proposes `proposed`
            reopen,     ///< make a new connection, then report `on_reopened`
            done,       ///< speak `proposed`; after a handshake, send `notifications/initialized` first
            failed,     ///< give up for `ec`
            none,       ///< the event came too late to matter
        };

        kind what;
        protocol_version proposed{};
        error_code ec;
    };

    explicit negotiation(options const& with) noexcept : options_(with) {}

    /// Event: the connection is open.
    LINKSPAN_DECL action start();

    /// Event: the connection that `reopen` asked for is open.
    LINKSPAN_DECL action on_reopened();

    /// Event: the answer to what was sent last is a result, its text.
    LINKSPAN_DECL action on_result(std::string_view result);

    /// Event: it is an error, its code and the text of `data`.
    LINKSPAN_DECL action on_error(int code, std::string_view data);

    /// Event: the carrier answered in the place of the server, for `ec`, and what it said is what a server of the era
    /// `shown` says; nothing: what any server may say that has failed.
    LINKSPAN_DECL action on_refused(std::optional<era> shown, error_code ec);

    /// Event: it makes no sense, for `ec`.
    LINKSPAN_DECL action on_unreadable(error_code ec);

    /// Event: no answer came in time.
    LINKSPAN_DECL action on_silence();

    /// Event: the connection ended for `ec`.
    LINKSPAN_DECL action on_end(error_code ec);

    bool is_reopening() const noexcept { return state_ == state::reopening; }

private:
    enum class state { idle, probing, reopening, initializing, over };

    std::optional<protocol_version> newest_carried(era opening) const;
    action probe_newest(error_code otherwise);
    action initialize_newest(error_code otherwise);
    action probe(protocol_version proposed);
    action initialize(protocol_version proposed);
    action choose(std::string_view supported, bool accepted);
    action fail(error_code ec);

    options options_;
    state state_ = state::idle;
    protocol_version proposed_{};
    bool reopened_ = false;
    bool asked_twice_ = false;                               // for one protocol version
    error_code refusal_ = error::no_common_protocol_version; // of the handshake
    std::vector<protocol_version> probed_, initialized_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/negotiation.ipp>
#endif

#endif
