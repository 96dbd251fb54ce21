#ifndef LINKSPAN_HTTP_HTTP_READER_HPP
#define LINKSPAN_HTTP_HTTP_READER_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/http/http_head.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string_type.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/optional/optional.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Receiver of the body of a message, in pieces of any size.
class http_body_sink {
public:
    /// Called for each piece of the body, in order, without the framing of chunks. `piece` is valid during the call.
    virtual void on_body(std::string_view piece) = 0;

protected:
    ~http_body_sink() = default;
};

/// State machine that parses the messages of one HTTP/1.1 connection, one after the other, from bytes in pieces of any
/// size, without I/O. The class uses the parser of Beast.
///
/// The body is passed to the sink and is not stored. `restart` begins the next message, and keeps the memory of the
/// head.
///
/// \tparam IsRequest True: parses requests; false: parses responses.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// RFC 9112.
template<bool IsRequest>
class http_reader {
public:
    /// Limits of one message.
    struct limits {
        std::size_t head = std::size_t{64} << 10; ///< maximum size of the head in bytes; at most 4 GiB - 1
        std::optional<std::uint64_t> body = std::uint64_t{16} << 20; ///< maximum size of the body in bytes; empty: none
    };

    /// Creates a reader for a first message. `sink` must outlive the reader.
    http_reader(http_body_sink& sink, limits const& bounds) : sink_(sink), limits_(bounds) { restart(); }

    http_reader(http_reader const&) = delete;
    http_reader& operator=(http_reader const&) = delete;

    /// Begins the next message. All bytes that are passed to `resume` afterwards belong to this message.
    void restart()
    {
        parser_.emplace(head_, sink_);
        parser_->header_limit(static_cast<std::uint32_t>(limits_.head));
        if (limits_.body)
            parser_->body_limit(*limits_.body);
        else
            lift_body_limit();
    }

    /// Event: bytes were received. The function returns after the head, so that the limit of the body can be changed.
    ///
    /// \param bytes All received bytes that were not consumed before.
    /// \param ec Set to the error of Beast, for example `header_limit`, `body_limit` or `bad_chunk`; else cleared.
    /// \returns The number of consumed bytes. The caller passes the remaining bytes again, followed by more bytes.
    std::size_t resume(std::string_view bytes, error_code& ec)
    {
        parser_->eager(has_head());
        auto const used = parser_->put(asio::const_buffer(bytes.data(), bytes.size()), ec);
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
        if (!parser_->got_some())
            ec = boost::beast::http::error::end_of_stream;
        else
            parser_->put_eof(ec);
    }

    /// Returns true if the head is complete.
    bool has_head() const noexcept { return parser_->is_header_done(); }
    /// Returns true if the message is complete.
    bool is_done() const noexcept { return parser_->is_done(); }

    /// Returns true if another message may follow on the connection. Precondition: `is_done()`.
    bool keeps_alive() const { return parser_->keep_alive(); }

    /// Returns the start line and the fields, without the fields of the trailer of a body in chunks. Precondition:
    /// `has_head()`. The reference is valid until the next message.
    http_head const& head() const noexcept { return head_; }

    /// Exchanges the head with another object, so that the memory of both is used again. Precondition: `is_done()`.
    void swap_head(http_head& other) noexcept { std::swap(head_, other); }

    /// Removes the limit of the body of this message, for example because the body is an event stream.
    void lift_body_limit() { parser_->body_limit({}); }

private:
    class parser;

    http_body_sink& sink_;         // set by the constructor
    limits limits_;                // set by the constructor
    http_head head_;               // of the current message
    std::optional<parser> parser_; // replaced by `restart`
};

// Stores the head, and passes the body to the sink.
template<bool IsRequest>
class http_reader<IsRequest>::parser final : public boost::beast::http::basic_parser<IsRequest> {
public:
    parser(http_head& head, http_body_sink& sink) : head_(head), sink_(sink) {}

private:
    using text = boost::beast::string_view;

    static std::string_view view_of(text what) noexcept { return {what.data(), what.size()}; }

    void on_request_impl(boost::beast::http::verb, text method, text target, int http_version, error_code&) override
    {
        head_.start_request(view_of(method), view_of(target), http_version);
    }

    void on_response_impl(int status, text, int http_version, error_code&) override
    {
        head_.start_response(status, http_version);
    }

    void on_field_impl(boost::beast::http::field id, text name, text value, error_code&) override
    {
        if (!this->is_header_done()) // Boost before 1.90 calls this function for fields of the trailer too
            head_.add(id, view_of(name), view_of(value));
    }

    // Overrides a function of Boost 1.90, which earlier versions do not have.
    void on_trailer_field_impl(boost::beast::http::field, text, text, error_code&) {}

    void on_header_impl(error_code&) override {}
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}

    std::size_t on_body_impl(text piece, error_code&) override
    {
        sink_.on_body(view_of(piece));
        return piece.size();
    }

    void on_chunk_header_impl(std::uint64_t, text, error_code&) override {}

    std::size_t on_chunk_body_impl(std::uint64_t, text piece, error_code&) override
    {
        sink_.on_body(view_of(piece));
        return piece.size();
    }

    void on_finish_impl(error_code&) override {}

    http_head& head_;      // set by the constructor
    http_body_sink& sink_; // set by the constructor
};

} // namespace linkspan

#endif
