#ifndef LINKSPAN_MODEL_PROTOCOL_VERSION_HPP
#define LINKSPAN_MODEL_PROTOCOL_VERSION_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace linkspan {

/// The protocol versions of the Model Context Protocol that this library speaks, oldest first.
enum class protocol_version { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

/// How a conversation begins: with a handshake that fixes everything, or with none, every request on its own.
enum class era { handshake, stateless };

/// What an answer of the carrier, instead of the peer, says about the era of the server.
enum class era_evidence { none, handshake, stateless };

/// What a protocol version does differently. This table is the only place that says so.
struct protocol_version_traits {
    protocol_version id;
    std::string_view text;                 ///< as it goes over the wire
    era opening;                           ///< `initialize`, or an envelope in every request
    bool batches;                          ///< a message may be an array of messages
    bool server_requests;                  ///< the server may send requests of its own
    bool progress_has_message;             ///< `notifications/progress` carries a text
    bool results_have_type;                ///< `resultType` tells a result that is complete from one that is not
    bool structured_content;               ///< tools have an output schema, and results `structuredContent`
    bool elicitation;                      ///< the server may ask the user
    bool elicitation_modes;                ///< by a form, or by a page; before, by a form only
    bool names_protocol_version_in_header; ///< `MCP-Protocol-Version` goes with each request over HTTP
};

// Specification: the "Key Changes" page of each protocol version.
inline constexpr std::array<protocol_version_traits, 5> protocol_versions{{
    {protocol_version::v2024_11_05, "2024-11-05", era::handshake, false, true, false, false, false, false, false,
     false},
    {protocol_version::v2025_03_26, "2025-03-26", era::handshake, true, true, true, false, false, false, false, false},
    {protocol_version::v2025_06_18, "2025-06-18", era::handshake, false, true, true, false, true, true, false, true},
    {protocol_version::v2025_11_25, "2025-11-25", era::handshake, false, true, true, false, true, true, true, true},
    {protocol_version::v2026_07_28, "2026-07-28", era::stateless, false, false, true, true, true, true, true, true},
}};

constexpr protocol_version_traits const& traits_of(protocol_version id) noexcept
{
    return protocol_versions[static_cast<std::size_t>(id)];
}

constexpr std::string_view to_string(protocol_version id) noexcept { return traits_of(id).text; }

constexpr std::optional<protocol_version> protocol_version_from(std::string_view text) noexcept
{
    for (auto const& row : protocol_versions)
        if (row.text == text)
            return row.id;
    return std::nullopt;
}

/// The newest protocol version of an era.
constexpr protocol_version newest(era opening) noexcept
{
    auto best = protocol_versions.front().id;
    for (auto const& row : protocol_versions)
        if (row.opening == opening)
            best = row.id;
    return best;
}

} // namespace linkspan

#endif
