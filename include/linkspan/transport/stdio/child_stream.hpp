#ifndef LINKSPAN_TRANSPORT_STDIO_CHILD_STREAM_HPP
#define LINKSPAN_TRANSPORT_STDIO_CHILD_STREAM_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/stdio/stdio_config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {
class child_state;
}

/// A child process as a bidirectional byte stream: writes go to its stdin, reads come from its stdout.
///
/// The stream reads stderr continuously and stores the last bytes. The stream ends when the child process terminates:
/// reads then return the bytes that are left in the pipe and then `asio::error::eof`, and the other processes of the
/// process group are killed. The class satisfies `Stream`; `stdio` is the transport over this stream.
///
/// At most one operation of each kind may be outstanding.
///
/// \par Executor
/// All functions must be called on the executor of the stream, which must run one handler at a time. A handler runs on
/// its associated executor, by default that of the stream, never inside the function that initiates its operation.
/// \par Lifetime
/// The stream may be destroyed while operations are outstanding. The buffer of a read must be valid until the read
/// completes. If the execution context is destroyed, outstanding handlers are destroyed without being invoked.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class child_stream {
public:
    /// Type of the configuration.
    using config_type = stdio_config;
    /// Name of the transport in reports.
    static constexpr std::string_view kind = "stdio";

    /// Constructs a stream without starting the process.
    ///
    /// \param executor Executor of the stream; must run one handler at a time.
    /// \param config Configuration, which is copied.
    LINKSPAN_DECL child_stream(asio::any_io_executor executor, config_type const& config);

    child_stream(child_stream const&) = delete;
    child_stream& operator=(child_stream const&) = delete;

    /// Closes the stream, as `close` does.
    LINKSPAN_DECL ~child_stream();

    /// Returns the executor of the stream.
    asio::any_io_executor const& get_executor() const noexcept { return executor_; }

    /// Starts the child process.
    ///
    /// \param ec Set to the result.
    /// \par Preconditions
    /// Called at most once.
    /// \par Errors
    /// `errno` of the step that failed; `diagnostics()` describes the step. `asio::error::already_open`: the stream was
    /// opened or closed before.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void open(error_code& ec);

    /// Writes as many bytes as the pipe accepts without blocking, and returns their number. Does not raise SIGPIPE.
    ///
    /// \par Errors
    /// `would_block`: the pipe is full. `broken_pipe`: the child process has terminated, or its stdin is closed on
    /// either side.
    LINKSPAN_DECL std::size_t write_some(asio::const_buffer bytes, error_code& ec);

    /// Waits until the pipe accepts bytes, or until the child process has terminated. The next `write_some` reports the
    /// termination as `broken_pipe`.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// `operation_aborted`: the stream was closed, or a shutdown closed stdin.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the stream's executor. The handler runs on its associated executor, by default that of the stream, never
    /// inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        wait_writable({std::forward<Handler>(handler), executor_});
    }

    /// Reads at least one byte of the stdout of the child process.
    ///
    /// \param buffer Buffer with a size greater than 0; the caller keeps it valid until the operation completes.
    /// \param handler Handler; its second argument is the number of bytes read.
    /// \par Preconditions
    /// No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`.
    /// \par Errors
    /// `asio::error::eof`: the child process has terminated, or has closed its stdout, or a shutdown discarded output.
    /// The exit status may not be known yet; after `close`, `diagnostics()` contains it. `operation_aborted`: the
    /// stream was closed.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the stream's executor. The handler runs on its associated executor, by default that of the stream, never
    /// inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_read_some(asio::mutable_buffer buffer, Handler&& handler)
    {
        read_some(buffer, {std::forward<Handler>(handler), executor_});
    }

    /// Terminates the child process gracefully: closes its stdin; after `close_grace`, sends SIGTERM to its process
    /// group; after a further `term_grace`, sends SIGKILL. Completes when the process is reaped and its process group
    /// is killed.
    ///
    /// Reads continue during the shutdown. Output that arrives while no read is outstanding is discarded, so that a
    /// child process which blocks in a write can terminate; later reads then complete with `asio::error::eof`, because
    /// the stream has a gap.
    ///
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// `operation_aborted`: the stream was closed.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the stream's executor. The handler runs on its associated executor, by default that of the stream, never
    /// inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, basic/lifecycle, "Shutdown".
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        shut_down({std::forward<Handler>(handler), executor_});
    }

    /// Kills the process group with SIGKILL and reaps the child process. Idempotent. Blocks until the kernel has
    /// terminated the process, typically for about 100 us. Outstanding operations complete later, with
    /// `operation_aborted`.
    LINKSPAN_DECL void close() noexcept;

    /// Returns text for diagnostics: the reason why the process could not be started, or its process id, its exit
    /// status, and up to 4 KiB of the end of stderr. The text is complete when the process has terminated, before and
    /// after `close`.
    LINKSPAN_DECL std::string diagnostics() const;

    /// Returns whether the process has terminated with exit code 0.
    LINKSPAN_DECL bool exited_cleanly() const;

    /// Returns the process id; 0 before `open` has succeeded.
    LINKSPAN_DECL pid_t pid() const noexcept;

    /// Returns the last bytes of stderr, at most `stdio_config::stderr_tail`. Valid until the calling handler returns
    /// to the executor.
    LINKSPAN_DECL std::string_view stderr_tail() const;

    /// Returns the number of bytes that the child process has written to stderr and that were read.
    LINKSPAN_DECL std::size_t stderr_size() const noexcept;

private:
    LINKSPAN_DECL void wait_writable(detail::pending_handler<void(error_code)> done);
    LINKSPAN_DECL void read_some(asio::mutable_buffer buffer,
                                 detail::pending_handler<void(error_code, std::size_t)> done);
    LINKSPAN_DECL void shut_down(detail::pending_handler<void(error_code)> done);

    asio::any_io_executor executor_;
    std::shared_ptr<detail::child_state> state_; // shared with the outstanding operations
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_stream.ipp>
#endif

#endif
