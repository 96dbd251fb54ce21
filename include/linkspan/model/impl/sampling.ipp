#ifndef LINKSPAN_MODEL_IMPL_SAMPLING_IPP
#define LINKSPAN_MODEL_IMPL_SAMPLING_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/detail/sampling_rules.hpp>
#include <linkspan/model/sampling.hpp>
#include <linkspan/model/wire_members.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::array<std::string_view, 3> context_names{"none", "thisServer", "allServers"};
inline constexpr std::array<std::string_view, 3> tool_choice_names{"auto", "required", "none"};

// Returns the enumerator with a name; empty: the name is unknown.
template<class Enum>
std::optional<Enum> enumerator_of(std::array<std::string_view, 3> const& names, std::string_view json) noexcept
{
    for (std::size_t i = 0; i != names.size(); ++i)
        if (json_scan::quoted(json) == names[i])
            return static_cast<Enum>(i);
    return std::nullopt;
}

// Returns a member of the params; empty: it is missing or null.
inline std::string_view sampling_member(std::string_view params, std::string_view key) noexcept
{
    auto const value = json_scan::member(params, key);
    return value == "null" ? std::string_view() : value;
}

inline context_inclusion context_of(std::string_view params) noexcept
{
    auto const value = json_scan::member(params, "includeContext");
    return enumerator_of<context_inclusion>(context_names, value).value_or(context_inclusion::none);
}

inline bool has_tools(std::string_view params) noexcept
{
    return !sampling_member(params, "tools").empty() || !sampling_member(params, "toolChoice").empty();
}

inline bool has_tools(sampling_request const& request) noexcept
{
    return request.raw.empty() ? !request.tools.empty() || request.tool_choice : has_tools(request.raw);
}

// Returns whether the request needs the capability `context`, which not all protocol versions have.
inline bool needs_context(sampling_request const& request, protocol_version id) noexcept
{
    auto const included = request.raw.empty() ? request.include_context : context_of(request.raw);
    return included != context_inclusion::none && has_member(id, wire_member::sampling_tools);
}

// Appends the strings of an array; other elements are ignored.
inline void read_strings(std::vector<std::string>& out, std::string_view json)
{
    json_scan::reader each(json);
    while (auto const one = each.is_array() ? each.next() : std::nullopt)
        if (auto text = json_scan::string(one->value))
            out.push_back(std::move(*text));
}

inline model_preferences read_preferences(std::string_view json)
{
    model_preferences out;
    json_scan::reader hints(json_scan::member(json, "hints"));
    while (auto const hint = hints.is_array() ? hints.next() : std::nullopt)
        if (auto name = json_scan::string(json_scan::member(hint->value, "name")))
            out.hints.push_back(std::move(*name));
    out.cost_priority = json_scan::number(json_scan::member(json, "costPriority"));
    out.speed_priority = json_scan::number(json_scan::member(json, "speedPriority"));
    out.intelligence_priority = json_scan::number(json_scan::member(json, "intelligencePriority"));
    return out;
}

// Reads `tools` and `toolChoice`. Returns an empty string, or the reason why the client refuses the request.
inline std::string read_tools(sampling_request& out, std::string_view params, bool is_declared)
{
    if (!has_tools(params))
        return {};
    if (!is_declared)
        return "sampling request has 'tools' or 'toolChoice', but the client does not declare 'sampling.tools'";
    if (!sampling_member(params, "tools").empty()) {
        tool_list list;
        if (append_page(list, params))
            return "'tools' of the sampling request is not an array";
        out.tools = std::move(list.tools);
    }
    if (auto const choice = sampling_member(params, "toolChoice"); !choice.empty()) {
        auto const mode = sampling_member(choice, "mode");
        out.tool_choice =
            mode.empty() ? tool_choice_mode::automatic : enumerator_of<tool_choice_mode>(tool_choice_names, mode);
        if (!out.tool_choice)
            return "mode of 'toolChoice' is unknown, expected 'auto', 'required' or 'none'";
    }
    return {};
}

inline void write_preferences(object_writer& params, model_preferences const& from)
{
    if (from.empty())
        return;
    object_writer object(params.key("modelPreferences"));
    if (!from.hints.empty()) {
        auto& out = object.key("hints") += '[';
        for (std::size_t i = 0; i != from.hints.size(); ++i)
            append_quoted(out += i == 0 ? R"({"name":)" : R"(},{"name":)", from.hints[i]);
        out += "}]";
    }
    object.optional_number("costPriority", from.cost_priority);
    object.optional_number("speedPriority", from.speed_priority);
    object.optional_number("intelligencePriority", from.intelligence_priority);
    object.close();
}

