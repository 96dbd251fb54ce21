#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CORE_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/open_progress.hpp>
#include <linkspan/connector/detail/shutdown_progress.hpp>
#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL connector_core::connector_core(asio::any_io_executor executor, std::unique_ptr<policy_table> policies)
    : connector_context(std::move(executor), std::move(policies)),
      lister_(*this),
      prober_(*this),
      driver_(*this, lister_, prober_),
      operations_(*this, lister_, driver_)
{}

LINKSPAN_DECL connector_core::~connector_core() = default;

// State of an `async_open`, shared by the handlers of its servers. The server whose opening completes last completes
// the operation.
struct connector_core::opening {
    opening(std::shared_ptr<connector_core> core, open_handler handler)
        : owner(std::move(core)),
          start(owner->epoch().now()),
          operation(owner->epoch().next_operation()),
          done(make_cancellable(std::move(handler), owner->executor()))
    {}

    std::shared_ptr<connector_core> owner; // set by the constructor
    connector_epoch::mark start;           // set by the constructor
    std::uint64_t operation;               // number of the operation, for release()
    std::shared_ptr<cancellable_completion<void(error_code, open_report)>> done; // set by the constructor
    open_progress progress;                                                      // moved out by the completion

    // The catalog is complete before the handler is invoked.
    static void finish(std::shared_ptr<opening> const& all)
    {
        all->owner->publish_changes([all] { all->complete(); });
    }

    void complete()
    {
        owner->driver().release(operation, false);
        bool const is_closed = owner->epoch().was_closed_since(start);
        auto const ec = is_closed ? error_code(asio::error::operation_aborted) : progress.result();
        done->complete(ec, progress.take());
    }

    std::tuple<open_report> cancel()
    {
        owner->driver().release(operation, true);
        return progress.aborted([&](std::string_view key) {
            auto const server = owner->find(key);
            return server && server->life.state() == server_state::ready;
        });
    }
};

LINKSPAN_DECL void connector_core::open(open_handler done)
{
    auto const here = enter();
    auto const all = std::make_shared<opening>(share(this), std::move(done));
    all->done->on_cancel(terminal_or_partial, [weak = std::weak_ptr(all)] { return weak.lock()->cancel(); });
    epoch().on_opening();
    for (auto const& server : servers().order()) {
        if (server->life.on_activated())
            publish(*server, {}, {});
        server->life.on_open_operation(all->operation);
        auto const state = server->life.state();
        bool const is_open = state == server_state::ready && server->life.is_settled();
        bool const is_lazy_and_idle = state == server_state::idle && server->options.start == start_mode::lazy;
        if (!server->life.is_enabled() || is_open || is_lazy_and_idle)
            continue;
        auto on_opened = [all, line = all->progress.add(server->key),
                          required = server->options.required](server_report const& report) {
            if (all->progress.on_opened(line, report, required))
                opening::finish(all);
        };
        driver_.await(server, std::move(on_opened), true, all->operation);
    }
    post_handler(executor(), [all] {
        if (all->progress.on_started())
            opening::finish(all);
    });
}

// State of an `async_shutdown`, shared by the handlers of its servers. The server that ends last completes the
// operation; the timeout closes the servers that have not ended.
struct connector_core::stopping {
    stopping(std::shared_ptr<connector_core> core, shutdown_handler handler)
        : owner(std::move(core)),
          start(owner->epoch().now()),
          began(owner->time().now()),
          timer(owner->executor()),
          done(make_cancellable(std::move(handler), owner->executor()))
    {}

    std::shared_ptr<connector_core> owner; // set by the constructor
    connector_epoch::mark start;           // set by the constructor
    time_point began;                      // start of the operation
    linkspan::timer timer;                 // waits for the timeout; cancelled by the completion
    std::shared_ptr<cancellable_completion<void(error_code, shutdown_report)>> done; // set by the constructor
    shutdown_progress progress;                                                      // moved out by the completion
    std::vector<server_pointer> servers; // one server per line of the report; set by shutdown()

    void finish()
    {
        timer.cancel();
        if (done->is_over())
            return;
        bool const is_closed = owner->epoch().was_closed_since(start);
        auto const ec = is_closed ? error_code(asio::error::operation_aborted) : progress.result();
        // A connector that was opened again stays open.
        if (!owner->epoch().was_opened_since(start))
            owner->close_all();
        done->complete(ec, progress.take());
    }

    // Closes all servers as close() does, except servers that were opened again during the shutdown.
    std::tuple<shutdown_report> cancel()
    {
        timer.cancel();
        auto out = progress.aborted();
        if (owner->epoch().was_opened_since(start))
            give_up();
        else
            owner->close();
        return out;
    }

    // Closes the sessions of the servers that have not ended.
    void give_up()
    {
        progress.on_timeout();
        for (std::size_t line = 0; line != servers.size(); ++line)
            if (!progress.has_ended(line))
                servers[line]->session->close();
    }
};

LINKSPAN_DECL void connector_core::shutdown(duration timeout, shutdown_handler done)
{
    auto const here = enter();
    auto const all = std::make_shared<stopping>(share(this), std::move(done));
    all->done->on_cancel(terminal_or_partial, [weak = std::weak_ptr(all)] { return weak.lock()->cancel(); });
    all->servers = servers().order();
    all->servers.insert(all->servers.end(), servers().removed().begin(), servers().removed().end());
    for (auto const& server : all->servers) {
        auto on_end = [all, line = all->progress.add(server->key)](error_code ec) {
            if (all->progress.on_ended(line, ec, all->owner->time().now() - all->began))
                all->finish();
        };
        bool const is_disabled = server->life.state() == server_state::disabled;
        driver_.end(server, is_disabled ? server_state::disabled : server_state::closed, std::move(on_end));
    }
    all->timer.expires_after(timeout);
    start_wait(all->timer, [all](error_code ec) {
        if (!ec)
            all->give_up();
    });
    post_handler(executor(), [all] {
        if (all->progress.on_started())
            all->finish();
    });
}

LINKSPAN_DECL void connector_core::close() noexcept
{
    auto const here = enter();
    epoch().on_close();
    close_all();
}

LINKSPAN_DECL void connector_core::close_all() noexcept
{
    epoch().on_ended();
    while (auto* const call = calls_.last_paused())
        call->abort();
    auto all = servers().by_id();
    all.insert(all.end(), servers().removed().begin(), servers().removed().end());
    for (auto const& server : all)
        if (server)
            driver_.close(*server, server_state::closed);
    servers().on_all_ended();
    abort_publication_waits();
    publish_later();
}

LINKSPAN_DECL void connector_core::refresh_all(catalog_handler done)
{
    auto const here = enter();
    auto const operation = epoch().next_operation();
    auto const waiting = make_cancellable(std::move(done), executor());
    waiting->on_cancel(terminal_or_partial, [self = share(this), operation] {
        self->driver_.release(operation, true);
        return std::tuple(self->current_catalog());
    });
    auto complete = [self = share(this), start = epoch().now(), operation, waiting] {
        self->driver_.release(operation, false);
        error_code ec;
        if (self->epoch().was_closed_since(start))
            ec = asio::error::operation_aborted;
        else if (self->epoch().is_closed())
            ec = error::not_connected;
        waiting->complete(ec, self->current_catalog());
    };
    auto finish = [self = share(this), complete = std::move(complete)] { self->publish_changes(complete); };
    driver_.refresh(std::move(finish), operation);
}

} // namespace linkspan::detail

#endif
