#ifndef LINKSPAN_CONNECTOR_SELECTOR_HPP
#define LINKSPAN_CONNECTOR_SELECTOR_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Selects the servers that may execute a call, by tags, by names, or both.
///
///     linkspan::selector in_europe;
///     in_europe.all_of = {"eu"};
///     auto reply = co_await hub.on_servers(in_europe).async_call("query", args);
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
///
/// \par Thread safety
/// Distinct objects and concurrent reads of the same object: safe.
struct selector {
    /// Constructs a selector that admits all servers.
    selector() {}

    /// A server must have all of these tags. Empty: no condition.
    std::vector<std::string> all_of;

    /// A server must have at least one of these tags. Empty: no condition.
    std::vector<std::string> any_of;

    /// A server must have none of these tags. Empty: no condition.
    std::vector<std::string> none_of;

    /// Names of the servers that may execute the call, in order of preference. The order takes precedence over
    /// priorities and the routing policy. The call identifies the tool by its own name; tools of these servers with the
    /// same own name are interchangeable, independently of their input schemas. A disabled server receives no call; a
    /// name that belongs to no server makes the call fail with `unknown_server`. Empty: all servers, without an order.
    std::vector<std::string> servers;

    /// Returns whether a server with these tags is admitted, independently of its name.
    ///
    /// \tparam Tags A range of texts.
    template<class Tags>
    bool matches(Tags const& tags) const
    {
        auto const has = [&](std::string const& tag) { return std::ranges::find(tags, tag) != std::ranges::end(tags); };
        return std::ranges::all_of(all_of, has) && (any_of.empty() || std::ranges::any_of(any_of, has)) &&
               std::ranges::none_of(none_of, has);
    }
};

} // namespace linkspan

#endif
