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

namespace linkspan {

/// Who is to be reached.
struct dial_target {
    std::string host;       ///< a name, or an address without brackets
    std::uint16_t port = 0; ///< 1 to 65535
};

/// Makes connections. One stands on another: TLS on a proxy on TCP.
///
/// Thread safety: none needed of one that is used by one executor; it has no state that changes.
class dialer {
public:
    using handler = detail::pending_handler<void(error_code, std::unique_ptr<byte_stream>)>;

    dialer() = default;
    dialer(dialer const&) = delete;
    dialer& operator=(dialer const&) = delete;
    virtual ~dialer() = default;

    /// Begins to connect, and completes `done` later, once. To let go of what is returned ends the attempt, with
    /// `operation_aborted`; its caller sets the time limit.
    virtual std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target,
                                       handler done) = 0;
};

namespace detail {

// What `dial` returns: whoever lets go of it ends the attempt.
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
