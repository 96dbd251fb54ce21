#ifndef LINKSPAN_TEST_SUPPORT_EVERY_TURN_HPP
#define LINKSPAN_TEST_SUPPORT_EVERY_TURN_HPP

#include <linkspan/test/case.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Receives the error of an operation.
using end_handler = std::function<void(error_code)>;

// Cancels an operation after n turns of the loop, for n = 0, 1, 2, ..., until it completes by itself, each time in a
// new World:
//
//     prepare()            establishes the preconditions of the operation
//     start(slot, on_end)  starts the operation
//     check(ec)            checks the effects of an operation that completed with `ec`, and that its objects still work
//
// The operation must complete exactly once, not inside `emit`, and without virtual time passing after the signal.
// Returns the number of turns after which the operation completed by itself.
template<class World, class... Args>
std::size_t cancel_at_every_turn(asio::cancellation_type type, Args const&... args)
{
    for (std::size_t n = 0;; ++n) {
        BOOST_TEST_CONTEXT("cancelled after " << n << " turns") {
            World here(args...);
            here.prepare();
            asio::cancellation_signal signal;
            std::size_t count = 0;
            error_code ended;
            here.start(signal.slot(), [&](error_code ec) {
                ++count;
                ended = ec;
            });
            BOOST_TEST(count == 0u);
            std::size_t left = n;
            here.time.run_until([&] { return count != 0 || left-- == 0; });
            bool const is_over = count != 0;
            auto const cancelled = here.time.now();
            signal.emit(type);
            BOOST_TEST(count == (is_over ? 1u : 0u));
            here.context.restart();
            here.context.poll();
            BOOST_TEST(count == 1u);
            BOOST_TEST((here.time.now() == cancelled));
            if (!is_over)
                BOOST_TEST((!ended || ended == asio::error::operation_aborted), ended.message());
            signal.emit(type); // after the operation has completed
            here.check(ended);
            BOOST_TEST(count == 1u);
            if (is_over)
                return n;
        }
    }
}

// Configuration of an in-process server whose connections are counted.
struct tracked_config {
    inproc_config server;
    std::shared_ptr<std::size_t> open; // number of open connections
    duration end{};                    // duration of a graceful end
};

// A stream to such a server, in place of a child process or a socket.
class tracked_stream : public memory_stream {
public:
    using config_type = tracked_config;
    static constexpr std::string_view kind = "tracked";

    tracked_stream(asio::any_io_executor const& executor, tracked_config const& config)
        : memory_stream(executor, config.server), open_(config.open), time_to_end_(config.end), end_(executor)
    {}

    ~tracked_stream() { close(); }

    void open(error_code& ec)
    {
        memory_stream::open(ec);
        is_open_ = !ec;
        *open_ += is_open_ ? 1 : 0;
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        end_.expires_after(time_to_end_);
        end_.async_wait(std::forward<Handler>(handler));
    }

    void close() noexcept
    {
        *open_ -= std::exchange(is_open_, false) ? 1 : 0;
        end_.cancel();
        memory_stream::close();
    }

private:
    std::shared_ptr<std::size_t> open_;
    duration time_to_end_;
    timer end_;
    bool is_open_ = false;
};

using tracked = line_connection<tracked_stream>;

} // namespace linkspan::test

#endif
