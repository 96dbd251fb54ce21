#ifndef LINKSPAN_IMPL_SERVER_READER_IPP
#define LINKSPAN_IMPL_SERVER_READER_IPP

#include <linkspan/detail/http_text.hpp>
#include <linkspan/detail/server_reader.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace linkspan::detail {

// A server, and what a key means only together with others.
struct server_draft {
    server_config server;
    std::optional<bool> started;        // `type`: as a child, or else reached over HTTP
    std::string own_name;               // `name`
    bool says_enabled = false;          // by one key of three
    bool is_enabled_twice_over = false; // which contradict each other
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

inline bool read_restart(config_reader const& where, json::value const& from, restart_options& to)
{
    using reads = config_reader const&;
    using value = json::value const&;
    static constexpr key_rule<restart_options> rules[] = {
        {"most", [](reads at, value v, auto& r) { return at.read(v, r.most, 0, 1'000'000); }},
        {"window", [](reads at, value v, auto& r) { return at.read(v, r.window, 0.001); }},
        {"wait", [](reads at, value v, auto& r) { return at.read(v, r.wait, 0); }},
        {"max_wait", [](reads at, value v, auto& r) { return at.read(v, r.max_wait, 0); }},
        {"settled_after", [](reads at, value v, auto& r) { return at.read(v, r.settled_after, 0); }},
        {"patience", [](reads at, value v, auto& r) { return at.read(v, r.patience, 0); }},
        {"max_slow_wait", [](reads at, value v, auto& r) { return at.read(v, r.max_slow_wait, 0); }},
        {"give_up", [](reads at, value v, auto& r) { return at.read(v, r.give_up); }},
    };
    return read_members(where, from, to, rules);
}

inline bool read_env(config_reader const& where, json::value const& from, std::map<std::string, std::string>& to)
{
    bool good = where.read(from, to);
    for (auto const& [name, text] : to)
        if (name.empty() || name.find('=') != name.npos || name.find('\0') != name.npos)
            good = where.at(name).fail("no name of a variable: it is empty, or has a '=' or a NUL byte");
    return good;
}

inline bool read_headers(config_reader const& where, json::value const& from, std::map<std::string, std::string>& to)
{
    bool good = where.read(from, to);
    for (auto const& [name, text] : to)
        if (!is_http_token(name))
            good = where.at(name).fail("no name of a header");
    return good;
}

inline bool read_type(config_reader const& where, json::value const& from, server_draft& to)
{
    using framing = std::optional<http_framing>; // none: it is started as a child
    static constexpr std::array<std::pair<std::string_view, framing>, 5> types{{
        {"stdio", std::nullopt},
        {"http", http_framing::automatic},
        {"sse", http_framing::sse},
        {"streamable-http", http_framing::streamable},
        {"streamable_http", http_framing::streamable},
    }};
    framing type;
    if (!where.read_choice(from, type, types))
        return false;
    to.started = !type;
    to.server.framing = type.value_or(http_framing::automatic);
    return true;
}

// `enabled`, `is_active`, or `disabled`, which says the opposite.
inline bool read_switch(config_reader const& where, json::value const& from, server_draft& to, bool opposite)
{
    bool said = true;
    if (!where.read(from, said))
        return false;
    bool const on = said != opposite;
    to.is_enabled_twice_over |= to.says_enabled && to.server.options.enabled != on;
    to.says_enabled = true;
    to.server.options.enabled = on;
    return true;
}

inline bool read_timeout(config_reader const& where, json::value const& from, server_config& to)
{
    to.takes_default_timeout = false;
    return where.read(from, to.options.session.idle_limit, 0.001);
}

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
        {"url", [](reads at, value v, auto& d) { return at.read(v, d.server.url); }},
        {"unix_socket", [](reads at, value v, auto& d) { return at.read(v, d.server.unix_socket); }},
        {"headers", [](reads at, value v, auto& d) { return read_headers(at, v, d.server.headers); }},
        {"description", [](reads at, value v, auto& d) { return at.read(v, d.server.description); }},
        {"enabled", [](reads at, value v, auto& d) { return read_switch(at, v, d, false); }},
        {"is_active", [](reads at, value v, auto& d) { return read_switch(at, v, d, false); }},
        {"disabled", [](reads at, value v, auto& d) { return read_switch(at, v, d, true); }},
        {"required", [](reads at, value v, auto& d) { return at.read(v, d.server.options.required); }},
        {"start", [](reads at, value v, auto& d) { return at.read_choice(v, d.server.options.start, starts); }},
        {"restart", [](reads at, value v, auto& d) { return read_restart(at, v, d.server.options.restart); }},
        {"timeout", [](reads at, value v, auto& d) { return read_timeout(at, v, d.server); }},
        {"startup_timeout",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.session.startup_limit, 0.001); }},
        {"priority", [](reads at, value v, auto& d) { return at.read(v, d.server.options.priority, 0, 100); }},
        {"tags", [](reads at, value v, auto& d) { return at.read(v, d.server.options.tags); }},
        {"trust_annotations",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.trust_annotations); }},
        {"validate_arguments",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.validate_arguments.emplace()); }},
        {"validate_results",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.validate_results.emplace()); }},
        {"max_in_flight",
         [](reads at, value v, auto& d) { return at.read(v, d.server.options.session.max_in_flight, 1, 1'000'000); }},
        {"tools", [](reads at, value v, auto& d) { return read_tools(at, v, d.server.options); }},
        {"strict", [](reads at, value v, auto& d) { return at.read(v, d.server.options.session.strict); }},
    };
    return read_members(where, from, to, rules);
}

// It is started by a command, or reached under an address.
inline bool check_transport(config_reader const& where, json::object const& from, server_draft const& draft)
{
    auto const has = [&](std::string_view key) {
        auto const* const found = from.if_contains(key);
        return found && !found->is_null();
    };
    bool const started = draft.started.value_or(has("command") || !has("url"));
    std::string const needed = started ? "command" : "url", other = started ? "url" : "command";
    if (!has(needed))
        return where.fail("'" + needed + "' is missing");
    if (has(other))
        return where.at(other).fail("a server has '" + needed + "' or '" + other + "', and not both");
    auto const& text = from.at(needed);
    return !text.is_string() || !text.get_string().empty() || where.at(needed).fail("'" + needed + "' is empty");
}

inline bool check_name(config_reader const& where, std::string_view name)
{
    constexpr std::size_t longest = 255;
    if (name.empty())
        return where.fail("the name of a server is empty");
    if (name.size() > longest)
        return where.fail("the name of a server has more than 255 bytes");
    return std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) ||
           where.fail("the name of a server has control characters");
}

LINKSPAN_DECL std::optional<server_config> read_server(config_reader const& where, std::string_view name,
                                                       json::value const& from)
{
    server_draft draft;
    draft.server.name = name;
    draft.server.origin = where.origin();
    draft.server.pointer = where.pointer();
    draft.server.takes_default_timeout = true;
    bool good = read_draft(where, from, draft);
    if (from.is_object())
        good = check_transport(where, from.get_object(), draft) && good;
    good = check_name(where, name) && good;
    if (draft.is_enabled_twice_over)
        good = where.fail("'enabled', 'is_active' and 'disabled' contradict each other");
    if (!draft.own_name.empty() && draft.own_name != name)
        where.at("name").warn("another name than its key; the key counts");
    if (draft.server.options.session.strict)
        draft.server.when_missing = missing::error;
    return good ? std::optional(std::move(draft.server)) : std::nullopt;
}

} // namespace linkspan::detail

#endif
