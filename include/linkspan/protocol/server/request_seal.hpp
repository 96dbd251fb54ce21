#ifndef LINKSPAN_PROTOCOL_SERVER_REQUEST_SEAL_HPP
#define LINKSPAN_PROTOCOL_SERVER_REQUEST_SEAL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/protocol/principal_quota.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Seals the state of a request that waits for input of the client (`requestState`), and checks a state that a client
/// sends back.
///
/// A stateless server sends the state to the client, which sends it back with the input, possibly to another instance
/// of the server. The client may alter, repeat or exchange states. An authentication code (HMAC) therefore binds a
/// sealed state to the method, the params and the principal of the request, and to a time of expiry. Each object of
/// this class accepts a state once. All instances of a server use one key. The client can read the state, so that it
/// must contain no secrets.
///
/// The expiry is a time of the system clock (`wall_time`), because the instances that share a key may run on several
/// machines and may be restarted, so that they have no steady clock in common. A change of the system clock, or a
/// difference between the clocks of two instances, makes the validity longer or shorter by the same time. A state is
/// accepted a second time only if the clock is set forward beyond its expiry, another state is opened, and the clock is
/// set back.
///
/// Invariant: `used_` contains all accepted states that have not expired. Expired ones remain until `open` removes
/// them.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28, basic/patterns, "Multi Round-Trip Requests"; RFC 2104 (HMAC).
class request_seal {
public:
    /// Request that a state belongs to.
    struct binding {
        std::string_view method;    ///< JSON-RPC method
        std::string_view params;    ///< params as JSON text; `_meta`, `inputResponses` and `requestState` are ignored
        std::string_view principal; ///< principal of the client; empty: not authenticated
        /// Name of the client for `max_used_each`, to which the state is not bound; empty: the principal.
        std::string_view account{};
    };

    /// Result of a check.
    enum class verdict {
        accepted, ///< the state is authentic, and was not accepted before
        invalid,  ///< the state was altered, sealed with another key, or belongs to another request or principal
        expired,  ///< the state is too old
        used,     ///< the state was accepted before, or `max_used` or `max_used_each` states are stored
    };

    /// Maximum number of states that were accepted and have not expired. Further states are not accepted (`used`).
    static constexpr std::size_t max_used = 100'000;

    /// Maximum number of these states of one account whose name is not empty, so that one client cannot use up
    /// `max_used`.
    static constexpr std::size_t max_used_each = 10'000;

    /// Creates an object with a key.
    ///
    /// \param key Secret of at least 32 bytes from a secure random source.
    /// \throws std::invalid_argument The key has fewer than 32 bytes.
    LINKSPAN_DECL explicit request_seal(std::string key);

    /// Returns the sealed state, a text with the characters of Base64 and '.'.
    ///
    /// \param of The request.
    /// \param state State of the server, any bytes.
    /// \param expiry Time until which the state is accepted.
    /// \param nonce Random bits, different for all states with the same expiry.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string seal(binding const& of, std::string_view state, wall_time expiry,
                                   std::uint64_t nonce) const;

    /// Checks a state that a client sent.
    ///
    /// \param of The request that contains the state.
    /// \param sealed The text from `seal`, as the client sent it.
    /// \param now The current time.
    /// \param state Receives the state of the server if it is accepted.
    /// \throws std::bad_alloc The state is not marked as used.
    [[nodiscard]] LINKSPAN_DECL verdict open(binding const& of, std::string_view sealed, wall_time now,
                                             std::string& state);

    /// Checks a state as `open` does, but does not mark it as used, and accepts it again. Servers that recognize a
    /// repetition themselves use this function.
    ///
    /// \throws std::bad_alloc
    [[nodiscard]] LINKSPAN_DECL verdict verify(binding const& of, std::string_view sealed, wall_time now,
                                               std::string& state) const;

private:
    using mark = std::pair<std::int64_t, std::uint64_t>; // expiry and nonce of a state

    std::string code_of(binding const& of, std::string_view payload) const;
    verdict check(binding const& of, std::string_view sealed, wall_time now, std::string& state, mark& found) const;

    std::string key_; // set by the constructor
    // Accepted states. Added and, after their expiry, removed by open().
    std::map<mark, principal_quota::place> used_;
    principal_quota users_{max_used_each}; // the states in `used_` of each account
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/request_seal.ipp>
#endif

#endif
