#ifndef LINKSPAN_CONFIG_IMPL_SERVER_READER_IPP
#define LINKSPAN_CONFIG_IMPL_SERVER_READER_IPP

#include <linkspan/config/detail/server_reader.hpp>
#include <linkspan/core/detail/http_text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Server that is being read, with keys whose meaning depends on other keys.
struct server_draft {
    server_config server;
    std::optional<bool> started; // from `type`: true: a child process; false: reached over HTTP; empty: no `type`
    std::string own_name;        // value of `name`
    std::string type, http_url;  // value of `type`; value of `httpUrl`, which takes precedence over `url`
    std::vector<std::string> env_names;                  // names of variables that are passed to the server
    std::map<std::string, std::string> header_variables; // names of variables by header
    std::string token_variable;                          // name of the variable that contains a bearer token
    time_unit timeout_unit = time_unit::seconds;         // unit of `timeout`
    bool has_enabled = false;                            // set by `enabled`, `is_active` or `disabled`
    bool has_enabled_conflict = false;                   // set if these keys contradict each other
};

inline bool read_tool(config_reader const& where, json::value const& from, tool_options& to)
{
    using reads = config_reader const&;
    using value = json::value const&;
    static constexpr std::array<std::pair<std::string_view, replay_class>, 4> classes{{
        {"never", replay_class::never},
        {"idempotent", replay_class::idempotent},
        {"read_only", replay_class::read_only},
        {"keyed", replay_class::keyed},
    }};
    static constexpr key_rule<tool_options> rules[] = {
        {"replay", [](reads at, value v, auto& t) { return at.read_choice(v, t.replay.emplace(), classes); }},
        {"group", [](reads at, value v, auto& t) { return at.read(v, t.group); }},
        {"result_ttl", [](reads at, value v, auto& t) { return at.read(v, t.result_ttl.emplace(), min_pause); }},
        {"approval_mode", [](reads, value, auto&) { return true; }}, // key of Codex without effect on connections
    };
    return read_members(where, from, to, rules);
}

inline bool read_tools(config_reader const& where, json::value const& from, server_options& to)
{
    if (!from.is_object())
        return where.expected("an object", from);
    bool good = true;
    for (auto const& [name, tool] : from.get_object())
        good = read_tool(where.at(name), tool, to.tools[std::string(name)]) && good;
    return good;
}

inline bool read_classifier(config_reader const& where, json::value const& from, server_options& to)
{
    using classifier_pointer = decltype(&find_status_error);
    static constexpr std::array<std::pair<std::string_view, classifier_pointer>, 1> classifiers{{
        {"status", &find_status_error},
    }};
    classifier_pointer chosen = nullptr;
    bool const good = where.read_choice(from, chosen, classifiers);
    to.result_classifier = chosen;
    return good;
}

inline bool read_validation(config_reader const& where, json::value const& from, validation_choice& to)
{
    bool validates = false;
    bool const good = where.read(from, validates);
    to = validates;
    return good;
}

inline bool read_restart(config_reader const& where, json::value const& from, restart_options& to)
{
    using reads = config_reader const&;
    using value = json::value const&;
    static constexpr key_rule<restart_options> rules[] = {
        {"max_restarts", [](reads at, value v, auto& r) { return at.read(v, r.max_restarts, 0, 1'000'000); }},
        {"most",
         [](reads at, value v, auto& r) {
             at.warn("the key is deprecated: use 'max_restarts'");
             return at.read(v, r.max_restarts, 0, 1'000'000);
         }},
        {"window", [](reads at, value v, auto& r) { return at.read(v, r.window, min_timeout); }},
        {"wait", [](reads at, value v, auto& r) { return at.read(v, r.wait, min_pause); }},
        {"max_wait", [](reads at, value v, auto& r) { return at.read(v, r.max_wait, min_pause); }},
        {"settled_after", [](reads at, value v, auto& r) { return at.read(v, r.settled_after, min_pause); }},
        {"unresponsive_after", [](reads at, value v, auto& r) { return at.read(v, r.unresponsive_after, min_pause); }},
        {"patience", [](reads at, value v, auto& r) { return at.read(v, r.patience, min_pause); }},
        {"max_slow_wait", [](reads at, value v, auto& r) { return at.read(v, r.max_slow_wait, min_pause); }},
        {"give_up", [](reads at, value v, auto& r) { return at.read(v, r.give_up); }},
    };
    return read_members(where, from, to, rules);
}

