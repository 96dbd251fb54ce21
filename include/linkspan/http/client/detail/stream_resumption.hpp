#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_STREAM_RESUMPTION_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_STREAM_RESUMPTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/http/sse.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Position of a stream of events, and the attempts to resume the stream after an interruption. Each attempt is a
// separate exchange, whose `stream_resumption` is the result of `next` for the interrupted exchange. The class performs
// no I/O.
//
// Invariants:
// 1. A stream whose events have no ids has no position.
// 2. `attempts` counts consecutive resumptions without a new event; `refusals` counts consecutive resumptions without a
//    response.
class stream_resumption {
public:
    // Lower bound of the pause before a stream is resumed, for a server that requests a very short pause.
    static constexpr duration min_pause = std::chrono::milliseconds(50);
    // Upper bound of a pause that the server has not requested.
    static constexpr duration max_pause = std::chrono::seconds(30);
    // If the pause is longer, a connection is attempted after this time, to detect early that the server is
    // unreachable. A request that can fail over does not wait for the end of the pause in this case.
    static constexpr duration reachability_pause = std::chrono::seconds(1);

    // Returns the id of the last event of the interrupted stream; empty: the stream cannot be resumed.
    std::string const& position() const noexcept { return position_; }

    // Returns the number of consecutive resumptions without a new event.
    unsigned attempts() const noexcept { return attempts_; }

    // Returns the number of consecutive resumptions without a response.
    unsigned refusals() const noexcept { return refusals_; }

    // Called when the head of a stream was received.
    void on_stream() noexcept { refusals_ = 0; }

    // Called for each event of the stream.
    void on_event() noexcept { has_event_ = true; }

    // Called when the exchange has ended, with the parser of its events; null: the response was not a stream. Stores
    // the position from which the stream can be resumed.
    LINKSPAN_DECL void on_end(sse_parser const* events);

    // Called after `on_end` if the exchange was a resumption that received no response.
    void on_refused() noexcept { ++refusals_; }

    // Called after `on_end` if an event was too long. The server would send this event again after the position, so
    // that the next stream begins without a position.
    void on_too_long_event() noexcept { position_.clear(); }

    // Returns the resumption with which the next exchange begins.
    LINKSPAN_DECL stream_resumption next() const;

    // Returns the pause before this resumption, made by `next`. `base`: `http_config::resume_pause`. `is_endless`: the
    // number of resumptions of the stream is not limited, so that a short pause of the server must not cause a busy
    // loop.
    LINKSPAN_DECL duration pause(duration base, bool is_endless) const noexcept;

    // Returns whether a connection is attempted during `pause`: the pause is long, and this is the first resumption
    // since the last event. Called only if the connection of a response was lost, not if the server has ended the
    // stream.
    bool checks_reachability(duration pause) const noexcept { return attempts_ == 1 && pause > reachability_pause; }

private:
    unsigned attempts_ = 0;         // incremented by `next`; cleared by the end of a stream with events
    unsigned refusals_ = 0;         // incremented by `on_refused`; cleared by `on_stream`
    bool has_event_ = false;        // set by `on_event`, cleared by `on_end`
    std::string position_;          // id of the last event; set by `on_end`, cleared by `on_too_long_event`
    std::optional<duration> retry_; // pause that the server requested; set by `on_end`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/stream_resumption.ipp>
#endif

#endif
