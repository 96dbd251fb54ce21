#ifndef LINKSPAN_HPP
#define LINKSPAN_HPP

// Umbrella header for programs. Among others, these headers are not included: those of transports, such as
// <linkspan/transport/stdio.hpp>; <linkspan/config/make_connector.hpp>, which includes that header; those of requests
// for resources, prompts and tasks; <linkspan/server.hpp>; and those of the test kit. See doc/start.md, "Headers".

#include <linkspan/agent.hpp>
#include <linkspan/agent/tool_export.hpp>
#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/default_servers.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/connector/blocking_connector.hpp>
#include <linkspan/connector/call_many.hpp>
#include <linkspan/connector/call_with_fallback.hpp>
#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/described_state.hpp>
#include <linkspan/connector/signal_guard.hpp>
#include <linkspan/connector/with_open.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/run.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/local_tool.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/observe/metrics.hpp>
#include <linkspan/observe/observe_all.hpp>
#include <linkspan/observe/text_log.hpp>
#include <linkspan/policy.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/session.hpp>
#include <linkspan/session/call_context.hpp>
#include <linkspan/session/throwing.hpp>

#endif