inline bool read_env(config_reader const& where, json::value const& from, std::map<std::string, std::string>& to)
{
    bool good = where.read(from, to);
    for (auto const& [name, text] : to)
        if (name.empty() || name.find('=') != name.npos || name.find('\0') != name.npos)
            good = where.at(name).fail("invalid variable name, expected a name without '=' and NUL");
    return good;
}

inline bool read_headers(config_reader const& where, json::value const& from, std::map<std::string, std::string>& to)
{
    bool good = where.read(from, to);
    for (auto const& [name, text] : to)
        if (!is_http_token(name))
            good = where.at(name).fail("invalid header name");
    return good;
}

inline bool read_type(config_reader const& where, json::value const& from, server_draft& to)
{
    using framing = std::optional<http_framing>; // empty: a child process
    static constexpr std::array<std::pair<std::string_view, framing>, 6> types{{
        {"stdio", std::nullopt},
        {"http", http_framing::automatic},
        {"sse", http_framing::sse},
        {"streamable-http", http_framing::streamable},
        {"streamable_http", http_framing::streamable},
        {"streamableHttp", http_framing::streamable},
    }};
    framing type;
    std::string text;
    if (!where.read(from, text) || !where.read_choice(from, type, types))
        return false;
    if (!to.type.empty() && to.type != text)
        return where.fail("'type' and 'transport' contradict each other");
    to.type = text;
    to.started = !type;
    to.server.framing = type.value_or(http_framing::automatic);
    return true;
}

// Reads `enabled`, `is_active` or, with the opposite meaning, `disabled`.
inline bool read_switch(config_reader const& where, json::value const& from, server_draft& to, bool opposite)
{
    bool value_read = true;
    if (!where.read(from, value_read))
        return false;
    bool const on = value_read != opposite;
    to.has_enabled_conflict |= to.has_enabled && to.server.options.enabled != on;
    to.has_enabled = true;
    to.server.options.enabled = on;
    return true;
}

// Reads the idle timeout.
inline bool read_timeout(config_reader const& where, json::value const& from, server_draft& to, time_unit unit)
{
    to.server.uses_default_timeout = false;
    return where.read(from, to.server.options.session.idle_timeout, min_timeout, unit);
}

inline bool read_startup_timeout(config_reader const& where, json::value const& from, server_draft& to, time_unit unit)
{
    return where.read(from, to.server.options.session.startup_timeout, min_timeout, unit);
}

// Reads `url` and its alternative names.
inline bool read_address(config_reader const& where, json::value const& from, server_draft& to)
{
    std::string address;
    if (!where.read(from, address))
        return false;
    if (!to.server.url.empty() && to.server.url != address)
        return where.fail("the URL of the server is specified twice");
    to.server.url = address;
    return true;
}

// Reports settings of OAuth, which is not implemented.
inline bool warn_of_oauth(config_reader const& where, json::value const& from)
{
    if (from != false)
        where.warn("not supported; no credentials are obtained: use 'headers', or a token provider in the program");
    return true;
}

// Ignored keys: settings of clients that do not affect connections.
inline constexpr std::string_view ignored_keys[] = {
    "alwaysAllow",
    "autoApprove",
    "trust",
    "sandbox",
    "sandboxEnabled",
    "dev",
    "gallery",
    "version",
    "networkTimeout",
    "supports_parallel_tool_calls",
    "default_tools_approval_mode",
    "lifecycle",
};

