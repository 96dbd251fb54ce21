#ifndef LINKSPAN_TEST_BENCH_HTTP_FLOORS_HPP
#define LINKSPAN_TEST_BENCH_HTTP_FLOORS_HPP

// The floors of HTTP: the same messages over kept connections with blocking calls, by raw system calls without JSON,
// and by Beast and Boost.JSON as a program would use them that waits for each answer.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <arpa/inet.h>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace bench {

class raw_http {
public:
    explicit raw_http(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        int const on = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
            throw std::runtime_error("the server cannot be reached");
    }

    raw_http(raw_http const&) = delete;
    raw_http& operator=(raw_http const&) = delete;
    ~raw_http() { ::close(socket_); }

    /// One call; the length of the text that came back.
    std::size_t call(std::string const& text)
    {
        body_ = R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) +
                R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" + text + R"("}}})";
        auto const answer = post();
        auto const begin = answer.find(R"("text":")") + 8;
        return answer.find('"', begin) - begin;
    }

private:
    std::string_view post()
    {
        out_ = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
               "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\nContent-Length: ";
        out_ += std::to_string(body_.size());
        out_ += "\r\n\r\n";
        out_ += body_;
        for (std::size_t sent = 0; sent != out_.size();) {
            auto const size = ::send(socket_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
            if (size <= 0)
                throw std::runtime_error("the floor cannot write");
            sent += static_cast<std::size_t>(size);
        }
        in_.clear();
        for (std::size_t whole = 0, head = 0;;) {
            auto const before = in_.size();
            in_.resize(before + 65536);
            auto const size = ::recv(socket_, in_.data() + before, 65536, 0);
            if (size <= 0)
                throw std::runtime_error("the floor cannot read");
            in_.resize(before + static_cast<std::size_t>(size));
            if (whole == 0) {
                auto const end = in_.find("\r\n\r\n");
                if (end == in_.npos)
                    continue;
                head = end + 4;
                whole = head + std::strtoul(in_.c_str() + in_.find("Content-Length: ") + 16, nullptr, 10);
                in_.reserve(whole + 65536);
            }
            if (in_.size() >= whole)
                return std::string_view(in_).substr(head);
        }
    }

    int socket_;
    std::uint64_t id_ = 0;
    std::string out_, in_, body_;
};

class beast_http {
public:
    explicit beast_http(std::uint16_t port) : port_(port)
    {
        stream_.connect({boost::asio::ip::address_v4::loopback(), port});
        stream_.socket().set_option(boost::asio::ip::tcp::no_delay(true));
    }

    std::size_t call(std::string const& text)
    {
        namespace http = boost::beast::http;
        namespace json = boost::json;
        json::monotonic_resource memory;
        json::object const message{{"jsonrpc", "2.0"},
                                   {"id", ++id_},
                                   {"method", "tools/call"},
                                   {"params", {{"name", "echo"}, {"arguments", {{"text", text}}}}}};
        http::request<http::string_body> request{http::verb::post, "/mcp", 11};
        request.set(http::field::host, "127.0.0.1");
        request.set(http::field::content_type, "application/json");
        request.set(http::field::accept, "application/json, text/event-stream");
        request.set("MCP-Protocol-Version", "2025-11-25");
        request.body() = json::serialize(message);
        request.prepare_payload();
        http::write(stream_, request);
        http::response_parser<http::string_body> parser;
        parser.body_limit(64u << 20);
        http::read(stream_, buffer_, parser);
        auto const answer = json::parse(parser.get().body(), &memory);
        return answer.at("result").at("content").at(0).at("text").as_string().size();
    }

    /// A thread and a connection for each call in flight: the best that waiting can do.
    void pipeline(std::size_t window, std::size_t total, std::string const& text)
    {
        std::atomic<long> left = static_cast<long>(total);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i != window; ++i)
            threads.emplace_back([&] {
                beast_http mine(port_);
                while (left.fetch_sub(1) > 0)
                    if (mine.call(text) != text.size())
                        std::abort();
            });
        for (auto& each : threads)
            each.join();
    }

private:
    std::uint16_t port_;
    std::uint64_t id_ = 0;
    boost::asio::io_context context_{1};
    boost::beast::tcp_stream stream_{context_};
    boost::beast::flat_buffer buffer_;
};

} // namespace bench

#endif
