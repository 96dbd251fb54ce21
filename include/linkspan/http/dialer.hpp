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

/// Makes connections to servers. Dialers are layered: for example, a dialer for TLS uses the connections of a dialer
/// for a proxy, which uses those of a dialer for TCP.
///
/// A program that reaches servers in another way derives a class from this one, and sets `http_config::dialer`. A
/// dialer has no state that changes, and may be shared by several transports.
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

    /// Makes one connection.
    ///
    /// \param executor Executor of the stream and of all steps.
    /// \param target Host and port to connect to. A dialer may ignore them.
    /// \param done Handler, which is invoked once.
    /// \returns A handle of the operation. The caller keeps the handle until `done` is invoked, and bounds the time of
    /// the operation. After `done` was invoked, the destruction of the handle has no effect on the stream.
    /// \par Completion signature
    /// `void(error_code, std::unique_ptr<byte_stream>)`. The stream is connected; null on error.
    /// \par Errors
    /// `operation_aborted`: the handle was destroyed. Other errors depend on the dialer.
    /// \par Cancellation
    /// Cancellation signals are ignored. The destruction of the last copy of the handle cancels the operation.
    /// \par Executor
    /// Call on `executor`. The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The dialer may be destroyed during the operation.
    /// \par Thread safety
    /// Concurrent calls with distinct executors: safe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    virtual std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target,
                                       handler done) = 0;
};

namespace detail {

// Handle that `dial` returns: its destructor cancels the operation.
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
