#ifndef LINKSPAN_HTTP_CLIENT_IMPL_SERVER_STREAM_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_SERVER_STREAM_IPP

#include <linkspan/http/client/detail/server_stream.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool server_stream::fall_back(http_post const& refused, http_verdict const& refusal)
{
    bool const is_initialize = refused.opens && !refused.version;
    if (framing_ != http_framing::automatic || carries_messages_ || !is_initialize ||
        refusal.era != era_evidence::handshake)
        return false;
    refusal_ = refusal;
    carries_messages_ = true;
    return true;
}

LINKSPAN_DECL error_code server_stream::reason_of_end(error_code ec, int status, bool was_stream) noexcept
{
    constexpr int ok = 200;
    if (ec)
        return ec;
    if (was_stream)
        return error::stream_ended;
    return status == ok ? error_code(error::malformed_http) : error_code(status, http_category());
}

} // namespace linkspan::detail

#endif
