#ifndef LINKSPAN_TRANSPORT_CONCEPT_HPP
#define LINKSPAN_TRANSPORT_CONCEPT_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/message_kind.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI {

/// A message to be sent to the peer.
///
/// A producer fills in the members that apply to the kind of message; transports over lines use `bytes` and `id` only,
/// transports over HTTP derive headers from the others.
///
/// \par Lifetime
/// All views refer to memory of the caller and must be valid until `send` returns. `send` copies the data that is
/// needed later.
struct outbound {
    /// Text of one JSON-RPC message. A transport over lines replaces CR and LF in the text by spaces and appends the
    /// line end, so the text needs no line end of its own.
    std::string_view bytes;

    /// Id of the request; 0 for notifications and responses, whose delivery is not reported. Default: 0.
    request_id id = 0;
    /// Kind of the message; used by clients only. Default: `message_kind::request`.
    message_kind kind = message_kind::request;
    /// JSON-RPC method of a request or notification; empty for responses.
    std::string_view method;

    /// Name of the tool or prompt, or URI of the resource, that the request refers to; empty: the method has no such
    /// parameter.
    std::string_view name;

    /// Protocol version in which the message is written; empty only for `initialize`, because no version is agreed
    /// before its response.
    std::optional<protocol_version> version;

    /// Headers with the values of arguments that the tool annotates with `x-mcp-header`. Empty unless the transport
    /// declares `mirrors_arguments` and the protocol version is stateless.
    std::span<header_value const> mirrored;

    /// Identifier of the exchange in which the message is sent, as given by `inbound_message::stream`; used by servers
    /// only. Default: 0, which means no particular exchange.
    std::uint64_t stream = 0;
};

/// A message that the peer sent.
struct inbound_message {
    /// Text of one JSON-RPC message, or of a JSON array of messages. Valid until the next `async_receive` is initiated,
    /// or for as long as a copy of `*owner` exists.
    std::string_view bytes;

    /// Identifier of the exchange that delivered the message, to be repeated in `outbound::stream` of the response;
    /// used by servers only. Default: 0, which means no particular exchange.
    std::uint64_t stream = 0;

    /// Id of the request whose HTTP exchange delivered the message, for error responses with `"id":null`. Default: 0,
    /// which means that the id is not known, or that the transport does not use HTTP.
    request_id exchange = 0;

    /// Upper bound of the certainty that the session derives from a response in `bytes`; depends on the HTTP status.
    /// Default: `certainty::completed`, which is no restriction.
    certainty max_certainty = certainty::completed;

    /// Owner of the memory behind `bytes` of a large message. A receiver that copies the pointed-to `shared_ptr` may
    /// keep `bytes` without copying the text. Null: the text must be copied. The pointer itself is valid until the next
    /// `async_receive` is initiated.
    std::shared_ptr<void const> const* owner{};

    /// Structure of the message, with views of `bytes`, so that the receiver does not read the text again. Valid until
    /// the next `async_receive` is initiated. Null: the transport has not read the text.
    envelope const* structure{};

    /// Structures of the elements of a JSON-RPC batch, in their order, with the lifetime of `structure`. The receiver
    /// reads further elements itself. Empty: the message is no array, or the transport has not read the elements.
    std::span<envelope const> elements{};
};

/// Failure to deliver a message or to receive its JSON-RPC response, reported by the transport.
///
/// A transport makes at most one report for each request that `send` accepted.
struct inbound_report {
    /// Id of the request, as in `outbound::id`; 0: the report is about the connection.
    request_id id = 0;
    /// Knowledge about the execution of the request. Default: `certainty::unknown`.
    linkspan::certainty certainty = linkspan::certainty::unknown;
    /// Reason of the failure.
    error_code ec;
    /// Era of the server as far as the HTTP response reveals it. Default: `era_evidence::none`.
    era_evidence era = era_evidence::none;
    /// Pause that the server requests with the header `Retry-After`; empty: none was requested.
    std::optional<duration> retry_after;
    /// Value of the header `WWW-Authenticate` of a 401 or 403 response; empty: none was received.
    std::string_view challenge;
    /// Beginning of a response body that is no JSON-RPC message, for diagnostics; empty: no body.
    std::string_view first_bytes;
};

/// An event of the transport that is neither a message nor a delivery failure.
struct inbound_notice {
    /// Kinds of notices.
    enum class kind {
        /// The peer wrote a line that is no JSON-RPC message; `text` is the line or its beginning.
        unexpected_output,

        /// The response stream of request `id` was interrupted, and the connection by which the transport attempted to
        /// resume the stream failed. `text` describes the failure, `ec` is its code. The transport continues its
        /// attempts to resume, within the limit of its configuration, until `abandon(id)` is called. If the last
        /// attempt fails, an `inbound_report` follows.
        interrupted,

        /// The transport resumed the interrupted response stream of request `id`.
        continued,
    };

    /// Kind of the notice.
    kind what;
    /// Text for diagnostics; empty if the kind has none.
    std::string_view text;
    /// Id of the request, for `interrupted` and `continued`; else 0.
    request_id id = 0;
    /// Failure of the connection, for `interrupted`; else no error.
    error_code ec{};
};

/// One element of the batch with which `async_receive` completes.
using inbound = std::variant<inbound_message, inbound_report, inbound_notice>;

/// Result of `abandon`: the effect of cancelling a request on the connection.
enum class abandon_result {
    /// The request was removed from the queue before any of its bytes was written. The server does not receive the
    /// request.
    not_sent,

