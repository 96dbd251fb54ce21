#ifndef LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_QUEUE_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_QUEUE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Bytes to be written to a stream, in pieces. The class performs no I/O.
//
// Invariant: the bytes of `current_` precede those of `next_`, and `written_` is at most the size of `current_`.
class output_queue {
public:
    // Appends two texts. Throws `std::bad_alloc`: nothing is appended.
    void append(std::string_view bytes, std::string_view more = {})
    {
        auto const size = next_.size();
        next_ += bytes;
        try {
            next_ += more;
        } catch (...) {
            next_.resize(size);
            throw;
        }
    }

    // Returns the number of bytes that were not returned by `next_piece`.
    std::size_t size() const noexcept { return next_.size() + current_.size() - written_; }

    // Returns the number of bytes that are kept, including those of the last pieces.
    std::size_t memory() const noexcept { return next_.size() + current_.size(); }

    // Returns the next bytes, at most `max_size`. They are valid until the next call of `next_piece` or `clear`.
    std::string_view next_piece(std::size_t max_size)
    {
        if (written_ == current_.size()) {
            clear();
            current_.swap(next_);
        }
        auto const piece = std::string_view(current_).substr(written_, max_size);
        written_ += piece.size();
        return piece;
    }

    // Discards the bytes that `next_piece` has returned. Called when `size()` is 0.
    void clear() noexcept
    {
        current_.clear();
        release_long_text(current_);
        written_ = 0;
    }

private:
    std::string next_;        // added by `append`, moved to `current_` by `next_piece`
    std::string current_;     // bytes of which `next_piece` returns the pieces; cleared by `clear`
    std::size_t written_ = 0; // bytes of `current_` that `next_piece` has returned
};

} // namespace linkspan::detail

#endif
