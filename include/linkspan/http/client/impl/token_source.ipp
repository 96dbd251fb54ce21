#ifndef LINKSPAN_HTTP_CLIENT_IMPL_TOKEN_SOURCE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_TOKEN_SOURCE_IPP

#include <linkspan/http/client/detail/token_source.hpp>
#include <linkspan/http/http_headers.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>

#include <boost/asio/error.hpp>

#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL token_source::token_source(http_auth const& auth, redactor secrets)
    : has_provider_(std::holds_alternative<token_provider>(auth)), fixed_(std::move(secrets)), secrets_(fixed_)
{
    if (auto const* const bearer = std::get_if<bearer_token>(&auth))
        append_header(authorization_, "Authorization", "Bearer " + bearer->value);
    else if (auto const* const key = std::get_if<api_key>(&auth))
        append_header(authorization_, key->header, key->value);
}

LINKSPAN_DECL bool token_source::must_wait(std::string_view challenge, time_point now) const noexcept
{
    return has_provider_ && !(has_token_ && challenge.empty() && now < ends_);
}

LINKSPAN_DECL unsigned token_source::begin_request() noexcept
{
    if (std::exchange(is_requested_, true))
        return 0;
    has_token_ = false;
    return ++requests_;
}

LINKSPAN_DECL bool token_source::end_request() noexcept { return std::exchange(is_requested_, false); }

LINKSPAN_DECL error_code token_source::on_result(error_code ec, access_token token, time_point now)
{
    if (ec)
        return ec;
    if (!header_fault("Authorization", token.value).empty())
        return asio::error::invalid_argument;
    auto authorization = "Authorization: Bearer " + token.value + "\r\n";
    remember_secret(std::move(token.value));
    // The rest of the function does not throw.
    ++tokens_;
    has_token_ = true;
    ends_ = token.expires_in ? request_scheduler::later(now, *token.expires_in) : time_point::max();
    authorization_ = std::move(authorization);
    return {};
}

LINKSPAN_DECL void token_source::remember_secret(std::string token)
{
    auto secrets = fixed_;
    for (std::size_t i = recent_.size() < max_recent_tokens ? 0 : 1; i != recent_.size(); ++i)
        secrets.add(recent_[i]);
    secrets.add(token);
    recent_.push_back(std::move(token));
    if (recent_.size() > max_recent_tokens)
        recent_.pop_front();
    secrets_ = std::move(secrets);
}

} // namespace linkspan::detail

#endif
