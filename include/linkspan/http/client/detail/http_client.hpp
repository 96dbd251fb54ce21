#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/deadline_timer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/detail/client_connection.hpp>
#include <linkspan/http/client/detail/client_exchange.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/protocol/deadline_list.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// HTTP/1.1 client for one server with a pool of reusable connections. Each connection has one exchange at a time.
//
// Timeouts bound the connection attempt, the time until the response, and the time without use. A request that a reused
// connection did not accept completely is sent once more on another connection, because the server cannot have executed
// it.
//
// Invariants: a connection is in `connections_` from its creation until `drop` or `close`, and in `idle_` while it has
// no exchange and no response to read. `busy` of a lane is the number of connections with an exchange of that lane,
// including connections that still read the response to a released exchange.
class http_client : public std::enable_shared_from_this<http_client> {
public:
    using connection_pointer = std::shared_ptr<client_connection>;

    struct options {
        dial_target target;                     // host and port of the server
        std::size_t max_connections;            // of the lane `call`
        duration connect_timeout, idle_timeout; // see `http_config`
        http_reader<false>::limits limits;      // of each response
    };

    LINKSPAN_DECL http_client(asio::any_io_executor executor, std::shared_ptr<dialer> dial, options with);
    LINKSPAN_DECL ~http_client();

    // Sends the request, or queues the exchange while its lane is at its limit.
    LINKSPAN_DECL void start(std::shared_ptr<client_exchange> what);

    // Ends an exchange without calling `on_end`, and closes its connection. Returns true if the whole request may have
    // been sent.
    LINKSPAN_DECL bool cancel(client_exchange& what);

    // Ends an exchange whose result is complete, without calling `on_end`. The rest of the response is read and dropped
    // for up to one second, so that the connection can be reused. A request that was not sent yet is not sent.
    LINKSPAN_DECL void release(client_exchange& what);

    // Closes all connections and drops all exchanges, without calling functions of the exchanges.
    LINKSPAN_DECL void close() noexcept;

    // Returns the size of all requests that are queued or not completely written, in bytes.
    LINKSPAN_DECL std::size_t queued_bytes() const noexcept;

    // Settings that connections read.
    asio::any_io_executor const& executor() const noexcept { return executor_; }
    options const& settings() const noexcept { return options_; }
    dialer& connection_dialer() const noexcept { return *dialer_; }

    // Event: an exchange of the lane was attached to a connection, which counts towards the limit of the lane from now
    // on.
    void on_attached(http_lane which) noexcept { ++lane_of(which).busy; }
    // Event: the exchange of a connection has ended.
    void on_detached(http_lane which) noexcept { --lane_of(which).busy; }

    // Replaces the timeout of a connection; max: none.
    LINKSPAN_DECL void set_timeout(client_connection& which, duration span);

    // Event: the exchange of a connection is complete, so that the connection can be used again.
    LINKSPAN_DECL void on_idle(connection_pointer which);

    // Event: a connection cannot be used any more. Closes it, and starts queued exchanges.
    LINKSPAN_DECL void remove(client_connection& which);

    // Event: a connection has failed. Closes it. If `may_repeat`, its exchange is sent once more, before queued
    // exchanges are started, because it already had a place in its lane. Returns whether the exchange is sent again.
    // `what`: null if the connection has no exchange.
    LINKSPAN_DECL bool on_failed(client_connection& which, std::shared_ptr<client_exchange> const& what,
                                 bool may_repeat);

private:
    void dispatch(std::shared_ptr<client_exchange> what); // starts the exchange on an idle connection or on a new one
    void drop(client_connection& which);                  // closes a connection, without starting a queued exchange
    void dispatch_waiting();                              // starts queued exchanges while their lanes permit
    client_connection* find(client_exchange const& what) const noexcept;
    void arm_timer();
    void on_expiry();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all operations
    time_source& time_;              // of `executor_`
    std::shared_ptr<dialer> dialer_; // makes the connections
    options options_;

    std::vector<connection_pointer> connections_; // all connections; added by `dispatch`, erased by `drop` and `close`
    std::vector<connection_pointer> idle_;        // added by `on_idle`, erased by `dispatch`, `drop` and `close`
    struct lane_state {
        std::size_t limit;    // maximum of `busy`; set by the constructor
        std::size_t busy = 0; // incremented when a connection takes an exchange, decremented after its response
        // Exchanges that wait until `busy` is below `limit`. Added by `start`, erased by `dispatch_waiting` and
        // `cancel`.
        std::deque<std::shared_ptr<client_exchange>> queue{};
    };

    lane_state& lane_of(http_lane which) noexcept { return lanes_[static_cast<std::size_t>(which)]; }

    std::array<lane_state, 3> lanes_; // index: `http_lane`
    deadline_list deadlines_;         // one deadline per connection with a timeout; set by `set_timeout`
    deadline_timer timer_;            // armed by `arm_timer` for the first deadline, cancelled by `close`
    bool closed_ = false;             // set by `close`, never cleared
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/client_connection.ipp>
#include <linkspan/http/client/impl/http_client.ipp>
#endif

#endif
