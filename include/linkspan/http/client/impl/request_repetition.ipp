#ifndef LINKSPAN_HTTP_CLIENT_IMPL_REQUEST_REPETITION_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_REQUEST_REPETITION_IPP

#include <linkspan/http/client/detail/request_repetition.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Only 307 and 308 require that the method and the body remain. Credentials stay within the origin of the transport.
LINKSPAN_DECL std::optional<std::string> request_repetition::on_response(int status, std::string_view location,
                                                                         http_url const& base, std::string_view target,
                                                                         redirects follow)
{
    if ((status != 307 && status != 308) || follow == redirects::none || location.empty() ||
        redirects_ == max_redirects)
        return std::nullopt;
    auto from = base;
    from.target = target;
    auto to = resolve_http_url(from, location);
    if (!to || !to->has_origin_of(base))
        return std::nullopt;
    ++redirects_;
    return std::move(to->target);
}

LINKSPAN_DECL request_repetition::step request_repetition::on_unauthorized(bool has_provider, bool is_current) noexcept
{
    if (!has_provider || std::exchange(authorized_again_, true))
        return step::none;
    return is_current ? step::request_token : step::send_again;
}

} // namespace linkspan::detail

#endif
