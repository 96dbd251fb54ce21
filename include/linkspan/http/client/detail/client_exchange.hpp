#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_CLIENT_EXCHANGE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_CLIENT_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/http/http_head.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class http_client;

// Group of exchanges that share a limit of connections.
enum class http_lane {
    call, // requests of callers: limited by http_config::max_connections
    // Notifications and responses to requests of the server: limited, because a server may send any number of requests.
    other_messages,
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
        request.clear();
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

} // namespace linkspan::detail

#endif
