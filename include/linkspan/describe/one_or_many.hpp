#ifndef LINKSPAN_DESCRIBE_ONE_OR_MANY_HPP
#define LINKSPAN_DESCRIBE_ONE_OR_MANY_HPP

#include <linkspan/core/detail/config.hpp>

#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A single `T` or a list of `T`, for members that accept both forms in JSON.
///
///     struct search { linkspan::one_or_many<std::string> tags; };
///     search one{std::string("a")};                 // {"tags":"a"}
///     search many{std::vector<std::string>{"a"}};   // {"tags":["a"]}
///
/// `encode` writes the form that is stored: a list of one element is written as an array. The schema is an `anyOf` of
/// `T` and an array of `T`. Constraints of numbers and strings apply to each element.
///
/// \tparam T The type of the elements.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
template<class T>
class one_or_many {
public:
    using value_type = T; ///< type of the elements

    /// Constructs a single element `T()`.
    constexpr one_or_many() = default;

    /// Constructs a single element.
    constexpr one_or_many(T one) : value_(std::move(one)) {}

    /// Constructs a list, which may be empty.
    constexpr one_or_many(std::vector<T> many) : value_(std::move(many)) {}

    /// Returns whether the stored form is a list.
    bool is_list() const noexcept { return value_.index() == 1; }

    /// Returns all elements, in either form. The span is valid until the object is modified or destroyed.
    std::span<T const> all() const noexcept
    {
        if (auto const* const many = std::get_if<1>(&value_))
            return *many;
        return {&std::get<0>(value_), 1};
    }

    /// Returns the stored form: a `T` or a list.
    std::variant<T, std::vector<T>> const& value() const noexcept { return value_; }

    /// Compares form and elements: an element is not equal to a list of that element.
    friend bool operator==(one_or_many const&, one_or_many const&) = default;

private:
    std::variant<T, std::vector<T>> value_;
};

} // namespace linkspan

#endif
