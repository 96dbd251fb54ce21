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
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace linkspan {

namespace asio = boost::asio;

/// Where the library gets time and chance from: one per execution context, real by default.
///
/// Look it up once, at construction, and keep the reference. `linkspan::test::virtual_time` takes its place in tests;
/// it must be installed before the first look-up.
///
/// Lifetime: as long as the context.
/// Thread safety: in real time, all functions may be called from any thread.
class time_source : public asio::execution_context::service {
public:
    using key_type = time_source;

    /// For Asio's service registry: real time, and draws from a random seed.
    LINKSPAN_DECL explicit time_source(asio::execution_context& context);

    /// The source of the context that `executor` belongs to.
    LINKSPAN_DECL static time_source& of(asio::any_io_executor const& executor);

    LINKSPAN_DECL virtual time_point now() const noexcept;

    /// The time of the operator's clock, which may be set back. `now()` measures; this one only labels.
    LINKSPAN_DECL virtual wall_time wall_now() const noexcept;

    /// `now() + span`; "never" when the span reaches beyond `time_point::max()`.
    LINKSPAN_DECL time_point after(duration span) const noexcept;

    /// 64 evenly distributed bits for jitter and choice; never for secrets.
    LINKSPAN_DECL std::uint64_t draw() noexcept;

protected:
    LINKSPAN_DECL time_source(asio::execution_context& context, std::uint64_t seed);

private:
    friend class timer;

    /// Null in real time: the operating system keeps the waits.
    virtual wait_store* store() noexcept { return nullptr; }

    void shutdown() override {}

    std::atomic<std::uint64_t> draws_;
};

/// Waits until an instant of its context's `time_source`. The only timer of this library.
///
/// Thread safety: distinct timers, safe; one timer, not.
class timer {
public:
    using executor_type = asio::any_io_executor;

    LINKSPAN_DECL explicit timer(executor_type executor);
    timer(timer const&) = delete;
    timer& operator=(timer const&) = delete;

    /// Cancels. The handlers run later, so they must not use what dies with the timer.
    LINKSPAN_DECL ~timer();

    executor_type get_executor() const noexcept { return executor_; }
    time_point now() const noexcept { return source_.now(); }
    time_point expiry() const noexcept { return expiry_; }

    /// Sets the instant that later waits wait for, and cancels the pending ones. `time_point::max()` never comes.
    LINKSPAN_DECL void expires_at(time_point expiry);

    void expires_after(duration span) { expires_at(source_.after(span)); }

    /// Declares that waits of this timer recur without end and that no operation waits for them, as probes do. A test
    /// in virtual time in which only such waits are left may be regarded as stalled.
    void run_in_background() noexcept { background_ = true; }
    bool is_in_background() const noexcept { return background_; }

    /// Completes all pending waits with `operation_aborted`. A wait whose time has come is no longer pending.
    LINKSPAN_DECL void cancel();

    /// Waits for the expiry that is set when the operation starts.
    ///
    /// Completion signature: `void(error_code)`; posted, never called from within this function.
    /// Errors: `operation_aborted` when cancelled.
    /// Cancellation: terminal, partial and total end this wait; `cancel()`, a new expiry and the destructor end all.
    /// Lifetimes: the timer must live until the operation starts, which with `deferred` is later than this call.
    /// Thread safety: called on the executor of the timer; completes on that of the handler.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_wait(Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(initiate_wait(*this), token);
    }

private:
    template<class Handler>
    class kept_wait;

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

    template<class Handler>
    void keep(Handler&& handler);

    executor_type executor_;
    time_source& source_;
    wait_store* store_;
    time_point expiry_{};
    bool background_ = false;
    // Empty beside a store: an io_context that never had a timer of Asio's makes no system call when it is polled.
    std::optional<asio::steady_timer> real_;
};

// The handler's type stands inside the erasure: posting to its executor from outside would go through an erased
// executor, which in Boost 1.81 can only dispatch (test: a_handler_runs_on_its_own_executor).
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
    // By id, not by address: a signal may come when the wait is over.
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
