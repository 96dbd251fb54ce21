// All orders of events of one call on a connector with two passive servers, in virtual time. Each order is executed
// from the start. The checked invariants are the rules of doc/policies.md and
// doc/errors.md: executions, attempts, certainty and the error of the call.

#include <linkspan/connector.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/controlled_server.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(call_exploration_test)

using namespace linkspan;
using namespace std::chrono_literals;
using linkspan::test::controlled_server;
using linkspan::test::virtual_time;

namespace {

constexpr auto call_timeout = 25s;
constexpr auto idle_timeout = 10s;

// Event of the call, or of one of the servers "a" and "b".
struct event {
    enum class kind {
        send,           // the server reads the queued bytes
        send_part,      // the server reads a part of the queued bytes
        result,         // the server returns a result for the last call that it received
        error_response, // error code -32603: the tool may have been executed
        refusal,        // error code -32601
        loss,           // the connection is lost
        timeout,        // virtual time advances by the idle timeout
        cancel,         // of type terminal
        cancel_total,   // of type total
        probe,          // fails, or succeeds if the previous probe of the server failed
    };

    kind what;
    std::size_t server = 0;
};

std::ostream& operator<<(std::ostream& out, event const& one)
{
    constexpr std::array names{"send", "send_part", "result", "error_response", "refusal",
                               "loss", "timeout",   "cancel", "cancel_total",   "probe"};
    out << names[static_cast<std::size_t>(one.what)];
    if (one.what != event::kind::timeout && one.what != event::kind::cancel && one.what != event::kind::cancel_total)
        out << " "
            << "ab"[one.server];
    return out;
}

// Health policy: servers whose last probe failed receive no calls.
struct probe_result_health {
    using role = health_role;

    std::array<bool, 2> const* failed;

    health_state on_result(server_id server, outcome const&, time_point now) const { return state(server, now); }
    health_state state(server_id server, time_point) const
    {
        return (*failed)[static_cast<std::size_t>(server)] ? health_state::tripped : health_state::healthy;
    }
    std::optional<time_point> next_probe(server_id, time_point, std::uint64_t) const { return std::nullopt; }
};

using controlled_transport = line_connection<test::controlled_stream>;
using hub_type = connector<transports<controlled_transport>, probe_result_health>;
using classes = std::array<replay_class, 2>;

// One call, its servers, and the events so far.
class played_call {
public:
    explicit played_call(classes const& replay) : replay_(replay)
    {
        hub_.emplace(context_.get_executor(), probe_result_health{&probe_failed_});
        for (std::size_t i = 0; i != servers_.size(); ++i) {
            server_options options;
            options.priority = i == 0 ? 2 : 1;
            options.restart.max_restarts = 0;
            options.tools["pay"].replay = replay[i];
            options.session.remembered = era::handshake;
            options.session.idle_timeout = idle_timeout;
            hub_->add<controlled_transport>(name(i), {&servers_[i]}, options);
        }
        hub_->async_open([](error_code, open_report const&) {});
        time_.run_for(0s);
        call_options options;
        options.timeout = call_timeout;
        auto const done = [this](error_code ec, call_result result) {
            ++completions_;
            ec_ = ec;
            result_ = std::move(result);
            ended_ = time_.now();
        };
        hub_->async_call("pay", {}, options, asio::bind_cancellation_slot(signal_.slot(), done));
        settle();
    }

    played_call(played_call const&) = delete;
    played_call& operator=(played_call const&) = delete;

    bool is_over() const noexcept { return completions_ != 0; }

