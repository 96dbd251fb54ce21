#ifndef LINKSPAN_CONNECTOR_IMPL_TOOL_PINS_IPP
#define LINKSPAN_CONNECTOR_IMPL_TOOL_PINS_IPP

// Tools that bindings were made for: the part of `connector_core` that holds them against their pins.

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/server_turn.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace linkspan::detail {

// Once for each list that says otherwise than the one before.
LINKSPAN_DECL void connector_core::hold_pins(server_entry& server, tool_list& list)
{
    auto broken = compare_pins(server.options.pins, list.tools);
    if (broken != server.broken_pins)
        for (auto const& one : broken)
            event(server.key, "pin_broken", to_string(one));
    server.broken_pins = std::move(broken);
    if (server.options.when_pins_break == pin_mode::warn)
        return;
    for (auto const& one : server.broken_pins)
        if (std::erase_if(list.tools, [&](tool_definition const& tool) { return tool.name == one.tool; }) != 0)
            list.unusable.push_back({one.tool, "it is not what it was pinned as"});
}

LINKSPAN_DECL std::vector<pin_difference> connector_core::compare(server_entry const& server,
                                                                  std::span<tool_pin const> pins) const
{
    std::vector<tool_definition> tools;
    for (auto const& entry : server.tools)
        tools.push_back(*entry.tool);
    auto out = compare_pins(pins, tools);
    for (auto& one : out) { // those that are left out are listed all the same
        auto const known = std::ranges::find(server.broken_pins, one.tool, &pin_difference::tool);
        if (one.found.empty() && known != server.broken_pins.end())
            one.found = known->found;
    }
    std::erase_if(out, [](pin_difference const& one) { return one.found == one.pinned; });
    return out;
}

LINKSPAN_DECL void connector_core::verify(std::string_view key, std::vector<tool_pin> pins, pins_handler done)
{
    serial_scope const here(*this, &connector_core::serial);
    auto const operation = next_operation();
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [self = shared_from_this(), operation] {
        self->release(operation, true);
        return std::tuple(std::vector<pin_difference>());
    });
    auto finish = [self = shared_from_this(), before = times_closed, key = std::string(key), pins = std::move(pins),
                   operation, waiting](error_code ec) {
        self->release(operation, false);
        auto const server = self->find(key);
        if (!ec && self->times_closed != before)
            ec = asio::error::operation_aborted;
        if (!ec && server)
            ec = server->list_ec;
        if (!ec && (!server || !server->discovered))
            ec = error::not_connected;
        auto differences = ec ? std::vector<pin_difference>() : self->compare(*server, pins);
        if (!differences.empty())
            ec = error::tools_changed;
        waiting->complete(ec, std::move(differences));
    };
    auto on_open = [self = shared_from_this(), key = std::string(key), finish, waiting](error_code ec,
                                                                                        server_report const& how) {
        if (waiting->is_over())
            return;
        auto const server = self->find(key);
        if (ec || how.ec || !server)
            return finish(ec ? ec : how.ec);
        self->refresh(server, [finish] { finish({}); });
    };
    connect_for(operation, key, std::move(on_open));
}

} // namespace linkspan::detail

#endif
