#ifndef LINKSPAN_HPP
#define LINKSPAN_HPP

// Everything but the transports: include those that you use, as <linkspan/transport/stdio.hpp>.

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
