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

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

class http_core;

// Implementation of `http_transport`. Hides `http_core`, so that the public header does not include the parser of HTTP.
class http_connection {
public:
    using done_handler = pending_handler<void(error_code)>;
    using receive_handler = pending_handler<void(error_code, std::span<inbound const>)>;

    // Throws `std::invalid_argument` if the configuration is invalid.
    LINKSPAN_DECL static void check(http_config const& config);

    // Returns a redactor for the secrets of the configuration.
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
    asio::any_io_executor const& get_executor() const noexcept { return executor_; }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<http_core> core_; // kept alive by outstanding operations, too
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_connection.ipp>
#endif

#endif
