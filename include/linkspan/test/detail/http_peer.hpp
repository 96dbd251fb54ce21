#ifndef LINKSPAN_TEST_DETAIL_HTTP_PEER_HPP
#define LINKSPAN_TEST_DETAIL_HTTP_PEER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/test/http_server_options.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Represents one client, as far as the server can distinguish clients, and is the transport between this client and the
// scripted server.
//
// A peer is a session, all requests of one handshake protocol version without a session, one request of a stateless
// protocol version, or an event stream of HTTP+SSE. The owner calls abandon() before its destruction.
class http_peer final : public std::enable_shared_from_this<http_peer> {
public:
    // Owner of peers.
    class owner {
    public:
        // Removes a peer, which may be executing a function.
        virtual void forget(http_peer& peer) = 0;

    protected:
        ~owner() = default;
    };

    // session: has an Mcp-Session-Id; without_session: handshake without a session; single: one stateless request; sse:
    // HTTP+SSE
    enum class kind { session, without_session, single, sse };
    using receiver = std::function<void(error_code, std::span<inbound const>)>;

    // The path of messages to the client: one HTTP exchange at a time, and the events of its stream.
    struct reply_path {
        http_exchange on{};                  // replaced when the client resumes the stream
        http_exchange::fields_type fields{}; // additional header fields of the response
        std::size_t awaited = 0;             // responses that are outstanding; decremented by each response
        bool is_plain = false;               // a single response may be sent as one body
        bool listens = false;              // path of subscriptions/listen: receives messages that belong to no request
        bool is_primed = false;            // set when the stream has begun
        bool is_over = false;              // set by the last response
        std::vector<std::string> events{}; // all events of the stream, kept for resumption; empty text: priming event
        std::size_t next = 0;              // index of the next event to write; set back by a resumption
    };

    http_peer(owner& web, asio::any_io_executor executor, http_server_options const& options, kind what, std::string id,
              std::optional<protocol_version> version)
        : web_(&web),
          executor_(std::move(executor)),
          options_(options),
          kind_(what),
          id_(std::move(id)),
          version_(version)
    {}

    kind what() const noexcept { return kind_; }
    std::string const& id() const noexcept { return id_; }
    std::optional<protocol_version> version() const noexcept { return version_; }
    asio::any_io_executor const& executor() const noexcept { return executor_; }

    // Registers the path for the responses to a request, and returns its number.
    LINKSPAN_DECL std::uint64_t open(reply_path what);
    LINKSPAN_DECL void open_sse(http_exchange on);

    // Serves a GET: opens the stream for messages that belong to no request, or resumes a stream after an event.
    LINKSPAN_DECL void listen(http_exchange on, std::string_view last_event);
    LINKSPAN_DECL http_exchange* http(std::uint64_t number);

    // Passes a message to the scripted server.
    LINKSPAN_DECL void post(std::string_view message, std::uint64_t number);

    // Ends the connection of the scripted server, which cancels its outstanding requests.
    LINKSPAN_DECL void end();

    // Ends all streams in the regular way.
    LINKSPAN_DECL void end_streams();
    LINKSPAN_DECL void abandon();

    // Starts a receive operation of the scripted server.
    LINKSPAN_DECL void receive(receiver done);
    LINKSPAN_DECL void send_to_client(std::string_view bytes, std::uint64_t number);
    LINKSPAN_DECL void drop();

private:
    LINKSPAN_DECL void flush();
    LINKSPAN_DECL void on_exchange_gone(std::uint64_t number);

    // With `form::stream` the stream of a response begins when the scripted server has read the request.
    LINKSPAN_DECL void begin_streams();
    LINKSPAN_DECL void begin(std::uint64_t number, reply_path& which);
    LINKSPAN_DECL void prime(reply_path& which);
    LINKSPAN_DECL void pump(std::uint64_t number);
    LINKSPAN_DECL void forget(std::uint64_t number);
    LINKSPAN_DECL void read_agreed_version(envelope const& response);

    owner* web_; // owns this object; set by the constructor, set to null by abandon()
    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    http_server_options const& options_; // of the server
    kind kind_;
    std::string id_; // session id; empty: none

    // Set by the constructor, and by the response to `initialize`; empty: not known yet.
    std::optional<protocol_version> version_;
    std::map<std::uint64_t, reply_path> reply_paths_;             // by number; 0: messages that belong to no request
    std::uint64_t numbers_ = 0;                                   // number of the last path
    std::vector<std::pair<std::string, std::uint64_t>> received_; // received messages, until the next receive operation
    receiver receive_;                                            // of the outstanding receive operation; else empty
    bool is_over_ = false;                                        // set by end()
};

// Transport between a peer and the scripted server.
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

    abandon_result abandon(request_id) noexcept { return abandon_result::peer_not_notified; }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        peer->drop();
        complete(std::forward<Handler>(handler));
    }

    void close() noexcept {}
    asio::any_io_executor get_executor() const { return peer->executor(); }
    std::size_t queued_bytes() const noexcept { return 0; }

    template<class Handler>
    void complete(Handler&& handler)
    {
        asio::post(peer->executor(), [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
    }

    std::shared_ptr<http_peer> peer;
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/http_peer.ipp>
#endif

#endif
