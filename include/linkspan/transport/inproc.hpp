#ifndef LINKSPAN_TRANSPORT_INPROC_HPP
#define LINKSPAN_TRANSPORT_INPROC_HPP

#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/line_connection.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan {

/// How to reach a server in the same process.
struct inproc_config {
    /// Called once for each connection, with the server's end of it. An error is that of `async_open`.
    std::function<error_code(asio::any_io_executor const&, memory_end)> connect;

    /// bytes; a line of the server that is longer ends the connection.
    std::size_t max_line = line_framing::default_max_line;

    /// Called with the name that a connector gives the server, when the server is added. Empty: not called.
    std::function<void(std::string_view name)> on_named{};
};

/// One end of a `memory_pipe` as a stream.
class memory_stream {
public:
    using config_type = inproc_config;
    static constexpr std::string_view kind = "inproc";

    memory_stream(asio::any_io_executor executor, inproc_config const& config)
        : executor_(std::move(executor)), connect_(config.connect)
    {}

    /// The end that `inproc_config::connect` was given.
    memory_stream(asio::any_io_executor executor, memory_end end) : executor_(std::move(executor)), end_(std::move(end))
    {}

    static void name_server(config_type const& config, std::string_view name)
    {
        if (config.on_named)
            config.on_named(name);
    }

    void open(error_code& ec)
    {
        if (!connect_)
            return;
        auto [ours, theirs] = make_memory_pipe();
        end_ = std::move(ours);
        ec = connect_(executor_, std::move(theirs));
    }

    std::size_t write_some(asio::const_buffer bytes, error_code& ec) { return end_.out->write_some(bytes, ec); }

    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        end_.out->wait_writable({std::forward<Handler>(handler), executor_}, executor_);
    }

    template<class Handler>
    void async_read_some(asio::mutable_buffer into, Handler&& handler)
    {
        end_.in->read_some(into, {std::forward<Handler>(handler), executor_}, executor_);
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close();
        asio::post(executor_, [done = detail::pending_handler<void(error_code)>(
                                   std::forward<Handler>(handler), executor_)]() mutable { done.complete({}); });
    }

    void close() noexcept
    {
        if (end_.in)
            end_.close();
    }

private:
    asio::any_io_executor executor_;
    std::function<error_code(asio::any_io_executor const&, memory_end)> connect_;
    memory_end end_;
};

/// Talks to a server in the same process: `linkspan::test::scripted_server`, or a server of one's own.
using inproc = line_connection<memory_stream>;

static_assert(Transport<inproc>);

#if defined(LINKSPAN_SEPARATE_COMPILATION)
extern template class line_connection<memory_stream>;
extern template any_transport any_transport::make<inproc>(asio::any_io_executor const&, inproc_config const&);
#endif

} // namespace linkspan

#endif
