#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_REQUEST_READER_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_REQUEST_READER_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/server/detail/http_request_reader.hpp>

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline int status_of_fault(error_code ec) noexcept
{
    namespace http = boost::beast::http;
    if (ec == http::error::header_limit)
        return 431;
    if (ec == http::error::body_limit)
        return 413;
    return ec == http::error::bad_version ? 505 : 400;
}

LINKSPAN_DECL http_request_reader::event http_request_reader::next()
{
    if (!is_reading_) {
        in_.erase(0, std::min(in_.find_first_not_of("\r\n"), in_.size())); // RFC 9112, 2.2
        if (in_.empty())
            return event::none;
        begin();
        return event::begun;
    }
    if (is_repeated_)
        return next_of_repeated();
    while (!reader_.is_done() && !in_.empty()) {
        error_code ec;
        auto const used = reader_.resume(in_, ec);
        if (!has_head_)
            last_head_.add(std::string_view(in_).substr(0, used));
        in_.erase(0, used);
        if (ec)
            return refuse(status_of_fault(ec));
        if (status_ != 0)
            return event::invalid;
        if (reader_.has_head() && !std::exchange(has_head_, true)) {
            is_http_1_0_ = reader_.head().version() < 11;
            return event::head;
        }
        if (used == 0)
            break;
    }
    if (!reader_.is_done())
        return event::none;
    if (!is_http_1_0_ && reader_.head().count(boost::beast::http::field::host) != 1) // RFC 9112, 3.2
        return refuse(400);
    return event::complete;
}

LINKSPAN_DECL void http_request_reader::begin()
{
    auto const repeated = last_head_.find(in_, max_head_, max_body_);
    is_repeated_ = repeated.size != 0;
    if (!is_repeated_) {
        reader_.restart();
        last_head_.restart();
    } else {
        request_.head.replace(boost::beast::http::field::content_length, repeated.length);
        missing_body_ = repeated.body_size;
        in_.erase(0, repeated.size);
    }
    request_.body.clear();
    is_reading_ = true;
    has_head_ = false;
}

LINKSPAN_DECL http_request_reader::event http_request_reader::next_of_repeated()
{
    if (!std::exchange(has_head_, true))
        return event::head;
    auto const size = static_cast<std::size_t>(std::min<std::uint64_t>(missing_body_, in_.size()));
    if (size != 0) {
        on_body(std::string_view(in_).substr(0, size));
        in_.erase(0, size);
        missing_body_ -= size;
    }
    if (status_ != 0)
        return event::invalid;
    return missing_body_ == 0 ? event::complete : event::none;
}

LINKSPAN_DECL bool http_request_reader::expects_continue() const
{
    return !is_repeated_ && !reader_.is_done() && in_.empty() &&
           equal_ignoring_case(reader_.head()[boost::beast::http::field::expect], "100-continue");
}

LINKSPAN_DECL int http_request_reader::status_of_announced_body() const noexcept
{
    auto const text = reader_.head()[boost::beast::http::field::content_length];
    std::size_t size = 0; // of a body in chunks: not known
    std::from_chars(text.data(), text.data() + text.size(), size);
    return !bodies_ || size <= kept_text ? 0 : bodies_->status_of(size, address_);
}

LINKSPAN_DECL void http_request_reader::on_long_body(std::string_view piece)
{
    auto const size = request_.body.size() + piece.size();
    if (bodies_ && !share_)
        share_ = std::make_shared<body_budget::share>(bodies_, address_);
    if (status_ == 0 && share_)
        status_ = share_->status_of(size);
    if (status_ != 0)
        return;
    request_.body += piece;
    if (share_)
        share_->set(size);
}

LINKSPAN_DECL void http_request_reader::clear() noexcept
{
    in_.clear();
    request_.body.clear();
    release_long_text(request_.body);
    share_.reset();
}

LINKSPAN_DECL http_request_reader::event http_request_reader::refuse(int status) noexcept
{
    status_ = status;
    return event::invalid;
}

LINKSPAN_DECL http_server_request const& http_request_reader::take() noexcept
{
    is_reading_ = false;
    if (!is_repeated_) {
        reader_.swap_head(request_.head);
        last_head_.keep(request_.head, reader_.keeps_alive());
    }
    return request_;
}

} // namespace linkspan::detail

#endif
