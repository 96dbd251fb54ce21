#ifndef LINKSPAN_TEST_SUPPORT_TLS_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_TLS_SERVER_HPP

// A scripted server over HTTPS on loopback.

#include <linkspan/test/calculator.hpp>
#include <linkspan/test/http_server.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "certificates.hpp"
#include "harness.hpp"

namespace harness {

class server_side_tls final : public linkspan::byte_stream {
public:
    using stream = asio::ssl::stream<asio::ip::tcp::socket>;

    explicit server_side_tls(std::shared_ptr<stream> below) : stream_(std::move(below)) {}
    ~server_side_tls() override { close(); }

    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        stream_->async_read_some(
            into, [keep = stream_, done = std::move(done)](linkspan::error_code ec, std::size_t size) mutable {
                done.complete(ec == asio::ssl::error::stream_truncated ? asio::error::eof : ec, size);
            });
    }

    void write(asio::const_buffer from, io_handler done) override
    {
        asio::async_write(*stream_, from,
                          [keep = stream_, done = std::move(done)](linkspan::error_code ec, std::size_t size) mutable {
                              done.complete(ec, size);
                          });
    }

    bool is_stale() noexcept override { return false; }

    void close() noexcept override
    {
        linkspan::error_code ignored;
        stream_->lowest_layer().close(ignored);
    }

private:
    std::shared_ptr<stream> stream_;
};

class tls_server {
public:
    // `clients` is the authority that client certificates must be signed by; empty: no client certificate is required.
    tls_server(asio::any_io_executor const& executor, certificates::identity const& own,
               std::string const& clients = {})
        : web(executor, server),
          context_(asio::ssl::context::tls_server),
          acceptor_(executor, {asio::ip::address_v4::loopback(), 0})
    {
        linkspan::test::make_calculator(server);
        auto const certificate = own.certificate(), key = own.key();
        context_.use_certificate_chain(asio::buffer(certificate));
        context_.use_private_key(asio::buffer(key), asio::ssl::context::pem);
        if (!clients.empty()) {
            context_.add_certificate_authority(asio::buffer(clients));
            context_.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
        }
        accept();
    }

    std::string url(std::string const& host = "localhost", std::string const& scheme = "https") const
    {
        return scheme + "://" + host + ":" + std::to_string(acceptor_.local_endpoint().port()) + "/mcp";
    }

    asio::ssl::context& context() noexcept { return context_; }

    linkspan::test::scripted_server server;
    linkspan::test::http_server web;
    std::vector<std::string> received_server_names; // server name of each successful handshake

private:
    void accept()
    {
        acceptor_.async_accept(
            [this, alive = std::weak_ptr(alive_)](linkspan::error_code ec, asio::ip::tcp::socket socket) {
                if (ec || alive.expired())
                    return;
                auto const secured = std::make_shared<server_side_tls::stream>(std::move(socket), context_);
                secured->async_handshake(asio::ssl::stream_base::server, [this, alive,
                                                                          secured](linkspan::error_code failed) {
                    if (failed || alive.expired())
                        return;
                    auto const* const name = SSL_get_servername(secured->native_handle(), TLSEXT_NAMETYPE_host_name);
                    received_server_names.emplace_back(name ? name : "");
                    web.serve(std::make_unique<server_side_tls>(secured));
                });
                accept();
            });
    }

    asio::ssl::context context_;
    asio::ip::tcp::acceptor acceptor_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

} // namespace harness

#endif
