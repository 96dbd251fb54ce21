#ifndef LINKSPAN_MODEL_IMPL_SAMPLING_IPP
#define LINKSPAN_MODEL_IMPL_SAMPLING_IPP

#include <linkspan/json/json_scan.hpp>
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

} // namespace linkspan

#endif
