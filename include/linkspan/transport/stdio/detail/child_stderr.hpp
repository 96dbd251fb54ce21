#ifndef LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STDERR_HPP
#define LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STDERR_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::detail {

// The last bytes of a stream.
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

    // Valid until the next call.
    std::string_view view()
    {
        std::ranges::rotate(ring_, ring_.begin() + static_cast<std::ptrdiff_t>(std::exchange(oldest_, 0)));
        return ring_;
    }

    std::size_t seen() const noexcept { return seen_; }

private:
    std::size_t capacity_;
    std::size_t seen_ = 0;
    std::size_t oldest_ = 0; // in `ring_`, once it is full
    std::string ring_;
};

// Splits text into lines for people: keeps empty ones, and cuts those that are too long.
class line_cutter {
public:
    static constexpr std::size_t max_line = std::size_t{64} << 10;

    void append(std::string_view bytes) { text_ += bytes; }

    // No more text will come: what is left is a line too.
    void finish() noexcept { finished_ = true; }

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

    std::string text_;
    std::size_t begin_ = 0; // of what was not taken yet
    bool finished_ = false;
};

} // namespace linkspan::detail

#endif
