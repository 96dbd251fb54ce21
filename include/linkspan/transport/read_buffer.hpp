#ifndef LINKSPAN_TRANSPORT_READ_BUFFER_HPP
#define LINKSPAN_TRANSPORT_READ_BUFFER_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/assert.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Buffer for the bytes that a connection reads: the unfinished tail of the last batch, followed by the bytes of the
/// next read.
///
/// A receiver of a large message may keep the memory of the message with `owner_of`. The buffer then allocates new
/// memory for the next read, so that the receiver does not copy the large message.
///
/// The buffer is small until a read fills it, so that a connection without traffic needs little memory. The buffer
/// becomes small again immediately after the first messages that did not fit, usually the list of tools, and later
/// after 8 small reads in succession, then after 64, and then after 512 each time, so that a busy connection seldom
/// allocates memory.
///
///     auto const room = buffer.prepare();
///     buffer.commit(read(room));
///     buffer.keep(process(buffer.bytes()));
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class read_buffer {
public:
    /// Size in bytes of a small buffer: 1 KiB.
    static constexpr std::size_t initial_size = std::size_t{1} << 10;

    /// Size in bytes of a buffer that a read has filled, and minimum size of a message whose memory can be kept: 64
    /// KiB, the capacity of a pipe of Linux. The buffer grows if a message is longer, and shrinks to this size after
    /// that message.
    static constexpr std::size_t normal_size = std::size_t{64} << 10;

    /// Returns free space for the next read, at least one byte. Invalidates the views of `bytes`, except views into
    /// memory whose owner was copied.
    ///
    /// \throws std::bad_alloc
    std::span<char> prepare()
    {
        auto const tail = filled_ - begin_;
        owner_.reset();
        bool const kept = buffer_.use_count() > 1;
        bool const is_full = filled_ == size_; // the connection may have more bytes
        small_reads_ = filled_ < initial_size ? small_reads_ + 1 : 0;
        bool const is_quiet = required_reads_ == 1 ? !is_full : small_reads_ >= required_reads_;
        if (size_ > initial_size && is_quiet && tail < initial_size) {
            required_reads_ = std::min(required_reads_ * 8, max_required_reads);
            move_to(initial_size);
        } else if (kept || (is_full && size_ == initial_size) || tail == size_ ||
                   (size_ > normal_size && tail < normal_size)) {
            move_to(std::max(normal_size, tail == size_ ? std::max(large_size, size_ * growth) : tail * 2));
        } else if (begin_ != 0) {
            std::memmove(buffer_.get(), buffer_.get() + begin_, tail);
        }
        begin_ = 0;
        filled_ = tail;
        return {buffer_.get() + filled_, size_ - filled_};
    }

    /// Appends `size` bytes, which the caller has written to the front of the space that `prepare` returned.
    /// Precondition: `size` is at most the size of that space.
    void commit(std::size_t size) noexcept
    {
        BOOST_ASSERT(size <= size_ - filled_);
        filled_ += size;
    }

    /// Returns the bytes that were kept and the bytes that were committed since. Valid until the next `prepare`.
    std::string_view bytes() const noexcept { return {buffer_.get() + begin_, filled_ - begin_}; }

    /// Removes all bytes but the last `tail` bytes. Precondition: `tail` is at most `bytes().size()`.
    void keep(std::size_t tail) noexcept { begin_ = filled_ - tail; }

    /// Returns a pointer to the owner of the memory of `part`, a part of `bytes()`. A copy of the owner keeps the part
    /// valid. Null: the part is shorter than `normal_size` and has to be copied. The returned pointer is valid until
    /// the next `prepare`.
    std::shared_ptr<void const> const* owner_of(std::string_view part) noexcept
    {
        if (part.size() < normal_size)
            return nullptr;
        owner_ = buffer_;
        return &owner_;
    }

private:
    // Size of the buffer after a message did not fit. While a message of up to this size is received, at most its first
    // `normal_size` bytes are moved, once, by the enlargement. The unused part of the buffer needs no physical memory,
    // because the operating system provides memory only for pages that are written.
    static constexpr std::size_t large_size = std::size_t{2} << 20;
    static constexpr std::size_t growth = 4;
    static constexpr unsigned max_required_reads = 512;

    void move_to(std::size_t size)
    {
        auto larger = std::make_shared_for_overwrite<char[]>(size);
        std::memcpy(larger.get(), buffer_.get() + begin_, filled_ - begin_);
        buffer_ = std::move(larger);
        size_ = size;
    }

    // memory of `size_` bytes; replaced by prepare() if it is full, kept by a receiver, or larger than required
    std::shared_ptr<char[]> buffer_ = std::make_shared_for_overwrite<char[]>(initial_size);
    // alias of `buffer_` that owner_of() points to; cleared by prepare()
    std::shared_ptr<void const> owner_;
    // size of `buffer_` in bytes
    std::size_t size_ = initial_size;
    // reads in succession that a small buffer could have contained; counted by prepare()
    unsigned small_reads_ = 0;
    // number of these reads after which the buffer becomes small; multiplied by prepare() each time. 1: any read that
    // does not fill the buffer is sufficient
    unsigned required_reads_ = 1;
    // offset of the first byte that was not removed; set by keep(), reset by prepare()
    std::size_t begin_ = 0;
    // offset after the last byte committed
    std::size_t filled_ = 0;
};

} // namespace linkspan

#endif
