#ifndef LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STATE_HPP
#define LINKSPAN_TRANSPORT_STDIO_DETAIL_CHILD_STATE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/transport/stdio/child_handle.hpp>
#include <linkspan/transport/stdio/child_process.hpp>
#include <linkspan/transport/stdio/detail/child_keeper.hpp>
#include <linkspan/transport/stdio/detail/child_stderr.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace linkspan::inline LINKSPAN_ABI::detail {

// State of a `child_stream`: the child process, its pipes, and the steps of a shutdown. The stream and its outstanding
// operations share the object.
//
// Invariants: `process_` is set from a successful open() until close(). After `exited_` or `closed_` is set, the
// process is reaped and its process group is killed. At most one read of stdout is outstanding.
class child_state : public std::enable_shared_from_this<child_state> {
public:
    using wait_handler = pending_handler<void(error_code)>;
    using read_handler = pending_handler<void(error_code, std::size_t)>;

    child_state(asio::any_io_executor const& executor, stdio_config const& config)
        : config_(config),
          executor_(executor),
          stdin_(executor),
          stdout_(executor),
          stderr_(executor),
          escalation_timer_(executor),
          shutdown_done_(executor),
          tail_(config.stderr_tail)
    {
        shutdown_done_.expires_at(time_point::max());
    }

    LINKSPAN_DECL void open(error_code& ec);
    LINKSPAN_DECL std::size_t write_some(asio::const_buffer bytes, error_code& ec);
    LINKSPAN_DECL void wait_writable(wait_handler done);
    LINKSPAN_DECL void read_some(asio::mutable_buffer buffer, read_handler done);
    LINKSPAN_DECL void shut_down(wait_handler done);
    LINKSPAN_DECL void close() noexcept;

    LINKSPAN_DECL std::string diagnostics();
    bool exited_cleanly() const noexcept { return status_ && !status_->signalled && status_->value == 0; }
    pid_t pid() const noexcept { return pid_; }
    std::size_t stderr_size() const noexcept { return tail_.seen(); }

    std::string_view stderr_tail()
    {
        read_pending_stderr();
        return tail_.view();
    }

private:
    using descriptor = asio::posix::stream_descriptor;

    LINKSPAN_DECL static void enlarge(unique_fd const& pipe) noexcept;
    LINKSPAN_DECL static void adopt(descriptor& target, unique_fd source, error_code& ec);
    LINKSPAN_DECL static std::optional<std::size_t> read_now(descriptor& source, asio::mutable_buffer buffer) noexcept;

    LINKSPAN_DECL void finish_read(asio::mutable_buffer buffer, read_handler done, error_code ec, std::size_t size);
    LINKSPAN_DECL void await_exit();
    LINKSPAN_DECL void forget() noexcept;
    LINKSPAN_DECL void on_exit(error_code ec, exit_status status);
    bool has_ended() const noexcept { return exited_ || !process_; }
    LINKSPAN_DECL std::string describe_status() const;

    LINKSPAN_DECL void watch_stderr();
    LINKSPAN_DECL bool read_stderr();
    LINKSPAN_DECL void read_pending_stderr();
    LINKSPAN_DECL void deliver_lines();

    LINKSPAN_DECL void drain_stdout();
    LINKSPAN_DECL void escalate(duration grace, int signal);

    stdio_config const config_;      // set by the constructor
    asio::any_io_executor executor_; // of all operations; set by the constructor
    // Ends of the pipes. Opened by open() and closed by close(); `stdin_` also by shut_down(), and `stderr_` when the
    // process has ended.
    descriptor stdin_, stdout_, stderr_;
    std::unique_ptr<default_process_handle> process_; // set by open(), cleared by close()
    // Started by shut_down(), and again by its SIGTERM; cancelled by the exit of the process and by close().
    timer escalation_timer_;
    // Timer without an expiry, on which each shut_down() waits for the end of the process. The waits are cancelled by
    // the end of the process, by close(), and by a shut_down() that begins after the end of the process.
    timer shutdown_done_;

    // set by open(); 0 if open() has failed
    pid_t pid_ = 0;
    // set when the process is started; cleared when it is reaped
    child_keeper* keeper_ = nullptr;
    // set when open() fails
    std::string launch_failure_;
    // set when this object reaps the process; empty if other code did
    std::optional<exit_status> status_;
    // last signal that this object sent to the process: by a shutdown, or by close() before `pipe_ended_`; 0: none
    int sent_signal_ = 0;
    // set when a read returns the end of stdout, or a write fails because the process has closed stdin
    bool pipe_ended_ = false;
    // set when the process has terminated and is reaped, also without a known status
    bool exited_ = false;
    // set once by close()
    bool closed_ = false;
    // set once by shut_down()
    bool shutting_down_ = false;
    // set while a read of stdout is outstanding; cleared by its completion
    bool reading_ = false;
    // set when a shutdown discards output; reads then return the end of the stream
    bool output_discarded_ = false;

    // last bytes of stderr; appended by each read of stderr, never cleared
    byte_tail tail_;
    // lines of stderr that were not delivered; appended by each read of stderr if `config_.on_stderr` is set, removed
    // by deliver_lines()
    line_cutter lines_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/stdio/impl/child_state.ipp>
#endif

#endif
