#ifndef LINKSPAN_TEST_SERVE_STDIO_HPP
#define LINKSPAN_TEST_SERVE_STDIO_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/detail/exit_scope.hpp>
#include <linkspan/test/detail/program_end.hpp>
#include <linkspan/test/detail/signal_wait.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/standard_streams.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Standard streams of this process as in `linkspan::standard_streams`, with a pause inside of each write, to test
/// clients with partial messages.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class standard_streams : public linkspan::standard_streams {
public:
    /// Options of the stream.
    struct config_type {
        /// Pause between the two halves of each write. Default: 0, each write is one piece.
        duration split_pause{};
    };

    /// Duplicates the descriptors of stdin and stdout and makes the output non-blocking.
    standard_streams(asio::any_io_executor executor, config_type config)
        : linkspan::standard_streams(executor),
          pause_(executor),
          last_(std::move(executor)),
          split_pause_(config.split_pause)
    {}

    /// Writes without blocking and returns the number of bytes written. Sets `ec` to `would_block` if the output is
    /// full or the pause between two halves has not elapsed.
    std::size_t write_some(asio::const_buffer bytes, error_code& ec)
    {
        if (pausing_) {
            ec = asio::error::would_block;
            return 0;
        }
        auto size = bytes.size();
        if (split_pause_ != duration::zero() && !std::exchange(second_half_, !second_half_)) {
            pausing_ = true;
            size = (size + 1) / 2;
        }
        size = linkspan::standard_streams::write_some(asio::buffer(bytes, size), ec);
        is_full_ = pausing_ || ec == asio::error::would_block;
        return size;
    }

    /// Waits until `write_some` can make progress: until the pause has elapsed, if a write has begun it, otherwise
    /// until the output can accept bytes.
    ///
    /// \par Preconditions
    /// The stream is open. No other wait is outstanding.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// `operation_aborted`: the stream was closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: as for a wait of `asio::posix::stream_descriptor`, or of `linkspan::timer`
    /// during the pause. `close` also aborts the operation.
    /// \par Executor
    /// Call on the executor of the stream. The handler runs on its associated executor, by default that of the stream,
    /// never inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        if (std::exchange(pausing_, false)) {
            pause_.expires_after(split_pause_);
            return pause_.async_wait(std::forward<Handler>(handler));
        }
        linkspan::standard_streams::async_wait_writable(std::forward<Handler>(handler));
    }

    /// Closes the stream. If the output is full, the client has one second to read the bytes that were sent before.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// None.
    /// \par Cancellation
    /// Not supported. `close` ends the wait for the client.
    /// \par Executor
    /// Call on the executor of the stream. The handler runs on its associated executor, by default that of the stream,
    /// never inside the initiating function.
    /// \par Lifetime
    /// The stream must exist until the operation completes, unless its executor no longer runs handlers.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close_when_written(std::forward<Handler>(handler), 100);
    }

    /// Closes the stream. Outstanding reads and waits complete with `operation_aborted`, and an outstanding shutdown
    /// without an error.
    void close() noexcept
    {
        linkspan::standard_streams::close();
        pause_.cancel();
        last_.cancel();
    }

private:
    // Closes the stream when the output has accepted all bytes, or after this number of waits. The handler keeps this
    // object alive.
    template<class Handler>
    void close_when_written(Handler handler, int waits)
    {
        if (!is_full_ || waits == 0)
            return linkspan::standard_streams::async_shutdown(std::move(handler));
        last_.expires_after(std::chrono::milliseconds(10));
        last_.async_wait([this, handler = std::move(handler), waits](error_code ec) mutable {
            close_when_written(std::move(handler), ec ? 0 : waits - 1);
        });
    }

    timer pause_; // runs between the two halves of a write
    timer last_;  // runs during a shutdown while the output is full
    duration split_pause_;
    bool is_full_ = false;     // whether bytes of the last write are left; set by write_some()
    bool pausing_ = false;     // set when a first half is written, cleared when the pause starts
    bool second_half_ = false; // set when a first half is written, cleared when its second half is written
};

/// Serves the client that started this process over standard input and output. The function is intended for the `main`
/// of a test program.
///
/// Returns when the client has closed stdin of this process, or when the server has ended the connection. Replaces
/// `script_values::exit`, so that the action `exit` ends the connection after the messages that were sent before.
///
///     int main()
///     {
///         linkspan::test::scripted_server server;
///         linkspan::test::make_calculator(server);
///         linkspan::test::serve_stdio(server);
///     }
///
/// \param server The server, which must outlive the call.
/// \param config Options of the stream.
/// \param takes_signals Whether SIGINT and SIGTERM end the connection; for the first of these signals, the actions of a
/// rule with the trigger `signal_received` run instead. Default: the signals keep the effect that the program has
/// chosen, or end the process.
/// \returns The status of the action `exit`; 128 plus the number of a signal that ended the connection; 0 after any
/// other end.
/// \throws boost::system::system_error The standard streams or the signals cannot be used. Exceptions of actions and of
/// functions of tools also end the call.
/// \par Thread safety
/// Blocks the calling thread. Handlers run on this thread.
inline int serve_stdio(scripted_server& server, standard_streams::config_type config = {}, bool takes_signals = false)
{
    asio::io_context context{1};
    auto const executor = asio::any_io_executor(context.get_executor());
    int out = 0;
    auto& values = server.values();
    detail::exit_scope const scope(server, [&](int status) {
        if (std::exchange(values.ending, true))
            return;
        out = status;
        server.end_actions();
        server.drop_connections();
    });
    std::optional<detail::signal_wait> signals;
    bool is_first = true;
    if (takes_signals)
        signals.emplace(executor, [&](int signal) {
            bool const has_rule =
                std::exchange(is_first, false) && server.receive_signal(executor, detail::name_of_signal(signal));
            if (!has_rule)
                values.exit(128 + signal);
        });
    server.serve(executor, any_transport::make<line_connection<standard_streams>>(executor, config), [&] {
        if (signals)
            signals->end();
    });
    context.run();
    return out;
}

} // namespace linkspan::test

#endif
