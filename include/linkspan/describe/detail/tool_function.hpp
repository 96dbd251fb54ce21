#ifndef LINKSPAN_DESCRIBE_DETAIL_TOOL_FUNCTION_HPP
#define LINKSPAN_DESCRIBE_DETAIL_TOOL_FUNCTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/detail/kind.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/describe/nullable.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/describe/class.hpp>
#include <boost/mp11/list.hpp>

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

// Conversion from the signature and the result of a function to the schemas and the result of a local_tool.
namespace linkspan::inline LINKSPAN_ABI::detail {

// The arguments of a tool whose function has no parameters.
struct no_arguments {};
LINKSPAN_STRUCT(no_arguments)

// The structured content for a result that is not an object: `{"result": ...}`.
template<class T>
struct wrapped_result {
    T result;

    BOOST_DESCRIBE_CLASS(wrapped_result, (), (result), (), ())
};

// The result type and the parameter type of a function pointer or of a function object with one operator().
template<class Function>
struct function_signature : function_signature<decltype(&Function::operator())> {};

template<class Result, class... Arguments>
struct function_signature<Result (*)(Arguments...)> {
    static_assert(sizeof...(Arguments) <= 1,
                  "linkspan: the function of a tool must have at most one parameter, a described struct");

    using result = std::remove_cvref_t<Result>;
    using argument = std::remove_cvref_t<boost::mp11::mp_front<boost::mp11::mp_list<Arguments..., no_arguments>>>;
    static constexpr bool has_no_parameters = sizeof...(Arguments) == 0;
};

template<class Result, class... Arguments>
struct function_signature<Result(Arguments...)> : function_signature<Result (*)(Arguments...)> {};
template<class Result, class... Arguments>
struct function_signature<Result (*)(Arguments...) noexcept> : function_signature<Result (*)(Arguments...)> {};
template<class Class, class Result, class... Arguments, bool Noexcept>
struct function_signature<Result (Class::*)(Arguments...) noexcept(Noexcept)>
    : function_signature<Result (*)(Arguments...)> {};
template<class Class, class Result, class... Arguments, bool Noexcept>
struct function_signature<Result (Class::*)(Arguments...) const noexcept(Noexcept)>
    : function_signature<Result (*)(Arguments...)> {};

// An empty optional is sent as null, because the member `result` is required.
template<class T>
struct wrapped_result<std::optional<T>> : wrapped_result<nullable<T>> {
    BOOST_DESCRIBE_CLASS(wrapped_result, (wrapped_result<nullable<T>>), (), (), ())
};

// The hints of a ToolCall; the defaults of the specification if it has none.
template<class Call>
inline constexpr tool_annotations hints_of = [] {
    if constexpr (requires { static_cast<tool_annotations>(Call::hints); })
        return tool_annotations(Call::hints);
    else
        return tool_annotations();
}();

// Returns the output schema of a tool; empty for results that are text or nothing.
template<class Result>
constexpr std::string_view find_output_schema()
{
    if constexpr (std::is_void_v<Result> || std::same_as<Result, std::string>)
        return {};
    else if constexpr (is_object<Result>())
        return schema_text<Result>;
    else
        return schema_text<wrapped_result<Result>>;
}

// The type of a result must determine whether the result is wrapped: a client unwraps by the type that it expects.
template<class Result>
constexpr void require_clear_result()
{
    if constexpr (!std::is_void_v<Result>)
        static_assert(is_object<Result>() || !kinds_of<Result>().has(json_kind::object),
                      "linkspan: the result type of a tool must be either always or never an object in JSON: an "
                      "optional, a variant or a json::value that may be both is ambiguous with a wrapped result");
}

template<class Result>
inline constexpr std::string_view output_schema_text = find_output_schema<Result>();

// Calls the function of a tool and returns the members of the result. Throws if the returned value is rejected by
// check().
template<class Signature, class Function>
std::string result_of_call(Function& run, [[maybe_unused]] typename Signature::argument const& given)
{
    auto const call = [&]() -> typename Signature::result {
        if constexpr (Signature::has_no_parameters)
            return run();
        else
            return run(given);
    };
    if constexpr (std::is_void_v<typename Signature::result>) {
        call();
        return R"("content":[])";
    } else {
        auto const value = call();
        mismatches problems;
        if (!check(value, problems))
            throw std::logic_error("result of the tool is invalid: " + to_string(problems));
        return result_members(value);
    }
}

} // namespace linkspan::detail

#endif
