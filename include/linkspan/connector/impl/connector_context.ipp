#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CONTEXT_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_CONTEXT_IPP

#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/connector/detail/tool_checks.hpp>
#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/post_handler.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL connector_context::connector_context(asio::any_io_executor executor,
                                                   std::unique_ptr<policy_table> policies)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      policies_(std::move(policies)),
      selects_only_candidate_(policies_->selects_only_candidate() && policies_->admits_all())
{
    publisher_.retired().on_retired([this] { post_destruction(); });
}

LINKSPAN_DECL connector_context::~connector_context() = default;

LINKSPAN_DECL connector_state connector_context::state() const
{
    auto const at = time_.now();
    connector_state now;
    wall_time::duration::rep last_refresh = published_server::none;
    for (auto const& server : servers_.published()) {
        now.total_tools += now.servers.emplace_back(server->read(at)).tools;
        last_refresh = std::max(last_refresh, server->last_refresh.load(std::memory_order_relaxed));
    }
    if (last_refresh != published_server::none)
        now.last_refresh = wall_time(wall_time::duration(last_refresh));
    return now;
}

LINKSPAN_DECL result_store& connector_context::enable_tool_results()
{
    if (!tool_results_) {
        tool_results_ = std::make_unique<result_store>();
        tool_results_->limit(result_store::default_max_bytes, result_store::default_max_results);
    }
    return *tool_results_;
}

LINKSPAN_DECL void connector_context::event(std::string_view server, std::string_view name, std::string_view detail)
{
    if (policies_->observes_events())
        policies_->on_event({server, name, detail});
}

LINKSPAN_DECL void connector_context::publish(server_entry& server, error_code ec, std::string_view detail)
{
    replicas_.on_changed();
    auto& out = *server.published;
    auto const state = server.life.state();
    auto const version = server.session->version();
    auto const now = time_.now();
    auto const view = view_of(server, now);
    bool const is_up = state == server_state::ready;
    if (tool_results_ && !is_up)
        tool_results_->on_disconnected(server.id);
    if (is_up != (out.up_since.load(std::memory_order_relaxed) != published_server::none))
        out.up_since = is_up ? now.time_since_epoch().count() : published_server::none;
    bool const is_alive = is_up || state == server_state::opening || state == server_state::closing;
    out.pid = is_alive ? server.session->pid().value_or(0) : 0;
    out.state = state;
    bool const is_closed_again =
        out.health.exchange(view.health) == health_state::tripped && view.health != health_state::tripped;
    out.version = version ? static_cast<int>(*version) : -1;
    out.tools = server.tools.tools().size();
    server.publish_requests();
    bool const waits = state == server_state::waiting;
    bool const is_tripped = is_up && view.health == health_state::tripped; // else no probe is scheduled
    auto const at = waits ? server.life.restart_at() : server.life.probe_at();
    out.retry_at = waits || is_tripped ? wall_count(time_, at) : published_server::none;
    if (is_closed_again) { // by a new connection: the text refers to the next probe
        std::lock_guard const lock(out.text);
        out.last_error = server.last_failure.message();
    }
    if (ec) {
        server.last_failure = ec;
        std::lock_guard const lock(out.text);
        out.last_error = ec.message();
        if (!detail.empty() && detail != out.last_error)
            (out.last_error += ": ") += detail;
        if (state == server_state::failed || (waits && server.life.is_slow()))
            (out.last_error += "; ") += server.life.restart_text(now);
    }
    // The function is called after each `tools/list` response, mostly without a change of the state.
    if (server.life.take_state_change() || ec.failed())
        policies_->on_state({view, to_string(state), ec, detail, now});
}

// Views of servers

// Policies receive numbers of 32 bits; larger ones are reported as the largest.
inline std::uint32_t saturated(std::size_t number) noexcept
{
    return static_cast<std::uint32_t>(std::min<std::size_t>(number, std::numeric_limits<std::uint32_t>::max()));
}

// Sets all members of `out` except `replay`.
LINKSPAN_DECL void connector_context::view(server_entry const& server, time_point now, server_view& out)
{
    out.id = server.id;
    out.key = server.key;
    out.tags = server.tags;
    out.priority = server.options.priority;
    out.health = policies_->health(server.id, now);
    out.in_flight = saturated(server.session->in_flight());
    out.limit = saturated(server.options.session.max_in_flight);
    out.latency = server.latency;
    out.throttled_until = server.throttled_until;
}

LINKSPAN_DECL void connector_context::view(std::span<call_candidate const> candidates, server_entry* held,
                                           time_point now, std::vector<flow_server>& out)
{
    out.clear();
    for (auto const& candidate : candidates) {
        auto* one = server(candidate.server).get();
        if (!one && held && held->id == candidate.server)
            one = held;
        if (!one)
            continue;
        auto& added = out.emplace_back();
        view(*one, now, added.view);
        added.view.replay = candidate.replay;
        added.replay_on_same_server = candidate.replay_on_same_server;
        if (candidate.is_excluded)
            continue;
        bool const is_throttled = one->is_throttled(now);
        bool const is_available = one->is_available_after_pause();
        added.available = is_available && !is_throttled;
        added.pauses = is_available && is_throttled;
        added.starting_soon = !is_available && one->is_starting_soon(now);
        if (added.view.health == health_state::tripped) {
            added.last_resort = !one->last_resort_in_use && (added.available || added.starting_soon);
            added.available = added.starting_soon = added.pauses = false;
        }
    }
}

