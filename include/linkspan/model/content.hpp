#ifndef LINKSPAN_MODEL_CONTENT_HPP
#define LINKSPAN_MODEL_CONTENT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/annotations.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/resource.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Content block of the type `text`.
struct text_content {
    std::string text{};                ///< the text
    content_annotations annotations{}; ///< hints about the block
    std::string meta{};                ///< `_meta` as JSON text; empty: none

    bool operator==(text_content const&) const = default;
};

/// Content block of the type `image`.
struct image_content {
    std::string data{};                ///< the image in Base64
    std::string mime_type{};           ///< media type, such as `image/png`
    content_annotations annotations{}; ///< hints about the block
    std::string meta{};                ///< `_meta` as JSON text; empty: none

    bool operator==(image_content const&) const = default;
};

/// Content block of the type `audio` (since 2025-03-26).
struct audio_content {
    std::string data{};                ///< the audio in Base64
    std::string mime_type{};           ///< media type, such as `audio/wav`
    content_annotations annotations{}; ///< hints about the block
    std::string meta{};                ///< `_meta` as JSON text; empty: none

    bool operator==(audio_content const&) const = default;
};

/// Content block of the type `resource`: a resource with its contents.
struct embedded_resource {
    resource_contents resource{};      ///< the contents
    content_annotations annotations{}; ///< hints about the block
    std::string meta{};                ///< `_meta` of the block as JSON text; empty: none

    bool operator==(embedded_resource const&) const = default;
};

/// Content block of the type `resource_link` (since 2025-06-18): the description of a resource that the client can
/// read.
struct resource_link {
    linkspan::resource resource{}; ///< the description, with the annotations and the `_meta` of the block

    bool operator==(resource_link const&) const = default;
};

/// Content block of the type `tool_use` (since 2025-11-25, in sampling only): a tool call that the model requests.
struct tool_use_content {
    std::string id{};         ///< id of the tool call
    std::string name{};       ///< name of the tool
    std::string input = "{}"; ///< arguments as the text of a JSON object
    std::string meta{};       ///< `_meta` as JSON text; empty: none

    bool operator==(tool_use_content const&) const = default;
};

/// Content block of the type `tool_result` (since 2025-11-25, in sampling only): the result of a tool call that the
/// model requested.
struct tool_result_content {
    std::string tool_use_id{};  ///< id of the tool call
    std::string content = "[]"; ///< content blocks of the result, as the text of a JSON array
    std::string structured{};   ///< `structuredContent` as JSON text; empty: none
    bool is_error = false;      ///< the tool reported its own failure
    std::string meta{};         ///< `_meta` as JSON text; empty: none

    bool operator==(tool_result_content const&) const = default;
};

/// Content block of a type that the library does not know, or a block that lacks members that its type requires.
struct unknown_content {
    std::string type{}; ///< the type; empty: none
    std::string raw{};  ///< the whole block as JSON text

    bool operator==(unknown_content const&) const = default;
};

/// Content block of a tool result, of a prompt message or of a sampling message. `std::visit`, `std::get_if` and the
/// other functions for a `std::variant` apply.
///
/// \par Specification
/// MCP 2026-07-28, schema: `ContentBlock`, `SamplingMessageContentBlock`.
struct content_block : std::variant<text_content, image_content, audio_content, embedded_resource, resource_link,
                                    tool_use_content, tool_result_content, unknown_content> {
    using variant::variant;

    bool operator==(content_block const&) const = default;
};

/// Reads a content block.
///
/// A block of an unknown type, and a block without the members that its type requires, become an `unknown_content`, so
/// that nothing is lost. Bytes that are not UTF-8 are kept.
///
/// \param json The block as JSON text.
/// \throws std::bad_alloc
LINKSPAN_DECL content_block read_content_block(std::string_view json);

/// Reads content: an array of blocks, or one block.
///
/// \param json The content as JSON text. Other values than arrays and objects result in no blocks.
/// \throws std::bad_alloc
LINKSPAN_DECL std::vector<content_block> read_content(std::string_view json);

/// Appends a content block as JSON text, with the members that the protocol version has.
///
/// A block of a type that the protocol version does not have is written as a text block that describes it: the name and
/// the URI of a resource link, the media type of audio, the name and the input of a tool call, the content of a tool
/// result.
///
/// \param out Receives the text.
/// \param block The block. An `unknown_content` is written unchanged.
/// \param id Protocol version of the message.
/// \throws std::bad_alloc
LINKSPAN_DECL void append_content(std::string& out, content_block const& block, protocol_version id);

/// Appends content blocks as a JSON array. Each block is written as by the function for one block.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_content(std::string& out, std::vector<content_block> const& blocks, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/content.ipp>
#endif

#endif
