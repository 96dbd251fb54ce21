#ifndef LINKSPAN_AGENT_HPP
#define LINKSPAN_AGENT_HPP

// Tools for language models: exporting tools, executing requests of a model, and writing results for the model.

#include <linkspan/agent/agent.hpp>
#include <linkspan/agent/model_call.hpp>
#include <linkspan/agent/tool_export.hpp>
#include <linkspan/agent/tool_result_message.hpp>

#endif