// Validation of calls

LINKSPAN_DECL std::function<void(std::string const&)> connector_context::schema_reporter(server_entry const& server)
{
    return
        [this, &server](std::string const& detail) { event(server.key, "unusable_schema", server.redacted(detail)); };
}

LINKSPAN_DECL std::string connector_context::schema_errors(server_entry& server, std::string_view tool,
                                                           std::string_view arguments)
{
    return server.checks->argument_errors(tool, arguments, schema_reporter(server));
}

LINKSPAN_DECL std::string connector_context::schema_errors(server_entry& server, std::string_view tool,
                                                           call_result const& result)
{
    return server.checks->result_errors(tool, result, schema_reporter(server));
}

// Catalog

LINKSPAN_DECL void connector_context::on_servers_changed()
{
    // The display names of tools depend on the number of servers.
    if (!catalog_now()->tools().empty() || publisher_.is_building())
        on_tools_changed();
}

LINKSPAN_DECL void connector_context::drop_tools(server_entry& server)
{
    if (server.tools.drop())
        on_tools_dropped();
}

// The catalog without the dropped tools is published without waiting for servers that are being opened.
LINKSPAN_DECL void connector_context::on_tools_dropped()
{
    publisher_.on_changed();
    replicas_.on_changed();
    publish_soon();
}

LINKSPAN_DECL void connector_context::on_tools_changed()
{
    publisher_.on_changed();
    replicas_.on_changed();
    publish_later();
}

LINKSPAN_DECL void connector_context::publish_later()
{
    auto const opens = [](server_pointer const& server) { return server->life.is_opening(); };
    if (publisher_.has_changes() && (publisher_.has_many_changes() || std::ranges::none_of(servers_.order(), opens)))
        publish_soon();
}

LINKSPAN_DECL void connector_context::publish_soon()
{
    if (publisher_.request())
        post_publication(&connector_context::on_publication_posted);
}

// Posts a turn of the publication. If the execution context is destroyed before, the functions that wait for the
// publication are discarded, because they may own the connector.
LINKSPAN_DECL void connector_context::post_publication(void (connector_context::*function)())
{
    auto const drop = [](connector_context& self) noexcept {
        while (auto const dropped = self.publisher_.take_waiting())
            continue;
    };
    post_handler(executor_, [function, guard = completion_guard(shared_from_this(), drop)]() mutable {
        auto const self = guard.release();
        auto const here = self->enter();
        (*self.*function)();
    });
}

LINKSPAN_DECL void connector_context::on_publication_posted()
{
    publisher_.on_posted();
    publish_changes();
}

LINKSPAN_DECL bool connector_context::publish_changes()
{
    if (!publisher_.has_changes() || publisher_.is_building())
        return false;
    std::vector<tool_snapshot> lists;
    lists.reserve(servers_.order().size());
    for (auto const& server : servers_.order())
        lists.push_back(server->tools.snapshot());
    publisher_.begin(std::move(lists), servers_.order().size() == 1);
    if (publisher_.fits_one_step()) {
        build_next();
        return true;
    }
    post_build();
    return false;
}

LINKSPAN_DECL void connector_context::publish_changes(std::function<void()> done)
{
    if (!publisher_.has_changes() || publish_changes())
        return done();
    publisher_.await(std::move(done));
}

LINKSPAN_DECL void connector_context::post_build()
{
    try {
        post_publication(&connector_context::build_next);
    } catch (...) { // no memory
        publisher_.abort_build();
        throw;
    }
}

// Executes one step of a build.
LINKSPAN_DECL void connector_context::build_next()
{
    try {
        if (!publisher_.step())
            return post_build();
    } catch (...) { // no memory: the waiting functions continue with the previous catalog
        abort_publication_waits();
        throw;
    }
    on_published();
}

LINKSPAN_DECL void connector_context::on_published()
{
    while (auto done = publisher_.take_published())
        post_handler(executor_, std::move(done));
    if (publisher_.is_requested())
        publish_soon();
    else
        publish_later();
    event({}, "catalog_changed", {});
    auto const published = catalog_now(); // the observer may change the connector
    for (auto const& name : published->collisions())
        event({}, "name_collision", name);
}

LINKSPAN_DECL void connector_context::abort_publication_waits()
{
    while (auto done = publisher_.take_waiting())
        post_handler(executor_, std::move(done));
}

// Destruction of catalogs that are no longer published

LINKSPAN_DECL void connector_context::post_destruction() noexcept
{
    auto const self = weak_from_this().lock(); // null inside the destructor
    if (!self || std::exchange(is_destroying_, true))
        return;
    try {
        post_handler(executor_, [self] { self->destroy_next(); });
    } catch (...) { // no memory: the next retired catalog posts again
        is_destroying_ = false;
    }
}

LINKSPAN_DECL void connector_context::destroy_next()
{
    is_destroying_ = false;
    if (!publisher_.destroy_some())
        post_destruction();
}

} // namespace linkspan::detail

#endif
