// A child process that exits with status 0 between calls.

#include <linkspan/core/time.hpp>

#include <memory>
#include <utility>

#include "support/harness.hpp"
#include "support/mock_fault.hpp"

BOOST_AUTO_TEST_SUITE(idle_exit_test)

using namespace harness;
using linkspan::server_state;
using linkspan::stdio;

namespace {

// Signals when the server reaches a state.
struct awaits_state {
    using role = linkspan::observer_role;

    struct wait {
        std::string state;
        std::shared_ptr<linkspan::timer> until;
    };

    std::shared_ptr<wait> current = std::make_shared<wait>();

    void on_state(linkspan::state_view const& view) const
    {
        if (current->until && view.state == current->state)
            current->until->cancel();
    }
};

} // namespace

HARNESS_CASE(server_that_exits_cleanly_between_calls_is_started_by_next_call)
{
    awaits_state observer;
    auto const wait = observer.current;
    wait->until = std::make_shared<linkspan::timer>(executor);
    wait->until->expires_after(observe::limit);
    wait->state = "idle";
    linkspan::connector<linkspan::transports<stdio>, awaits_state> hub(executor, std::move(observer));
    hub.add<stdio>("a", fault("retire"));
    co_await opens(hub);
    for (int round = 0; round != 2; ++round) {
        co_await echoes(hub, "x");
        if (hub.state().servers[0].state != server_state::idle)
            co_await wait->until->async_wait(in_tuple);
        auto const now = hub.state().servers[0];
        BOOST_TEST((now.state == server_state::idle), to_string(now.state));
        BOOST_TEST(now.restarts == 0u);
        BOOST_TEST(now.last_error.empty(), now.last_error);
        BOOST_TEST(!observe::has_children());
        BOOST_TEST(hub.catalog()->tools().size() == 1u);
    }
    co_await shuts_down(hub);
}

BOOST_AUTO_TEST_SUITE_END()
