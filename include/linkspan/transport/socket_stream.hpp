#ifndef LINKSPAN_TRANSPORT_SOCKET_STREAM_HPP
#define LINKSPAN_TRANSPORT_SOCKET_STREAM_HPP

#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>
#include <memory>
#include <sys/socket.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// A connected stream socket of Asio as a `byte_stream`.
///
///     auto stream = std::make_unique<linkspan::socket_stream<asio::ip::tcp::socket>>(std::move(socket));
///
/// \tparam Socket Stream socket, such as `asio::ip::tcp::socket` or `asio::local::stream_protocol::socket`.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
template<class Socket>
class socket_stream final : public byte_stream {
public:
    /// Takes ownership of a connected socket and makes it non-blocking.
    ///
    /// \param socket Connected socket.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    explicit socket_stream(Socket socket) : core_(std::make_shared<core>(std::move(socket))) {}

    /// Closes the socket. Outstanding operations complete later, with `operation_aborted`.
    ~socket_stream() override { close(); }

    /// Reads at least one byte.
    ///
    /// \param into Buffer with a size greater than 0.
    /// \param done Handler.
    /// \par Preconditions
    /// No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed the connection. `operation_aborted`: this stream was closed. Errors of the
    /// socket.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`. The caller
    /// keeps the buffer valid until the operation completes.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        core_->socket.async_read_some(
            into, [self = core_, done = std::move(done)](error_code ec, std::size_t size) mutable {
                done.complete(self->closed ? error_code(asio::error::operation_aborted) : ec, size);
            });
    }

    /// Initiates a read, unless the socket has unread bytes, was closed by the peer, or has failed. See
    /// `byte_stream::read_unless_stale`.
    ///
    /// \param into Buffer with a size greater than 0.
    /// \param done Handler. If the function returns false, the handler is destroyed, or it is invoked with
    /// `operation_aborted` after `close`.
    /// \returns False if the socket is stale, or if its state is not known. The caller closes the stream.
    /// \par Preconditions
    /// No operation is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed the connection. `operation_aborted`: this stream was closed. Errors of the
    /// socket.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`. The caller
    /// keeps the buffer valid until the operation completes.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    bool read_unless_stale(asio::mutable_buffer into, io_handler done) override
    {
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
        return byte_stream::read_unless_stale(into, std::move(done));
#else
        // The reactor of Asio attempts each read immediately. EAGAIN shows that this attempt has found neither bytes
        // nor the end of the stream. If another implementation makes no attempt, the connection is not reused.
        errno = 0;
        read_some(into, std::move(done));
        return errno == EAGAIN;
#endif
    }

    /// Writes all bytes of a buffer.
    ///
    /// \param from Bytes to write.
    /// \param done Handler.
    /// \par Preconditions
    /// No other write is outstanding. A read may be outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes accepted, also on error.
    /// \par Errors
    /// `operation_aborted`: this stream was closed. Errors of the socket.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The stream may be destroyed during the operation, which then completes with `operation_aborted`. The caller
    /// keeps the buffer valid until the operation completes.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    void write(asio::const_buffer from, io_handler done) override { core_->write(from, 0, std::move(done)); }

    /// Writes the beginning of a buffer by one system call, without blocking. The caller passes the remaining bytes to
    /// `write`, which also reports an error of this function.
    ///
    /// \param from Bytes to write; the caller keeps them valid during the call.
    /// \returns The number of accepted bytes.
    /// \par Preconditions
    /// No write is outstanding. A read may be outstanding.
    std::size_t write_now(asio::const_buffer from) override
    {
        auto const written = core_->socket.write_some(from, core_->write_error);
        core_->has_unwritten = written != from.size();
        return written;
    }

    /// Returns whether a part of the outstanding or of the last failed write was not accepted by the socket.
    bool has_unwritten() const noexcept override { return core_->has_unwritten; }

    /// Returns whether the socket has unread bytes, was closed by the peer, or has failed. No bytes are removed
    /// (`MSG_PEEK`).
    ///
    /// \par Preconditions
    /// No operation is outstanding.
    bool is_stale() noexcept override
    {
        char byte;
        auto const size = ::recv(core_->socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        return size >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    }

    /// Closes the socket. Idempotent. Outstanding operations complete later, with `operation_aborted`.
    void close() noexcept override
    {
        core_->closed = true;
        error_code ignored;
        core_->socket.close(ignored);
    }

private:
    // State of the stream, shared by the stream and its outstanding operations.
    struct core : std::enable_shared_from_this<core> {
        explicit core(Socket s) : socket(std::move(s))
        {
            error_code ignored;
            socket.non_blocking(true, ignored);
        }

        // The first write is attempted immediately, because most messages fit into the socket buffer and then need no
        // further system call.
        void write(asio::const_buffer from, std::size_t written, io_handler done)
        {
            auto ec = std::exchange(write_error, {});
            while (!ec && written != from.size())
                written += socket.write_some(asio::const_buffer(from + written), ec);
            has_unwritten = written != from.size();
            if (closed)
                ec = asio::error::operation_aborted;
            if (ec == asio::error::would_block || ec == asio::error::try_again)
                return socket.async_wait(Socket::wait_write, [self = this->shared_from_this(), from, written,
                                                              done = std::move(done)](error_code failed) mutable {
                    if (failed)
                        done.complete(failed, written);
                    else
                        self->write(from, written, std::move(done));
                });
            asio::post(socket.get_executor(),
                       [self = this->shared_from_this(), done = std::move(done), ec, written]() mutable {
                           done.complete(self->closed ? error_code(asio::error::operation_aborted) : ec, written);
                       });
        }

        // non-blocking socket; closed by close()
        Socket socket;
        // set once by close()
        bool closed = false;
        // set and cleared by write_now() and by each step of a write
        bool has_unwritten = false;
        // error of write_now(), also `would_block`; cleared by the next step of a write, which processes it
        error_code write_error;
    };

    std::shared_ptr<core> core_;
};

} // namespace linkspan

#endif
