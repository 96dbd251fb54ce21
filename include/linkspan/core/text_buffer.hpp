#ifndef LINKSPAN_CORE_TEXT_BUFFER_HPP
#define LINKSPAN_CORE_TEXT_BUFFER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Growing text that is written through a pointer.
///
/// A `std::string` fills new characters with zeros before they can be written; this class does not.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class text_buffer {
public:
    /// Constructs an empty text.
    text_buffer() = default;

    /// Moves the text and the memory; `from` is then empty, without memory.
    text_buffer(text_buffer&& from) noexcept { *this = std::move(from); }
    /// Replaces the text and the memory by those of `from`, which is then empty, without memory.
    text_buffer& operator=(text_buffer&& from) noexcept
    {
        memory_ = std::move(from.memory_);
        size_ = std::exchange(from.size_, 0);
        capacity_ = std::exchange(from.capacity_, 0);
        is_of_long_text_ = std::exchange(from.is_of_long_text_, false);
        return *this;
    }

    /// Returns the text. The view is valid until the next call of a function that is not `const`.
    std::string_view view() const noexcept { return {memory_.get(), size_}; }

    /// Returns the size of the memory in bytes.
    std::size_t capacity() const noexcept { return capacity_; }

    /// Returns the length of the text in bytes.
    std::size_t size() const noexcept { return size_; }

    /// Removes `count` bytes of the text, from the position `at`. Precondition: `at + count` is at most `size()`.
    void erase(std::size_t at, std::size_t count) noexcept
    {
        std::memmove(memory_.get() + at, memory_.get() + at + count, size_ - at - count);
        size_ -= count;
    }

    /// Removes the text and keeps the memory.
    void clear() noexcept { size_ = 0; }

    /// Removes the text. Releases the memory if it has more than 1 MiB, or if a call of `prepare` for more than 64 KiB
    /// increased it: such memory is probably not needed again. Other memory, which many short texts use, is kept.
    void release_excess() noexcept
    {
        constexpr std::size_t max_kept = std::size_t{1} << 20;
        size_ = 0;
        if (!is_of_long_text_ && capacity_ <= max_kept)
            return;
        memory_.reset();
        capacity_ = 0;
        is_of_long_text_ = false;
    }

    /// Returns memory for at least `room` bytes after the text.
    ///
    /// \throws std::bad_alloc The memory cannot be allocated; the text is unchanged.
    char* prepare(std::size_t room)
    {
        if (capacity_ - size_ < room)
            grow(room);
        return memory_.get() + size_;
    }

    /// Appends the bytes that the caller wrote to the memory returned by `prepare`, up to `end`.
    void commit(char const* end) noexcept { size_ = static_cast<std::size_t>(end - memory_.get()); }

private:
    void grow(std::size_t room)
    {
        auto const capacity = std::max(size_ + room, 2 * capacity_);
        auto grown = std::make_unique_for_overwrite<char[]>(capacity);
        is_of_long_text_ = is_of_long_text_ || room > detail::kept_text;
        if (size_ != 0)
            std::memcpy(grown.get(), memory_.get(), size_);
        memory_ = std::move(grown);
        capacity_ = capacity;
    }

    std::unique_ptr<char[]> memory_; // null until the first prepare() with room
    std::size_t size_ = 0;           // length of the text
    std::size_t capacity_ = 0;       // size of `memory_`
    bool is_of_long_text_ = false;   // `memory_` was increased for a text of more than `kept_text` bytes; set by grow()
};

} // namespace linkspan

#endif
