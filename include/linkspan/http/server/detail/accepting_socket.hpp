#ifndef LINKSPAN_HTTP_SERVER_DETAIL_ACCEPTING_SOCKET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_ACCEPTING_SOCKET_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Server socket of TCP or of a Unix domain socket. An accept is the only asynchronous operation; `close` and the
// destructor abort it.
class accepting_socket {
public:
    using protocol = asio::generic::stream_protocol;

    explicit accepting_socket(asio::any_io_executor const& executor) : acceptor_(executor) {}
    ~accepting_socket() { close(); }

    // Opens the socket on an IP address. `port`: 0: a free port.
    LINKSPAN_DECL void open_tcp(std::string const& address, std::uint16_t port, error_code& ec);

    // Opens the socket at a path, at which only processes of the same user may connect. A socket without a listening
    // process is replaced.
    LINKSPAN_DECL void open_unix(std::string const& path, error_code& ec);

    bool is_open() const noexcept { return acceptor_.is_open(); }

    // Returns the local port; 0: the socket is not open, or is a Unix domain socket.
    std::uint16_t port() const noexcept { return is_open() ? port_ : std::uint16_t{0}; }

    // Accepts one connection.
    template<class Handler>
    void async_accept(Handler&& handler)
    {
        acceptor_.async_accept(std::forward<Handler>(handler));
    }

    // Returns the address of the client of an accepted connection, for limits; empty: not known, or a Unix domain
    // socket.
    LINKSPAN_DECL static std::string address_of(protocol::socket const& accepted);

    // Closes the socket, and removes the path of a Unix domain socket unless another socket has replaced it.
    LINKSPAN_DECL void close() noexcept;

private:
    void open(protocol::endpoint const& at, error_code& ec);

    asio::basic_socket_acceptor<protocol> acceptor_;
    std::uint16_t port_ = 0; // set by `open_tcp`
    std::string path_;       // set by `open_unix`, cleared by `close`; empty: there is none
    ::ino_t file_{};         // number of the file at `path_`; set with it
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/accepting_socket.ipp>
#endif

#endif
