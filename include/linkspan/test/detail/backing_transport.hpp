#ifndef LINKSPAN_TEST_DETAIL_BACKING_TRANSPORT_HPP
#define LINKSPAN_TEST_DETAIL_BACKING_TRANSPORT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The connection of a client, as the server behind a scripted server uses it.
class backed_connection {
public:
    // The transport to the client.
    virtual any_transport& client() noexcept = 0;

    // Event: the server behind sends a message to the client.
    virtual void on_server_message(outbound const& message) noexcept = 0;

protected:
    ~backed_connection() = default;
};

// Connects one connection of a scripted server with the server behind it, which serves the client by a
// `backing_transport`.
//
// Invariant: `connection` is null after the end of the connection, and `receiver` is empty then, so that neither of
// them refers to the other.
struct backing_link {
    using receiver_type = std::function<void(error_code, std::span<inbound const>)>;

    backed_connection* connection = nullptr; // set by the connection, cleared by end() and by its destructor
    receiver_type receiver; // set by async_receive(), moved out by each event; empty: no receive operation

    // Passes a message of the client on to the server. A server that has closed the connection does not receive it.
    void pass(std::string_view message, std::uint64_t stream)
    {
        if (auto const receive = std::exchange(receiver, {})) {
            inbound_message received;
            received.bytes = message;
            received.stream = stream;
            inbound const batch[] = {received};
            receive({}, batch);
        }
    }

    // Event: the connection of the client has ended.
    void end(error_code ec)
    {
        connection = nullptr;
        if (auto const receive = std::exchange(receiver, {}))
            receive(ec, {});
    }
};

// Transport between a scripted server and the server behind it. Messages are passed on without a turn of the event
// loop.
struct backing_transport {
    using role = transport_role;
    struct config_type {
        std::shared_ptr<backing_link> link; // its connection is set
    };
    static constexpr std::string_view kind = "scripted";
    static constexpr bool handshake_on_no_response = true;

    backing_transport(asio::any_io_executor executor, config_type config)
        : executor_(std::move(executor)), link_(std::move(config.link))
    {}
    backing_transport(backing_transport const&) = delete;
    backing_transport& operator=(backing_transport const&) = delete;
    ~backing_transport() { close(); }

    template<class Handler>
    void async_open(Handler&& handler)
    {
        complete(std::forward<Handler>(handler));
    }

    void send(outbound const& message) noexcept
    {
        if (link_->connection)
            link_->connection->on_server_message(message);
    }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        if (link_->connection)
            link_->receiver = std::forward<Handler>(handler);
        else
            asio::post(executor_, [handler = std::forward<Handler>(handler)]() mutable {
                handler(asio::error::operation_aborted, std::span<inbound const>());
            });
    }

    abandon_result abandon(request_id id) noexcept
    {
        return link_->connection ? link_->connection->client().abandon(id) : abandon_result::peer_not_notified;
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        if (link_->connection)
            link_->connection->client().shutdown({std::forward<Handler>(handler), executor_});
        else
            complete(std::forward<Handler>(handler));
    }

    // The receive operation completes when that of the client's transport does.
    void close() noexcept
    {
        if (link_->connection)
            link_->connection->client().close();
    }

    asio::any_io_executor get_executor() const { return executor_; }
    std::size_t queued_bytes() const noexcept
    {
        return link_->connection ? link_->connection->client().queued_bytes() : 0;
    }

private:
    template<class Handler>
    void complete(Handler&& handler)
    {
        asio::post(executor_, [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    asio::any_io_executor executor_;     // of all operations; set by the constructor
    std::shared_ptr<backing_link> link_; // set by the constructor; not null
};

} // namespace linkspan::test::detail

#endif
