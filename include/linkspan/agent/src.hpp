#ifndef LINKSPAN_AGENT_SRC_HPP
#define LINKSPAN_AGENT_SRC_HPP

// Function definitions of the module `agent` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/agent/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/agent/impl/agent.ipp>
#include <linkspan/agent/impl/model_call.ipp>
#include <linkspan/agent/impl/tool_export.ipp>
#include <linkspan/agent/impl/tool_result_message.ipp>

#endif
