#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_LISTER_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_LISTER_IPP

#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/connector/detail/tool_lister.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/session/session_ops.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void tool_lister::list_first(server_pointer const& server, list_handler done)
{
    list(server, std::move(done));
}

// Starts a `tools/list` request. `done`: empty, or the handler of the opening.
LINKSPAN_DECL void tool_lister::list(server_pointer const& server, list_handler done)
{
    auto waiting = server->tools.on_list_started(context_.time().now());
    auto on_tools = [self = context_.share(this), epoch = server->life.epoch(), done = std::move(done),
                     waiting = std::move(waiting)](server_pointer const& listed, error_code ec, tool_list list) {
        auto& context = self->context_;
        listed->publish_requests();
        tool_registry::change change;
        if (listed->life.epoch() != epoch) {
            listed->tools.on_earlier_list_completed(ec);
        } else {
            if (!ec)
                change = self->store(*listed, std::move(list));
            if (auto const again = listed->tools.on_list_completed(ec, change.is_changed, context.time().now()))
                self->refresh_at(listed, *again);
        }
        context.publish(*listed, ec, ec ? ec.message() : std::string());
        if (listed->tools.on_list_ended())
            self->list(listed, {});
        if (done && listed->life.epoch() == epoch)
            done(ec, change.problem_text);
        // Each handler is posted separately, because a handler may throw.
        for (auto const& each : waiting)
            post_handler(context.executor(), each);
    };
    list_request::start(server->session, {server_turn(server, std::move(on_tools)), context_.executor()});
}

// Moves the tools of a list to the registry of the server.
LINKSPAN_DECL tool_registry::change tool_lister::store(server_entry& server, tool_list list)
{
    auto change = server.tools.on_listed(std::move(list), context_.policies(), context_.time().now(),
                                         server.session->has_change_notifications());
    for (auto const& one : change.events)
        context_.event(server.key, one.name, one.detail);
    if (change.is_changed) {
        if (auto* const results = context_.tool_results())
            results->on_list_changed(server.id);
        if (server.checks)
            server.checks->set_tools(server.tools.tools());
        context_.on_tools_changed();
    }
    server.published->last_refresh = context_.time().wall_now().time_since_epoch().count();
    return change;
}

LINKSPAN_DECL void tool_lister::on_listed_by_session(server_entry& server, tool_list list)
{
    if (server.life.state() != server_state::ready || server.tools.is_listing())
        return;
    store(server, std::move(list));
    context_.publish(server, {}, {});
}

LINKSPAN_DECL void tool_lister::refresh(server_pointer const& server, std::function<void()> done)
{
    if (server->life.state() != server_state::ready || !server->session->server().offers_tools()) {
        post_handler(context_.executor(), std::move(done));
        return;
    }
    if (server->tools.request(std::move(done)))
        list(server, {});
}

// A server that is not ready lists its tools when it becomes ready.
LINKSPAN_DECL void tool_lister::on_list_changed(server_pointer const& server)
{
    if (server->life.state() != server_state::ready)
        return;
    if (auto* const results = context_.tool_results()) // a tool may have changed in another way than the list shows
        results->on_list_changed(server->id);
    if (auto const due = server->tools.on_list_changed(context_.time().now()))
        refresh_at(server, *due);
}

LINKSPAN_DECL void tool_lister::refresh_at(server_pointer const& server, time_point due)
{
    if (due <= context_.time().now())
        return refresh(server, [] {});
    auto& waiting = server->refresh_timer.in_background(context_.executor());
    waiting.expires_at(due);
    start_wait(waiting, [weak = std::weak_ptr(context_.share(this)), server = std::weak_ptr(server),
                         epoch = server->life.epoch()](error_code ec) {
        auto const self = weak.lock();
        auto const listed = server.lock();
        if (!ec && self && listed && listed->life.epoch() == epoch)
            self->refresh(listed, [] {});
    });
}

} // namespace linkspan::detail

#endif
