#ifndef LINKSPAN_TRANSPORT_BYTE_STREAM_HPP
#define LINKSPAN_TRANSPORT_BYTE_STREAM_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Interface of a connected, bidirectional byte stream: TCP, a Unix domain socket, TLS over another stream, or memory.
/// HTTP clients and HTTP servers are implemented over this interface.
///
/// A `byte_stream` is connected when it is constructed; there is no operation to open one. At most one read and one
/// write may be outstanding at the same time.
///
/// \par Executor
/// A handler runs on its associated executor, never inside the function that initiates its operation. A handler whose
/// execution context is destroyed is destroyed without being invoked.
/// \par Lifetime
/// The stream may be destroyed while operations are outstanding; the operations complete with `operation_aborted`. An
/// implementation keeps alive all state that an operation needs. The caller keeps the buffer of an operation valid
/// until the operation completes.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class byte_stream {
public:
    /// Type-erased handler of a read or a write, with the signature `void(error_code, std::size_t)`. An implementation
    /// invokes the handler once, by `done.complete(ec, size)`, never inside the initiating function.
    using io_handler = detail::pending_handler<void(error_code, std::size_t)>;

    byte_stream() = default;
    byte_stream(byte_stream const&) = delete;
    byte_stream& operator=(byte_stream const&) = delete;

    /// Closes the stream. Outstanding operations complete later, with `operation_aborted`.
    virtual ~byte_stream() = default;

    /// Reads at least one byte.
    ///
    /// \param into Buffer with a size greater than 0; the caller keeps it valid until the operation completes.
    /// \param done Handler.
    /// \par Preconditions
    /// No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed its side. `operation_aborted`: the stream was closed or destroyed. Errors of
    /// the underlying socket.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    virtual void read_some(asio::mutable_buffer into, io_handler done) = 0;

    /// Initiates a read of the response to the next request of a reused connection, unless the stream is stale (see
    /// `is_stale`).
    ///
    /// The function is called before the request is written, so that bytes that were received earlier are not taken for
    /// the response. The default implementation calls `is_stale`, and `read_some` if the result is false. A derived
    /// class may use one system call for both.
    ///
    /// \param into Buffer with a size greater than 0; the caller keeps it valid until the operation completes.
    /// \param done Handler, as for `read_some`. If the function returns false, the handler is destroyed, or it is
    /// invoked with `operation_aborted` after `close`.
    /// \returns False if the stream is stale, or if its state is not known. The caller closes the stream.
    /// \par Preconditions
    /// No operation is outstanding.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    virtual bool read_unless_stale(asio::mutable_buffer into, io_handler done)
    {
        if (is_stale())
            return false;
        read_some(into, std::move(done));
        return true;
    }

    /// Writes the beginning of a buffer, as far as the stream accepts it immediately. The caller passes the remaining
    /// bytes to `write`, which also reports an error of this function.
    ///
    /// The default implementation writes nothing.
    ///
    /// \param from Bytes to write; the caller keeps them valid during the call.
    /// \returns The number of accepted bytes.
    /// \par Preconditions
    /// No write is outstanding. A read may be outstanding.
    virtual std::size_t write_now([[maybe_unused]] asio::const_buffer from) { return 0; }

    /// Writes all bytes of a buffer.
    ///
    /// \param from Bytes to write; the caller keeps them valid until the operation completes.
    /// \param done Handler.
    /// \par Preconditions
    /// No other write is outstanding. A read may be outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes that the stream accepted, also on
    /// error.
    /// \par Errors
    /// `operation_aborted`: the stream was closed or destroyed. Errors of the underlying socket.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    virtual void write(asio::const_buffer from, io_handler done) = 0;

    /// Returns whether a part of the outstanding write, or of the last failed write, was not accepted.
    ///
    /// The default implementation returns false, which means "not known". Bytes that were accepted may have reached the
    /// peer, even if the write has not completed.
    virtual bool has_unwritten() const noexcept { return false; }

    /// Returns whether a new request on this connection would fail: the peer has closed it, or has sent bytes since the
    /// last read that belong to no request.
    ///
    /// \par Preconditions
    /// No operation is outstanding.
    virtual bool is_stale() noexcept = 0;

    /// Closes the stream immediately. Idempotent. Outstanding operations complete after this function has returned.
    virtual void close() noexcept = 0;
};

} // namespace linkspan

#endif
