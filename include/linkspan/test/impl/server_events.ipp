#ifndef LINKSPAN_TEST_IMPL_SERVER_EVENTS_IPP
#define LINKSPAN_TEST_IMPL_SERVER_EVENTS_IPP

#include <linkspan/test/detail/change_notification.hpp>
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
    auto const line = notification(method, params);
    bool const is_change = is_change_notification(method, params);
    for (auto* const one : connections_)
        if (!is_change || !one->needs_subscription())
            one->send(line);
    if (is_change)
        owner_->notify_subscribers(method, params);
}

LINKSPAN_DECL void event_exchange::send_request(std::string_view method, std::string_view params,
                                                std::function<void(std::string_view)> next)
{
    if (!connections_.empty())
        connections_.back()->send_request(method, params, 0, while_alive(std::move(next)));
}

LINKSPAN_DECL void event_exchange::drop()
{
    if (event_.http)
        event_.http->write({.what = fault_step::kind::cut}, 0);
    for (auto* const one : connections_)
        one->drop();
}

LINKSPAN_DECL http_exchange* event_exchange::http() { return event_.http ? event_.http->exchange(0) : nullptr; }

LINKSPAN_DECL std::optional<std::string> event_exchange::http_header(std::string_view name) const
{
    return event_.http ? event_.http->header(0, name) : std::nullopt;
}

LINKSPAN_DECL header_fields event_exchange::http_headers() const
{
    return event_.http ? event_.http->headers(0) : header_fields();
}

LINKSPAN_DECL void event_exchange::respond_http(std::string_view text)
{
    if (!event_.http)
        return;
    event_.http->write({.what = fault_step::kind::http_bytes, .text = std::string(text)}, 0);
    event_.http->write({.what = fault_step::kind::end_response}, 0);
}

LINKSPAN_DECL void event_exchange::declare_tool(tool_declaration const& what) { owner_->tools().declare(what); }

LINKSPAN_DECL bool event_exchange::has_tool(std::string_view name) const
{
    return owner_->tools().find(name) != nullptr;
}

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

LINKSPAN_DECL void server_events::notify_subscribers(std::string_view method, std::string_view params)
{
    for (auto* const one : open_)
        one->notify_subscribers(method, params);
}

LINKSPAN_DECL void server_events::end_all()
{
    for (auto const& one : std::exchange(running_, {}))
        one->cancel();
}

inline server_events::execution server_events::execute(asio::any_io_executor const& executor,
                                                       event_exchange::description event,
                                                       std::vector<server_connection*> connections)
{
    if (!rules_.has_rules_of_events())
        return {};
    rules_.values().store_initial();
    bool const has_connection = !connections.empty();
    auto const occurred = std::make_shared<event_exchange>(*this, executor, std::move(event), std::move(connections));
    // Without a connection, nothing ends other events later, so that their actions must be complete when they return.
    bool const can_wait = has_connection || occurred->is_independent();
    auto* const rule = rules_.select_event(*occurred, time_source::of(executor).now());
    auto const actions = rule ? rule->next() : nullptr;
    if (!actions)
        return {.has_rule = rule != nullptr};
    if (can_wait)
        running_.push_back(occurred);
    occurred->perform(actions, 0);
    bool const is_running = std::ranges::find(running_, occurred) != running_.end();
    return {.has_rule = true, .left = is_running ? occurred : nullptr};
}

LINKSPAN_DECL void server_events::on_connected(server_connection& opened)
{
    rules_.values().store_initial();
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
                                                  std::string_view params, std::string_view line)
{
    execute(from.executor(),
            {.kind = event_kind::notification,
             .method = std::string(method),
             .params = std::string(params),
             .message = std::string(line)},
            {&from});
}

LINKSPAN_DECL void server_events::on_response(server_connection& from, std::string_view method, std::string_view text)
{
    execute(from.executor(), {.kind = event_kind::response, .method = std::string(method), .params = std::string(text)},
            {&from});
}

LINKSPAN_DECL bool server_events::on_input_closed(server_connection& from, std::function<void()> done)
{
    auto const left = execute(from.executor(), {.kind = event_kind::input_closed}, {&from}).left;
    if (left)
        left->on_complete = std::move(done);
    return left != nullptr;
}

LINKSPAN_DECL std::shared_ptr<event_exchange> server_events::on_http_request(asio::any_io_executor const& executor,
                                                                             std::string_view method,
                                                                             std::string_view path,
                                                                             std::shared_ptr<http_access> access)
{
    return execute(executor,
                   {.kind = event_kind::http,
                    .method = std::string(method),
                    .path = std::string(path),
                    .http = std::move(access)},
                   {})
        .left;
}

LINKSPAN_DECL bool server_events::on_signal(asio::any_io_executor const& executor, std::string_view name)
{
    return execute(executor, {.kind = event_kind::signal, .method = std::string(name)}, open_).has_rule;
}

LINKSPAN_DECL void server_events::end(event_exchange& running)
{
    auto const keep_alive = running.shared_from_this();
    if (std::erase(running_, keep_alive) != 0)
        running.cancel();
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
    clock_->expires_after(rules_.values().scaled(std::max(*next - now, duration::zero())));
    // A handler that is queued already when the last connection ends receives no error.
    clock_->async_wait([this, weak = std::weak_ptr(clock_)](error_code ec) {
        if (!ec && weak.lock())
            on_time();
    });
}

} // namespace linkspan::test::detail

#endif
