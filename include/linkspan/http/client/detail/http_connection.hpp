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

// Interface between `http_transport` and `http_core`, so that the public header does not include the HTTP parser. Each
// function implements the function of the transport with the same name, or with this name after `async_`.
class http_connection {
public:
    using done_handler = pending_handler<void(error_code)>;
    using receive_handler = pending_handler<void(error_code, std::span<inbound const>)>;

    // Validates a configuration. Throws `std::invalid_argument` if it is invalid.
    LINKSPAN_DECL static void check(http_config const& config);

    // Returns a redactor for the secrets of the configuration.
    LINKSPAN_DECL static redactor secrets(http_config const& config);

    // Creates an `http_core`. Throws `std::invalid_argument` if the configuration is invalid. Outstanding operations
    // share the ownership of the returned object.
    LINKSPAN_DECL static std::shared_ptr<http_connection> make(asio::any_io_executor executor,
                                                               http_config const& config, http_framing framing);

    virtual void open(done_handler done) = 0;
    virtual void receive(receive_handler receiver) = 0;
    virtual void send(outbound const& message) noexcept = 0;
    virtual abandon_result abandon(request_id id) noexcept = 0;
    virtual void shutdown(done_handler done) = 0;
    virtual void close() noexcept = 0;
    virtual std::size_t queued_bytes() const noexcept = 0;
    virtual std::string const& diagnostics() const noexcept = 0;
    virtual asio::any_io_executor const& get_executor() const noexcept = 0;

protected:
    ~http_connection() = default;
};

} // namespace detail
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/http_connection.ipp>
#endif

#endif
