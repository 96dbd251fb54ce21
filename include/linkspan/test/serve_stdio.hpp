#ifndef LINKSPAN_TEST_SERVE_STDIO_HPP
#define LINKSPAN_TEST_SERVE_STDIO_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/line_connection.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include <string_view>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Standard input and output of this process as one byte stream: the connection of a server that a client has started
/// as a child process.
///
/// Meets the requirements of the stream of a `line_connection`. The object works on duplicates of the two descriptors:
/// closing the object does not close the standard streams of the process.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class standard_streams {
public:
    /// Options of the stream.
    struct config_type {
        /// Pause between the two halves of each write, to test clients with partial messages. Default: 0, each write is
        /// one piece.
        duration split_pause{};
    };
    /// Name of the transport in reports.
    static constexpr std::string_view kind = "stdio";

    /// Duplicates the descriptors of stdin and stdout and makes the output non-blocking.
    standard_streams(asio::any_io_executor executor, config_type config)
        : in_(executor, ::dup(STDIN_FILENO)),
          out_(executor, ::dup(STDOUT_FILENO)),
          pause_(executor),
          split_pause_(config.split_pause),
          executor_(std::move(executor))
    {
        out_.non_blocking(true);
    }

    /// Has no effect: the stream is open from construction.
    void open(error_code&) {}

    /// Writes without blocking and returns the number of bytes written. Sets `ec` to `would_block` if the output is
    /// full or the pause between two halves has not elapsed.
    std::size_t write_some(asio::const_buffer bytes, error_code& ec)
    {
        if (pausing_) {
            ec = asio::error::would_block;
            return 0;
        }
        if (split_pause_ == duration::zero() || std::exchange(second_half_, !second_half_))
            return out_.write_some(bytes, ec);
        pausing_ = true;
        return out_.write_some(asio::buffer(bytes, (bytes.size() + 1) / 2), ec);
    }

    /// Waits until `write_some` can make progress.
    ///
    /// \par Preconditions
    /// The stream is open. No other wait is outstanding.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// `operation_aborted`: the stream was closed.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: those of `asio::posix::stream_descriptor`. `close` aborts the operation too.
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
        out_.async_wait(asio::posix::stream_descriptor::wait_write, std::forward<Handler>(handler));
    }

    /// Reads at least one byte into `into`, which the caller keeps valid until the operation completes.
    ///
    /// \par Preconditions
    /// The stream is open. No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed its end. `operation_aborted`: the stream was closed. Also errors of the
    /// operating system.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: those of `asio::posix::stream_descriptor`. `close` aborts the operation too.
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
    void async_read_some(asio::mutable_buffer into, Handler&& handler)
    {
        in_.async_read_some(into, std::forward<Handler>(handler));
    }

    /// Closes the stream.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// None.
    /// \par Cancellation
    /// Not supported.
    /// \par Executor
    /// Call on the executor of the stream. The handler runs on its associated executor, by default that of the stream,
    /// never inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close();
        asio::post(executor_, [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    /// Closes the stream. Outstanding operations complete with `operation_aborted`.
    void close() noexcept
    {
        error_code ignored;
        in_.close(ignored);
        out_.close(ignored);
        pause_.cancel();
    }

private:
    asio::posix::stream_descriptor in_, out_; // duplicates of the standard streams
    timer pause_;                             // runs between the two halves of a write
    duration split_pause_;
    bool pausing_ = false;     // set when a first half is written, cleared when the pause starts
    bool second_half_ = false; // set when a first half is written, cleared when its second half is written
    asio::any_io_executor executor_;
};

/// Serves the client that started this process over standard input and output. The function is intended for the `main`
/// of a test program.
///
/// Returns when the client has closed stdin of this process.
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
/// \par Thread safety
/// Blocks the calling thread. Handlers run on this thread.
inline void serve_stdio(scripted_server& server, standard_streams::config_type config = {})
{
    asio::io_context context{1};
    auto const executor = asio::any_io_executor(context.get_executor());
    server.serve(executor, any_transport::make<line_connection<standard_streams>>(executor, config));
    context.run();
}

} // namespace linkspan::test

#endif
