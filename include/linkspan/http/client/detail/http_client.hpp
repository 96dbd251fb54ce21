#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CLIENT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/protocol/deadline_list.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

class http_client;

// What shares a limit of connections, and may wait for one of them.
enum class http_lane {
    call,
    notice,  // notifications, and answers to a server that may ask without end
    control, // what keeps the conversation going: no limit
};

// A request to one server and its response. Whoever makes it is told in this order: the head, pieces of the body, the
// end; and never from within `http_client::start`.
class client_exchange {
public:
    using head_type = http_reader<false>::head_type;

    std::string request; // the whole message; unchanged until the end
    http_lane lane = http_lane::call;
    duration timeout = duration::max(); // from the start to the head of a stream, or to the end of what is none

    virtual ~client_exchange() = default;

    // True: the body is a stream, and has no limit.
    virtual bool on_head(head_type const& head) = 0;
    virtual void on_body(std::string_view piece) = 0;

    // `sent`: all of the request was accepted by the connection.
    virtual void on_end(error_code ec, bool sent) = 0;

private:
    friend http_client;

    bool repeated_ = false; // on another connection, because the first had gone
    bool queued_ = false;
};

// Speaks HTTP/1.1 with one server over a pool of connections, which are kept while they are good: one exchange at a
// time on each, any number at once.
//
// Time limits: of the making of a connection, of the way to a response, of an unused connection.
// A request that a kept connection did not take is sent once more on a new one; it has certainly not arrived.
class http_client : public std::enable_shared_from_this<http_client> {
public:
    struct options {
        dial_target target;
        std::size_t max_connections;
        duration connect_timeout, idle_timeout;
        http_reader<false>::limits limits;
    };

    LINKSPAN_DECL http_client(asio::any_io_executor executor, std::shared_ptr<dialer> dial, options with);
    LINKSPAN_DECL ~http_client();

    // Sends it, or lets it wait for a connection.
    LINKSPAN_DECL void start(std::shared_ptr<client_exchange> what);

    // Ends it without `on_end`. Yields whether all of it had been sent.
    LINKSPAN_DECL bool cancel(client_exchange& what);

    // The exchange has all that it wants; `on_end` will not come. The rest of the response is read and dropped, for a
    // moment, so that the connection can be kept. What was not sent yet is not sent.
    LINKSPAN_DECL void release(client_exchange& what);

    // Ends everything, without a call.
    LINKSPAN_DECL void close() noexcept;

    LINKSPAN_DECL std::size_t queued_bytes() const noexcept;

private:
    class connection;
    using connection_pointer = std::shared_ptr<connection>;

    void dispatch(std::shared_ptr<client_exchange> what);
    void drop(connection& which);   // and nobody gets its place yet
    void remove(connection& which); // and gives its place to the next
    void become_idle(connection_pointer which);
    void dispatch_waiting();
    connection* find(client_exchange const& what) const noexcept;
    void limit(connection& which, duration span);
    void arm_timer();

    asio::any_io_executor executor_;
    time_source& time_;
    std::shared_ptr<dialer> dialer_;
    options options_;
    std::vector<connection_pointer> connections_; // all
    std::vector<connection_pointer> idle_;        // the one that was used last is at the back
    struct lane_state {
        std::size_t limit;
        std::size_t busy = 0; // connections
        std::deque<std::shared_ptr<client_exchange>> queue{};
    };

    lane_state& lane_of(http_lane which) noexcept { return lanes_[static_cast<std::size_t>(which)]; }

    std::array<lane_state, 3> lanes_;
    deadline_list deadlines_;
    timer timer_;
    time_point timer_due_ = time_point::max();
    bool closed_ = false;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_client.ipp>
#endif

#endif
