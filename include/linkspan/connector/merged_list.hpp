#ifndef LINKSPAN_CONNECTOR_MERGED_LIST_HPP
#define LINKSPAN_CONNECTOR_MERGED_LIST_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// One entry of a list of one server of a connector.
///
/// \tparam Entry `resource`, `resource_template` or `prompt`.
template<class Entry>
struct listed_entry {
    server_id server{};                   ///< identifier of the server in its connector
    std::string server_key{};             ///< name of the server
    std::shared_ptr<Entry const> entry{}; ///< the entry as its server describes it; never null; all texts are untrusted

    /// Returns the entry.
    Entry const& operator*() const noexcept { return *entry; }
    /// Accesses a member of the entry.
    Entry const* operator->() const noexcept { return entry.get(); }
};

/// A server whose list is missing or out of date, because the server is not connected or its list request failed.
struct failed_list {
    server_id server{};       ///< identifier of the server in its connector
    std::string server_key{}; ///< name of the server
    error_code ec{};          ///< error of the list request; `not_connected`: the server is not connected
    std::string detail{};     ///< human-readable text about the error, without secrets; empty: none
};

/// The lists of all servers of a connector.
///
/// \tparam Entry `resource`, `resource_template` or `prompt`.
template<class Entry>
struct merged_list {
    std::vector<listed_entry<Entry>> entries{}; ///< in the order of the servers in the connector, then of each server
    std::vector<failed_list> failures{};        ///< in the order of the servers; `entries` has their last lists, if any
    std::size_t dropped = 0;                    ///< number of entries that are not valid, which are not in `entries`
};

} // namespace linkspan

#endif
