#ifndef LINKSPAN_CONNECTOR_IMPL_INTERCEPTOR_IPP
#define LINKSPAN_CONNECTOR_IMPL_INTERCEPTOR_IPP

#include <linkspan/connector/interceptor.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL asio::awaitable<call_result> next_call::operator()(tool_request request) const
{
    if (at_ == chain_->all.size())
        return chain_->last(std::move(request));
    return chain_->all[at_](std::move(request), next_call(chain_, at_ + 1));
}

} // namespace linkspan

#endif
