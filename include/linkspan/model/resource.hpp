#ifndef LINKSPAN_MODEL_RESOURCE_HPP
#define LINKSPAN_MODEL_RESOURCE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A resource as its server describes it in `resources/list`. All texts are untrusted.
///
/// \par Specification
/// MCP 2026-07-28, server/resources, "Resource".
struct resource {
    std::string uri{};                  ///< URI of the resource; not empty after `read_resource`
    std::string name{};                 ///< name; not empty after `read_resource`
    std::string title{};                ///< human-readable title (since 2025-06-18); empty: none
    std::string description{};          ///< description for models; empty: none
    std::string mime_type{};            ///< media type; empty: not specified
    std::optional<std::int64_t> size{}; ///< size of the contents in bytes, before Base64; empty: not specified
    content_annotations annotations{};  ///< audience, priority and time of the last change
    std::vector<icon> icons{};          ///< icons (since 2025-11-25); empty: none
    std::string meta{};                 ///< `_meta` as JSON text (since 2025-06-18); empty: none

    bool operator==(resource const&) const = default;
};

/// A template for the URIs of resources, as its server describes it in `resources/templates/list`. All texts are
/// untrusted.
///
/// \par Specification
/// MCP 2026-07-28, server/resources, "Resource Templates"; RFC 6570 (URI Template).
struct resource_template {
    std::string uri_template{};        ///< such as `file:///{path}`; not empty after `read_resource_template`
    std::string name{};                ///< name; not empty after `read_resource_template`
    std::string title{};               ///< human-readable title (since 2025-06-18); empty: none
    std::string description{};         ///< description for models; empty: none
    std::string mime_type{};           ///< media type of all matching resources; empty: not specified
    content_annotations annotations{}; ///< audience, priority and time of the last change
    std::vector<icon> icons{};         ///< icons (since 2025-11-25); empty: none
    std::string meta{};                ///< `_meta` as JSON text (since 2025-06-18); empty: none

    bool operator==(resource_template const&) const = default;
};

/// Contents of a resource, or of a part of it: a text or bytes.
///
/// \par Specification
/// MCP 2026-07-28, schema: `TextResourceContents`, `BlobResourceContents`.
struct resource_contents {
    std::string uri{};                 ///< URI of the resource or of the part
    std::string mime_type{};           ///< media type; empty: not specified
    std::string text{};                ///< the contents, if `blob` has no value
    std::optional<std::string> blob{}; ///< the contents in Base64; no value: the contents are `text`
    std::string meta{};                ///< `_meta` as JSON text (since 2025-06-18); empty: none

    bool operator==(resource_contents const&) const = default;
};

/// Reads the description of a resource from the text of a JSON object.
///
/// \returns The resource; empty if `uri` or `name` is missing.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<resource> read_resource(std::string_view json);

/// Reads a template from the text of a JSON object.
///
/// \returns The template; empty if `uriTemplate` or `name` is missing.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<resource_template> read_resource_template(std::string_view json);

/// Reads contents from the text of a JSON object.
///
/// \returns The contents; empty if `uri` is missing, or if both `text` and `blob` are missing.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<resource_contents> read_resource_contents(std::string_view json);

/// Reads the result of `resources/read`.
///
/// \returns The contents in their order, possibly none; `std::nullopt` if `contents` is not an array of valid contents.
/// \throws std::bad_alloc
LINKSPAN_DECL std::optional<std::vector<resource_contents>> read_resource_result(std::string_view result);

/// Appends a resource as a JSON object, without the members that the protocol version does not define.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, resource const& from, protocol_version id);

/// Appends a template as a JSON object, without the members that the protocol version does not define.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, resource_template const& from, protocol_version id);

/// Appends contents as a JSON object, without the members that the protocol version does not define.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, resource_contents const& from, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/resource.ipp>
#endif

#endif
