#ifndef LINKSPAN_PROTOCOL_SERVER_RESUME_LOG_HPP
#define LINKSPAN_PROTOCOL_SERVER_RESUME_LOG_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Events of the streams of one HTTP session, which a client can request again after its connection was lost
/// (`Last-Event-ID`).
///
/// The oldest events are discarded if there are too many, if they have too many bytes, or if they are too old. An event
/// that alone has too many bytes is not stored; the earlier events of its stream are then discarded too, because the
/// stream cannot be resumed without the event. For a position before a discarded event, `after` reports that the stream
/// cannot be resumed, so that no event is lost without notice.
///
/// Invariant: the events are in the order in which they were added, and `bytes_` is the sum of their sizes.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2025-11-25, basic/transports, "Resumability and Redelivery"; HTML, "Server-sent events".
class resume_log {
public:
    /// Limits of the stored events.
    struct limits {
        std::size_t max_events = 1'000;               ///< maximum number of events; 0: none is stored
        std::size_t max_bytes = std::size_t{1} << 20; ///< maximum number of bytes of the data of all events
        duration max_age = std::chrono::minutes(5);   ///< maximum time for which an event is stored
    };

    /// Stored event.
    struct event {
        std::uint64_t stream = 0; ///< number of the stream
        std::uint64_t number = 0; ///< number of the event in its stream, from 0
        time_point added{};       ///< time at which the event was added
        /// Data of the event, shared with the streams that send it. Not null.
        std::shared_ptr<std::string const> data;
    };

    /// Creates an empty log.
    explicit resume_log(limits const& values) : limits_(values) {}

    /// Adds an event, and discards events beyond the limits. The event itself is discarded if it exceeds `max_bytes`.
    ///
    /// \param stream Number of the stream.
    /// \param data Data of the event; empty: an event that only has an id.
    /// \param max_bytes Maximum number of bytes of all events, if it is less than `limits::max_bytes`.
    /// \returns The id of the event, unique in the session, such as "3-0": the stream and the number in the stream.
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL std::string add(std::uint64_t stream, std::string data, time_point now,
                                  std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

    /// Position in a stream, read from an event id.
    struct position {
        std::uint64_t stream = 0; ///< number of the stream
        std::uint64_t number = 0; ///< number of the event in its stream
    };

    /// Reads an event id. Empty: the text is not an id of this class.
    LINKSPAN_DECL static std::optional<position> read_id(std::string_view id) noexcept;

    /// Returns the events of a stream after a position, oldest first.
    ///
    /// \returns The events; empty optional: an event of the stream after the position was discarded, or the position
    /// was never assigned, so that the stream cannot be resumed.
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::optional<std::vector<event>> after(position at, time_point now);

    /// Discards the events of a stream, which cannot be resumed any more.
    LINKSPAN_DECL void erase(std::uint64_t stream) noexcept;

    /// Discards the events that are too old.
    LINKSPAN_DECL void discard_old(time_point now) noexcept;

    /// Returns the number of stored events.
    std::size_t size() const noexcept { return events_.size(); }

    /// Returns the number of bytes of the data of the stored events.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    void discard_first() noexcept;
    void discard_of(std::uint64_t stream) noexcept; // discards the events of a stream

    struct stream_state {
        std::uint64_t next = 0;  // number of the next event
        std::uint64_t first = 0; // number of the first event that was not discarded
    };

    limits limits_;                                 // set by the constructor
    std::deque<event> events_;                      // added by add(); discarded by all functions that change the log
    std::size_t bytes_ = 0;                         // bytes of the data of `events_`
    std::map<std::uint64_t, stream_state> streams_; // by number; added by add(), removed by erase()
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/resume_log.ipp>
#endif

#endif
