#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_MAKER_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_MAKER_HPP

#include <chrono>

#include "random_choices.hpp"
#include "scenario.hpp"

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// Draws a scenario from a seed.
class scenario_maker {
public:
    explicit scenario_maker(std::uint64_t seed) : random_(seed) { made_.seed = seed; }

    scenario make()
    {
        draw_policies();
        has_groups_ = random_.chance(20);
        auto const count = random_.between(1, 5);
        for (std::size_t i = 0; i != count; ++i)
            draw_server(i);
        made_.at_first = random_.chance(25) ? random_.between(1, count) : count;
        draw_calls();
        draw_faults();
        draw_changes();
        std::ranges::stable_sort(made_.events, {}, &event_plan::at);
        made_.ends_gracefully = random_.chance(70);
        draw_restart_and_share_options();
        return std::move(made_);
    }

private:
    using kind = event_plan::kind;
    using ms = std::chrono::milliseconds;
    using seconds = std::chrono::seconds;

    static constexpr duration length = seconds(40); // period in which events are started

    time_point any_time() { return time_point(random_.span(duration::zero(), length)); }

    void draw_policies()
    {
        switch (random_.below(3)) {
        case 0: made_.routing.which = by_priority(); break;
        case 1: made_.routing.which = routing::round_robin(); break;
        default: made_.routing.which = routing::sticky<>();
        }
        switch (random_.below(8)) {
        case 0: made_.fallback.which = fallback::never_replay(); break;
        case 1: made_.fallback.which = fallback::at_least_once(); break;
        case 2: made_.fallback.which = fallback::no_failover(); break;
        case 3:
            made_.fallback.which =
                fallback::retry{static_cast<unsigned>(random_.between(0, 3)), random_.span(ms(0), seconds(4))};
            break;
        default: made_.fallback.which = safe_failover();
        }
        if (random_.chance(40))
            made_.health.which = health::assume_up();
        else if (random_.chance(50))
            draw_breaker();
        made_.admission.refuses = random_.chance(15) ? 20 : 0;
        made_.budget.extra_attempts = random_.chance(15) ? static_cast<unsigned>(random_.below(4)) : 1000;
    }

    // A breaker that opens quickly and for a short time.
    void draw_breaker()
    {
        probed_breaker quick;
        quick.breaker.consecutive_failures = static_cast<unsigned>(random_.between(1, 3));
        quick.breaker.open_for = random_.span(ms(10), seconds(10));
        quick.interval = random_.span(seconds(2), seconds(30));
        quick.failure_threshold = static_cast<unsigned>(random_.between(1, 3));
        made_.health.which = quick;
    }

    void draw_server(std::size_t number)
    {
        auto& server = made_.servers.emplace_back();
        server.key = "s" + std::to_string(number);
        auto& options = server.options;
        options.priority = static_cast<int>(random_.below(3));
        if (random_.chance(50))
            options.tags.emplace_back("red");
        options.enabled = !random_.chance(5);
        options.start = random_.chance(15) ? start_mode::lazy : start_mode::eager;
        options.restart.max_restarts = static_cast<unsigned>(random_.one_of({0, 1, 5, 5, 5}));
        options.restart.wait = random_.span(ms(1), seconds(3));
        options.restart.patience = random_.span(ms(0), seconds(6));
        options.drain_timeout = random_.span(ms(0), seconds(8));
        options.probe_timeout = random_.span(ms(100), seconds(5));
        options.trust_annotations = random_.chance(50);
        options.session.idle_timeout = random_.span(ms(500), seconds(30));
        options.session.attempt_timeout = random_.span(seconds(1), seconds(60));
        options.session.startup_timeout = random_.span(seconds(1), seconds(30));
        options.session.probe_timeout = random_.span(ms(500), seconds(10));
        if (random_.chance(20)) {
            options.session.max_in_flight = random_.between(1, 2);
            options.session.max_queued = random_.below(3);
        }
        options.session.strict = random_.chance(10);
        server.fault_percent = static_cast<unsigned>(random_.one_of({0, 20, 50, 80, 100}));
        server.start_fault_percent = static_cast<unsigned>(random_.one_of({0, 0, 10, 40}));
        switch (random_.below(3)) {
        case 0: server.protocol_versions = {protocol_version::v2025_11_25}; break;
        case 1: server.protocol_versions = {protocol_version::v2026_07_28}; break;
        default: server.protocol_versions = {protocol_version::v2025_11_25, protocol_version::v2026_07_28};
        }
        for (auto const* const name : {"pay", "read"})
            if (random_.chance(90))
                draw_tool(server, name);
    }

    void draw_tool(server_plan& server, std::string name)
    {
        auto& tool = server.tools.emplace_back();
        if (has_groups_)
            tool.group = name;
        tool.name = has_groups_ ? name + "_at_" + server.key : name;
        tool.hint_read_only = random_.chance(30);
        tool.hint_idempotent = random_.chance(40);
        if (random_.chance(60))
            tool.hint_destructive = random_.chance(50);
        auto& declared = server.options.tools[tool.name];
        declared.group = tool.group;
        if (random_.chance(70))
            declared.replay = random_.one_of({replay_class::never, replay_class::never, replay_class::idempotent,
                                              replay_class::read_only, replay_class::keyed});
    }