inline bool read_draft(config_reader const& where, json::value const& from, server_draft& to)
{
    using reads = config_reader const&;
    using value = json::value const&;
    static constexpr std::array<std::pair<std::string_view, environment>, 2> environments{{
        {"safe", environment::safe},
        {"all", environment::all},
    }};
    static constexpr std::array<std::pair<std::string_view, start_mode>, 3> starts{{
        {"eager", start_mode::eager},
        {"lazy", start_mode::lazy},
        {"manual", start_mode::manual},
    }};
    static constexpr key_rule<server_draft> rules[] = {
        {"name", [](reads at, value v, auto& d) { return at.read(v, d.own_name); }},
        {"command", [](reads at, value v, auto& d) { return at.read(v, d.server.command); }},
        {"args", [](reads at, value v, auto& d) { return at.read(v, d.server.args); }},
        {"env", [](reads at, value v, auto& d) { return read_env(at, v, d.server.env); }},
        {"cwd", [](reads at, value v, auto& d) { return at.read(v, d.server.cwd); }},
        {"max_line", [](reads at, value v, auto& d) { return at.read(v, d.server.max_line, 1, 1'000'000'000); }},
        {"inherit_env", [](reads at, value v, auto& d) { return at.read_choice(v, d.server.inherit, environments); }},
        {"type", [](reads at, value v, auto& d) { return read_type(at, v, d); }},
        {"transport", [](reads at, value v, auto& d) { return read_type(at, v, d); }}, // FastMCP
        {"transportType", [](reads at, value v, auto& d) { return read_type(at, v, d); }},
        {"url", [](reads at, value v, auto& d) { return read_address(at, v, d); }},
        {"serverUrl", [](reads at, value v, auto& d) { return read_address(at, v, d); }},
        {"baseUrl", [](reads at, value v, auto& d) { return read_address(at, v, d); }},
        {"httpUrl", [](reads at, value v, auto& d) { return at.read(v, d.http_url); }},
        {"envFile", [](reads at, value v, auto& d) { return at.read(v, d.server.env_file); }},
        {"env_vars", [](reads at, value v, auto& d) { return at.read(v, d.env_names); }},
        {"http_headers", [](reads at, value v, auto& d) { return read_headers(at, v, d.server.headers); }},
        {"env_http_headers", [](reads at, value v, auto& d) { return read_headers(at, v, d.header_variables); }},
        {"bearer_token_env_var", [](reads at, value v, auto& d) { return at.read(v, d.token_variable); }},
        {"includeTools", [](reads at, value v, auto& d) { return at.read(v, d.server.only_tools.emplace()); }},
        {"enabled_tools", [](reads at, value v, auto& d) { return at.read(v, d.server.only_tools.emplace()); }},
        {"excludeTools", [](reads at, value v, auto& d) { return at.read(v, d.server.hidden_tools); }},
        {"disabled_tools", [](reads at, value v, auto& d) { return at.read(v, d.server.hidden_tools); }},
        {"disabledTools", [](reads at, value v, auto& d) { return at.read(v, d.server.hidden_tools); }},
        {"unix_socket", [](reads at, value v, auto& d) { return at.read(v, d.server.unix_socket); }},
        {"headers", [](reads at, value v, auto& d) { return read_headers(at, v, d.server.headers); }},
        {"description", [](reads at, value v, auto& d) { return at.read(v, d.server.description); }},
        {"enabled", [](reads at, value v, auto& d) { return read_switch(at, v, d, false); }},
        {"is_active", [](reads at, value v, auto& d) { return read_switch(at, v, d, false); }},
        {"disabled", [](reads at, value v, auto& d) { return read_switch(at, v, d, true); }},
        {"required", [](reads at, value v, auto& d) { return at.read(v, d.server.options.required); }},
        {"start", [](reads at, value v, auto& d) { return at.read_choice(v, d.server.options.start, starts); }},
        {"restart", [](reads at, value v, auto& d) { return read_restart(at, v, d.server.options.restart); }},
        {"timeout", [](reads at, value v, auto& d) { return read_timeout(at, v, d, d.timeout_unit); }},
        {"tool_timeout_sec", [](reads at, value v, auto& d) { return read_timeout(at, v, d, time_unit::seconds); }},
        {"startup_timeout",
         [](reads at, value v, auto& d) { return read_startup_timeout(at, v, d, time_unit::seconds); }},
        {"startup_timeout_sec",
         [](reads at, value v, auto& d) { return read_startup_timeout(at, v, d, time_unit::seconds); }},
        {"startup_timeout_ms",
         [](reads at, value v, auto& d) { return read_startup_timeout(at, v, d, time_unit::milliseconds); }},
        {"headersHelper",
         [](reads at, value, auto&) { return at.warn("not supported; its headers are not sent"), true; }},
        {"oauth", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"auth", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }}, // FastMCP
        {"authProviderType", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"scopes", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"oauth_resource", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"targetAudience", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"targetServiceAccount", [](reads at, value v, auto&) { return warn_of_oauth(at, v); }},
        {"priority", [](reads at, value v, auto& d) { return at.read(v, d.server.options.priority, 0, 100); }},
        {"replicas", [](reads at, value v, auto& d) { return at.read(v, d.server.replicas, 1, 100); }},
        {"tags", [](reads at, value v, auto& d) { return at.read(v, d.server.options.tags); }},
        {"trust_annotations",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.trust_annotations); }},
        {"validate_arguments",
         [](reads at, value v, auto& d) { return read_validation(at, v, d.server.options.validate_arguments); }},
        {"validate_results",
         [](reads at, value v, auto& d) { return read_validation(at, v, d.server.options.validate_results); }},
        {"result_ttl", [](reads at, value v, auto& d) { return at.read(v, d.server.options.result_ttl, min_pause); }},
        {"result_classifier", [](reads at, value v, auto& d) { return read_classifier(at, v, d.server.options); }},
        {"max_in_flight",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.session.max_in_flight, 1, 1'000'000); }},
        {"tools", [](reads at, value v, auto& d) { return read_tools(at, v, d.server.options); }},
        {"strict", [](reads at, value v, auto& d) { return at.read(v, d.server.options.session.strict); }},
    };
    json::value relevant = from;
    if (auto* const object = relevant.if_object())
        for (auto const key : ignored_keys)
            object->erase(key);
    return read_members(where, relevant, to, rules);
}

