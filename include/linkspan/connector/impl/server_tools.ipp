#ifndef LINKSPAN_CONNECTOR_IMPL_SERVER_TOOLS_IPP
#define LINKSPAN_CONNECTOR_IMPL_SERVER_TOOLS_IPP

// What the servers can do: the part of `connector_core` that reads their lists of tools and publishes the catalogue.

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/server_turn.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/session_ops.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace linkspan::detail {

// How long a list of tools is taken for fresh that names no time; and the bounds of the time that it may name.
//
// Specification: 2026-07-28, "Caching": `ttlMs`.
inline constexpr duration default_freshness = std::chrono::seconds(300);
inline constexpr duration least_freshness = std::chrono::seconds(1);
inline constexpr duration most_freshness = std::chrono::hours(24);

// A server that tells when its tools change need not say how long they hold: 0 is no reason to ask with each call.
inline duration freshness_of(tool_list const& list, session_core const& session)
{
    if (!list.fresh_for || (session.tells_changes() && *list.fresh_for == duration::zero()))
        return default_freshness;
    return std::clamp(*list.fresh_for, least_freshness, most_freshness);
}

// Reading

// For people: what of a list cannot be used.
inline std::string lacks_of(tool_list const& list)
{
    std::string out;
    if (list.dropped != 0)
        out = std::to_string(list.dropped) + " tools without a name were dropped";
    if (!list.unusable.empty())
        (out += out.empty() ? "" : "; ") +=
            "tools left out, because they cannot be used: " + std::to_string(list.unusable.size());
    return out;
}

LINKSPAN_DECL void connector_core::list(server_pointer const& server, std::function<void(error_code, std::string)> done)
{
    server->refreshes.on_list_started(time_.now());
    auto on_tools = [self = shared_from_this(), round = server->round,
                     done = std::move(done)](server_pointer const& listed, error_code ec, tool_list list) {
        listed->published->in_flight.store(listed->calls_in_flight(), std::memory_order_relaxed);
        listed->list_ec = ec;
        auto result = ec ? refresh_schedule::list_result::failed : refresh_schedule::list_result::same;
        if (!ec && listed->round == round) {
            listed->fresh_until = self->time_.now() + freshness_of(list, *listed->session);
            listed->discovered = true;
            self->hold_pins(*listed, list);
            self->report_unusable(*listed, list.unusable);
            if (self->keep_tools(*listed, std::move(list.tools))) {
                result = refresh_schedule::list_result::changed;
                self->tools_changed();
            }
            listed->published->last_discovery = self->time_.wall_now().time_since_epoch().count();
        }
        if (listed->round == round)
            if (auto const again = listed->refreshes.on_list_ended(self->time_.now(), result))
                self->refresh_at(listed, *again);
        self->publish(*listed, ec, ec ? ec.message() : std::string());
        done(ec, lacks_of(list));
    };
    list_request::start(server->session, {server_turn(server, std::move(on_tools)), executor_});
}

LINKSPAN_DECL void connector_core::refresh(server_pointer const& server, std::function<void()> done)
{
    if (server->state != server_state::ready || !server->session->server().offers_tools()) {
        asio::post(executor_, std::move(done));
        return;
    }
    server->awaiting_refresh.push_back(std::move(done));
    if (!server->refreshing) // else the list that is out may be older than the reason to ask
        start_refresh(server);
}

// A server that is not ready lists its tools when it becomes ready.
LINKSPAN_DECL void connector_core::on_announced(server_pointer const& server)
{
    if (server->state != server_state::ready)
        return;
    if (auto const due = server->refreshes.on_announced(time_.now()))
        refresh_at(server, *due);
}

LINKSPAN_DECL void connector_core::refresh_at(server_pointer const& server, time_point due)
{
    if (due <= time_.now())
        return refresh(server, [] {});
    server->refresh_timer.expires_at(due);
    server->refresh_timer.async_wait(
        [weak = weak_from_this(), server = std::weak_ptr(server), round = server->round](error_code ec) {
            auto const self = weak.lock();
            auto const listed = server.lock();
            if (!ec && self && listed && listed->round == round)
                self->refresh(listed, [] {});
        });
}

LINKSPAN_DECL void connector_core::refresh_if_stale(server_pointer const& server, time_point now)
{
    if (server->fresh_until <= now && !server->refreshing)
        refresh(server, [] {});
}

LINKSPAN_DECL void connector_core::start_refresh(server_pointer const& server)
{
    server->refreshing = true;
    auto on_listed = [self = shared_from_this(), server,
                      waiting = std::exchange(server->awaiting_refresh, {})](error_code, std::string const&) {
        server->refreshing = false;
        if (!server->awaiting_refresh.empty())
            self->start_refresh(server);
        for (auto const& done : waiting) // handlers may throw, so each has a turn of its own
            asio::post(self->executor_, done);
    };
    list(server, std::move(on_listed));
}

LINKSPAN_DECL void connector_core::discover(std::function<void()> done, std::uint64_t operation)
{
    struct asking {
        std::function<void()> done;
        std::size_t left = 1;

        void finish_one()
        {
            if (--left == 0)
                done();
        }
    };
    auto const all = std::make_shared<asking>();
    all->done = std::move(done);
    for (auto const& server : order_) {
        bool const is_lazy = server->options.start == start_mode::lazy;
        bool const is_wanted = server->state == server_state::idle && !is_lazy;
        if (server->state == server_state::ready) {
            ++all->left;
            refresh(server, [all] { all->finish_one(); });
        } else if (is_wanted || server->state == server_state::opening) {
            ++all->left;
            await(
                server, [all](server_report const&) { all->finish_one(); }, false, operation);
        }
    }
    asio::post(executor_, [all] { all->finish_one(); });
}

LINKSPAN_DECL void connector_core::discover_all(catalog_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const operation = next_operation();
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), operation] {
        self->release(operation, true);
        return std::tuple(self->catalog_);
    });
    auto finish = [self = shared_from_this(), before = times_closed, operation, waiting] {
        self->release(operation, false);
        self->publish_news();
        error_code ec;
        if (self->times_closed != before)
            ec = asio::error::operation_aborted;
        else if (self->closed_)
            ec = error::not_connected;
        waiting->complete(ec, self->catalog_);
    };
    discover(std::move(finish), operation);
}

