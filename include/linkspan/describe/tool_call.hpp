#ifndef LINKSPAN_DESCRIBE_TOOL_CALL_HPP
#define LINKSPAN_DESCRIBE_TOOL_CALL_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/describe/detail/described_struct.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/model/tool.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace linkspan::inline LINKSPAN_ABI {

/// A described struct that contains the arguments of a tool and names the tool and the type of its result.
///
///     struct get_forecast {
///         static constexpr std::string_view tool = "get_forecast";
///         using result_type = forecast;
///         static constexpr linkspan::tool_annotations hints{.read_only = true}; // optional
///         std::string city;
///     };
///     LINKSPAN_STRUCT(get_forecast, (city))
///
///     get_forecast request{.city = "Oslo"};
///     auto reply = co_await hub.async_call(request);
///
/// Requirements:
/// - `T` is described by `LINKSPAN_STRUCT` or `BOOST_DESCRIBE_STRUCT`.
/// - `T::tool` converts to `std::string_view` and has static storage duration: the name of the tool.
/// - `T::result_type` is a type with a JSON representation, or `call_result`: the type of the result.
/// - `T::hints` is optional and converts to `tool_annotations`: the annotations of the tool. A call by a connector
///   whose fallback policy replays all calls does not compile if the hints declare the tool neither read-only nor
///   idempotent.
template<class T>
concept ToolCall = detail::described_struct<T> && requires {
    {
        T::tool
    } -> std::convertible_to<std::string_view>;
    typename T::result_type;
};

/// A tool whose name is separate from the struct of its arguments, as an alternative to a `ToolCall`.
///
///     constexpr linkspan::typed_tool<"add", operands, double> add;
///     auto sum = co_await hub.async_call(add, numbers);
///
/// \tparam Name The name of the tool.
/// \tparam Arguments A type that is always an object in JSON: a described struct, a map, or a variant of structs.
/// \tparam Result A type with a JSON representation, or `call_result`.
template<fixed_text Name, class Arguments, class Result = call_result>
struct typed_tool {
    static constexpr std::string_view name = Name.view(); ///< name of the tool
    using arguments_type = Arguments;                     ///< type of the arguments
    using result_type = Result;                           ///< type of the result
};

namespace detail {

// Whether an object of type `Call&&` is safe in a co_await expression. g++ 12 destroys a temporary aggregate twice in
// such an expression.
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
        "linkspan: g++ before 13 destroys a temporary aggregate in a co_await expression twice: name the arguments "
        "first, as in `get_forecast request{...}; co_await hub.async_call(request)`, or give the struct a constructor");
}

// Whether the hints of a call forbid a second execution. False if there are no hints.
template<class Call>
inline constexpr bool forbids_replay = [] {
    if constexpr (requires { static_cast<tool_annotations>(Call::hints); })
        return !Call::hints.read_only && !Call::hints.idempotent;
    else
        return false;
}();

// Conversion of the arguments and of the result of typed calls. <linkspan/describe/detail/tool_codec.hpp> defines the
// templates, so that programs without typed calls compile without the definitions.
template<class Arguments>
struct argument_codec;
template<class Result>
struct result_codec;

// Whether the definition of `T` was included.
template<class T>
concept is_complete = requires { sizeof(T); };

} // namespace detail
} // namespace linkspan

#endif
