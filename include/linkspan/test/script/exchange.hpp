#ifndef LINKSPAN_TEST_SCRIPT_EXCHANGE_HPP
#define LINKSPAN_TEST_SCRIPT_EXCHANGE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <functional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

class http_exchange;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test {

/// A request that a scripted server has received: the interface with which actions produce the response.
///
/// JSON texts are sent without checks, so that a test can also produce invalid messages.
///
/// \par Lifetime
/// Valid until one of these events: the request has a response and the last action is complete; the client cancels the
/// request; the connection ends. An action that needs the exchange after a wait uses `wait` and its continuation.
/// \par Thread safety
/// None: use the object on the executor of the server.
class exchange {
public:
    virtual ~exchange() = default;

    virtual std::string_view method() const = 0;    ///< method of the request, for example `tools/call`
    virtual std::string_view tool() const = 0;      ///< called tool; empty if `method()` is not `tools/call`
    virtual std::string_view arguments() const = 0; ///< `arguments` of `params` as JSON text; "{}" if absent
    virtual std::string_view params() const = 0;    ///< `params` as JSON text; empty if absent

    /// Sends a result.
    ///
    /// \param members Members of the result object as JSON text without the braces. Members that the protocol version
    /// requires in addition, such as `resultType`, are added unless they are present.
    virtual void reply(std::string_view members) = 0;

    /// Sends an error response.
    ///
    /// \param code Code of the JSON-RPC error.
    /// \param message Message of the JSON-RPC error.
    virtual void refuse(int code, std::string_view message) = 0;

    /// Sends `bytes` followed by a line end, without checking them. The request stays pending.
    virtual void send(std::string_view bytes) = 0;

    /// Sends a notification. `params` is JSON text; empty: the notification has no `params`.
    virtual void notify(std::string_view method, std::string_view params) = 0;

    /// Sends `notifications/progress` for this request. No effect if the request contains no progress token.
    ///
    /// \param value Member `progress` of the notification.
    /// \param total Member `total` of the notification.
    virtual void progress(double value, double total) = 0;

    /// Sends a request to the client.
    ///
    /// \param method Method of the request.
    /// \param params JSON text; empty: the request has no `params`.
    /// \param next Invoked when the client has sent a response, a result or an error. Not invoked if the connection
    /// ends.
    virtual void send_request(std::string_view method, std::string_view params, std::function<void()> next) = 0;

    /// Invokes `next` after `span`. Each exchange has one wait: a second call cancels the first, whose `next` is not
    /// invoked. If the request is cancelled or the connection ends, `next` is not invoked.
    virtual void wait(duration span, std::function<void()> next) = 0;

    /// Ends the connection after the messages that were sent before, as if the server process had exited.
    virtual void drop() = 0;

    /// Returns the HTTP exchange of the request. Null for other transports, and when the HTTP exchange is complete.
    virtual http_exchange* http() { return nullptr; }

    /// Sends the response that the server sends to a request without a rule. With a server behind the rules, passes the
    /// request on to it.
    virtual void respond_by_default() {}

    /// Marks the request as complete. Called by actions that produce the response without `reply` and `refuse`.
    virtual void mark_complete() {}

    /// Returns the scenarios and variables of the server, which actions may read and change.
    virtual script_values& values() = 0;
};

/// One step of the handling of a request.
///
/// The step invokes `next` when it is complete, within the call or later. If `next` is not invoked, the following steps
/// are not executed. Further invocations of `next` have no effect.
using action = std::function<void(exchange&, std::function<void()> next)>;

} // namespace linkspan::test

#endif
