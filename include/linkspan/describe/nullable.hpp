#ifndef LINKSPAN_DESCRIBE_NULLABLE_HPP
#define LINKSPAN_DESCRIBE_NULLABLE_HPP

#include <cstddef>
#include <optional>
#include <utility>

namespace linkspan {

/// A member that may be absent, `null`, or a value, where these are not the same: `null` may mean "take it away", and
/// absence "leave it as it is". Where absence is all that is needed, take `std::optional`, which is never sent as
/// `null`: many servers refuse that.
template<class T>
class nullable {
public:
    using value_type = T;

    /// absent
    constexpr nullable() noexcept = default;
    constexpr nullable(std::nullptr_t) noexcept : is_null_(true) {}
    constexpr nullable(T value) : value_(std::move(value)) {}

    constexpr bool is_absent() const noexcept { return !is_null_ && !value_; }
    constexpr bool is_null() const noexcept { return is_null_; }
    constexpr bool has_value() const noexcept { return value_.has_value(); }
    constexpr explicit operator bool() const noexcept { return has_value(); }

    /// Precondition: `has_value()`.
    constexpr T& operator*() noexcept { return *value_; }
    constexpr T const& operator*() const noexcept { return *value_; }
    constexpr T* operator->() noexcept { return &*value_; }
    constexpr T const* operator->() const noexcept { return &*value_; }

    template<class... Args>
    constexpr T& emplace(Args&&... args)
    {
        is_null_ = false;
        return value_.emplace(std::forward<Args>(args)...);
    }

    /// Makes it absent.
    constexpr void reset() noexcept
    {
        is_null_ = false;
        value_.reset();
    }

    friend constexpr bool operator==(nullable const&, nullable const&) = default;

private:
    std::optional<T> value_;
    bool is_null_ = false;
};

} // namespace linkspan

#endif
