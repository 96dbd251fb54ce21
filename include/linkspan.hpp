#ifndef LINKSPAN_HPP
#define LINKSPAN_HPP

// Sessions, connectors, and what goes with a call. Transports, configurations, observers and the connector that blocks
// have headers of their own: include those that you use, as <linkspan/transport/stdio.hpp>.

#include <linkspan/agent.hpp>
#include <linkspan/call_context.hpp>
#include <linkspan/call_error.hpp>
#include <linkspan/call_many.hpp>
#include <linkspan/call_result_as.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/error.hpp>
#include <linkspan/session.hpp>
#include <linkspan/throwing.hpp>
#include <linkspan/tool_export.hpp>
#include <linkspan/version.hpp>
#include <linkspan/with_fallback.hpp>

#endif
