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

namespace linkspan {

namespace asio = boost::asio;

/// Takes the body of a message as it comes, in pieces of any size.
class http_body_sink {
public:
    virtual void on_body(std::string_view piece) = 0;

protected:
    ~http_body_sink() = default;
};

namespace detail {

// A body of Beast that is handed on and kept nowhere.
struct handed_on_body {
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

/// Reads one message of HTTP/1.1 from bytes, however they are cut, without I/O: Beast's parser, driven by events.
///
/// Specification: RFC 9112.
template<bool IsRequest>
class http_reader {
public:
    using parser_type = boost::beast::http::parser<IsRequest, detail::handed_on_body>;
    using head_type = boost::beast::http::header<IsRequest, boost::beast::http::fields>;

    struct limits {
        std::size_t head = std::size_t{64} << 10;                    ///< bytes
        std::optional<std::uint64_t> body = std::uint64_t{16} << 20; ///< bytes; nothing: no limit
    };

    /// `sink` outlives the reader.
    http_reader(http_body_sink& sink, limits const& most)
    {
        parser_.get().body() = &sink;
        parser_.header_limit(static_cast<std::uint32_t>(most.head));
        if (most.body)
            parser_.body_limit(*most.body);
        else
            parser_.body_limit(boost::none);
    }

    http_reader(http_reader const&) = delete;
    http_reader& operator=(http_reader const&) = delete;

    /// Event: the bytes that are there. Yields how many of them are done with; the others come again, with more behind
    /// them. Stops behind the head, so that the limits of the body can be set by it.
    /// Errors: those of Beast, such as `header_limit`, `body_limit`, `bad_chunk`.
    std::size_t resume(std::string_view bytes, error_code& ec)
    {
        parser_.eager(has_head());
        auto const used = parser_.put(asio::const_buffer(bytes.data(), bytes.size()), ec);
        if (ec == boost::beast::http::error::need_more)
            ec = {};
        return used;
    }

    /// Event: the peer closed. Errors: `partial_message` when the message is not complete; `end_of_stream` when it has
    /// not begun.
    void finish(error_code& ec)
    {
        if (!parser_.got_some())
            ec = boost::beast::http::error::end_of_stream;
        else
            parser_.put_eof(ec);
    }

    bool has_head() const noexcept { return parser_.is_header_done(); }
    bool is_done() const noexcept { return parser_.is_done(); }

    /// Once it is done: another message may follow on this connection.
    bool keeps_alive() const { return parser_.keep_alive(); }

    /// Once `has_head`.
    head_type const& head() const { return parser_.get().base(); }

    /// The body has no other limit from here on.
    void lift_body_limit() { parser_.body_limit(boost::none); }

private:
    parser_type parser_;
};

} // namespace linkspan

#endif
