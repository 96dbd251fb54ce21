#ifndef LINKSPAN_HTTP_SERVER_HTTP_SERVICE_HPP
#define LINKSPAN_HTTP_SERVER_HTTP_SERVICE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/server/detail/http_peer.hpp>
#include <linkspan/http/server/detail/http_remote.hpp>
#include <linkspan/http/server/detail/http_sessions.hpp>
#include <linkspan/http/server/detail/pending_authentication.hpp>
#include <linkspan/http/server/detail/request_quota.hpp>
#include <linkspan/http/server/http_counters.hpp>
#include <linkspan/http/server/http_listener.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/http_service_options.hpp>
#include <linkspan/http/server/http_serving.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/protocol/principal_quota.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A client of an `http_service`. HTTP does not identify clients; therefore the service distinguishes them as follows:
/// each session, and each event stream of HTTP+SSE, is one client; without a session, each `initialize` is one client,
/// and all other requests of one handshake protocol version and one account (see `account`) are one client; each
/// stateless request is one client. When the request has a response, the client may be used again for a later stateless
/// request of the same principal, or of an anonymous client of the same address
/// (`http_service_backend::reuses_clients`).
struct http_client {
    any_transport transport; ///< open transport to the client
    std::string principal;   ///< identity of the client; empty: anonymous
    /// Name under which the client is limited (`client_account`): the principal, or the remote IP address of an
    /// anonymous client, where IPv6 addresses with the same 64-bit prefix count as one address; empty: there is no
    /// address, as for a Unix domain socket. The account of a session is that of its first request.
    std::string account;
    std::optional<protocol_version> version; ///< the only protocol version of the client; empty: not known yet
    /// Returns the HTTP exchange of a stream, which is identified by `inbound_message::stream`; null: the exchange is
    /// complete.
    std::function<http_exchange*(std::uint64_t stream)> exchange_of;
    /// Returns the additional header fields of the response on a stream, such as `Mcp-Session-Id` of `initialize`.
    std::function<http_exchange::fields_type(std::uint64_t stream)> fields_of;
    /// Ends the HTTP exchange of a stream that the client can resume, so that the client receives the response on the
    /// resumed stream. Has no effect on other streams.
    std::function<void(std::uint64_t stream)> end_exchange;
    /// Returns the number of bytes of a stream that the client has not read, as far as known.
    std::function<std::size_t(std::uint64_t stream)> unread_bytes;
    /// Method of the first message of a client without a session, valid during `on_client`; empty: not known.
    std::string_view method{};
};

/// The MCP server behind an `http_service`.
class http_service_backend {
public:
    /// Returns the protocol versions that the server supports. Called for each request.
    virtual std::vector<protocol_version> const& protocol_versions() const = 0;

    /// Returns the mirrored arguments of a tool; null: the tool does not exist. Valid until the next call.
    virtual mirrored_arguments const* mirrored(std::string_view tool) = 0;

    /// Called for each new client, before its first message. Returns whether the server serves the client; otherwise
    /// its request is refused with status 503.
    virtual bool on_client(http_client client) = 0;

    /// Returns whether a client whose stateless request has a response is used for later requests of the same
    /// principal, or of anonymous clients of the same address. Otherwise each stateless request is a new client. Called
    /// for each stateless request.
    virtual bool reuses_clients() const noexcept = 0;

    /// Called for each request before its authentication, except for preflight requests of permitted origins. Returns
    /// true if the function sends the response, or passes the request to `http_service::handle` later.
    virtual bool intercept(http_server_request const& request, http_exchange exchange) = 0;

    /// Called if `http_service_options::authenticate` has thrown an exception or has passed no result in time, with a
    /// text that describes the defect. Does nothing by default.
    virtual void on_authentication_defect(std::string_view text) { static_cast<void>(text); }

protected:
    ~http_service_backend() = default;
};

