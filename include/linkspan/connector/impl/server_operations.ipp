#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_OPERATIONS_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_OPERATIONS_IPP

#include <linkspan/connector/detail/server_operations.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/post_handler.hpp>

#include <boost/asio/error.hpp>

#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void server_operations::add(std::string key, std::string_view kind, transport_factory transport,
                                          server_options options)
{
    auto const here = context_.enter();
    auto const server = make_server(std::move(key), kind, std::move(transport), std::move(options));
    context_.servers().add(server);
    context_.on_servers_changed();
}

// Returns null if no part of the calls is validated.
inline std::shared_ptr<tool_checks> server_operations::make_checks(server_options const& options) const
{
    auto const arguments = options.validate_arguments.has_value() ? options.validate_arguments : validate_arguments_;
    auto const results = options.validate_results.has_value() ? options.validate_results : validate_results_;
    call_validation const wanted{arguments.value_or(false), results.value_or(false)};
    auto const* const choice = wanted.arguments ? &arguments : &results;
    return choice->has_value() ? choice->factory_(wanted) : nullptr;
}

// Creates a server and registers it with the set of servers, as a staged server, and with the policies.
LINKSPAN_DECL server_operations::server_pointer server_operations::make_server(std::string key, std::string_view kind,
                                                                               transport_factory transport,
                                                                               server_options options)
{
    auto const id = context_.servers().next_id();
    secrets_->add(options.secrets);
    auto server = std::make_shared<server_entry>(id, std::move(key), std::move(options), context_.executor());
    server->session =
        std::make_shared<session_core>(context_.executor(), std::move(transport), server->options.session);
    driver_.attach(*server);
    for (auto const& [name, prepare] : preparations_)
        prepare(*server);
    server->checks = make_checks(server->options);
    if (server->stores_results())
        context_.enable_tool_results();
    auto& out = *server->published;
    out.key = server->key;
    out.transport = kind;
    out.priority = server->options.priority;
    out.state = server->life.state();
    context_.servers().register_server(server);
    context_.policies().added(context_.view_of(*server, context_.time().now()), server->options.settings);
    return server;
}

LINKSPAN_DECL void server_operations::prepare_servers(std::string_view name, preparation prepare)
{
    for (auto const& server : context_.servers().by_id()) // also those that are opened to replace another one
        if (server)
            prepare(*server);
    preparations_.insert_or_assign(std::string(name), std::move(prepare));
}

// Returns the report of an opening whose operation was cancelled.
inline server_report aborted_report(std::string_view key)
{
    server_report out;
    out.server = key;
    out.ec = asio::error::operation_aborted;
    return out;
}

LINKSPAN_DECL void server_operations::connect(std::string_view key, report_handler done)
{
    auto const here = context_.enter();
    auto const operation = context_.epoch().next_operation();
    auto const waiting = make_cancellable(std::move(done), context_.executor());
    waiting->on_cancel(terminal_or_partial, [self = context_.share(this), operation, key = std::string(key)] {
        self->driver_.release(operation, true);
        return std::tuple(aborted_report(key));
    });
    auto finish = [self = context_.share(this), operation, waiting](error_code ec, server_report const& report) {
        self->driver_.release(operation, false);
        waiting->complete(ec, report);
    };
    connect_for(operation, key, std::move(finish));
}

// `done` is invoked later. The caller then calls release() for the operation.
LINKSPAN_DECL void server_operations::connect_for(std::uint64_t operation, std::string_view key,
                                                  std::function<void(error_code, server_report const&)> done)
{
    auto const server = context_.find(key);
    server_report report;
    report.server = key;
    if (!server)
        report.ec = error::unknown_server;
    else if (!server->life.is_enabled())
        report.ec = error::server_disabled;
    if (report.ec) {
        post_handler(context_.executor(), [done = std::move(done), report = std::move(report)] { done({}, report); });
        return;
    }
    context_.epoch().on_opening();
    auto finish = [self = context_.share(this), start = context_.epoch().now(),
                   done = std::move(done)](server_report const& opened) {
        // The catalog is complete before the handler is invoked.
        self->context_.publish_changes([self, start, done, opened] {
            bool const is_closed = self->context_.epoch().was_closed_since(start);
            done(is_closed ? error_code(asio::error::operation_aborted) : error_code(), opened);
        });
    };
    driver_.await(server, std::move(finish), true, operation);
}

// Returns the completion of an operation that shuts the server down gracefully. A cancellation of the operation closes
// the server immediately.
LINKSPAN_DECL std::function<void(error_code)> server_operations::shutdown_completion(server_pointer const& server,
                                                                                     done_handler done)
{
    auto const waiting = make_cancellable(std::move(done), context_.executor());
    waiting->on_cancel(terminal_or_partial, [self = context_.share(this), server] {
        if (server)
            self->driver_.close_ending(server);
        return std::tuple();
    });
    return [waiting](error_code ec) { waiting->complete(ec); };
}

LINKSPAN_DECL void server_operations::disconnect(std::string_view key, done_handler done)
{
    auto const here = context_.enter();
    auto const server = context_.find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server || server->life.state() == server_state::disabled) {
        post_handler(context_.executor(), [finish = std::move(finish)] { finish({}); });
        return;
    }
    context_.drop_tools(*server);
    driver_.drain(server, server->life.after_disconnect(), std::move(finish));
}

