#ifndef LINKSPAN_CONNECTOR_DETAIL_TYPED_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TYPED_CALL_HPP

#include <linkspan/connector/detail/core_calls.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/model/typed_result.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Whether a struct has the members of a `ToolCall`.
template<class T>
concept names_tool = requires {
    {
        T::tool
    } -> std::convertible_to<std::string_view>;
    typename T::result_type;
};

// The type of the result of a call; `call_result` if the struct does not declare it.
template<class T>
struct result_type_of {
    using type = call_result;
};
template<class T>
    requires requires { typename T::result_type; }
struct result_type_of<T> {
    using type = typename T::result_type;
};

template<fixed_text Name, class Arguments, class Result>
void accept_typed_tool(typed_tool<Name, Arguments, Result> const&);

// Whether an object of class `T` is neither the name of a tool nor a `typed_tool`. The overloads of `async_call` for a
// `ToolCall` accept each such object. If it is no `ToolCall`, an assertion in these overloads fails, and the compiler
// reports its sentence instead of a list of overloads.
template<class T>
concept only_argument_of_call = std::is_class_v<T> && !std::convertible_to<T const&, std::string_view> &&
                                !requires(T const& what) { accept_typed_tool(what); };

// Converts the result of a call to a `Result` before the caller's handler is invoked.
template<class Result>
struct to_typed_result {
    secrets_pointer secrets; // secrets that are redacted in the text of an error
    std::string_view tool;   // name from the type of the call, with static storage

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        // The value is read before the handler is invoked, because read() changes `ec`.
        auto value = read(ec, std::move(result));
        std::forward<Handler>(handler)(ec, std::move(value));
    }

    typed_result<Result> read(error_code& ec, call_result result) const
    {
        if (ec)
            return typed_result<Result>(std::move(result));
        if constexpr (std::same_as<Result, call_result>) {
            return typed_result<Result>(result, result);
        } else {
            Result value{};
            std::string problem;
            ec = result_codec<Result>::read(value, result, problem);
            if (!ec)
                return typed_result<Result>(std::move(value), std::move(result));
            result.explain(redact(secrets, problem), std::string(tool));
            return typed_result<Result>(std::move(result));
        }
    }
};

// Starts a prepared typed call when the completion token initiates the operation.
template<class Result>
struct initiate_typed_call : executor_initiation {
    std::string_view tool; // with static storage

    template<class Handler>
    void operator()(Handler&& handler, call_pointer call) const
    {
        to_typed_result<Result> read{secrets_of(call), tool};
        start_call(std::move(call), {mapped_handler(std::forward<Handler>(handler), std::move(read)), executor});
    }
};

// Writes the arguments of a typed call: a described struct, a map or a variant of structs. Makes the call fail if the
// arguments violate their constraints.
template<class Arguments>
void put_described_arguments(call_pointer const& call, Arguments const& arguments)
{
    if (auto const problem = argument_codec<Arguments>::mismatches_of(arguments); !problem.empty())
        return reject_arguments(call, problem);
    argument_codec<Arguments>::append(arguments_text(*call), arguments);
}

} // namespace linkspan::detail

#endif
