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

namespace linkspan {

namespace asio = boost::asio;

namespace detail {
class child_state;
}

/// A child process as a two-way stream: what we write is its stdin, what we read is its stdout. Its stderr is read all
/// the time, and the end of it is kept.
///
/// The stream ends with the child: when the process that we started has ended, reads yield what it left in the pipe and
/// then `asio::error::eof`, and what it left behind in its process group is killed.
///
/// Handlers are called on their own executors, or else on that of the stream, and never from within the function that
/// starts the operation. One operation of each kind at a time.
/// Lifetimes: the stream may be destroyed while operations are out; a buffer must live until its read completes.
/// Thread safety: all functions are called on the executor of the stream, which runs one handler at a time.
class child_stream {
public:
    using config_type = stdio_config;
    static constexpr std::string_view kind = "stdio";

    /// Starts nothing yet.
    LINKSPAN_DECL child_stream(asio::any_io_executor executor, config_type const& config);

    child_stream(child_stream const&) = delete;
    child_stream& operator=(child_stream const&) = delete;

    LINKSPAN_DECL ~child_stream();

    asio::any_io_executor const& get_executor() const noexcept { return executor_; }

    /// Starts the child; once. Errors: `errno` of the step that failed, which `diagnostics()` describes.
    LINKSPAN_DECL void open(error_code& ec);

    /// Writes what fits into the pipe now, and raises no SIGPIPE.
    /// Errors: `would_block` when nothing fits; `broken_pipe` when the child, or its stdin, is gone.
    LINKSPAN_DECL std::size_t write_some(asio::const_buffer bytes, error_code& ec);

    /// Waits until a write makes sense: something fits, or the child is gone, which the write then says.
    ///
    /// Handler: `void(error_code)`. Errors: `operation_aborted` when closed, or when a shutdown closes stdin.
    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        wait_writable({std::forward<Handler>(handler), executor_});
    }

    /// Reads what is there, or comes next.
    ///
    /// Handler: `void(error_code, std::size_t)`.
    /// Errors: `asio::error::eof` at the end, which may be a moment before the child has an exit status: after `close`
    ///         `diagnostics()` has it; `operation_aborted` when closed.
    template<class Handler>
    void async_read_some(asio::mutable_buffer buffer, Handler&& handler)
    {
        read_some(buffer, {std::forward<Handler>(handler), executor_});
    }

    /// Ends the child: closes its stdin; after `close_grace` sends SIGTERM to its process group, and after `term_grace`
    /// SIGKILL. Reads go on meanwhile. What arrives while no read is out is dropped, so that a child which blocks in a
    /// write can end; from then on reads yield `eof`, because a stream with a gap is worth less than none.
    ///
    /// Handler: `void(error_code)`, when the child is reaped and its group is gone.
    /// Errors: `operation_aborted` when closed.
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        shut_down({std::forward<Handler>(handler), executor_});
    }

    /// Kills the process group and reaps the child, now. Operations that are out complete later, with
    /// `operation_aborted`. Blocks until the kernel is done with the child, for some 100 us as a rule.
    LINKSPAN_DECL void close() noexcept;

    /// Text for people: why the child could not be started, or else its process id, how it ended, and its last words on
    /// stderr, of which up to 4 KiB. Complete when the child has ended, before and after `close`.
    LINKSPAN_DECL std::string diagnostics() const;

    /// Whether the child has ended with status 0, and was not asked to.
    LINKSPAN_DECL bool exited_cleanly() const;

    /// 0 before `open` succeeded.
    LINKSPAN_DECL pid_t pid() const noexcept;

    /// The last bytes of stderr, at most `stdio_config::stderr_tail`. Valid until control returns to the executor.
    LINKSPAN_DECL std::string_view stderr_tail() const;

    /// bytes that the child wrote to stderr
    LINKSPAN_DECL std::size_t stderr_size() const noexcept;

private:
    LINKSPAN_DECL void wait_writable(detail::pending_handler<void(error_code)> done);
    LINKSPAN_DECL void read_some(asio::mutable_buffer buffer,
                                 detail::pending_handler<void(error_code, std::size_t)> done);
    LINKSPAN_DECL void shut_down(detail::pending_handler<void(error_code)> done);

    asio::any_io_executor executor_;
    std::shared_ptr<detail::child_state> state_; // shared with the operations that are out
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_stream.ipp>
#endif

#endif
