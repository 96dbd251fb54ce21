#ifndef LINKSPAN_HTTP_IMPL_SSE_IPP
#define LINKSPAN_HTTP_IMPL_SSE_IPP

#include <linkspan/http/sse.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

// Upper bound of the reconnection time that the field `retry` sets. A greater value is replaced by the bound.
inline constexpr std::chrono::milliseconds max_retry = std::chrono::hours(24);

// A text that exceeds `small_data` receives at least `large_data` bytes of memory, so that its growth copies few bytes.
inline constexpr std::size_t small_data = std::size_t{128} << 10;
inline constexpr std::size_t large_data = std::size_t{2} << 20;

namespace detail {

// Finds the ends of lines in a piece of a stream. The position of the next LF and that of the next CR are remembered,
// so that each byte is compared at most twice, whichever of them ends the lines.
class line_ends {
public:
    explicit line_ends(std::string_view piece) noexcept : end_(piece.data() + piece.size()) {}

    // Returns the position of the next line end in `rest`, or the size of `rest`. Precondition: `rest` is the end of
    // the piece, and not longer than that of the last call.
    std::size_t find(std::string_view rest) noexcept
    {
        for (auto const& [known, c] : {std::pair(&lf_, '\n'), std::pair(&cr_, '\r')})
            if (!*known || *known < rest.data()) {
                auto const* const found = static_cast<char const*>(std::memchr(rest.data(), c, rest.size()));
                *known = found ? found : end_;
            }
        return static_cast<std::size_t>(std::min(lf_, cr_) - rest.data());
    }

private:
    char const* end_;                          // set by the constructor
    char const *lf_ = nullptr, *cr_ = nullptr; // position of the next one, or `end_`; set by find()
};

} // namespace detail

LINKSPAN_DECL sse_parser::batch sse_parser::resume(std::string_view bytes)
{
    events_.clear();
    skip_mark(bytes);
    detail::line_ends ends(bytes);
    while (!ec_ && !bytes.empty()) {
        if (std::exchange(skips_lf_, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        begin_data(bytes);
        auto const piece = bytes.substr(0, ends.find(bytes));
        if (!append(piece)) {
            ec_ = error::line_too_long;
            break;
        }
        bytes.remove_prefix(piece.size());
        if (bytes.empty())
            break;
        skips_lf_ = bytes.front() == '\r';
        bytes.remove_prefix(1);
        end_line();
    }
    return {events_, ec_};
}

// Skips the name of a field `data` at the beginning of a line. Its value is then appended to `data_` directly, because
// it can have megabytes. A line whose name is divided between two pieces is collected in `unfinished_` instead.
LINKSPAN_DECL void sse_parser::begin_data(std::string_view& bytes) noexcept
{
    constexpr std::string_view name = "data:";
    bool const is_value_next = bytes.size() > name.size() && bytes[name.size()] != '\r' && bytes[name.size()] != '\n';
    if (in_data_ || !unfinished_.empty() || !is_value_next || !bytes.starts_with(name))
        return;
    in_data_ = true;
    line_size_ = name.size() + (bytes[name.size()] == ' ' ? 1 : 0);
    bytes.remove_prefix(line_size_);
}

// Appends a part of a line. Returns false if a limit is exceeded.
LINKSPAN_DECL bool sse_parser::append(std::string_view part)
{
    auto& to = in_data_ ? data_ : unfinished_;
    line_size_ += part.size();
    if (line_size_ > max_event_ || to.size() + part.size() > max_event_)
        return false;
    auto const size = to.size() + part.size();
    if (size > to.capacity() && size > small_data)
        to.reserve(std::max(size, std::min(max_event_, std::max(large_data, 4 * to.capacity()))));
    to += part;
    return true;
}

LINKSPAN_DECL void sse_parser::end_line()
{
    line_size_ = 0;
    if (std::exchange(in_data_, false)) {
        data_ += '\n';
        return;
    }
    take_line(unfinished_);
    unfinished_.clear();
}

LINKSPAN_DECL sse_parser::batch sse_parser::finish()
{
    events_.clear();
    bool const is_incomplete = !unfinished_.empty() || !data_.empty() || in_data_;
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
    if (!data_.empty()) {
        bool const wastes_memory = data_.capacity() > 4 * data_.size(); // the owner of the event may store it for long
        events_.push_back({type_.empty() ? "message" : std::move(type_),
                           wastes_memory ? std::string(data_) : std::move(data_), last_id_});
    }
    type_.clear();
    data_.clear();
}

} // namespace linkspan

#endif
