#ifndef LINKSPAN_TEST_SRC_HPP
#define LINKSPAN_TEST_SRC_HPP

// Function definitions of the test kit, without servers over HTTP. A program that is built with
// LINKSPAN_SEPARATE_COMPILATION and uses the test kit includes this header in exactly one translation unit, together
// with <linkspan/src.hpp>, <linkspan/src_server.hpp> and <linkspan/bindgen/src.hpp>.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/test/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/test/fault/impl/fault_kind.ipp>
#include <linkspan/test/fault/impl/fault_steps.bytes.ipp>
#include <linkspan/test/fault/impl/fault_steps.http.ipp>
#include <linkspan/test/fault/impl/fault_steps.ipp>
#include <linkspan/test/fault/impl/fault_steps.mcp.ipp>
#include <linkspan/test/fault/impl/process_fault.ipp>
#include <linkspan/test/impl/acting_exchange.ipp>
#include <linkspan/test/impl/case.ipp>
#include <linkspan/test/impl/change_notification.ipp>
#include <linkspan/test/impl/chaos.ipp>
#include <linkspan/test/impl/chaos_case.ipp>
#include <linkspan/test/impl/chaos_plan.ipp>
#include <linkspan/test/impl/default_responses.ipp>
#include <linkspan/test/impl/faulty_output.ipp>
#include <linkspan/test/impl/request_exchange.ipp>
#include <linkspan/test/impl/sample.ipp>
#include <linkspan/test/impl/scripted_server.ipp>
#include <linkspan/test/impl/server_connection.behind.ipp>
#include <linkspan/test/impl/server_connection.ipp>
#include <linkspan/test/impl/server_events.ipp>
#include <linkspan/test/impl/tape.ipp>
#include <linkspan/test/impl/tape.replay.ipp>
#include <linkspan/test/impl/tape.script.ipp>
#include <linkspan/test/impl/trace.ipp>
#include <linkspan/test/impl/virtual_time.ipp>
#include <linkspan/test/impl/world.ipp>
#include <linkspan/test/sample/impl/sample_number.ipp>
#include <linkspan/test/sample/impl/sample_schema.ipp>
#include <linkspan/test/sample/impl/sample_source.containers.ipp>
#include <linkspan/test/sample/impl/sample_source.gathering.ipp>
#include <linkspan/test/sample/impl/sample_source.ipp>
#include <linkspan/test/sample/impl/sample_text.ipp>
#include <linkspan/test/sample/impl/smaller_values.ipp>
#include <linkspan/test/script/impl/delay_text.ipp>
#include <linkspan/test/script/impl/entry_rules.ipp>
#include <linkspan/test/script/impl/expectation.ipp>
#include <linkspan/test/script/impl/found_text.ipp>
#include <linkspan/test/script/impl/gates.ipp>
#include <linkspan/test/script/impl/json_template.ipp>
#include <linkspan/test/script/impl/matcher.ipp>
#include <linkspan/test/script/impl/matcher_reader.ipp>
#include <linkspan/test/script/impl/mock_script.ipp>
#include <linkspan/test/script/impl/near_miss.ipp>
#include <linkspan/test/script/impl/repeated_names.ipp>
#include <linkspan/test/script/impl/rule_conditions.ipp>
#include <linkspan/test/script/impl/rule_engine.ipp>
#include <linkspan/test/script/impl/rule_engine.nearest.ipp>
#include <linkspan/test/script/impl/rule_order.ipp>
#include <linkspan/test/script/impl/script_names.ipp>
#include <linkspan/test/script/impl/script_problems.ipp>
#include <linkspan/test/script/impl/script_reader.actions.ipp>
#include <linkspan/test/script/impl/script_reader.changes.ipp>
#include <linkspan/test/script/impl/script_reader.delays.ipp>
#include <linkspan/test/script/impl/script_reader.ipp>
#include <linkspan/test/script/impl/script_tools.ipp>
#include <linkspan/test/script/impl/script_writer.ipp>
#include <linkspan/test/script/impl/script_writer.rules.ipp>
#include <linkspan/test/script/impl/span_text.ipp>
#include <linkspan/test/script/impl/state_actions.ipp>
#include <linkspan/test/script/impl/to_script.ipp>
#include <linkspan/test/script/impl/value_conditions.ipp>

#endif
