#ifndef LINKSPAN_CORE_DETAIL_CANCELLABLE_COMPLETION_HPP
#define LINKSPAN_CORE_DETAIL_CANCELLABLE_COMPLETION_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class Signature>
class cancellable_completion;

// Completes the handler of a composed operation exactly once: with the result of the operation, or with
// `operation_aborted` if the operation is cancelled first.
//
// The steps of the operation share the object. They do not have to check for a cancellation: `complete` has no effect
// after a cancellation. Invariant: `stop_` is empty if `handler_` is empty.
template<class... Values>
class cancellable_completion<void(error_code, Values...)>
    : public std::enable_shared_from_this<cancellable_completion<void(error_code, Values...)>> {
public:
    using handler_type = pending_handler<void(error_code, Values...)>;

    // Called at most once, inside `cancellation_signal::emit`. Ends the steps that the operation has started, and
    // returns the arguments of the handler after the error code.
    using stop_function = std::function<std::tuple<Values...>()>;

    cancellable_completion(handler_type handler, asio::any_io_executor executor)
        : handler_(std::move(handler)), executor_(std::move(executor))
    {}

    cancellable_completion(cancellable_completion const&) = delete;
    cancellable_completion& operator=(cancellable_completion const&) = delete;

    // Enables cancellation by the given types. Other types are ignored.
    void on_cancel(asio::cancellation_type types, stop_function stop)
    {
        auto slot = handler_.cancellation_slot();
        if (!slot.is_connected())
            return;
        stop_ = std::move(stop);
        // The pointer is weak, because the signal may outlive the execution context, and the objects of the operation
        // must not.
        slot.assign([weak = this->weak_from_this(), types](asio::cancellation_type type) {
            auto const self = weak.lock();
            if (self && (type & types) != asio::cancellation_type::none)
                self->cancel();
        });
    }

    // Completes the operation with its result. Must not be called inside the initiating function.
    void complete(error_code ec, Values... values)
    {
        if (is_over())
            return;
        auto const stop = std::exchange(stop_, nullptr); // destroyed at the end, because it may own this object
        if (stop)
            handler_.cancellation_slot().clear();
        handler_.complete(ec, std::move(values)...);
    }

    // Returns true after the completion or the cancellation of the operation.
    bool is_over() const noexcept { return !handler_; }

private:
    void cancel()
    {
        if (is_over())
            return;
        auto handler = std::move(handler_);
        handler.cancellation_slot().clear();
        auto const stop = std::exchange(stop_, nullptr);
        // The completion is posted, because the caller is inside `emit`.
        post_handler(executor_, [handler = std::move(handler), values = stop()]() mutable {
            auto const complete = [&](Values&... all) {
                handler.complete(asio::error::operation_aborted, std::move(all)...);
            };
            std::apply(complete, values);
        });
    }

    handler_type handler_;           // set by the constructor, moved out by the completion or the cancellation
    asio::any_io_executor executor_; // executor to which the completion is posted after a cancellation
    stop_function stop_;             // set by on_cancel() if the handler has a cancellation slot; cleared by complete()
};

template<class... Values>
auto make_cancellable(pending_handler<void(error_code, Values...)> handler, asio::any_io_executor const& executor)
{
    return std::make_shared<cancellable_completion<void(error_code, Values...)>>(std::move(handler), executor);
}

// Cancellation types of operations that may have visible effects when they are cancelled.
inline constexpr auto terminal_or_partial = asio::cancellation_type::terminal | asio::cancellation_type::partial;

} // namespace linkspan::detail

#endif
