#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_ORACLE_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_ORACLE_HPP

#include <linkspan/json/json_scan.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenario_run.hpp"

// Invariants of every scenario. The oracle compares the results and trails of calls with the requests that the servers
// received. The oracle does not use the implementation.

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// Thrown if an invariant is violated.
class broken : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void require(bool holds, std::string_view what)
{
    if (!holds)
        throw broken(std::string(what));
}

// A call that a server received.
struct observed_call {
    server_process const* where;
    arrival const* what;
};

// After a first possible execution of a tool, another one is allowed only if the replay classes on all involved servers
// allow it.
class replay_rules {
public:
    replay_rules(scenario const& plan, std::string tool) : plan_(&plan), tool_(std::move(tool)) {}

    bool allow(std::string_view server) const
    {
        if (ran_on_.empty())
            return true;
        auto all = ran_on_;
        all.insert(std::string(server));
        bool const elsewhere = all.size() > 1;
        return std::ranges::all_of(all, [&](std::string const& key) {
            auto const here = permission_at(key);
            return here.replay != replay_class::never && !(here.replay_on_same_server && elsewhere);
        });
    }

    replay_permission permission_at(std::string_view key) const
    {
        auto const server = std::ranges::find(plan_->servers, key, &server_plan::key);
        return server == plan_->servers.end() ? replay_permission() : replay_permission_of(*server, tool_);
    }

    void may_have_run_on(std::string_view server) { ran_on_.emplace(server); }

private:
    scenario const* plan_;
    std::string tool_;
    std::set<std::string, std::less<>> ran_on_;
};

class oracle {
public:
    explicit oracle(run const& of) : run_(of), plan_(of.plan())
    {
        observed_calls_.resize(run_.calls().size());
        for (auto const& one : run_.processes())
            for (auto const& call : one.arrivals())
                observed_calls_.at(call.call).push_back({&one, &call});
        for (auto& of_call : observed_calls_)
            std::ranges::sort(of_call, {}, [](observed_call const& seen) { return seen.what->order; });
    }

    // Throws `broken`.
    void check_all() const
    {
        for (std::size_t i = 0; i != run_.calls().size(); ++i) {
            try {
                if (run_.calls()[i].was_made)
                    check_call(run_.calls()[i], observed_calls_[i]);
            } catch (broken const& what) {
                throw broken("call " + std::to_string(i) + ": " + what.what());
            }
        }
        for (auto const& one : run_.processes())
            check_connection(one);
        check_end();
    }

private:
    using observed_calls = std::vector<observed_call>;

    // Returns the name of the tool on its servers.
    static std::string tool_of(call_plan const& plan)
    {
        return plan.by_exposed_name ? plan.tool.substr(plan.tool.find("__") + 2) : plan.tool;
    }

    void check_call(call_record const& call, observed_calls const& seen) const
    {
        require(call.completions == 1, "completed " + std::to_string(call.completions) + " times");
        require(!call.within_start, "completed inside the initiating function");
        require(!call.late_progress, "received progress after its completion");
        auto const timeout = call.plan->options.timeout.value_or(std::chrono::seconds(300));
        require(call.ended - call.began <= timeout, "exceeded its timeout");
        require(!call.closed_at || call.ended <= *call.closed_at, "completed after the end of its connector");
        check_cancellation(call, seen);
        check_result(call, seen);
        check_replays(call, seen);
        check_trail(call, seen);
        check_error(call, seen);
    }

    void check_cancellation(call_record const& call, observed_calls const& seen) const
    {
        using cancel = asio::cancellation_type;
        for (auto const type : call.ignored)
            require(type == cancel::total, "ignored a terminal or partial cancellation");
        bool const is_aborted = call.ec == asio::error::operation_aborted;
        require(!is_aborted || call.cancelled_by || run_.was_disturbed(), "was aborted without a cancellation");
        if (call.cancelled_by == cancel::total)
            for (auto const& one : seen)
                require(!one.what->ran, "was aborted by `total` although a server may have executed it");
    }

    void check_result(call_record const& call, observed_calls const& seen) const
    {
        if (call.ec)
            return;
        require(!seen.empty(), "has a result that no server sent");
        auto const& last = seen.back();
        require(last.what->responded && call.result.text() == last.what->text,
                "has a result other than that of the last server");
        require(call.result.server() == last.where->plan().key, "names a server that did not send the result");
        auto const trail = call.result.attempts();
        require(!trail.empty() || seen.size() == 1, "needed several attempts and has no trail");
        require(trail.empty() || trail.back().id == last.what->id, "has a trail whose last record has another request");
        require(trail.empty() || trail.back().result.certainty == certainty::completed,
                "succeeded although the last record of its trail is not completed");
    }

