#ifndef LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_ENTRIES_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CONNECTOR_ENTRIES_HPP

#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/entry_call.hpp>
#include <linkspan/connector/detail/entry_lister.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/core/detail/object_pool.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The parts of a connector for resources, templates and prompts. Created by their first use.
struct connector_entries {
    explicit connector_entries(connector_core& owner) : lister(owner, owner.driver(), stored)
    {
        report_outstanding(owner, calls);
    }

    result_store stored;           // results of reads, if the program enables it
    entry_lister lister;           // the lists of the servers; refers to `stored`
    object_pool<entry_call> calls; // requests for entries, which are reused
};

// Returns the parts of the connector for resources, templates and prompts.
inline connector_entries& entries_of(connector_core& owner)
{
    if (!owner.entries())
        owner.entries() = std::make_shared<connector_entries>(owner);
    return *owner.entries();
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/entry_call.ipp>
#endif

#endif
