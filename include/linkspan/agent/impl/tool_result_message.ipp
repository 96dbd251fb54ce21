#ifndef LINKSPAN_AGENT_IMPL_TOOL_RESULT_MESSAGE_IPP
#define LINKSPAN_AGENT_IMPL_TOOL_RESULT_MESSAGE_IPP

// Converts the content of a result to the blocks of a model's format.

#include <linkspan/agent/tool_result_message.hpp>
#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/call_error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the text of a member. An invalid escape ends the text. Invalid UTF-8 is replaced, because endpoints of models
// reject a conversation that contains it.
inline std::string read_utf8_member(std::string_view object, std::string_view key)
{
    std::string out;
    json_scan::append_string(out, json_scan::member(object, key));
    return to_utf8(std::move(out));
}

inline bool is_base64(std::string_view text) noexcept
{
    auto const is_digit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    };
    auto const digits = text.substr(0, text.find('='));
    return !text.empty() && text.size() % 4 == 0 && text.size() - digits.size() <= 2 &&
           std::ranges::all_of(digits, is_digit) && (text.ends_with("==") || text.size() - digits.size() <= 1);
}

// Block of a result's content.
struct result_part {
    std::string kind; // "image", "audio", "resource" ...
    std::string text; // of a text block or a resource
    std::string data; // base64, of an image, audio or a resource
    std::string mime_type;
    std::string uri; // of a resource

    bool is_image() const
    {
        return (mime_type == "image/png" || mime_type == "image/jpeg" || mime_type == "image/gif" ||
                mime_type == "image/webp") &&
               is_base64(data);
    }

    bool is_pdf() const { return mime_type == "application/pdf" && is_base64(data); }
};

inline std::string describe_link(std::string_view block)
{
    auto out = "resource '" + read_utf8_member(block, "name") + "' at " + read_utf8_member(block, "uri");
    for (auto const* key : {"mimeType", "description"})
        if (auto const value = read_utf8_member(block, key); !value.empty())
            (out += ", ") += value;
    return out;
}

inline result_part read_part(std::string_view block)
{
    result_part out;
    out.kind = read_utf8_member(block, "type");
    if (out.kind == "resource_link") {
        out.kind = "text";
        out.text = describe_link(block);
        return out;
    }
    bool const is_resource = out.kind == "resource";
    auto const from = is_resource ? json_scan::member(block, "resource") : block;
    out.text = read_utf8_member(from, "text");
    out.data = read_utf8_member(from, is_resource ? "blob" : "data");
    out.mime_type = read_utf8_member(from, "mimeType");
    out.uri = read_utf8_member(from, "uri");
    return out;
}

// Returns a placeholder such as "[image omitted: image/png, 1234 bytes]".
inline std::string placeholder_of(result_part const& part)
{
    auto out = '[' + shortened_text(part.kind) + " omitted";
    std::string_view separator = ": ";
    auto const add = [&](std::string_view what) { (out += std::exchange(separator, ", ")) += what; };
    if (!part.uri.empty())
        add(part.uri);
    if (!part.mime_type.empty())
        add(part.mime_type);
    if (is_base64(part.data))
        add(std::to_string(part.data.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(part.data, '='))) +
            " bytes");
    else if (!part.data.empty())
        add("data is not valid base64");
    return out + ']';
}

// Collects the content of a result, as text or as blocks of a format. Invariant: `text_` follows all of `blocks_`.
class tool_result_writer {
public:
    tool_result_writer(tool_format format, bool is_failure) : format_(format), is_failure_(is_failure) {}

    void add(result_part const& part)
    {
        if (part.kind == "text")
            return add_text(part.text);
        if (part.kind != "image" && part.kind != "resource")
            return add_text(placeholder_of(part));
        switch (format_) {
        case tool_format::anthropic: return is_failure_ ? add_as_text(part) : add_to_anthropic(part);
        case tool_format::openai_responses: return add_to_responses(part);
        case tool_format::openai:
        case tool_format::flat: return add_as_text(part);
        }
    }

    void add_text(std::string_view text)
    {
        if (text.empty())
            return;
        if (!text_.empty())
            text_ += '\n';
        text_ += text;
    }

    bool is_empty() const noexcept { return text_.empty() && blocks_.empty(); }

    // Text of the result. Precondition: `is_text()`.
    std::string const& text() const noexcept { return text_; }
    bool is_text() const noexcept { return blocks_.empty(); }

    // Returns the blocks as a JSON array.
    std::string blocks() &&
    {
        end_text();
        return '[' + std::move(blocks_) + ']';
    }

private:
    void add_as_text(result_part const& part)
    {
        if (part.text.empty())
            return add_text(placeholder_of(part));
        add_text(part.uri.empty() ? part.text : part.uri + ":\n" + part.text);
    }

