#ifndef LINKSPAN_CONNECTOR_IMPL_RESULT_CLASSIFIER_IPP
#define LINKSPAN_CONNECTOR_IMPL_RESULT_CLASSIFIER_IPP

#include <linkspan/connector/result_classifier.hpp>
#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<std::string> find_status_error(std::string_view, call_result const& result)
{
    std::string text;
    auto object = result.structured();
    if (object.empty()) {
        text = result.text();
        object = text;
    }
    if (json_scan::string(json_scan::member(object, "status")) != "error" || !json_scan::is_value(object))
        return std::nullopt;
    auto const reason = json_scan::member(object, "error");
    auto message = json_scan::string(reason);
    return message ? std::move(*message) : std::string(reason);
}

namespace detail {

// Appends the blocks of `content` that are not texts.
inline void append_other_blocks(std::string& out, std::string_view content)
{
    for (json_scan::reader blocks(content); auto const block = blocks.next();)
        if (json_scan::member(block->value, "type") != R"("text")")
            (out += ',') += block->value;
}

// Returns whether a text is a JSON object that can be a part of a message: `json_scan` does not check escapes and
// UTF-8.
inline bool parses_as_object(std::string_view text)
{
    if (!text.starts_with('{'))
        return false;
    boost::json::parse_options options;
    options.max_depth = json_scan::max_depth;
    error_code ec;
    static_cast<void>(boost::json::parse({text.data(), text.size()}, ec, {}, options));
    return !ec;
}

LINKSPAN_DECL call_result to_tool_error(call_result const& result, std::string_view message)
{
    auto const raw = result.raw();
    std::string out = R"({"isError":true)";
    bool has_structured = false, has_content = false;
    for (json_scan::reader members(raw); auto const member = members.next();) {
        has_structured |= member->key == "structuredContent";
        if (member->key == "isError" || (member->key == "content" && std::exchange(has_content, true)))
            continue;
        ((out += ",\"") += member->key) += "\":";
        if (member->key != "content" || message.empty()) {
            out += member->value;
            continue;
        }
        append_quoted(out += R"([{"type":"text","text":)", message);
        append_other_blocks(out += '}', member->value);
        out += ']';
    }
    if (!has_content && !message.empty()) {
        append_quoted(out += R"(,"content":[{"type":"text","text":)", message);
        out += "}]";
    }
    if (auto const text = has_structured ? std::string() : result.text(); parses_as_object(text))
        (out += R"(,"structuredContent":)") += text;
    return {shared_text(out += '}'), std::string(result.server())};
}

} // namespace detail
} // namespace linkspan

#endif
