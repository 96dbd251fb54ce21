#ifndef LINKSPAN_PROTOCOL_MESSAGE_KIND_HPP
#define LINKSPAN_PROTOCOL_MESSAGE_KIND_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Kinds of messages of a client, as far as transports over HTTP handle them differently.
enum class message_kind {
    /// A request that is none of the kinds below, such as a call.
    request,
    /// The request `initialize`, which begins the handshake.
    handshake,
    /// The request `server/discover`, by which the era of a server is determined.
    probe,
    /// The request `ping`.
    ping,
    /// The request `subscriptions/listen`, whose response stream contains notifications.
    subscription,
    /// The notification `notifications/initialized`, which ends the handshake.
    initialized,
    /// Any other notification.
    notification,
    /// A response to a request of the server.
    response,
};

/// Returns the kind of a request with the method `method`.
constexpr message_kind kind_of_request(std::string_view method) noexcept
{
    return method == "initialize"             ? message_kind::handshake
           : method == "server/discover"      ? message_kind::probe
           : method == "ping"                 ? message_kind::ping
           : method == "subscriptions/listen" ? message_kind::subscription
                                              : message_kind::request;
}

} // namespace linkspan

#endif
