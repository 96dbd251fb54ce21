#ifndef LINKSPAN_DESCRIBE_LITERAL_HPP
#define LINKSPAN_DESCRIBE_LITERAL_HPP

#include <cstddef>
#include <string_view>
#include <variant>

namespace linkspan {

/// Text as a template argument.
template<std::size_t Size>
struct fixed_text {
    char chars[Size]{};

    constexpr fixed_text(char const (&text)[Size])
    {
        for (std::size_t i = 0; i != Size; ++i)
            chars[i] = text[i];
    }

    constexpr std::string_view view() const noexcept { return {chars, Size - 1}; }
};

/// A member that has one value, always: what tells the alternatives of a `std::variant` apart.
///
///     struct circle { linkspan::literal<"circle"> kind; double radius; };
///     struct box    { linkspan::literal<"box"> kind; double width, height; };
///     std::variant<circle, box> shape;
///
/// JSON Schema: `const`.
template<fixed_text Text>
struct literal {
    static constexpr std::string_view value = Text.view();

    friend constexpr bool operator==(literal, literal) = default;
};

/// As `literal`, of a boolean or an integer.
template<auto Value>
struct constant {
    static constexpr auto value = Value;

    friend constexpr bool operator==(constant, constant) = default;
};

/// JSON's `null`.
using null_type = std::monostate;

} // namespace linkspan

#endif
