#ifndef LINKSPAN_DESCRIBE_NULLABLE_HPP
#define LINKSPAN_DESCRIBE_NULLABLE_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// A member that is absent, `null`, or a value, for tools where absence and `null` have different meanings.
///
/// For example, `null` removes a property and absence keeps it. Use `std::optional` if absence is sufficient: an empty
/// optional is omitted as a member and never sent as `null`, which many servers reject.
///
///     struct update { std::string id; linkspan::nullable<std::string> note; };
///     update remove_note{"7", nullptr}; // {"id":"7","note":null}
///     update keep_note{"7", {}};        // {"id":"7"}
///
/// Invariant: exactly one of `is_absent()`, `is_null()` and `has_value()` is true. The schema of a nullable is that of
/// `T` or `null`; the member is not required unless the note `required` is set.
///
/// \tparam T The type of the value.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
template<class T>
class nullable {
public:
    using value_type = T; ///< type of the value

    /// Constructs an absent member.
    constexpr nullable() noexcept = default;

    /// Constructs the value `null`.
    constexpr nullable(std::nullptr_t) noexcept : is_null_(true) {}

    /// Constructs a member with a value.
    constexpr nullable(T value) : value_(std::move(value)) {}

    /// Returns whether the member is absent: omitted from its object.
    constexpr bool is_absent() const noexcept { return !is_null_ && !value_; }

    /// Returns whether the member is `null`.
    constexpr bool is_null() const noexcept { return is_null_; }

    /// Returns whether the member is neither absent nor `null`.
    constexpr bool has_value() const noexcept { return value_.has_value(); }

    /// Returns `has_value()`.
    constexpr explicit operator bool() const noexcept { return has_value(); }

    /// Returns the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    constexpr T& operator*() noexcept { return *value_; }
    /// Returns the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    constexpr T const& operator*() const noexcept { return *value_; }
    /// Returns a pointer to the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    constexpr T* operator->() noexcept { return &*value_; }
    /// Returns a pointer to the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    constexpr T const* operator->() const noexcept { return &*value_; }

    /// Constructs a value in place from `args`, replaces the previous state, and returns the value. If the constructor
    /// of `T` throws an exception, the member is absent afterwards.
    template<class... Args>
    constexpr T& emplace(Args&&... args)
    {
        is_null_ = false;
        return value_.emplace(std::forward<Args>(args)...);
    }

    /// Makes the member absent.
    constexpr void reset() noexcept
    {
        is_null_ = false;
        value_.reset();
    }

    /// Compares state and value: absent, `null` and a value are different.
    friend constexpr bool operator==(nullable const&, nullable const&) = default;

private:
    std::optional<T> value_; // empty: absent or null
    bool is_null_ = false;   // never true if value_ is not empty
};

} // namespace linkspan

#endif
