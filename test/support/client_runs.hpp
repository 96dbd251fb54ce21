#ifndef LINKSPAN_TEST_SUPPORT_CLIENT_RUNS_HPP
#define LINKSPAN_TEST_SUPPORT_CLIENT_RUNS_HPP

#include <cstddef>
#include <exception>
#include <functional>

#include "folder.hpp"
#include "harness.hpp"
#include "process_observation.hpp"

namespace harness {

// Runs `run(executor, folder)` of all clients. A few run at a time, because most of them wait. No process may remain.
// `clients`: a range with `size()` and `operator[]`.
template<class Clients>
void run_clients(Clients& clients)
{
    constexpr std::size_t at_once = 24;
    observe::leaves_nothing const nothing;
    observe::folder const files;
    asio::io_context context{1};
    std::size_t next = 0, running = 0;
    std::function<void()> const start = [&] {
        while (running < at_once && next != clients.size()) {
            auto& one = clients[next++];
            ++running;
            asio::co_spawn(context, one.run(context.get_executor(), files), [&](std::exception_ptr failure) {
                --running;
                if (failure)
                    std::rethrow_exception(failure);
                start();
            });
        }
    };
    start();
    context.run();
}

} // namespace harness

#endif
