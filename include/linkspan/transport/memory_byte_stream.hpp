#ifndef LINKSPAN_TRANSPORT_MEMORY_BYTE_STREAM_HPP
#define LINKSPAN_TRANSPORT_MEMORY_BYTE_STREAM_HPP

#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// One end of a memory pipe as a `byte_stream`. Tests use it to run HTTP without a network and to cut a connection at
/// any byte.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects, including the two ends of a pipe: unsafe.
class memory_byte_stream final : public byte_stream {
public:
    /// Constructs a stream over one end of a memory pipe.
    ///
    /// \param executor Default executor of the handlers.
    /// \param end End of a pipe, as returned by `make_memory_pipe`; its channels must not be null.
    memory_byte_stream(asio::any_io_executor executor, memory_end end)
        : core_(std::make_shared<core>(std::move(executor), std::move(end)))
    {}

    /// Closes the stream. Outstanding operations complete later, with `operation_aborted` if they have no result yet.
    ~memory_byte_stream() override { close(); }

    /// Reads at least one byte.
    ///
    /// \param into Buffer with a size greater than 0.
    /// \param done Handler.
    /// \par Preconditions
    /// No other read is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::size_t)`; the second argument is the number of bytes read.
    /// \par Errors
    /// `asio::error::eof`: the peer closed its end and all bytes were read. `operation_aborted`: this stream was
    /// closed.
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
        core_->end.in->read_some(into, std::move(done), core_->executor);
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
    /// `broken_pipe`: the peer closed its end. `operation_aborted`: this stream was closed.
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

    /// Writes the beginning of a buffer, as far as the pipe has room. The caller passes the remaining bytes to `write`,
    /// which also reports an error of this function.
    ///
    /// \param from Bytes to write; the caller keeps them valid during the call.
    /// \returns The number of accepted bytes.
    /// \par Preconditions
    /// No write is outstanding. A read may be outstanding.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    std::size_t write_now(asio::const_buffer from) override
    {
        error_code ignored; // write() reports the error
        auto const written = core_->closed ? 0 : core_->end.out->write_some(from, ignored);
        core_->has_unwritten = written != from.size();
        return written;
    }

    /// Returns whether a part of the outstanding or of the last failed write was not accepted by the pipe.
    bool has_unwritten() const noexcept override { return core_->has_unwritten; }

    /// Returns whether the pipe has unread bytes or was closed by the peer.
    ///
    /// \par Preconditions
    /// No operation is outstanding.
    bool is_stale() noexcept override { return core_->end.in->is_readable(); }

    /// Closes both directions of the end. Idempotent. Outstanding operations complete later, with `operation_aborted`
    /// if they have no result yet.
    void close() noexcept override
    {
        core_->closed = true;
        core_->end.close();
    }

private:
    // State of the stream, shared by the stream and its outstanding operations.
    struct core : std::enable_shared_from_this<core> {
        core(asio::any_io_executor ex, memory_end e) : executor(std::move(ex)), end(std::move(e)) {}

        void write(asio::const_buffer from, std::size_t written, io_handler done)
        {
            error_code ec;
            while (!ec && written != from.size())
                written += end.out->write_some(from + written, ec);
            has_unwritten = written != from.size();
            if (closed)
                ec = asio::error::operation_aborted;
            if (ec == asio::error::would_block)
                return end.out->wait_writable({[self = this->shared_from_this(), from, written, done = std::move(done)](
                                                   error_code) mutable { self->write(from, written, std::move(done)); },
                                               executor},
                                              executor);
            asio::post(executor, [done = std::move(done), ec, written]() mutable { done.complete(ec, written); });
        }

        // default executor of the handlers
        asio::any_io_executor executor;
        // end of the pipe; never replaced
        memory_end end;
        // set once by close()
        bool closed = false;
        // set and cleared by write_now() and by each step of a write
        bool has_unwritten = false;
    };

    std::shared_ptr<core> core_;
};

} // namespace linkspan

#endif