    // Compares with the observations of the servers.
    void check_replays(call_record const& call, observed_calls const& seen) const
    {
        replay_rules rules(plan_, tool_of(*call.plan));
        for (auto const& one : seen) {
            auto const& key = one.where->plan().key;
            require(plan_.fallback.replays_everything() || rules.allow(key),
                    "was replayed on " + key + ", which is not safe");
            if (one.what->ran)
                rules.may_have_run_on(key);
            require(&one == &seen.back() || !one.what->responded || is_dropped(call, one),
                    "was sent again after a result");
            require(is_eligible(*call.plan, one.where->plan()),
                    "was sent to " + key + ", which the caller did not select");
        }
        auto const ran = std::ranges::count_if(seen, [](observed_call const& one) { return one.what->ran; });
        bool const never_replays = std::holds_alternative<fallback::never_replay>(plan_.fallback.which);
        require(!never_replays || ran <= 1, "may have been executed more than once with never_replay");
        bool const never_fails_over = std::holds_alternative<fallback::no_failover>(plan_.fallback.which);
        require(!never_fails_over || seen.size() <= 1, "was sent again with no_failover");
    }

    // Returns whether the result of a late or malformed response was discarded.
    static bool is_dropped(call_record const& call, observed_call const& one)
    {
        return std::ranges::any_of(call.result.attempts(), [&](attempt_record const& record) {
            return record.id == one.what->id && record.server == one.where->plan().key &&
                   record.result.certainty == certainty::unknown;
        });
    }

    static bool is_eligible(call_plan const& plan, server_plan const& server)
    {
        if (!plan.target.empty())
            return plan.target == server.key;
        if (plan.by_exposed_name)
            return plan.tool.starts_with(server.key + "__");
        if (!plan.which)
            return true;
        auto const& names = plan.which->servers;
        return plan.which->matches(server.options.tags) &&
               (names.empty() || std::ranges::find(names, server.key) != names.end());
    }

    static bool is_attempt(attempt_record const& record)
    {
        return record.result.ec != error::no_eligible_server && record.detail != "excluded by the admission policy";
    }

    // Checks the trail that the caller receives.
    void check_trail(call_record const& call, observed_calls const& seen) const
    {
        auto const trail = call.result.attempts();
        check_length(call, seen);
        replay_rules rules(plan_, tool_of(*call.plan));
        std::set<std::string, std::less<>> visited;
        std::size_t matched = 0;
        for (std::size_t i = 0; i != trail.size(); ++i) {
            auto const& record = trail[i];
            require(plan_.fallback.replays_everything() || rules.allow(record.server),
                    "has an attempt at " + record.server + ", which is not safe");
            bool const is_same_server = i != 0 && trail[i - 1].server == record.server;
            require(is_same_server || visited.insert(record.server).second,
                    "has a second series of attempts at " + record.server + " after another server");
            if (record.result.certainty == certainty::unknown || record.result.certainty == certainty::completed)
                rules.may_have_run_on(record.server);
            require(i + 1 == trail.size() || record.result.certainty != certainty::completed,
                    "has another attempt after a completed one");
            auto const found = std::ranges::find_if(seen, [&](observed_call const& one) {
                return one.what->id == record.id && one.where->plan().key == record.server;
            });
            check_record(record, found == seen.end() ? nullptr : &*found);
            check_time(call, record);
            matched += found != seen.end();
        }
        require(call.ec ? matched == seen.size() : trail.empty() || matched == seen.size(),
                "has " + std::to_string(matched) + " records of received requests, expected " +
                    std::to_string(seen.size()));
    }

    void check_length(call_record const& call, observed_calls const& seen) const
    {
        auto const attempts = static_cast<std::size_t>(std::ranges::count_if(call.result.attempts(), is_attempt));
        auto const was_sent = [](attempt_record const& record) {
            return record.result.ec != error::not_connected && record.result.ec != error::queue_full &&
                   is_attempt(record);
        };
        bool const is_list = call.ec == error::no_eligible_server || call.ec == error::all_servers_failed;
        if (is_list && seen.empty() && std::ranges::none_of(call.result.attempts(), was_sent))
            return; // the trail contains each server and the reason why no attempt was made on it
        std::size_t max_attempts = 4 + plan_.servers.size();
        if (auto const* const policy = std::get_if<fallback::retry>(&plan_.fallback.which))
            max_attempts = policy->times + 1;
        else if (std::holds_alternative<fallback::no_failover>(plan_.fallback.which))
            max_attempts = 1;
        require(attempts <= max_attempts,
                "has " + std::to_string(attempts) + " attempts, expected at most " + std::to_string(max_attempts));
    }

    void check_record(attempt_record const& record, observed_call const* seen) const
    {
        auto const delivery = record.result.certainty;
        auto const name = std::string(to_string(delivery)) + " at " + record.server;
        bool const is_rpc = record.result.ec.category() == rpc_category();
        if (delivery == certainty::not_sent)
            require(!seen, "has the record " + name + ", but the request was received");
        if (delivery == certainty::refused)
            require(seen && !seen->what->ran && is_rpc,
                    "has the record " + name + ", but the request may have been executed");
        if (delivery == certainty::refused && record.result.ec.value() == -32602) // -32602 refuses only if not listed
            require(!seen->what->is_listed || run_.was_disturbed(),
                    "has the record " + name + ", but the tool was listed");
        if (delivery == certainty::completed)
            require(seen && (is_rpc || seen->what->responded),
                    "has the record " + name + ", but there was no response");
        if (is_rpc && delivery != certainty::not_sent) // otherwise the opening was refused
            require(seen && seen->what->code == record.result.ec.value(),
                    "has an error that " + record.server + " did not send");
    }

