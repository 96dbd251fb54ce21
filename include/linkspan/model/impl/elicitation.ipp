#ifndef LINKSPAN_MODEL_IMPL_ELICITATION_IPP
#define LINKSPAN_MODEL_IMPL_ELICITATION_IPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/wire_members.hpp>

#include <boost/json/parse.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string elicitation::capability(options settings)
{
    std::string out = "{";
    if (settings.form)
        out += R"("form":{})";
    if (settings.url)
        out += settings.form ? R"(,"url":{})" : R"("url":{})";
    return out += '}';
}

LINKSPAN_DECL std::string elicitation::read(elicit_request& out, std::string_view params, options settings)
{
    auto const text = [params](std::string_view key) {
        return json_scan::string(json_scan::member(params, key)).value_or("");
    };
    auto const mode = text("mode");
    if (!mode.empty() && mode != "form" && mode != "url")
        return "elicitation mode is unknown, expected 'form' or 'url'";
    out.mode = mode == "url" ? elicit_mode::url : elicit_mode::form;
    if (out.mode == elicit_mode::url ? !settings.url : !settings.form)
        return "elicitation mode is not declared by the client";
    out.message = text("message");
    out.requested_schema = json_scan::member(params, "requestedSchema");
    out.url = text("url");
    out.elicitation_id = text("elicitationId");
    return {};
}

LINKSPAN_DECL std::string elicitation::keep(elicit_request const& request, options settings)
{
    return settings.fill_defaults ? request.requested_schema : std::string();
}

LINKSPAN_DECL std::string elicitation::write(elicit_result const& result, std::string_view schema)
{
    constexpr std::string_view actions[] = {"accept", "decline", "cancel"};
    boost::json::object out{{"action", actions[static_cast<std::size_t>(result.action)]}};
    if (result.action == elicit_action::accept) {
        auto content = result.content;
        fill_defaults(content, schema);
        if (!content.empty())
            out["content"] = std::move(content);
    }
    std::string text;
    append_json(text, out);
    return text;
}

LINKSPAN_DECL std::string elicitation::params_of(elicit_request const& request, protocol_version id)
{
    bool const is_url = request.mode == elicit_mode::url;
    std::string out;
    detail::object_writer object(out);
    if (traits_of(id).elicitation_modes)
        object.text("mode", is_url ? "url" : "form");
    object.text("message", request.message);
    if (is_url) {
        object.text("url", request.url);
        if (has_member(id, wire_member::elicitation_id))
            object.optional_text("elicitationId", request.elicitation_id);
    } else {
        object.raw("requestedSchema", request.requested_schema.empty()
                                          ? std::string_view(R"({"type":"object","properties":{}})")
                                          : std::string_view(request.requested_schema));
    }
    object.close();
    return out;
}

LINKSPAN_DECL std::optional<elicit_result> elicitation::read_result(std::string_view json)
{
    auto const action = json_scan::quoted(json_scan::member(json, "action")).value_or("");
    elicit_result out;
    if (action == "accept")
        out.action = elicit_action::accept;
    else if (action == "cancel")
        out.action = elicit_action::cancel;
    else if (action != "decline")
        return std::nullopt;
    auto const content = json_scan::member(json, "content");
    if (out.action != elicit_action::accept || content.empty())
        return out;
    error_code ec;
    auto parsed = detail::parse_json(content, ec);
    if (ec || !parsed.is_object())
        return std::nullopt;
    out.content = std::move(parsed.get_object());
    return out;
}

LINKSPAN_DECL void fill_defaults(boost::json::object& content, std::string_view requested_schema)
{
    json_scan::reader properties(json_scan::member(requested_schema, "properties"));
    while (auto const property = properties.next()) {
        auto const value = json_scan::member(property->value, "default");
        auto const key = json_scan::string('"' + std::string(property->key) + '"');
        error_code ec;
        if (value.empty() || !key || content.contains(*key))
            continue;
        if (auto parsed = boost::json::parse(value, ec); !ec)
            content[*key] = std::move(parsed);
    }
}

} // namespace linkspan

#endif
