// A service without an event loop: threads share one blocking connector, while one of two servers is killed repeatedly.
// All calls succeed with the correct result: `add` is read_only, so that a lost call is retried on the other server.

#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>

#include "programs.hpp"

using hub_type = linkspan::blocking_connector<linkspan::transports<linkspan::stdio>>;
using std::chrono::steady_clock;
constexpr int kill_count = 50;

struct {
    std::atomic<int> calls = 0, wrong = 0, failed = 0;
} totals;
//[ worker
void work(std::stop_token over, hub_type& hub, steady_clock::duration& slowest)
{
    for (int i = 0; !over.stop_requested(); ++i, ++totals.calls) {
        boost::json::object const numbers{{"a", i}, {"b", 1}};
        auto const start = steady_clock::now();
        linkspan::error_code ec;
        auto const sum = hub.call("add", numbers, {}, ec); // blocks this thread
        slowest = std::max(slowest, steady_clock::now() - start);
        totals.failed += ec ? 1 : 0;
        totals.wrong += !ec && sum.text() != std::to_string(i + 1) ? 1 : 0;
    }
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
    std::array<steady_clock::duration, 4> slowest{};
    {
        std::array<std::jthread, 4> threads; // stopped and joined at the end of the scope
        for (std::size_t i = 0; i != threads.size(); ++i)
            threads[i] = std::jthread(work, std::ref(hub), std::ref(slowest[i]));
        pid_t last = 0;
        for (int kills = 0; kills != kill_count;) {
            hub.connect("a"); // waits until the server is restarted
            auto const pid = static_cast<pid_t>(hub.state().servers[0].pid.value_or(0));
            kills += pid != 0 && pid != last && ::kill(last = pid, SIGKILL) == 0 ? 1 : 0;
        }
    }
    auto const longest = std::chrono::duration_cast<std::chrono::milliseconds>(*std::ranges::max_element(slowest));
    std::cout << totals.calls << " calls, " << kill_count << " kills: " << totals.wrong << " wrong, " << totals.failed
              << " failed; the slowest took " << longest.count() << " ms\n";
    return totals.wrong == 0 && totals.failed == 0 ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
