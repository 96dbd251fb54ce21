#ifndef LINKSPAN_HTTP_TLS_DETAIL_TLS_STREAM_HPP
#define LINKSPAN_HTTP_TLS_DETAIL_TLS_STREAM_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <memory>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Adapts a `byte_stream` to the requirements of Asio for the layer below `asio::ssl::stream`.
class tls_lower_layer {
public:
    using executor_type = asio::any_io_executor;
    using lowest_layer_type = tls_lower_layer;

    tls_lower_layer(executor_type executor, std::unique_ptr<byte_stream> below)
        : executor_(std::move(executor)), below_(std::move(below))
    {}

    executor_type get_executor() const noexcept { return executor_; }
    lowest_layer_type& lowest_layer() noexcept { return *this; }
    byte_stream& below() noexcept { return *below_; }

    template<class Buffers, class Handler>
    void async_read_some(Buffers const& into, Handler&& handler)
    {
        asio::mutable_buffer const first(*asio::buffer_sequence_begin(into));
        below_->read_some(first, {std::forward<Handler>(handler), executor_});
    }

    template<class Buffers, class Handler>
    void async_write_some(Buffers const& from, Handler&& handler)
    {
        asio::const_buffer const first(*asio::buffer_sequence_begin(from));
        below_->write(first, {std::forward<Handler>(handler), executor_});
    }

private:
    executor_type executor_;
    std::unique_ptr<byte_stream> below_;
};

using tls_connection = asio::ssl::stream<tls_lower_layer>;

// A `byte_stream` over TLS. Outstanding operations keep the connection alive.
class tls_stream final : public byte_stream {
public:
    explicit tls_stream(std::shared_ptr<tls_connection> connection) : connection_(std::move(connection)) {}

    ~tls_stream() override { close(); }

    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        connection_->async_read_some(
            into, [keep = connection_, done = std::move(done)](error_code ec, std::size_t size) mutable {
                // A missing close_notify is treated as the end: HTTP detects a truncated response by its length.
                done.complete(ec == asio::ssl::error::stream_truncated ? error_code(asio::error::eof) : ec, size);
            });
    }

    void write(asio::const_buffer from, io_handler done) override
    {
        asio::async_write(*connection_, from,
                          [keep = connection_, done = std::move(done)](error_code ec, std::size_t size) mutable {
                              done.complete(ec, size);
                          });
    }

    bool is_stale() noexcept override
    {
        auto* const handle = connection_->native_handle();
        char byte = 0;
        bool const has_more = SSL_peek(handle, &byte, 1) > 0; // processes received records, also close_notify
        ERR_clear_error();
        return has_more || SSL_get_shutdown(handle) != 0 || connection_->next_layer().below().is_stale();
    }

    void close() noexcept override { connection_->next_layer().below().close(); }

private:
    std::shared_ptr<tls_connection> connection_;
};

// Excludes the versions of the protocol before TLS 1.2.
inline void require_tls_1_2(asio::ssl::context& context)
{
    context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                        asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
}

} // namespace linkspan::detail

#endif
