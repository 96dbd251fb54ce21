#ifndef LINKSPAN_CONNECTOR_SELECTOR_HPP
#define LINKSPAN_CONNECTOR_SELECTOR_HPP

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Which servers may take a call.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct selector {
    selector() {}

    std::vector<std::string> all_of;  ///< tags: a server needs each of them
    std::vector<std::string> any_of;  ///< and one of these, unless the list is empty
    std::vector<std::string> none_of; ///< and none of these

    /// Names: only these, and in this order, whatever their priorities and the routing policy. Their tools of one name
    /// stand in for each other, whatever their input. Empty: all servers.
    std::vector<std::string> servers;

    /// Whether a server with these tags fits, whatever its name. `Tags`: a range of texts.
    template<class Tags>
    bool fits(Tags const& tags) const
    {
        auto const has = [&](std::string const& tag) { return std::ranges::find(tags, tag) != std::ranges::end(tags); };
        return std::ranges::all_of(all_of, has) && (any_of.empty() || std::ranges::any_of(any_of, has)) &&
               std::ranges::none_of(none_of, has);
    }
};

} // namespace linkspan

#endif
