#ifndef LINKSPAN_TRANSPORT_BYTE_STREAM_HPP
#define LINKSPAN_TRANSPORT_BYTE_STREAM_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>

namespace linkspan {

/// A connection that carries bytes both ways, of whatever kind: TCP, a Unix socket, TLS over another one, memory. It is
/// connected from the start; HTTP, on either side, needs no more of it than this.
///
/// Handlers are completed on their own executors, later than the function that took them, and are dropped when their
/// context ends. An implementation keeps alive what an operation needs until it completes, so that a stream may be
/// destroyed with operations out; they complete with `operation_aborted`. Buffers outlive their operation.
/// Thread safety: none.
class byte_stream {
public:
    using io_handler = detail::pending_handler<void(error_code, std::size_t)>;

    byte_stream() = default;
    byte_stream(byte_stream const&) = delete;
    byte_stream& operator=(byte_stream const&) = delete;

    /// Closes.
    virtual ~byte_stream() = default;

    /// Some bytes, at least one. Errors: `asio::error::eof` at the end, those of the system. One at a time.
    virtual void read_some(asio::mutable_buffer into, io_handler done) = 0;

    /// All of the bytes, or an error and how many were accepted before it. One at a time, beside a read.
    virtual void write(asio::const_buffer from, io_handler done) = 0;

    /// Whether a part of the write that is out, or that has failed, was not accepted so far; false where that is not
    /// known. Bytes that were accepted may have arrived, however early it is.
    virtual bool has_unwritten() const noexcept { return false; }

    /// Whether the peer has closed, or has sent what nobody asked for, since the last read: nothing that is written
    /// now would be answered. Asked while no operation is out.
    virtual bool is_stale() noexcept = 0;

    /// At once; idempotent.
    virtual void close() noexcept = 0;
};

} // namespace linkspan

#endif
