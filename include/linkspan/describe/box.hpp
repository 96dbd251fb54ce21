#ifndef LINKSPAN_DESCRIBE_BOX_HPP
#define LINKSPAN_DESCRIBE_BOX_HPP

#include <memory>
#include <utility>

namespace linkspan {

/// A `T` on the heap that copies as a value: what a struct may hold of its own type.
///
///     struct node { std::string label; std::optional<linkspan::box<node>> next; };
///
/// It is empty only after it was moved from; then it may be assigned to and destroyed.
template<class T>
class box {
public:
    using value_type = T;

    box() : value_(std::make_unique<T>()) {}
    box(T value) : value_(std::make_unique<T>(std::move(value))) {}
    box(box const& other) : value_(std::make_unique<T>(*other)) {}
    box(box&&) noexcept = default;
    ~box() = default;

    box& operator=(box const& other)
    {
        value_ = std::make_unique<T>(*other);
        return *this;
    }

    box& operator=(box&&) noexcept = default;

    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return value_.get(); }
    T const* operator->() const noexcept { return value_.get(); }

    friend bool operator==(box const& a, box const& b) { return *a == *b; }

private:
    std::unique_ptr<T> value_;
};

} // namespace linkspan

#endif
