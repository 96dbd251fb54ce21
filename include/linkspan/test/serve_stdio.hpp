#ifndef LINKSPAN_TEST_SERVE_STDIO_HPP
#define LINKSPAN_TEST_SERVE_STDIO_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/line_connection.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include <string_view>
#include <unistd.h>
#include <utility>

namespace linkspan::test {

/// The standard streams of this process as one stream: what a server has that was started as a child.
class standard_streams {
public:
    struct config_type {
        duration split_pause{}; ///< what is written goes out in two pieces, so far apart; zero: in one
    };
    static constexpr std::string_view kind = "stdio";

    standard_streams(asio::any_io_executor executor, config_type config)
        : in_(executor, ::dup(STDIN_FILENO)),
          out_(executor, ::dup(STDOUT_FILENO)),
          pause_(executor),
          split_pause_(config.split_pause),
          executor_(std::move(executor))
    {
        out_.non_blocking(true);
    }

    void open(error_code&) {}

    std::size_t write_some(asio::const_buffer bytes, error_code& ec)
    {
        if (pausing_) {
            ec = asio::error::would_block;
            return 0;
        }
        if (split_pause_ == duration::zero() || std::exchange(second_half_, !second_half_))
            return out_.write_some(bytes, ec);
        pausing_ = true;
        return out_.write_some(asio::buffer(bytes, (bytes.size() + 1) / 2), ec);
    }

    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        if (std::exchange(pausing_, false)) {
            pause_.expires_after(split_pause_);
            return pause_.async_wait(std::forward<Handler>(handler));
        }
        out_.async_wait(asio::posix::stream_descriptor::wait_write, std::forward<Handler>(handler));
    }

    template<class Handler>
    void async_read_some(asio::mutable_buffer into, Handler&& handler)
    {
        in_.async_read_some(into, std::forward<Handler>(handler));
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close();
        asio::post(executor_, [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    void close() noexcept
    {
        error_code ignored;
        in_.close(ignored);
        out_.close(ignored);
        pause_.cancel();
    }

private:
    asio::posix::stream_descriptor in_, out_;
    timer pause_;
    duration split_pause_;
    bool pausing_ = false;
    bool second_half_ = false;
    asio::any_io_executor executor_;
};

/// Serves the client that started this process, over its standard streams, until it closes our stdin.
inline void serve_stdio(scripted_server& server, standard_streams::config_type config = {})
{
    asio::io_context context{1};
    auto const executor = asio::any_io_executor(context.get_executor());
    server.serve(executor, any_transport::make<line_connection<standard_streams>>(executor, config));
    context.run();
}

} // namespace linkspan::test

#endif
