#ifndef LINKSPAN_DESCRIBE_BOX_HPP
#define LINKSPAN_DESCRIBE_BOX_HPP

#include <concepts>
#include <memory>
#include <utility>

namespace linkspan {

/// A `T` on the heap that copies as a value: what a struct may hold of its own type.
///
///     struct node { std::string label; std::optional<linkspan::box<node>> next; };
///
/// It is empty until it has a value, so that a struct which must hold one of its own can be made: where it would be
/// `node()` at once, there were no end to it. An empty box is nothing in JSON: `check` refuses it, `encode` writes
/// `null`; and a `decode` that succeeds leaves none.
///
/// Thread safety: distinct objects, safe; shared ones, safe while they are const.
template<class T>
class box {
public:
    using value_type = T;

    /// empty
    box() noexcept = default;
    box(T value) : value_(std::make_unique<T>(std::move(value))) {}
    box(box const& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    box(box&&) noexcept = default; ///< leaves `other` empty
    ~box() = default;

    box& operator=(box const& other)
    {
        value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
        return *this;
    }

    box& operator=(box&&) noexcept = default;

    bool has_value() const noexcept { return value_ != nullptr; }

    /// Makes an empty one a `T()`. Precondition, where there is no `T()`: `has_value()`.
    T& operator*()
    {
        if constexpr (std::default_initializable<T>)
            if (!value_)
                value_ = std::make_unique<T>();
        return *value_;
    }

    /// Of an empty one, which it remains, a `T()` that others share. Precondition, where there is none: `has_value()`.
    T const& operator*() const
    {
        if constexpr (std::default_initializable<T>)
            if (!value_)
                return unset();
        return *value_;
    }

    T* operator->() { return &**this; }
    T const* operator->() const { return &**this; }

    /// An empty one equals another empty one only.
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

    std::unique_ptr<T> value_;
};

} // namespace linkspan

#endif
