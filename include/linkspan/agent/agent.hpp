#ifndef LINKSPAN_AGENT_AGENT_HPP
#define LINKSPAN_AGENT_AGENT_HPP

#include <linkspan/agent/model_answer.hpp>
#include <linkspan/agent/model_call.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/many_operations.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_options.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Outcome of one request of `async_execute_many`.
struct execution_outcome {
    /// Reason why the tool has no result, such as `malformed_message`, `invalid_tool_name`, `deadline_exceeded` or
    /// `operation_aborted`. Empty: the tool returned a result, which may be a failure of the tool.
    error_code ec;

    /// Message for the model, in its format. Present also if `ec` is set: it then contains the reason.
    std::string message;
};

namespace detail {

// Converts a completion of `void(error_code, call_result)` to one of `void(error_code, std::string)`.
struct to_model_answer {
    model_call call;
    tool_format format;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result const& result) const
    {
        auto message = model_answer(call, ec, result, format);
        std::forward<Handler>(handler)(ec, std::move(message));
    }
};

// Checks a request without arguments. Returns whether the tool requires arguments; `call.problem` then names them.
// Precondition: `!call.has_arguments`.
LINKSPAN_DECL bool find_missing_arguments(model_call& call, catalog const& tools);

// Starts one request, and completes with the message for the model and with every error.
template<class Handler>
void execute(connector_base& hub, std::string_view request, tool_format format, call_options options, Handler&& handler)
{
    error_code ec;
    auto call = read_model_call(request, format, ec);
    if (!ec && !call.has_arguments && find_missing_arguments(call, *hub.catalog()))
        ec = error::malformed_message;
    if (ec) {
        pending_handler<void(error_code, std::string)> done(std::forward<Handler>(handler), hub.get_executor());
        post_handler(hub.get_executor(), [done = std::move(done), ec, call = std::move(call), format]() mutable {
            done.complete(ec, model_answer(call, ec, {}, format));
        });
        return;
    }
    auto const name = call.name; // `call` is moved into the handler
    auto const args = arguments::unchecked(call.arguments);
    hub.async_invoke(name, args, std::move(options),
                     mapped_handler(std::forward<Handler>(handler), to_model_answer{std::move(call), format}));
}

// Clears all errors except `operation_aborted`: a failure that the message describes is not an error of the operation.
struct clear_request_error {
    template<class Handler>
    void operator()(Handler&& handler, error_code ec, std::string message) const
    {
        bool const is_aborted = ec == asio::error::operation_aborted;
        std::forward<Handler>(handler)(is_aborted ? ec : error_code(), std::move(message));
    }
};

struct initiate_execute : hub_initiation<connector_base> {
    template<class Handler>
    void operator()(Handler&& handler, std::string const& request, tool_format format, call_options options) const
    {
        execute(*hub, request, format, std::move(options),
                mapped_handler(std::forward<Handler>(handler), clear_request_error()));
    }
};

struct initiate_execute_many : hub_initiation<connector_base> {
    template<class Handler>
    void operator()(Handler&& handler, std::vector<std::string> const& requests, tool_format format,
                    call_options const& options) const
    {
        using operations = many_operations<execution_outcome>;
        auto const executor = hub->get_executor();
        auto const all = std::make_shared<operations>(
            operations::handler_type(std::forward<Handler>(handler), executor), requests.size());
        auto const start = [&](std::size_t i, auto done) {
            execute(*hub, requests[i], format, options, std::move(done));
        };
        all->run(executor, start, [](execution_outcome& outcome, error_code ec, std::string message) {
            outcome = {ec, std::move(message)};
        });
    }
};

} // namespace detail

/// Executes one request of a model: reads it, calls the tool by its exposed name, and returns the message for the
/// model.
///
///     std::string message = co_await async_execute(hub, request, tool_format::anthropic, options);
///
/// Failures are described in the message, so that the model can correct its request. A malformed or truncated request
/// is not executed: nothing is sent, and the message states the problem.
///
/// \param hub Connector of the tools.
/// \param request Request of the model, as for `read_model_call`.
/// \param format Format of the request and of the message.
/// \param options Options of the call. Set `call_options::timeout` to bound its duration.
/// \par Completion signature
/// `void(error_code, std::string)`. The message is valid also on error.
/// \par Errors
/// `operation_aborted`: the call was cancelled, or the connector was closed. No other errors: all other failures are
/// described in the message.
/// \par Cancellation
/// `terminal`, `partial`: ends the call; a request that is not sent is dropped, else the server is notified with
/// `notifications/cancelled`, and may have run the tool. `total`: ends the call only while no server can have run the
/// tool. No type has an effect on a malformed request.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must exist until the operation starts. The connector may be destroyed during the operation, which then
/// completes with `operation_aborted`.
/// \par Thread safety
/// None.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, call_options options,
                   Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::string)>(detail::initiate_execute{&hub}, token,
                                                                      std::move(request), format, std::move(options));
}

