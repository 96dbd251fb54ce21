#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_LISTER_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_LISTER_IPP

#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/connector/detail/tool_lister.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/error.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void tool_lister::list_first(server_pointer const& server, list_handler done)
{
    list(server, std::move(done));
}

// Starts a `tools/list` request. `done`: empty, or the handler of the opening.
LINKSPAN_DECL void tool_lister::list(server_pointer const& server, list_handler done)
{
    auto started = std::make_shared<operation>();
    started->epoch = server->life.epoch();
    started->done = std::move(done);
    started->users = server->tools.on_list_started(context_.time().now());
    auto on_tools = [self = context_.share(this), of = std::move(started)](server_pointer const& listed, error_code ec,
                                                                           tool_list list) {
        listed->publish_requests();
        if (ec)
            return self->end(listed, *of, ec, {});
        self->store(listed, of, listed->tools.begin_list(std::move(list), self->context_.policies()));
    };
    list_request::start(server->session, {server_turn(server, std::move(on_tools)), context_.executor()});
}

// Executes the next step of the storage of a list, and posts the step after it, so that a large list does not block the
// executor. If it throws, the request has failed.
LINKSPAN_DECL void tool_lister::store(server_pointer const& server, operation_pointer const& of,
                                      tool_registry::pending_list list)
{
    tool_registry::change change;
    if (server->life.epoch() == of->epoch) {
        try {
            keeps_waiting const scope(*server);
            if (!list.step(catalog_publisher::max_entries_per_step)) {
                auto next = [self = context_.share(this), of, rest = std::move(list)](
                                server_pointer const& listed) mutable { self->store(listed, of, std::move(rest)); };
                return post_handler(context_.executor(), server_turn(server, std::move(next)));
            }
            change = on_stored(*server, server->tools.on_listed(std::move(list), context_.time().now(),
                                                                server->session->has_change_notifications()));
        } catch (...) {
            end(server, *of, asio::error::no_memory, {});
            throw;
        }
    }
    end(server, *of, {}, change);
}

// Ends a `tools/list` request, whose list is stored if it succeeded in the current epoch.
LINKSPAN_DECL void tool_lister::end(server_pointer const& server, operation& of, error_code ec,
                                    tool_registry::change const& change)
{
    bool const is_current = server->life.epoch() == of.epoch;
    if (!is_current) {
        server->tools.on_earlier_list_completed(ec);
    } else if (auto const again = server->tools.on_list_completed(ec, change.is_changed, context_.time().now())) {
        refresh_at(server, *again);
    }
    context_.publish(*server, ec, ec ? ec.message() : std::string());
    if (server->tools.on_list_ended())
        list(server, {});
    if (of.done && server->life.epoch() == of.epoch)
        of.done(ec, change.problem_text);
    // Each handler is posted separately, because a handler may throw.
    for (auto& each : of.users)
        post_handler(context_.executor(), std::move(each));
}

// Event: the registry of the server has stored a list. Returns the change.
LINKSPAN_DECL tool_registry::change tool_lister::on_stored(server_entry& server, tool_registry::change change)
{
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
    on_stored(server, server.tools.on_listed(std::move(list), context_.policies(), context_.time().now(),
                                             server.session->has_change_notifications()));
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