    void add_to_anthropic(result_part const& part)
    {
        if (part.is_image()) {
            add_base64(begin(R"({"type":"image","source":)"), part) += '}';
        } else if (part.is_pdf()) {
            add_base64(begin(R"({"type":"document","source":)"), part);
            end_document(part.uri);
        } else if (!is_blank(part.text)) {
            append_quoted(begin(R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":)"),
                          part.text);
            blocks_ += '}';
            end_document(part.uri);
        } else {
            add_as_text(part);
        }
    }

    // Ends a `document` block, with its title. The endpoint rejects a title that is empty or longer than `max_title`.
    void end_document(std::string_view title)
    {
        constexpr std::size_t max_title = 500; // code points
        std::string_view rest = title;
        for (std::size_t i = 0; i != max_title && !rest.empty(); ++i)
            pop_code_point(rest);
        title.remove_suffix(rest.size());
        if (!title.empty())
            append_quoted(blocks_ += R"(,"title":)", title);
        blocks_ += '}';
    }

    void add_to_responses(result_part const& part)
    {
        if (part.is_image()) {
            append_quoted(begin(R"({"type":"input_image","image_url":)"), data_url(part));
        } else if (part.is_pdf()) {
            append_quoted(begin(R"({"type":"input_file","filename":)"), part.uri.substr(part.uri.rfind('/') + 1));
            append_quoted(blocks_ += R"(,"file_data":)", data_url(part));
        } else {
            return add_as_text(part);
        }
        blocks_ += '}';
    }

    static bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

    static std::string data_url(result_part const& part) { return "data:" + part.mime_type + ";base64," + part.data; }

    std::string& add_base64(std::string& out, result_part const& part)
    {
        append_quoted(out += R"({"type":"base64","media_type":)", part.mime_type);
        append_quoted(out += R"(,"data":)", part.data);
        return out += '}';
    }

    std::string& begin(std::string_view front)
    {
        end_text();
        if (!blocks_.empty())
            blocks_ += ',';
        return blocks_ += front;
    }

    // Adjacent texts form one block. Blank blocks are dropped, because endpoints reject them.
    void end_text()
    {
        auto const text = std::exchange(text_, {});
        if (is_blank(text))
            return;
        bool const is_anthropic = format_ == tool_format::anthropic;
        append_quoted(begin(is_anthropic ? R"({"type":"text","text":)" : R"({"type":"input_text","text":)"), text);
        blocks_ += '}';
    }

    tool_format format_; // set by the constructor
    bool is_failure_;    // true: the tool failed; set by the constructor
    std::string blocks_; // complete blocks, separated by commas
    std::string text_;   // text that is not yet in a block; cleared by `end_text`
};

inline std::string failure_text(model_call const& call, error_code ec, call_result const& result)
{
    if (ec == error::malformed_message && !call.problem.empty())
        return to_utf8("malformed request, nothing was executed: " + call.problem);
    return to_utf8(explain(ec, result));
}

inline void add_content(tool_result_writer& out, call_result const& result)
{
    json_scan::reader blocks(json_scan::member(result.raw(), "content"));
    if (blocks.is_array())
        while (auto const block = blocks.next())
            out.add(read_part(block->value));
    if (out.is_empty())
        out.add_text(to_utf8(std::string(result.structured())));
}

} // namespace detail

LINKSPAN_DECL std::string tool_result_message(model_call const& call, error_code ec, call_result const& result,
                                       tool_format format)
{
    bool const is_failure = ec || result.is_error();
    detail::tool_result_writer content(format, is_failure);
    if (ec)
        content.add_text(detail::failure_text(call, ec, result));
    else
        detail::add_content(content, result);
    // The texts of a malformed request have not been checked.
    auto const id = detail::to_utf8(call.id);
    std::string_view const failed = is_failure ? "true" : "false";
    std::string out;
    switch (format) {
    case tool_format::openai:
        append_quoted(out += R"({"role":"tool","tool_call_id":)", id);
        append_quoted(out += R"(,"content":)", content.text());
        break;
    case tool_format::openai_responses:
        append_quoted(out += R"({"type":"function_call_output","call_id":)", id);
        out += R"(,"output":)";
        if (content.is_text())
            append_quoted(out, content.text());
        else
            out += std::move(content).blocks();
        break;
    case tool_format::anthropic:
        append_quoted(out += R"({"type":"tool_result","tool_use_id":)", id);
        (out += R"(,"content":)") += std::move(content).blocks();
        (out += R"(,"is_error":)") += failed;
        break;
    case tool_format::flat:
        out += '{';
        if (!id.empty()) {
            append_quoted(out += R"("id":)", id);
            out += ',';
        }
        append_quoted(out += R"("name":)", detail::to_utf8(call.name));
        append_quoted(out += R"(,"result":)", content.text());
        (out += R"(,"is_error":)") += failed;
        break;
    }
    return out += '}';
}

} // namespace linkspan

#endif
