#ifndef LINKSPAN_SERVER_DETAIL_HANDLER_ADAPTER_HPP
#define LINKSPAN_SERVER_DETAIL_HANDLER_ADAPTER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/server/server_request.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/describe/class.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Conversion of functions of users to request handlers. A function returns the result, or receives the request and
// completes it; it may be a coroutine.
namespace linkspan::inline LINKSPAN_ABI::detail {

// The type of the first parameter of a function object with one operator(), or of a function pointer; void: none. There
// is no `type` for a generic function object.
template<class Function>
struct first_parameter {};
template<class Function>
    requires requires { &Function::operator(); }
struct first_parameter<Function> : first_parameter<decltype(&Function::operator())> {};
template<class Result, bool Noexcept>
struct first_parameter<Result (*)() noexcept(Noexcept)> {
    using type = void;
};
template<class Result, class First, class... Rest, bool Noexcept>
struct first_parameter<Result (*)(First, Rest...) noexcept(Noexcept)> {
    using type = std::remove_cvref_t<First>;
};
template<class Class, class Result, class... Parameters, bool Noexcept>
struct first_parameter<Result (Class::*)(Parameters...) noexcept(Noexcept)>
    : first_parameter<Result (*)(Parameters...)> {};
template<class Class, class Result, class... Parameters, bool Noexcept>
struct first_parameter<Result (Class::*)(Parameters...) const noexcept(Noexcept)>
    : first_parameter<Result (*)(Parameters...)> {};
template<class Function>
using first_parameter_t = typename first_parameter<Function>::type;

// A function whose first parameter is a described struct.
template<class Function>
concept takes_struct = requires { typename first_parameter_t<Function>; } &&
                       boost::describe::has_describe_members<first_parameter_t<Function>>::value;

template<class Result>
inline constexpr bool is_awaitable = false;
template<>
inline constexpr bool is_awaitable<asio::awaitable<void>> = true;

// Owns the function, because the frame of a coroutine may refer to it.
template<class Function, class... Args>
asio::awaitable<void> run_coroutine(std::shared_ptr<Function> run, Args... args)
{
    co_await (*run)(std::move(args)...);
}

// Calls a function that completes `state` itself, and runs it if it is a coroutine.
template<class Function, class... Args>
void call_or_spawn(std::shared_ptr<Function> const& run, served_request_pointer state, Args... args)
{
    using result = std::invoke_result_t<Function&, Args...>;
    if constexpr (is_awaitable<result>) {
        auto const executor = executor_of(state);
        asio::co_spawn(executor, run_coroutine(run, std::move(args)...),
                       [state = std::move(state)](std::exception_ptr failure) { report_exception(*state, failure); });
    } else {
        static_assert(std::is_void_v<result>, "linkspan: a function that receives the request must return void or "
                                              "boost::asio::awaitable<void>");
        (*run)(std::move(args)...);
    }
}

// Complete a request with the result of a function.
inline void complete_with(server_request& request, tool_output const& result) { request.complete(result); }
inline void complete_with(server_request& request, prompt_result const& result) { request.complete(result); }
inline void complete_with(server_request& request, std::vector<prompt_message> messages)
{
    request.complete(prompt_result{{}, std::move(messages)});
}
inline void complete_with(server_request& request, std::vector<resource_contents> result)
{
    request.complete(std::move(result));
}
inline void complete_with(server_request& request, resource_contents result)
{
    request.complete(std::vector<resource_contents>{std::move(result)});
}
inline void complete_with(server_request& request, completion_result const& result) { request.complete(result); }

// A text: the contents of a resource, or one message of the user in a prompt.
inline void complete_with(server_request& request, std::string text)
{
    if (request.method() == "prompts/get") {
        std::vector<prompt_message> messages;
        messages.push_back({"user", text_content{std::move(text), {}, {}}});
        return request.complete(prompt_result{{}, std::move(messages)});
    }
    resource_contents contents;
    contents.text = std::move(text);
    complete_with(request, std::move(contents));
}

// Calls a function with `args`, and with the request if the function has such a parameter. Otherwise its result
// completes the request.
template<class Function, class... Args>
void handle(std::shared_ptr<Function> const& run, server_request request, Args... args)
{
    auto state = pointer_of(request);
    if constexpr (std::invocable<Function&, Args..., server_request>)
        call_or_spawn(run, std::move(state), std::move(args)..., std::move(request));
    else
        complete_with(request, (*run)(std::move(args)...));
}

// Returns a handler that calls a function with or without the request.
template<class Function>
request_handler make_handler(Function function)
{
    auto run = std::make_shared<Function>(std::move(function));
    return [run = std::move(run)](server_request request) { handle(run, std::move(request)); };
}

// Returns a handler that decodes the arguments of the request, and calls a function with them. `reject` completes the
// request if the arguments do not match.
template<class Function, class Reject>
request_handler make_typed_handler(Function function, Reject reject)
{
    auto run = std::make_shared<Function>(std::move(function));
    return [run = std::move(run), reject](server_request request) {
        first_parameter_t<Function> given{};
        mismatches problems;
        if (!decode(given, request.arguments(), problems))
            return reject(request, "invalid arguments: " + to_string(problems));
        handle(run, std::move(request), std::move(given));
    };
}

} // namespace linkspan::detail

#endif
