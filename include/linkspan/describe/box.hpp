#ifndef LINKSPAN_DESCRIBE_BOX_HPP
#define LINKSPAN_DESCRIBE_BOX_HPP

#include <linkspan/core/detail/config.hpp>

#include <concepts>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// A value of type `T` in dynamic memory, with the copy semantics of a value. A box allows a struct to have members of
/// its own type.
///
///     struct node { std::string label; std::optional<linkspan::box<node>> next; };
///
/// A box has the JSON representation and the schema of `T`. A default-constructed box is empty, so that recursive
/// structs can be default-constructed. An empty box has no JSON representation: `check` rejects it and `encode` writes
/// `null`. A successful `decode` produces no empty boxes.
///
/// \tparam T The type of the value; may be incomplete where `box<T>` is declared as a member.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
template<class T>
class box {
public:
    using value_type = T; ///< type of the value

    /// Constructs an empty box.
    box() noexcept = default;

    /// Constructs a box with a value.
    box(T value) : value_(std::make_unique<T>(std::move(value))) {}

    /// Copies the value of `other`; the copy is empty if `other` is empty.
    box(box const& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}

    /// Moves the value of `other`, which is empty afterwards.
    box(box&&) noexcept = default;
    ~box() = default;

    /// Replaces the value by a copy of the value of `other`. Self-assignment is allowed.
    box& operator=(box const& other)
    {
        value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
        return *this;
    }

    /// Replaces the value by the value of `other`, which is empty afterwards.
    box& operator=(box&&) noexcept = default;

    /// Returns whether the box has a value.
    bool has_value() const noexcept { return value_ != nullptr; }

    /// Returns the value. An empty box is first given the value `T()`.
    ///
    /// \par Preconditions
    /// `has_value()`, if `T` is not default-constructible.
    T& operator*()
    {
        if constexpr (std::default_initializable<T>)
            if (!value_)
                value_ = std::make_unique<T>();
        return *value_;
    }

    /// Returns the value. For an empty box, returns a reference to a static `T()`; the box remains empty.
    ///
    /// \par Preconditions
    /// `has_value()`, if `T` is not default-constructible.
    T const& operator*() const
    {
        if constexpr (std::default_initializable<T>)
            if (!value_)
                return unset();
        return *value_;
    }

    T* operator->() { return &**this; }             ///< Returns `&**this`.
    T const* operator->() const { return &**this; } ///< Returns `&**this`.

    /// Compares the values. An empty box is equal to other empty boxes only.
    friend bool operator==(box const& a, box const& b)
    {
        return a.value_ && b.value_ ? *a.value_ == *b.value_ : a.has_value() == b.has_value();
    }

private:
    static T const& unset()
    {
        static T const made{};
        return made;
    }

    std::unique_ptr<T> value_; // null: empty
};

} // namespace linkspan

#endif