/// Executes one request of a model with default options: reads it, calls the tool by its exposed name, and returns the
/// message for the model.
///
///     std::string message = co_await async_execute(hub, request, tool_format::anthropic);
///
/// \param hub Connector of the tools.
/// \param request Request of the model, as for `read_model_call`.
/// \param format Format of the request and of the message.
/// \par Completion signature
/// `void(error_code, std::string)`. The message is valid also on error.
/// \par Errors
/// `operation_aborted`: the call was cancelled, or the connector was closed. No other errors: all other failures are
/// described in the message.
/// \par Cancellation
/// `terminal`, `partial`: ends the call; a request that is not sent is dropped, else the server is notified with
/// `notifications/cancelled`, and may have run the tool. `total`: ends the call only while no server can have run the
/// tool. No type has an effect on a malformed request.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must exist until the operation starts. The connector may be destroyed during the operation, which then
/// completes with `operation_aborted`.
/// \par Thread safety
/// None.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, Token&& token = Token())
{
    return async_execute(hub, std::move(request), format, call_options(), std::forward<Token>(token));
}

/// Executes all requests of one turn of a model concurrently.
///
///     auto outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic, options);
///     for (auto const& outcome : outcomes)
///         conversation.append(outcome.message);
///
/// Each request has its own outcome: a request that fails or is malformed does not affect the others.
///
/// \param hub Connector of the tools.
/// \param requests Requests of the model, each as for `read_model_call`. Empty: the operation completes with no
/// outcomes.
/// \param format Format of the requests and of the messages.
/// \param options Options of each call. `call_options::timeout` bounds the operation, because the calls run
/// concurrently.
/// \par Completion signature
/// `void(error_code, std::vector<execution_outcome>)`. One outcome per request, in the order of the requests.
/// \par Errors
/// None: errors of the requests are in `execution_outcome::ec`, also after a cancellation.
/// \par Cancellation
/// Each type is forwarded to all calls. `terminal`, `partial`: ends a call; a request that is not sent is dropped, else
/// the server is notified with `notifications/cancelled`. `total`: ends a call only while no server can have run the
/// tool. Completed calls keep their outcomes. The operation completes when all calls have completed.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must exist until the operation starts. The connector may be destroyed during the operation; the
/// outstanding outcomes are then `operation_aborted`.
/// \par Thread safety
/// None.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        call_options options, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::vector<execution_outcome>)>(
        detail::initiate_execute_many{&hub}, token, std::move(requests), format, std::move(options));
}

/// Executes all requests of one turn of a model concurrently, with default options.
///
///     auto outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic);
///
/// Each request has its own outcome: a request that fails or is malformed does not affect the others.
///
/// \param hub Connector of the tools.
/// \param requests Requests of the model, each as for `read_model_call`. Empty: the operation completes with no
/// outcomes.
/// \param format Format of the requests and of the messages.
/// \par Completion signature
/// `void(error_code, std::vector<execution_outcome>)`. One outcome per request, in the order of the requests.
/// \par Errors
/// None: errors of the requests are in `execution_outcome::ec`, also after a cancellation.
/// \par Cancellation
/// Each type is forwarded to all calls. `terminal`, `partial`: ends a call; a request that is not sent is dropped, else
/// the server is notified with `notifications/cancelled`. `total`: ends a call only while no server can have run the
/// tool. Completed calls keep their outcomes. The operation completes when all calls have completed.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must exist until the operation starts. The connector may be destroyed during the operation; the
/// outstanding outcomes are then `operation_aborted`.
/// \par Thread safety
/// None.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        Token&& token = Token())
{
    return async_execute_many(hub, std::move(requests), format, call_options(), std::forward<Token>(token));
}

} // namespace linkspan

#endif
