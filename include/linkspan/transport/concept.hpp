#ifndef LINKSPAN_TRANSPORT_CONCEPT_HPP
#define LINKSPAN_TRANSPORT_CONCEPT_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/header_value.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace linkspan {

namespace asio = boost::asio;

/// A message on its way to the peer. Views borrow: `send` takes what it needs before it returns.
struct outbound {
    std::string_view bytes;                  ///< one JSON-RPC message on one line, without a line end
    request_id id = 0;                       ///< of a request of ours; 0 for notifications and responses
    std::string_view method;                 ///< empty for responses
    std::string_view name;                   ///< of the tool, prompt or resource; empty: none
    std::optional<protocol_version> version; ///< what it is written in; empty on `initialize` only
    std::span<header_value const> mirrored;  ///< arguments that a stateless HTTP server wants as headers
    std::uint64_t stream = 0;                ///< for servers: the exchange that a message belongs to
};

/// A message from the peer.
struct inbound_message {
    std::string_view bytes;
    std::uint64_t stream = 0;                   ///< for servers: where an answer must go
    request_id exchange = 0;                    ///< HTTP: the request whose exchange brought it
    certainty at_most = certainty::completed;   ///< what the carrier's status allows
    std::shared_ptr<void const> const* owner{}; ///< of a large message: keep a copy to keep `bytes` without one
};

/// The fate of a message, where it is known without an answer from the peer.
struct inbound_report {
    request_id id = 0; ///< 0: about the connection
    linkspan::certainty certainty = linkspan::certainty::unknown;
    error_code ec;
    era_evidence era = era_evidence::none;
    std::optional<duration> retry_after;
    std::string_view challenge;   ///< of a 401
    std::string_view first_bytes; ///< of a body that is no message
};

/// Something that is neither a message nor the fate of one.
struct inbound_notice {
    enum class kind {
        unexpected_output, ///< the peer wrote something that is no message; `text` is its beginning
        interrupted, ///< the response to the request `id` broke off, and the server refused the connection that was to
                     ///< bring the rest; `text` says so for people. The transport keeps trying until `abandon`
        continued,   ///< the rest of that response is on its way after all
    };

    kind what;
    std::string_view text;
    request_id id = 0; ///< of `interrupted` and `continued`
    error_code ec{};   ///< why the connection was refused
};

using inbound = std::variant<inbound_message, inbound_report, inbound_notice>;

/// What became of a request that was withdrawn.
enum class abandon_result {
    not_sent,          ///< the request was removed from the queue before it was sent
    peer_notified,     ///< the peer knows, because the stream of the request was closed
    peer_not_notified, ///< the caller must send `notifications/cancelled`
};

/// Says `using role = transport_role;` in a transport.
struct transport_role {};

namespace detail {

// Has a body although it is never called: g++ 12 instantiates the operations of a transport when it checks the concept,
// and with -O2 refers to this function from them.
struct any_token {
    template<class... Args>
    void operator()(Args&&...) const
    {}
};

} // namespace detail

/// Moves messages to one server and back. One object is one connection, which is opened once.
///
///     T(any_io_executor, config_type const&)   opens nothing yet
///     async_open(token)      void(error_code)
///     send(outbound const&)  noexcept; takes the bytes before it returns. A failure arrives as a report: never twice,
///                            never not at all
///     async_receive(token)   void(error_code, span<inbound const>); one at a time; all that one read brought, valid
///                            until the next call, also across `close`. An error is the end
///     abandon(request_id)    noexcept; the transport drops the exchange
///     async_shutdown(token)  void(error_code); graceful, and bounded in time
///     close()                noexcept; at once; idempotent; the destructor calls it. A receive that is out completes
///                            once, later, and its owner keeps it alive
///     queued_bytes()         accepted by `send` and not written yet
///     diagnostics()          optional; text for people about how the connection failed or ended
///     exited_cleanly()           optional; after the end: the peer ended by itself, and says that nothing was wrong
///     pid()                  optional; `std::optional<std::int64_t>`: the id of the child process behind it
///     supports(protocol version)     optional; without it, every protocol version
///     T::secrets(config)     optional; a `redactor` of what must not be shown of it
///     T::name_server(config, name)  optional; called with the name that a connector gives the server
///     T::check(config)       optional; throws `std::invalid_argument` for a configuration that cannot work
///     mirrors_arguments      optional, `static constexpr bool`: in a stateless protocol version it wants `outbound::mirrored`
///
/// `kind` names it in reports. `silence_is_legacy`: no answer to the probe means an older server (stdio), not a
/// failure (HTTP). Handlers are called on their own executors, and never from within the function that starts them.
// clang-format 16 makes three lines of each compound requirement.
// clang-format off
template<class T>
concept Transport = requires(T& transport, T const& unchanged, outbound const& message, request_id id,
                             asio::any_io_executor executor, typename T::config_type const& config) {
    requires std::same_as<typename T::role, transport_role>;
    { T::kind } -> std::convertible_to<std::string_view>;
    { T::silence_is_legacy } -> std::convertible_to<bool>;
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
