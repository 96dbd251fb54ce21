#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVER_CONNECTION_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVER_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

struct http_server_field {
    std::string name, value;
};

/// A request, as a server reads it.
struct http_server_request {
    std::string method, target;
    std::vector<http_server_field> fields; ///< in the order in which they came
    std::string body;

    /// The value of the first field of that name, in whatever case; empty when there is none.
    LINKSPAN_DECL std::string_view header(std::string_view name) const noexcept;
};

/// One event of a stream of server-sent events. Empty parts are left out; an event without data still says where to
/// resume.
struct http_server_event {
    std::string_view data{}; ///< its lines get fields of their own
    std::string_view id{};
    std::string_view type{};
    std::optional<std::chrono::milliseconds> retry{};
    bool primes = false; ///< has a field for its data although there is none
};

struct http_server_limits {
    std::size_t head = std::size_t{64} << 10;          ///< bytes
    std::size_t body = std::size_t{16} << 20;          ///< bytes
    std::size_t queued = std::size_t{64} << 20;        ///< bytes that the peer has not taken, and more may be written
    duration idle = std::chrono::seconds(60);          ///< between two requests
    duration head_time = std::chrono::seconds(10);     ///< from its first byte to its end
    duration body_time = std::chrono::seconds(30);     ///< from the end of the head to that of the body
    duration write_time = std::chrono::seconds(30);    ///< for the peer to take 64 KiB
    duration comment_every = std::chrono::seconds(15); ///< of a stream that is silent; zero: never
};

namespace detail {

class http_server_core;

} // namespace detail

/// A request that is being answered: by `answer`, or by a stream that begins, has events, and ends.
///
/// A handle: it may be copied and kept, and does nothing once the exchange is over or its connection gone.
/// Thread safety: none; used on the executor of its connection.
class http_exchange {
public:
    using fields_type = std::vector<http_server_field>;

    http_exchange() = default;

    /// It is over, by an end or because the connection is.
    LINKSPAN_DECL bool is_over() const noexcept;

    /// Something of an answer was written, beside one that announces it.
    LINKSPAN_DECL bool has_begun() const noexcept;

    /// Announces an answer: status 1xx.
    LINKSPAN_DECL void announce(int status, fields_type const& fields = {});

    /// A whole answer. A body is JSON unless `fields` say otherwise.
    LINKSPAN_DECL void answer(int status, fields_type const& fields = {}, std::string_view body = {});

    /// @name A stream of server-sent events
    /// @{
    LINKSPAN_DECL void begin_stream(fields_type const& fields = {});
    LINKSPAN_DECL void event(http_server_event const& what);
    LINKSPAN_DECL void comment(std::string_view text);
    LINKSPAN_DECL void text(std::string_view bytes); ///< any part of the stream
    LINKSPAN_DECL void end();
    /// @}

    /// Any bytes, in place of an answer or in the midst of one; followed by `end` or `cut`.
    LINKSPAN_DECL void raw(std::string_view bytes);

    /// Ends the connection when what was written before has left.
    LINKSPAN_DECL void cut();

    /// Calls `told`, once, when the peer closes before the exchange is over: what is withdrawn that way.
    LINKSPAN_DECL void on_gone(std::function<void()> told);

private:
    friend class detail::http_server_core;

    http_exchange(std::weak_ptr<detail::http_server_core> core, std::uint64_t number)
        : core_(std::move(core)), number_(number)
    {}

    std::shared_ptr<detail::http_server_core> current() const noexcept;

    std::weak_ptr<detail::http_server_core> core_;
    std::uint64_t number_ = 0;
};

/// Gets the requests of one connection or of many.
class http_request_handler {
public:
    /// A whole request, which may be answered at any time.
    virtual void on_request(http_server_request&& what, http_exchange with) = 0;

protected:
    ~http_request_handler() = default;
};

/// The server's side of one connection of HTTP/1.1: reads requests one after another, and writes their answers.
///
/// What is no HTTP, too large or too slow is refused with 400, 413, 431 or 408, and the connection closed.
///
/// Lifetime: `handler` outlives it. It may be destroyed at any time, within a handler too, and closes then.
/// Specification: RFC 9112; HTML, "Server-sent events".
/// Thread safety: none; all handlers run on `executor`.
class http_server_connection {
public:
    /// Reads at once. `on_end` is called, once, when the connection has ended in another way than by `close` and the
    /// destructor; it may destroy this.
    LINKSPAN_DECL http_server_connection(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream,
                                         http_request_handler& handler, http_server_limits const& limits = {},
                                         std::function<void()> on_end = {});
    http_server_connection(http_server_connection const&) = delete;
    http_server_connection& operator=(http_server_connection const&) = delete;
    LINKSPAN_DECL ~http_server_connection();

    /// Ends when the exchange that is under way is over; at once without one.
    LINKSPAN_DECL void stop();

    /// As when the peer had closed.
    LINKSPAN_DECL void lose();

    /// At once; nobody is told. Idempotent.
    LINKSPAN_DECL void close() noexcept;

private:
    std::shared_ptr<detail::http_server_core> core_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_server_connection.ipp>
#endif

#endif
