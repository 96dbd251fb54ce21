#ifndef LINKSPAN_TEST_FAULT_DETAIL_FAULT_STEPS_HPP
#define LINKSPAN_TEST_FAULT_DETAIL_FAULT_STEPS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/fault/detail/fault_step.hpp>
#include <linkspan/test/fault/detail/faulty_message.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A fault as a list of steps: what a connection sends, and when, in place of a message. The functions have no state and
// no I/O; `faulty_output` executes the steps.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns the steps that replace a message. If its text is not a JSON object, a fault that changes members of the
// message has no effect.
//
// Precondition: the kind applies to the message.
LINKSPAN_DECL fault_steps steps_of(fault_setting const& fault, faulty_message const& on);

// The steps of one layer each.
LINKSPAN_DECL fault_steps byte_steps(fault_setting const& fault, faulty_message const& on);
LINKSPAN_DECL fault_steps json_rpc_steps(fault_kind kind, faulty_message const& on, duration delay);
LINKSPAN_DECL fault_steps mcp_steps(fault_setting const& fault, faulty_message const& on);
LINKSPAN_DECL fault_steps http_steps(fault_setting const& fault, faulty_message const& on);

// Returns the part of an event stream that a step of the kind `resumable` sends: an event without data, with an id.
LINKSPAN_DECL std::string resumable_stream(std::string_view id);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/fault/impl/fault_steps.bytes.ipp>
#include <linkspan/test/fault/impl/fault_steps.http.ipp>
#include <linkspan/test/fault/impl/fault_steps.ipp>
#include <linkspan/test/fault/impl/fault_steps.mcp.ipp>
#endif

#endif
