#ifndef LINKSPAN_TEST_DETAIL_PROGRAM_END_HPP
#define LINKSPAN_TEST_DETAIL_PROGRAM_END_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <functional>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns the name of a signal that ends a program.
inline std::string_view name_of_signal(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

// Waits for SIGINT, SIGTERM, and the end of stdin of this process, so that a program that serves over HTTP does not
// outlive its parent. The object must outlive the run of its execution context.
class program_end {
public:
    // `on_end`: called for each signal, and for the end of stdin. `takes`: called with the name of the first signal,
    // which has no further effect if the function returns true; empty: not called.
    program_end(asio::any_io_executor const& executor, std::function<void()> on_end,
                std::function<bool(std::string_view name)> takes = {})
        : on_end_(std::move(on_end)), takes_(std::move(takes)), signals_(executor, SIGINT, SIGTERM), in_(executor)
    {
        error_code ec;
        in_.assign(::dup(STDIN_FILENO), ec);
        wait();
        read();
    }

    program_end(program_end const&) = delete;
    program_end& operator=(program_end const&) = delete;

    // Stops waiting, so that the execution context can end.
    void cancel()
    {
        error_code ec;
        signals_.cancel(ec);
        in_.close(ec);
    }

private:
    void wait()
    {
        signals_.async_wait([this](error_code ec, int signal) {
            if (ec)
                return;
            wait();
            if (auto const takes = std::exchange(takes_, {}); !takes || !takes(name_of_signal(signal)))
                on_end_();
        });
    }

    void read()
    {
        in_.async_read_some(asio::buffer(ignored_), [this](error_code ec, std::size_t) {
            if (!ec)
                read();
            else if (in_.is_open())
                on_end_();
        });
    }

    std::function<void()> on_end_;                // set by the constructor
    std::function<bool(std::string_view)> takes_; // set by the constructor, cleared by the first signal
    asio::signal_set signals_;                    // set by the constructor
    asio::posix::stream_descriptor in_;           // copy of stdin; closed by cancel()
    std::array<char, 512> ignored_;               // input of the outstanding read
};

} // namespace linkspan::test::detail

#endif
