#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_PEER_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_PEER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/server/detail/event_budget.hpp>
#include <linkspan/http/server/detail/http_remote.hpp>
#include <linkspan/http/server/detail/request_quota.hpp>
#include <linkspan/http/server/detail/waiting_events.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/http/server/http_service_options.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/resume_log.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Represents one client, as far as the server can distinguish clients, and is the transport between this client and the
// server.
//
// A peer is a session, all requests of one account and one handshake protocol version without a session, an
// `initialize` of a client without a session, successive stateless requests of one account, or an event stream of
// HTTP+SSE. The owner calls abandon() before its destruction.
//
// A request over Streamable HTTP or HTTP+SSE may outlive its connection, unless has_single_requests() is true.
// `requests_` counts each of these requests until its response, or until the peer ends; the connection counts the other
// ones.
//
// Invariant: if `owner_` is null, `receive_` is empty, so that an abandoned peer invokes no handler of the server.
class http_peer final : public std::enable_shared_from_this<http_peer> {
public:
    // Owner of peers.
    class owner {
    public:
        // Removes a peer, which may be executing a function.
        virtual void forget(http_peer& peer) noexcept = 0;

        // Event: a stateless peer has responded to its request, and can serve another one of the same account.
        virtual void release(http_peer& peer) noexcept = 0;

        // Event: a call of close() could not be posted, see http_peer::delay_close(). The owner repeats it later.
        virtual void on_close_delayed() noexcept = 0;

        // Discards the stored events that are too old, of all peers.
        virtual void discard_old_events() noexcept = 0;

        // Returns the budget of the events of all peers; not null.
        std::shared_ptr<event_budget> const& events() const noexcept { return events_; }

        // Reads the structure of a message that the server sends.
        envelope read(std::string_view message) noexcept { return reader_.read(message); }

    protected:
        // `max_kept_bytes`: maximum number of bytes of the stored events of all peers; 0: no maximum.
        explicit owner(std::size_t max_kept_bytes) : events_(std::make_shared<event_budget>(max_kept_bytes)) {}
        ~owner() = default;

    private:
        std::shared_ptr<event_budget> events_; // set by the constructor
        envelope_reader reader_;               // keeps parts of the last result, which most results repeat
    };

    // session: has an Mcp-Session-Id; without_session: handshake without a session; single: an `initialize` of a client
    // without a session; stateless: stateless requests, one after the other; sse: HTTP+SSE
    enum class kind { session, without_session, single, stateless, sse };
    using receiver = std::function<void(error_code, std::span<inbound const>)>;

    // The path of messages to the client: one HTTP exchange at a time, and the events of its stream.
    struct reply_path {
        http_exchange on{};                  // replaced when the client resumes the stream
        http_exchange::fields_type fields{}; // additional header fields of the response
        std::size_t awaited = 0;             // responses that are outstanding; decremented by each response
        bool is_plain = false;               // a single response may be sent as one body
        bool listens = false;   // path of subscriptions/listen: receives messages that belong to no request
        bool is_primed = false; // set when the stream has begun
        bool is_over = false;   // set by the last response
    };

    // `number`: unique in the service. `from`: the connection of the first request, whose account is that of the peer.
    http_peer(owner& service, asio::any_io_executor executor, http_service_options const& options, kind what,
              std::uint64_t number, std::string id, std::optional<protocol_version> version, http_remote const& from)
        : owner_(&service),
          executor_(std::move(executor)),
          time_(time_source::of(executor_)),
          options_(options),
          kind_(what),
          number_(number),
          id_(std::move(id)),
          principal_(from.principal),
          account_(from.account),
          version_(version),
          log_(options.session_limits.resume),
          kept_(service.events(), has_single_requests() ? std::string() : account_),
          requests_(has_single_requests() ? nullptr : from.requests),
          last_used_(time_.now())
    {}