/// Serves an MCP server over HTTP: Streamable HTTP of 2025-03-26 to 2026-07-28, and HTTP+SSE of 2024-11-05.
///
/// Validates requests, distinguishes clients, and represents each client as a transport. Programs use the class through
/// `http_endpoint`, and tests through `linkspan::test::http_server`.
///
/// \par Executor
/// All functions run on the executor that was passed to the constructor.
/// \par Lifetime
/// The backend must outlive the object. The destructor closes all connections.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2026-07-28 and 2025-11-25, basic/transports, "Streamable HTTP"; 2024-11-05, basic/transports, "HTTP with SSE".
//
// Invariants: a peer is in exactly one of `peers_` and `ended_` until its destruction. After forget(), the server owns
// the peer until the server has received the end of the transport. `sessions_`, `without_session_` and `idle_` refer to
// peers in `peers_`.
class http_service final : private detail::http_peer::owner, private http_request_handler {
public:
    /// Creates a service that does not listen yet.
    LINKSPAN_DECL http_service(asio::any_io_executor executor, http_service_backend& backend,
                               http_service_options options);
    http_service(http_service const&) = delete;
    http_service& operator=(http_service const&) = delete;
    /// Closes all connections.
    LINKSPAN_DECL ~http_service();

    /// Starts to listen, and returns the URL of the server.
    ///
    /// The URL of a Unix domain socket is `unix:` with the path of the socket, and with `?path=` and the path of the
    /// endpoint if that is not `/mcp`. If the service listens already, the function only returns the URL.
    ///
    /// \throws boost::system::system_error if the port or the socket cannot be opened.
    LINKSPAN_DECL std::string url();

    /// Handles a request for which `http_service_backend::intercept` has returned true, and which has no response yet:
    /// authenticates the client, and passes the message to the server. Has no effect if the exchange is over.
    LINKSPAN_DECL void handle(http_server_request const& request, http_exchange exchange);

    /// Returns the listener of the service.
    http_listener& listener() noexcept { return listener_; }
    /// Returns the listener of the service.
    http_listener const& listener() const noexcept { return listener_; }

    /// Returns the number of sessions.
    LINKSPAN_DECL std::size_t sessions() const noexcept;

    /// Returns the counters of the service and of its listener.
    LINKSPAN_DECL http_counters counters() const noexcept;

    /// Ends all sessions, so that their ids are refused with status 404.
    LINKSPAN_DECL void discard_sessions();

private:
    using kind = detail::http_peer::kind;
    using peer_pointer = std::shared_ptr<detail::http_peer>;
    using authentication_pointer = std::shared_ptr<detail::pending_authentication>;

    LINKSPAN_DECL void forget(detail::http_peer& peer) noexcept override;
    LINKSPAN_DECL void release(detail::http_peer& peer) noexcept override;
    void on_close_delayed() noexcept override { has_delayed_close_ = true; }
    LINKSPAN_DECL void discard_old_events() noexcept override;
    LINKSPAN_DECL void on_request(http_server_request const& request, http_exchange exchange) override;
    LINKSPAN_DECL void on_stop() override;

    // Removes the destroyed peers from `ended_`, posts delayed closes, forgets peers without a session whose exchange
    // has ended, and ends idle sessions.
    LINKSPAN_DECL void sweep();

    // Posts the calls of http_peer::close() for which the memory was not sufficient.
    LINKSPAN_DECL void post_delayed_closes();

    // Returns whether the timer of the search for idle clients is needed: while there are sessions or clients of
    // handshake versions without a session, until the listener stops.
    LINKSPAN_DECL bool needs_search() const noexcept;

    // Arms the timer of the next search for idle clients, if it is needed.
    LINKSPAN_DECL void arm_search() noexcept;

    // Cancels the timer, which would otherwise keep the event loop running.
    LINKSPAN_DECL void disarm_search();
    LINKSPAN_DECL void on_search();

    // Moves peers with single requests whose exchange has ended without a response to `ended_`.
    LINKSPAN_DECL void forget_single_peers();
    // Returns the validator, for the current port and protocol versions.
    LINKSPAN_DECL http_serving& serving();
    LINKSPAN_DECL void admit(http_server_request const& what, http_exchange& with);
    LINKSPAN_DECL void wait_for_admission(authentication_pointer const& current);
    // Event: the function that authenticates has passed no result in time.
    LINKSPAN_DECL void refuse_unauthenticated(authentication_pointer const& late);
    // Adds the header fields for pages of other origins. Returns true if the request was a preflight request, which has
    // a response.
    LINKSPAN_DECL bool serve_other_origin(http_server_request const& what, http_exchange& with);
    LINKSPAN_DECL void finish_admission(http_server_request const& what, http_exchange& with,
                                        http_admission const& admission);
    LINKSPAN_DECL void serve(http_server_request const& what, http_exchange& with, std::string const& principal);

    // Refuses a request, and counts it by its status.
    LINKSPAN_DECL void refuse(http_exchange& with, int status, http_exchange::fields_type const& fields = {},
                              std::string_view body = {});

