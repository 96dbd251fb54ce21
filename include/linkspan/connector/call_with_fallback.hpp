#ifndef LINKSPAN_CONNECTOR_CALL_WITH_FALLBACK_HPP
#define LINKSPAN_CONNECTOR_CALL_WITH_FALLBACK_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/model/arguments.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// Calls a tool on `primary`; where that fails, and it is safe, on each of `fallbacks` in their order, whatever their
/// priorities, until one answers. A server that was not reached costs nothing but its turn: all are visited.
///
///     std::vector<std::string> const fallbacks{"replica", "archive"};
///     auto rows = co_await async_call_with_fallback(hub, "database", fallbacks, "query", args);
///
/// <linkspan/config/fallback_servers.hpp> has the same for servers that are started for one call.
///
/// (g++ 12 does not compile a braced list within a `co_await` expression: give it a name.)
///
/// Completion signature: `void(error_code, call_result)`.
/// Errors: those of `connector_base::async_call`; `all_servers_failed` with a record for each; `unknown_server`.
/// Cancellation, lifetimes, thread safety: as there.
template<asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_call_with_fallback(connector_base& hub, std::string primary, std::vector<std::string> fallbacks,
                              std::string_view tool, arguments const& args = {}, Token&& token = Token())
{
    selector in_order;
    in_order.servers = std::move(fallbacks);
    in_order.servers.insert(in_order.servers.begin(), std::move(primary));
    return hub.on_servers(std::move(in_order)).async_call(tool, args, std::forward<Token>(token));
}

} // namespace linkspan

#endif
