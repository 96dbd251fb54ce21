#ifndef LINKSPAN_TRANSPORT_MEMORY_PIPE_HPP
#define LINKSPAN_TRANSPORT_MEMORY_PIPE_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace linkspan {

/// Bytes on their way from one end of a `memory_pipe` to the other: bounded, like a pipe of the system, and breakable
/// at any byte.
class memory_channel {
public:
    /// What Linux gives a pipe.
    static constexpr std::size_t default_capacity = std::size_t{64} << 10;

    void capacity(std::size_t bytes) noexcept { capacity_ = bytes; }

    /// Calls `die`, once, when `bytes` in all have been written; more are not accepted. What `die` does is the death of
    /// one end: to close what that end holds.
    void cut_after(std::uint64_t bytes, std::function<void()> die)
    {
        cut_ = bytes;
        die_ = std::move(die);
    }

    std::uint64_t bytes_written() const noexcept { return written_; }

    std::size_t write_some(asio::const_buffer from, error_code& ec)
    {
        if (reader_gone_ || writer_gone_) {
            ec = asio::error::broken_pipe;
            return 0;
        }
        auto const room = capacity_ - std::min(capacity_, waiting());
        auto const size = static_cast<std::size_t>(std::min<std::uint64_t>({from.size(), room, cut_ - written_}));
        bytes_.append(static_cast<char const*>(from.data()), size);
        written_ += size;
        if (written_ == cut_ && die_)
            std::exchange(die_, {})();
        else if (size == 0)
            ec = asio::error::would_block;
        settle();
        return size;
    }

    void wait_writable(detail::pending_handler<void(error_code)> writer, asio::any_io_executor const& executor)
    {
        writer_ = std::move(writer);
        executor_ = executor;
        settle();
    }

    void read_some(asio::mutable_buffer into, detail::pending_handler<void(error_code, std::size_t)> reader,
                   asio::any_io_executor const& executor)
    {
        into_ = into;
        reader_ = std::move(reader);
        executor_ = executor;
        settle();
    }

    /// A read would complete at once, with bytes or with the end.
    bool is_readable() const noexcept { return waiting() != 0 || writer_gone_; }

    void close_writer()
    {
        writer_gone_ = true;
        settle();
    }

    void close_reader()
    {
        reader_gone_ = true;
        settle();
    }

private:
    std::size_t waiting() const noexcept { return bytes_.size() - taken_; }

    // Completes what can be completed; posted, so that no end runs inside the other.
    void settle()
    {
        if (reader_ && (waiting() != 0 || writer_gone_ || reader_gone_))
            complete_read();
        if (writer_ && (waiting() < capacity_ || reader_gone_ || writer_gone_))
            asio::post(executor_, [writer = std::move(writer_)]() mutable { writer.complete({}); });
    }

    void complete_read()
    {
        auto const size = reader_gone_ ? 0 : std::min(waiting(), into_.size());
        std::memcpy(into_.data(), bytes_.data() + taken_, size);
        taken_ += size;
        if (taken_ == bytes_.size()) {
            bytes_.clear();
            taken_ = 0;
        }
        error_code ec;
        if (size == 0)
            ec = reader_gone_ ? error_code(asio::error::operation_aborted) : error_code(asio::error::eof);
        asio::post(executor_, [reader = std::move(reader_), ec, size]() mutable { reader.complete(ec, size); });
    }

    std::string bytes_;
    std::size_t taken_ = 0; // of `bytes_`
    std::size_t capacity_ = default_capacity;
    std::uint64_t written_ = 0;
    std::uint64_t cut_ = std::numeric_limits<std::uint64_t>::max();
    std::function<void()> die_;
    bool writer_gone_ = false, reader_gone_ = false;
    asio::mutable_buffer into_;
    detail::pending_handler<void(error_code, std::size_t)> reader_;
    detail::pending_handler<void(error_code)> writer_;
    asio::any_io_executor executor_;
};

/// One end of a pipe in memory, with a channel each way.
struct memory_end {
    std::shared_ptr<memory_channel> in, out;

    void close() const
    {
        out->close_writer();
        in->close_reader();
    }
};

/// Two ends that are connected.
inline std::pair<memory_end, memory_end> make_memory_pipe()
{
    auto there = std::make_shared<memory_channel>();
    auto back = std::make_shared<memory_channel>();
    return {memory_end{back, there}, memory_end{there, back}};
}

} // namespace linkspan

#endif
