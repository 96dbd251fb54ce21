#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_RESPONSE_PARSER_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_RESPONSE_PARSER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/http/http_reader.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Received bytes of one connection, and the reader of the current response. Interim responses (1xx) are skipped. The
// class performs no I/O.
//
// Invariant: the bytes of `buffer_` from `begin_` to `end_` were received and not parsed.
class response_parser {
public:
    enum class step {
        more, // all bytes are parsed; the response is not complete
        head, // the head is complete; the caller calls resume() again
        done, // the response is complete
    };

    // `sink`: receives the bodies; must outlive the object.
    response_parser(http_body_sink& sink, http_reader<false>::limits const& limits)
        : reader_(sink, limits), max_head_(limits.head)
    {}

    // Begins the response to another request.
    void begin()
    {
        reader_.restart();
        has_head_ = false;
        interim_ = 0;
    }

    // Returns memory for received bytes, of at least 16 KiB; valid until resume().
    LINKSPAN_DECL asio::mutable_buffer space();

    // Event: `size` bytes were received into space().
    void on_received(std::size_t size) noexcept { end_ += size; }

    // Parses received bytes, and passes parts of the body to the sink. `ec`: set to the error of a malformed or too
    // long response, upon which the result is `more`. Precondition: begin() was called.
    LINKSPAN_DECL step resume(error_code& ec);

    // Event: the server closed the stream. Returns whether the response is complete. `ec`: set to the error if the
    // bytes are no beginning of a response; else cleared.
    LINKSPAN_DECL bool on_eof(error_code& ec);

    // Returns whether the head of the response is complete.
    bool has_head() const noexcept { return has_head_; }

    // Returns the head. Precondition: has_head().
    http_head const& head() const { return reader_.head(); }

    // Removes the limit of the body. Precondition: has_head().
    void lift_body_limit() { reader_.lift_body_limit(); }

    // Returns whether another response may follow the complete response: the server does not close the connection, and
    // sent no further bytes.
    bool can_continue() const { return begin_ == end_ && reader_.keeps_alive(); }

private:
    bool is_complete() const noexcept { return has_head_ && reader_.is_done(); }

    http_reader<false> reader_;       // restarted by each request and after each interim response
    std::size_t max_head_;            // maximum size of a head in bytes; set by the constructor
    std::vector<char> buffer_;        // grows for long heads
    std::size_t begin_ = 0, end_ = 0; // changed by space(), on_received() and resume()
    unsigned interim_ = 0;            // interim responses to the current request; cleared by begin()
    bool has_head_ = false;           // set when the head of the response is complete, cleared by begin()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/client/impl/response_parser.ipp>
#endif

#endif
