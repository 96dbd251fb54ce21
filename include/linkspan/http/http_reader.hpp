#ifndef LINKSPAN_HTTP_HTTP_READER_HPP
#define LINKSPAN_HTTP_HTTP_READER_HPP

#include <linkspan/core/error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

namespace asio = boost::asio;

/// Receiver of the body of a message, in pieces of any size.
class http_body_sink {
public:
    /// Called for each piece of the body, in order, without the framing of chunks. `piece` is valid during the call.
    virtual void on_body(std::string_view piece) = 0;

protected:
    ~http_body_sink() = default;
};

namespace detail {

// Body type for Beast that passes each piece to a sink and stores nothing.
struct forwarded_body {
    using value_type = http_body_sink*;

    class reader {
    public:
        template<bool IsRequest, class Fields>
        reader(boost::beast::http::header<IsRequest, Fields>&, value_type& sink) : sink_(sink)
        {}

        void init(boost::optional<std::uint64_t> const&, error_code& ec) { ec = {}; }

        template<class Buffers>
        std::size_t put(Buffers const& buffers, error_code& ec)
        {
            ec = {};
            std::size_t size = 0;
            auto const end = asio::buffer_sequence_end(buffers);
            for (auto it = asio::buffer_sequence_begin(buffers); it != end; ++it) {
                asio::const_buffer const piece(*it);
                sink_->on_body({static_cast<char const*>(piece.data()), piece.size()});
                size += piece.size();
            }
            return size;
        }

        void finish(error_code& ec) { ec = {}; }

    private:
        value_type& sink_;
    };
};

} // namespace detail

/// State machine that parses one HTTP/1.1 message from bytes in pieces of any size, without I/O. The class uses the
/// parser of Beast.
///
/// A reader parses one message; each message needs a new reader. The body is passed to the sink and is not stored.
///
/// \tparam IsRequest True: parses requests; false: parses responses.
/// \par Specification
/// RFC 9112.
template<bool IsRequest>
class http_reader {
public:
    /// Type of the parser of Beast.
    using parser_type = boost::beast::http::parser<IsRequest, detail::forwarded_body>;
    /// Type of the parsed head of the message.
    using head_type = boost::beast::http::header<IsRequest, boost::beast::http::fields>;

    /// Limits of one message.
    struct limits {
        std::size_t head = std::size_t{64} << 10; ///< maximum size of the head in bytes; at most 4 GiB - 1
        std::optional<std::uint64_t> body = std::uint64_t{16} << 20; ///< maximum size of the body in bytes; empty: none
    };

    /// Creates a reader for one message. `sink` must outlive the reader.
    http_reader(http_body_sink& sink, limits const& with)
    {
        parser_.get().body() = &sink;
        parser_.header_limit(static_cast<std::uint32_t>(with.head));
        if (with.body)
            parser_.body_limit(*with.body);
        else
            parser_.body_limit(boost::none);
    }

    http_reader(http_reader const&) = delete;
    http_reader& operator=(http_reader const&) = delete;

    /// Event: bytes were received. The function returns after the head, so that the limit of the body can be changed.
    ///
    /// \param bytes All received bytes that were not consumed before.
    /// \param ec Set to the error of Beast, for example `header_limit`, `body_limit` or `bad_chunk`; else cleared.
    /// \returns The number of consumed bytes. The caller passes the remaining bytes again, followed by more bytes.
    std::size_t resume(std::string_view bytes, error_code& ec)
    {
        parser_.eager(has_head());
        auto const used = parser_.put(asio::const_buffer(bytes.data(), bytes.size()), ec);
        if (ec == boost::beast::http::error::need_more)
            ec = {};
        return used;
    }

    /// Event: the peer closed the stream.
    ///
    /// \param ec Set to `partial_message` if the message is not complete, and to `end_of_stream` if no byte of it was
    /// received; else cleared.
    void finish(error_code& ec)
    {
        if (!parser_.got_some())
            ec = boost::beast::http::error::end_of_stream;
        else
            parser_.put_eof(ec);
    }

    /// Returns true if the head is complete.
    bool has_head() const noexcept { return parser_.is_header_done(); }
    /// Returns true if the message is complete.
    bool is_done() const noexcept { return parser_.is_done(); }

    /// Returns true if another message may follow on the connection. Precondition: `is_done()`.
    bool keeps_alive() const { return parser_.keep_alive(); }

    /// Returns the start line and the fields. Precondition: `has_head()`.
    head_type const& head() const { return parser_.get().base(); }

    /// Removes the limit of the body, for example because the body is an event stream.
    void lift_body_limit() { parser_.body_limit(boost::none); }

private:
    parser_type parser_;
};

} // namespace linkspan

#endif
