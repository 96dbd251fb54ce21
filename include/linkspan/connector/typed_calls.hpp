#ifndef LINKSPAN_CONNECTOR_TYPED_CALLS_HPP
#define LINKSPAN_CONNECTOR_TYPED_CALLS_HPP

#include <linkspan/connector/detail/typed_call.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/describe/union_choice.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace linkspan {

/// Calls by structs that describe arguments and results: what a connector has, and a part of it (`connector_base::at`).
template<class Self>
class typed_calls {
    template<class Call>
    using result_of = typed_result<typename std::remove_cvref_t<Call>::result_type>;

public:
    /// Calls the tool whose arguments `ask` is, and reads the result as its type says. Arguments that are not as their
    /// notes ask are refused before anything is sent.
    ///
    ///     get_forecast ask{.city = "Oslo"};
    ///     auto reply = co_await hub.async_call(ask);
    ///
    /// Completion signature: `void(error_code, typed_result<T>)`, `T` being `result_type`.
    /// Errors: those of a call by name; `invalid_arguments`; `tool_failed` when the tool says that it failed, and
    /// `unexpected_result` when the result is no `T`: `result().detail()` says where, without the secrets of
    /// `server_options`.
    /// Cancellation, lifetimes: as of a call by name.
    template<class Call, asio::completion_token_for<void(error_code, result_of<Call>)> Token = throwing_t>
        requires ToolCall<std::remove_cvref_t<Call>>
    auto async_call(Call&& ask, call_options options, Token&& token = Token())
    {
        using call_type = std::remove_cvref_t<Call>;
        detail::require_safe_to_await<Call>();
        static_assert(!(Self::replays_all && detail::forbids_replay<call_type>),
                      "linkspan: this tool must not run twice, as its hints say, and the fallback policy of the "
                      "connector would call it again when an answer is lost: take safe_failover or never_replay");
        return start<typename call_type::result_type>(call_type::tool, ask, std::move(options), token);
    }

    /// The same, with the defaults of the servers.
    template<class Call, asio::completion_token_for<void(error_code, result_of<Call>)> Token = throwing_t>
        requires ToolCall<std::remove_cvref_t<Call>>
    auto async_call(Call&& ask, Token&& token = Token())
    {
        return async_call(std::forward<Call>(ask), call_options(), std::forward<Token>(token));
    }

    /// The same, of a tool whose name stands apart from its arguments:
    ///
    ///     constexpr linkspan::typed_tool<"add", operands, double> add;
    ///     auto sum = co_await hub.async_call(add, numbers);
    template<fixed_text Name, class Arguments, class Result, class Given,
             asio::completion_token_for<void(error_code, typed_result<Result>)> Token = throwing_t>
        requires std::same_as<std::remove_cvref_t<Given>, Arguments>
    auto async_call(typed_tool<Name, Arguments, Result>, Given&& args, call_options options, Token&& token = Token())
    {
        detail::require_safe_to_await<Given>();
        return start<Result>(Name.view(), args, std::move(options), token);
    }

    /// The same, with the defaults of the servers.
    template<fixed_text Name, class Arguments, class Result, class Given,
             asio::completion_token_for<void(error_code, typed_result<Result>)> Token = throwing_t>
        requires std::same_as<std::remove_cvref_t<Given>, Arguments>
    auto async_call(typed_tool<Name, Arguments, Result> what, Given&& args, Token&& token = Token())
    {
        return async_call(what, std::forward<Given>(args), call_options(), std::forward<Token>(token));
    }

private:
    template<class Result, class Arguments, class Token>
    auto start(std::string_view tool, Arguments const& args, call_options options, Token& token)
    {
        static_assert(detail::is_object<Arguments>(),
                      "linkspan: the arguments of a tool are an object: take a struct, a "
                      "map, or a variant of structs");
        auto& self = static_cast<Self&>(*this);
        auto call = self.prepare(tool, {}, std::move(options));
        detail::put_arguments(call, args);
        return asio::async_initiate<Token, void(error_code, typed_result<Result>)>(
            detail::initiate_typed_call<Result>{self.get_executor(), tool}, token, std::move(call));
    }
};

} // namespace linkspan

#endif
