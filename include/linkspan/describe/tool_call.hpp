#ifndef LINKSPAN_DESCRIBE_TOOL_CALL_HPP
#define LINKSPAN_DESCRIBE_TOOL_CALL_HPP

#include <linkspan/describe/detail/kind.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace linkspan {

/// The arguments of a tool, as a described struct that names its tool, and the type of its result:
///
///     struct get_forecast {
///         static constexpr std::string_view tool = "get_forecast";
///         using result_type = forecast;
///         static constexpr linkspan::tool_annotations hints{.read_only = true};     // if known
///         std::string city;
///     };
///     LINKSPAN_STRUCT(get_forecast, (city))
///
/// A result is whatever can be described, or `call_result`. Hints are those of the tool's author: a connector that might
/// run the tool twice, against them, does not compile.
template<class T>
concept ToolCall = detail::described_struct<T> && requires {
    {
        T::tool
    } -> std::convertible_to<std::string_view>;
    typename T::result_type;
};

/// A tool for those who keep its name apart from its arguments:
///
///     constexpr linkspan::typed_tool<"add", operands, double> add;
///     auto sum = co_await hub.async_call(add, numbers);
template<fixed_text Name, class Arguments, class Result = call_result>
struct typed_tool {
    static constexpr std::string_view name = Name.view();
    using arguments_type = Arguments;
    using result_type = Result;
};

namespace detail {

// Whether `Call&&` may stand in a co_await expression: g++ 12 destroys a temporary aggregate there twice.
template<class Call>
inline constexpr bool is_safe_to_await =
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
    std::is_lvalue_reference_v<Call> || !std::is_aggregate_v<Call> || std::is_trivially_copyable_v<Call>;
#else
    true;
#endif

template<class Call>
constexpr void require_safe_to_await()
{
    static_assert(
        is_safe_to_await<Call>,
        "linkspan: g++ before 13 destroys a temporary aggregate twice where co_await is: name the arguments "
        "first, as in `get_forecast ask{...}; co_await hub.async_call(ask)`, or give the struct a constructor");
}

// The tool forbids to be run twice, as its hints say.
template<class Call>
inline constexpr bool forbids_replay = [] {
    if constexpr (requires { static_cast<tool_annotations>(Call::hints); })
        return !Call::hints.read_only && !Call::hints.idempotent;
    else
        return false;
}();

} // namespace detail
} // namespace linkspan

#endif
