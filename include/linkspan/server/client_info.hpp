#ifndef LINKSPAN_SERVER_CLIENT_INFO_HPP
#define LINKSPAN_SERVER_CLIENT_INFO_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/implementation.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Client that sent a request, as the client describes itself. All members except `principal` are untrusted.
///
/// In the era `handshake`, a client describes itself once (`initialize`); in the era `stateless`, in each request.
///
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, basic, "_meta".
struct client_info {
    implementation identity{};       ///< name and version, for display only; the name is empty if none was sent
    std::string capabilities = "{}"; ///< capabilities, as the text of a JSON object
    std::string principal{};         ///< identity that the carrier has authenticated; empty: not authenticated

    /// Returns `capabilities` as a struct. Each call reads the text.
    ///
    /// \throws std::bad_alloc
    client_capabilities declared() const { return read_client_capabilities(capabilities); }
};

} // namespace linkspan

#endif
