#ifndef LINKSPAN_AGENT_AGENT_HPP
#define LINKSPAN_AGENT_AGENT_HPP

#include <linkspan/agent/model_answer.hpp>
#include <linkspan/agent/model_call.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/many_operations.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_options.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// Outcome of one of many requests of a model.
struct execution_outcome {
    error_code ec;       ///< why the tool has no result; the message says so too
    std::string message; ///< for the model, in its format
};

namespace detail {

// A handler of `void(error_code, call_result)` in front of one of `void(error_code, std::string)`.
struct to_model_answer {
    model_call asked;
    tool_format format;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result const& result) const
    {
        auto message = model_answer(asked, ec, result, format);
        std::forward<Handler>(handler)(ec, std::move(message));
    }
};

// Describes missing arguments in `asked.problem` if the tool requires some. Returns whether there is a problem. `asked`
// has no arguments.
LINKSPAN_DECL bool lacks_arguments(model_call& asked, catalog const& tools);

// Completes with every error.
template<class Handler>
void execute(connector_base& hub, std::string_view request, tool_format format, call_options options, Handler&& handler)
{
    error_code ec;
    auto asked = read_model_call(request, format, ec);
    if (!ec && !asked.has_arguments && lacks_arguments(asked, *hub.catalog()))
        ec = error::malformed_message;
    if (ec) {
        pending_handler<void(error_code, std::string)> done(std::forward<Handler>(handler), hub.get_executor());
        asio::post(hub.get_executor(), [done = std::move(done), ec, asked = std::move(asked), format]() mutable {
            done.complete(ec, model_answer(asked, ec, {}, format));
        });
        return;
    }
    auto const name = asked.name; // `asked` goes with the handler
    auto const args = arguments::unchecked(asked.arguments);
    hub.async_invoke(name, args, std::move(options),
                     mapped_handler(std::forward<Handler>(handler), to_model_answer{std::move(asked), format}));
}

// A failure that the model reads is none of the operation.
struct to_own_error {
    template<class Handler>
    void operator()(Handler&& handler, error_code ec, std::string message) const
    {
        bool const is_over = ec == asio::error::operation_aborted;
        std::forward<Handler>(handler)(is_over ? ec : error_code(), std::move(message));
    }
};

struct initiate_execute : hub_initiation<connector_base> {
    template<class Handler>
    void operator()(Handler&& handler, std::string const& request, tool_format format, call_options options) const
    {
        execute(*hub, request, format, std::move(options),
                mapped_handler(std::forward<Handler>(handler), to_own_error()));
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

/// Executes one request of a model: reads it, calls the tool by its exposed name, and returns the message that the
/// model is to get. A failure becomes words in that message, so that the model can try something else.
///
///     std::string message = co_await async_execute(hub, request, tool_format::anthropic);
///
/// `request`: as for `read_model_call`. A request that is not whole is not executed: nothing is sent, and the message
/// says what is wrong with it. `options`: as for `connector_base::async_call`; bound the time here.
///
/// \par Completion signature
/// `void(error_code, std::string)`. The message is there on error too.
/// \par Errors
/// `operation_aborted`: the call was cancelled, or the connector was closed.
/// \par Cancellation
/// As `connector_base::async_call`.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must live until the operation starts.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, call_options options,
                   Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::string)>(detail::initiate_execute{&hub}, token,
                                                                      std::move(request), format, std::move(options));
}

/// The same, with the defaults of the servers.
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_execute(connector_base& hub, std::string request, tool_format format, Token&& token = Token())
{
    return async_execute(hub, std::move(request), format, call_options(), std::forward<Token>(token));
}

/// Executes all requests of a model's turn concurrently. Each has an outcome of its own: the failure of one, also of
/// one that is not whole, does not affect the others.
///
///     auto outcomes = co_await async_execute_many(hub, requests, tool_format::anthropic, options);
///
/// `options` are those of each call: a `timeout` bounds all of them, because they run concurrently.
///
/// \par Completion signature
/// `void(error_code, std::vector<execution_outcome>)`. One outcome per request, in the order of the requests.
/// \par Errors
/// None of its own: those of the requests are in the outcomes, such as `malformed_message`, `invalid_tool_name`,
/// `deadline_exceeded` or `operation_aborted`. A result of a tool that says that it failed is not an error.
/// \par Cancellation
/// Cancels every call, as `connector_base::async_call`; calls that have completed keep their outcomes. The operation
/// completes when all calls have.
/// \par Executor
/// Call on the connector's executor. The handler runs on its associated executor, never inside the initiating function.
/// \par Lifetime
/// The connector must live until the operation starts.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        call_options options, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::vector<execution_outcome>)>(
        detail::initiate_execute_many{&hub}, token, std::move(requests), format, std::move(options));
}

/// The same, with the defaults of the servers.
template<asio::completion_token_for<void(error_code, std::vector<execution_outcome>)> Token = asio::deferred_t>
auto async_execute_many(connector_base& hub, std::vector<std::string> requests, tool_format format,
                        Token&& token = Token())
{
    return async_execute_many(hub, std::move(requests), format, call_options(), std::forward<Token>(token));
}

} // namespace linkspan

#endif
