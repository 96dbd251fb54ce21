#ifndef LINKSPAN_HTTP_IMPL_PROXY_DIALER_IPP
#define LINKSPAN_HTTP_IMPL_PROXY_DIALER_IPP

#include <linkspan/http/detail/proxy_dialer.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// One attempt to establish a tunnel through a proxy by CONNECT.
class proxy_dialing final : public http_body_sink, public std::enable_shared_from_this<proxy_dialing> {
public:
    proxy_dialing(asio::any_io_executor executor, dialer::handler done)
        : executor_(std::move(executor)), done_(std::move(done))
    {}

    void start(dialer& below, http_url const& proxy, dial_target const& target)
    {
        auto const host = target.host.find(':') == target.host.npos ? target.host : "[" + target.host + "]";
        auto const authority = host + ":" + std::to_string(target.port);
        request_ = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
        below_ = below.dial(executor_, {proxy.host, proxy.port},
                            {[self = shared_from_this()](error_code ec, std::unique_ptr<byte_stream> stream) {
                                 self->on_dialed(ec, std::move(stream));
                             },
                             executor_});
    }

    void cancel()
    {
        cancelled_ = true;
        below_.reset();
        if (stream_)
            stream_->close();
    }

private:
    void on_dialed(error_code ec, std::unique_ptr<byte_stream> stream)
    {
        stream_ = std::move(stream);
        if (ec || cancelled_ || !stream_)
            return finish(ec ? ec : error_code(asio::error::operation_aborted));
        stream_->write(asio::const_buffer(request_.data(), request_.size()),
                       {[self = shared_from_this()](error_code failed, std::size_t) {
                            if (failed)
                                self->finish(failed);
                            else
                                self->read();
                        },
                        executor_});
    }

    // Reads single bytes, because the bytes after the head belong to the tunnel.
    void read()
    {
        stream_->read_some(asio::mutable_buffer(&byte_, 1),
                           {[self = shared_from_this()](error_code ec, std::size_t) { self->on_read(ec); }, executor_});
    }

    void on_read(error_code ec)
    {
        if (ec)
            return finish(ec == asio::error::eof ? error_code(error::stream_ended) : ec);
        head_ += byte_;
        if (head_.size() > limits_.head)
            return finish(error::body_too_long);
        if (!head_.ends_with("\r\n\r\n"))
            return read();
        http_reader<false> reader(*this, limits_);
        reader.resume(head_, ec);
        if (ec || !reader.has_head())
            return finish(error::malformed_http);
        auto const status = reader.head().status();
        finish(status / 100 == 2 ? error_code() : error_code(status, proxy_category()));
    }

    void on_body(std::string_view) override {}

    void finish(error_code ec)
    {
        if (cancelled_)
            ec = asio::error::operation_aborted;
        if (ec)
            stream_.reset();
        if (done_)
            std::exchange(done_, {}).complete(ec, std::move(stream_));
    }

    asio::any_io_executor executor_;      // set by the constructor
    dialer::handler done_;                // set by the constructor, moved out by `finish`
    std::shared_ptr<void> below_;         // handle of the connection to the proxy; reset by `cancel`
    std::unique_ptr<byte_stream> stream_; // connection to the proxy; moved to the caller by `finish`
    http_reader<false>::limits limits_;   // limits of the response of the proxy
    std::string request_, head_;          // the CONNECT request, and the received part of the response
    char byte_ = 0;                       // buffer of the outstanding read
    bool cancelled_ = false;              // set by `cancel`, whose step may be complete with its handler outstanding
};

LINKSPAN_DECL std::shared_ptr<void> proxy_dialer::dial(asio::any_io_executor const& executor, dial_target const& target,
                                                       handler done)
{
    auto const dialing = std::make_shared<proxy_dialing>(executor, std::move(done));
    dialing->start(*below_, proxy_, target);
    return std::make_shared<dialing_lease<proxy_dialing>>(dialing);
}

} // namespace linkspan::detail

#endif
