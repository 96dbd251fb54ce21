#ifndef LINKSPAN_TRANSPORT_STANDARD_STREAMS_HPP
#define LINKSPAN_TRANSPORT_STANDARD_STREAMS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/sigpipe_block.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/protocol/line_framing.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_category.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Configuration of `standard_streams`.
struct standard_streams_config {
    /// Maximum length in bytes of a line of the input, without the line end; at least 1. A longer line ends the
    /// connection with `line_too_long`. Default: 16 MiB.
    std::size_t max_line = line_framing::default_max_line;
};

/// Standard input and output of this process as one byte stream: the connection of a server that a client has started
/// as a child process.
///
/// The class satisfies `Stream`, so that a `line_connection` can use it. The object works on duplicates of the two
/// descriptors: closing the object does not close the standard streams of the process.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class standard_streams {
public:
    /// Configuration of the stream.
    using config_type = standard_streams_config;
    /// Name of the transport in reports.
    static constexpr std::string_view kind = "stdio";
    /// A client that has closed stdin of this process may still read stdout. A `server` does not use this
    /// constant, because the connection of a server ends with its input.
    static constexpr bool may_write_after_end = true;

    /// Duplicates the descriptors of stdin and stdout and makes the output non-blocking.
    ///
    /// A write whose reader has closed its end fails with `broken_pipe`, and raises no SIGPIPE. If stdout is not a
    /// socket, SIGPIPE is blocked on the thread during each write, by two system calls. The object omits these calls if
    /// the program ignores SIGPIPE when it constructs the object; the program must then ignore the signal until the
    /// connection ends. The object changes neither the disposition of the signal nor the signal mask that the rest of
    /// the program observes.
    ///
    /// \param executor Executor of the stream.
    /// \throws boost::system::system_error if stdin or stdout is not open, or cannot be used with the executor.
    explicit standard_streams(asio::any_io_executor executor, config_type = {})
        : in_(executor, ::dup(STDIN_FILENO)), out_(executor, ::dup(STDOUT_FILENO)), executor_(std::move(executor))
    {
        out_.non_blocking(true);
        struct stat about {};
        is_socket_ = ::fstat(out_.native_handle(), &about) == 0 && S_ISSOCK(about.st_mode);
        struct sigaction pipe {};
        is_sigpipe_ignored_ = ::sigaction(SIGPIPE, nullptr, &pipe) == 0 && pipe.sa_handler == SIG_IGN;
    }

    /// Has no effect: the stream is open from construction.
    void open(error_code&) {}

    /// Writes without blocking and returns the number of bytes written. Sets `ec` to `would_block` if the output is
    /// full. After any other error, such as `broken_pipe` if the reader has closed the output, closes the input,
    /// because the peer cannot receive responses. Does not raise SIGPIPE.
    std::size_t write_some(asio::const_buffer bytes, error_code& ec)
    {
        auto const size = is_socket_ ? send_some(bytes, ec) : write_to_pipe(bytes, ec);
        if (ec && ec != asio::error::would_block && ec != asio::error::interrupted) {
            error_code ignored;
            in_.close(ignored);
        }
        return size;
    }

    /// Waits until `write_some` can make progress or fail.
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
        out_.async_wait(asio::posix::stream_descriptor::wait_write, std::forward<Handler>(handler));
    }

    /// Reads at least one byte.
    ///
    /// \param into Buffer with a size greater than 0; the caller keeps it valid until the operation completes.
    /// \param handler Handler.
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
    /// Not supported, because the operation does not wait.
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
        asio::post(executor_, asio::append(std::forward<Handler>(handler), error_code()));
    }

    /// Closes the stream. Idempotent. Outstanding operations complete later, with `operation_aborted`.
    void close() noexcept
    {
        error_code ignored;
        in_.close(ignored);
        out_.close(ignored);
    }

private:
    // Writes to a pipe, a terminal or a file, for which no flag suppresses SIGPIPE.
    std::size_t write_to_pipe(asio::const_buffer bytes, error_code& ec)
    {
        detail::sigpipe_block const block(is_sigpipe_ignored_ || detail::is_sigpipe_blocked);
        bool const may_consume = block.may_consume();
        auto const size = out_.write_some(bytes, ec);
        if (ec == asio::error::broken_pipe && may_consume)
            block.consume();
        return size;
    }

    // Writes to a socket, with the flag that suppresses SIGPIPE.
    std::size_t send_some(asio::const_buffer bytes, error_code& ec) noexcept
    {
        ssize_t size;
        do
            size = ::send(out_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        while (size < 0 && errno == EINTR);
        ec = size < 0 ? error_code(errno, boost::system::system_category()) : error_code();
        return static_cast<std::size_t>(std::max<ssize_t>(size, 0));
    }

    asio::posix::stream_descriptor in_, out_; // duplicates of the standard streams
    asio::any_io_executor executor_;
    bool is_socket_ = false;          // whether stdout is a socket; set by the constructor
    bool is_sigpipe_ignored_ = false; // whether the program ignores SIGPIPE; set by the constructor
};

} // namespace linkspan

#endif