    // Refuses a request with status 429, because its principal or address has too many outstanding requests.
    void refuse_excess(http_exchange& with) { refuse(with, 429, {{"Retry-After", "1"}}); }
    LINKSPAN_DECL bool serve_metadata(http_server_request const& what, http_exchange& with) const;
    LINKSPAN_DECL void serve_streamable(http_server_request const& what, http_exchange& with,
                                        detail::http_remote& from);
    LINKSPAN_DECL void serve_sse(http_server_request const& what, http_exchange& with, detail::http_remote const& from);
    // Passes a message of a client to the server. `peer`: the client; null: the message is refused with status 503.
    LINKSPAN_DECL void take(peer_pointer const& peer, std::string_view body, envelope const& message,
                            http_exchange& with);

    // Passes each message of the batch separately; all responses are sent on one stream.
    LINKSPAN_DECL void take_batch(peer_pointer const& peer, std::string_view body, http_exchange& with);
    LINKSPAN_DECL std::string make_id() const;
    LINKSPAN_DECL peer_pointer peer_of(http_serving::verdict const& found, detail::http_remote const& from);
    LINKSPAN_DECL bool forget_oldest_without_session();
    LINKSPAN_DECL peer_pointer stateless_peer(detail::http_remote const& from, std::string_view method);
    // Sets the principal and the account of the current request of a connection.
    LINKSPAN_DECL void identify(detail::http_remote& remote, std::string const& principal);
    LINKSPAN_DECL peer_pointer add_session(kind what, http_exchange& with, detail::http_remote const& from);
    // Adds a client. `place`: the place of its session within the maximum of the owner; null: the client has no
    // session.
    LINKSPAN_DECL peer_pointer add(kind what, std::string id, std::optional<protocol_version> agreed,
                                   detail::http_remote const& from, principal_quota::place place = nullptr,
                                   std::string_view method = {});

    // The steps of add() after which a client is forgotten if one of them throws.
    LINKSPAN_DECL peer_pointer register_client(peer_pointer const& peer, std::optional<protocol_version> agreed,
                                               detail::http_remote const& from, principal_quota::place place,
                                               std::string_view method);

    static constexpr std::size_t max_idle_ = 64; // maximum size of `idle_`

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_; // of all handlers
    time_source& time_;
    http_service_backend& backend_; // serves each peer
    http_service_options options_;

    // Requests whose authentication has no result yet. Added by wait_for_admission(), removed by the result, by the
    // loss of the connection, and by refuse_unauthenticated().
    std::set<authentication_pointer> authentications_;
    std::optional<http_serving> serving_; // set by serving(), replaced when the port or the protocol versions change
    // Current clients, by their numbers; added by add(), moved to `ended_` by forget().
    std::map<std::uint64_t, peer_pointer> peers_;
    detail::request_quota requests_; // the outstanding requests of each principal and address
    // Clients with an id, and those of a handshake protocol version without a session, by version and account. Added by
    // add(), removed by forget().
    detail::http_sessions<detail::http_peer> sessions_;
    std::map<std::pair<protocol_version, std::string>, detail::http_peer*> without_session_;
    // Stateless peers without a request. Added by release(), removed by stateless_peer() and forget().
    std::vector<detail::http_peer*> idle_;
    std::uint64_t last_peer_ = 0; // number of the last peer; incremented by add()
    std::size_t max_single_ = 64; // peers outside of `sessions_` above which sweep() searches for ended exchanges
    std::vector<std::weak_ptr<detail::http_peer>> ended_; // added by forget(), removed by sweep()
    detail::optional_timer search_;                       // armed by arm_search()
    bool is_search_armed_ = false;   // set by arm_search(), cleared by disarm_search() and the expiry of `search_`
    bool is_stopped_ = false;        // set by on_stop(), never cleared
    bool has_delayed_close_ = false; // set by on_close_delayed(), cleared by post_delayed_closes()
    time_point next_discard_{};      // time of the next search for events that are too old; set by each search
    http_listener listener_;         // opened by url(), stopped by its async_stop(), closed by the destructor
    http_counters& counters_;        // of `listener_`
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true); // expires with this object
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_service.authentication.ipp>
#include <linkspan/http/server/impl/http_service.ipp>
#include <linkspan/http/server/impl/http_service.requests.ipp>
#endif

#endif
