#ifndef LINKSPAN_DESCRIBE_TOOL_RESULT_HPP
#define LINKSPAN_DESCRIBE_TOOL_RESULT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/tool.hpp>

#include <boost/describe/class.hpp>

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

// From the function of a tool to what the protocol says of it.
namespace linkspan::detail {

// No arguments.
struct no_arguments {};
LINKSPAN_STRUCT(no_arguments)

// What a tool gives that is no object.
template<class T>
struct wrapped_result {
    T result;

    BOOST_DESCRIBE_CLASS(wrapped_result, (), (result), (), ())
};

template<class Function>
struct function_signature : function_signature<decltype(&Function::operator())> {};

template<class Result, class... Arguments>
struct function_signature<Result (*)(Arguments...)> {
    static_assert(sizeof...(Arguments) <= 1, "linkspan: the function of a tool takes one described struct, or nothing");

    using result = std::remove_cvref_t<Result>;
    using argument = std::remove_cvref_t<boost::mp11::mp_front<boost::mp11::mp_list<Arguments..., no_arguments>>>;
    static constexpr bool takes_nothing = sizeof...(Arguments) == 0;
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

// One that is empty is told as null: a result is always there.
template<class T>
struct wrapped_result<std::optional<T>> : wrapped_result<nullable<T>> {
    BOOST_DESCRIBE_CLASS(wrapped_result, (wrapped_result<nullable<T>>), (), (), ())
};

template<class Call>
inline constexpr tool_annotations hints_of = [] {
    if constexpr (requires { static_cast<tool_annotations>(Call::hints); })
        return tool_annotations(Call::hints);
    else
        return tool_annotations();
}();

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

// Whoever reads a result must know from its type whether it is wrapped.
template<class Result>
constexpr void require_clear_result()
{
    if constexpr (!std::is_void_v<Result>)
        static_assert(is_object<Result>() || !kinds_of<Result>().has(json_kind::object),
                      "linkspan: the result of a tool is an object, or it is none: an optional, a variant or a "
                      "json::value that may be both cannot be told from what servers wrap");
}

template<class Result>
inline constexpr std::string_view output_schema_text = find_output_schema<Result>();

// `"content":[...]`
inline std::string text_members(std::string_view text)
{
    std::string out = R"("content":[{"type":"text","text":)";
    append_quoted(out, text);
    return out += "}]";
}

// The members of a result: the value as structured content, and the same as text for clients that do not know that.
template<class Result>
std::string result_members(Result const& value)
{
    if constexpr (std::same_as<Result, std::string>) {
        return text_members(value);
    } else {
        auto const json = encode(value);
        auto out = text_members(json) + R"(,"structuredContent":)";
        return is_object<Result>() ? out += json : (((out += R"({"result":)") += json) += '}');
    }
}

template<class Signature, class Function>
std::string result_of_call(Function& run, [[maybe_unused]] typename Signature::argument const& given)
{
    auto const call = [&]() -> typename Signature::result {
        if constexpr (Signature::takes_nothing)
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
            throw std::logic_error("the result of the tool is not what it should be: " + to_string(problems));
        return result_members(value);
    }
}

} // namespace linkspan::detail

#endif
