#ifndef LINKSPAN_TEST_SUPPORT_HTTP_MOCK_HPP
#define LINKSPAN_TEST_SUPPORT_HTTP_MOCK_HPP

// A server as a process that serves over HTTP, and prints its URL.

#include <linkspan/transport/stdio/child_stream.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"

namespace harness {

class http_mock {
public:
    http_mock(asio::any_io_executor const& executor, std::string const& name, std::vector<std::string> args)
        : http_mock(executor, mock(name, std::move(args)))
    {}

    http_mock(asio::any_io_executor const& executor, linkspan::stdio_config const& config) : child_(executor, config)
    {
        linkspan::error_code ec;
        child_.open(ec);
        BOOST_TEST_REQUIRE(!ec, ec.message());
    }

    /// Returns the first line that the process prints. Throws if the process ends before.
    asio::awaitable<std::string> url()
    {
        std::array<char, 512> bytes;
        std::string line;
        while (!line.ends_with('\n')) {
            auto const size =
                co_await asio::async_initiate<asio::use_awaitable_t<> const, void(linkspan::error_code, std::size_t)>(
                    [&](auto handler) { child_.async_read_some(asio::buffer(bytes), std::move(handler)); },
                    asio::use_awaitable);
            line.append(bytes.data(), size);
        }
        line.pop_back();
        co_return line;
    }

    /// Closes stdin of the process and waits for its end.
    asio::awaitable<void> ends()
    {
        co_await asio::async_initiate<asio::use_awaitable_t<> const, void(linkspan::error_code)>(
            [&](auto handler) { child_.async_shutdown(std::move(handler)); }, asio::use_awaitable);
    }

    linkspan::child_stream& child() noexcept { return child_; }

private:
    linkspan::child_stream child_;
};

inline std::uint16_t port_of(std::string const& url)
{
    auto const at = url.rfind(':') + 1;
    return static_cast<std::uint16_t>(std::stoi(url.substr(at)));
}

} // namespace harness

#endif
