#ifndef LINKSPAN_HTTP_CLIENT_IMPL_STREAM_RESUMPTION_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_STREAM_RESUMPTION_IPP

#include <linkspan/http/client/detail/stream_resumption.hpp>

#include <boost/assert.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void stream_resumption::on_end(sse_parser const* events)
{
    if (events && !events->last_id().empty())
        position_ = events->last_id();
    if (events && events->retry())
        retry_ = events->retry();
    if (std::exchange(has_event_, false))
        attempts_ = 0;
}

LINKSPAN_DECL stream_resumption stream_resumption::next() const
{
    auto out = *this;
    out.has_event_ = false;
    ++out.attempts_;
    return out;
}

LINKSPAN_DECL duration stream_resumption::pause(duration base, bool is_endless) const noexcept
{
    constexpr unsigned max_doublings = 5;
    BOOST_ASSERT(attempts_ != 0);
    auto const doubled = std::min(base * (1 << std::min(attempts_ - 1, max_doublings)), max_pause);
    auto out = retry_.value_or(doubled);
    if (is_endless && attempts_ > 1)
        out = std::max(out, doubled);
    return std::max(out, min_pause);
}

} // namespace linkspan::detail

#endif
