#ifndef LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_RUN_HPP
#define LINKSPAN_TEST_SCENARIO_SIMULATION_SCENARIO_RUN_HPP

#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "policies.hpp"
#include "scenario.hpp"
#include "server_process.hpp"

namespace linkspan::inline LINKSPAN_ABI::test::simulation {

// A call of the scenario and its completion.
struct call_record {
    explicit call_record(call_plan const& of) : plan(&of) {}

    call_plan const* plan;
    bool was_made = false; // false if the connector was destroyed before
    time_point began{};
    time_point ended{};
    std::optional<time_point> closed_at; // when the connector was closed or destroyed during the call
    std::size_t completions = 0;
    bool within_start = false; // completed inside the initiating function
    bool late_progress = false;
    error_code ec;
    call_result result;
    std::optional<asio::cancellation_type> cancelled_by; // the signal that aborted the call
    std::vector<asio::cancellation_type> ignored;        // signals that the call ignored
    asio::cancellation_signal cancel;
};

// An operation of the connector other than a call.
struct change_record {
    explicit change_record(event_plan::kind of) : what(of) {}

    event_plan::kind what;
    std::size_t completions = 0;
};

// Runs a scenario in virtual time and records the observable behaviour.
class run {
public:
    run(scenario const& plan, std::function<void(std::string const&)> print)
        : plan_(plan), log_(std::move(print)), time_(virtual_time::install(context_, plan.seed + 1))
    {
        for (std::size_t i = 0; i != plan.servers.size(); ++i)
            random_.emplace_back(plan.seed * 8 + i + 1);
        for (auto const& call : plan.calls)
            calls_.emplace_back(call);
        hub_.emplace(context_.get_executor(), plan.routing, plan.fallback, plan.health, plan.admission, plan.budget,
                     progress_printer{log_});
        for (std::size_t i = 0; i != plan.at_first; ++i)
            add(i);
    }

    run(run const&) = delete;
    run& operator=(run const&) = delete;

    // Throws `stalled` if a call does not complete.
    void play()
    {
        for (auto const& event : plan_.events) {
            time_.run_for(event.at - time_.now());
            asio::post(context_, [this, &event] { apply_event(event); });
        }
        time_.run_for(duration::zero());
        time_.run_until([this] { return std::ranges::all_of(calls_, is_over); });
        was_disturbed_ = closed_;
        if (hub_ && plan_.ends_gracefully) {
            change(event_plan::kind::shutdown, {});
            time_.run_until([this] { return changes_.back().completions != 0; });
        }
        if (hub_) {
            hub_->close();
            at_end_ = hub_->state();
        }
        hub_.reset();
        waits_.clear();
        for (auto& one : processes_)
            one.cancel_late_responses();
        time_.run_for(duration::zero());
        context_.restart();
        context_.poll();
    }

    scenario const& plan() const noexcept { return plan_; }
    std::deque<call_record> const& calls() const noexcept { return calls_; }
    std::deque<change_record> const& changes() const noexcept { return changes_; }
    std::deque<server_process> const& processes() const noexcept { return processes_; }
    std::optional<connector_state> const& at_end() const noexcept { return at_end_; }
    std::string const& forbidden_start() const noexcept
    {
        return forbidden_start_;
    } // the forbidden start of a server, if any
    // True if calls may have been affected by close, shutdown or destruction, or by the end of a server.
    bool was_disturbed() const noexcept { return was_disturbed_; }
    std::size_t waits_left() const noexcept { return time_.pending(); }
    bool is_idle() const noexcept { return context_.stopped(); }

private:
    using kind = event_plan::kind;

    static bool is_over(call_record const& call) { return !call.was_made || call.completions != 0; }

    void log(std::string const& what) const
    {
        using seconds = std::chrono::duration<double>;
        if (log_)
            log_("+" + std::to_string(seconds(time_.now().time_since_epoch()).count()) + "s " + what);
    }

