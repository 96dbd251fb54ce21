#ifndef LINKSPAN_MODEL_HPP
#define LINKSPAN_MODEL_HPP

// Data types of MCP: arguments, results, tools, errors of calls, and the requests that a server sends to its client.

#include <linkspan/model/annotations.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/implementation.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/progress.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/required_elicitations.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/model/result_error.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/model/sampling_message.hpp>
#include <linkspan/model/started_call.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/typed_responder.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/model/wire_members.hpp>

#endif
