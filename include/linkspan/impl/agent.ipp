#ifndef LINKSPAN_IMPL_AGENT_IPP
#define LINKSPAN_IMPL_AGENT_IPP

#include <linkspan/agent.hpp>
#include <linkspan/json_scan.hpp>
#include <linkspan/json_writer.hpp>

namespace linkspan {
namespace detail {

inline std::string text_member(std::string_view object, std::string_view key)
{
    return json_scan::string(json_scan::member(object, key)).value_or("");
}

} // namespace detail

LINKSPAN_DECL model_call read_model_call(std::string_view json, tool_format format, error_code& ec)
{
    model_call asked;
    asked.id = detail::text_member(json, "id");
    auto const said = format == tool_format::openai ? json_scan::member(json, "function") : json;
    auto const args = json_scan::member(said, format == tool_format::anthropic ? "input" : "arguments");
    asked.name = detail::text_member(said, "name");
    if (!args.empty())
        asked.arguments = format == tool_format::openai ? json_scan::string(args).value_or("?") : std::string(args);
    if (asked.arguments.empty()) // as models write "no arguments"
        asked.arguments = "{}";
    bool const is_object = json_scan::is_value(asked.arguments) && json_scan::reader(asked.arguments).is_object();
    ec = asked.name.empty() || !is_object ? error::malformed_message : error_code();
    return asked;
}

LINKSPAN_DECL std::string model_answer(model_call const& asked, error_code ec, call_result const& result,
                                       tool_format format)
{
    auto text = ec ? explain(ec, result) : result.text();
    if (text.empty())
        text = result.structured();
    std::string_view const failed = ec || result.is_error() ? "true" : "false";
    std::string out;
    switch (format) {
    case tool_format::openai:
        append_quoted(out += R"({"role":"tool","tool_call_id":)", asked.id);
        append_quoted(out += R"(,"content":)", text);
        break;
    case tool_format::anthropic:
        append_quoted(out += R"({"type":"tool_result","tool_use_id":)", asked.id);
        append_quoted(out += R"(,"content":[{"type":"text","text":)", text);
        (out += R"(}],"is_error":)") += failed;
        break;
    case tool_format::flat:
        append_quoted(out += R"({"name":)", asked.name);
        append_quoted(out += R"(,"result":)", text);
        (out += R"(,"is_error":)") += failed;
        break;
    }
    return out += '}';
}

} // namespace linkspan

#endif