    // Each connection starts a new process.
    inproc_config way_to(std::size_t index)
    {
        auto const connect = [this, index](asio::any_io_executor const& executor, memory_end const& end) {
            auto const& server = plan_.servers[index];
            if (server.refuses_connections(time_.now())) {
                log("connection to " + server.key + " is refused");
                return error_code(asio::error::connection_refused);
            }
            auto& one = processes_.emplace_back(executor, server, random_[index], processes_.size(), arrivals_);
            if (log_)
                one.log = [this](std::string const& what) { log(what); };
            log(server.key + " is started as process " + std::to_string(one.number()));
            if (disabled_or_removed_.contains(index) || ended_.contains(index))
                forbidden_start_ = server.key + " is started as process " + std::to_string(one.number());
            one.serve(end);
            return error_code();
        };
        return {connect};
    }

    void add(std::size_t index)
    {
        auto const& server = plan_.servers[index];
        hub_->add<inproc>(server.key, way_to(index), server.options);
    }

    bool is_known(std::string_view key) const
    {
        auto const now = hub_->state();
        return std::ranges::find(now.servers, key, &server_status::server) != now.servers.end();
    }

    void apply_event(event_plan const& event)
    {
        switch (event.what) {
        case kind::call: return start(event.index);
        case kind::crash:
        case kind::drop_tool: return apply_fault(event);
        case kind::add:
            log("add " + plan_.servers[event.index].key);
            if (hub_ && !is_known(plan_.servers[event.index].key)) {
                disabled_or_removed_.erase(event.index);
                ended_.erase(event.index);
                add(event.index);
            }
            return;
        case kind::close:
            log("close");
            mark_closed();
            if (hub_)
                hub_->close();
            return;
        case kind::destroy:
            log("destroy");
            mark_closed();
            hub_.reset();
            return;
        default: return change(event.what, plan_.servers[event.index].key, event.index);
        }
    }

    void mark_closed()
    {
        closed_ = true;
        for (auto& call : calls_)
            if (!is_over(call))
                call.closed_at = time_.now();
    }

    void apply_fault(event_plan const& event)
    {
        auto const& server = plan_.servers[event.index];
        log(std::string(event.what == kind::crash ? "crash " : "a tool is removed from ") + server.key);
        for (auto& one : processes_) {
            if (&one.plan() != &server || one.ended())
                continue;
            if (event.what == kind::crash)
                one.crash();
            else if (!server.tools.empty())
                one.drop_tool(server.tools.front().name, true);
        }
    }

    // Records which servers must not be started.
    void forbid_start(kind what, std::size_t index)
    {
        bool const is_lazy = plan_.servers[index].options.start == start_mode::lazy;
        switch (what) {
        case kind::disable:
        case kind::remove:
            if (!replaced_.contains(index)) // otherwise the change may concern the replaced server
                disabled_or_removed_.insert(index);
            return;
        case kind::disconnect:
            if (!is_lazy && !replaced_.contains(index))
                ended_.insert(index);
            return;
        case kind::enable:
            if (is_known(plan_.servers[index].key))
                disabled_or_removed_.erase(index);
            [[fallthrough]];
        case kind::connect: ended_.erase(index); return;
        case kind::replace:
            replaced_.insert(index);
            disabled_or_removed_.erase(index);
            ended_.erase(index);
            return;
        case kind::open: ended_.clear(); return;
        default: return;
        }
    }

    void change(kind what, std::string_view key, std::size_t index = 0)
    {
        if (!hub_)
            return;
        auto& made = changes_.emplace_back(what);
        log("change " + std::string(to_string(what)) + " of " + std::string(key));
        auto const done = [this, &made](auto const&...) {
            ++made.completions;
            log("change " + std::string(to_string(made.what)) + " is complete");
        };
        forbid_start(what, index);
        switch (what) {
        case kind::open: return hub_->async_open(done);
        case kind::connect: return hub_->async_connect(key, done);
        case kind::disconnect: closed_ = true; return hub_->async_disconnect(key, done);
        case kind::enable: return hub_->async_enable(key, done);
        case kind::disable: closed_ = true; return hub_->async_disable(key, done);
        case kind::remove: closed_ = true; return hub_->async_remove(key, done);
        case kind::replace:
            closed_ = true;
            return hub_->async_replace<inproc>(key, way_to(index), plan_.servers[index].options, done);
        case kind::shutdown: closed_ = true; return hub_->async_shutdown(done);
        default: return;
        }
    }

