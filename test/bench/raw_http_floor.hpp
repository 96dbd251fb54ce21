#ifndef LINKSPAN_TEST_BENCH_RAW_HTTP_FLOOR_HPP
#define LINKSPAN_TEST_BENCH_RAW_HTTP_FLOOR_HPP

// The floor of HTTP with raw, blocking system calls and without JSON. The requests have the content of those of the
// library, including the headers and the `_meta` that protocol version 2026-07-28 requires.

#include <arpa/inet.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
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

    /// Makes one call. Returns the length of the echoed text.
    std::size_t call(std::string const& text)
    {
        send(text);
        return receive();
    }

    /// Returns true if a part of a response has arrived.
    bool has_response() const
    {
        char byte;
        return ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
    }

    /// Sends one call.
    void send(std::string const& text)
    {
        auto const id = std::to_string(++id_);
        body_ = R"({"jsonrpc":"2.0","id":)" + id +
                R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" + text +
                R"("},"_meta":{"progressToken":)" + id +
                R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                R"("io.modelcontextprotocol/clientCapabilities":{},)"
                R"("io.modelcontextprotocol/clientInfo":{"name":"linkspan","version":"0.2.0"}}}})";
        out_ = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
               "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
               "Mcp-Method: tools/call\r\nMcp-Name: echo\r\nContent-Length: ";
        out_ += std::to_string(body_.size());
        out_ += "\r\n\r\n";
        out_ += body_;
        for (std::size_t sent = 0; sent != out_.size();) {
            auto const size = ::send(socket_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
            if (size <= 0)
                throw std::runtime_error("the floor cannot write");
            sent += static_cast<std::size_t>(size);
        }
    }

    /// Receives the response to the last call. Returns the length of the echoed text.
    std::size_t receive()
    {
        auto const response = read();
        auto const begin = response.find(R"("text":")") + 8;
        return response.find('"', begin) - begin;
    }

private:
    std::string_view read()
    {
        static std::vector<char> chunk(65536); // of all connections, so that many of them do not fill the cache
        in_.clear();
        for (std::size_t whole = 0, head = 0;;) {
            auto const size = ::recv(socket_, chunk.data(), chunk.size(), 0);
            if (size <= 0)
                throw std::runtime_error("the floor cannot read");
            in_.append(chunk.data(), static_cast<std::size_t>(size));
            if (whole == 0) {
                auto const end = in_.find("\r\n\r\n");
                if (end == in_.npos)
                    continue;
                head = end + 4;
                whole = head + std::strtoul(in_.c_str() + in_.find("Content-Length: ") + 16, nullptr, 10);
                in_.reserve(whole);
            }
            if (in_.size() >= whole)
                return std::string_view(in_).substr(head);
        }
    }

    int socket_;
    std::uint64_t id_ = 0;
    std::string out_, in_, body_;
};

} // namespace bench

#endif
