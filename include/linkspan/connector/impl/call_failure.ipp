#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_FAILURE_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_FAILURE_IPP

#include <linkspan/connector/detail/call_failure.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the reason why a server cannot execute a call.
inline unavailable_server reason_of(failed_call const& call, flow_server const& one)
{
    auto const& server = *call.context.server(one.view.id);
    auto const until = [&](time_point at) { return std::max(at - call.now, duration::zero()); };
    unavailable_server out;
    out.key = one.view.key;
    out.is_connected = server.session->state() == session_state::ready;
    if (!out.is_connected) {
        out.diagnostics = server.diagnostics();
        out.restart_text = server.life.restart_text(call.now);
        if (server.life.state() == server_state::waiting)
            out.restart_in = until(server.life.restart_at());
    } else if (one.view.health == health_state::tripped) {
        out.has_open_breaker = true;
        out.last_resort_in_use = server.last_resort_in_use;
        out.last_failure = server.last_failure;
        if (auto const probe = call.context.policies().next_probe(server.id, call.now, call.context.time().draw()))
            out.probe_in = until(*probe);
    } else if (server.is_throttled(call.now)) {
        out.pause = *server.throttled_until - call.now;
    }
    return out;
}

// Adds a record for each candidate, with the reason why the server cannot execute the call.
inline void add_unavailable(failed_call const& call)
{
    std::vector<flow_server> views;
    call.context.view(call.candidates.all(), call.held, call.now, views);
    for (auto const& one : views)
        call.trail.add_unavailable(reason_of(call, one));
}

// Returns the disconnected server to which the exposed name of the call belongs. Null: the call has no exposed name, or
// no disconnected server has it.
inline server_entry const* owner_of_name(failed_call const& call)
{
    if (!call.query.is_exposed)
        return nullptr;
    return disconnected_owner(call.query.tool, call.context.servers(), call.context.policies());
}

inline call_failure disconnected_failure(failed_call const& call, server_entry const& server)
{
    auto const state = server.life.state();
    error const ec = state == server_state::disabled ? error::server_disabled : error::not_connected;
    // The name belongs to this server. Records that other servers do not have the tool would be misleading.
    call.trail.remove_unsent();
    call.trail.add_not_reached(server.key, ec, {}, server.diagnostics());
    return {ec, "server '" + server.key + "' is " + std::string(to_string(state))};
}

LINKSPAN_DECL call_failure unknown_tool_failure(failed_call const& call)
{
    if (auto const* const owner = owner_of_name(call))
        return disconnected_failure(call, *owner);
    return {call.query.is_exposed ? error::invalid_tool_name : error::tool_not_found,
            unknown_tool_text(call.query, call.candidates.tools(), call.context.servers())};
}

// Returns the error of a call to one server, whose tools are unknown, if the server was not reached or does not have
// the tool.
inline call_failure failure_on_only_server(failed_call const& call)
{
    if (call.trail.empty())
        add_unavailable(call);
    if (!call.trail.empty() && call.trail.last().result.ec == error::tool_not_found)
        return unknown_tool_failure(call);
    return {error::not_connected, "server '" + std::string(call.query.target) + "'"};
}

inline std::string in_milliseconds(duration span)
{
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(span).count()) + " ms";
}

// Returns a text that names the servers whose list of tools is outstanding; empty: there is none.
inline std::string text_about_missing_lists(failed_call const& call)
{
    constexpr std::size_t max_names = 5;
    std::string names;
    std::size_t count = 0;
    for (auto const& server : call.context.servers().order()) {
        bool const is_awaited = call.query.target.empty() || call.query.target == server->key;
        bool const is_listed = server->life.state() != server_state::opening && !server->tools.is_listing();
        if (is_awaited && !is_listed && ++count <= max_names)
            (names += count == 1 ? "'" : ", '") += server->key + '\'';
    }
    if (count > max_names)
        names += " and " + std::to_string(count - max_names) + " more";
    if (count == 0)
        return {};
    return (count == 1 ? "server " : "servers ") + names + " did not list " + (count == 1 ? "its" : "their") + " tools";
}

LINKSPAN_DECL call_failure list_timeout_failure(failed_call const& call, duration timeout)
{
    auto text = text_about_missing_lists(call);
    if (text.empty()) // a large catalog is published in several turns
        text = "the catalog was not published";
    return {error::deadline_exceeded,
            text + " within the timeout of the call, " + in_milliseconds(timeout) + "; raise call_options::timeout"};
}

LINKSPAN_DECL std::string not_ready_text(server_entry const& server, duration time, bool is_share)
{
    return "server '" + server.key + "' was not ready within " +
           (is_share ? "attempt_share of the remaining time, " : "the timeout of the call, ") + in_milliseconds(time) +
           "; raise call_options::" + (is_share ? "attempt_share or timeout" : "timeout");
}

LINKSPAN_DECL call_failure failure_at_end(failed_call const& call, call_flow::action const& end)
{
    auto& trail = call.trail;
    bool const is_unknown = call.candidates.has_unknown_tools();
    bool const is_of_one = is_unknown || call.candidates.all().size() < 2;
    if (auto const* const owner = is_of_one && end.ec && trail.empty() ? owner_of_name(call) : nullptr)
        return disconnected_failure(call, *owner);
    if (is_unknown && trail.all_lack_tool())
        return unknown_tool_failure(call);
    if (is_unknown && !call.query.target.empty() && end.ec != error::deadline_exceeded && !trail.was_sent())
        return failure_on_only_server(call);
    if (trail.all_reject_arguments())
        return {error::invalid_arguments, trail.first_detail()};
    if (end.ec == error::no_eligible_server && trail.empty()) {
        add_unavailable(call);
        if (trail.has_failed_server())
            return {error::all_servers_failed, {}};
    }
    if (trail.empty())
        return {end.ec, {}};
    if (end.last_response)
        return {end.ec, trail.last().detail};
    return {end.ec, end.ec == error::all_servers_failed ? trail.last_failure_text() : std::string()};
}

} // namespace linkspan::detail

#endif
