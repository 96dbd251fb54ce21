#ifndef LINKSPAN_CORE_DETAIL_CANCELLABLE_COMPLETION_HPP
#define LINKSPAN_CORE_DETAIL_CANCELLABLE_COMPLETION_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace linkspan::detail {

template<class Signature>
class cancellable_completion;

// Completes the handler of an operation once: with the result of the operation, or, if a cancellation comes first, with
// `operation_aborted`. The steps of the operation share it, and need not know of the cancellation: `complete` has no
// effect after one.
template<class... Values>
class cancellable_completion<void(error_code, Values...)>
    : public std::enable_shared_from_this<cancellable_completion<void(error_code, Values...)>> {
public:
    using handler_type = pending_handler<void(error_code, Values...)>;

    // Called within `emit`, at most once: ends what the operation has started, and returns what the handler gets beside
    // the error.
    using stop_function = std::function<std::tuple<Values...>()>;

    cancellable_completion(handler_type handler, asio::any_io_executor executor)
        : handler_(std::move(handler)), executor_(std::move(executor))
    {}

    cancellable_completion(cancellable_completion const&) = delete;
    cancellable_completion& operator=(cancellable_completion const&) = delete;

    // A cancellation of one of these types ends the operation; others are ignored.
    void on_cancel(asio::cancellation_type types, stop_function stop)
    {
        auto slot = handler_.cancellation_slot();
        if (!slot.is_connected())
            return;
        stop_ = std::move(stop);
        // Weak: the signal may outlive the context, and what the operation keeps alive must not.
        slot.assign([weak = this->weak_from_this(), types](asio::cancellation_type type) {
            auto const self = weak.lock();
            if (self && (type & types) != asio::cancellation_type::none)
                self->cancel();
        });
    }

    // Invokes the handler: not within the function that started the operation.
    void complete(error_code ec, Values... values)
    {
        if (is_over())
            return;
        auto const stop = std::exchange(stop_, nullptr); // may own what owns this
        if (stop)
            handler_.cancellation_slot().clear();
        handler_.complete(ec, std::move(values)...);
    }

    // Completed, or cancelled.
    bool is_over() const noexcept { return !handler_; }

private:
    void cancel()
    {
        if (is_over())
            return;
        auto handler = std::move(handler_);
        handler.cancellation_slot().clear();
        auto const stop = std::exchange(stop_, nullptr);
        // In a turn of its own: the caller is within `emit`.
        asio::post(executor_, [handler = std::move(handler), values = stop()]() mutable {
            auto const complete = [&](Values&... all) {
                handler.complete(asio::error::operation_aborted, std::move(all)...);
            };
            std::apply(complete, values);
        });
    }

    handler_type handler_; // empty once the operation is over
    asio::any_io_executor executor_;
    stop_function stop_; // empty unless the handler has a cancellation slot
};

template<class... Values>
auto make_cancellable(pending_handler<void(error_code, Values...)> handler, asio::any_io_executor const& executor)
{
    return std::make_shared<cancellable_completion<void(error_code, Values...)>>(std::move(handler), executor);
}

// For operations that may leave something behind that the caller sees.
inline constexpr auto terminal_or_partial = asio::cancellation_type::terminal | asio::cancellation_type::partial;

} // namespace linkspan::detail

#endif
