// Servers that are stopped, or killed and restarted, during calls.

#include <linkspan/core/time.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <csignal>
#include <memory>
#include <optional>

#include "support/http_mock.hpp"
#include "support/mock_fault.hpp"

BOOST_AUTO_TEST_SUITE(outages_test)

using namespace harness;
using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::error;
using linkspan::health_state;
using linkspan::replay_class;
using linkspan::server_state;
using linkspan::stdio;

namespace {

// Observer that waits until a health event or a server state with a given text is reported.
struct health_watch {
    using role = linkspan::observer_role;

    struct state {
        std::string wanted;
        std::optional<linkspan::timer> until;
    };

    std::shared_ptr<state> shared = std::make_shared<state>();

    void on_event(linkspan::event_view const& event) const
    {
        if (event.name == "health")
            on_observation(event.detail);
    }

    void on_state(linkspan::state_view const& view) const { on_observation(view.state); }

    void on_observation(std::string_view what) const
    {
        if (shared->until && what == shared->wanted)
            shared->until->cancel();
    }

    asio::awaitable<void> reached(asio::any_io_executor executor, std::string what) const
    {
        shared->wanted = std::move(what);
        shared->until.emplace(executor);
        shared->until->expires_after(observe::limit);
        auto const [ec] = co_await shared->until->async_wait(in_tuple);
        BOOST_TEST_REQUIRE(ec.failed(), "'" << shared->wanted << "' was not reported");
        shared->until.reset();
    }
};

asio::awaitable<pid_t> process_of(linkspan::connector_base& hub, std::string server)
{
    auto const [ec, result] = co_await hub.on_server(server).async_call("process_id", {}, in_tuple);
    BOOST_TEST_REQUIRE(!ec, linkspan::explain(ec, result));
    co_return std::stoi(result.text());
}

struct outage_case : world {
    using web_hub =
        linkspan::connector<linkspan::transports<linkspan::streamable_http, linkspan::http_sse>, health_watch>;

    template<class Transport>
    asio::awaitable<void> play(std::string transport_option, std::string protocol_version, std::string down)
    {
        std::optional<http_mock> server;
        server.emplace(executor, "mock-calculator", std::vector<std::string>{transport_option, protocol_version});
        auto const url = co_await server->url();
        health_watch const watch;
        web_hub hub(executor, watch);
        linkspan::http_config config;
        config.url = url;
        hub.add<Transport>("a", config, with(0, replay_class::read_only, 5));
        co_await opens(hub);

        observe::process const child(server->child().pid());
        ::kill(server->child().pid(), SIGKILL);
        BOOST_TEST(child.ends());
        completions calls(executor, 5);
        for (std::size_t i = 0; i != calls.entries().size(); ++i)
            hub.async_call("add", two_and_three(), calls.handler(i));
        co_await watch.reached(executor, down);

        co_await server->ends();
        server.emplace(executor, "mock-calculator",
                       std::vector<std::string>{transport_option, std::to_string(port_of(url)), protocol_version});
        co_await server->url();
        auto const& clock = linkspan::time_source::of(executor);
        auto const back = clock.now();
        auto const [ec, result] = co_await calls_until_it_succeeds(hub);
        BOOST_TEST(!ec, linkspan::explain(ec, result));
        BOOST_TEST((clock.now() - back < 3s));
        co_await calls.wait();
        BOOST_TEST((hub.state().servers[0].health == health_state::healthy));
        co_await shuts_down(hub);
        co_await server->ends();
    }

    static linkspan::server_options with(int priority, replay_class replay, unsigned restarts)
    {
        auto options = harness::with(priority, replay);
        options.restart.max_restarts = restarts;
        return options;
    }

    // Repeats a call, with pauses of 50 ms, until it succeeds or fails with `not_connected`.
    static asio::awaitable<std::tuple<linkspan::error_code, linkspan::call_result>>
    calls_until_it_succeeds(linkspan::connector_base& hub)
    {
        for (;;) {
            auto ended = co_await hub.async_call("add", two_and_three(), in_tuple);
            if (!std::get<0>(ended) || std::get<0>(ended) == error::not_connected)
                co_return ended;
            linkspan::timer rest(co_await asio::this_coro::executor);
            rest.expires_after(50ms);
            co_await rest.async_wait(in_tuple);
        }
    }
};

} // namespace

HARNESS_CASE(replayable_call_to_stopped_process_fails_over_after_half_of_its_timeout)
{
    hub_type hub(executor);
    hub.add<stdio>("stopped", mock("mock-calculator"), with(2, replay_class::read_only))
        .add<stdio>("spare", mock("mock-calculator"), with(1, replay_class::read_only));
    co_await opens(hub);
    auto const pid = co_await process_of(hub, "stopped");
    ::kill(pid, SIGSTOP);
    observe::await_stop(pid);
    linkspan::call_options options;
    options.timeout = 1s;
    auto const [ec, result] = co_await hub.async_call("add", two_and_three(), options, in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST(result.server() == "spare");
    BOOST_TEST_REQUIRE(result.attempts().size() == 2u);
    auto const& lost = result.attempts()[0].result;
    BOOST_TEST((lost.certainty == certainty::unknown));
    BOOST_TEST((lost.ec == error::attempt_timed_out), lost.ec.message());
    BOOST_TEST((lost.elapsed >= 500ms && lost.elapsed < 1s));
    ::kill(pid, SIGCONT);
    co_await shuts_down(hub);
}

HARNESS_CASE(unsafe_call_to_stopped_process_uses_whole_timeout)
{
    hub_type hub(executor);
    hub.add<stdio>("stopped", mock("mock-calculator"), with(2)).add<stdio>("spare", mock("mock-calculator"), with(1));
    co_await opens(hub);
    auto const pid = co_await process_of(hub, "stopped");
    ::kill(pid, SIGSTOP);
    observe::await_stop(pid);
    linkspan::call_options options;
    options.timeout = 300ms;
    auto const [ec, result] = co_await hub.async_call("add", two_and_three(), options, in_tuple);
    BOOST_TEST((ec == error::outcome_unknown), ec.message());
    BOOST_TEST((only_attempt(result).result.elapsed >= 300ms));
    ::kill(pid, SIGCONT);
    co_await shuts_down(hub);
}

HARNESS_CASE_IN(outage_case, killed_and_restarted_streamable_http_server_responds_within_three_seconds)
{
    co_await play<linkspan::streamable_http>("--http", "2025-11-25", "tripped");
}

HARNESS_CASE_IN(outage_case, killed_and_restarted_sse_server_responds_within_three_seconds)
{
    co_await play<linkspan::http_sse>("--sse", "2024-11-05", "waiting");
}

BOOST_AUTO_TEST_SUITE_END()
