#ifndef LINKSPAN_TEST_SUPPORT_SMTP_SINK_HPP
#define LINKSPAN_TEST_SUPPORT_SMTP_SINK_HPP

// A mail server with STARTTLS on loopback that keeps the messages, with replies that a case chooses.

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "certificates.hpp"
#include "harness.hpp"

namespace harness {

class smtp_sink {
public:
    explicit smtp_sink(asio::any_io_executor const& executor)
        : identity_({}, &authority_),
          acceptor_(executor, {asio::ip::address_v4::loopback(), 0}),
          context_(make_context())
    {
        asio::co_spawn(executor, serve(), [](std::exception_ptr) {});
    }

    smtp_sink(smtp_sink const&) = delete;
    smtp_sink& operator=(smtp_sink const&) = delete;

    std::string host() const { return "localhost:" + std::to_string(acceptor_.local_endpoint().port()); }
    std::string authorities() const { return authority_.certificate(); }

    void close()
    {
        acceptor_.close();
        if (client_)
            client_->next_layer().close();
    }

    // The reply to each command with this first word, "CONNECT" or "MESSAGE" in place of the usual one. "": the
    // connection is closed. "-": no reply.
    std::map<std::string, std::string> replies;
    std::chrono::milliseconds delay{}; // before each reply
    std::vector<std::string> commands; // all commands that were received
    std::vector<std::string> messages; // as received, with doubled dots
    // Called with each command before its reply, unless it is empty.
    std::function<void(std::string const& command)> on_command;

private:
    using stream = asio::ssl::stream<asio::ip::tcp::socket>;

    asio::ssl::context make_context() const
    {
        asio::ssl::context out(asio::ssl::context::tls_server);
        auto const certificate = identity_.certificate();
        auto const key = identity_.key();
        out.use_certificate_chain(asio::buffer(certificate));
        out.use_private_key(asio::buffer(key), asio::ssl::context::pem);
        return out;
    }

    // Serves one client after the other.
    asio::awaitable<void> serve()
    {
        for (;;) {
            auto [ec, socket] = co_await acceptor_.async_accept(in_tuple);
            if (ec)
                co_return;
            client_ = std::make_unique<stream>(std::move(socket), context_);
            is_encrypted_ = false;
            received_.clear();
            try {
                co_await talk();
            } catch (boost::system::system_error const&) { // the client has closed the connection
            }
            client_.reset();
        }
    }

    asio::awaitable<void> talk()
    {
        bool goes_on = co_await reply("CONNECT", "220 sink");
        while (goes_on) {
            auto const line = co_await read("\r\n");
            commands.push_back(line);
            if (on_command)
                on_command(line);
            auto const name = line.substr(0, line.find(' '));
            std::string const usual = name == "EHLO"   ? "250-sink\r\n250-STARTTLS\r\n250 8BITMIME"
                                      : name == "DATA" ? "354 go on"
                                      : name == "QUIT" ? "221 bye"
                                      : name == "AUTH" ? "235 welcome"
                                                       : "250 ok";
            goes_on = co_await reply(name, usual);
            if (name == "STARTTLS" && goes_on && !replies.contains(name)) {
                co_await client_->async_handshake(stream::server, asio::use_awaitable);
                is_encrypted_ = true;
            } else if (name == "DATA" && goes_on && !replies.contains(name)) {
                auto const message = co_await read("\r\n.\r\n");
                messages.push_back(message);
                goes_on = co_await reply("MESSAGE", "250 queued");
            }
        }
    }

    // Returns whether the connection is still open.
    asio::awaitable<bool> reply(std::string name, std::string usual)
    {
        auto const own = replies.find(name);
        auto const text = own == replies.end() ? usual : own->second;
        if (text == "-") // until the client closes the connection
            co_await read("\r\n");
        if (text.empty())
            co_return false;
        if (delay.count() != 0) {
            asio::steady_timer timer(acceptor_.get_executor(), delay);
            co_await timer.async_wait(asio::use_awaitable);
        }
        auto const line = text + "\r\n";
        if (is_encrypted_)
            co_await asio::async_write(*client_, asio::buffer(line), asio::use_awaitable);
        else
            co_await asio::async_write(client_->next_layer(), asio::buffer(line), asio::use_awaitable);
        co_return true;
    }

    // Returns the text before `end`.
    asio::awaitable<std::string> read(std::string end)
    {
        auto buffer = asio::dynamic_buffer(received_);
        std::size_t size = 0;
        if (is_encrypted_)
            size = co_await asio::async_read_until(*client_, buffer, end, asio::use_awaitable);
        else
            size = co_await asio::async_read_until(client_->next_layer(), buffer, end, asio::use_awaitable);
        auto out = received_.substr(0, size - end.size());
        received_.erase(0, size);
        co_return out;
    }

    certificates::identity authority_{{.name = "authority", .names = "", .is_authority = true}};
    certificates::identity identity_;
    asio::ip::tcp::acceptor acceptor_;
    asio::ssl::context context_;
    std::unique_ptr<stream> client_; // null: no client
    std::string received_;
    bool is_encrypted_ = false;
};

} // namespace harness

#endif
