#ifndef LINKSPAN_TEST_FAULT_DETAIL_PROCESS_FAULT_HPP
#define LINKSPAN_TEST_FAULT_DETAIL_PROCESS_FAULT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Has the effect of `half_close` or of a fault of the layer `process` on the process of the caller, which serves one
// scripted server.
// Kinds that end the process do not return. `stdin_unread` has no effect here: the connection stops to receive.
LINKSPAN_DECL void affect_own_process(fault_setting const& fault);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/fault/impl/process_fault.ipp>
#endif

#endif
