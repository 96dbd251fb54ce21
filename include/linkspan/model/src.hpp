#ifndef LINKSPAN_MODEL_SRC_HPP
#define LINKSPAN_MODEL_SRC_HPP

// Function definitions of the module `model` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/model/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/model/impl/annotations.ipp>
#include <linkspan/model/impl/call_error.ipp>
#include <linkspan/model/impl/call_result.ipp>
#include <linkspan/model/impl/client_capabilities.ipp>
#include <linkspan/model/impl/completion.ipp>
#include <linkspan/model/impl/content.ipp>
#include <linkspan/model/impl/elicitation.ipp>
#include <linkspan/model/impl/entry_list.ipp>
#include <linkspan/model/impl/implementation.ipp>
#include <linkspan/model/impl/log_message.ipp>
#include <linkspan/model/impl/pin_comparison.ipp>
#include <linkspan/model/impl/progress.ipp>
#include <linkspan/model/impl/prompt.ipp>
#include <linkspan/model/impl/required_elicitations.ipp>
#include <linkspan/model/impl/resource.ipp>
#include <linkspan/model/impl/responder.ipp>
#include <linkspan/model/impl/result_error.ipp>
#include <linkspan/model/impl/roots.ipp>
#include <linkspan/model/impl/sampling.ipp>
#include <linkspan/model/impl/sampling_message.ipp>
#include <linkspan/model/impl/sampling_rules.ipp>
#include <linkspan/model/impl/task.ipp>
#include <linkspan/model/impl/tool.ipp>
#include <linkspan/model/impl/tool_page.ipp>

#endif
