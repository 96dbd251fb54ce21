#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CONNECTION_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_HTTP_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace linkspan {

namespace detail {

class http_core;

// The transport behind `http_transport`, as its header may know it: nothing of it says how HTTP is spoken.
class http_connection {
public:
    using done_handler = pending_handler<void(error_code)>;
    using receive_handler = pending_handler<void(error_code, std::span<inbound const>)>;

    // Throws `std::invalid_argument` for a configuration that cannot work.
    LINKSPAN_DECL static void check(http_config const& config);

    LINKSPAN_DECL static redactor secrets(http_config const& config);

    LINKSPAN_DECL http_connection(asio::any_io_executor executor, http_config const& config, http_framing framing);

    LINKSPAN_DECL void open(done_handler done);
    LINKSPAN_DECL void receive(receive_handler receiver);
    LINKSPAN_DECL void send(outbound const& message) noexcept;
    LINKSPAN_DECL abandon_result abandon(request_id id) noexcept;
    LINKSPAN_DECL void shutdown(done_handler done);
    LINKSPAN_DECL void close() noexcept;
    LINKSPAN_DECL std::size_t queued_bytes() const noexcept;
    LINKSPAN_DECL std::string diagnostics() const;
    asio::any_io_executor const& executor() const noexcept { return executor_; }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<http_core> core_;
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_connection.ipp>
#endif

#endif
