#ifndef LINKSPAN_TRANSPORT_MEMORY_BYTE_STREAM_HPP
#define LINKSPAN_TRANSPORT_MEMORY_BYTE_STREAM_HPP

#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace linkspan {

/// One end of a pipe in memory: what HTTP is tested on without a network, and broken at any byte.
class memory_byte_stream final : public byte_stream {
public:
    memory_byte_stream(asio::any_io_executor executor, memory_end end)
        : core_(std::make_shared<core>(std::move(executor), std::move(end)))
    {}

    ~memory_byte_stream() override { close(); }

    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        core_->end.in->read_some(into, std::move(done), core_->executor);
    }

    void write(asio::const_buffer from, io_handler done) override { core_->write(from, 0, std::move(done)); }

    bool has_unwritten() const noexcept override { return core_->has_unwritten; }

    bool is_stale() noexcept override { return core_->end.in->is_readable(); }

    void close() noexcept override
    {
        core_->closed = true;
        core_->end.close();
    }

private:
    // What operations that are out keep alive.
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

        asio::any_io_executor executor;
        memory_end end;
        bool closed = false;
        bool has_unwritten = false;
    };

    std::shared_ptr<core> core_;
};

} // namespace linkspan

#endif
