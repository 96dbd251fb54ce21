#ifndef LINKSPAN_PROTOCOL_SUBSCRIPTION_FILTER_HPP
#define LINKSPAN_PROTOCOL_SUBSCRIPTION_FILTER_HPP

#include <linkspan/core/detail/config.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Changes of a server of which a subscriber is notified.
///
/// \par Specification
/// MCP 2026-07-28, basic/patterns, "Subscriptions".
struct subscription_filter {
    bool tools = false;                            ///< changes of the list of tools
    bool prompts = false;                          ///< changes of the list of prompts
    bool resources = false;                        ///< changes of the lists of resources and of resource templates
    std::set<std::string, std::less<>> uris{};     ///< URIs of resources: changes of their contents
    std::set<std::string, std::less<>> task_ids{}; ///< ids of tasks: changes of their states

    bool operator==(subscription_filter const&) const = default;

    /// Returns whether the filter contains no kind of change.
    bool empty() const noexcept { return !tools && !prompts && !resources && uris.empty() && task_ids.empty(); }
};

/// Returns a filter as a JSON object: the member `notifications` of a subscription or of its acknowledgement. Kinds of
/// changes that are not in the filter are omitted.
///
/// \throws std::bad_alloc
LINKSPAN_DECL std::string to_json(subscription_filter const& filter);

/// Reads a filter from the text of a JSON object. Members that are not valid are ignored.
///
/// \throws std::bad_alloc
LINKSPAN_DECL subscription_filter read_subscription_filter(std::string_view json);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/subscription_filter.ipp>
#endif

#endif
