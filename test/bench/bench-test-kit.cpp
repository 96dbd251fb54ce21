// bench-test-kit [RUNS [CALLS [MAX_SECONDS]]]: speed of tests in virtual time. Prints the time of RUNS (default: 1,000)
// runs of a test with 150 virtual seconds, each with a world, a server and a session, and the time of a call in process
// (default: 200,000 calls, one after the other; at most 20,000 of them of a server whose messages are recorded). Fails
// if the runs take more than MAX_SECONDS (default: no bound). The row `replicas_1` of icount.baseline limits the
// instructions of such a call of a connector.

#include <linkspan/session.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/world.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "measure.hpp"

namespace {

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::inproc;
using linkspan::session;
using linkspan::via;
namespace asio = boost::asio;

constexpr std::size_t max_recorded = 20'000; // calls whose messages are kept in memory

// Opens a session and makes calls, one after the other. Returns the number of results.
asio::awaitable<std::size_t> call(session& client, std::size_t count)
{
    std::size_t results = 0;
    for (std::size_t i = 0; i != count; ++i) {
        auto const result = co_await client.async_call_tool("forecast", asio::use_awaitable);
        results += result.text() == "sunny";
    }
    co_return results;
}

// A test of 150 virtual seconds: 15 calls of 10 s.
bool run_test()
{
    constexpr std::size_t calls = 15;
    world w;
    auto& weather = w.add_server("weather");
    weather.on(linkspan::test::call("forecast")).then(delay(10s), text("sunny"));
    session client(w.executor, via<inproc>(weather));
    w.await(client.async_open(asio::use_awaitable));
    return w.await(::call(client, calls)) == calls && w.now() == linkspan::time_point(150s);
}

// Returns the microseconds of a call in process.
double microseconds_per_call(world& w, scripted_server& server, std::size_t calls)
{
    server.on(linkspan::test::call("forecast")).then(text("sunny"));
    session client(w.executor, via<inproc>(server));
    w.await(client.async_open(asio::use_awaitable));
    auto const start = bench::clock::now();
    if (w.await(::call(client, calls)) != calls)
        throw std::runtime_error("bench-test-kit: a call has another result");
    return bench::microseconds_since(start) / static_cast<double>(calls);
}

} // namespace

int main(int argc, char** argv)
{
    auto const runs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    auto const calls = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 200'000;
    auto const max_seconds = argc > 3 ? std::strtod(argv[3], nullptr) : std::numeric_limits<double>::infinity();
    auto const start = bench::clock::now();
    for (std::size_t i = 0; i != runs; ++i)
        if (!run_test()) {
            std::cerr << "bench-test-kit: a run has other results\n";
            return 1;
        }
    auto const seconds = bench::microseconds_since(start) / 1e6;
    std::cout << runs << " runs of 150 virtual seconds: " << seconds << " s (target for 1,000: 0.2)\n";

    world w;
    scripted_server plain; // without the trace of a world
    plain.record_messages(false);
    auto const in_process = microseconds_per_call(w, plain, calls);
    auto const recorded = microseconds_per_call(w, w.add_server("weather"), std::min(calls, max_recorded));
    std::cout << "call in process: " << in_process << " us (target: 2); of a server of a world, with its trace and the "
              << "requests: " << recorded << " us\n";
    return seconds <= max_seconds ? 0 : 1;
}
