#ifndef LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALLS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALLS_HPP

#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/merged_list.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>

// Operations of a connector on resources, templates and prompts, as free functions, so that programs compile without
// the classes of the connector.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Lists the entries of all servers. `Entry`: `resource`, `resource_template` or `prompt`.
template<class Entry>
void list_all(core_pointer const& core, pending_handler<void(error_code, merged_list<Entry>)> done);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/entry_calls.ipp>
#endif

#endif
