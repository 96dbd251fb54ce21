#ifndef LINKSPAN_EXAMPLE_TABLES_HPP
#define LINKSPAN_EXAMPLE_TABLES_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/connector/connector_state.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <vector>

// Output of the examples.

inline void print_report(linkspan::open_report const& report)
{
    for (auto const& line : report.servers) {
        auto const elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(line.elapsed);
        std::cout << std::left << std::setw(14) << line.server;
        if (line.ec)
            std::cout << line.ec.message() << ": " << line.detail << '\n';
        else
            std::cout << to_string(*line.protocol_version) << ", " << line.tools << " tools, after " << elapsed.count()
                      << " ms\n";
    }
}

inline void print_catalog(linkspan::catalog const& catalog)
{
    std::cout << '\n' << catalog.tools().size() << " tools:\n";
    for (auto const& entry : catalog.tools())
        std::cout << "  " << std::left << std::setw(44) << entry.display_name() << to_string(entry.replay) << '\n';
}

inline void print_call(std::string_view tool, linkspan::error_code ec, linkspan::call_result const& result)
{
    auto const text = result.text();
    std::cout << '\n';
    if (ec)
        std::cout << explain(ec, result) << '\n';
    else
        std::cout << tool << ": " << text.substr(0, text.find('\n')).substr(0, 60) << " (from " << result.server()
                  << ")\n";
    unsigned number = 0;
    for (auto const& attempt : result.attempts())
        if (!ec)
            std::cout << "  " << ++number << ". " << attempt.server << ": " << to_string(attempt.result.certainty)
                      << '\n';
}

inline void print_state(std::vector<linkspan::server_status> const& servers)
{
    std::cout << "\nserver        state    priority  tools  calls  failures  last error\n";
    for (auto const& server : servers)
        std::cout << std::left << std::setw(14) << server.server << std::setw(9) << to_string(server.state)
                  << std::right << std::setw(8) << server.priority << std::setw(7) << server.tools << std::setw(7)
                  << server.calls << std::setw(10) << server.failures << "  "
                  << server.last_error.substr(0, server.last_error.find('\n')) << '\n';
}

/// Kills a process after 100 ms, when the calls that were started concurrently are in flight.
inline boost::asio::awaitable<void> kill_soon(std::string process_id)
{
    linkspan::timer timer(co_await boost::asio::this_coro::executor);
    timer.expires_after(std::chrono::milliseconds(100));
    co_await timer.async_wait(boost::asio::use_awaitable);
    ::kill(std::atoi(process_id.c_str()), SIGKILL);
}

inline bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

#endif
