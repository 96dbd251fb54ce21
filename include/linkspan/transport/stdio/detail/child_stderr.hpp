#ifndef LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STDERR_HPP
#define LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STDERR_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Ring buffer of the last bytes of a stream.
//
// Invariants: `ring_` has at most `capacity_` bytes. `oldest_` is 0 until the ring is full.
class byte_tail {
public:
    explicit byte_tail(std::size_t capacity) noexcept : capacity_(capacity) {}

    void append(std::string_view bytes)
    {
        seen_ += bytes.size();
        bytes = bytes.substr(bytes.size() - std::min(bytes.size(), capacity_));
        auto const room = std::min(bytes.size(), capacity_ - ring_.size());
        ring_.append(bytes.substr(0, room));
        for (bytes.remove_prefix(room); !bytes.empty();) {
            auto const piece = bytes.substr(0, ring_.size() - oldest_);
            std::ranges::copy(piece, ring_.begin() + static_cast<std::ptrdiff_t>(oldest_));
            oldest_ = (oldest_ + piece.size()) % ring_.size();
            bytes.remove_prefix(piece.size());
        }
    }

    // Returns the bytes in order; valid until the next call of any function.
    std::string_view view()
    {
        std::ranges::rotate(ring_, ring_.begin() + static_cast<std::ptrdiff_t>(std::exchange(oldest_, 0)));
        return ring_;
    }

    std::size_t seen() const noexcept { return seen_; }

private:
    std::size_t capacity_;   // set by the constructor
    std::size_t seen_ = 0;   // number of all appended bytes; increased by append(), never reset
    std::size_t oldest_ = 0; // index of the oldest byte in the full ring; advanced by append(), set to 0 by view()
    std::string ring_;       // grows by append() up to `capacity_`, then overwritten by append(); rotated by view()
};

// Splits text into lines for a reader. Empty lines are kept, and lines longer than `max_line` are divided.
//
// Invariant: `begin_` is at most the size of `text_`.
class line_cutter {
public:
    static constexpr std::size_t max_line = std::size_t{64} << 10;

    void append(std::string_view bytes) { text_ += bytes; }

    // Ends the text: the rest is a line, even without a line end.
    void finish() noexcept { finished_ = true; }

    // Returns the next line, without its line end; empty: no complete line is left.
    std::optional<std::string> next()
    {
        auto const rest = std::string_view(text_).substr(begin_);
        auto const end = rest.find('\n');
        if (std::min(end, rest.size()) > max_line)
            return take(max_line, 0);
        if (end != rest.npos)
            return take(end, 1);
        if (finished_ && !rest.empty())
            return take(rest.size(), 0);
        text_.erase(0, std::exchange(begin_, 0));
        return std::nullopt;
    }

private:
    std::string take(std::size_t size, std::size_t terminator)
    {
        auto line = text_.substr(begin_, size);
        begin_ += size + terminator;
        if (terminator > 0 && line.ends_with('\r'))
            line.pop_back();
        return line;
    }

    std::string text_;      // appended text; next() removes the returned lines when no complete line is left
    std::size_t begin_ = 0; // offset of the first byte that was not returned; set to 0 when they are removed
    bool finished_ = false; // set by finish(), never cleared
};

} // namespace linkspan::detail

#endif
