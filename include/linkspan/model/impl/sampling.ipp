#ifndef LINKSPAN_MODEL_IMPL_SAMPLING_IPP
#define LINKSPAN_MODEL_IMPL_SAMPLING_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/sampling.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string sampling::read(sampling_request& out, std::string_view params, options)
{
    out.raw = params;
    out.messages = json_scan::member(params, "messages");
    out.system_prompt = json_scan::string(json_scan::member(params, "systemPrompt")).value_or("");
    out.max_tokens = json_scan::integer(json_scan::member(params, "maxTokens"));
    return out.messages.empty() ? "sampling request has no 'messages'" : std::string();
}

LINKSPAN_DECL std::string sampling::write(sampling_result const& result, std::string_view)
{
    std::string out = R"({"role":)";
    append_quoted(out, result.role);
    out += R"(,"content":)";
    if (result.content.empty()) {
        append_quoted(out += R"({"type":"text","text":)", result.text);
        out += '}';
    } else {
        out += result.content;
    }
    append_quoted(out += R"(,"model":)", result.model);
    if (!result.stop_reason.empty())
        append_quoted(out += R"(,"stopReason":)", result.stop_reason);
    return out += '}';
}

LINKSPAN_DECL std::string sampling::params_of(sampling_request const& request, protocol_version)
{
    if (!request.raw.empty())
        return request.raw;
    constexpr std::int64_t default_max_tokens = 1000;
    std::string out;
    detail::object_writer object(out);
    object.raw("messages", request.messages.empty() ? std::string_view("[]") : std::string_view(request.messages));
    object.number("maxTokens", request.max_tokens.value_or(default_max_tokens));
    object.optional_text("systemPrompt", request.system_prompt);
    object.close();
    return out;
}

LINKSPAN_DECL bool sampling::is_declared(std::string_view capabilities, sampling_request const& request)
{
    auto const declared = json_scan::member(capabilities, "sampling");
    if (json_scan::member(request.raw, "tools").empty())
        return declared.starts_with('{');
    return json_scan::member(declared, "tools").starts_with('{');
}

LINKSPAN_DECL std::string_view sampling::required(sampling_request const& request) noexcept
{
    return json_scan::member(request.raw, "tools").empty() ? R"({"sampling":{}})" : R"({"sampling":{"tools":{}}})";
}

LINKSPAN_DECL std::optional<sampling_result> sampling::read_result(std::string_view json)
{
    auto const content = json_scan::member(json, "content");
    if (content.empty())
        return std::nullopt;
    sampling_result out;
    out.content = content;
    for (auto const& block : read_content(content))
        if (auto const* const text = std::get_if<text_content>(&block)) {
            out.text = text->text;
            break;
        }
    out.model = json_scan::string(json_scan::member(json, "model")).value_or("");
    out.stop_reason = json_scan::string(json_scan::member(json, "stopReason")).value_or("");
    out.role = json_scan::string(json_scan::member(json, "role")).value_or("");
    return out;
}

} // namespace linkspan

#endif
