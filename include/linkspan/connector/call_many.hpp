#ifndef LINKSPAN_CONNECTOR_CALL_MANY_HPP
#define LINKSPAN_CONNECTOR_CALL_MANY_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/many_operations.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan {

/// One of many calls.
struct tool_call {
    explicit tool_call(std::string name, arguments with = {}, call_options how = {})
        : tool(std::move(name)), args(std::move(with)), options(std::move(how))
    {}

    std::string tool;
    arguments args;
    call_options options;
};

/// What one of many calls brought.
struct call_outcome {
    error_code ec;
    call_result result;
};

namespace detail {

struct initiate_many : hub_initiation<connector_base> {
    template<class Handler>
    void operator()(Handler&& handler, std::vector<tool_call> calls) const
    {
        using operations = many_operations<call_outcome>;
        auto const executor = hub->get_executor();
        auto const all = std::make_shared<operations>(
            operations::handler_type(std::forward<Handler>(handler), executor), calls.size());
        auto const start = [&](std::size_t i, auto done) {
            hub->async_call(calls[i].tool, calls[i].args, std::move(calls[i].options), std::move(done));
        };
        all->run(executor, start, [](call_outcome& outcome, error_code ec, call_result result) {
            outcome = {ec, std::move(result)};
        });
    }
};

} // namespace detail

/// Makes many calls at once; they wait for each other nowhere but at the end. Those for one server leave in one write.
///
/// Completion signature: `void(error_code, std::vector<call_outcome>)`, an outcome for each call, in their order.
/// Errors: none of its own; those of the calls are in the outcomes.
/// Cancellation: that of each call; the operation completes when all have.
/// Lifetimes: the calls are serialised when the operation starts. The connector must live until then.
/// Thread safety: as `connector_base`.
template<asio::completion_token_for<void(error_code, std::vector<call_outcome>)> Token = asio::deferred_t>
auto async_call_many(connector_base& hub, std::vector<tool_call> calls, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::vector<call_outcome>)>(detail::initiate_many{&hub}, token,
                                                                                    std::move(calls));
}

} // namespace linkspan

#endif
