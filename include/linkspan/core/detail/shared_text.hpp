#ifndef LINKSPAN_CORE_DETAIL_SHARED_TEXT_HPP
#define LINKSPAN_CORE_DETAIL_SHARED_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/recycling_allocator.hpp>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Immutable text with shared ownership. The construction from a text needs one allocation, the construction from a part
// of a shared buffer needs none.
class shared_text {
public:
    shared_text() = default;

    explicit shared_text(std::string_view text)
    {
        auto copy = std::allocate_shared_for_overwrite<char[]>(boost::asio::recycling_allocator<char>(), text.size());
        std::copy(text.begin(), text.end(), copy.get());
        view_ = {copy.get(), text.size()};
        owner_ = std::move(copy);
    }

    // Precondition: `text` is valid as long as `owner` exists.
    shared_text(std::shared_ptr<void const> owner, std::string_view text) : owner_(std::move(owner)), view_(text) {}

    std::string_view view() const noexcept { return view_; }

private:
    std::shared_ptr<void const> owner_; // owner of the characters; null in a default-constructed object
    std::string_view view_;             // the text, a part of the memory of `owner_`
};

} // namespace linkspan::detail

#endif
