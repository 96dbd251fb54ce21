#ifndef LINKSPAN_CONNECTOR_DETAIL_DEFAULT_TABLE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_DEFAULT_TABLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/policy/set.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns a table of `default_policies`. Not a template, so that programs compile without these policies.
LINKSPAN_DECL std::unique_ptr<policy_table> make_default_table();

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/default_table.ipp>
#endif

#endif
