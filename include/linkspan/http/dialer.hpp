#ifndef LINKSPAN_HTTP_DIALER_HPP
#define LINKSPAN_HTTP_DIALER_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Host and port to which a connection is made.
struct dial_target {
    std::string host;       ///< a DNS name, or an IP address without brackets
    std::uint16_t port = 0; ///< 1 to 65535
};

/// Makes connections to servers. Dialers are layered: TLS over a proxy over TCP.
///
/// Derive from this class to reach servers in another way, and set `http_config::dialer`. A dialer has no state that
/// changes, and may be shared by several transports.
///
/// \par Thread safety
/// `dial` is called on the executor of the transport that uses the dialer.
class dialer {
public:
    /// Completion handler: the error code, and the stream, which is null on error.
    using handler = detail::pending_handler<void(error_code, std::unique_ptr<byte_stream>)>;

    dialer() = default;
    dialer(dialer const&) = delete;
    dialer& operator=(dialer const&) = delete;
    virtual ~dialer() = default;

    /// Starts to connect.
    ///
    /// \param executor Executor of the stream and of all steps.
    /// \param target Host and port to connect to. A dialer may ignore them.
    /// \param done Invoked once, and never inside this function.
    /// \returns A handle of the attempt. Destroying the last copy before `done` is invoked cancels the attempt, which
    /// then completes with `operation_aborted`. After `done` was invoked, destroying the handle has no effect on the
    /// stream. The caller keeps the handle, and bounds the time of the attempt.
    virtual std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target,
                                       handler done) = 0;
};

namespace detail {

// Result of `dial`: cancels the attempt when it is destroyed.
template<class Dialing>
class dialing_lease {
public:
    explicit dialing_lease(std::shared_ptr<Dialing> dialing) : dialing_(std::move(dialing)) {}
    dialing_lease(dialing_lease const&) = delete;
    dialing_lease& operator=(dialing_lease const&) = delete;
    ~dialing_lease() { dialing_->cancel(); }

private:
    std::shared_ptr<Dialing> dialing_;
};

} // namespace detail

} // namespace linkspan

#endif
