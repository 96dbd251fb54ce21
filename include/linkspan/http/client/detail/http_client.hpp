#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/protocol/deadline_list.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class http_client;

// Group of exchanges that share a limit of connections.
enum class http_lane {
    call,    // requests of callers: limited by http_config::max_connections
    notice,  // notifications and responses to requests of the server: limited, because a server may send any number
    control, // requests that maintain the session (negotiation, ping, subscription, streams): not limited
};

// One HTTP request and its response. The client calls `on_head`, `on_body` for each piece, and `on_end`, in this order,
// and never inside `http_client::start`. `on_end` is called at most once; never after `cancel` or `release`.
class client_exchange {
public:
    std::string request;              // head and body of the request; unchanged from `start` to the end
    http_lane lane = http_lane::call; // set before `start`
    // Maximum time from the start of the transmission of the request to the head of a stream, or to the end of a
    // response that is not a stream. Set before `start`.
    duration timeout = duration::max();

    virtual ~client_exchange() = default;

    // Called when the head of the response is complete. Returns true if the body is a stream, which has no size limit
    // and no timeout.
    virtual bool on_head(http_head const& head) = 0;
    virtual void on_body(std::string_view piece) = 0;

    // Called when the response is complete, or the exchange has failed. `sent`: the connection may have transmitted the
    // whole request.
    virtual void on_end(error_code ec, bool sent) = 0;

protected:
    // Restores the initial state, for another request.
    void reuse()
    {
        clear_text(request);
        lane = http_lane::call;
        timeout = duration::max();
        repeated_ = queued_ = false;
    }

private:
    friend http_client;

    // Set when the request is sent again because the server has closed a reused connection, which is done once; cleared
    // by `reuse`.
    bool repeated_ = false;
    bool queued_ = false; // set when `start` queues the exchange; cleared when it leaves the queue of its lane
};

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

    // Closes all connections and drops all exchanges, without calling them.
    LINKSPAN_DECL void close() noexcept;

    // Returns the size of all requests that are queued or not completely written, in bytes.
    LINKSPAN_DECL std::size_t queued_bytes() const noexcept;

private:
    class connection;
    using connection_pointer = std::shared_ptr<connection>;

    void dispatch(std::shared_ptr<client_exchange> what); // starts the exchange on an idle connection or on a new one
    void drop(connection& which);                         // closes a connection, without starting a queued exchange
    void remove(connection& which);                       // closes a connection, and starts queued exchanges
    void become_idle(connection_pointer which);
    void dispatch_waiting(); // starts queued exchanges while their lanes are below their limits
    connection* find(client_exchange const& what) const noexcept;
    void limit(connection& which, duration span); // replaces the timeout of a connection; max: none
    void arm_timer();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all operations
    time_source& time_;              // of `executor_`
    std::shared_ptr<dialer> dialer_; // makes the connections
    options options_;

    std::vector<connection_pointer> connections_; // all connections; added by `dispatch`, erased by `drop` and `close`
    std::vector<connection_pointer> idle_;        // added by `become_idle`, erased by `dispatch`, `drop` and `close`
    struct lane_state {
        std::size_t limit;    // maximum of `busy`; set by the constructor
        std::size_t busy = 0; // incremented when a connection takes an exchange, decremented after its response
        // Exchanges that wait until `busy` is below `limit`. Added by `start`, erased by `dispatch_waiting` and
        // `cancel`.
        std::deque<std::shared_ptr<client_exchange>> queue{};
    };

    lane_state& lane_of(http_lane which) noexcept { return lanes_[static_cast<std::size_t>(which)]; }

    std::array<lane_state, 3> lanes_;          // index: `http_lane`
    deadline_list deadlines_;                  // one deadline per connection with a timeout; set by `limit`
    timer timer_;                              // armed by `arm_timer` for the first deadline, cancelled by `close`
    time_point timer_due_ = time_point::max(); // expiry of `timer_`; max: the timer is not armed
    bool closed_ = false;                      // set by `close`, never cleared
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_client.ipp>
#endif

#endif
