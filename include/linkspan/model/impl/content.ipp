#ifndef LINKSPAN_MODEL_IMPL_CONTENT_IPP
#define LINKSPAN_MODEL_IMPL_CONTENT_IPP

#include <linkspan/model/content.hpp>
#include <linkspan/model/detail/resource_members.hpp>

#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Members of a content block as JSON texts. Empty: the member is missing or null.
struct content_members {
    std::string_view text, data, mime_type, resource, annotations, meta, id, name, input, tool_use_id, content,
        structured, is_error;

    explicit content_members(std::string_view json)
    {
        json_scan::reader members(json);
        while (auto const member = members.next())
            if (auto* const place = find(member->key); place && member->value != "null")
                *place = member->value;
    }

    std::string_view* find(std::string_view key) noexcept
    {
        constexpr std::pair<std::string_view, std::string_view content_members::*> places[] = {
            {"text", &content_members::text},
            {"data", &content_members::data},
            {"mimeType", &content_members::mime_type},
            {"resource", &content_members::resource},
            {"annotations", &content_members::annotations},
            {"_meta", &content_members::meta},
            {"id", &content_members::id},
            {"name", &content_members::name},
            {"input", &content_members::input},
            {"toolUseId", &content_members::tool_use_id},
            {"content", &content_members::content},
            {"structuredContent", &content_members::structured},
            {"isError", &content_members::is_error},
        };
        for (auto const& [name_of_place, place] : places)
            if (name_of_place == key)
                return &(this->*place);
        return nullptr;
    }
};

template<class Block>
std::optional<content_block> read_media(content_members const& from)
{
    Block out;
    auto data = json_scan::string(from.data), mime_type = json_scan::string(from.mime_type);
    if (!data || !mime_type)
        return std::nullopt;
    out.data = std::move(*data);
    out.mime_type = std::move(*mime_type);
    out.annotations = read_content_annotations(from.annotations);
    out.meta = from.meta;
    return out;
}

// Returns the block if the type is known and the required members are present.
inline std::optional<content_block> read_known_block(std::string_view type, std::string_view json)
{
    content_members const from(json);
    if (type == "text") {
        text_content out;
        if (!json_scan::append_string(out.text, from.text))
            return std::nullopt;
        out.annotations = read_content_annotations(from.annotations);
        out.meta = from.meta;
        return out;
    }
    if (type == "image")
        return read_media<image_content>(from);
    if (type == "audio")
        return read_media<audio_content>(from);
    if (type == "resource") {
        auto contents = read_resource_contents(from.resource);
        if (!contents)
            return std::nullopt;
        return embedded_resource{std::move(*contents), read_content_annotations(from.annotations),
                                 std::string(from.meta)};
    }
    if (type == "resource_link") {
        auto described = read_resource(json);
        if (!described)
            return std::nullopt;
        return resource_link{std::move(*described)};
    }
    if (type == "tool_use") {
        auto id = json_scan::string(from.id), name = json_scan::string(from.name);
        if (!id || !name || !from.input.starts_with('{'))
            return std::nullopt;
        return tool_use_content{std::move(*id), std::move(*name), std::string(from.input), std::string(from.meta)};
    }
    if (type == "tool_result") {
        auto id = json_scan::string(from.tool_use_id);
        if (!id || !from.content.starts_with('['))
            return std::nullopt;
        return tool_result_content{std::move(*id), std::string(from.content), std::string(from.structured),
                                   from.is_error == "true", std::string(from.meta)};
    }
    return std::nullopt;
}

// Writes a block of a known type.
class content_writer {
public:
    content_writer(std::string& out, protocol_version id) : out_(out), version_(id) {}

    void operator()(text_content const& block) const
    {
        object_writer object(out_);
        object.text("type", "text");
        object.text("text", block.text);
        finish(object, block);
    }

    void operator()(image_content const& block) const { write_media("image", block); }

    void operator()(audio_content const& block) const
    {
        if (has_member(version_, wire_member::audio_content))
            write_media("audio", block);
        else
            describe("audio of the type " + block.mime_type);
    }

    void operator()(embedded_resource const& block) const
    {
        object_writer object(out_);
        object.text("type", "resource");
        append_json(object.key("resource"), block.resource, version_);
        finish(object, block);
    }

    void operator()(resource_link const& block) const
    {
        if (!has_member(version_, wire_member::resource_link_content))
            return describe("resource " + block.resource.name + ": " + block.resource.uri);
        object_writer object(out_);
        object.text("type", "resource_link");
        write_resource(object, block.resource, version_);
        object.close();
    }

    void operator()(tool_use_content const& block) const
    {
        if (!has_member(version_, wire_member::tool_content))
            return describe("call of the tool " + block.name + ": " + block.input);
        object_writer object(out_);
        object.text("type", "tool_use");
        object.text("id", block.id);
        object.text("name", block.name);
        object.raw("input", block.input);
        object.optional_raw("_meta", block.meta);
        object.close();
    }

    void operator()(tool_result_content const& block) const
    {
        if (!has_member(version_, wire_member::tool_content))
            return describe("result of a tool: " + block.content);
        object_writer object(out_);
        object.text("type", "tool_result");
        object.text("toolUseId", block.tool_use_id);
        object.raw("content", block.content);
        object.optional_raw("structuredContent", block.structured);
        if (block.is_error)
            object.boolean("isError", true);
        object.optional_raw("_meta", block.meta);
        object.close();
    }

    void operator()(unknown_content const& block) const { out_ += block.raw; }

private:
    // Writes a text block in place of a block that the protocol version does not have.
    void describe(std::string text) const { (*this)(text_content{'[' + std::move(text) + ']', {}, {}}); }

    template<class Block>
    void write_media(std::string_view type, Block const& block) const
    {
        object_writer object(out_);
        object.text("type", type);
        object.text("data", block.data);
        object.text("mimeType", block.mime_type);
        finish(object, block);
    }

    template<class Block>
    void finish(object_writer& object, Block const& block) const
    {
        if (!block.annotations.empty())
            append_json(object.key("annotations"), block.annotations, version_);
        if (has_member(version_, wire_member::meta))
            object.optional_raw("_meta", block.meta);
        object.close();
    }

    std::string& out_;         // set by the constructor
    protocol_version version_; // set by the constructor
};

} // namespace detail

LINKSPAN_DECL content_block read_content_block(std::string_view json)
{
    auto type = json_scan::string(json_scan::member(json, "type")).value_or("");
    if (auto known = detail::read_known_block(type, json))
        return std::move(*known);
    return unknown_content{std::move(type), std::string(json)};
}

LINKSPAN_DECL std::vector<content_block> read_content(std::string_view json)
{
    std::vector<content_block> out;
    json_scan::reader blocks(json);
    if (blocks.is_object())
        out.push_back(read_content_block(json));
    else if (blocks.is_array())
        while (auto const block = blocks.next())
            out.push_back(read_content_block(block->value));
    return out;
}

LINKSPAN_DECL void append_content(std::string& out, content_block const& block, protocol_version id)
{
    std::visit(detail::content_writer(out, id), block);
}

LINKSPAN_DECL void append_content(std::string& out, std::vector<content_block> const& blocks, protocol_version id)
{
    out += '[';
    for (bool is_first = true; auto const& block : blocks) {
        if (!std::exchange(is_first, false))
            out += ',';
        append_content(out, block, id);
    }
    out += ']';
}

} // namespace linkspan

#endif
