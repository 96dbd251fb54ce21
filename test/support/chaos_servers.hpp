#ifndef LINKSPAN_TEST_SUPPORT_CHAOS_SERVERS_HPP
#define LINKSPAN_TEST_SUPPORT_CHAOS_SERVERS_HPP

// Processes of chaos-server and their logs.

#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/transport/stdio/child_stream.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "folder.hpp"
#include "harness.hpp"

namespace harness {

using steady_time = std::chrono::steady_clock::time_point;

// Reserves a port of loopback by a bound socket that does not listen. Both sockets have SO_REUSEADDR, so that a server
// can listen on the port; while no server runs, connections are refused.
class reserved_port {
public:
    reserved_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        int const on = 1;
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        auto* const address = reinterpret_cast<sockaddr*>(&at);
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        BOOST_TEST_REQUIRE(::bind(socket_.get(), address, size) == 0);
        BOOST_TEST_REQUIRE(::getsockname(socket_.get(), address, &size) == 0);
        number_ = ntohs(at.sin_port);
    }

    std::string text() const { return std::to_string(number_); }

private:
    linkspan::detail::unique_fd socket_;
    unsigned number_ = 0;
};

// A server of the chaos test. The connector starts servers over standard streams; this class starts the others.
class chaos_server {
public:
    chaos_server(asio::any_io_executor executor, std::string kind, observe::folder const& folder)
        : executor_(std::move(executor)), kind_(std::move(kind)), log_(folder.path() + "/" + kind_ + ".log")
    {}

    std::string const& kind() const noexcept { return kind_; }
    bool is_child_of_connector() const noexcept { return kind_.starts_with("stdio"); }
    std::string url() const { return "http://127.0.0.1:" + port_.text() + (kind_ == "sse" ? "/sse" : "/mcp"); }

    linkspan::stdio_config command() const
    {
        auto const* const folder = std::getenv("LINKSPAN_BIN_DIR");
        auto const transport = is_child_of_connector() ? std::string("stdio") : kind_;
        return {.command = std::string(folder ? folder : ".") + "/chaos-server",
                .args = {log_, transport, port_.text()}};
    }

    // Starts a server over HTTP. Returns when the server listens.
    asio::awaitable<void> start()
    {
        child_ = std::make_unique<linkspan::child_stream>(executor_, command());
        linkspan::error_code ec;
        child_->open(ec);
        BOOST_TEST_REQUIRE(!ec, ec.message());
        std::array<char, 512> bytes;
        for (std::string line; !line.ends_with('\n');) {
            auto const size =
                co_await asio::async_initiate<asio::use_awaitable_t<> const, void(linkspan::error_code, std::size_t)>(
                    [&](auto handler) { child_->async_read_some(asio::buffer(bytes), std::move(handler)); },
                    asio::use_awaitable);
            line.append(bytes.data(), size);
        }
        started_ = std::chrono::steady_clock::now();
    }

    // Returns the time of the last start.
    steady_time started() const { return is_child_of_connector() ? last_start().second : started_; }

    // Returns false if the process does not exist.
    bool signal(int number) const
    {
        pid_t const pid = is_child_of_connector() ? last_start().first : child_ ? child_->pid() : 0;
        linkspan::detail::unique_fd const process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        if (pid <= 0 || process.get() < 0 || !is_server_of_log(pid))
            return false;
        return ::syscall(SYS_pidfd_send_signal, process.get(), number, nullptr, 0) == 0;
    }

    void reap() { child_.reset(); }

    // Counts the executions in the log, per line.
    void count(std::map<std::string, std::size_t>& executions) const
    {
        std::ifstream file(log_);
        for (std::string line; std::getline(file, line);)
            if (!line.starts_with("start "))
                ++executions[line];
    }

private:
    // The id of an ended process may have been reused.
    bool is_server_of_log(pid_t pid) const
    {
        std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
        std::string const line{std::istreambuf_iterator<char>(file), {}};
        return contains(line, log_);
    }

    std::pair<pid_t, steady_time> last_start() const
    {
        std::ifstream file(log_);
        pid_t pid = 0;
        std::chrono::nanoseconds::rep at = 0;
        for (std::string line; std::getline(file, line);)
            if (line.starts_with("start "))
                std::istringstream(line.substr(6)) >> pid >> at;
        return {pid, steady_time(std::chrono::nanoseconds(at))};
    }

    asio::any_io_executor executor_;
    std::string kind_, log_;
    reserved_port port_;
    std::unique_ptr<linkspan::child_stream> child_;
    steady_time started_{};
};

} // namespace harness

#endif
