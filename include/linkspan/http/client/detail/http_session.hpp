#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_SESSION_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_SESSION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// HTTP session (`Mcp-Session-Id`) of a transport: its id, its protocol version, and the end of its handshake. The class
// performs no I/O.
//
//     begin (initialize) ──> on_id ──> on_initialized ──> on_handshake_over
//                                      └── requests are held ──┘
//
// Invariants:
// 1. The id and the version belong to the session with `number()`. Streams of sessions with other numbers cannot be
//    resumed.
// 2. Requests are held from the transmission of `notifications/initialized` to its response, because messages on
//    different connections may overtake each other.
//
// Specification: 2025-11-25, basic/transports, "Session Management".
class http_session {
public:
    // Called when `initialize` is sent: the previous session is over. Returns the number of the new session.
    unsigned begin() noexcept
    {
        id_.clear();
        version_.reset();
        is_holding_ = false;
        return ++number_;
    }

    // Called with the value of the header `Mcp-Session-Id` in the response to `initialize`. An invalid id is ignored.
    void on_id(std::string_view id) { id_ = is_session_id(id) ? id : std::string_view(); }

    // Called when `notifications/initialized` is sent, with its protocol version.
    void on_initialized(std::optional<protocol_version> version) noexcept
    {
        version_ = version;
        is_holding_ = true;
    }

    // Called when the exchange of `notifications/initialized` has ended. The held requests are sent then.
    void on_handshake_over() noexcept { is_holding_ = false; }

    // Returns whether a message is held. `id`: of a request; 0: the message is a notification or a response, which is
    // not held. `opens`: the message is a request of the negotiation, which is not held.
    bool must_hold(request_id id, bool opens) const noexcept { return is_holding_ && id != 0 && !opens; }

    // Returns the id of the session; empty: none.
    std::string const& id() const noexcept { return id_; }

    // Returns the negotiated version; empty: the handshake is not complete, or the era is `stateless`.
    std::optional<protocol_version> version() const noexcept { return version_; }

    // Returns the number of the session; 0: none was begun.
    unsigned number() const noexcept { return number_; }

    // Returns the version and the id for the headers of GET and DELETE, which contain no message. The views are valid
    // until the next event.
    http_message headers() const noexcept
    {
        http_message out;
        out.version = version_;
        out.session = id_;
        return out;
    }

private:
    std::string id_;                          // set by `on_id`, cleared by `begin`; empty: none
    std::optional<protocol_version> version_; // set by `on_initialized`, cleared by `begin`
    unsigned number_ = 0;                     // incremented by `begin`
    bool is_holding_ = false;                 // set by `on_initialized`; cleared by `on_handshake_over` and by `begin`
};

} // namespace linkspan::detail

#endif