    kind what() const noexcept { return kind_; }
    std::uint64_t number() const noexcept { return number_; }
    std::string const& id() const noexcept { return id_; }
    std::string const& principal() const noexcept { return principal_; }
    std::string const& account() const noexcept { return account_; }

    // Returns the outstanding requests, for the limit on those of the account.
    request_quota::share& requests() noexcept { return requests_; }
    std::optional<protocol_version> version() const noexcept { return version_; }
    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_point last_used() const noexcept { return last_used_; }

    // Returns whether the peer has had no request and no open stream since `before`. False for the kinds that end with
    // their requests or their stream.
    LINKSPAN_DECL bool is_idle_since(time_point before) const noexcept;

    // Returns whether the peer serves at most one request at a time, which has its own HTTP exchange.
    bool has_single_requests() const noexcept { return kind_ == kind::single || kind_ == kind::stateless; }

    // Returns whether an HTTP exchange has ended without all of its responses. Precondition: has_single_requests().
    LINKSPAN_DECL bool has_lost_exchange() const noexcept;

    // Registers the path for the responses to a request, and returns its number. Throws `std::bad_alloc`: there is no
    // path, and a client that has no other request is forgotten.
    LINKSPAN_DECL std::uint64_t open(reply_path what);

    // Begins the event stream of HTTP+SSE. Throws `std::bad_alloc`: the client is forgotten.
    LINKSPAN_DECL void open_sse(http_exchange on);

    // Event: a request of open() was not passed to the server, for lack of memory. Its exchange remains open. The
    // second function does not change the number of outstanding requests.
    LINKSPAN_DECL void discard_request(std::uint64_t number);
    LINKSPAN_DECL void discard_path(std::uint64_t number);

    // Returns a number for the responses to a message of HTTP+SSE, which has no path of its own.
    std::uint64_t next_number() noexcept { return ++numbers_; }

    // Counts the bytes of a body until all responses are sent, also after the connection was lost.
    void hold_body(std::uint64_t number, std::shared_ptr<void> share)
    {
        if (share)
            held_bodies_.emplace(number, std::move(share));
    }

    // Serves a GET: opens the stream for messages that belong to no request, or resumes a stream after an event.
    // Returns the status with which the request is to be refused; 0: none. If the memory is not sufficient, the
    // exchange ends, so that the client opens the stream again.
    LINKSPAN_DECL int listen(http_exchange on, std::string_view last_event);
    LINKSPAN_DECL http_exchange* http(std::uint64_t number);

    // Returns the additional header fields of the response of an exchange.
    LINKSPAN_DECL http_exchange::fields_type fields(std::uint64_t number) const;

    // Ends the HTTP exchange of a stream that the client can resume, so that the client receives the response on the
    // resumed stream.
    LINKSPAN_DECL void end_exchange(std::uint64_t number);

    // Returns the number of bytes of a stream that the client has not read, as far as known.
    LINKSPAN_DECL std::size_t unread_bytes(std::uint64_t number) const noexcept;

    // Ends a stream of which one response will not be sent, because its request was cancelled.
    LINKSPAN_DECL void end_without_response(std::uint64_t number);

    // Passes a message to the server. Throws `std::bad_alloc`: the message was not passed.
    LINKSPAN_DECL void post(std::string_view message, std::uint64_t number);

    // Ends the connection of the server, which cancels its outstanding requests.
    LINKSPAN_DECL void end();

    // Ends all streams in the regular way.
    LINKSPAN_DECL void end_streams();

    // Ends the client: its connection to the server and its streams.
    LINKSPAN_DECL void close();

    // Called when a call of close() is posted. The client takes no further requests then.
    void announce_close() noexcept { is_closing_ = true; }
    bool is_closing() const noexcept { return is_closing_; }

    // Event: the memory was not sufficient to post a call of close(). The owner posts it with its next event.
    void delay_close() noexcept
    {
        is_closing_ = is_close_delayed_ = true;
        if (owner_)
            owner_->on_close_delayed();
    }
    bool is_close_delayed() const noexcept { return is_close_delayed_; }
    void on_close_posted() noexcept { is_close_delayed_ = false; }
    LINKSPAN_DECL void abandon();

