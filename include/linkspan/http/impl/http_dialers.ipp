#ifndef LINKSPAN_HTTP_IMPL_HTTP_DIALERS_IPP
#define LINKSPAN_HTTP_IMPL_HTTP_DIALERS_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/detail/proxy_dialer.hpp>
#include <linkspan/http/detail/public_address.hpp>
#include <linkspan/http/http_dialers.hpp>
#include <linkspan/transport/socket_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <chrono>
#include <fcntl.h>
#include <list>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

using asio::ip::tcp;

// Delay before the next address of a host is attempted concurrently: "Connection Attempt Delay" of RFC 8305, section 5.
inline constexpr duration connection_attempt_delay = std::chrono::milliseconds(250);

inline void close_on_exec(int descriptor) noexcept
{
    if (auto const flags = ::fcntl(descriptor, F_GETFD); flags != -1)
        ::fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
}

// One attempt to connect by TCP. Outstanding operations keep the object alive. The destructor of the handle that `dial`
// returns calls `cancel`.
//
// Invariants: `done_` is invoked exactly once, in `finish`, and is empty afterwards. A socket is not destroyed while
// its connect is outstanding.
class tcp_dialing : public std::enable_shared_from_this<tcp_dialing> {
public:
    tcp_dialing(asio::any_io_executor executor, reachable rule, dialer::handler done)
        : executor_(std::move(executor)), rule_(rule), done_(std::move(done)), resolver_(executor_), timer_(executor_)
    {}

    void start(dial_target const& target)
    {
        error_code not_an_address;
        auto const address = asio::ip::make_address(target.host, not_an_address);
        if (!not_an_address) {
            endpoints_.emplace_back(address, target.port);
            return post_handler(executor_, [self = shared_from_this()] { self->connect_all(); });
        }
        auto const flags = tcp::resolver::numeric_service;
        resolver_.async_resolve(target.host, std::to_string(target.port), flags,
                                [self = shared_from_this()](error_code ec, tcp::resolver::results_type const& found) {
                                    if (ec)
                                        return self->finish(ec);
                                    for (auto const& entry : found)
                                        self->endpoints_.push_back(entry.endpoint());
                                    self->connect_all();
                                });
    }

    void cancel()
    {
        cancelled_ = true;
        resolver_.cancel();
        if (done_)
            post_handler(executor_, [self = shared_from_this()] { self->finish(asio::error::operation_aborted); });
    }

private:
    void connect_all()
    {
        if (rule_ == reachable::public_only)
            std::erase_if(endpoints_, [](tcp::endpoint const& each) { return !is_public(each.address()); });
        if (endpoints_.empty())
            return finish(error::address_forbidden);
        connect_next();
    }

    void connect_next()
    {
        if (!done_ || next_ == endpoints_.size())
            return;
        auto const endpoint = endpoints_[next_++];
        auto const socket = sockets_.emplace(sockets_.end(), executor_);
        error_code ec;
        socket->open(endpoint.protocol(), ec);
        if (ec)
            return on_connected(socket, ec);
        close_on_exec(socket->native_handle());
        socket->set_option(tcp::no_delay(true), ec);
        socket->async_connect(
            endpoint, [self = shared_from_this(), socket](error_code failed) { self->on_connected(socket, failed); });
        if (next_ == endpoints_.size())
            return;
        timer_.expires_after(connection_attempt_delay);
        start_wait(timer_, [self = shared_from_this()](error_code cancelled) {
            if (!cancelled)
                self->connect_next();
        });
    }

    void on_connected(std::list<tcp::socket>::iterator socket, error_code ec)
    {
        if (!done_ || cancelled_)
            return;
        if (!ec) {
            connected_ = std::make_unique<socket_stream<tcp::socket>>(std::move(*socket));
            return finish({});
        }
        first_failure_ = first_failure_ ? first_failure_ : ec;
        sockets_.erase(socket);
        if (next_ != endpoints_.size())
            return connect_next();
        if (sockets_.empty())
            finish(first_failure_);
    }

    void finish(error_code ec)
    {
        if (!done_)
            return;
        timer_.cancel();
        for (auto& socket : sockets_) {
            error_code ignored;
            socket.close(ignored);
        }
        std::exchange(done_, {}).complete(ec, std::move(connected_));
    }

    asio::any_io_executor executor_;
    reachable rule_;                         // addresses that are permitted; set by the constructor
    dialer::handler done_;                   // set by the constructor, moved out by `finish`
    tcp::resolver resolver_;                 // used by `start`, cancelled by `cancel`
    timer timer_;                            // waits before the next address is attempted; cancelled by `finish`
    std::vector<tcp::endpoint> endpoints_;   // addresses of the host; set by `start` and filtered by `connect_all`
    std::size_t next_ = 0;                   // index of the next address; incremented by `connect_next`
    std::list<tcp::socket> sockets_;         // sockets with an outstanding connect; closed by `finish`
    std::unique_ptr<byte_stream> connected_; // first connected socket; moved to the handler by `finish`
    error_code first_failure_;               // error of the first socket that failed
    bool cancelled_ = false;                 // set by `cancel`; the posted `finish` completes the attempt
};

