#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_TRANSPORT_EXCHANGE_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_TRANSPORT_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/client/detail/http_client.hpp>
#include <linkspan/http/client/detail/request_repetition.hpp>
#include <linkspan/http/client/detail/stream_resumption.hpp>
#include <linkspan/http/client/http_reply.hpp>
#include <linkspan/http/sse.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Purpose of an HTTP exchange, which determines how its response is processed.
enum class http_purpose {
    request,       // POST of a request
    notification,  // POST of a notification, or of a response to a request of the server
    server_stream, // GET of the stream of notifications and requests of the server
    resume,        // GET of the rest of the stream of a response
    end_session,   // DELETE of the session
};

// One exchange of a transport: the parts of the request, the state of the response, and the state of its resumption. A
// resumption and its interrupted exchange are different objects.
//
// The object reads the response: it decides whether the body is a stream, collects other bodies, and separates the
// events of a stream. The meaning of events and results is decided by the receiver.
//
// Invariants:
// 1. After `on_end`, `on_failure` or `on_result` of the receiver, the object calls no function of the receiver, unless
//    it is started again.
// 2. After `complete`, no event is delivered.
class transport_exchange final : public client_exchange, public std::enable_shared_from_this<transport_exchange> {
public:
    // Receiver of the events of exchanges: the transport. Its functions may close the transport.
    class receiver {
    public:
        // The head of the response to `initialize` has arrived. `id`: value of `Mcp-Session-Id`; may be empty.
        virtual void on_session_id(std::string_view id) = 0;

        // The head of a stream has arrived.
        virtual void on_stream(transport_exchange& what) = 0;

        // An event has arrived. The receiver calls `complete` if the event is the result of the request.
        virtual void on_event(transport_exchange& what, sse_event& event) = 0;

        // The stream has delivered the result. The rest of the response is not needed.
        virtual void on_result(transport_exchange& what) = 0;

        // The response is invalid. The rest of the response must not be read.
        virtual void on_failure(std::shared_ptr<transport_exchange> const& what, error_code ec) = 0;

        // The response is complete, or the exchange has failed; see `client_exchange::on_end`.
        virtual void on_end(std::shared_ptr<transport_exchange> const& what, error_code ec, bool sent) = 0;

        // Returns false after the transport was closed.
        virtual bool is_open() const noexcept = 0;

    protected:
        ~receiver() = default;
    };

    // `max_event`: limit of an event in bytes. The functions of `to` are not called after its destruction.
    transport_exchange(std::weak_ptr<receiver> to, http_purpose of, std::string_view http_method, std::size_t max_event)
        : purpose(of), method(http_method), receiver_(std::move(to)), max_event_(max_event)
    {}

    // Returns whether the exchange has much memory, so that it should not be kept for another request.
    LINKSPAN_DECL bool is_large() const noexcept;

    // Restores the initial state, for another request. The texts keep their memory.
    LINKSPAN_DECL void reuse(http_purpose of, std::string_view http_method);

    // Called before the request is composed again: stores the body, which is at the end of `request`, in `body`.
    void store_body() { body.assign(request, request.size() - body_size); }

    // The request: set before the exchange is started.
    http_purpose purpose;
    http_post post;                // properties of the message; for a resumption, of the request that is resumed
    bool ends_handshake = false;   // true if the message is `notifications/initialized`
    std::string_view method;       // method of HTTP
    std::string target;            // changed by a redirect, and when a handshake is repeated with HTTP+SSE
    std::string fields;            // headers of this request, in addition to those of all requests
    std::string body;              // body of a request that is composed later; see `store_body`
    std::size_t body_size = 0;     // size of the body at the end of `request`; set with it, cleared by `reuse`
    unsigned session = 0;          // number of the session in which the exchange was made
    unsigned token = 0;            // number of the token with which the request was composed last
    request_repetition repetition; // decides whether the request is sent again; cleared by `reuse`

    // The resumption. The next exchange begins with `resumption.next()`.
    stream_resumption resumption;
    std::optional<timer> pause;    // set before the resumption; cleared at its expiry, by `abandon` and by `close`
    std::shared_ptr<void> dialing; // handle of a connection attempt; cleared at the end of `pause`

    LINKSPAN_DECL bool on_head(http_head const& head) override;
    LINKSPAN_DECL void on_body(std::string_view piece) override;

    void on_end(error_code ec, bool sent) override
    {
        if (auto const to = receiver_.lock())
            to->on_end(shared_from_this(), ec, sent);
    }

    // Returns whether a message completes the request: the response, or an invalid message with the id of the request
    // or without an id. A JSON-RPC batch completes the request if one of its elements does; `kept` receives the
    // structures of the first `max_kept_elements` elements. `text`: text of `message`.
    LINKSPAN_DECL bool is_completed_by(envelope const& message, std::string_view text,
                                       std::vector<envelope>& kept) const;

    // Called when the result of the request has arrived, on any stream. The function is not called for a result in a
    // body that is not a stream.
    void complete() noexcept { is_complete_ = true; }
    bool is_complete() const noexcept { return is_complete_; }

    // The last response. 0: no response was received. Texts are empty if the header is absent.
    int status() const noexcept { return response_.status; }
    bool is_stream() const noexcept { return events_.has_value(); }
    std::string const& retry_after() const noexcept { return response_.retry_after; }
    std::string const& challenge() const noexcept { return response_.challenge; } // `WWW-Authenticate`
    std::string const& location() const noexcept { return response_.location; }

    // Returns the body of a response that is not a stream.
    std::string const& reply() const noexcept { return reply_; }
    std::string take_reply() noexcept { return std::move(reply_); }

    bool is_accepted() const noexcept { return response_.status >= 200 && response_.status < 300; }

    // Returns true if the response has a content coding, although the request accepts only `identity`.
    LINKSPAN_DECL bool is_encoded() const noexcept;

    // Returns true if the request belongs to the stateless era, in which closing the stream cancels the request, and an
    // interrupted stream cannot be resumed.
    bool is_stateless() const noexcept { return post.version && traits_of(*post.version).era == era::stateless; }

    // Called at the end of the exchange: stores the position from which the stream can be resumed.
    void store_position() { resumption.on_end(events_ ? &*events_ : nullptr); }

private:
    // Maximum number of elements of a JSON-RPC batch whose structures are kept. A structure may be much larger than its
    // element.
    static constexpr std::size_t max_kept_elements = 64;

    // Status and headers of a response. A text is empty if the header is absent.
    struct response_head {
        // Restores the initial state. The texts keep their memory.
        void clear() noexcept
        {
            status = 0;
            for (auto* const text : {&retry_after, &challenge, &location, &encoding})
                text->clear();
        }

        int status = 0; // 0: no response was received
        std::string retry_after, challenge, location, encoding;
    };

    bool is_completed_by(envelope const& message) const noexcept;

    std::weak_ptr<receiver> receiver_; // set by the constructor; expired: the transport was destroyed
    std::size_t max_event_;            // set by the constructor

    // The response. Each response replaces these members, except `is_complete_`.
    response_head response_;           // set by `on_head`, cleared by `reuse`
    std::string reply_;                // body of a response that is not a stream
    std::optional<sse_parser> events_; // empty: the response is not a stream
    std::size_t stream_bytes_ = 0;     // received bytes of the stream
    bool is_complete_ = false;         // set by `complete`, cleared by `reuse`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/transport_exchange.ipp>
#endif

#endif