    /// The transport closed the stream of the request, which is the cancellation signal of the protocol. No further
    /// message is required.
    peer_notified,

    /// The writing of the request has begun, or the transport does not know the request. The caller must send
    /// `notifications/cancelled`.
    peer_not_notified,
};

/// Tag type. A transport declares `using role = transport_role;`.
struct transport_role {};

namespace detail {

// Completion token of the requirements below. An operation that receives the token starts nothing, so that a check of
// the concept instantiates no handlers. The operator has a body although it is never called: g++ 12 instantiates the
// operations of a transport when it checks the concept, and with -O2 refers to this function from them.
struct any_token {
    template<class... Args>
    void operator()(Args&&...) const
    {}
};

} // namespace detail
} // namespace linkspan

template<class Signature>
class boost::asio::async_result<linkspan::detail::any_token, Signature> {
public:
    template<class Initiation, class... Args>
    static void initiate(Initiation&&, linkspan::detail::any_token, Args&&...)
    {}
};

namespace linkspan::inline LINKSPAN_ABI {

/// A connection to one server that sends and receives JSON-RPC messages.
///
/// One object represents one connection, which is opened at most once; a new connection needs a new object. A
/// `transport_factory` creates the objects. `any_transport` erases the type.
///
/// \par Types and constants
/// - `T::role`: the same type as `transport_role`.
/// - `T::config_type`: configuration of the connection.
/// - `T::kind`: name of the transport in reports, such as "stdio".
/// - `T::handshake_on_no_response`: true if a probe without a response, or the end of the connection during the probe,
///   indicates a server of the era `handshake` (stdio); false if it is a failure (HTTP).
/// - `T::mirrors_arguments`: optional, `static constexpr bool`. True if the transport sends `outbound::mirrored` as
///   headers in stateless protocol versions. Absent: false.
///
/// \par Required operations
/// - `T(executor, config)`: constructs a transport that is not open. Starts no process and no connection.
/// - `async_open(token)`: opens the connection. Signature `void(error_code)`. Called once, before any other operation.
/// - `send(outbound const&)`: queues a message. `noexcept`; copies the bytes before it returns. If a message with `id
///   != 0` cannot be delivered, exactly one `inbound_report` with that id follows.
/// - `async_receive(token)`: waits for the next batch of messages, reports and notices. Signature `void(error_code,
///   std::span<inbound const>)`. At most one receive may be outstanding. The batch contains all messages of one read.
///   The batch is valid until the next `async_receive` is initiated, also after `close`. An error is final: no message
///   follows, and each later receive completes with an error, or delivers reports of requests that were not sent.
/// - `abandon(id)`: cancels the request `id` on the connection. `noexcept`; returns an `abandon_result`.
/// - `async_shutdown(token)`: closes the connection gracefully. Signature `void(error_code)`. Completes within a time
///   that the transport bounds.
/// - `close()`: closes the connection immediately. `noexcept` and idempotent; the destructor calls it. An outstanding
///   receive completes exactly once, after `close` has returned. The code that initiated the receive keeps the objects
///   that the handler uses alive until then.
/// - `get_executor()`: returns the executor of the connection.
/// - `queued_bytes()`: returns the number of bytes that `send` accepted and that are not written yet.
///
/// \par Optional operations
/// - `diagnostics()`: returns text that describes why the connection failed or how it ended.
/// - `exited_cleanly()`: returns true if the peer has terminated and reported success, such as a child process with
///   exit code 0.
/// - `pid()`: returns `std::optional<std::int64_t>`, the process id of the child process; empty: none.
/// - `supports(protocol_version)`: returns whether the transport can carry that protocol version. Absent: every
///   version.
/// - `output()`: returns a `text_buffer*`, the memory to which `send` would copy a message; null: the connection
///   accepts none. The caller may write one message to the memory that `prepare` of the buffer returns, with one byte
///   of room after it, and pass it to the next `send`, which does not copy it. The caller must not call `commit`. The
///   memory is valid until the next `send`. A class that forwards both functions to another transport must therefore
///   forward this message before any other message. `noexcept`.
/// - `send_bytes(std::string_view)`: writes bytes after the messages that were sent before, without a line end and
///   without changes. Servers of tests use it for invalid messages. `noexcept`.
/// - `T::secrets(config)`: returns a `redactor` for the secrets of the configuration.
/// - `T::name_server(config, name)`: receives the name under which a connector adds the server.
/// - `T::check(config)`: throws `std::invalid_argument` if the configuration cannot be valid.
///
/// \par Executor
/// All functions must be called on the executor of the connection. A handler runs on its associated executor, never
/// inside the function that initiates its operation.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
// clang-format 16 makes three lines of each compound requirement.
// clang-format off
template<class T>
concept Transport = requires(T& transport, T const& unchanged, outbound const& message, request_id id,
                             asio::any_io_executor executor, typename T::config_type const& config) {
    requires std::same_as<typename T::role, transport_role>;
    { T::kind } -> std::convertible_to<std::string_view>;
    { T::handshake_on_no_response } -> std::convertible_to<bool>;
    T(executor, config);
    transport.async_open(detail::any_token());
    { transport.send(message) } noexcept;
    transport.async_receive(detail::any_token());
    { transport.abandon(id) } noexcept -> std::same_as<abandon_result>;
    transport.async_shutdown(detail::any_token());
    { transport.close() } noexcept;
    { unchanged.get_executor() } -> std::convertible_to<asio::any_io_executor>;
    { unchanged.queued_bytes() } -> std::convertible_to<std::size_t>;
};
// clang-format on

} // namespace linkspan

#endif