// Escapes `${` in the texts of dialects without variables.
inline void escape_variables(std::string& text)
{
    for (auto at = text.find("${"); at != text.npos; at = text.find("${", at + 3))
        text.insert(at, 1, '$');
}

// Replaces `$NAME` by `${NAME}`.
inline void brace_variables(std::string& text)
{
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (auto at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
        auto const end = std::min(text.find_first_not_of(plain, at + 1), text.size());
        bool const is_name = end != at + 1 && !(text[at + 1] >= '0' && text[at + 1] <= '9');
        if (!is_name || (at != 0 && text[at - 1] == '$'))
            continue;
        text.insert(end, 1, '}');
        text.insert(at + 1, 1, '{');
    }
}

inline void rewrite_texts(server_config& server, void (*rewrite)(std::string&))
{
    for (auto* const text : {&server.command, &server.cwd, &server.url, &server.env_file})
        rewrite(*text);
    for (auto& text : server.args)
        rewrite(text);
    for (auto* const texts : {&server.env, &server.headers})
        for (auto& [name, text] : *texts)
            rewrite(text);
}

// Converts keys that name variables to texts with variables.
inline void add_named_variables(server_draft& draft)
{
    auto& server = draft.server;
    for (auto const& name : draft.env_names)
        server.env.emplace(name, "${" + name + "}");
    for (auto const& [header, name] : draft.header_variables)
        server.headers[header] = "${" + name + "}";
    if (!draft.token_variable.empty())
        server.headers["Authorization"] = "Bearer ${" + draft.token_variable + "}";
}

// Checks that a server has either a command or a URL.
inline bool check_transport(config_reader const& where, json::object const& from, server_draft const& draft)
{
    auto const has = [&](std::string_view key) {
        auto const* const found = from.if_contains(key);
        return found && !found->is_null();
    };
    std::string address = "url";
    for (std::string const key : {"serverUrl", "baseUrl", "httpUrl"})
        address = has(key) ? key : address;
    bool const started = draft.started.value_or(has("command") || !has(address));
    std::string const needed = started ? "command" : address, other = started ? address : "command";
    if (!has(needed))
        return where.fail("'" + needed + "' is missing");
    if (has(other))
        return where.at(other).fail("a server has '" + needed + "' or '" + other + "', not both");
    auto const& text = from.at(needed);
    return !text.is_string() || !text.get_string().empty() || where.at(needed).fail("'" + needed + "' is empty");
}

inline bool check_name(config_reader const& where, std::string_view name)
{
    constexpr std::size_t max_size = 255;
    if (name.empty())
        return where.fail("the name of a server is empty");
    if (name.size() > max_size)
        return where.fail("the name of a server has more than 255 bytes");
    return std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) ||
           where.fail("the name of a server has control characters");
}

LINKSPAN_DECL std::optional<server_config> read_server(config_reader const& where, std::string_view name,
                                                       json::value const& from, server_dialect dialect)
{
    server_draft draft;
    draft.timeout_unit = dialect.is_in_milliseconds ? time_unit::milliseconds : time_unit::seconds;
    draft.server.name = name;
    draft.server.origin = where.origin();
    draft.server.pointer = where.pointer();
    draft.server.uses_default_timeout = true;
    bool good = read_draft(where, from, draft);
    if (from.is_object())
        good = check_transport(where, from.get_object(), draft) && good;
    good = check_name(where, name) && good;
    if (!draft.http_url.empty()) {
        draft.server.url = draft.http_url;
        draft.server.framing = http_framing::streamable;
    }
    if (dialect.is_literal)
        rewrite_texts(draft.server, escape_variables);
    if (dialect.has_bare_variables)
        rewrite_texts(draft.server, brace_variables);
    add_named_variables(draft);
    if (draft.has_enabled_conflict)
        good = where.fail("'enabled', 'is_active' and 'disabled' contradict each other");
    if (!draft.own_name.empty() && draft.own_name != name)
        where.at("name").warn("'name' differs from the key of the server; the key is used");
    if (draft.server.options.session.strict)
        draft.server.when_missing = missing::error;
    return good ? std::optional(std::move(draft.server)) : std::nullopt;
}

} // namespace linkspan::detail

#endif
