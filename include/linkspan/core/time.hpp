#ifndef LINKSPAN_CORE_TIME_HPP
#define LINKSPAN_CORE_TIME_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/wait_store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Source of time and of random numbers for all objects of this library in one execution context.
///
/// The source is a service of the context: the first call of `of()` creates a source of real time. A test that uses
/// virtual time installs `linkspan::test::virtual_time` before the first call of `of()`. Objects call `of()` once, in
/// their constructors, and keep the reference.
///
/// \par Lifetime
/// The source exists as long as its context.
/// \par Thread safety
/// All functions of a source of real time may be called from any thread.
class time_source : public asio::execution_context::service {
public:
    /// Key of the service. Derived classes have the same key, so that they replace the source of real time.
    using key_type = time_source;

    /// Constructs a source of real time with a random seed. Called by the service registry of Asio.
    /// \par Exception safety
    /// Throws the exceptions of `std::random_device`.
    LINKSPAN_DECL explicit time_source(asio::execution_context& context);

    /// Returns the source of the context that `executor` belongs to.
    ///
    /// Creates a source of real time if the context has none. All executors of a context, also strands, have the same
    /// source.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc` and the exceptions of the constructor.
    LINKSPAN_DECL static time_source& of(asio::any_io_executor const& executor);

    /// Returns the current time of this source. A source of real time returns the time of `std::chrono::steady_clock`.
    LINKSPAN_DECL virtual time_point now() const noexcept;

    /// Returns the time of the system clock, for timestamps in logs and messages. Use `now()` to measure durations,
    /// because the system clock can be set back.
    LINKSPAN_DECL virtual wall_time wall_now() const noexcept;

    /// Returns `now() + span`, or `time_point::max()` (never) if the sum exceeds the range of `time_point`.
    LINKSPAN_DECL time_point after(duration span) const noexcept;

    /// Returns 64 uniformly distributed random bits, for jitter and for random choices of policies.
    ///
    /// The numbers are predictable and therefore not suitable for secrets.
    LINKSPAN_DECL std::uint64_t draw() noexcept;

    /// Adds a list of outstanding work, such as calls without a result, to the reports of tests with virtual time. No
    /// effect in real time.
    ///
    /// \param list Returns one text per item. May be called until the context is destroyed.
    virtual void on_outstanding(std::function<std::vector<std::string>()> list) { static_cast<void>(list); }

protected:
    /// Constructs a source whose draws are determined by `seed`.
    LINKSPAN_DECL time_source(asio::execution_context& context, std::uint64_t seed);

private:
    friend class timer;

    /// Returns the store for the waits of timers. Null: timers use `asio::steady_timer` (real time).
    virtual wait_store* store() noexcept { return nullptr; }

    void shutdown() override {}

    std::atomic<std::uint64_t> draws_; // state of the generator; advanced by each draw()
};

