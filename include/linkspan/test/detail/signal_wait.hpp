#ifndef LINKSPAN_TEST_DETAIL_SIGNAL_WAIT_HPP
#define LINKSPAN_TEST_DETAIL_SIGNAL_WAIT_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Waits for SIGINT and SIGTERM until the end of a connection. The object must outlive the run of its execution context,
// which a single thread runs.
class signal_wait {
public:
    // `on_signal`: called for each signal with its number.
    signal_wait(asio::any_io_executor const& executor, std::function<void(int signal)> on_signal)
        : on_signal_(std::move(on_signal)), signals_(executor, SIGINT, SIGTERM)
    {
        wait();
    }

    signal_wait(signal_wait const&) = delete;
    signal_wait& operator=(signal_wait const&) = delete;
    ~signal_wait() { unblock(); }

    // Ends the wait, so that the execution context can end. Each signal has an effect: `on_signal` is called for
    // signals that were received before, and later ones have their default action, which is the end of the process.
    void end()
    {
        if (std::exchange(is_blocked_, true))
            return;
        ::sigset_t ours;
        ::sigemptyset(&ours);
        ::sigaddset(&ours, SIGINT);
        ::sigaddset(&ours, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &ours, &before_);
        release_after(3);
    }

private:
    void wait()
    {
        signals_.async_wait([this](error_code ec, int signal) {
            if (ec)
                return;
            if (!is_released_)
                wait();
            on_signal_(signal);
        });
    }

    // Restores the default actions after a number of turns of the event loop. For an earlier signal, the context needs
    // one turn to detect it, one to read it, and one to call the handler.
    void release_after(int turns)
    {
        if (turns != 0)
            return asio::post(signals_.get_executor(), [this, turns] { release_after(turns - 1); });
        is_released_ = true;
        signals_.cancel();
        signals_.clear();
        unblock();
    }

    // Signals that were received while they were blocked now have their default action.
    void unblock()
    {
        if (std::exchange(is_blocked_, false))
            ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    std::function<void(int)> on_signal_; // set by the constructor
    asio::signal_set signals_;           // SIGINT and SIGTERM; cleared after end()
    ::sigset_t before_{};                // mask of the thread before end()
    bool is_blocked_ = false;            // set by end(), cleared by unblock()
    bool is_released_ = false;           // set by release_after(): no wait starts
};

} // namespace linkspan::test::detail

#endif
