#ifndef LINKSPAN_HPP
#define LINKSPAN_HPP

// All that programs use, but the transports, <linkspan/make_connector.hpp>, which needs `stdio`, and the test kit:
// include those that you use, as <linkspan/transport/stdio.hpp>.

#include <linkspan/agent.hpp>
#include <linkspan/blocking_connector.hpp>
#include <linkspan/call_context.hpp>
#include <linkspan/call_error.hpp>
#include <linkspan/call_many.hpp>
#include <linkspan/call_result_as.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/connector_config.hpp>
#include <linkspan/default_servers.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/elicitation.hpp>
#include <linkspan/error.hpp>
#include <linkspan/local_tool.hpp>
#include <linkspan/policy/metrics.hpp>
#include <linkspan/policy/observe_all.hpp>
#include <linkspan/policy/text_log.hpp>
#include <linkspan/roots.hpp>
#include <linkspan/run.hpp>
#include <linkspan/sampling.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/session.hpp>
#include <linkspan/signal_guard.hpp>
#include <linkspan/throwing.hpp>
#include <linkspan/tool_export.hpp>
#include <linkspan/version.hpp>
#include <linkspan/while_open.hpp>
#include <linkspan/with_fallback.hpp>

#endif
