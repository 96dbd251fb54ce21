#ifndef LINKSPAN_CONFIG_IMPL_CLIENT_CONFIG_IPP
#define LINKSPAN_CONFIG_IMPL_CLIENT_CONFIG_IPP

#include <linkspan/config/client_config.hpp>
#include <linkspan/config/detail/config_document.hpp>
#include <linkspan/config/detail/config_reader.hpp>
#include <linkspan/config/detail/toml_text.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/position_of_error.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/parse.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Path relative to the folder of a project or to HOME. The prefix "config/" is replaced by XDG_CONFIG_HOME, and in a
// second path by "Library/Application Support" (macOS).
struct client_path {
    client of;
    std::string_view path;
};

inline constexpr client_path paths_in_project[] = {
    {client::claude_code, ".mcp.json"},    {client::cursor, ".cursor/mcp.json"},
    {client::vs_code, ".vscode/mcp.json"}, {client::vs_code, ".vscode/settings.json"},
    {client::codex, ".codex/config.toml"}, {client::gemini, ".gemini/settings.json"},
};

inline constexpr client_path paths_in_home[] = {
    {client::claude_code, ".claude.json"},
    {client::claude_desktop, "config/Claude/claude_desktop_config.json"},
    {client::cursor, ".cursor/mcp.json"},
    {client::vs_code, "config/Code/User/mcp.json"},
    {client::vs_code, "config/Code/User/settings.json"},
    {client::vs_code, "config/Code - Insiders/User/mcp.json"},
    {client::gemini, ".gemini/settings.json"},
    {client::windsurf, ".codeium/windsurf/mcp_config.json"},
    {client::cline, "config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
    {client::cline, ".cline/data/settings/cline_mcp_settings.json"},
};

inline server_dialect dialect_of(client of)
{
    server_dialect out;
    out.is_literal = of == client::codex || of == client::claude_desktop;
    out.has_bare_variables = of == client::gemini;
    out.is_in_milliseconds = of == client::gemini || of == client::claude_code;
    return out;
}

// Returns an object `{"key": <value>, ...}` of the members whose value is not empty; an empty text if there are none.
inline std::string object_of(std::initializer_list<std::pair<std::string_view, std::string_view>> members)
{
    std::string out;
    for (auto const& [key, value] : members)
        if (!value.empty())
            out.append(out.empty() ? "{\"" : ",\"").append(key).append("\":").append(value);
    return out.empty() ? out : out + "}";
}

// Returns a member by its key. Escapes in the keys of the object are decoded.
inline std::string_view member_of(std::string_view object, std::string_view key)
{
    json_scan::reader items(object);
    while (auto const item = items.next())
        if (json_scan::string('"' + std::string(item->key) + '"').value_or("") == key)
            return item->value;
    return {};
}

// The members of a document that configure servers.
struct relevant_part {
    std::string text;     // an object, in which repeated keys can be found; empty: there are no such members
    std::string location; // of the object, as a JSON Pointer into the document
};

// `location`: that of `document` in the whole document.
inline relevant_part relevant_part_of(client of, std::string_view document, std::string location = {})
{
    if (of != client::vs_code)
        return {object_of({{"mcpServers", json_scan::member(document, "mcpServers")}}), std::move(location)};
    bool const is_nested = json_scan::member(document, "servers").empty(); // in settings.json
    auto const from = is_nested ? json_scan::member(document, "mcp") : document;
    auto const servers = json_scan::member(from, "servers");
    auto const inputs = json_scan::member(from, "inputs");
    if (servers.empty())
        return {};
    // `inputs` distinguishes the format from the plain one
    return {object_of({{"servers", servers}, {"inputs", inputs.empty() ? "[]" : inputs}}), is_nested ? "/mcp" : ""};
}

inline connector_config read_part(client of, relevant_part const& part, std::string origin)
{
    error_code ec;
    auto const document = boost::json::parse(part.text, ec);
    if (part.text.empty() || ec)
        return {};
    auto out = read_document(document, find_repeated_keys(part.text), std::move(origin), dialect_of(of));
    for (auto& server : out.servers)
        server.pointer.insert(0, part.location);
    for (auto& problem : out.problems)
        problem.pointer.insert(0, part.location);
    return out;
}

// Disables servers that are not in `mcp.allowed`, or are in `mcp.excluded`, of Gemini.
inline void apply_gemini_lists(boost::json::value const& document, connector_config& to)
{
    auto const* const mcp = document.is_object() ? document.get_object().if_contains("mcp") : nullptr;
    if (!mcp || !mcp->is_object())
        return;
    auto const list = [&](std::string_view key) {
        auto const* const found = mcp->get_object().if_contains(key);
        return found ? found->if_array() : nullptr;
    };
    auto const has = [](boost::json::array const& names, std::string const& name) {
        return std::ranges::any_of(names, [&](auto const& each) { return each == boost::json::string_view(name); });
    };
    auto const* const allowed = list("allowed");
    auto const* const excluded = list("excluded");
    for (auto& server : to.servers)
        if ((allowed && !has(*allowed, server.name)) || (excluded && has(*excluded, server.name)))
            server.options.enabled = false;
}

inline connector_config read_codex(std::string_view text, std::string origin)
{
    connector_config out;
    config_reader const where(out.problems, origin);
    try {
        auto const document = read_toml(text);
        auto const* const servers = document.get_object().if_contains("mcp_servers");
        if (servers)
            out = read_document(boost::json::object{{"mcp_servers", *servers}}, {}, std::move(origin), std::nullopt);
    } catch (toml_error const& wrong) {
        where.fail(std::string("not valid TOML: ") + wrong.what());
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string_view to_string(client of) noexcept
{
    switch (of) {
    case client::claude_desktop: return "Claude Desktop";
    case client::claude_code: return "Claude Code";
    case client::cursor: return "Cursor";
    case client::vs_code: return "VS Code";
    case client::codex: return "Codex";
    case client::gemini: return "Gemini CLI";
    case client::windsurf: return "Windsurf";
    case client::cline: return "Cline";
    }
    return "?";
}

LINKSPAN_DECL std::vector<client_file> client_files(env_source const& from, std::string const& folder)
{
    auto const variable = [&](std::string_view name) { return from ? from(name).value_or("") : std::string(); };
    std::vector<client_file> out;
    if (!folder.empty())
        for (auto const& [of, path] : detail::paths_in_project)
            out.push_back({of, folder + "/" + std::string(path)});
    auto const home = variable("HOME");
    auto const codex_home = variable("CODEX_HOME");
    if (!codex_home.empty() || !home.empty())
        out.push_back({client::codex, (codex_home.empty() ? home + "/.codex" : codex_home) + "/config.toml"});
    if (home.empty())
        return out;
    auto const xdg = variable("XDG_CONFIG_HOME");
    for (auto const& [of, path] : detail::paths_in_home) {
        constexpr std::string_view config = "config/";
        if (!path.starts_with(config)) {
            out.push_back({of, home + "/" + std::string(path)});
            continue;
        }
        auto const rest = std::string(path.substr(config.size()));
        out.push_back({of, (xdg.empty() ? home + "/.config" : xdg) + "/" + rest});
        out.push_back({of, home + "/Library/Application Support/" + rest});
    }
    return out;
}

LINKSPAN_DECL std::optional<client> client_of(std::string_view path)
{
    auto const whole = "/" + std::string(path);
    auto const ends = [&](std::string_view end) { return whole.ends_with("/" + std::string(end)); };
    for (auto const& [of, end] : detail::paths_in_project)
        if (ends(end))
            return of;
    for (auto const& [of, end] : detail::paths_in_home)
        if (ends(end.starts_with("config/") ? end.substr(end.find('/') + 1) : end))
            return of;
    return path.ends_with(".toml") ? std::optional(client::codex) : std::nullopt;
}

LINKSPAN_DECL connector_config read_client_config(client of, std::string_view text, std::string origin,
                                                  std::string const& folder)
{
    if (of == client::codex)
        return detail::read_codex(text, std::move(origin));
    auto const plain = detail::blank_comments(text);
    error_code ec;
    auto const document = boost::json::parse(plain, ec);
    connector_config out;
    detail::config_reader const where(out.problems, origin);
    if (ec) {
        where.fail("not valid JSON: " + ec.message() + " at " + detail::position_of_error(plain));
        return out;
    }
    if (!document.is_object()) {
        where.expected("an object", document);
        return out;
    }
    out = detail::read_part(of, detail::relevant_part_of(of, plain), origin);
    if (of == client::claude_code && !folder.empty()) {
        auto const project = detail::member_of(json_scan::member(plain, "projects"), folder);
        auto const location = "/projects/" + detail::pointer_token(folder);
        out |= detail::read_part(of, detail::relevant_part_of(of, project, location), std::move(origin));
    }
    if (of == client::gemini)
        detail::apply_gemini_lists(document, out);
    return out;
}

} // namespace linkspan

#endif
