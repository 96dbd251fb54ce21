// A service without an event loop: threads share one blocking connector, while its servers are killed again and again.
// No call has a wrong result, and none is lost: `add` is read_only, so a call whose server dies is sent to the other.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <iostream>
#include <string>
#include <vector>

#include "programs.hpp"

using hub_type = linkspan::blocking_connector<linkspan::transports<linkspan::stdio>>;
using std::chrono::steady_clock;

constexpr int thread_count = 4, kill_count = 8;

std::atomic<int> calls = 0, wrong = 0, failed = 0;
std::atomic<bool> done = false;

//[ worker
// Returns how long the slowest call took.
steady_clock::duration work(hub_type& hub, int thread)
{
    steady_clock::duration slowest{};
    for (int i = 0; !done; ++i, ++calls) {
        boost::json::object const numbers{{"a", thread}, {"b", i}};
        auto const start = steady_clock::now();
        linkspan::error_code ec;
        auto const sum = hub.call("add", numbers, {}, ec); // blocks this thread
        slowest = std::max(slowest, steady_clock::now() - start);
        failed += ec ? 1 : 0;
        wrong += !ec && sum.text() != std::to_string(thread + i) ? 1 : 0;
    }
    return slowest;
}
//]

int main()
try {
    hub_type hub;
    linkspan::server_options options;
    options.tools["add"].replay = linkspan::replay_class::read_only;
    hub.add<linkspan::stdio>("a", mock_server("mock-calculator"), options)
        .add<linkspan::stdio>("b", mock_server("mock-calculator"), options);
    hub.open();
    std::vector<std::future<steady_clock::duration>> workers;
    for (int thread = 0; thread != thread_count; ++thread)
        workers.push_back(std::async(std::launch::async, [&hub, thread] { return work(hub, thread); }));
    for (int kills = 0; kills != kill_count; ++kills) // `process_id` waits until the server has been restarted
        ::kill(std::stoi(hub.call_at(kills % 2 == 0 ? "a" : "b", "process_id").text()), SIGKILL);
    done = true;
    steady_clock::duration slowest{};
    for (auto& worker : workers)
        slowest = std::max(slowest, worker.get());
    std::cout << calls << " calls, " << kill_count << " kills: " << wrong << " wrong, " << failed << " failed; slowest "
              << std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count() << " ms\n";
    hub.shutdown();
    return wrong == 0 && failed == 0 ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
