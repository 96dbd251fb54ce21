#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_MANY_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_MANY_IPP

#include <linkspan/connector/call_many.hpp>
#include <linkspan/core/detail/many_operations.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void start_calls(connector_base* hub, std::vector<tool_call> calls,
                               pending_handler<void(error_code, std::vector<call_outcome>)> done)
{
    auto const all = std::make_shared<many_operations<call_outcome>>(std::move(done), calls.size());
    auto const start = [&](std::size_t i, auto handler) {
        hub->async_call(calls[i].tool, calls[i].args, std::move(calls[i].options), std::move(handler));
    };
    all->run(hub->get_executor(), start, [](call_outcome& outcome, error_code ec, call_result result) {
        outcome = {ec, std::move(result)};
    });
}

} // namespace linkspan::detail

#endif
