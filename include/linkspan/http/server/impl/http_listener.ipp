#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_LISTENER_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_LISTENER_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/http/server/detail/accepting_socket.hpp>
#include <linkspan/http/server/detail/connection_group.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/protocol/principal_quota.hpp>
#include <linkspan/transport/socket_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <list>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Implementation of `http_listener`. Outstanding operations keep the object alive.
//
// Invariants: a connection is in `connections_` from its creation until its end. The listener accepts while it is
// neither stopping nor closed, and has less than `options::max_connections` connections.
class http_listener_core final : public std::enable_shared_from_this<http_listener_core> {
public:
    http_listener_core(asio::any_io_executor executor, http_request_handler& handler, http_listener::options with)
        : executor_(std::move(executor)),
          handler_(handler),
          options_(std::move(with)),
          addresses_(options_.max_per_address),
          group_(std::make_shared<connection_group>(options_.limits)),
          acceptor_(executor_),
          pause_(executor_),
          limit_(executor_)
    {}

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    std::size_t connections() const noexcept { return connections_.size(); }
    std::size_t accepted() const noexcept { return accepted_; }
    http_counters& counters() noexcept { return group_->counters; }

    bool is_listening() const noexcept { return acceptor_.is_open(); }
    std::uint16_t port() const noexcept { return acceptor_.port(); }

    void listen(error_code& ec)
    {
        ec = {};
        if (stops_ || is_closed_)
            ec = asio::error::operation_aborted;
        else if (is_listening())
            ec = asio::error::already_open;
        else if (options_.unix_socket.empty())
            acceptor_.open_tcp(options_.address, options_.port, ec);
        else
            acceptor_.open_unix(options_.unix_socket, ec);
        if (!ec)
            accept();
    }

    void serve(std::unique_ptr<byte_stream> stream, std::string address)
    {
        ++accepted_;
        if (is_closed_ || stops_)
            return;
        if (resets_ != 0) {
            --resets_;
            return;
        }
        auto place = options_.max_per_address == 0 ? nullptr : addresses_.take(address);
        if (options_.max_per_address != 0 && !place) {
            ++group_->counters.refused_connections;
            return;
        }
        auto const at = connections_.emplace(connections_.end());
        at->place = std::move(place);
        at->served = std::make_unique<http_server_connection>(
            executor_, std::move(stream), handler_, options_.limits,
            [self = weak_from_this(), at] {
                if (auto const alive = self.lock())
                    alive->forget(at);
            },
            std::move(address), group_);
    }

    void reset_next() noexcept { ++resets_; }

    void drop_connections()
    {
        for (auto it = connections_.begin(); it != connections_.end();)
            (it++)->served->disconnect();
    }

    void stop(duration within, pending_handler<void(error_code)> done)
    {
        stopping_.push_back(std::move(done));
        if (!std::exchange(stops_, true))
            handler_.on_stop();
        end_accepting();
        for (auto it = connections_.begin(); it != connections_.end();)
            (it++)->served->stop();
        if (is_closed_ || connections_.empty())
            return complete_stop({});
        limit_.expires_after(within);
        limit_.async_wait([self = weak_from_this()](error_code ec) {
            auto const alive = self.lock();
            if (ec || !alive || alive->stopping_.empty())
                return;
            alive->complete_stop(asio::error::timed_out);
            alive->drop_connections();
        });
    }

    void close() noexcept
    {
        is_closed_ = true;
        end_accepting();
        connections_.clear();
        complete_stop(asio::error::operation_aborted);
    }

private:
    using socket_type = accepting_socket::protocol::socket;

    struct connection {
        principal_quota::place place{}; // of `addresses_`; null: not counted
        std::unique_ptr<http_server_connection> served{};
    };
    using connection_list = std::list<connection>;

    void accept()
    {
        if (is_accepting_ || !acceptor_.is_open() || connections_.size() >= options_.max_connections)
            return;
        is_accepting_ = true;
        acceptor_.async_accept([self = shared_from_this()](error_code ec, socket_type socket) {
            self->is_accepting_ = false;
            if (self->is_closed_ || self->stops_)
                return;
            if (ec)
                return self->accept_later();
            try {
                self->serve_accepted(std::move(socket));
            } catch (...) { // no memory
                self->accept_later();
                throw;
            }
            self->accept();
        });
    }

