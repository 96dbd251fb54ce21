#ifndef LINKSPAN_BINDGEN_IMPL_LOCK_IPP
#define LINKSPAN_BINDGEN_IMPL_LOCK_IPP

#include <linkspan/bindgen/lock.hpp>
#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

inline constexpr std::string_view lock_version = "1";

// Returns the text as a JSON string; invisible characters are escaped.
inline std::string visible_quoted(std::string_view text)
{
    std::string out;
    linkspan::detail::append_visible_quoted(out, text);
    return out;
}

inline void append_member(std::string& object, std::string_view key, std::string_view json)
{
    object += object.empty() ? "{" : ",";
    ((object += visible_quoted(key)) += ':') += json;
}

// Returns the text of a schema, or `otherwise` if the text is not valid JSON, for example because of an invalid escape.
inline std::string schema_text(std::string const& schema, std::string_view otherwise)
{
    std::string ignored;
    return std::string(linkspan::detail::append_canonical_text(ignored, schema) ? schema : otherwise);
}

inline std::string tool_text(tool const& tool)
{
    std::string out;
    append_member(out, "name", visible_quoted(tool.name));
    if (!tool.title.empty())
        append_member(out, "title", visible_quoted(tool.title));
    if (auto const text = linkspan::bindgen::without_trailing_blanks(tool.description); !text.empty())
        append_member(out, "description", visible_quoted(text));
    append_member(out, "inputSchema", schema_text(tool.input_schema, "{}"));
    if (auto const schema = schema_text(tool.output_schema, {}); !schema.empty())
        append_member(out, "outputSchema", schema);
    if (tool.has_hints)
        append_member(out, "annotations", to_json(tool.annotations));
    return out + '}';
}

inline std::string text_of(std::string_view object, std::string_view key)
{
    return json_scan::string(json_scan::member(object, key)).value_or("");
}

// Returns the description of the server: from a lock file, from an `initialize` result, or from a recorded session.
inline std::string_view server_info(std::string_view document)
{
    for (std::string_view const key : {"server", "serverInfo"})
        if (auto const info = json_scan::member(document, key); info.starts_with('{'))
            return info;
    return json_scan::member(json_scan::member(document, "initialize"), "serverInfo");
}

} // namespace detail

LINKSPAN_DECL std::string without_trailing_blanks(std::string_view text)
{
    std::string out;
    for (char const c : text) {
        if (c == '\n')
            while (!out.empty() && (out.back() == ' ' || out.back() == '\t' || out.back() == '\r'))
                out.pop_back();
        out += c;
    }
    out.erase(out.find_last_not_of(" \t\r\n") + 1);
    return out;
}

LINKSPAN_DECL std::string write_lock(tool_lock lock)
{
    for (auto& tool : lock.tools)
        tool.name = linkspan::detail::to_utf8(std::move(tool.name));
    std::ranges::stable_sort(lock.tools, {}, &tool::name);
    auto const same = std::ranges::unique(lock.tools, {}, &tool::name);
    lock.tools.erase(same.begin(), same.end());
    std::string tools;
    for (auto const& tool : lock.tools)
        (tools += tools.empty() ? "[" : ",") += detail::tool_text(tool);
    tools += tools.empty() ? "[]" : "]";
    std::string text;
    detail::append_member(text, "lock", detail::lock_version);
    if (!lock.server.empty()) {
        std::string server;
        detail::append_member(server, "name", detail::visible_quoted(lock.server));
        if (!lock.version.empty())
            detail::append_member(server, "version", detail::visible_quoted(lock.version));
        detail::append_member(text, "server", server + '}');
    }
    detail::append_member(text, "tools", tools);
    text += '}';
    std::string out;
    linkspan::detail::append_canonical_text(out, text,
                                            {.has_lines = true, .keeps_numbers = true, .escapes_invisible = true});
    return out += '\n';
}

LINKSPAN_DECL tool_lock read_lock(std::string_view text)
{
    json_scan::reader whole(text);
    if (!whole.is_object())
        throw lock_error("expected a JSON object");
    if (!json_scan::is_value(text))
        throw lock_error("not valid JSON, or nested deeper than " + std::to_string(json_scan::max_depth) + " levels");
    if (auto const lock = json_scan::member(text, "lock"); !lock.empty() && lock != detail::lock_version)
        throw lock_error("/lock: expected version 1, found " + std::string(linkspan::detail::utf8_prefix(lock, 20)));
    auto document = text;
    if (auto const result = json_scan::member(text, "result"); result.starts_with('{'))
        document = result; // the text is a whole response to `tools/list`
    tool_list list;
    if (append_page(list, document))
        throw lock_error(json_scan::member(document, "tools").empty() ? "/tools: missing, expected an array"
                                                                      : "/tools: expected an array");
    if (list.dropped != 0)
        throw lock_error("/tools: expected a name in each tool; tools without one: " + std::to_string(list.dropped));
    tool_lock out;
    auto const info = detail::server_info(document);
    out.server = detail::text_of(info, "name");
    out.version = detail::text_of(info, "version");
    out.tools = std::move(list.tools);
    return out;
}

LINKSPAN_DECL bool matches_glob(std::string_view pattern, std::string_view name)
{
    // After a mismatch, the last star matches one more character.
    std::size_t p = 0, n = 0;
    auto star = pattern.npos;
    std::size_t resume = 0;
    while (n != name.size()) {
        if (p != pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = n;
        } else if (p != pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != pattern.npos) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == pattern.npos;
}

} // namespace linkspan::bindgen

#endif
