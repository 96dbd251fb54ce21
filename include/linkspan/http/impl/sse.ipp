#ifndef LINKSPAN_HTTP_IMPL_SSE_IPP
#define LINKSPAN_HTTP_IMPL_SSE_IPP

#include <linkspan/http/sse.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

// Upper bound of the reconnection time that the field `retry` sets. A greater value is replaced by the bound.
inline constexpr std::chrono::milliseconds max_retry = std::chrono::hours(24);

LINKSPAN_DECL sse_parser::batch sse_parser::resume(std::string_view bytes)
{
    events_.clear();
    skip_mark(bytes);
    while (!ec_ && !bytes.empty()) {
        if (std::exchange(skips_lf_, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        auto const end = std::min(bytes.find_first_of("\r\n"), bytes.size());
        if (unfinished_.size() + end > max_event_) {
            ec_ = error::line_too_long;
        } else if (end == bytes.size()) {
            unfinished_ += std::exchange(bytes, {});
        } else {
            skips_lf_ = bytes[end] == '\r';
            unfinished_ += bytes.substr(0, end);
            take_line(unfinished_);
            unfinished_.clear();
            bytes.remove_prefix(end + 1);
        }
    }
    return {events_, ec_};
}

LINKSPAN_DECL sse_parser::batch sse_parser::finish()
{
    events_.clear();
    bool const is_incomplete = !unfinished_.empty() || !data_.empty();
    if (!ec_)
        ec_ = is_incomplete ? error::truncated_line : error::stream_ended;
    return {events_, ec_};
}

// Drops a byte order mark at the beginning of the stream. The mark may arrive in several pieces.
LINKSPAN_DECL void sse_parser::skip_mark(std::string_view& bytes)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    for (; matched_mark_bytes_ != mark.size() && !bytes.empty(); bytes.remove_prefix(1)) {
        if (bytes.front() != mark[matched_mark_bytes_]) {
            unfinished_ = mark.substr(0, std::exchange(matched_mark_bytes_, mark.size()));
            return;
        }
        ++matched_mark_bytes_;
    }
}

LINKSPAN_DECL void sse_parser::take_line(std::string_view line)
{
    if (line.empty())
        return dispatch();
    auto const colon = std::min(line.find(':'), line.size());
    auto value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' '))
        value.remove_prefix(1);
    take_field(line.substr(0, colon), value); // the field name of a comment is empty, and ignored
}

LINKSPAN_DECL void sse_parser::take_field(std::string_view name, std::string_view value)
{
    if (name == "data") {
        if (data_.size() + value.size() > max_event_)
            ec_ = error::line_too_long;
        else
            (data_ += value) += '\n';
    } else if (name == "event") {
        type_ = value;
    } else if (name == "id") {
        if (value.size() <= max_id && value.find('\0') == value.npos)
            id_ = value;
    } else if (name == "retry") {
        std::int64_t milliseconds = 0;
        auto const [end, failure] = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
        bool const is_number = !value.empty() && value.front() != '-' && end == value.data() + value.size();
        if (failure == std::errc::result_out_of_range)
            milliseconds = max_retry.count();
        if (is_number)
            retry_ = std::min(std::chrono::milliseconds(milliseconds), max_retry);
    }
}

// Ends the current event. An event with empty data is not delivered, but its id becomes the last id: servers announce
// an id by an event with an empty field `data`.
LINKSPAN_DECL void sse_parser::dispatch()
{
    last_id_ = id_;
    if (!data_.empty())
        data_.pop_back(); // removes the LF after the last line
    if (!data_.empty())
        events_.push_back({type_.empty() ? "message" : std::move(type_), std::move(data_), last_id_});
    type_.clear();
    data_.clear();
}

} // namespace linkspan

#endif
