#ifndef LINKSPAN_HTTP_SSE_HPP
#define LINKSPAN_HTTP_SSE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/assert.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// One event of a stream of server-sent events.
struct sse_event {
    std::string type; ///< value of the field `event`; "message" if the event has none
    std::string data; ///< values of the fields `data`, joined by LF; never empty
    std::string id;   ///< last value of the field `id` in the stream, after which the stream is resumed; empty: none
};

/// State machine that parses a stream of server-sent events from bytes in pieces of any size, without I/O.
///
/// Lines end with LF, CR or CR LF. A byte order mark at the beginning is dropped. Comments, unknown fields, and an
/// event that is incomplete at the end of the stream are ignored. An event without data is not delivered, but its id is
/// stored: servers send such an event to announce an id before the first message. After an error, further bytes are
/// ignored.
///
///     sse_parser parser;
///     auto const batch = parser.resume("data: {}\n\n");
///     for (auto const& event : batch.events)
///         use(event.data);
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// HTML, "Server-sent events", "Interpreting an event stream"; 2025-11-25 and 2026-07-28, basic/transports, "Streamable
/// HTTP".
class sse_parser {
public:
    /// Maximum size of an id in bytes. A longer id, and an id with a null character, is ignored.
    static constexpr std::size_t max_id = 1024;

    /// Default of the maximum size of an event: 16 MiB.
    static constexpr std::size_t default_max_event = std::size_t{16} << 20;

    /// Result of an event of the state machine.
    struct batch {
        std::span<sse_event> events; ///< completed events; may be moved from; valid until the next call
        error_code ec;               ///< reason why the stream ended after these events; empty: the stream continues
    };

    /// Creates a parser at the beginning of a stream.
    ///
    /// \param max_event Maximum size of the data of an event, and of a line, in bytes; at least 1.
    explicit sse_parser(std::size_t max_event = default_max_event) noexcept : max_event_(max_event)
    {
        BOOST_ASSERT(max_event > 0);
    }

    /// Event: bytes were received.
    ///
    /// \par Errors
    /// `line_too_long`: a line, or the data of an event, exceeds `max_event`.
    LINKSPAN_DECL batch resume(std::string_view bytes);

    /// Event: the peer closed the stream.
    ///
    /// \par Errors
    /// `stream_ended`: the stream ended between two events. `truncated_line`: an incomplete event was dropped. The
    /// error of an earlier `resume`, if there was one.
    LINKSPAN_DECL batch finish();

    /// Returns the value of Last-Event-ID for a request that resumes the stream; empty: the stream cannot be resumed.
    std::string const& last_id() const noexcept { return last_id_; }

    /// Returns the pause that the server requested before the client connects again: the last field `retry`, limited to
    /// 24 hours; empty: none.
    std::optional<duration> retry() const noexcept { return retry_; }

private:
    void skip_mark(std::string_view& bytes);
    void begin_data(std::string_view& bytes) noexcept;
    bool append(std::string_view part);
    void end_line();
    void take_line(std::string_view line);
    void take_field(std::string_view name, std::string_view value);
    void dispatch();

    std::size_t max_event_;              // set by the constructor
    std::size_t matched_mark_bytes_ = 0; // matched bytes of the byte order mark; 3: matched, or there is none
    bool skips_lf_ = false;              // set by a line that ended with CR: a following LF belongs to that line
    std::string unfinished_;             // beginning of the current line, unless `in_data_`
    bool in_data_ = false;               // the current line is a field `data`; set by begin_data(), cleared by its end
    std::size_t line_size_ = 0;          // bytes of the current line; cleared by its end
    std::string type_, data_;            // fields of the current event; cleared by its end
    std::string id_, last_id_;           // last field `id`; copied to `last_id_` at the end of its event
    std::optional<duration> retry_;      // set by each valid field `retry`
    error_code ec_;                      // set by the first error or by `finish`, never cleared
    std::vector<sse_event> events_;      // events of the current batch; cleared by each call
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/sse.ipp>
#endif

#endif
