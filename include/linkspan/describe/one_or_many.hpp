#ifndef LINKSPAN_DESCRIBE_ONE_OR_MANY_HPP
#define LINKSPAN_DESCRIBE_ONE_OR_MANY_HPP

#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan {

/// A `T`, or a list of them, as many servers take it. It is sent in the way in which it is kept.
template<class T>
class one_or_many {
public:
    using value_type = T;

    constexpr one_or_many() = default;
    constexpr one_or_many(T one) : value_(std::move(one)) {}
    constexpr one_or_many(std::vector<T> many) : value_(std::move(many)) {}

    bool is_list() const noexcept { return value_.index() == 1; }

    /// All of them, however it came.
    std::span<T const> all() const noexcept
    {
        if (auto const* const many = std::get_if<1>(&value_))
            return *many;
        return {&std::get<0>(value_), 1};
    }

    std::variant<T, std::vector<T>> const& value() const noexcept { return value_; }

    friend bool operator==(one_or_many const&, one_or_many const&) = default;

private:
    std::variant<T, std::vector<T>> value_;
};

} // namespace linkspan

#endif