    // Starts a receive operation of the server.
    LINKSPAN_DECL void receive(receiver done);

    // Sends a message on the path with a number. If the memory is not sufficient for a response, its exchange ends
    // without it, and cannot be resumed; a request of the server fails, and a notification is discarded.
    LINKSPAN_DECL void send_to_client(std::string_view bytes, std::uint64_t number);

    // Event: the memory was not sufficient to end the stream of a cancelled request by end_without_response(). Its
    // exchange ends, and cannot be resumed.
    LINKSPAN_DECL void lose_response(std::uint64_t number) noexcept;
    LINKSPAN_DECL void drop() noexcept;

    // Discards the events that are too old to be resumed.
    LINKSPAN_DECL void discard_old_events() noexcept;

private:
    // A path of this client.
    struct queued_path : reply_path {
        explicit queued_path(std::size_t& waiting_bytes) : queue(waiting_bytes) {}

        waiting_events queue; // events without an open exchange; written by pump(), discarded by discard_waiting()
    };

    // Returns a path, which is added if it does not exist.
    queued_path& path(std::uint64_t number) { return reply_paths_.try_emplace(number, waiting_bytes_).first->second; }

    // Returns whether the client can resume a stream. All clients of one account without a session share one peer, so
    // that one of them could otherwise read the responses to another one.
    bool has_ids() const noexcept { return options_.resumable && kind_ == kind::session; }
    LINKSPAN_DECL void flush();

    // Sets the time of the last request, for sessions only, because only sessions can be idle.
    void touch() noexcept
    {
        if (!has_single_requests())
            last_used_ = time_.now();
    }

    // Passes messages to the receive operation, which is outstanding.
    LINKSPAN_DECL void deliver(std::span<inbound const> messages);
    LINKSPAN_DECL void on_exchange_gone(std::uint64_t number);

    // With `form::stream` the stream of a response begins when the server has read the request.
    LINKSPAN_DECL void begin_streams();
    LINKSPAN_DECL void begin(std::uint64_t number, queued_path& which);

    // Sends a message. `of_response`: receives the exchange of a response whose path is removed.
    LINKSPAN_DECL void write(envelope const& message, std::string_view bytes, std::uint64_t number,
                             http_exchange& of_response);

    // Event: the memory was not sufficient to send a message.
    LINKSPAN_DECL void lose(envelope const& message, std::string_view bytes, std::uint64_t number,
                            http_exchange& of_response) noexcept;

    // Ends the exchange of a path, and removes the path.
    LINKSPAN_DECL void lose_path(std::uint64_t number) noexcept;

    // Event: a request of a path has a response, or will have none.
    LINKSPAN_DECL void release_body(std::uint64_t number) noexcept;
    LINKSPAN_DECL void add_event(std::uint64_t number, queued_path& which, std::string data);
    LINKSPAN_DECL void pump(std::uint64_t number);

    // Discards the oldest events that wait for an exchange, beyond the limits of the session.
    LINKSPAN_DECL void discard_waiting(queued_path& changed);

    // Discards the oldest events that wait for an exchange, until they have at most this number of bytes.
    LINKSPAN_DECL void discard_waiting_to(std::size_t max_bytes);

    // Returns the maximum number of bytes of a message that can be kept, after older ones are discarded.
    LINKSPAN_DECL std::size_t max_kept_message(std::size_t size) const noexcept;

    // Discards all events, which no client can receive any more.
    LINKSPAN_DECL void discard_events() noexcept;

    // Counts the bytes of all events, for the limit over all sessions.
    LINKSPAN_DECL void count_kept() noexcept;
    LINKSPAN_DECL void refuse_in_place_of_client(std::string_view discarded);