    // Returns the possible events. Without `all`, there are no refusals and no total cancellations, only the server
    // that has the call can be lost, and only the other server is probed.
    std::vector<event> possible(bool all) const
    {
        using kind = event::kind;
        std::vector<event> out;
        for (std::size_t i = 0; i != servers_.size(); ++i) {
            auto const& server = servers_[i];
            if (!server.is_connected())
                continue;
            if (server.has_waiting_writer())
                out.insert(out.end(), {{kind::send, i}, {kind::send_part, i}});
            if (!server.calls.empty() && !server.calls.back().has_response) {
                out.insert(out.end(), {{kind::result, i}, {kind::error_response, i}});
                if (all)
                    out.push_back({kind::refusal, i});
            }
            if (all || i == at_)
                out.push_back({kind::loss, i});
            if (all || i != at_)
                out.push_back({kind::probe, i});
        }
        out.insert(out.end(), {{kind::timeout}, {kind::cancel}});
        if (all)
            out.push_back({kind::cancel_total});
        return out;
    }

    void apply_event(event const& one)
    {
        using kind = event::kind;
        auto& server = servers_[one.server];
        switch (one.what) {
        case kind::send: server.read(std::string::npos); break;
        case kind::send_part: server.read(10); break;
        case kind::result: send_result(one.server); break;
        case kind::error_response:
            server.respond(server.calls.back(), R"("error":{"code":-32603,"message":"no"})");
            break;
        case kind::refusal:
            refused_.insert({one.server, server.calls.back().id});
            server.respond(server.calls.back(), R"("error":{"code":-32601,"message":"no"})");
            break;
        case kind::loss: server.disconnect(); break;
        case kind::probe: probe_failed_[one.server] = !probe_failed_[one.server]; break;
        case kind::timeout: time_.run_for(idle_timeout); break;
        case kind::cancel: cancel(asio::cancellation_type::terminal); break;
        case kind::cancel_total: cancel(asio::cancellation_type::total); break;
        }
        settle();
    }

    // Cancels the call if it has not completed, delivers all queued messages, and checks the invariants.
    void end()
    {
        if (!is_over())
            apply_event({event::kind::cancel});
        for (std::size_t i = 0; i != servers_.size(); ++i)
            if (servers_[i].is_connected()) {
                servers_[i].read(std::string::npos);
                time_.run_for(0s);
                for (auto& call : servers_[i].calls)
                    if (!call.has_response)
                        servers_[i].respond(call, R"("result":{"content":[{"type":"text","text":"late"}]})");
            }
        settle();
        check();
        hub_->close();
        hub_.reset();
        settle();
        context_.restart();
        context_.poll();
        require(context_.stopped() && time_.pending() == 0, "operations are outstanding after the end");
    }

private:
    struct arrival {
        std::size_t server;
        request_id id;
    };

    static std::string name(std::size_t server) { return server == 0 ? "a" : "b"; }

    static void require(bool holds, std::string const& what)
    {
        if (!holds)
            throw std::runtime_error(what);
    }

