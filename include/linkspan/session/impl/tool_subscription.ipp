#ifndef LINKSPAN_SESSION_IMPL_TOOL_SUBSCRIPTION_IPP
#define LINKSPAN_SESSION_IMPL_TOOL_SUBSCRIPTION_IPP

#include <linkspan/core/back_off.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/detail/tool_subscription.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool tool_subscription::is_offered(std::string_view capabilities) noexcept
{
    return json_scan::member(json_scan::member(capabilities, "tools"), "listChanged") == "true";
}

// Specification: 2026-07-28, basic, "Subscriptions", "Acknowledgment".
LINKSPAN_DECL bool tool_subscription::on_acknowledged(std::string_view acknowledgement) noexcept
{
    auto const meta = json_scan::member(acknowledgement, "_meta");
    if (!is_subscribed_with(json_scan::member(meta, "io.modelcontextprotocol/subscriptionId")))
        return false;
    auto const accepted = json_scan::member(acknowledgement, "notifications");
    is_acknowledged_ = json_scan::member(accepted, "toolsListChanged") == "true";
    return std::exchange(missed_changes_, false);
}

LINKSPAN_DECL bool tool_subscription::is_subscribed_with(std::string_view raw_id) const noexcept
{
    return id_ != 0 && json_scan::integer(raw_id) == id_;
}

LINKSPAN_DECL bool tool_subscription::on_end(error_code ec, time_point now) noexcept
{
    id_ = 0;
    is_acknowledged_ = false;
    // -32601: unknown method; -32602: invalid params, with which servers refuse unknown notifications
    if (ec.category() == rpc_category() && (ec.value() == -32601 || ec.value() == -32602))
        return false;
    missed_changes_ = true;
    attempts_ = now - began_ > max_pause ? 1 : attempts_ + 1;
    return true;
}

LINKSPAN_DECL duration tool_subscription::pause(std::uint64_t draw) const noexcept
{
    return equal_jitter(min_pause, max_pause, attempts_, draw);
}

} // namespace linkspan::detail

#endif
