#ifndef LINKSPAN_CONNECTOR_SRC_HPP
#define LINKSPAN_CONNECTOR_SRC_HPP

// Function definitions of the module `connector` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/connector/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/connector/impl/attempt_interception.ipp>
#include <linkspan/connector/impl/attempt_trail.ipp>
#include <linkspan/connector/impl/call_failure.ipp>
#include <linkspan/connector/impl/call_flow.ipp>
#include <linkspan/connector/impl/call_many.ipp>
#include <linkspan/connector/impl/call_operation.ipp>
#include <linkspan/connector/impl/call_routing.ipp>
#include <linkspan/connector/impl/call_runner.ipp>
#include <linkspan/connector/impl/call_runner.resolution.ipp>
#include <linkspan/connector/impl/call_runner.storing.ipp>
#include <linkspan/connector/impl/catalog.ipp>
#include <linkspan/connector/impl/catalog_builder.ipp>
#include <linkspan/connector/impl/catalog_json.ipp>
#include <linkspan/connector/impl/catalog_publisher.ipp>
#include <linkspan/connector/impl/connection_error.ipp>
#include <linkspan/connector/impl/connector.ipp>
#include <linkspan/connector/impl/connector_context.ipp>
#include <linkspan/connector/impl/connector_core.ipp>
#include <linkspan/connector/impl/connector_state.ipp>
#include <linkspan/connector/impl/core_calls.ipp>
#include <linkspan/connector/impl/default_table.ipp>
#include <linkspan/connector/impl/entry_call.ipp>
#include <linkspan/connector/impl/entry_calls.ipp>
#include <linkspan/connector/impl/entry_lister.ipp>
#include <linkspan/connector/impl/find_session.ipp>
#include <linkspan/connector/impl/intercepted_call.ipp>
#include <linkspan/connector/impl/interceptor.ipp>
#include <linkspan/connector/impl/notifications.ipp>
#include <linkspan/connector/impl/process_usage.ipp>
#include <linkspan/connector/impl/resolve_tool.ipp>
#include <linkspan/connector/impl/result_classifier.ipp>
#include <linkspan/connector/impl/result_store.ipp>
#include <linkspan/connector/impl/retired_catalogs.ipp>
#include <linkspan/connector/impl/schema_checks.ipp>
#include <linkspan/connector/impl/server_driver.ipp>
#include <linkspan/connector/impl/server_operations.ipp>
#include <linkspan/connector/impl/server_options.ipp>
#include <linkspan/connector/impl/server_prober.ipp>
#include <linkspan/connector/impl/server_registry.ipp>
#include <linkspan/connector/impl/server_supervisor.ipp>
#include <linkspan/connector/impl/stored_results.ipp>
#include <linkspan/connector/impl/tool_list_update.ipp>
#include <linkspan/connector/impl/tool_lister.ipp>
#include <linkspan/connector/impl/tool_registry.ipp>

#endif
