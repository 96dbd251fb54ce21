#ifndef LINKSPAN_HTTP_CLIENT_IMPL_RESPONSE_PARSER_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_RESPONSE_PARSER_IPP

#include <linkspan/http/client/detail/response_parser.hpp>

#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <cstring>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of interim responses (1xx) before a response. Protects against an endless sequence.
inline constexpr unsigned max_interim_responses = 16;

inline constexpr std::size_t http_read_size = std::size_t{64} << 10;

// Maps an error of Beast to an error of this library.
inline error_code http_error_of(error_code ec)
{
    namespace http = boost::beast::http;
    if (!ec)
        return {};
    if (ec == http::error::header_limit || ec == http::error::body_limit)
        return error::body_too_long;
    if (ec == http::error::end_of_stream || ec == http::error::partial_message)
        return error::stream_ended;
    return error::malformed_http;
}

LINKSPAN_DECL asio::mutable_buffer response_parser::space()
{
    if (begin_ == end_)
        begin_ = end_ = 0;
    if (buffer_.size() - end_ < http_read_size / 4) {
        if (begin_ != 0)
            std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        buffer_.resize(std::max(http_read_size, end_ * 2));
    }
    return {buffer_.data() + end_, buffer_.size() - end_};
}

LINKSPAN_DECL response_parser::step response_parser::resume(error_code& ec)
{
    ec = {};
    while (!is_complete()) {
        if (begin_ == end_)
            return step::more;
        error_code failure;
        auto const used = reader_.resume({buffer_.data() + begin_, end_ - begin_}, failure);
        begin_ += used;
        if (failure) {
            ec = http_error_of(failure);
            return step::more;
        }
        if (!has_head_ && reader_.has_head()) {
            if (reader_.head().status() / 100 != 1) {
                has_head_ = true;
                return step::head;
            }
            if (++interim_ > max_interim_responses || !reader_.is_done()) {
                ec = error::malformed_http;
                return step::more;
            }
            reader_.restart();
        } else if (used == 0 && !is_complete()) {
            if (end_ - begin_ > max_head_) // an endless chunk header or trailer
                ec = error::body_too_long;
            return step::more;
        }
    }
    return step::done;
}

LINKSPAN_DECL bool response_parser::on_eof(error_code& ec)
{
    error_code failure;
    reader_.finish(failure);
    ec = http_error_of(failure);
    return !failure && reader_.is_done();
}

} // namespace linkspan::detail

#endif
