#ifndef LINKSPAN_MODEL_ANNOTATIONS_HPP
#define LINKSPAN_MODEL_ANNOTATIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Hints of a server about a content block or a resource (`annotations`).
///
/// \par Specification
/// MCP 2026-07-28, schema: `Annotations`.
struct content_annotations {
    std::vector<std::string> audience{}; ///< intended readers: `user`, `assistant`; empty: not specified
    std::optional<double> priority{};    ///< importance, from 0 (optional) to 1 (required); empty: not specified
    std::string last_modified{};         ///< time of the last change in ISO 8601; empty: not specified

    /// Returns whether no hint is set. Content blocks and resources are then written without the member `annotations`.
    bool empty() const noexcept { return audience.empty() && !priority && last_modified.empty(); }

    bool operator==(content_annotations const&) const = default;
};

/// Icon of a tool, a resource, a prompt or an implementation (since 2025-11-25). The library does not load icons.
///
/// \par Specification
/// MCP 2026-07-28, schema: `Icon`.
struct icon {
    std::string src{};                ///< URI of the image: `https` or `data`
    std::string mime_type{};          ///< media type; empty: not specified
    std::vector<std::string> sizes{}; ///< sizes such as `48x48`, or `any`; empty: not specified
    std::string theme{};              ///< `light` or `dark`; empty: any

    bool operator==(icon const&) const = default;
};

/// Reads annotations from the text of a JSON object. Members of another type than specified are ignored.
///
/// \throws std::bad_alloc
LINKSPAN_DECL content_annotations read_content_annotations(std::string_view json);

/// Reads icons from the text of a JSON array. Elements without `src` are ignored.
///
/// \throws std::bad_alloc
LINKSPAN_DECL std::vector<icon> read_icons(std::string_view json);

/// Appends annotations as a JSON object, with the members that the protocol version has.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, content_annotations const& from, protocol_version id);

/// Appends icons as a JSON array.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, std::vector<icon> const& from);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/annotations.ipp>
#endif

#endif