// False: the list is the one that is known. Servers whose lists hold for a second tell the same again and again.
LINKSPAN_DECL bool connector_core::keep_tools(server_entry& server, std::vector<tool_definition> tools)
{
    auto const is_known = [](catalog_entry const& entry, tool_definition const& tool) { return *entry.tool == tool; };
    server.former_tools.clear();
    if (std::ranges::equal(server.tools, tools, is_known))
        return false;
    server.tools.clear();
    server.tools.reserve(tools.size());
    for (auto& tool : tools) {
        if (policies_->observes_events() && json_scan::member(tool.input_schema, "type") != R"("object")")
            event(server.key, "odd_schema", tool.name);
        auto& entry = server.tools.emplace_back();
        entry.server = server.id;
        entry.server_key = server.key;
        entry.priority = server.options.priority;
        entry.tags = server.shared_tags;
        entry.exposed = policies_->expose(server.key, tool.name);
        entry.keeps_own = policies_->keeps(tool.name);
        entry.tool = std::make_shared<tool_definition const>(std::move(tool));
        server.classify(entry);
    }
    if (server.checks)
        server.checks->learn(server.tools);
    return true;
}

// Calls against schemas

LINKSPAN_DECL std::function<void(std::string const&)> connector_core::schema_reporter(server_entry const& server)
{
    return [this, &server](std::string const& detail) { event(server.key, "unusable_schema", server.clean(detail)); };
}

LINKSPAN_DECL std::string connector_core::find_lacks(server_entry& server, std::string_view tool,
                                                     std::string_view arguments)
{
    return server.checks->lacks_of_arguments(tool, arguments, schema_reporter(server));
}

LINKSPAN_DECL std::string connector_core::find_lacks(server_entry& server, std::string_view tool,
                                                     call_result const& result)
{
    return server.checks->lacks_of_result(tool, result, schema_reporter(server));
}

// Once for each list that says otherwise than the one before.
LINKSPAN_DECL void connector_core::report_unusable(server_entry& server, std::vector<unusable_tool> const& unusable)
{
    if (server.unusable == unusable)
        return;
    server.unusable = unusable;
    for (auto const& tool : server.unusable)
        event(server.key, "unusable_tool", tool.name + ": " + tool.reason);
}

LINKSPAN_DECL void connector_core::drop_tools(server_entry& server)
{
    server.discovered = false;
    server.fresh_until = time_point::max();
    if (server.tools.empty())
        return;
    server.former_tools = std::exchange(server.tools, {});
    ++news_;
    publish_soon(); // whoever took it away does not want to see it
}

// The catalogue

// A thousand servers that open one after the other shall not take a thousand catalogues, of ever more tools. So what
// they tell is published once a turn, and while others open not before it is an eighth of what is known; those who miss
// a tool meanwhile have all published at once.
LINKSPAN_DECL void connector_core::tools_changed()
{
    ++news_;
    publish_later();
}

LINKSPAN_DECL void connector_core::publish_later()
{
    auto const opens = [](server_pointer const& server) {
        return server->state == server_state::opening || (server->state == server_state::ready && !server->settled);
    };
    bool const can_wait = news_ * 8 < told_;
    if (news_ != 0 && !(can_wait && std::ranges::any_of(order_, opens)))
        publish_soon();
}

LINKSPAN_DECL void connector_core::publish_soon()
{
    if (std::exchange(publishing_, true))
        return;
    asio::post(executor_, [self = shared_from_this()] {
        self->publishing_ = false;
        self->publish_news();
    });
}

LINKSPAN_DECL bool connector_core::publish_news()
{
    if (std::exchange(news_, 0) == 0)
        return false;
    std::vector<catalog_entry> entries;
    std::size_t total = 0;
    for (auto const& server : order_)
        total += server->tools.size();
    entries.reserve(total);
    told_ = 0;
    for (auto const& server : order_) {
        entries.insert(entries.end(), server->tools.begin(), server->tools.end());
        told_ += server->tools.empty() ? 0 : 1;
    }
    catalog_ = std::make_shared<catalog const>(std::move(entries), order_.size() == 1);
    {
        std::lock_guard const lock(mutex_);
        shared_catalog_ = catalog_;
    }
    event({}, "catalog_changed", {});
    for (auto const& name : catalog_->collisions())
        event({}, "name_collision", name);
    return true;
}

} // namespace linkspan::detail

#endif
