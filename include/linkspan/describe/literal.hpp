#ifndef LINKSPAN_DESCRIBE_LITERAL_HPP
#define LINKSPAN_DESCRIBE_LITERAL_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string_view>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

/// A string literal as a template argument, as in `literal<"circle">`.
///
/// \tparam Size The size of the literal, including the null terminator; deduced.
template<std::size_t Size>
struct fixed_text {
    char chars[Size]{}; ///< the characters, including the null terminator

    /// Copies a literal.
    constexpr fixed_text(char const (&text)[Size])
    {
        for (std::size_t i = 0; i != Size; ++i)
            chars[i] = text[i];
    }

    /// Returns the characters without the null terminator.
    constexpr std::string_view view() const noexcept { return {chars, Size - 1}; }
};

/// A member whose JSON value is always the same string. Literals distinguish the alternatives of a `std::variant`.
///
///     struct circle { linkspan::literal<"circle"> kind; double radius; };
///     struct box    { linkspan::literal<"box"> kind; double width, height; };
///     std::variant<circle, box> shape;
///
/// The type is empty. `decode` reports any other value as a mismatch.
///
/// \tparam Text The string.
/// \par Specification
/// JSON Schema 2020-12, "const".
template<fixed_text Text>
struct literal {
    static constexpr std::string_view value = Text.view(); ///< the string

    friend constexpr bool operator==(literal, literal) = default;
};

/// A member whose JSON value is always the same boolean or integer, as in `constant<2>`.
///
/// The type is empty. `decode` reports any other value as a mismatch. Unlike a `literal`, a constant does not select
/// the alternative of a `std::variant` before the alternative is read.
///
///     struct settings { linkspan::constant<2> version; std::string theme; };
///
/// \tparam Value The value, a boolean or an integer.
/// \par Specification
/// JSON Schema 2020-12, "const".
template<auto Value>
struct constant {
    static constexpr auto value = Value; ///< the value

    friend constexpr bool operator==(constant, constant) = default;
};

/// A member or an alternative whose JSON value is always `null`.
///
///     std::variant<linkspan::null_type, bool> maybe; // null, true or false
using null_type = std::monostate;

} // namespace linkspan

#endif
