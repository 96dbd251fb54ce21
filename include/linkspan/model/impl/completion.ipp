#ifndef LINKSPAN_MODEL_IMPL_COMPLETION_IPP
#define LINKSPAN_MODEL_IMPL_COMPLETION_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/wire_members.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<completion_request> read_completion_request(std::string_view params)
{
    completion_request out;
    auto const subject = json_scan::member(params, "ref");
    auto const type = json_scan::quoted(json_scan::member(subject, "type"));
    if (type == "ref/resource")
        out.subject = completion_request::kind::resource_template;
    else if (type != "ref/prompt")
        return std::nullopt;
    bool const is_prompt = out.subject == completion_request::kind::prompt;
    auto const argument = json_scan::member(params, "argument");
    auto name = json_scan::string(json_scan::member(subject, is_prompt ? "name" : "uri"));
    auto key = json_scan::string(json_scan::member(argument, "name"));
    auto value = json_scan::string(json_scan::member(argument, "value"));
    if (!name || !key || !value)
        return std::nullopt;
    out.name = std::move(*name);
    out.argument = std::move(*key);
    out.value = std::move(*value);
    json_scan::reader arguments(json_scan::member(json_scan::member(params, "context"), "arguments"));
    while (auto const one = arguments.next())
        if (auto text = json_scan::string(one->value))
            out.arguments.emplace_back(one->key, std::move(*text));
    return out;
}

LINKSPAN_DECL std::optional<completion_result> read_completion_result(std::string_view result)
{
    completion_result out;
    auto const completion = json_scan::member(result, "completion");
    json_scan::reader values(json_scan::member(completion, "values"));
    if (!values.is_array())
        return std::nullopt;
    while (auto const value = values.next()) {
        if (out.values.size() == completion_result::max_values) {
            out.has_more = true;
            break;
        }
        if (auto text = json_scan::string(value->value))
            out.values.push_back(std::move(*text));
    }
    out.total = json_scan::integer(json_scan::member(completion, "total"));
    out.has_more = out.has_more || json_scan::member(completion, "hasMore") == "true";
    return out;
}

LINKSPAN_DECL void append_members(std::string& out, completion_request const& from, protocol_version id)
{
    bool const is_prompt = from.subject == completion_request::kind::prompt;
    out += R"("ref":)";
    detail::object_writer subject(out);
    subject.text("type", is_prompt ? "ref/prompt" : "ref/resource");
    subject.text(is_prompt ? "name" : "uri", from.name);
    subject.close();
    out += R"(,"argument":)";
    detail::object_writer argument(out);
    argument.text("name", from.argument);
    argument.text("value", from.value);
    argument.close();
    if (from.arguments.empty() || !has_member(id, wire_member::completion_context))
        return;
    out += R"(,"context":{"arguments":)";
    detail::object_writer arguments(out);
    for (auto const& [name, value] : from.arguments)
        arguments.text(name, value);
    arguments.close();
    out += '}';
}

LINKSPAN_DECL void append_members(std::string& out, completion_result const& from)
{
    auto const count = std::min(from.values.size(), completion_result::max_values);
    out += R"("completion":)";
    detail::object_writer completion(out);
    completion.key("values") += '[';
    for (std::size_t i = 0; i != count; ++i)
        append_quoted(out += i == 0 ? "" : ",", from.values[i]);
    out += ']';
    completion.optional_number("total", from.total);
    if (from.has_more || count != from.values.size())
        completion.boolean("hasMore", true);
    completion.close();
}

} // namespace linkspan

#endif