/// Timer that follows the `time_source` of its context, so that it works in real and in virtual time.
///
/// All waits of this library use this class. The interface follows `boost::asio::steady_timer`:
///
///     linkspan::timer pause(executor);
///     pause.expires_after(std::chrono::seconds(1));
///     co_await pause.async_wait();
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class timer {
public:
    /// Type of the executor.
    using executor_type = asio::any_io_executor;

    /// Constructs a timer with the time source of the context of `executor`. The expiry is `time_point()`.
    /// \par Exception safety
    /// Throws `std::bad_alloc` and the exceptions of `time_source::of`.
    LINKSPAN_DECL explicit timer(executor_type executor);
    timer(timer const&) = delete;
    timer& operator=(timer const&) = delete;

    /// Cancels the outstanding waits, which complete with `operation_aborted`.
    ///
    /// The handlers of these waits are invoked after the destruction of the timer and must not use the timer.
    LINKSPAN_DECL ~timer();

    /// Returns the executor of the timer.
    executor_type get_executor() const noexcept { return executor_; }

    /// Returns the current time of the time source.
    time_point now() const noexcept { return source_.now(); }

    /// Returns the expiry: the point in time at which a wait that is started now completes. Default: `time_point()`.
    time_point expiry() const noexcept { return expiry_; }

    /// Sets the expiry for later waits, and cancels the outstanding waits.
    ///
    /// A wait with the expiry `time_point::max()` completes only if it is cancelled.
    LINKSPAN_DECL void expires_at(time_point expiry);

    /// Sets the expiry to `now() + span`, and cancels the outstanding waits. See `expires_at`.
    void expires_after(duration span) { expires_at(source_.after(span)); }

    /// Marks the waits of this timer as background waits. A background wait is started again after each completion, and
    /// no operation depends on it; the waits between the probes of a circuit breaker are an example.
    ///
    /// `linkspan::test::virtual_time` may report a test as stalled if only background waits are outstanding. The mark
    /// has no effect in real time.
    void run_in_background() noexcept { background_ = true; }

    /// Returns true after `run_in_background()`.
    bool is_in_background() const noexcept { return background_; }

    /// Completes all outstanding waits with `operation_aborted`.
    ///
    /// A wait whose expiry has passed may already have completed without an error even if its handler was not invoked
    /// yet.
    LINKSPAN_DECL void cancel();

    /// Waits until the expiry that is set at the start of the operation.
    ///
    /// Several waits may be outstanding at the same time. `cancel()`, a new expiry and the destructor cancel all of
    /// them.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// `operation_aborted`: the wait was cancelled by a cancellation signal, by `cancel()`, by a new expiry, or by the
    /// destructor.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: the wait completes with `operation_aborted`; other waits of the timer continue.
    /// \par Executor
    /// Call on the executor of the timer. The handler runs on its associated executor, by default that of the timer,
    /// and never inside the initiating function.
    /// \par Lifetime
    /// The timer must exist until the operation starts, which is later than this call if the token is `deferred`. The
    /// timer may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Unsafe: no other function of the same timer may be called concurrently.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_wait(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_wait(*this), token);
    }

private:
    template<class Handler>
    class kept_wait;

    // Initiation of a wait; its executor is that of the timer.
    class initiate_wait {
    public:
        using executor_type = timer::executor_type;

        explicit initiate_wait(timer& self) noexcept : self_(&self) {}

        executor_type get_executor() const noexcept { return self_->executor_; }

        template<class Handler>
        void operator()(Handler&& handler) const
        {
            if (self_->real_)
                self_->real_->async_wait(std::forward<Handler>(handler));
            else
                self_->keep(std::forward<Handler>(handler));
        }

    private:
        timer* self_;
    };

    // Adds a wait to the store.
    template<class Handler>
    void keep(Handler&& handler);

    executor_type executor_;
    time_source& source_;     // source of the context of `executor_`
    wait_store* store_;       // null in real time
    time_point expiry_{};     // set by expires_at()
    bool background_ = false; // set by run_in_background()
    // Empty if `store_` is set, because `poll` makes no system call if the io_context has no timer of Asio.
    std::optional<asio::steady_timer> real_;
};

// The type of the handler is erased together with its executor, and the erased object posts the handler. The caller
// cannot post an erased handler, because in Boost 1.81 a type-erased executor can only dispatch (test:
// handler_runs_on_associated_executor).
template<class Handler>
class timer::kept_wait final : public wait_op {
public:
    template<class H>
    kept_wait(H&& handler, executor_type executor) : handler_(std::forward<H>(handler)), executor_(std::move(executor))
    {}

    void complete(error_code ec) override { asio::post(executor_, asio::append(std::move(handler_), ec)); }

private:
    Handler handler_;
    executor_type executor_;
};

template<class Handler>
void timer::keep(Handler&& handler)
{
    using op_type = kept_wait<std::decay_t<Handler>>;
    auto slot = asio::get_associated_cancellation_slot(handler);
    auto const id = store_->add(*this, expiry_, std::make_unique<op_type>(std::forward<Handler>(handler), executor_));
    // The slot refers to the wait by its id, because the signal may be emitted after the wait was destroyed.
    if (slot.is_connected())
        slot.assign([store = store_, id](asio::cancellation_type type) {
            if (type != asio::cancellation_type::none)
                store->cancel(id);
        });
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/time.ipp>
#endif

#endif
