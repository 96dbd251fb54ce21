#ifndef LINKSPAN_HTTP_SERVER_IMPL_ACCEPTING_SOCKET_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_ACCEPTING_SOCKET_IPP

#include <linkspan/http/server/detail/accepting_socket.hpp>
#include <linkspan/http/server/detail/http_remote.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/system/errc.hpp>

#include <cstring>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace accepting {

// Returns the number of a file that is a socket; 0: there is none.
inline ::ino_t socket_at(std::string const& path) noexcept
{
    struct ::stat found = {};
    return ::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode) ? found.st_ino : ::ino_t{0};
}

// Returns whether a process listens at the path.
inline bool has_listener(asio::any_io_executor const& executor, asio::local::stream_protocol::endpoint const& at)
{
    asio::local::stream_protocol::socket probe(executor);
    error_code ec;
    probe.open(at.protocol(), ec);
    if (!ec)
        probe.non_blocking(true, ec);
    if (!ec)
        probe.connect(at, ec);
    return ec != asio::error::connection_refused;
}

} // namespace accepting

// Binds and listens; `acceptor_` is open. Closes it on error.
LINKSPAN_DECL void accepting_socket::open(protocol::endpoint const& at, error_code& ec)
{
    if (!ec)
        acceptor_.bind(at, ec);
    if (!ec)
        acceptor_.listen(asio::socket_base::max_listen_connections, ec);
    if (!ec)
        return;
    error_code ignored;
    acceptor_.close(ignored);
}

LINKSPAN_DECL void accepting_socket::open_tcp(std::string const& address, std::uint16_t port, error_code& ec)
{
    using tcp = asio::ip::tcp;
    auto const ip = asio::ip::make_address(address, ec);
    tcp::endpoint const at(ip, port);
    if (!ec)
        acceptor_.open(at.protocol(), ec);
    if (!ec)
        acceptor_.set_option(tcp::acceptor::reuse_address(true), ec);
    open(at, ec);
    if (ec)
        return;
    auto const bound = acceptor_.local_endpoint(ec);
    tcp::endpoint local;
    std::memcpy(local.data(), bound.data(), bound.size());
    local.resize(bound.size());
    port_ = local.port();
}

LINKSPAN_DECL void accepting_socket::open_unix(std::string const& path, error_code& ec)
{
    if (path.size() >= sizeof(::sockaddr_un::sun_path)) {
        ec = asio::error::name_too_long;
        return;
    }
    asio::local::stream_protocol::endpoint const at(path);
    if (accepting::socket_at(path) != 0 && !accepting::has_listener(acceptor_.get_executor(), at))
        ::unlink(path.c_str());
    acceptor_.open(at.protocol(), ec);
    // The mode is set before the path exists, so that there is no time in which another user can connect.
    if (!ec && ::fchmod(acceptor_.native_handle(), S_IRUSR | S_IWUSR) != 0)
        ec.assign(errno, boost::system::system_category());
    open(at, ec);
    if (ec)
        return;
    path_ = path;
    file_ = accepting::socket_at(path);
}

LINKSPAN_DECL std::string accepting_socket::address_of(protocol::socket const& accepted)
{
    error_code ec;
    auto const remote = accepted.remote_endpoint(ec);
    asio::ip::tcp::endpoint out;
    auto const family = remote.protocol().family();
    if (ec || (family != asio::ip::tcp::v4().family() && family != asio::ip::tcp::v6().family()) ||
        remote.size() > out.capacity())
        return {};
    std::memcpy(out.data(), remote.data(), remote.size());
    out.resize(remote.size());
    return address_of_client(out.address());
}

LINKSPAN_DECL void accepting_socket::close() noexcept
{
    error_code ignored;
    acceptor_.close(ignored);
    if (!path_.empty() && accepting::socket_at(path_) == file_)
        ::unlink(path_.c_str());
    path_.clear();
}

} // namespace linkspan::detail

#endif
