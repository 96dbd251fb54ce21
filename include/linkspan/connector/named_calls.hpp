#ifndef LINKSPAN_CONNECTOR_NAMED_CALLS_HPP
#define LINKSPAN_CONNECTOR_NAMED_CALLS_HPP

#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/session/throwing.hpp>

#include <boost/asio/async_result.hpp>

#include <string_view>
#include <utility>

namespace linkspan {
namespace detail {

struct initiate_call : executor_initiation {
    template<class Handler>
    void operator()(Handler&& handler, logical_call::pointer call) const
    {
        logical_call::start(std::move(call), {std::forward<Handler>(handler), executor});
    }
};

// Text from outside may be none that can be sent.
inline void refuse_faulty(logical_call::pointer const& call, arguments const& args)
{
    if (!args.problem().empty())
        call->refuse(error::invalid_arguments, (*call.get_deleter().owner->secrets)(args.problem()));
}

} // namespace detail

/// Calls by the name of a tool: what a connector has, and a part of it (`connector_base::at`).
template<class Self>
class named_calls {
public:
    /// Calls a tool by its name, on the server that the routing policy chooses; when that fails, the fallback policy
    /// decides. A call whose tool may have run is only sent again where its replay class allows it.
    ///
    /// Completion signature: `void(error_code, call_result)`.
    /// Errors: `tool_not_found` after the catalogue was refreshed once, `ambiguous_tool`; `no_eligible_server` when no server is
    /// eligible, or all that are have no room for a call;
    /// `invalid_arguments` when `args` have a problem, such as a duplicate key; it and `unexpected_result` where calls
    /// are held against schemas, see `set_call_validation`;
    /// `outcome_unknown` when the tool may have run; `all_servers_failed` when each eligible server failed, in whatever
    /// way, and calling again is safe; `deadline_exceeded`; a code of `rpc_category` when a server answered the call
    /// with an error; `not_connected` once closed.
    /// `unknown_server` where servers are named. `call_result::attempts()` and `detail()` say more.
    /// Cancellation: terminal and partial end the call: what has not left us never will; else the server is told by
    /// `notifications/cancelled`, and may have run the tool. Total ends it only while no server can have run it.
    /// Lifetimes: the arguments are serialised within this call; nothing is borrowed.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call(std::string_view tool, arguments const& args, call_options options, Token&& token = Token())
    {
        auto& self = static_cast<Self&>(*this);
        auto call = self.prepare(tool, args.text(), std::move(options));
        detail::refuse_faulty(call, args);
        return asio::async_initiate<Token, void(error_code, call_result)>(detail::initiate_call{self.get_executor()},
                                                                          token, std::move(call));
    }

    /// The same, with the defaults of the servers.
    template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
    auto async_call(std::string_view tool, arguments const& args = {}, Token&& token = Token())
    {
        return async_call(tool, args, call_options(), std::forward<Token>(token));
    }

    /// The same, without arguments.
    template<asio::completion_token_for<void(error_code, call_result)> Token>
    auto async_call(std::string_view tool, Token&& token)
    {
        return async_call(tool, arguments(), call_options(), std::forward<Token>(token));
    }
};

} // namespace linkspan

#endif
