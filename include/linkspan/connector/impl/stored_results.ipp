#ifndef LINKSPAN_CONNECTOR_IMPL_STORED_RESULTS_IPP
#define LINKSPAN_CONNECTOR_IMPL_STORED_RESULTS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/stored_results.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void limit_tool_results(connector_base& hub, std::size_t max_bytes, std::size_t max_results)
{
    detail::connector_access::core(hub)->enable_tool_results().limit(max_bytes, max_results);
}

LINKSPAN_DECL void drop_tool_results(connector_base& hub)
{
    if (auto* const stored = detail::connector_access::core(hub)->tool_results())
        stored->clear();
}

} // namespace linkspan

#endif