    void start(std::size_t number)
    {
        auto& call = calls_[number];
        auto const& plan = *call.plan;
        if (!hub_)
            return;
        call.was_made = true;
        call.began = time_.now();
        log("call " + std::to_string(number) + " of " + plan.tool + (plan.target.empty() ? "" : " at " + plan.target));
        auto options = plan.options;
        options.on_progress = [&call](progress_update const&) { call.late_progress |= call.completions != 0; };
        auto const done = [this, &call, number](error_code ec, call_result result) {
            call.within_start |= starting_ == &call;
            ++call.completions;
            call.ended = time_.now();
            call.ec = ec;
            call.result = std::move(result);
            log("call " + std::to_string(number) + " completes: " + (ec ? ec.message() : call.result.text()));
        };
        starting_ = &call;
        call_hub(plan, options, R"({"call":)" + std::to_string(number) + "}",
                 asio::bind_cancellation_slot(call.cancel.slot(), done));
        starting_ = nullptr;
        for (auto const& one : plan.cancels)
            cancel_later(call, one);
    }

    template<class Handler>
    void call_hub(call_plan const& plan, call_options const& options, std::string const& text, Handler handler)
    {
        arguments const args{raw_json(text)};
        if (!plan.target.empty())
            hub_->on_server(plan.target).async_call(plan.tool, args, options, std::move(handler));
        else if (plan.which)
            hub_->on_servers(*plan.which).async_call(plan.tool, args, options, std::move(handler));
        else if (plan.by_exposed_name)
            hub_->async_invoke(plan.tool, args, options, std::move(handler));
        else
            hub_->async_call(plan.tool, args, options, std::move(handler));
    }

    void cancel_later(call_record& call, cancel_plan const& how)
    {
        if (how.after == duration::zero())
            return cancel(call, how.type);
        auto& wait = waits_.emplace_back(context_.get_executor());
        wait.expires_after(how.after);
        wait.async_wait([this, &call, &how](error_code) { cancel(call, how.type); });
    }

    // The call completes later in the same instant or ignores the signal.
    void cancel(call_record& call, asio::cancellation_type type)
    {
        if (call.completions != 0)
            return;
        log("cancel a call, type " + std::to_string(static_cast<unsigned>(type)));
        call.cancel.emit(type);
        asio::post(context_, [&call, type, when = time_.now()] {
            if (call.completions == 0)
                call.ignored.push_back(type);
            else if (!call.cancelled_by && call.ended == when && call.ec == asio::error::operation_aborted)
                call.cancelled_by = type;
        });
    }

    scenario const& plan_;
    std::function<void(std::string const&)> log_;
    asio::io_context context_{1};
    virtual_time& time_;
    std::vector<random_choices> random_; // one per server
    std::size_t arrivals_ = 0;
    std::deque<server_process> processes_;
    std::deque<call_record> calls_;
    std::deque<change_record> changes_;
    call_record const* starting_ = nullptr; // the call whose initiating function is running
    std::deque<timer> waits_;
    std::optional<hub_type> hub_;
    std::optional<connector_state> at_end_;
    bool closed_ = false;
    bool was_disturbed_ = false;
    std::set<std::size_t> disabled_or_removed_; // servers disabled or removed since they were last enabled or added
    std::set<std::size_t> ended_;               // servers disconnected since they were last connected or opened
    std::set<std::size_t> replaced_;            // servers that were ever replaced
    std::string forbidden_start_;
};

} // namespace linkspan::test::simulation

#endif