LINKSPAN_DECL void server_operations::enable(std::string_view key, report_handler done)
{
    auto const here = context_.enter();
    if (auto const server = context_.find(key); server && server->life.on_enabled())
        context_.publish(*server, {}, {});
    connect(key, std::move(done));
}

LINKSPAN_DECL void server_operations::disable(std::string_view key, done_handler done)
{
    auto const here = context_.enter();
    auto const server = context_.find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server) {
        post_handler(context_.executor(), [finish = std::move(finish)] { finish({}); });
        return;
    }
    server->life.on_disabled();
    context_.drop_tools(*server);
    driver_.drain(server, server_state::disabled, std::move(finish));
}

LINKSPAN_DECL void server_operations::remove(std::string_view key, done_handler done)
{
    auto const here = context_.enter();
    auto const server = context_.find(key);
    auto finish = shutdown_completion(server, std::move(done));
    if (!server) {
        post_handler(context_.executor(), [finish = std::move(finish)] { finish({}); });
        return;
    }
    context_.drop_tools(*server);
    context_.servers().remove(server);
    context_.on_servers_changed();
    driver_.on_removed(*server);
    driver_.drain(server, server_state::closed, std::move(finish));
}

// Opens the new server while the old one is in use, so that a wrong configuration of the new one does not affect calls.
LINKSPAN_DECL void server_operations::replace(std::string_view key, std::string_view kind, transport_factory transport,
                                              server_options options, report_handler done)
{
    auto const here = context_.enter();
    auto const old = context_.find(key);
    if (!old)
        // connect() reports `unknown_server`.
        return connect(key, std::move(done));
    auto const server = make_server(old->key, kind, std::move(transport), std::move(options));
    context_.epoch().on_opening();
    auto const waiting = make_cancellable(std::move(done), context_.executor());
    waiting->on_cancel(asio::cancellation_type::all, [self = context_.share(this), server] {
        self->context_.servers().discard(server);
        self->driver_.on_removed(*server);
        self->driver_.close(*server, server_state::closed);
        self->context_.servers().on_ended(server);
        return std::tuple(aborted_report(server->key));
    });
    auto finish = [self = context_.share(this), server, start = context_.epoch().now(), waiting](server_report report) {
        if (waiting->is_over())
            return;
        report = self->install_replacement(server, std::move(report));
        // The operation does not wait for a large catalog, because the replacement cannot be cancelled any more.
        self->context_.publish_changes();
        bool const is_closed = self->context_.epoch().was_closed_since(start);
        waiting->complete(is_closed ? error_code(asio::error::operation_aborted) : error_code(), report);
    };
    if (server->life.state() == server_state::disabled) {
        server_report report;
        report.server = server->key;
        report.ec = error::server_disabled;
        post_handler(context_.executor(), [finish = std::move(finish), report] { finish(report); });
        return;
    }
    driver_.await(server, std::move(finish));
}

// Returns the report of the operation: the name is unknown if the old server was removed during the opening.
LINKSPAN_DECL server_report server_operations::install_replacement(server_pointer const& server, server_report report)
{
    auto const old = context_.find(server->key);
    if (report && !old) {
        report.ec = error::unknown_server;
        report.detail = "the server was removed while the new server was opened";
    }
    if (!report) {
        context_.servers().discard(server);
        driver_.on_removed(*server);
        driver_.end(server, server_state::closed, {});
        return report;
    }
    context_.servers().replace(old, server);
    context_.on_tools_changed();
    context_.on_servers_changed();
    driver_.on_removed(*old);
    driver_.drain(old, server_state::closed, {});
    return report;
}

LINKSPAN_DECL void server_operations::verify(std::string_view key, std::vector<tool_pin> pins, pins_handler done)
{
    auto const here = context_.enter();
    auto const operation = context_.epoch().next_operation();
    auto const waiting = make_cancellable(std::move(done), context_.executor());
    waiting->on_cancel(terminal_or_partial, [self = context_.share(this), operation] {
        self->driver_.release(operation, true);
        return std::tuple(std::vector<pin_difference>());
    });
    auto finish = [self = context_.share(this), start = context_.epoch().now(), key = std::string(key),
                   pins = std::move(pins), operation, waiting](error_code ec) {
        self->driver_.release(operation, false);
        auto const server = self->context_.find(key);
        if (!ec && self->context_.epoch().was_closed_since(start))
            ec = asio::error::operation_aborted;
        if (!ec && server)
            ec = server->tools.last_error();
        if (!ec && (!server || !server->tools.is_known()))
            ec = error::not_connected;
        auto differences = ec ? std::vector<pin_difference>() : server->tools.compare(pins);
        if (!differences.empty())
            ec = error::tools_changed;
        waiting->complete(ec, std::move(differences));
    };
    auto on_open = [self = context_.share(this), key = std::string(key), finish, waiting](error_code ec,
                                                                                          server_report const& report) {
        if (waiting->is_over())
            return;
        auto const server = self->context_.find(key);
        if (ec || report.ec || !server)
            return finish(ec ? ec : report.ec);
        self->lister_.refresh(server, [finish] { finish({}); });
    };
    connect_for(operation, key, std::move(on_open));
}

} // namespace linkspan::detail

#endif
