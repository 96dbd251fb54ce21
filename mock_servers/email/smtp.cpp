#include "smtp.hpp"

#include <linkspan/core/detail/base64.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <memory>
#include <openssl/ssl.h>
#include <string_view>
#include <utility>

namespace mock_email {

namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using asio::use_awaitable;

struct reply {
    int code = 0;     // three digits
    std::string text; // all lines, without the codes, separated by line feeds

    // Returns whether the code is that of success (2xx), or another expected one.
    bool is_expected(int other) const { return other == 0 ? code / 100 == 2 : code == other; }
    bool has_line(std::string_view line) const
    {
        return ("\n" + text + "\n").find("\n" + std::string(line) + "\n") != std::string::npos;
    }
};

asio::ssl::context make_context(std::string const& authorities)
{
    asio::ssl::context out(asio::ssl::context::tls_client);
    out.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
    out.set_verify_mode(asio::ssl::verify_peer);
    if (authorities.empty())
        out.set_default_verify_paths();
    else
        out.load_verify_file(authorities);
    return out;
}

// Doubles a dot at the beginning of each line, and adds the line that ends the message (RFC 5321, section 4.5.2).
std::string with_end(std::string_view message)
{
    std::string out;
    out.reserve(message.size() + 5);
    bool begins_line = true;
    for (char const c : message) {
        if (begins_line && c == '.')
            out += '.';
        out += c;
        begins_line = c == '\n';
    }
    return out += ".\r\n";
}

// A connection to a mail server. Each wait has the same timeout, after which the socket is closed.
class connection {
public:
    connection(asio::any_io_executor const& executor, smtp_server const& server)
        : server_(server), context_(make_context(server.authorities)), stream_(executor, context_), timer_(executor)
    {}

    asio::awaitable<void> open()
    {
        tcp::resolver resolver(stream_.get_executor());
        start_wait();
        auto const endpoints = co_await resolver.async_resolve(server_.host, server_.port, use_awaitable);
        if (is_late_) // the system does not cancel the resolution of a name
            throw boost::system::system_error(asio::error::timed_out);
        co_await asio::async_connect(stream_.next_layer(), endpoints, use_awaitable);
        stop_wait();
    }

    asio::awaitable<void> encrypt()
    {
        // Bytes that precede the handshake could be those of an attacker.
        if (!received_.empty())
            throw smtp_error("The mail server sent data before the TLS handshake.", false);
        if (SSL_set_tlsext_host_name(stream_.native_handle(), server_.host.c_str()) != 1)
            throw smtp_error("The name of the mail server is invalid.", false);
        stream_.set_verify_callback(asio::ssl::host_name_verification(server_.host));
        start_wait();
        co_await stream_.async_handshake(asio::ssl::stream_base::client, use_awaitable);
        stop_wait();
        is_encrypted_ = true;
    }

    // Sends text and returns the reply of the server. The name of the command is part of errors.
    asio::awaitable<reply> request(std::string name, std::string text)
    {
        start_wait();
        if (is_encrypted_)
            co_await asio::async_write(stream_, asio::buffer(text), use_awaitable);
        else
            co_await asio::async_write(stream_.next_layer(), asio::buffer(text), use_awaitable);
        co_return co_await read_reply(std::move(name));
    }

    // Sends a command, and returns the reply of the server, which must have an expected code.
    asio::awaitable<reply> command(std::string name, std::string parameters = {}, int expected = 0)
    {
        auto const text = name + parameters + "\r\n";
        auto const got = co_await request(name, text);
        // A reply to AUTH may repeat the password.
        auto const reason = name == "AUTH" ? std::string() : " " + got.text;
        if (!got.is_expected(expected))
            throw smtp_error("The mail server rejected " + name + ": " + std::to_string(got.code) + reason, false);
        co_return got;
    }

    asio::awaitable<reply> read_reply(std::string name)
    {
        constexpr std::size_t max_lines = 100;
        start_wait();
        reply out;
        for (std::size_t lines = 0; lines != max_lines; ++lines) {
            auto const line = co_await read_line();
            auto const parsed =
                std::from_chars(line.data(), line.data() + std::min<std::size_t>(line.size(), 3), out.code);
            bool const is_last = line.size() == 3 || line.substr(3, 1) == " ";
            if (parsed.ptr != line.data() + 3 || out.code < 200 || out.code > 599 ||
                (!is_last && line.substr(3, 1) != "-"))
                break;
            if (lines != 0)
                out.text += '\n';
            out.text += line.substr(std::min<std::size_t>(line.size(), 4));
            if (!is_last)
                continue;
            stop_wait();
            co_return out;
        }
        throw smtp_error("The reply of the mail server to " + name + " is malformed.", false);
    }

