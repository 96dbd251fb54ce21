#ifndef LINKSPAN_EXAMPLE_CLI_INTERRUPTION_HPP
#define LINKSPAN_EXAMPLE_CLI_INTERRUPTION_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <csignal>
#include <functional>
#include <utility>

#include "exit_status.hpp"

namespace cli {

/// Handles SIGINT and SIGTERM: the first signal cancels the current operation, the second closes all servers.
///
/// Lifetime: the object must exist until the operations have completed.
class interruption {
public:
    explicit interruption(boost::asio::any_io_executor const& executor) : signals_(executor, SIGINT, SIGTERM)
    {
        wait();
    }

    /// Sets a function that aborts the current operation. Empty: the operation is cancelled by its cancellation slot.
    void on_first_signal(std::function<void()> function) { on_first_signal_ = std::move(function); }

    /// Sets the function that is called on the second signal.
    void on_second_signal(std::function<void()> function) { on_second_signal_ = std::move(function); }

    boost::asio::cancellation_slot slot() { return operation_.slot(); }

    /// Returns the exit status of the received signal; `ok`: none.
    int status() const noexcept { return status_; }

    /// Stops waiting for signals, so that the context runs out of work.
    void stop() { signals_.cancel(); }

private:
    void wait()
    {
        signals_.async_wait([this](boost::system::error_code ec, int number) {
            if (!ec)
                on_signal(number);
        });
    }

    void on_signal(int number)
    {
        wait();
        bool const is_second = status_ != ok;
        status_ = number == SIGTERM ? terminated : interrupted;
        if (is_second && on_second_signal_)
            on_second_signal_();
        else if (on_first_signal_)
            on_first_signal_();
        else
            operation_.emit(boost::asio::cancellation_type::terminal);
    }

    boost::asio::signal_set signals_;
    boost::asio::cancellation_signal operation_;
    std::function<void()> on_first_signal_, on_second_signal_;
    int status_ = ok;
};

} // namespace cli

#endif
