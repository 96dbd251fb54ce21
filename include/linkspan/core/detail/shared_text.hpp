#ifndef LINKSPAN_CORE_DETAIL_SHARED_TEXT_HPP
#define LINKSPAN_CORE_DETAIL_SHARED_TEXT_HPP

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::detail {

// Text that several objects share: one allocation when it is copied, none when it takes over a part of a buffer.
class shared_text {
public:
    shared_text() = default;

    explicit shared_text(std::string_view text)
    {
        auto copy = std::make_shared_for_overwrite<char[]>(text.size());
        std::copy(text.begin(), text.end(), copy.get());
        view_ = {copy.get(), text.size()};
        owner_ = std::move(copy);
    }

    // `text` stays valid as long as `owner` lives.
    shared_text(std::shared_ptr<void const> owner, std::string_view text) : owner_(std::move(owner)), view_(text) {}

    std::string_view view() const noexcept { return view_; }

private:
    std::shared_ptr<void const> owner_;
    std::string_view view_;
};

} // namespace linkspan::detail

#endif
