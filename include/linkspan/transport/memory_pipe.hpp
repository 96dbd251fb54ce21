#ifndef LINKSPAN_TRANSPORT_MEMORY_PIPE_HPP
#define LINKSPAN_TRANSPORT_MEMORY_PIPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// One direction of a memory pipe: a bounded queue of bytes from one end to the other, which can be cut at any byte to
/// test failures.
///
/// A write that exceeds the capacity is accepted in part, as by a pipe of the operating system. At most one read and
/// one wait for writing may be outstanding.
///
/// \par Executor
/// Handlers are posted to the executor that is passed to the operation and run on their associated executors, never
/// inside a function of the channel.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe; both ends are used on one executor.
class memory_channel {
public:
    /// Default capacity in bytes: 64 KiB, the capacity of a pipe of Linux.
    static constexpr std::size_t default_capacity = std::size_t{64} << 10;

    /// Sets the capacity in bytes. Bytes that are already queued stay queued. An outstanding wait for writing completes
    /// if there is room.
    LINKSPAN_DECL void capacity(std::size_t bytes);

    /// Cuts the channel after a number of bytes: later bytes are not accepted.
    ///
    /// \param bytes Total number of bytes, counted from the construction of the channel, that are accepted; at least
    ///   `bytes_written()`.
    /// \param on_cut Called once, inside `write_some`, when that number is reached, or inside the next `write_some` if
    ///   it is already reached; typically closes the end that is assumed to fail.
    LINKSPAN_DECL void cut_after(std::uint64_t bytes, std::function<void()> on_cut);

    /// Returns the number of bytes that were accepted since the construction.
    std::uint64_t bytes_written() const noexcept { return written_; }

    /// Accepts as many bytes as there is room for and returns their number. Clears `ec` if the number is not 0.
    ///
    /// \par Errors
    /// `broken_pipe`: the reader or the writer was closed. `would_block`: no byte was accepted, because there is no
    /// room, the channel was cut, or `from` is empty.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`, and the exceptions of the function that was passed to `cut_after`.
    LINKSPAN_DECL std::size_t write_some(asio::const_buffer from, error_code& ec);

    /// Waits until there is room or the channel is closed. A channel that was cut has no room.
    ///
    /// \param writer Handler.
    /// \param executor Executor to which the completion is posted.
    /// \par Preconditions
    /// No other wait for writing is outstanding.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// None. The next `write_some` reports a closed channel.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close_writer` and `close_reader` complete the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The channel keeps the handler until the operation completes; the caller keeps the channel alive until then.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void wait_writable(detail::pending_handler<void(error_code)> writer,
                                     asio::any_io_executor const& executor);

    /// Reads at least one byte.
    ///
    /// \param into Buffer with a size greater than 0; the caller keeps it valid until the operation completes.
    /// \param reader Handler.
    /// \param executor Executor to which the completion is posted.
    /// \par Preconditions
    /// No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the writer was closed and all bytes were read. `operation_aborted`: the reader was closed.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close_writer` and `close_reader` complete the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The channel keeps the handler until the operation completes; the caller keeps the channel alive until then.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void read_some(asio::mutable_buffer into,
                                 detail::pending_handler<void(error_code, std::size_t)> reader,
                                 asio::any_io_executor const& executor);

    /// Returns whether a read would complete immediately, with bytes or with the end of the stream.
    bool is_readable() const noexcept { return waiting() != 0 || writer_closed_; }

    /// Closes the writing end. Reads return the remaining bytes and then `asio::error::eof`; writes fail with
    /// `broken_pipe`.
    LINKSPAN_DECL void close_writer();

    /// Closes the reading end. An outstanding read completes with `operation_aborted`; writes fail with `broken_pipe`.
    LINKSPAN_DECL void close_reader();

private:
    // Returns the number of bytes that were written and not read.
    std::size_t waiting() const noexcept { return bytes_.size() - read_size_; }

    // Completes the operations that can complete. Completions are posted, so that no handler of one end runs inside a
    // function of the other.
    LINKSPAN_DECL void complete_ready_operations();

    LINKSPAN_DECL void complete_read();

    // bytes written and not yet removed; cleared when all are read
    std::string bytes_;
    // number of bytes at the front of `bytes_` that were read
    std::size_t read_size_ = 0;
    // maximum number of unread bytes
    std::size_t capacity_ = default_capacity;
    // total number of bytes accepted
    std::uint64_t written_ = 0;
    // value of `written_` at which the channel is cut; set by cut_after()
    std::uint64_t cut_ = std::numeric_limits<std::uint64_t>::max();
    // set by cut_after(); cleared before the function is called
    std::function<void()> on_cut_;
    // set once by close_writer() and close_reader()
    bool writer_closed_ = false, reader_closed_ = false;
    // buffer and handler of the outstanding read; the handler is cleared when it is posted
    asio::mutable_buffer into_;
    detail::pending_handler<void(error_code, std::size_t)> reader_;
    // handler of the outstanding wait for writing; cleared when it is posted
    detail::pending_handler<void(error_code)> writer_;
    // executor of the operation that was initiated last
    asio::any_io_executor executor_;
};

/// One end of a memory pipe: two channels, one per direction. The channels are shared with the other end.
struct memory_end {
    /// Channel to read from. Null only in a default-constructed object.
    std::shared_ptr<memory_channel> in;
    /// Channel to write to. Null only in a default-constructed object.
    std::shared_ptr<memory_channel> out;

    /// Closes both directions of this end: the peer reads the remaining bytes and then the end of the stream, and
    /// writes of the peer fail with `broken_pipe`. Precondition: the channels are not null.
    void close() const
    {
        out->close_writer();
        in->close_reader();
    }
};

/// Returns the two ends of a new memory pipe, with the default capacity in each direction.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::pair<memory_end, memory_end> make_memory_pipe();

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/impl/memory_pipe.ipp>
#endif

#endif