    void send_result(std::size_t server)
    {
        auto& call = servers_[server].calls.back();
        servers_[server].respond(call, R"("result":{"content":[{"type":"text","text":")" + name(server) +
                                           std::to_string(call.id) + R"("}]})");
    }

    void cancel(asio::cancellation_type type)
    {
        bool const was_over = is_over();
        auto const arrived = arrivals_.size();
        signal_.emit(type);
        time_.run_for(0s);
        require(is_over() || type == asio::cancellation_type::total, "cancellation did not complete the call");
        if (type == asio::cancellation_type::total && !was_over && is_over()) {
            aborted_by_total_ = true;
            require(arrived == refused_.size(), "total cancellation completed a call that may have been executed");
        }
        was_cancelled_ = was_cancelled_ || (!was_over && is_over());
    }

    void settle()
    {
        time_.run_for(0s);
        for (std::size_t i = 0; i != servers_.size(); ++i) {
            servers_[i].stop_reading();
            if (servers_[i].has_waiting_writer() && !std::exchange(was_read_from_[i], true))
                at_ = i;
            was_read_from_[i] = servers_[i].has_waiting_writer();
            for (auto n = known_[i]; n != servers_[i].calls.size(); ++n)
                arrivals_.push_back({i, servers_[i].calls[n].id});
            known_[i] = servers_[i].calls.size();
        }
    }

    // A call that may have been executed is sent to a server only if the replay classes of all servers permit it.
    bool may_follow(std::size_t count) const
    {
        std::set<std::size_t> on;
        for (std::size_t n = 0; n != count; ++n)
            if (!refused_.contains({arrivals_[n].server, arrivals_[n].id}))
                on.insert(arrivals_[n].server);
        if (on.empty())
            return true;
        on.insert(arrivals_[count].server);
        return std::ranges::all_of(on, [&](std::size_t server) {
            return replay_[server] != replay_class::never && (replay_[server] != replay_class::keyed || on.size() == 1);
        });
    }

    attempt_record const* record_of(std::size_t server, request_id id) const
    {
        for (auto const& record : result_.attempts())
            if (record.server == name(server) && record.id == id)
                return &record;
        return nullptr;
    }

    void check() const
    {
        require(completions_ == 1, "the handler was invoked " + std::to_string(completions_) + " times");
        require(ended_ - time_point() <= call_timeout, "the call exceeded its timeout");
        for (std::size_t n = 1; n < arrivals_.size(); ++n)
            require(may_follow(n), "the call was replayed although a replay class does not permit it");
        require(!aborted_by_total_ || arrivals_.size() == refused_.size(), "the call ran after total cancellation");
        for (auto const& server : servers_)
            require(server.repeated_ids == 0, "a request id was reused");
        check_trail();
        check_result();
        for (auto const& one : arrivals_)
            check_cancellation(one);
    }

    void check_trail() const
    {
        auto const trail = result_.attempts();
        require(trail.size() <= 4 + servers_.size(), "too many attempts");
        for (std::size_t n = 0; n != trail.size(); ++n) {
            auto const& record = trail[n];
            auto const how = record.result.certainty;
            std::size_t const server = record.server == "a" ? 0 : 1;
            auto const arrived = std::ranges::any_of(
                arrivals_, [&](arrival const& one) { return one.server == server && one.id == record.id; });
            if (how == certainty::not_sent)
                require(record.id == 0 || !arrived, "a received request has the certainty not_sent");
            if (how == certainty::refused)
                require(refused_.contains({server, record.id}), "an unrefused request has the certainty refused");
            if (how == certainty::completed)
                require(arrived && n + 1 == trail.size(), "a completed attempt was not received or not the last");
        }
    }

    void check_result() const
    {
        require(!aborted_by_total_ || ec_ == asio::error::operation_aborted, "wrong error after total cancellation");
        if (!ec_) {
            // The arrival is not always the last: a call that was partly sent to the other server may arrive later.
            auto const gave = [&](arrival const& one) {
                return result_.text() == name(one.server) + std::to_string(one.id) &&
                       result_.server() == name(one.server);
            };
            auto const found = std::ranges::find_if(arrivals_, gave);
            require(found != arrivals_.end(), "no server has sent this result");
            auto const trail = result_.attempts();
            require(trail.empty() || trail.back().id == found->id, "the result is that of an earlier attempt");
            return;
        }
        bool const unsafe = std::ranges::any_of(arrivals_, [&](arrival const& one) {
            return replay_[one.server] == replay_class::never && !refused_.contains({one.server, one.id});
        });
        require(!unsafe || ec_ != condition::not_executed, "not_executed, but an unsafe call may have been executed");
    }

    // Each server is notified exactly once of the cancellation of each request that it had received, and of no others.
    void check_cancellation(arrival const& one) const
    {
        auto const& server = servers_[one.server];
        auto const call = std::ranges::find(server.calls, one.id, &controlled_server::request::id);
        auto const* const record = record_of(one.server, one.id);
        bool const abandoned =
            record && (record->result.ec == error::attempt_timed_out || record->result.ec == error::deadline_exceeded ||
                       (record->result.ec == asio::error::operation_aborted && was_cancelled_));
        require(call->cancellations == 0 || abandoned, "the server was notified, but the request was not abandoned");
        if (server.is_connected())
            require(call->cancellations == (abandoned ? 1u : 0u), "the number of cancellation notifications is wrong");
    }

    classes replay_;
    asio::io_context context_{1};
    virtual_time& time_ = virtual_time::install(context_);
    std::array<controlled_server, 2> servers_;
    std::array<bool, 2> probe_failed_{};
    std::array<bool, 2> was_read_from_{};
    std::size_t at_ = 0; // server to which bytes were last sent
    asio::cancellation_signal signal_;
    std::optional<hub_type> hub_;

    std::size_t completions_ = 0;
    error_code ec_;
    call_result result_;
    time_point ended_{};
    bool was_cancelled_ = false, aborted_by_total_ = false;
    std::array<std::size_t, 2> known_{};
    std::vector<arrival> arrivals_; // completely received calls of all servers, in the order of arrival
    std::set<std::pair<std::size_t, request_id>> refused_;
};

