#ifndef LINKSPAN_CONNECTOR_IMPL_PROCESS_USAGE_IPP
#define LINKSPAN_CONNECTOR_IMPL_PROCESS_USAGE_IPP

#include <linkspan/connector/process_usage.hpp>
#include <linkspan/transport/stdio/child_usage.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void add_process_usage(connector_state& state)
{
    for (auto& server : state.servers) {
        auto const usage = server.pid ? read_child_usage(*server.pid) : child_usage();
        server.resident_bytes = usage.resident_bytes;
        server.open_files = usage.open_files;
    }
}

} // namespace linkspan

#endif