    // A call that may not be replayed does not reserve time for other servers.
    void check_time(call_record const& call, attempt_record const& record) const
    {
        auto const server = std::ranges::find(plan_.servers, record.server, &server_plan::key);
        if (record.result.ec != error::attempt_timed_out || record.result.certainty != certainty::unknown ||
            replay_permission_of(*server, tool_of(*call.plan)).replay != replay_class::never)
            return;
        auto const& defaults = server->options.session;
        auto const idle = call.plan->options.idle_timeout.value_or(defaults.idle_timeout);
        auto const whole = call.plan->options.attempt_timeout.value_or(defaults.attempt_timeout);
        require(record.result.elapsed >= std::min(idle, whole), "timed out too early at " + record.server);
    }

    // Checks the error that the caller receives.
    void check_error(call_record const& call, observed_calls const& seen) const
    {
        bool const unsafe = std::ranges::any_of(seen, [&](observed_call const& one) {
            auto const& server = one.where->plan();
            return one.what->ran && replay_permission_of(server, tool_of(*call.plan)).replay == replay_class::never;
        });
        bool const any = std::ranges::any_of(seen, [](observed_call const& one) { return one.what->ran; });
        auto const& ec = call.ec;
        if (ec == error::all_servers_failed || ec == error::deadline_exceeded)
            require(!unsafe, "has an error that permits another call, which is not safe");
        else if (ec == condition::not_executed)
            require(!any, "has the condition not_executed, but it may have been executed");
        else if (ec == condition::tool_refused && ec.category() != rpc_category())
            require(!any, "has the condition tool_refused, but it may have been executed");
        if (ec.category() == rpc_category())
            require(!seen.empty() && seen.back().what->code == ec.value(),
                    "has an error that its last server did not send");
        if (ec.category() == rpc_category() && !seen.back().what->ran)
            require(!any || ec.value() == -32602, "has the error of a refusal, but it may have been executed");
    }

    void check_connection(server_process const& one) const
    {
        std::set<std::string, std::less<>> ids;
        std::map<request_id, std::size_t> cancelled;
        for (auto const& line : one.received()) {
            auto const method = json_scan::member(line, "method");
            if (method == R"("notifications/cancelled")") {
                auto const id = json_scan::member(json_scan::member(line, "params"), "requestId");
                require(ids.contains(id), "a cancellation was received for an unknown request");
                require(++cancelled[json_scan::integer(id).value_or(0)] == 1, "a request was cancelled twice");
            } else if (auto const id = json_scan::member(line, "id"); !id.empty() && !method.empty()) {
                require(ids.emplace(id).second, "an id was reused: " + std::string(id));
            }
        }
        for (auto const& call : one.arrivals())
            check_abandoned_request(one, call, cancelled.contains(call.id));
    }

    // A cancellation is sent for each abandoned request and for no other.
    void check_abandoned_request(server_process const& one, arrival const& seen, bool cancelled) const
    {
        auto const& call = run_.calls()[seen.call];
        auto const trail = call.result.attempts();
        auto const record = std::ranges::find_if(
            trail, [&](attempt_record const& of) { return of.id == seen.id && of.server == one.plan().key; });
        bool const abandoned = record != trail.end() && is_abandoned_attempt(record->result, call);
        auto const name =
            "request " + std::to_string(seen.id) + " of call " + std::to_string(seen.call) + " at " + one.plan().key;
        require(abandoned || !cancelled, name + " was cancelled, but the client had not abandoned it");
        if (abandoned && (!one.ended() || *one.ended() > seen.at + record->result.elapsed))
            require(cancelled, name + " was abandoned, but not cancelled");
    }

    static bool is_abandoned_attempt(outcome const& of, call_record const& call)
    {
        return of.ec == error::attempt_timed_out || of.ec == error::deadline_exceeded ||
               (of.ec == asio::error::operation_aborted && call.cancelled_by);
    }

    void check_end() const
    {
        for (auto const& change : run_.changes())
            require(change.completions == 1, "change " + std::string(to_string(change.what)) + " completed " +
                                                 std::to_string(change.completions) + " times");
        if (auto const& state = run_.at_end())
            for (auto const& server : state->servers)
                require(server.in_flight == 0, server.server + " has requests in flight at the end");
        require(run_.forbidden_start().empty(), run_.forbidden_start() + " although it must not be started");
        require(run_.waits_left() == 0, "timers are outstanding");
        require(run_.is_idle(), "work of the context is outstanding");
    }

    run const& run_;
    scenario const& plan_;
    std::vector<observed_calls> observed_calls_; // of each call, in order of arrival
};

} // namespace linkspan::test::simulation

#endif
