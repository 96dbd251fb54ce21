#ifndef LINKSPAN_MODEL_WIRE_MEMBERS_HPP
#define LINKSPAN_MODEL_WIRE_MEMBERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <array>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {

/// Members of messages, and types of content, that not all protocol versions have.
enum class wire_member : std::size_t {
    audio_content,          ///< content blocks of the type `audio`
    resource_link_content,  ///< content blocks of the type `resource_link`
    tool_content,           ///< content blocks of the types `tool_use` and `tool_result`
    title,                  ///< `title` of tools, resources, templates, prompts, their arguments, and implementations
    meta,                   ///< `_meta` of content, tools, resources, templates and prompts
    last_modified,          ///< `lastModified` of annotations
    icons,                  ///< `icons` of tools, resources, templates, prompts and implementations
    implementation_details, ///< `description` and `websiteUrl` of implementations
    tool_annotations,       ///< `annotations` of tools
    tool_output,            ///< `outputSchema` of tools, and `structuredContent` of their results
    any_structured_content, ///< a `structuredContent` that is not an object, and its schema
    task_support,           ///< `execution.taskSupport` of tools
    progress_message,       ///< `message` of `notifications/progress`
    completions,            ///< server capability `completions`
    completion_context,     ///< `context` of `completion/complete`
    elicitation,            ///< client capability `elicitation`
    elicitation_modes,      ///< `mode` of elicitation requests, and the capabilities `form` and `url`
    elicitation_id,         ///< `elicitationId` of elicitations of the mode `url`, its notification, and error -32042
    sampling_tools,         ///< `tools` and `toolChoice` of sampling requests, messages with several blocks or with
                            ///< `_meta`, and the capabilities `tools` and `context`
    roots_list_changed,     ///< `listChanged` of the client capability `roots`
    extensions,             ///< capability `extensions`
    result_type,            ///< `resultType` of results
    cache_hints,            ///< `ttlMs` and `cacheScope` of results
    count                   ///< number of the members above
};

/// Protocol versions that have a member: from `first` to `last`, both included.
struct wire_row {
    wire_member id;                                        ///< the member
    protocol_version first;                                ///< the first version that has the member
    protocol_version last = protocol_version::v2026_07_28; ///< the last version that has the member
};

/// One row per member, in the order of the enumerators.
///
/// \par Specification
/// The pages "Key Changes" and the schemas of the protocol versions.
inline constexpr std::array<wire_row, static_cast<std::size_t>(wire_member::count)> wire_rows{{
    {wire_member::audio_content, protocol_version::v2025_03_26},
    {wire_member::resource_link_content, protocol_version::v2025_06_18},
    {wire_member::tool_content, protocol_version::v2025_11_25},
    {wire_member::title, protocol_version::v2025_06_18},
    {wire_member::meta, protocol_version::v2025_06_18},
    {wire_member::last_modified, protocol_version::v2025_06_18},
    {wire_member::icons, protocol_version::v2025_11_25},
    {wire_member::implementation_details, protocol_version::v2025_11_25},
    {wire_member::tool_annotations, protocol_version::v2025_03_26},
    {wire_member::tool_output, protocol_version::v2025_06_18},
    {wire_member::any_structured_content, protocol_version::v2026_07_28},
    {wire_member::task_support, protocol_version::v2025_11_25, protocol_version::v2025_11_25},
    {wire_member::progress_message, protocol_version::v2025_03_26},
    {wire_member::completions, protocol_version::v2025_03_26},
    {wire_member::completion_context, protocol_version::v2025_06_18},
    {wire_member::elicitation, protocol_version::v2025_06_18},
    {wire_member::elicitation_modes, protocol_version::v2025_11_25},
    {wire_member::elicitation_id, protocol_version::v2025_11_25, protocol_version::v2025_11_25},
    {wire_member::sampling_tools, protocol_version::v2025_11_25},
    {wire_member::roots_list_changed, protocol_version::v2024_11_05, protocol_version::v2025_11_25},
    {wire_member::extensions, protocol_version::v2026_07_28},
    {wire_member::result_type, protocol_version::v2026_07_28},
    {wire_member::cache_hints, protocol_version::v2026_07_28},
}};

/// Returns whether messages of a protocol version have a member.
constexpr bool has_member(protocol_version id, wire_member member) noexcept
{
    auto const& row = wire_rows[static_cast<std::size_t>(member)];
    return row.first <= id && id <= row.last;
}

static_assert([] {
    for (std::size_t i = 0; i != wire_rows.size(); ++i)
        if (wire_rows[i].id != static_cast<wire_member>(i))
            return false;
    return true;
}());

} // namespace linkspan

#endif
