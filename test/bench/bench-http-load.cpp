// bench-http-load PORT [CALLS]: load for an HTTP server on loopback, with the tool `echo`. Prints the median time of a
// call, one call at a time, in microseconds, and the calls per second with 64 calls in flight, each on a connection of
// its own. The client needs little of the processor, so that the figures are those of the server. Measured by
// server_share.sh.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "raw_http_floor.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

void check(std::size_t echoed, std::string const& text)
{
    if (echoed == text.size())
        return;
    std::cerr << "bench-http-load: the server has not repeated the text\n";
    std::exit(1);
}

double median_of_one_at_a_time(std::uint16_t port, std::string const& text, std::size_t calls)
{
    bench::raw_http client(port);
    std::vector<double> times;
    times.reserve(calls);
    for (std::size_t i = 0; i != calls; ++i) {
        auto const start = clock_type::now();
        check(client.call(text), text);
        times.push_back(std::chrono::duration<double, std::micro>(clock_type::now() - start).count());
    }
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

double per_second_of_many(std::uint16_t port, std::string const& text, std::size_t calls)
{
    constexpr std::size_t in_flight = 64;
    std::vector<std::unique_ptr<bench::raw_http>> clients;
    for (std::size_t i = 0; i != in_flight; ++i)
        clients.push_back(std::make_unique<bench::raw_http>(port));
    for (auto const& each : clients)
        each->send(text);
    auto const rounds = std::max<std::size_t>(calls / in_flight, 1);
    auto const start = clock_type::now();
    for (std::size_t i = 0; i != rounds; ++i)
        for (auto const& each : clients) {
            check(each->receive(), text);
            each->send(text);
        }
    auto const seconds = std::chrono::duration<double>(clock_type::now() - start).count();
    for (auto const& each : clients)
        check(each->receive(), text);
    return static_cast<double>(rounds * in_flight) / seconds;
}

} // namespace

int main(int count, char** words)
{
    if (count < 2)
        return 2;
    auto const port = static_cast<std::uint16_t>(std::strtoul(words[1], nullptr, 10));
    auto const calls = count > 2 ? static_cast<std::size_t>(std::strtoul(words[2], nullptr, 10)) : 20'000;
    std::string const text(100, 'x');
    median_of_one_at_a_time(port, text, std::min<std::size_t>(calls, 1'000)); // fills the pools
    std::cout << median_of_one_at_a_time(port, text, calls) << ' ' << per_second_of_many(port, text, 4 * calls) << '\n';
}
