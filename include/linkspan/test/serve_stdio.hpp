#ifndef LINKSPAN_TEST_SERVE_STDIO_HPP
#define LINKSPAN_TEST_SERVE_STDIO_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/standard_streams.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Standard streams of this process as in `linkspan::standard_streams`, with a pause inside of each write, to test
/// clients with partial messages.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class standard_streams : public linkspan::standard_streams {
public:
    /// Options of the stream.
    struct config_type {
        /// Pause between the two halves of each write. Default: 0, each write is one piece.
        duration split_pause{};
    };

    /// Duplicates the descriptors of stdin and stdout and makes the output non-blocking.
    standard_streams(asio::any_io_executor executor, config_type config)
        : linkspan::standard_streams(executor), pause_(std::move(executor)), split_pause_(config.split_pause)
    {}

    /// Writes without blocking and returns the number of bytes written. Sets `ec` to `would_block` if the output is
    /// full or the pause between two halves has not elapsed.
    std::size_t write_some(asio::const_buffer bytes, error_code& ec)
    {
        if (pausing_) {
            ec = asio::error::would_block;
            return 0;
        }
        if (split_pause_ == duration::zero() || std::exchange(second_half_, !second_half_))
            return linkspan::standard_streams::write_some(bytes, ec);
        pausing_ = true;
        return linkspan::standard_streams::write_some(asio::buffer(bytes, (bytes.size() + 1) / 2), ec);
    }

    /// Waits until `write_some` can make progress. See `linkspan::standard_streams::async_wait_writable`.
    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        if (std::exchange(pausing_, false)) {
            pause_.expires_after(split_pause_);
            return pause_.async_wait(std::forward<Handler>(handler));
        }
        linkspan::standard_streams::async_wait_writable(std::forward<Handler>(handler));
    }

    /// Closes the stream. See `linkspan::standard_streams::async_shutdown`.
    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        pause_.cancel();
        linkspan::standard_streams::async_shutdown(std::forward<Handler>(handler));
    }

    /// Closes the stream. Outstanding operations complete with `operation_aborted`.
    void close() noexcept
    {
        linkspan::standard_streams::close();
        pause_.cancel();
    }

private:
    timer pause_; // runs between the two halves of a write
    duration split_pause_;
    bool pausing_ = false;     // set when a first half is written, cleared when the pause starts
    bool second_half_ = false; // set when a first half is written, cleared when its second half is written
};

/// Serves the client that started this process over standard input and output. The function is intended for the `main`
/// of a test program.
///
/// Returns when the client has closed stdin of this process.
///
///     int main()
///     {
///         linkspan::test::scripted_server server;
///         linkspan::test::make_calculator(server);
///         linkspan::test::serve_stdio(server);
///     }
///
/// \param server The server, which must outlive the call.
/// \param config Options of the stream.
/// \par Thread safety
/// Blocks the calling thread. Handlers run on this thread.
inline void serve_stdio(scripted_server& server, standard_streams::config_type config = {})
{
    asio::io_context context{1};
    auto const executor = asio::any_io_executor(context.get_executor());
    server.serve(executor, any_transport::make<line_connection<standard_streams>>(executor, config));
    context.run();
}

} // namespace linkspan::test

#endif