    void serve_accepted(socket_type socket)
    {
        error_code ignored;
        auto address = accepting_socket::address_of(socket);
        if (resets_ != 0) // serve() closes the stream
            socket.set_option(asio::socket_base::linger(true, 0), ignored);
        if (port() != 0)
            socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        std::unique_ptr<byte_stream> stream = std::make_unique<socket_stream<socket_type>>(std::move(socket));
        if (options_.layer)
            stream = options_.layer->over(executor_, std::move(stream));
        serve(std::move(stream), std::move(address));
    }

    // Accepts again after a pause. The process may have no file descriptors, or the peer may have closed the
    // connection.
    void accept_later()
    {
        pause_.expires_after(std::chrono::milliseconds(100));
        pause_.async_wait([self = weak_from_this()](error_code ec) {
            if (auto const alive = self.lock(); alive && !ec)
                alive->accept();
        });
    }

    void end_accepting() noexcept
    {
        acceptor_.close();
        pause_.cancel();
    }

    void forget(connection_list::iterator at)
    {
        connections_.erase(at);
        if (stops_ && connections_.empty())
            complete_stop({});
        accept();
    }

    void complete_stop(error_code ec)
    {
        limit_.cancel();
        for (auto& done : std::exchange(stopping_, {}))
            asio::post(executor_, [done = std::move(done), ec]() mutable { done.complete(ec); });
    }

    asio::any_io_executor executor_;
    http_request_handler& handler_;
    http_listener::options options_;
    principal_quota addresses_;                     // the connections of each address
    std::shared_ptr<connection_group> const group_; // of all connections; set by the constructor; not null
    accepting_socket acceptor_;
    timer pause_;                 // runs after a failed accept, before the next one
    timer limit_;                 // runs during `async_stop`; its expiry closes the connections
    connection_list connections_; // open connections
    std::vector<pending_handler<void(error_code)>> stopping_; // handlers of `async_stop`; emptied by their completion
    std::size_t accepted_ = 0;                                // accepted connections; never reset
    std::size_t resets_ = 0; // number of the next connections that are reset; incremented by `reset_next`
    // `is_accepting_`: an accept is outstanding. `stops_`: set by `stop`. `is_closed_`: set by `close`.
    bool is_accepting_ = false, stops_ = false, is_closed_ = false;
};

LINKSPAN_DECL asio::any_io_executor const& executor_of(listener_pointer const& listener) noexcept
{
    return listener->executor();
}

LINKSPAN_DECL void stop_listener(listener_pointer const& listener, duration within,
                                 pending_handler<void(error_code)> done)
{
    listener->stop(within, std::move(done));
}

} // namespace detail

LINKSPAN_DECL http_listener::http_listener(asio::any_io_executor executor, http_request_handler& handler,
                                           options listening)
    : core_(std::make_shared<detail::http_listener_core>(std::move(executor), handler, std::move(listening)))
{}

LINKSPAN_DECL http_listener::http_listener(asio::any_io_executor executor, http_request_handler& handler)
    : http_listener(std::move(executor), handler, options())
{}

LINKSPAN_DECL http_listener::~http_listener() { close(); }

LINKSPAN_DECL void http_listener::listen(error_code& ec) { core_->listen(ec); }

LINKSPAN_DECL bool http_listener::is_listening() const noexcept { return core_->is_listening(); }

LINKSPAN_DECL std::uint16_t http_listener::port() const noexcept { return core_->port(); }

LINKSPAN_DECL void http_listener::serve(std::unique_ptr<byte_stream> stream, std::string address)
{
    core_->serve(std::move(stream), std::move(address));
}

LINKSPAN_DECL std::size_t http_listener::connections() const noexcept { return core_->connections(); }

LINKSPAN_DECL std::size_t http_listener::accepted() const noexcept { return core_->accepted(); }

LINKSPAN_DECL http_counters http_listener::counters() const noexcept
{
    auto out = core_->counters();
    out.connections = core_->connections();
    out.accepted = core_->accepted();
    return out;
}

LINKSPAN_DECL http_counters& http_listener::shared_counters() noexcept { return core_->counters(); }

LINKSPAN_DECL void http_listener::drop_connections() { core_->drop_connections(); }

LINKSPAN_DECL void http_listener::reset_next() { core_->reset_next(); }

LINKSPAN_DECL void http_listener::close() noexcept { core_->close(); }

} // namespace linkspan

#endif