// Executes all paths. Each path changes the last choice of the previous path that has another alternative.
class explorer {
public:
    explorer(std::size_t depth, bool all, classes const& replay) : depth_(depth), all_(all), replay_(replay) {}

    std::size_t paths() const noexcept { return paths_; }

    void explore()
    {
        do {
            ++paths_;
            try {
                play();
            } catch (std::exception const& failure) {
                std::string text;
                for (auto const& one : path_) {
                    std::ostringstream out;
                    out << one;
                    text += (text.empty() ? "" : ", ") + out.str();
                }
                BOOST_FAIL(text << ": " << failure.what());
            }
        } while (advance());
    }

private:
    struct choice {
        std::size_t taken = 0;
        std::size_t of = 0;
    };

    void play()
    {
        path_.clear();
        played_call call(replay_);
        for (std::size_t step = 0; step != depth_ && !call.is_over(); ++step) {
            auto const possible = call.possible(all_);
            if (step == choices_.size())
                choices_.push_back({0, possible.size()});
            path_.push_back(possible.at(choices_[step].taken));
            call.apply_event(path_.back());
        }
        call.end();
    }

    bool advance()
    {
        while (!choices_.empty() && ++choices_.back().taken == choices_.back().of)
            choices_.pop_back();
        return !choices_.empty();
    }

    std::size_t depth_;
    bool all_;
    classes replay_;
    std::vector<choice> choices_;
    std::vector<event> path_;
    std::size_t paths_ = 0;
};

// All paths, over all pairs of replay classes.
std::size_t explore(std::size_t depth, bool all)
{
    constexpr std::array every{replay_class::never, replay_class::idempotent, replay_class::read_only,
                               replay_class::keyed};
    std::size_t paths = 0;
    for (auto const a : every)
        for (auto const b : every) {
            explorer here(depth, all, {a, b});
            here.explore();
            paths += here.paths();
        }
    BOOST_TEST_MESSAGE(paths << " paths to depth " << depth);
    return paths;
}

#if LINKSPAN_TEST_WITH_SANITIZER
constexpr bool is_slow = true;
#else
constexpr bool is_slow = false;
#endif

} // namespace

BOOST_AUTO_TEST_CASE(call_invariants_hold_for_every_order_of_events)
{
    BOOST_TEST(explore(is_slow ? 3 : 7, false) == (is_slow ? 1'932u : 519'414u));
}

// Additional events: those of the other server, refusals, and total cancellation.
BOOST_AUTO_TEST_CASE(call_invariants_hold_for_every_order_of_extended_events)
{
    BOOST_TEST(explore(is_slow ? 2 : 4, true) == (is_slow ? 1'092u : 50'060u));
}

BOOST_AUTO_TEST_SUITE_END()
