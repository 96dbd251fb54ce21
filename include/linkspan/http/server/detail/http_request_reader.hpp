#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_REQUEST_READER_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_REQUEST_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/http/server/detail/body_budget.hpp>
#include <linkspan/http/server/detail/repeated_head.hpp>
#include <linkspan/http/server/http_server_message.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reads the requests of one connection from the received bytes. The class performs no I/O. A head that repeats the one
// of the last request is not parsed again.
//
// Invariants: `is_reading_` is true from the event `begun` until take(). In this time `reader_` and the body of
// `request_` contain the part of the request that was read, and `in_` begins with the next byte; if `is_repeated_` is
// true, the head is the one of `request_` instead. If `last_head_` is kept, the head of `request_` is its result.
class http_request_reader final : private http_body_sink {
public:
    // Result of a step.
    enum class event {
        none,     // more bytes are required
        begun,    // the first byte of a request was received
        head,     // the head of the request is complete
        complete, // the request is complete; `take` returns it
        invalid   // the request is refused with `status()`
    };

    // bodies: bytes of the bodies of this and other connections; null: not limited. Bodies of at most `kept_text` bytes
    // are not counted. address: of the client, for the limit per address; must outlive this object; empty: not known.
    http_request_reader(http_reader<true>::limits const& limits, std::shared_ptr<body_budget> bodies,
                        std::string const& address)
        : reader_(static_cast<http_body_sink&>(*this), limits),
          max_head_(limits.head),
          max_body_(limits.body.value_or(std::numeric_limits<std::uint64_t>::max())),
          bodies_(std::move(bodies)),
          address_(address)
    {}

    http_request_reader(http_request_reader const&) = delete;
    http_request_reader& operator=(http_request_reader const&) = delete;

    // Adds received bytes.
    void append(std::string_view bytes) { in_ += bytes; }

    // Performs one step. Called again until the result is `none`, `complete` or `invalid`.
    LINKSPAN_DECL event next();

    // Returns the complete request, which is valid until release(), or until `next` returns another event than `none`.
    LINKSPAN_DECL http_server_request const& take() noexcept;

    // Releases the memory of a request with a large head or body, after it was processed.
    void release() noexcept
    {
        if (!last_head_.is_kept())
            request_.head.clear();
        release_long_text(request_.body);
    }

    // Event: the exchange of the request has ended. Its body is not counted any more, unless share() has a copy.
    void on_exchange_end() noexcept
    {
        if (share_)
            share_.reset();
    }

    // Returns the counted bytes of the body; null: the body is not counted.
    std::shared_ptr<body_budget::share> const& share() const noexcept { return share_; }

    // Discards all received bytes.
    LINKSPAN_DECL void clear() noexcept;

    std::size_t size() const noexcept { return in_.size(); } // bytes that were not read
    bool is_reading() const noexcept { return is_reading_; }
    bool is_http_1_0() const noexcept { return is_http_1_0_; }
    int status() const noexcept { return status_; }

    // Returns true if the connection may stay open after the request. Called before `take`.
    bool keeps_alive() const { return is_repeated_ || reader_.keeps_alive(); }

    // Returns true if the client waits for an interim response before it sends the body. Called after `head`.
    LINKSPAN_DECL bool expects_continue() const;

    // Returns the status of the refusal of a body with the size that the head announces; 0: none. Called after `head`.
    LINKSPAN_DECL int status_of_announced_body() const noexcept;

private:
    // Begins a request, whose first byte was received.
    LINKSPAN_DECL void begin();

    // Performs a step of a request that repeats the last head.
    LINKSPAN_DECL event next_of_repeated();
    LINKSPAN_DECL event refuse(int status) noexcept;

    void on_body(std::string_view piece) override
    {
        if (request_.body.size() + piece.size() <= kept_text)
            request_.body += piece;
        else
            on_long_body(piece);
    }

    // Adds a piece to a body of more than `kept_text` bytes, or sets `status_`.
    LINKSPAN_DECL void on_long_body(std::string_view piece);

    http_reader<true> reader_;                  // restarted by each request
    std::size_t max_head_;                      // set by the constructor
    std::uint64_t max_body_;                    // set by the constructor
    repeated_head last_head_;                   // of the last request; restarted by each head that is parsed
    std::string in_;                            // received bytes that were not read
    http_server_request request_;               // body of the request that is read; its head is set by take()
    std::shared_ptr<body_budget> bodies_;       // set by the constructor; null: not limited
    std::string const& address_;                // set by the constructor
    std::shared_ptr<body_budget::share> share_; // of the request that is read, until the end of its exchange
    std::uint64_t missing_body_ = 0;            // bytes that a request with a repeated head still needs
    bool is_repeated_ = false;                  // set by the event `begun`: the request repeats the last head
    bool is_reading_ = false;                   // set by the event `begun`, cleared by take()
    bool has_head_ = false;                     // set by the event `head`, cleared by the next request
    bool is_http_1_0_ = false;                  // set by each head: true for HTTP/1.0
    int status_ = 0;                            // set by the event `invalid`, and before it by on_long_body()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_request_reader.ipp>
#endif

#endif
