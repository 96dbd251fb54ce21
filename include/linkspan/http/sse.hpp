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

namespace linkspan {

/// An event of a stream of server-sent events.
struct sse_event {
    std::string type; ///< "message" unless the stream says otherwise
    std::string data; ///< never empty: lines, joined by LF
    std::string id;   ///< where to resume behind it; empty: none was given so far
};

/// Reads a stream of server-sent events, however its bytes are cut.
///
/// Lines end with LF, CR or both; a byte order mark at the beginning is dropped; comments, unknown fields, and an event
/// that the end of the stream cuts are ignored. An event without data is not delivered, but its id counts: servers send
/// one to say where to resume before there is anything to say. Once `ec` is set the stream is over.
///
/// Specification: HTML, "Server-sent events", "Interpreting an event stream"; 2025-11-25 and 2026-07-28,
/// basic/transports, "Streamable HTTP".
class sse_parser {
public:
    /// bytes; a longer id is passed over, as if the event had none.
    static constexpr std::size_t max_id = 1024;

    /// 16 MiB
    static constexpr std::size_t default_max_event = std::size_t{16} << 20;

    struct batch {
        std::span<sse_event> events; ///< to take from; valid until the next event
        error_code ec;               ///< why the stream is over; the events of this batch come before it
    };

    /// `max_event`: bytes that an event may have, and a line of it; at least 1.
    explicit sse_parser(std::size_t max_event = default_max_event) noexcept : max_event_(max_event)
    {
        BOOST_ASSERT(max_event > 0);
    }

    /// Event: the next bytes. Errors: `line_too_long`.
    LINKSPAN_DECL batch resume(std::string_view bytes);

    /// Event: the peer closed the stream. Errors: `stream_ended`; `truncated_line` when an unfinished event is lost.
    LINKSPAN_DECL batch finish();

    /// What a request to resume names as its `Last-Event-ID`; empty: nothing.
    std::string const& last_id() const noexcept { return last_id_; }

    /// How long the server wants us to wait before we connect again, as it said last.
    /// 0 to 24 hours.
    std::optional<duration> retry() const noexcept { return retry_; }

private:
    void skip_mark(std::string_view& bytes);
    void take_line(std::string_view line);
    void take_field(std::string_view name, std::string_view value);
    void dispatch();

    std::size_t max_event_;
    std::size_t seen_of_mark_ = 0; // bytes of the byte order mark at the beginning; all of it when there is none
    bool skips_lf_ = false;        // the last line ended with CR: an LF that follows belongs to it
    std::string unfinished_;       // line
    std::string type_, data_;      // of the event that is being read
    std::string id_, last_id_;     // the latter when the event that names it is complete
    std::optional<duration> retry_;
    error_code ec_;
    std::vector<sse_event> events_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/sse.ipp>
#endif

#endif