    bool is_late() const noexcept { return is_late_; }

private:
    void stop_wait()
    {
        ++*waits_;
        timer_.cancel();
    }

    void start_wait()
    {
        stop_wait();
        timer_.expires_after(server_.timeout);
        // A handler that is queued already when its wait ends receives no error.
        timer_.async_wait([this, number = *waits_, waits = std::weak_ptr(waits_)](boost::system::error_code ec) {
            auto const current = waits.lock();
            if (ec || !current || *current != number)
                return;
            is_late_ = true;
            boost::system::error_code ignored;
            stream_.next_layer().close(ignored);
        });
    }

    asio::awaitable<std::string> read_line()
    {
        constexpr std::size_t max_line = 2048; // 512 in RFC 5321, section 4.5.3.1.5
        std::size_t end = 0;
        while ((end = received_.find("\r\n")) == received_.npos) {
            if (received_.size() > max_line)
                throw smtp_error("The mail server sent a line that is too long.", false);
            std::array<char, 1024> bytes{};
            std::size_t size = 0;
            if (is_encrypted_)
                size = co_await stream_.async_read_some(asio::buffer(bytes), use_awaitable);
            else
                size = co_await stream_.next_layer().async_read_some(asio::buffer(bytes), use_awaitable);
            received_.append(bytes.data(), size);
        }
        auto out = received_.substr(0, end);
        received_.erase(0, end + 2);
        co_return out;
    }

    smtp_server const& server_;
    asio::ssl::context context_;
    asio::ssl::stream<tcp::socket> stream_;
    asio::steady_timer timer_;
    std::shared_ptr<std::size_t> waits_ = std::make_shared<std::size_t>(0); // number of the current wait
    std::string received_;                                                  // bytes that are not read yet
    bool is_encrypted_ = false;
    bool is_late_ = false; // the timeout has passed
};

asio::awaitable<void> start_session(connection& with, smtp_server const& server)
{
    auto const greeting = co_await with.read_reply("the connection");
    if (!greeting.is_expected(0))
        throw smtp_error(
            "The mail server refused the connection: " + std::to_string(greeting.code) + " " + greeting.text, false);
    auto const offers = co_await with.command("EHLO", " localhost");
    if (!offers.has_line("STARTTLS"))
        throw smtp_error("The mail server does not offer STARTTLS.", false);
    co_await with.command("STARTTLS");
    co_await with.encrypt();
    co_await with.command("EHLO", " localhost");
    std::string const login = std::string(1, '\0') + server.user + '\0' + server.password;
    auto const secret = " PLAIN " + linkspan::detail::to_base64(login);
    co_await with.command("AUTH", secret, 235);
}

} // namespace

asio::awaitable<void> send(smtp_server server, std::string from, std::vector<std::string> to, std::string message,
                           std::function<void()> on_accepted)
{
    auto const executor = co_await asio::this_coro::executor;
    connection with(executor, server);
    bool has_end = false; // the end of the message was sent, or a part of it
    std::string failure;
    try {
        co_await with.open();
        co_await start_session(with, server);
        auto const path = " FROM:<" + from + ">";
        co_await with.command("MAIL", path);
        for (auto const& address : to) {
            auto const recipient = " TO:<" + address + ">";
            co_await with.command("RCPT", recipient);
        }
        std::string const none;
        co_await with.command("DATA", none, 354);
        auto const text = with_end(message);
        has_end = true;
        auto const accepted = co_await with.request("the message", text);
        has_end = false;
        if (!accepted.is_expected(0))
            throw smtp_error(
                "The mail server rejected the message: " + std::to_string(accepted.code) + " " + accepted.text, false);
    } catch (boost::system::system_error const& failed) {
        failure = with.is_late()
                      ? "The mail server did not respond within " + std::to_string(server.timeout.count()) + " ms."
                      : "The connection to the mail server failed: " + failed.code().message() + ".";
    } catch (std::exception const& failed) {
        failure = failed.what();
    }
    if (!failure.empty())
        throw smtp_error(failure, has_end);
    on_accepted();
    // The message is accepted; a failure of QUIT has no effect.
    try {
        co_await with.command("QUIT");
    } catch (std::exception const&) {
    }
}

} // namespace mock_email
