#ifndef LINKSPAN_CONNECTOR_DESCRIBED_STATE_HPP
#define LINKSPAN_CONNECTOR_DESCRIBED_STATE_HPP

#include <linkspan/connector/connector_state.hpp>

#include <boost/describe/class.hpp>

// Descriptions of the reports and of the state of a connector for Boost.Describe, for example to print all members.
// Only programs that use the descriptions include this header, because it makes the compilation slower.

namespace linkspan::inline LINKSPAN_ABI {

BOOST_DESCRIBE_STRUCT(server_report, (), (server, ec, phase, detail, protocol_version, tools, elapsed))
BOOST_DESCRIBE_STRUCT(open_report, (), (servers))
BOOST_DESCRIBE_STRUCT(server_end, (), (server, ec, elapsed))
BOOST_DESCRIBE_STRUCT(shutdown_report, (), (servers))
BOOST_DESCRIBE_STRUCT(server_status, (),
                      (server, transport, state, health, priority, protocol_version, tools, in_flight, queued, calls,
                       failures, errors, restarts, unexpected_output, latency, last_probe, uptime, pid, resident_bytes,
                       open_files, retry_at, last_error))
BOOST_DESCRIBE_STRUCT(connector_state, (), (servers, total_tools, last_refresh))

} // namespace linkspan

#endif