    void draw_calls()
    {
        auto const count = random_.between(1, 8);
        bool const at_once = random_.chance(20);
        auto const burst = any_time();
        for (std::size_t i = 0; i != count; ++i) {
            draw_call();
            made_.events.push_back({at_once ? burst : any_time(), kind::call, i});
        }
    }

    std::size_t any_server() { return random_.below(made_.servers.size()); }

    void draw_call()
    {
        auto& call = made_.calls.emplace_back();
        call.tool = random_.chance(4) ? "unknown_tool" : random_.one_of({"pay", "pay", "read"});
        if (random_.chance(20)) {
            auto const& server = made_.servers[any_server()];
            call.target = random_.chance(3) ? "unknown_server" : server.key;
            if (auto const* const tool = server.find(call.tool); tool && !call.target.empty())
                call.tool = tool->name;
        } else if (random_.chance(25)) {
            draw_selector(call.which.emplace());
        } else if (random_.chance(5)) {
            call.by_exposed_name = true;
            call.tool = made_.servers[any_server()].key + "__" + call.tool;
        }
        auto& options = call.options;
        if (random_.chance(40))
            options.timeout = random_.span(ms(1), seconds(60));
        if (random_.chance(30))
            options.idle_timeout = random_.span(ms(1), seconds(20));
        if (random_.chance(20))
            options.attempt_timeout = random_.span(ms(1), seconds(20));
        if (random_.chance(50))
            options.affinity = random_.one_of({"a", "b", "c"});
        while (random_.chance(25))
            call.cancels.push_back({random_.chance(25) ? duration::zero() : random_.span(ms(0), seconds(10)),
                                    random_.one_of({asio::cancellation_type::terminal, asio::cancellation_type::partial,
                                                    asio::cancellation_type::total, asio::cancellation_type::all})});
    }

    void draw_selector(selector& which)
    {
        if (random_.chance(20))
            which.all_of.emplace_back("red");
        else if (random_.chance(20))
            which.none_of.emplace_back("red");
        if (!which.all_of.empty() || random_.chance(20))
            return;
        for (std::size_t i = 0; i != made_.servers.size(); ++i)
            if (auto key = made_.servers[any_server()].key;
                std::ranges::find(which.servers, key) == which.servers.end())
                which.servers.push_back(std::move(key));
    }

    void draw_faults()
    {
        for (std::size_t i = 0; i != made_.servers.size(); ++i) {
            auto& server = made_.servers[i];
            while (random_.chance(20)) {
                auto const from = random_.chance(30) ? time_point() : any_time();
                server.refusal_periods.emplace_back(from, from + random_.span(ms(0), seconds(20)));
            }
            while (random_.chance(30))
                made_.events.push_back({any_time(), kind::crash, i});
            if (random_.chance(10))
                made_.events.push_back({any_time(), kind::drop_tool, i});
            if (random_.chance(8)) // repeated crashes
                for (auto at = any_time(); random_.chance(85); at += random_.span(ms(1), seconds(3)))
                    made_.events.push_back({at, kind::crash, i});
        }
    }

    void draw_changes()
    {
        made_.events.push_back({random_.chance(90) ? time_point() : any_time(), kind::open, 0});
        for (auto i = made_.at_first; i != made_.servers.size(); ++i) {
            auto const at = any_time();
            made_.events.push_back({at, kind::add, i});
            if (random_.chance(80))
                made_.events.push_back({at, kind::connect, i});
        }
        while (random_.chance(40)) {
            auto const what = random_.one_of({kind::connect, kind::disconnect, kind::enable, kind::disable,
                                              kind::remove, kind::replace, kind::replace, kind::open});
            auto const at = any_time();
            auto const server = any_server();
            made_.events.push_back({at, what, server});
            draw_following_events(at, server);
        }
        if (random_.chance(15))
            made_.events.push_back({any_time(), random_.one_of({kind::shutdown, kind::close, kind::destroy}), 0});
        if (random_.chance(10))
            made_.events.push_back({any_time(), kind::open, 0});
    }

    // Events on the same server while the first change is in progress.
    void draw_following_events(time_point at, std::size_t server)
    {
        while (random_.chance(40)) {
            at += random_.chance(30) ? duration::zero() : random_.span(ms(0), seconds(3));
            auto const what =
                random_.one_of({kind::crash, kind::crash, kind::connect, kind::disconnect, kind::enable, kind::disable,
                                kind::remove, kind::add, kind::replace, kind::open, kind::shutdown, kind::close});
            made_.events.push_back({at, what, server});
        }
    }

    // Uses separate random choices, so that older seeds still produce the same events.
    void draw_restart_and_share_options()
    {
        random_choices own(made_.seed ^ 0x5eed);
        for (auto& server : made_.servers) {
            server.options.restart.give_up = own.chance(30);
            server.options.restart.max_slow_wait = own.span(ms(1), seconds(60));
        }
        for (auto& call : made_.calls)
            if (own.chance(40))
                call.options.attempt_share = static_cast<double>(own.below(101)) / 100;
    }

    random_choices random_;
    scenario made_;
    bool has_groups_ = false;
};

} // namespace linkspan::test::simulation

#endif
