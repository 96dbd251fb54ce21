#ifndef LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP
#define LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/text_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Queue of lines to be written to a stream, which records the request that each line belongs to.
///
/// The class has two buffers: one is being written while the other collects new lines. `front` exchanges the buffers
/// when the first one was written completely. A line can be removed as long as it is in the collecting buffer. A
/// request is `unsent` as long as the stream has not accepted its line end. Positions count bytes from the beginning of
/// the stream.
///
/// When all bytes of a buffer are accepted, its memory is released if it was increased for a line of more than 64 KiB,
/// or has more than 1 MiB, because the stream may be idle for long.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class write_queue {
public:
    /// Returns whether all bytes were accepted.
    bool empty() const noexcept { return size() == 0; }

    /// Returns the number of bytes that were added and not accepted.
    std::size_t size() const noexcept { return writing_.size() - written_ + collecting_.size(); }

    /// Returns the size of the memory of the lines in bytes.
    std::size_t capacity() const noexcept { return writing_.capacity() + collecting_.capacity(); }

    /// Adds a line and appends its line end. CR and LF within the line are replaced by spaces, which is valid because
    /// JSON contains them between tokens only.
    ///
    /// \param id Id of the request; 0 for messages whose delivery is not reported.
    /// \param line Text of one JSON-RPC message, which is copied, unless it begins at the memory that
    /// `output().prepare` returned last. The text must not be elsewhere in the memory of the queue.
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL void add(request_id id, std::string_view line);

    /// Adds bytes that belong to no request, without a line end and without changes.
    ///
    /// \throws std::bad_alloc Nothing is added.
    LINKSPAN_DECL void add_bytes(std::string_view bytes);

    /// Returns the buffer that collects lines. A caller may write a line to the memory that `prepare` of the buffer
    /// returns, with one byte of room after it for the line end, and pass the line to `add`, which does not copy it.
    /// The caller must not call `commit`.
    text_buffer& output() noexcept { return collecting_; }

    /// Returns the next bytes to write; valid until the next call of `accepted` or `fail`. Precondition: the queue is
    /// not empty.
    LINKSPAN_DECL std::string_view front();

    /// Removes the first `size` of the bytes that `front` returned, because the stream has accepted them.
    LINKSPAN_DECL void accepted(std::size_t size);

    /// Removes the line of the request `id`. Returns false, without an effect, if the line is in the buffer that is
    /// being written, or is not in the queue.
    LINKSPAN_DECL bool remove(request_id id);

    /// Discards all lines and appends to `unsent` the id of each request whose line end was not accepted. Called when
    /// the stream has failed or is closed; no line is added afterwards.
    LINKSPAN_DECL void fail(std::vector<request_id>& unsent);

private:
    // A request whose line end was not accepted.
    struct entry {
        // id of the request; never 0
        request_id id;
        std::size_t size;  // in bytes, including the line end
        std::uint64_t end; // position after the line end
    };

    // writing_: buffer that `front` returns; collecting_: buffer that `add` appends to
    text_buffer writing_, collecting_;
    // number of bytes at the front of `writing_` that were accepted
    std::size_t written_ = 0;
    // position after the last byte of `collecting_`
    std::uint64_t added_ = 0;
    // number of bytes accepted since the construction
    std::uint64_t accepted_ = 0;
    // one entry per request, in the order of the lines; cleared when all are accepted, and by fail()
    std::vector<entry> requests_;
    // index of the first entry in `requests_` that is not accepted
    std::size_t first_ = 0;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/transport/impl/write_queue.ipp>
#endif

#endif
