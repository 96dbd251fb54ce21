#ifndef LINKSPAN_CONNECTOR_IMPL_INTERCEPTOR_IPP
#define LINKSPAN_CONNECTOR_IMPL_INTERCEPTOR_IPP

#include <linkspan/connector/interceptor.hpp>
#include <linkspan/session/throwing.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL asio::awaitable<call_result> next_call::operator()(tool_request request) const
{
    if (at_ == chain_->all.size()) {
        auto const start = [chain = chain_](auto&& done, tool_request changed) {
            chain->last({std::forward<decltype(done)>(done), chain->executor}, std::move(changed));
        };
        return asio::async_result<throwing_t, void(error_code, call_result)>::initiate(start, throwing,
                                                                                       std::move(request));
    }
    return chain_->all[at_](std::move(request), next_call(chain_, at_ + 1));
}

} // namespace linkspan

#endif
