#ifndef LINKSPAN_TRANSPORT_INPROC_HPP
#define LINKSPAN_TRANSPORT_INPROC_HPP

#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Configuration of a connection to a server in the same process.
struct inproc_config {
    /// Attaches a server to the other end of the connection. Called once for each connection, inside `async_open`, with
    /// the executor of the connection and the server's end of a new memory pipe. An error that the function returns is
    /// the error of `async_open`. If the function is empty, `async_open` completes with
    /// `asio::error::invalid_argument`.
    std::function<error_code(asio::any_io_executor const&, memory_end)> connect;

    /// Maximum length in bytes of a line that the server writes, without the line end; at least 1. A longer line
    /// closes the connection with `error::line_too_long`. Default: 16 MiB.
    std::size_t max_line = line_framing::default_max_line;

    /// Called with the name under which a connector adds the server. Default: empty, which means that no function is
    /// called.
    std::function<void(std::string_view name)> on_named{};
};

/// One end of a memory pipe as a `Stream`. `inproc` is the transport over this stream.
///
/// \par Lifetime
/// The object may be destroyed while operations are outstanding if it was closed before.
/// \par Thread safety
/// Distinct objects: safe. Shared objects, including the two ends of a pipe: unsafe.
class memory_stream {
public:
    /// Type of the configuration.
    using config_type = inproc_config;
    /// Name of the transport in reports.
    static constexpr std::string_view kind = "inproc";

    /// Constructs a stream that is not open; `open` creates the pipe.
    memory_stream(asio::any_io_executor executor, inproc_config const& config)
        : executor_(std::move(executor)), connect_(config.connect)
    {}

    /// Constructs a stream over an existing end of a pipe, such as the end that `inproc_config::connect` receives.
    /// `open` has no effect then.
    memory_stream(asio::any_io_executor executor, memory_end end) : executor_(std::move(executor)), end_(std::move(end))
    {}

    /// Calls `config.on_named` with the name under which a connector adds the server.
    static void name_server(config_type const& config, std::string_view name)
    {
        if (config.on_named)
            config.on_named(name);
    }

    /// Creates a memory pipe and passes its other end to `inproc_config::connect`, whose result is stored in `ec`.
    /// Errors: `invalid_argument`: `inproc_config::connect` is empty; the errors of that function.
    void open(error_code& ec)
    {
        if (end_.out)
            return;
        if (!connect_) {
            ec = asio::error::invalid_argument;
            return;
        }
        auto [client_end, server_end] = make_memory_pipe();
        end_ = std::move(client_end);
        ec = connect_(executor_, std::move(server_end));
    }

    /// Returns a message if the stream cannot be opened because `inproc_config::connect` is empty. Otherwise, returns
    /// an empty text.
    std::string diagnostics() const { return connect_ || end_.out ? "" : "inproc_config::connect is empty"; }

    /// Writes as many bytes as the pipe has room for and returns their number. Errors: `would_block`: the pipe is full;
    /// `broken_pipe`: one of the ends is closed.
    std::size_t write_some(asio::const_buffer bytes, error_code& ec) { return end_.out->write_some(bytes, ec); }

    /// Waits until the pipe has room or one of its ends is closed.
    ///
    /// \par Preconditions
    /// The stream is open. No other wait is outstanding.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// None. The next `write_some` reports a closed pipe.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` completes the operation without an error.
    /// \par Executor
    /// Call on the executor of the stream. The handler runs on its associated executor, by default that of the stream,
    /// never inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation if it was closed before.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        end_.out->wait_writable({std::forward<Handler>(handler), executor_}, executor_);
    }

    /// Reads at least one byte into `into`, which the caller keeps valid until the operation completes.
    ///
    /// \par Preconditions
    /// The stream is open. No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed its end and all bytes were read. `operation_aborted`: this end was closed.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the executor of the stream. The handler runs on its associated executor, by default that of the stream,
    /// never inside the initiating function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation if it was closed before.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_read_some(asio::mutable_buffer into, Handler&& handler)
    {
        end_.in->read_some(into, {std::forward<Handler>(handler), executor_}, executor_);
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
    /// The stream may be destroyed during the operation if it was closed before.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close();
        asio::post(executor_, [done = detail::pending_handler<void(error_code)>(
                                   std::forward<Handler>(handler), executor_)]() mutable { done.complete({}); });
    }

    /// Closes both directions. Idempotent. Outstanding operations complete later.
    void close() noexcept
    {
        if (end_.in)
            end_.close();
    }

private:
    asio::any_io_executor executor_; // of all operations; set by the constructor
    // set by the constructor; empty for a stream over an existing end
    std::function<error_code(asio::any_io_executor const&, memory_end)> connect_;
    memory_end end_; // set by the constructor or by open(), never cleared; its channels are null until then
};

/// Transport to a server in the same process, such as `linkspan::test::scripted_server`, over a pipe in memory.
///
/// Each connection has its own pipe. The transport has the message format and the semantics of `stdio`, without a
/// process.
using inproc = line_connection<memory_stream>;

/// The server's end of a memory pipe, as `inproc_config::connect` receives it, as a `Stream` that is open from the
/// start. `inproc_server` is the transport over this stream.
class accepted_memory_stream : public memory_stream {
public:
    /// Configuration: the end of the pipe.
    struct config_type {
        memory_end end; ///< the server's end of a memory pipe
    };

    /// Constructs a stream over the end of a pipe.
    accepted_memory_stream(asio::any_io_executor executor, config_type const& config)
        : memory_stream(std::move(executor), config.end)
    {}
};

/// Transport of a server to a client in the same process that connects with `inproc`.
using inproc_server = line_connection<accepted_memory_stream>;

static_assert(Transport<inproc>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template class line_connection<memory_stream>;
extern template any_transport any_transport::make<inproc>(asio::any_io_executor const&, inproc_config const&);
extern template transport_factory via<inproc>(inproc_config);
#endif

} // namespace linkspan

#endif
