#ifndef LINKSPAN_TRANSPORT_READ_BUFFER_HPP
#define LINKSPAN_TRANSPORT_READ_BUFFER_HPP

#include <boost/assert.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace linkspan {

/// Bytes that were read: the tail of the last batch, and new ones behind it.
///
/// A message that outgrew the normal size may be kept by whoever received it, with `owner_of`: then reading goes on in
/// a new buffer, and the large message is never copied.
class read_buffer {
public:
    /// 64 KiB, what a pipe of Linux holds.
    static constexpr std::size_t normal_size = std::size_t{64} << 10;

    /// Room for new bytes; ends the life of what `bytes` gave, unless it was kept.
    std::span<char> prepare()
    {
        auto const tail = filled_ - begin_;
        owner_.reset();
        bool const kept = buffer_.use_count() > 1;
        if (kept || tail == size_ || (size_ > normal_size && tail < normal_size))
            move_to(std::max(normal_size, tail == size_ ? size_ * growth : tail * 2));
        else if (begin_ != 0)
            std::memmove(buffer_.get(), buffer_.get() + begin_, tail);
        begin_ = 0;
        filled_ = tail;
        return {buffer_.get() + filled_, size_ - filled_};
    }

    void commit(std::size_t size) noexcept
    {
        BOOST_ASSERT(size <= size_ - filled_);
        filled_ += size;
    }

    /// The tail of the last batch and what was read since.
    std::string_view bytes() const noexcept { return {buffer_.get() + begin_, filled_ - begin_}; }

    /// All but the last `tail` bytes are done with.
    void keep(std::size_t tail) noexcept { begin_ = filled_ - tail; }

    /// What keeps a part of `bytes` valid; null when it is so small that it should be copied.
    std::shared_ptr<void const> const* owner_of(std::string_view part) noexcept
    {
        if (part.size() < normal_size)
            return nullptr;
        owner_ = buffer_;
        return &owner_;
    }

private:
    // So that a message of 1 MiB is moved twice while it comes in.
    static constexpr std::size_t growth = 4;

    void move_to(std::size_t size)
    {
        auto larger = std::make_shared_for_overwrite<char[]>(size);
        std::memcpy(larger.get(), buffer_.get() + begin_, filled_ - begin_);
        buffer_ = std::move(larger);
        size_ = size;
    }

    std::shared_ptr<char[]> buffer_ = std::make_shared_for_overwrite<char[]>(normal_size);
    std::shared_ptr<void const> owner_;
    std::size_t size_ = normal_size;
    std::size_t begin_ = 0;
    std::size_t filled_ = 0;
};

} // namespace linkspan

#endif
