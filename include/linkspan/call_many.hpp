#ifndef LINKSPAN_CALL_MANY_HPP
#define LINKSPAN_CALL_MANY_HPP

#include <linkspan/arguments.hpp>
#include <linkspan/call_options.hpp>
#include <linkspan/connector.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <deque>
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

// Many calls as one operation.
template<class Handler>
struct many_calls {
    explicit many_calls(Handler handler, std::size_t count) : done(std::move(handler)), outcomes(count), left(count) {}

    void cancel(asio::cancellation_type type)
    {
        for (auto& signal : signals)
            signal.emit(type);
    }

    Handler done;
    std::vector<call_outcome> outcomes;
    std::size_t left;
    std::deque<asio::cancellation_signal> signals;
};

struct initiate_many {
    connector_base* hub;

    template<class Handler>
    void operator()(Handler&& handler, std::vector<tool_call> calls) const
    {
        using pending = pending_handler<void(error_code, std::vector<call_outcome>)>;
        auto const executor = hub->get_executor();
        auto const all =
            std::make_shared<many_calls<pending>>(pending(std::forward<Handler>(handler), executor), calls.size());
        if (calls.empty()) {
            asio::post(executor, [all] { all->done.complete({}, {}); });
            return;
        }
        if (auto slot = all->done.cancellation_slot(); slot.is_connected())
            slot.assign([weak = std::weak_ptr(all)](asio::cancellation_type type) {
                if (auto const here = weak.lock())
                    here->cancel(type);
            });
        for (std::size_t i = 0; i != calls.size(); ++i) {
            auto on_done = [all, i](error_code ec, call_result result) {
                all->outcomes[i] = {ec, std::move(result)};
                if (--all->left != 0)
                    return;
                all->done.cancellation_slot().clear();
                all->done.complete({}, std::move(all->outcomes));
            };
            hub->async_call(calls[i].tool, calls[i].args, std::move(calls[i].options),
                            asio::bind_cancellation_slot(all->signals.emplace_back().slot(), std::move(on_done)));
        }
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
