#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_LOOKUP_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_LOOKUP_IPP

// How a call finds the servers that may take it: the part of `logical_call` that knows names.

#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/connector/impl/logical_call.ipp>

#include <algorithm>
#include <utility>

namespace linkspan::detail {

// Ten of them at most: an error is read by people.
inline std::string list_of(std::vector<std::string> const& names)
{
    constexpr std::size_t most = 10;
    std::string out;
    for (std::size_t i = 0; i != std::min(names.size(), most); ++i)
        (out += i == 0 ? "" : ", ") += names[i];
    if (names.size() > most)
        out += " and " + std::to_string(names.size() - most) + " more";
    return out;
}

LINKSPAN_DECL void logical_call::resolve()
{
    if (owner_->is_closed())
        return fail(error::not_connected, {});
    catalog_ = owner_->catalog_now();
    candidates_.clear();
    if (!target_.empty())
        return resolve_on_target();
    if (selector_ && !selector_->servers.empty())
        return resolve_in_order();
    resolve_anywhere();
}

LINKSPAN_DECL void logical_call::resolve_on_target()
{
    auto const server = owner_->find(target_);
    if (!server)
        return fail_unknown_server(target_);
    if (server->state == server_state::disabled)
        return fail(error::server_disabled, "server '" + target_ + "'");
    if (auto const* const entry = catalog_->find(server->id, tool_))
        add_candidate(static_cast<std::uint32_t>(entry - catalog_->tools().data()));
    else if (!server->discovered)
        add_unknown(*server);
    else
        return discover_and_resolve();
    route();
}

// Servers that have not told their tools are asked in their turn.
LINKSPAN_DECL void logical_call::resolve_in_order()
{
    for (auto const& key : selector_->servers) {
        auto const server = owner_->find(key);
        if (!server)
            return fail_unknown_server(key);
        if (!selector_->fits(server->tags) || server->state == server_state::disabled)
            continue;
        if (auto const* const entry = catalog_->find(server->id, tool_))
            add_candidate(static_cast<std::uint32_t>(entry - catalog_->tools().data()));
        else if (!server->discovered)
            add_unknown(*server);
    }
    if (candidates_.empty())
        return discover_and_resolve();
    route();
}

LINKSPAN_DECL void logical_call::resolve_anywhere()
{
    using kind = catalog::match::kind;
    auto const match = catalog_->find(tool_);
    auto const has_that_name = [&](std::uint32_t index) { return catalog_->tools()[index].goes_by(tool_); };
    bool const is_meant = !is_exposed_ || std::ranges::any_of(match.entries, has_that_name);
    if (match.what == kind::unknown || !is_meant)
        return discover_and_resolve();
    for (auto const index : match.entries)
        if (fits(catalog_->tools()[index]))
            add_candidate(index);
    if (match.what == kind::ambiguous && candidates_.size() != 1)
        return fail_ambiguous(match.entries);
    route();
}

LINKSPAN_DECL bool logical_call::fits(catalog_entry const& entry) const
{
    auto const& server = owner_->server(entry.server);
    return server && (!selector_ || selector_->fits(server->tags));
}

LINKSPAN_DECL void logical_call::add_candidate(std::uint32_t entry)
{
    auto const& from = catalog_->tools()[entry];
    candidates_.push_back({from.server, from.tool->name, from.replay, from.replay_stays, false});
}

// Nobody has said what the tool does there: never twice.
LINKSPAN_DECL void logical_call::add_unknown(server_entry const& server)
{
    unknown_ = true;
    candidates_.push_back({server.id, tool_, replay_class::never, false, false});
}

LINKSPAN_DECL void logical_call::discover_and_resolve()
{
    if (owner_->publish_news())
        return resolve();
    if (std::exchange(refreshed_, true))
        return resolve_among_unknown();
    auto on_refreshed = later([this] {
        resume();
        resolve();
    });
    auto const server = target_.empty() ? nullptr : owner_->find(target_);
    auto const share = options_.attempt_share.value_or(owner_->policies().attempt_share(certainty::not_sent));
    bool const has_others = !server && owner_->servers().size() > 1; // which a server that hangs must not hold up
    pause(state::resolving, has_others && share < 1 ? now_ + share_of(deadline_ - now_, share) : deadline_);
    if (server)
        owner_->refresh(server, std::move(on_refreshed));
    else
        owner_->discover(std::move(on_refreshed));
}

// The servers whose tools nobody knows may have it: those that start when they are needed, and those that do not tell.
// While no server has told any, so may those that are down: what is wrong is then that nobody can be reached.
LINKSPAN_DECL void logical_call::resolve_among_unknown()
{
    auto const has_told = [](auto const& server) { return server->discovered; };
    bool const is_all_unknown = std::ranges::none_of(owner_->servers(), has_told);
    if (target_.empty() && (!selector_ || selector_->servers.empty()))
        for (auto const& server : owner_->servers()) {
            bool const is_there = server->state == server_state::idle || server->state == server_state::opening ||
                                  server->state == server_state::ready ||
                                  (is_all_unknown && server->state != server_state::disabled);
            if (!server->discovered && is_there && (!selector_ || selector_->fits(server->tags)))
                add_unknown(*server);
        }
    if (candidates_.empty())
        return fail_unknown_tool();
    route();
}

LINKSPAN_DECL void logical_call::fail_unknown_tool()
{
    if (auto const* const owner = is_exposed_ ? disconnected_owner() : nullptr)
        return fail_disconnected(*owner);
    auto const nearest = list_of(catalog_->nearest(tool_));
    error const ec = is_exposed_ ? error::invalid_tool_name : error::tool_not_found;
    auto detail = "'" + tool_ + "'";
    if (!target_.empty())
        detail += " on server '" + target_ + "'";
    if (!nearest.empty())
        detail += "; nearest: " + nearest;
    fail(ec, detail + "; searched: " + searched());
}

// The length of the text that the naming policy puts before a tool of this server; 0: it makes no such name. Names are
// made and compared, and not parsed: the policy may be any.
LINKSPAN_DECL std::size_t logical_call::exposing_prefix(server_entry const& server) const
{
    auto& policies = owner_->policies();
    auto const made = policies.expose(server.key, "x");
    auto const size = made.ends_with('x') ? made.size() - 1 : 0;
    bool const is_made =
        size != 0 && tool_.size() > size && policies.expose(server.key, std::string_view(tool_).substr(size)) == tool_;
    return is_made ? size : 0;
}

// The server that has, had or would have the tool of this exposed name, if it is not connected; else null. Of several
// servers whose names begin alike, the longest name is meant.
LINKSPAN_DECL server_entry const* logical_call::disconnected_owner() const
{
    auto const has_that_name = [&](catalog_entry const& entry) { return entry.goes_by(tool_); };
    server_entry const* best = nullptr;
    std::size_t longest = 0;
    for (auto const& server : owner_->servers()) {
        if (server->is_down() && (std::ranges::any_of(server->tools, has_that_name) ||
                                  std::ranges::any_of(server->former_tools, has_that_name)))
            return server.get();
        auto const size = exposing_prefix(*server);
        if (size > longest) {
            longest = size;
            best = server.get();
        }
    }
    bool const may_have_it = best && best->is_down() && best->tools.empty() && best->former_tools.empty();
    return may_have_it ? best : nullptr;
}

LINKSPAN_DECL void logical_call::fail_disconnected(server_entry const& server)
{
    error const ec = server.state == server_state::disabled ? error::server_disabled : error::not_connected;
    outcome missed;
    missed.how = certainty_of(evidence::never_connected);
    missed.ec = ec;
    // Servers that were only searched for the tool are no attempts: the name belongs to this server.
    std::erase_if(trail_, [](attempt_record const& one) { return one.result.how == certainty::not_sent; });
    trail_.push_back({server.key, 0, missed, server.diagnostics()});
    fail(ec, "server '" + server.key + "' is " + std::string(to_string(server.state)));
}

// The servers that have told their tools, and have none of that name.
LINKSPAN_DECL std::string logical_call::searched() const
{
    std::vector<std::string> keys;
    for (auto const& server : owner_->servers())
        if (server->discovered && (target_.empty() || server->key == target_))
            keys.push_back(server->key);
    return keys.empty() ? "none" : list_of(keys);
}

LINKSPAN_DECL void logical_call::fail_ambiguous(std::span<std::uint32_t const> entries)
{
    std::vector<std::string> names;
    for (auto const index : entries) {
        auto const& entry = catalog_->tools()[index];
        names.push_back(entry.exposed.empty() ? entry.tool->name + " at " + entry.server_key : entry.exposed);
    }
    fail(error::ambiguous_tool, "'" + tool_ + "' may be any of " + list_of(names));
}

LINKSPAN_DECL void logical_call::fail_unknown_server(std::string_view key)
{
    auto const nearest = owner_->nearest_servers(key);
    fail(error::unknown_server, "'" + std::string(key) + (nearest.empty() ? "'; known: " : "'; nearest: ") +
                                    list_of(nearest.empty() ? owner_->names_of_servers() : nearest));
}

// What the server calls the tool, now that it has told its tools. False: it has none of that name.
LINKSPAN_DECL bool logical_call::learn_tool(call_candidate& candidate)
{
    if (!server_->discovered) {
        candidate.tool = tool_;
        // A name that was exposed was made by us, and means nothing to the server.
        return !is_exposed_ && !server_->refuses_unseen(tool_);
    }
    owner_->publish_news();
    learnt_from_ = owner_->catalog_now();
    auto const* entry = learnt_from_->find(candidate.server, tool_);
    for (auto const index : learnt_from_->find(tool_).entries)
        if (auto const& named = learnt_from_->tools()[index]; named.server == candidate.server)
            entry = &named;
    if (entry && is_exposed_ && !entry->goes_by(tool_))
        entry = nullptr;
    if (entry)
        candidate = {entry->server, entry->tool->name, entry->replay, entry->replay_stays, false};
    return entry != nullptr;
}

} // namespace linkspan::detail

#endif
