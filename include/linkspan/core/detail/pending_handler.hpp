#ifndef LINKSPAN_CORE_DETAIL_PENDING_HANDLER_HPP
#define LINKSPAN_CORE_DETAIL_PENDING_HANDLER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/post_handler.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/recycling_allocator.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Returns whether the executor belongs to an io_context that runs in this thread, so that `asio::dispatch` would invoke
// a handler immediately. This check takes a tenth of the time of `asio::dispatch`.
inline bool runs_here(asio::any_io_executor const& executor) noexcept
{
    using tracked = decltype(asio::prefer(std::declval<asio::io_context::executor_type>(),
                                          asio::execution::outstanding_work.tracked));
    auto const* const loop = executor.target<tracked>();
    return loop && loop->running_in_this_thread();
}

// Interface of the erased handler of a `pending_handler`.
template<class... Args>
class pending_op {
public:
    virtual void complete(Args&&... args) = 0;
    virtual void invoke(Args&&... args) = 0; // destroys the object, then invokes the handler
    virtual void destroy() noexcept = 0;
    virtual asio::cancellation_slot cancellation_slot() const noexcept = 0;

protected:
    ~pending_op() = default;
};

// Owner of a `pending_op`, which invokes it, or destroys it. A class without `std::unique_ptr`, which compiles to 30
// functions. Invariant: `op_` is null only in a moved-from object, and after invoke().
template<class... Args>
class pending_owner {
public:
    explicit pending_owner(pending_op<Args...>* op) noexcept : op_(op) {}
    pending_owner(pending_owner&& other) noexcept : op_(std::exchange(other.op_, nullptr)) {}
    pending_owner& operator=(pending_owner&&) = delete;

    ~pending_owner()
    {
        if (op_)
            op_->destroy();
    }

    void invoke(Args&... args) { std::exchange(op_, nullptr)->invoke(std::move(args)...); }

private:
    pending_op<Args...>* op_; // set by the constructor, cleared by invoke()
};

// Calls `op->invoke` on the executor, as `asio::dispatch` does. Owns `op`. Not inline, so that an `extern template`
// declaration keeps the function out of a program.
template<class... Args>
void dispatch_pending(asio::any_io_executor const& executor, pending_op<Args...>* op, Args... args)
{
    dispatch_handler(executor, [owner = pending_owner<Args...>(op), ... values = std::move(args)]() mutable {
        owner.invoke(values...);
    });
}

template<class Signature>
class pending_handler;

// Type-erased handler of an outstanding operation. The object counts as outstanding work of the handler's executor.
//
// `complete` dispatches to this executor, so that it must not be called inside the initiating function. The type of the
// executor is erased together with the handler, because a dispatch to an `any_io_executor` costs two allocations and
// 75 ns. Invariant: `op_` is null, or owns a handler that was not completed.
template<class... Args>
class pending_handler<void(Args...)> {
public:
    pending_handler() = default;

    template<class Handler>
    pending_handler(Handler&& handler, asio::any_io_executor const& fallback)
        : op_(op<std::decay_t<Handler>>::make(std::forward<Handler>(handler), fallback))
    {}

    pending_handler(pending_handler&& other) noexcept : op_(std::exchange(other.op_, nullptr)) {}

    pending_handler& operator=(pending_handler&& other) noexcept
    {
        pending_handler taken(std::move(other));
        std::swap(op_, taken.op_);
        return *this;
    }

    // Destroys the handler without invoking it, as Asio does at the destruction of an execution context.
    ~pending_handler()
    {
        if (op_)
            op_->destroy();
    }

    explicit operator bool() const noexcept { return op_ != nullptr; }

    asio::cancellation_slot cancellation_slot() const noexcept { return op_->cancellation_slot(); }

    void complete(Args... args) { std::exchange(op_, nullptr)->complete(std::move(args)...); }

private:
    template<class Handler>
    class op final : public pending_op<Args...> {
    public:
        template<class H>
        static op* make(H&& handler, asio::any_io_executor const& fallback)
        {
            auto allocator = allocator_for(handler);
            auto* const memory = traits::allocate(allocator, count_of_units());
            try {
                return ::new (static_cast<void*>(memory)) op(std::forward<H>(handler), fallback);
            } catch (...) {
                traits::deallocate(allocator, memory, count_of_units());
                throw;
            }
        }

        void complete(Args&&... args) override
        {
            if constexpr (std::is_same_v<executor_type, asio::any_io_executor>) {
                if (runs_here(executor_))
                    return invoke(std::move(args)...);
                auto const executor = executor_; // the object may be destroyed inside the function
                dispatch_pending<Args...>(executor, this, std::move(args)...);
            } else {
                auto handler = std::move(handler_);
                auto const executor = std::move(executor_);
                destroy_with(allocator_for(handler));
                asio::dispatch(executor,
                               [handler = std::move(handler), values = std::tuple(std::move(args)...)]() mutable {
                                   std::apply(std::move(handler), std::move(values));
                               });
            }
        }

        void invoke(Args&&... args) override
        {
            auto handler = std::move(handler_);
            destroy_with(allocator_for(handler));
            std::move(handler)(std::move(args)...);
        }

        void destroy() noexcept override
        {
            auto const handler = std::move(handler_);
            destroy_with(allocator_for(handler));
        }

        asio::cancellation_slot cancellation_slot() const noexcept override
        {
            return asio::get_associated_cancellation_slot(handler_);
        }

    private:
        // The type is decayed, because `prefer` returns a reference for the executor of `use_future`.
        using executor_type = std::decay_t<decltype(asio::prefer(
            std::declval<asio::associated_executor_t<Handler, asio::any_io_executor>>(),
            asio::execution::outstanding_work.tracked))>;
        // The memory is an array of this type instead of an `op`, so that an allocator is compiled once for all types
        // of handlers that it is associated with.
        using unit = std::conditional_t<(alignof(Handler) <= alignof(std::max_align_t)), std::max_align_t, Handler>;
        using allocator_type = typename std::allocator_traits<
            asio::associated_allocator_t<Handler, asio::recycling_allocator<void>>>::template rebind_alloc<unit>;
        using traits = std::allocator_traits<allocator_type>;

        static constexpr std::size_t count_of_units() noexcept
        {
            static_assert(alignof(op) <= alignof(unit));
            return (sizeof(op) + sizeof(unit) - 1) / sizeof(unit);
        }

        template<class H>
        op(H&& handler, asio::any_io_executor const& fallback)
            : handler_(std::forward<H>(handler)),
              executor_(asio::prefer(asio::get_associated_executor(handler_, fallback),
                                     asio::execution::outstanding_work.tracked))
        {}

        static allocator_type allocator_for([[maybe_unused]] Handler const& handler) noexcept
        {
            if constexpr (std::is_same_v<allocator_type, asio::recycling_allocator<unit>>)
                return {}; // without state
            else
                return allocator_type(asio::get_associated_allocator(handler, asio::recycling_allocator<void>()));
        }

        void destroy_with(allocator_type allocator) noexcept
        {
            std::destroy_at(this);
            traits::deallocate(allocator, reinterpret_cast<unit*>(this), count_of_units());
        }

        Handler handler_;        // set by the constructor, moved out by each function that destroys the object
        executor_type executor_; // the handler's associated executor, or the fallback; tracks outstanding work
    };

    pending_op<Args...>* op_ = nullptr; // owned; null after complete() and in a moved-from object
};

} // namespace detail
} // namespace linkspan

#endif
