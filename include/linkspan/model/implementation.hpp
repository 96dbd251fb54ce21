#ifndef LINKSPAN_MODEL_IMPLEMENTATION_HPP
#define LINKSPAN_MODEL_IMPLEMENTATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Name and version of a client or a server (`clientInfo`, `serverInfo`).
///
/// The texts are for display only: a program must not derive from them the features or the permissions of a peer.
///
/// \par Specification
/// MCP 2026-07-28, schema: `Implementation`.
struct implementation {
    std::string name{};        ///< name, such as `linkspan`
    std::string version{};     ///< version, such as `1.2`
    std::string title{};       ///< human-readable name (since 2025-06-18); empty: none
    std::string description{}; ///< description (since 2025-11-25); empty: none
    std::string website_url{}; ///< URL of the web site (since 2025-11-25); empty: none
    std::vector<icon> icons{}; ///< icons (since 2025-11-25); empty: none

    bool operator==(implementation const&) const = default;
};

/// Reads an implementation from the text of a JSON object. Missing members are empty.
///
/// \throws std::bad_alloc
LINKSPAN_DECL implementation read_implementation(std::string_view json);

/// Appends an implementation as a JSON object, with the members that the protocol version has.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, implementation const& from, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/implementation.ipp>
#endif

#endif
