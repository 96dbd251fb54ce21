#ifndef LINKSPAN_TRANSPORT_IMPL_MEMORY_PIPE_IPP
#define LINKSPAN_TRANSPORT_IMPL_MEMORY_PIPE_IPP

#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstring>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void memory_channel::capacity(std::size_t bytes)
{
    capacity_ = bytes;
    complete_ready_operations();
}

LINKSPAN_DECL void memory_channel::cut_after(std::uint64_t bytes, std::function<void()> on_cut)
{
    cut_ = bytes;
    on_cut_ = std::move(on_cut);
}

LINKSPAN_DECL std::size_t memory_channel::write_some(asio::const_buffer from, error_code& ec)
{
    ec = {};
    if (reader_closed_ || writer_closed_) {
        ec = asio::error::broken_pipe;
        return 0;
    }
    auto const room = capacity_ - std::min(capacity_, waiting());
    auto const size = static_cast<std::size_t>(std::min<std::uint64_t>({from.size(), room, cut_ - written_}));
    bytes_.append(static_cast<char const*>(from.data()), size);
    written_ += size;
    if (written_ == cut_ && on_cut_)
        std::exchange(on_cut_, {})(); // may close an end
    if (size == 0)
        ec = reader_closed_ || writer_closed_ ? asio::error::broken_pipe : asio::error::would_block;
    complete_ready_operations();
    return size;
}

LINKSPAN_DECL void memory_channel::wait_writable(detail::pending_handler<void(error_code)> writer,
                                                 asio::any_io_executor const& executor)
{
    writer_ = std::move(writer);
    executor_ = executor;
    complete_ready_operations();
}

LINKSPAN_DECL void memory_channel::read_some(asio::mutable_buffer into,
                                             detail::pending_handler<void(error_code, std::size_t)> reader,
                                             asio::any_io_executor const& executor)
{
    into_ = into;
    reader_ = std::move(reader);
    executor_ = executor;
    complete_ready_operations();
}

LINKSPAN_DECL void memory_channel::close_writer()
{
    writer_closed_ = true;
    complete_ready_operations();
}

LINKSPAN_DECL void memory_channel::close_reader()
{
    reader_closed_ = true;
    complete_ready_operations();
}

LINKSPAN_DECL void memory_channel::complete_ready_operations()
{
    if (reader_ && (waiting() != 0 || writer_closed_ || reader_closed_))
        complete_read();
    bool const has_room = waiting() < capacity_ && written_ < cut_;
    if (writer_ && (has_room || reader_closed_ || writer_closed_))
        asio::post(executor_, [writer = std::move(writer_)]() mutable { writer.complete({}); });
}

LINKSPAN_DECL void memory_channel::complete_read()
{
    auto const size = reader_closed_ ? 0 : std::min(waiting(), into_.size());
    std::memcpy(into_.data(), bytes_.data() + read_size_, size);
    read_size_ += size;
    if (read_size_ == bytes_.size()) {
        bytes_.clear();
        read_size_ = 0;
    }
    error_code ec;
    if (size == 0)
        ec = reader_closed_ ? error_code(asio::error::operation_aborted) : error_code(asio::error::eof);
    asio::post(executor_, [reader = std::move(reader_), ec, size]() mutable { reader.complete(ec, size); });
}

LINKSPAN_DECL std::pair<memory_end, memory_end> make_memory_pipe()
{
    auto to_second = std::make_shared<memory_channel>();
    auto to_first = std::make_shared<memory_channel>();
    return {memory_end{to_first, to_second}, memory_end{to_second, to_first}};
}

} // namespace linkspan

#endif