    // Returns the error that a client without an exchange receives in place of a response with a size.
    LINKSPAN_DECL std::string refusal_of_long_response(envelope const& response, std::size_t size) const;
    LINKSPAN_DECL void forget(std::uint64_t number);
    LINKSPAN_DECL void forget_old_paths();
    LINKSPAN_DECL void read_agreed_version(envelope const& response);

    owner* owner_; // owns this object; set by the constructor, set to null by abandon()
    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    time_source& time_;
    http_service_options const& options_; // of the service
    kind kind_;
    std::uint64_t number_;
    std::string id_;        // session id; empty: none
    std::string principal_; // of the client; empty: anonymous
    std::string account_;   // name under which the client is limited; empty: not known

    // Set by the constructor, and by the response to `initialize`; empty: not known yet.
    std::optional<protocol_version> version_;
    // Sum of the bytes of the queues of `reply_paths_`, which outlives them. Changed by the queues only.
    std::size_t waiting_bytes_ = 0;
    // By number; 0: messages that belong to no request. Added by open(), open_sse(), listen() and send_to_client();
    // removed by forget(), by forget_old_paths(), and by the loss of the exchange if the client cannot resume the
    // stream.
    std::map<std::uint64_t, queued_path> reply_paths_;
    std::uint64_t numbers_ = 0; // number of the last path; incremented by open() and next_number()
    // Counted bytes of large bodies, by the number of the path. Added by hold_body(), removed by release_body() and
    // end().
    std::map<std::uint64_t, std::shared_ptr<void>> held_bodies_;
    resume_log log_;           // events that the client can request again; added by add_event()
    event_budget::share kept_; // bytes of `log_` and of the queues; set by count_kept()
    // Requests without a response. Added by http_service, removed by their responses, by end_without_response() and by
    // end().
    request_quota::share requests_;
    std::vector<std::pair<std::string, std::uint64_t>> received_; // added by post(), removed by flush()
    receiver receive_;              // set by receive(), moved out by flush() and abandon(); empty: no receive operation
    bool is_over_ = false;          // set by end()
    bool is_closing_ = false;       // set by announce_close() and delay_close()
    bool is_close_delayed_ = false; // set by delay_close(), cleared by on_close_posted()
    time_point last_used_;          // time of the last request; set by open(), listen() and post()
};

// Transport between a peer and the server.
struct http_peer_transport {
    using role = transport_role;
    struct config_type {
        std::shared_ptr<http_peer> peer;
    };
    static constexpr std::string_view kind = "http";
    static constexpr bool handshake_on_no_response = false;

    http_peer_transport(asio::any_io_executor const&, config_type config) : peer(std::move(config.peer)) {}

    template<class Handler>
    void async_open(Handler&& handler)
    {
        complete(std::forward<Handler>(handler));
    }

    void send(outbound const& message) noexcept { peer->send_to_client(message.bytes, message.stream); }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        peer->receive(std::forward<Handler>(handler));
    }

    // Ends the exchange of a cancelled request, which has no response. `id`: number of the stream.
    abandon_result abandon(request_id id) noexcept
    {
        auto const number = static_cast<std::uint64_t>(id);
        try {
            asio::post(peer->executor(), [ending = peer, number] { ending->end_without_response(number); });
        } catch (std::bad_alloc const&) {
            peer->lose_response(number);
        }
        return abandon_result::peer_not_notified;
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        peer->drop();
        complete(std::forward<Handler>(handler));
    }

    // The receive operation completes later, as the concept requires.
    void close() noexcept
    {
        peer->announce_close();
        try {
            asio::post(peer->executor(), [ending = peer] { ending->close(); });
        } catch (std::bad_alloc const&) {
            peer->delay_close();
        }
    }

    asio::any_io_executor get_executor() const { return peer->executor(); }
    std::size_t queued_bytes() const noexcept { return 0; }

    template<class Handler>
    void complete(Handler&& handler)
    {
        asio::post(peer->executor(), [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    std::shared_ptr<http_peer> peer;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_peer.events.ipp>
#include <linkspan/http/server/impl/http_peer.ipp>
#endif

#endif
