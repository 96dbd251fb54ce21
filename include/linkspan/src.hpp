#ifndef LINKSPAN_SRC_HPP
#define LINKSPAN_SRC_HPP

// Include this in exactly one translation unit of a program built with LINKSPAN_SEPARATE_COMPILATION.

#include <linkspan/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/impl/agent.ipp>
#include <linkspan/impl/call_context.ipp>
#include <linkspan/impl/call_error.ipp>
#include <linkspan/impl/call_flow.ipp>
#include <linkspan/impl/call_result.ipp>
#include <linkspan/impl/call_result_as.ipp>
#include <linkspan/impl/canonical_json.ipp>
#include <linkspan/impl/catalog.ipp>
#include <linkspan/impl/catalog_json.ipp>
#include <linkspan/impl/child_process.ipp>
#include <linkspan/impl/child_state.ipp>
#include <linkspan/impl/child_stream.ipp>
#include <linkspan/impl/compilation.ipp>
#include <linkspan/impl/compile_schema.ipp>
#include <linkspan/impl/compose.ipp>
#include <linkspan/impl/config_json.ipp>
#include <linkspan/impl/config_problem.ipp>
#include <linkspan/impl/config_reader.ipp>
#include <linkspan/impl/config_text.ipp>
#include <linkspan/impl/connection_error.ipp>
#include <linkspan/impl/connector_config.ipp>
#include <linkspan/impl/connector_core.ipp>
#include <linkspan/impl/connector_state.ipp>
#include <linkspan/impl/constraints.ipp>
#include <linkspan/impl/default_servers.ipp>
#include <linkspan/impl/elicitation.ipp>
#include <linkspan/impl/envelope.ipp>
#include <linkspan/impl/error.ipp>
#include <linkspan/impl/evaluate_schema.ipp>
#include <linkspan/impl/expand.ipp>
#include <linkspan/impl/findings.ipp>
#include <linkspan/impl/http_headers.ipp>
#include <linkspan/impl/http_reply.ipp>
#include <linkspan/impl/http_serving.ipp>
#include <linkspan/impl/inproc.ipp>
#include <linkspan/impl/input_exchange.ipp>
#include <linkspan/impl/input_rounds.ipp>
#include <linkspan/impl/interception.ipp>
#include <linkspan/impl/interceptor.ipp>
#include <linkspan/impl/json_fault.ipp>
#include <linkspan/impl/json_number.ipp>
#include <linkspan/impl/json_scan.ipp>
#include <linkspan/impl/json_writer.ipp>
#include <linkspan/impl/keyword_reader.ipp>
#include <linkspan/impl/local_tool.ipp>
#include <linkspan/impl/logical_call.ipp>
#include <linkspan/impl/metrics.ipp>
#include <linkspan/impl/mirrored_arguments.ipp>
#include <linkspan/impl/mismatch.ipp>
#include <linkspan/impl/model_answer.ipp>
#include <linkspan/impl/negotiation.ipp>
#include <linkspan/impl/pattern.ipp>
#include <linkspan/impl/pattern_reader.ipp>
#include <linkspan/impl/progress.ipp>
#include <linkspan/impl/redact.ipp>
#include <linkspan/impl/responder.ipp>
#include <linkspan/impl/roots.ipp>
#include <linkspan/impl/sampling.ipp>
#include <linkspan/impl/schema_options.ipp>
#include <linkspan/impl/schema_references.ipp>
#include <linkspan/impl/schema_resources.ipp>
#include <linkspan/impl/schema_verdict.ipp>
#include <linkspan/impl/server_address.ipp>
#include <linkspan/impl/server_config.ipp>
#include <linkspan/impl/server_dialogue.ipp>
#include <linkspan/impl/server_lifecycle.ipp>
#include <linkspan/impl/server_reader.ipp>
#include <linkspan/impl/server_tools.ipp>
#include <linkspan/impl/session_core.ipp>
#include <linkspan/impl/session_opening.ipp>
#include <linkspan/impl/session_ops.ipp>
#include <linkspan/impl/session_repairs.ipp>
#include <linkspan/impl/sse.ipp>
#include <linkspan/impl/stdio.ipp>
#include <linkspan/impl/text_log.ipp>
#include <linkspan/impl/text_source.ipp>
#include <linkspan/impl/time.ipp>
#include <linkspan/impl/tool.ipp>
#include <linkspan/impl/tool_checks.ipp>
#include <linkspan/impl/tool_export.ipp>
#include <linkspan/impl/tool_lookup.ipp>
#include <linkspan/impl/tool_pins.ipp>
#include <linkspan/impl/uri_reference.ipp>
#include <linkspan/impl/validator.ipp>
#include <linkspan/impl/written_number.ipp>

#endif
