#ifndef LINKSPAN_TEST_IMPL_SERVER_EVENTS_IPP
#define LINKSPAN_TEST_IMPL_SERVER_EVENTS_IPP

#include <linkspan/test/detail/server_connection.hpp>
#include <linkspan/test/detail/server_events.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Messages of scripts may be invalid on purpose, so they are not recorded for validation.
LINKSPAN_DECL void event_exchange::send(std::string_view bytes)
{
    for (auto* const one : connections_)
        one->send(bytes);
}

LINKSPAN_DECL void event_exchange::notify(std::string_view method, std::string_view params)
{
    send(notification(method, params));
}

LINKSPAN_DECL void event_exchange::send_request(std::string_view method, std::string_view params,
                                                std::function<void(std::string_view)> next)
{
    if (!connections_.empty())
        connections_.back()->send_request(method, params, 0, while_alive(std::move(next)));
}

LINKSPAN_DECL void event_exchange::drop()
{
    for (auto* const one : connections_)
        one->drop();
}

LINKSPAN_DECL void event_exchange::declare_tool(tool_declaration const& what) { owner_->tools().declare(what); }

LINKSPAN_DECL void event_exchange::remove_tool(std::string_view name) { owner_->tools().remove(name); }

LINKSPAN_DECL script_values& event_exchange::values() { return owner_->values(); }

LINKSPAN_DECL duration event_exchange::since_start() const { return owner_->since_start(now()); }

inline void event_exchange::on_actions_complete()
{
    auto const done = std::move(on_complete);
    owner_->forget(*this);
    if (done)
        done();
}

inline std::shared_ptr<event_exchange> server_events::execute(asio::any_io_executor const& executor, event_exchange::description event,
                                   std::vector<server_connection*> connections)
{
    if (!rules_.has_rules_of_events())
        return nullptr;
    // Without a connection, nothing ends the event later, so that its actions must be complete when they return.
    bool const can_wait = !connections.empty();
    auto const occurred = std::make_shared<event_exchange>(*this, executor, std::move(event), std::move(connections));
    auto* const rule = rules_.select_event(*occurred, time_source::of(executor).now());
    auto const actions = rule ? rule->next() : nullptr;
    if (!actions)
        return nullptr;
    if (can_wait)
        running_.push_back(occurred);
    occurred->perform(actions, 0);
    return std::ranges::find(running_, occurred) == running_.end() ? nullptr : occurred;
}

LINKSPAN_DECL void server_events::on_connected(server_connection& opened)
{
    open_.push_back(&opened);
    bool const is_first = !std::exchange(started_, true);
    if (!rules_.has_rules_of_events())
        return;
    make_clock();
    if (is_first)
        execute(opened.executor(), {.kind = event_kind::start}, {&opened});
    execute(opened.executor(), {.kind = event_kind::connect}, {&opened});
    on_time();
}

LINKSPAN_DECL void server_events::on_notification(server_connection& from, std::string_view method,
                                                  std::string_view params)
{
    execute(from.executor(),
            {.kind = event_kind::notification, .method = std::string(method), .params = std::string(params)}, {&from});
}

LINKSPAN_DECL void server_events::on_response(server_connection& from, std::string_view method, std::string_view text)
{
    execute(from.executor(), {.kind = event_kind::response, .method = std::string(method), .params = std::string(text)},
            {&from});
}

LINKSPAN_DECL bool server_events::on_input_closed(server_connection& from, std::function<void()> done)
{
    auto const left = execute(from.executor(), {.kind = event_kind::input_closed}, {&from});
    if (left)
        left->on_complete = std::move(done);
    return left != nullptr;
}

LINKSPAN_DECL void server_events::on_disconnected(server_connection& ended)
{
    remove(ended);
    execute(ended.executor(), {.kind = event_kind::disconnect}, {});
}

LINKSPAN_DECL void server_events::remove(server_connection const& ended)
{
    if (std::erase(open_, &ended) == 0)
        return;
    std::erase_if(running_, [&](auto const& one) {
        bool const is_over = one->remove(ended);
        if (is_over)
            one->cancel();
        return is_over;
    });
    if (open_.empty())
        clock_.reset();
}

// The event of an earlier time has occurred. That of the current time may be due still.
LINKSPAN_DECL void server_events::on_rule_added()
{
    if (open_.empty() || !rules_.has_rules_of_events())
        return;
    make_clock();
    reached_ = std::max(reached_, rules_.since_start(time_source::of(open_.back()->executor()).now()) - duration(1));
    wait();
}

LINKSPAN_DECL void server_events::on_gate_opened(std::string const& name)
{
    if (!open_.empty())
        execute(open_.back()->executor(), {.kind = event_kind::gate, .method = name}, open_);
}

inline void server_events::make_clock()
{
    if (!clock_)
        clock_ = std::make_shared<timer>(open_.back()->executor());
}

inline void server_events::on_time()
{
    auto const executor = open_.back()->executor();
    auto const now = rules_.since_start(time_source::of(executor).now());
    for (auto next = rules_.next_time(reached_); next && *next <= now && clock_; next = rules_.next_time(reached_)) {
        reached_ = *next;
        execute(executor, {.kind = event_kind::time, .time = *next}, open_);
    }
    if (clock_)
        wait();
}

inline void server_events::wait()
{
    auto const next = rules_.next_time(reached_);
    if (!next)
        return;
    auto const now = rules_.since_start(time_source::of(open_.back()->executor()).now());
    clock_->expires_after(std::max(*next - now, duration::zero()));
    // A handler that is queued already when the last connection ends receives no error.
    clock_->async_wait([this, weak = std::weak_ptr(clock_)](error_code ec) {
        if (!ec && weak.lock())
            on_time();
    });
}

} // namespace linkspan::test::detail

#endif
