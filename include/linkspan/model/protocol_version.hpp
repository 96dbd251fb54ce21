#ifndef LINKSPAN_MODEL_PROTOCOL_VERSION_HPP
#define LINKSPAN_MODEL_PROTOCOL_VERSION_HPP

#include <linkspan/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Protocol versions of the Model Context Protocol that this library supports. An older version is less than a newer
/// one.
///
/// - `v2024_11_05`: the first version, over stdio and HTTP+SSE;
/// - `v2025_03_26`: adds Streamable HTTP, tool annotations and batches;
/// - `v2025_06_18`: adds structured content and elicitation, removes batches;
/// - `v2025_11_25`: adds modes of elicitation;
/// - `v2026_07_28`: replaces the handshake by stateless requests, and the requests of the server to the client by
///   results of the type `input_required`.
enum class protocol_version { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

/// Families of protocol versions. They differ in the way in which client and server agree on version and capabilities.
///
/// - `handshake`: client and server agree once per session, by `initialize` (2024-11-05 to 2025-11-25);
/// - `stateless`: each request contains the version and the capabilities of the client (2026-07-28).
enum class era : std::uint8_t { handshake, stateless };

/// Conclusion of a transport about the era of a server, for example from the HTTP status of a response.
///
/// - `none`: the response allows no conclusion;
/// - `handshake`: the server requires a handshake;
/// - `stateless`: the server requires stateless requests.
enum class era_evidence { none, handshake, stateless };

/// Properties of one protocol version: one row of the table `protocol_versions`. The table `wire_rows` in
/// `<linkspan/model/wire_members.hpp>` lists the members of messages that not all protocol versions have.
struct protocol_version_traits {
    protocol_version id;                   ///< the version that the row describes
    std::string_view text;                 ///< the version in messages, such as `2025-11-25`
    linkspan::era era;                     ///< the era of the version
    bool batches;                          ///< a message may be an array of messages
    bool server_requests;                  ///< the server may send JSON-RPC requests to the client
    bool progress_has_message;             ///< `notifications/progress` has the member `message`
    bool results_have_type;                ///< results have `resultType`, such as `complete` or `input_required`
    bool structured_content;               ///< tools have `outputSchema` and results have `structuredContent`
    bool elicitation;                      ///< the server may request input of the end user
    bool elicitation_modes;                ///< elicitation has the modes `form` and `url`; before: forms only
    bool names_protocol_version_in_header; ///< HTTP requests have the header `MCP-Protocol-Version`
};

/// Traits of all supported protocol versions, oldest first; the index of a row is the value of its `id`.
///
/// \par Specification
/// The page "Key Changes" of each protocol version.
inline constexpr std::array<protocol_version_traits, 5> protocol_versions{{
    {protocol_version::v2024_11_05, "2024-11-05", era::handshake, false, true, false, false, false, false, false,
     false},
    {protocol_version::v2025_03_26, "2025-03-26", era::handshake, true, true, true, false, false, false, false, false},
    {protocol_version::v2025_06_18, "2025-06-18", era::handshake, false, true, true, false, true, true, false, true},
    {protocol_version::v2025_11_25, "2025-11-25", era::handshake, false, true, true, false, true, true, true, true},
    {protocol_version::v2026_07_28, "2026-07-28", era::stateless, false, false, true, true, true, true, true, true},
}};

/// Returns the traits of a protocol version.
constexpr protocol_version_traits const& traits_of(protocol_version id) noexcept
{
    return protocol_versions[static_cast<std::size_t>(id)];
}

/// Returns the text of a protocol version as it is sent in messages, such as `2025-11-25`.
constexpr std::string_view to_string(protocol_version id) noexcept { return traits_of(id).text; }

/// Returns the protocol version with a given text, such as `2025-11-25`; empty if the library does not support it.
constexpr std::optional<protocol_version> protocol_version_from(std::string_view text) noexcept
{
    for (auto const& row : protocol_versions)
        if (row.text == text)
            return row.id;
    return std::nullopt;
}

/// Returns the newest supported protocol version of an era.
constexpr protocol_version newest(era family) noexcept
{
    auto best = protocol_versions.front().id;
    for (auto const& row : protocol_versions)
        if (row.era == family)
            best = row.id;
    return best;
}

} // namespace linkspan

#endif