inline void write_tools(object_writer& params, sampling_request const& from, protocol_version id)
{
    if (!has_member(id, wire_member::sampling_tools))
        return;
    if (!from.tools.empty()) {
        auto& out = params.key("tools") += '[';
        for (std::size_t i = 0; i != from.tools.size(); ++i)
            append_json(out += i == 0 ? "" : ",", from.tools[i], id);
        out += ']';
    }
    if (from.tool_choice) {
        object_writer choice(params.key("toolChoice"));
        choice.text("mode", tool_choice_names[static_cast<std::size_t>(*from.tool_choice)]);
        choice.close();
    }
}

} // namespace detail

LINKSPAN_DECL std::vector<sampling_message> sampling_request::conversation() const
{
    return read_sampling_messages(messages);
}

LINKSPAN_DECL void sampling_request::set_conversation(std::vector<sampling_message> const& all, protocol_version id)
{
    messages.clear();
    append_json(messages, all, id);
}

LINKSPAN_DECL std::vector<content_block> sampling_result::blocks() const
{
    if (!content.empty())
        return read_content(content);
    return {text_content{text, {}, {}}};
}

LINKSPAN_DECL void sampling_result::set_blocks(std::vector<content_block> const& all)
{
    content.clear();
    if (all.size() == 1) // the only form before 2025-11-25
        append_content(content, all.front(), protocol_version::v2026_07_28);
    else
        append_content(content, all, protocol_version::v2026_07_28);
}

LINKSPAN_DECL std::string sampling::capability(options settings)
{
    std::string out;
    detail::object_writer object(out);
    if (settings.tools)
        object.raw("tools", "{}");
    if (settings.context)
        object.raw("context", "{}");
    object.close();
    return out;
}

LINKSPAN_DECL std::string sampling::read(sampling_request& out, std::string_view params, options settings)
{
    sampling_request fresh;
    fresh.server = std::move(out.server);
    out = std::move(fresh);
    out.raw = params;
    out.messages = json_scan::member(params, "messages");
    if (out.messages.empty())
        return "sampling request has no 'messages'";
    if (auto violation = detail::violation_of_tool_rules(out.messages); !violation.empty())
        return violation;
    out.system_prompt = json_scan::string(json_scan::member(params, "systemPrompt")).value_or("");
    out.max_tokens = json_scan::integer(json_scan::member(params, "maxTokens"));
    out.preferences = detail::read_preferences(json_scan::member(params, "modelPreferences"));
    out.temperature = json_scan::number(json_scan::member(params, "temperature"));
    detail::read_strings(out.stop_sequences, json_scan::member(params, "stopSequences"));
    out.include_context = settings.context ? detail::context_of(params) : context_inclusion::none;
    out.metadata = detail::sampling_member(params, "metadata");
    return detail::read_tools(out, params, settings.tools);
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

LINKSPAN_DECL std::string sampling::params_of(sampling_request const& request, protocol_version id)
{
    if (!request.raw.empty())
        return request.raw;
    constexpr std::int64_t default_max_tokens = 1000;
    std::string out;
    detail::object_writer object(out);
    object.raw("messages", request.messages.empty() ? std::string_view("[]") : std::string_view(request.messages));
    object.number("maxTokens", request.max_tokens.value_or(default_max_tokens));
    object.optional_text("systemPrompt", request.system_prompt);
    detail::write_preferences(object, request.preferences);
    object.optional_number("temperature", request.temperature);
    if (!request.stop_sequences.empty()) {
        object.key("stopSequences") += '[';
        for (std::size_t i = 0; i != request.stop_sequences.size(); ++i)
            append_quoted(out += i == 0 ? "" : ",", request.stop_sequences[i]);
        out += ']';
    }
    if (request.include_context != context_inclusion::none)
        object.text("includeContext", detail::context_names[static_cast<std::size_t>(request.include_context)]);
    object.optional_raw("metadata", request.metadata);
    detail::write_tools(object, request, id);
    object.close();
    return out;
}

LINKSPAN_DECL bool sampling::is_declared(client_capabilities const& of, sampling_request const& request,
                                         protocol_version id)
{
    return of.sampling && (of.sampling->tools || !detail::has_tools(request)) &&
           (of.sampling->context || !detail::needs_context(request, id));
}

LINKSPAN_DECL bool sampling::exists_in(protocol_version id, sampling_request const& request) noexcept
{
    return has_member(id, wire_member::sampling_tools) || !detail::has_tools(request);
}

LINKSPAN_DECL std::string_view sampling::required(sampling_request const& request, protocol_version id) noexcept
{
    bool const has_tools = detail::has_tools(request), has_context = detail::needs_context(request, id);
    if (has_tools && has_context)
        return R"({"sampling":{"tools":{},"context":{}}})";
    return has_tools     ? R"({"sampling":{"tools":{}}})"
           : has_context ? R"({"sampling":{"context":{}}})"
                         : R"({"sampling":{}})";
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
