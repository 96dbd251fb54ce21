// Cancellation of a call inside a policy or an observer, which the call invokes.

#include <linkspan/policy.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "support/connector_case.hpp"

BOOST_AUTO_TEST_SUITE(policy_cancellation_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using cancel = asio::cancellation_type;

namespace {

error_code const aborted = asio::error::operation_aborted;

// Emits the signal of a call, once.
struct canceller {
    asio::cancellation_signal signal;
    cancel type = cancel::none; // none: no emission

    void emit() { signal.emit(std::exchange(type, cancel::none)); }
};

using canceller_pointer = std::shared_ptr<canceller>;

struct cancelling_routing {
    using role = routing_role;
    canceller_pointer call;

    std::optional<server_id> select(call_view const&, std::span<server_view const> candidates) const
    {
        call->emit();
        return candidates.front().id;
    }
};

struct cancelling_fallback {
    using role = fallback_role;
    canceller_pointer call;

    verdict after_failure(attempt_view const& failed) const
    {
        call->emit();
        return safe_failover().after_failure(failed);
    }
};

struct cancelling_observer {
    using role = observer_role;
    canceller_pointer call;
    std::string at = "attempt"; // kind of the notification, or a state

    void on_attempt(attempt_view const&) const { on("attempt"); }
    void on_state(state_view const& view) const { on(view.state); }
    void on_event(event_view const&) const {}

private:
    void on(std::string_view what) const
    {
        if (what == at)
            call->emit();
    }
};

template<class Policy>
using hub_with = connector<transports<inproc>, Policy>;

// The servers "a" and "b", which offer the tool "pay".
struct cancelling_world : world {
    scripted_server a, b;
    canceller_pointer call = std::make_shared<canceller>();
    completion_box box;

    cancelling_world() { b.on(test::call("pay")).then(text("b")); }

    template<class Hub>
    void add_servers(Hub& hub, start_mode start = start_mode::eager)
    {
        int priority = 2;
        for (auto* const server : {&a, &b}) {
            auto options = with(priority, replay_class::read_only);
            options.start = start;
            hub.template add<inproc>(server == &a ? "a" : "b", *server, std::move(options));
            --priority;
        }
    }

    // Starts a call, which the policy cancels with this type.
    template<class Hub>
    void start(Hub& hub, cancel type)
    {
        box = {};
        call->type = type;
        hub.async_call("pay", {}, asio::bind_cancellation_slot(call->signal.slot(), box.handler()));
        BOOST_TEST(box.count == 0u);
    }

    std::size_t calls() const { return a.received("\"tools/call\"") + b.received("\"tools/call\""); }
};

} // namespace

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_routing_before_its_first_attempt_is_not_sent)
{
    a.on(test::call("pay")).then(text("a"));
    hub_with<cancelling_routing> hub(executor, cancelling_routing{call});
    add_servers(hub);
    co_await hub.async_open();
    for (auto const type : {cancel::total, cancel::partial, cancel::terminal}) {
        start(hub, type);
        co_await settle(executor);
        BOOST_TEST(box.count == 1u);
        BOOST_TEST(box.ec == aborted, box.ec.message());
    }
    BOOST_TEST(calls() == 0u);
    BOOST_TEST(hub.state().servers[0].in_flight == 0u);
    co_await pass(executor, 400s);
    BOOST_TEST(box.count == 1u);
}

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_routing_of_servers_that_are_not_started_is_not_sent)
{
    a.on(test::call("pay")).then(text("a"));
    hub_with<cancelling_routing> hub(executor, cancelling_routing{call});
    add_servers(hub);
    start(hub, cancel::terminal); // starts the servers
    co_await pass(executor, 1s);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == aborted, box.ec.message());
    BOOST_TEST(calls() == 0u);
}

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_fallback_is_not_sent_to_another_server)
{
    a.on(test::call("pay")).then(rpc_error(-32603, "broken"));
    hub_with<cancelling_fallback> hub(executor, cancelling_fallback{call});
    add_servers(hub);
    co_await hub.async_open();
    start(hub, cancel::terminal);
    co_await pass(executor, 400s);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == aborted, box.ec.message());
    BOOST_TEST(trail_of(box.result) == "a unknown");
    BOOST_TEST(calls() == 1u);
}

LINKSPAN_CASE_IN(cancelling_world, total_cancellation_by_fallback_has_no_effect_after_an_unknown_outcome)
{
    a.on(test::call("pay")).then(rpc_error(-32603, "broken"));
    hub_with<cancelling_fallback> hub(executor, cancelling_fallback{call});
    add_servers(hub);
    co_await hub.async_open();
    start(hub, cancel::total);
    co_await pass(executor, 1s);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(!box.ec, box.ec.message());
    BOOST_TEST(calls() == 2u);
}

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_observer_of_a_failed_attempt_has_no_other_attempt)
{
    a.on(test::call("pay")).then(rpc_error(-32603, "broken"));
    hub_with<cancelling_observer> hub(executor, cancelling_observer{call});
    add_servers(hub);
    co_await hub.async_open();
    start(hub, cancel::partial);
    co_await pass(executor, 400s);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == aborted, box.ec.message());
    BOOST_TEST(calls() == 1u);
}

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_observer_of_its_result_returns_the_result)
{
    a.on(test::call("pay")).then(text("a"));
    hub_with<cancelling_observer> hub(executor, cancelling_observer{call});
    add_servers(hub);
    co_await hub.async_open();
    start(hub, cancel::terminal);
    co_await settle(executor);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(!box.ec, box.ec.message());
}

LINKSPAN_CASE_IN(cancelling_world, call_cancelled_by_observer_of_the_start_of_its_server_is_not_sent)
{
    a.on(test::call("pay")).then(text("a"));
    hub_with<cancelling_observer> hub(executor, cancelling_observer{call, "opening"});
    add_servers(hub, start_mode::lazy);
    co_await hub.async_open();
    start(hub, cancel::terminal);
    co_await pass(executor, 400s);
    BOOST_TEST(box.count == 1u);
    BOOST_TEST(box.ec == aborted, box.ec.message());
    BOOST_TEST(calls() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