// Dialer for TCP. All state of an attempt is in its `tcp_dialing`.
class tcp_dialer final : public dialer {
public:
    explicit tcp_dialer(reachable rule) : rule_(rule) {}

    std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target, handler done) override
    {
        auto const dialing = std::make_shared<tcp_dialing>(executor, rule_, std::move(done));
        dialing->start(target);
        return std::make_shared<dialing_lease<tcp_dialing>>(dialing);
    }

private:
    reachable rule_;
};

// One attempt to connect to a Unix socket. `cancel` closes the socket, which completes the connect.
class unix_dialing : public std::enable_shared_from_this<unix_dialing> {
public:
    using protocol = asio::local::stream_protocol;

    unix_dialing(asio::any_io_executor executor, dialer::handler done) : done_(std::move(done)), socket_(executor) {}

    void start(std::string const& path)
    {
        error_code ec;
        socket_.open(protocol(), ec);
        if (ec || path.size() >= sizeof(sockaddr_un::sun_path)) {
            ec = ec ? ec : error_code(asio::error::name_too_long);
            return post_handler(socket_.get_executor(), [self = shared_from_this(), ec] { self->finish(ec); });
        }
        close_on_exec(socket_.native_handle());
        socket_.async_connect(protocol::endpoint(path),
                              [self = shared_from_this()](error_code failed) { self->finish(failed); });
    }

    void cancel()
    {
        if (!done_)
            return;
        error_code ignored;
        socket_.close(ignored);
    }

private:
    void finish(error_code ec)
    {
        std::unique_ptr<byte_stream> connected;
        if (!ec && socket_.is_open())
            connected = std::make_unique<socket_stream<protocol::socket>>(std::move(socket_));
        else if (!ec)
            ec = asio::error::operation_aborted;
        std::exchange(done_, {}).complete(ec, std::move(connected));
    }

    dialer::handler done_;    // set by the constructor, moved out by `finish`
    protocol::socket socket_; // opened by `start`, moved to the handler by `finish`, closed by `cancel`
};

// Dialer for the Unix socket at a path. Ignores the target of `dial`.
class unix_dialer final : public dialer {
public:
    explicit unix_dialer(std::string path) : path_(std::move(path)) {}

    std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const&, handler done) override
    {
        auto const dialing = std::make_shared<unix_dialing>(executor, std::move(done));
        dialing->start(path_);
        return std::make_shared<dialing_lease<unix_dialing>>(dialing);
    }

private:
    std::string path_;
};

} // namespace detail

LINKSPAN_DECL bool bypasses_proxy(std::string_view list, std::string_view host) noexcept
{
    while (!list.empty()) {
        auto const comma = list.find(',');
        auto name = list.substr(0, comma);
        list = comma == list.npos ? std::string_view() : list.substr(comma + 1);
        while (!name.empty() && name.front() == ' ')
            name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ')
            name.remove_suffix(1);
        if (name == "*")
            return true;
        if (name.starts_with('.'))
            name.remove_prefix(1);
        if (name.empty() || host.size() < name.size())
            continue;
        auto const tail = host.substr(host.size() - name.size());
        bool const is_whole = tail.size() == host.size() || host[host.size() - name.size() - 1] == '.';
        if (is_whole && detail::equal_ignoring_case(tail, name))
            return true;
    }
    return false;
}

LINKSPAN_DECL bool is_public_address(std::string_view address) noexcept
{
    error_code ec;
    auto const read = asio::ip::make_address(address, ec);
    return !ec && detail::is_public(read);
}

LINKSPAN_DECL std::shared_ptr<dialer> make_tcp_dialer(reachable rule)
{
    return std::make_shared<detail::tcp_dialer>(rule);
}

LINKSPAN_DECL std::shared_ptr<dialer> make_unix_dialer(std::string path)
{
    return std::make_shared<detail::unix_dialer>(std::move(path));
}

LINKSPAN_DECL std::shared_ptr<dialer> make_proxy_dialer(std::shared_ptr<dialer> below, http_url proxy)
{
    return std::make_shared<detail::proxy_dialer>(std::move(below), std::move(proxy));
}

LINKSPAN_DECL std::shared_ptr<dialer> make_dialer(http_config const& config, http_url const& to)
{
    auto made = config.dialer                 ? config.dialer
                : !config.unix_socket.empty() ? make_unix_dialer(config.unix_socket)
                                              : make_tcp_dialer(config.reach);
    if (!config.proxy.empty() && !bypasses_proxy(config.no_proxy, to.host))
        if (auto proxy = read_http_url(config.proxy))
            made = make_proxy_dialer(std::move(made), *std::move(proxy));
    return to.is_secure && config.tls ? config.tls->over(std::move(made), config.on_certificate) : made;
}

} // namespace linkspan

#endif
