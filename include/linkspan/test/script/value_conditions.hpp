#ifndef LINKSPAN_TEST_SCRIPT_VALUE_CONDITIONS_HPP
#define LINKSPAN_TEST_SCRIPT_VALUE_CONDITIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/member_name.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns the condition that the argument `member` satisfies the matcher `name` with an operand, which is JSON text.
// Throws std::invalid_argument for an operand that the matcher rejects.
LINKSPAN_DECL parameter_condition make_argument_condition(std::string_view member, std::string_view name,
                                                          std::string const& operand);

// The type of the value of a member: that of an optional is the type of its content.
template<class T>
struct value_of_member {
    using type = T;
};

template<class T>
struct value_of_member<std::optional<T>> {
    using type = T;
};

} // namespace detail

/// A condition on the value of an argument: the name of a matcher (see `matcher`), and its operands. Made by the
/// functions below.
///
/// \tparam Operand Type of the operands.
/// \tparam Count Number of operands; more than one form an array.
template<class Operand, std::size_t Count = 1>
struct value_condition {
    std::string_view name;               ///< name of the matcher, such as "eq"
    std::array<Operand, Count> operands; ///< at least one
    bool is_list = Count > 1;            ///< whether the operands form an array
};

namespace detail {

template<class T>
inline constexpr bool is_value_condition = false;

template<class Operand, std::size_t Count>
inline constexpr bool is_value_condition<value_condition<Operand, Count>> = true;

} // namespace detail

/// @name Conditions on the value of an argument
///
///     server.on(call(arg<&get_forecast::city>(eq("Paris")), arg<&get_forecast::days>(between(1, 3))))
///         .then(text("rain"));
///
/// The operands are converted to the type of the member, and to JSON as in the arguments of a call. A condition that
/// cannot apply to the type of the member does not compile. An argument that is absent satisfies no condition.
/// @{

/// Matches a value that is equal; numbers are compared by value.
template<class Operand>
value_condition<Operand> eq(Operand operand)
{
    return {"eq", {std::move(operand)}};
}

/// Matches a value that is not equal.
template<class Operand>
value_condition<Operand> ne(Operand operand)
{
    return {"ne", {std::move(operand)}};
}

/// Matches a value that is equal to one of the operands.
template<class Operand, class... Operands>
value_condition<Operand, sizeof...(Operands) + 1> in(Operand first, Operands... others)
{
    return {"in", {std::move(first), Operand(std::move(others))...}, true};
}

/// Matches a number that is less than the operand.
template<class Number>
    requires std::is_arithmetic_v<Number>
value_condition<Number> lt(Number bound)
{
    return {"lt", {bound}};
}

/// Matches a number that is not greater than the operand.
template<class Number>
    requires std::is_arithmetic_v<Number>
value_condition<Number> le(Number bound)
{
    return {"le", {bound}};
}

/// Matches a number that is greater than the operand.
template<class Number>
    requires std::is_arithmetic_v<Number>
value_condition<Number> gt(Number bound)
{
    return {"gt", {bound}};
}

/// Matches a number that is not less than the operand.
template<class Number>
    requires std::is_arithmetic_v<Number>
value_condition<Number> ge(Number bound)
{
    return {"ge", {bound}};
}

/// Matches a number from `lowest` to `highest`.
template<class Number>
    requires std::is_arithmetic_v<Number>
value_condition<Number, 2> between(Number lowest, Number highest)
{
    return {"between", {lowest, highest}};
}

/// Matches a string that begins with the operand.
inline value_condition<std::string> prefix(std::string text) { return {"prefix", {std::move(text)}}; }

/// Matches a string that ends with the operand.
inline value_condition<std::string> suffix(std::string text) { return {"suffix", {std::move(text)}}; }

/// Matches a string that contains the operand.
inline value_condition<std::string> contains(std::string text) { return {"contains", {std::move(text)}}; }

/// Matches a string that contains a match of a regular expression of ECMA-262 without look-around and back-references.
inline value_condition<std::string> matches(std::string expression) { return {"re", {std::move(expression)}}; }
/// @}

/// A condition on an argument of a described tool. Made by `arg` with a `value_condition`, and passed to `call`.
template<class Call>
struct matched_argument {
    parameter_condition condition; ///< condition on the parameters of the call
};

/// Returns the condition that the value of the data member `Member` satisfies a condition.
///
///     server.on(call(arg<&get_forecast::city>(prefix("Par")))).then(text("rain"));
///
/// \tparam Member Pointer to a data member of a `ToolCall`.
/// \throws std::invalid_argument An operand is invalid, for example a regular expression.
template<auto Member, class Operand, std::size_t Count>
auto arg(value_condition<Operand, Count> const& expected)
{
    auto const make = [&expected]<class Call, class Type>(Type Call::*) {
        static_assert(ToolCall<Call>,
                      "linkspan: arg: expected a member of a LINKSPAN_STRUCT with `tool` and `result_type`");
        using value_type = typename detail::value_of_member<Type>::type;
        constexpr bool applies = std::constructible_from<value_type, Operand> &&
                                 std::is_arithmetic_v<value_type> == std::is_arithmetic_v<Operand>;
        static_assert(applies, "linkspan: arg: the condition cannot apply to the type of the member");
        if constexpr (applies) { // only one error otherwise
            std::string operand;
            for (auto const& one : expected.operands) {
                if (expected.is_list)
                    operand += operand.empty() ? '[' : ',';
                encode(operand, value_type(one));
            }
            if (expected.is_list)
                operand += ']';
            return matched_argument<Call>{detail::make_argument_condition(member_name<Member>, expected.name, operand)};
        }
    };
    return make(Member);
}

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/value_conditions.ipp>
#endif

#endif
