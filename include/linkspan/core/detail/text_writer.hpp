#ifndef LINKSPAN_CORE_DETAIL_TEXT_WRITER_HPP
#define LINKSPAN_CORE_DETAIL_TEXT_WRITER_HPP

#include <linkspan/core/detail/config.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Writes texts one after another to memory that is large enough for all of them. Used on the path of every call, where
// one append to a string per text would take several times as many instructions.
class text_writer {
public:
    explicit text_writer(char* to) noexcept : at_(to) {}

    LINKSPAN_ALWAYS_INLINE void add(std::string_view text) noexcept
    {
        if (text.empty()) // its pointer may be null
            return;
        std::memcpy(at_, text.data(), text.size());
        at_ += text.size();
    }

    LINKSPAN_ALWAYS_INLINE void add(char c) noexcept { *at_++ = c; }

    // Adds a decimal number, for which the memory has `max_digits` bytes.
    static constexpr std::size_t max_digits = 20;
    void add_number(std::uint64_t number) noexcept { at_ = std::to_chars(at_, at_ + max_digits, number).ptr; }

    // Returns the last written character. Precondition: one was written.
    char last() const noexcept { return at_[-1]; }

    char const* end() const noexcept { return at_; }

private:
    char* at_; // position after the last text
};

} // namespace linkspan::detail

#endif
