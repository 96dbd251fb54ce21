#ifndef LINKSPAN_CONFIG_IMPL_CONNECTOR_CONFIG_IPP
#define LINKSPAN_CONFIG_IMPL_CONNECTOR_CONFIG_IPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/detail/config_document.hpp>
#include <linkspan/config/detail/server_reader.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/position_of_error.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Format of a document, with the place of its servers.
struct document_format {
    std::string_view key;                   // of the object that contains the servers; empty: the document itself
    expand expansion = expand::interpolate; // whole values only in the plain format {"servers": {...}}
    server_dialect dialect{};
};

inline bool has_type(json::value const& server) { return server.is_object() && server.get_object().contains("type"); }

inline bool looks_like_server(json::value const& value)
{
    auto const has = [&](auto const key) { return value.get_object().contains(key); };
    return value.is_object() && (has("command") || has("url") || has("httpUrl") || has("serverUrl"));
}

// VS Code uses the key "servers" too; `inputs` and `type` distinguish its format from the plain one.
inline std::optional<document_format> find_format(json::object const& document)
{
    if (document.contains("mcpServers"))
        return document_format{"mcpServers"};
    if (document.contains("mcp_servers")) // of Codex
        return document_format{"mcp_servers", expand::interpolate, {.is_literal = true}};
    if (auto const* const servers = document.if_contains("servers")) {
        auto const is_member_with_type = [](auto const& member) { return has_type(member.value()); };
        bool const is_vs_code =
            document.contains("inputs") ||
            (servers->is_object() && std::ranges::any_of(servers->get_object(), is_member_with_type));
        return document_format{"servers", is_vs_code ? expand::interpolate : expand::whole_value};
    }
    auto const is_server = [](auto const& member) { return looks_like_server(member.value()); };
    if (!document.empty() && std::ranges::all_of(document, is_server))
        return document_format{};
    return std::nullopt;
}

inline bool read_input(config_reader const& where, json::value const& from, input_variable& to)
{
    if (!from.is_object())
        return where.expected("an object", from);
    // All other keys of an input configure the prompt of a client.
    bool good = true;
    for (auto const& [key, value] : from.get_object()) {
        auto const here = where.at(key);
        if (key == "id")
            good = here.read(value, to.id) && good;
        else if (key == "description")
            good = here.read(value, to.description) && good;
        else if (key == "password")
            good = here.read(value, to.password) && good;
        else if (key == "default" && value.is_string())
            good = here.read(value, to.fallback) && good;
    }
    return good && (!to.id.empty() || where.fail("'id' is missing"));
}

inline bool read_inputs(config_reader const& where, json::value const& from, std::vector<input_variable>& to)
{
    if (!from.is_array())
        return where.expected("an array", from);
    bool good = true;
    for (std::size_t i = 0; i != from.get_array().size(); ++i) {
        input_variable input;
        if (read_input(where.at(std::to_string(i)), from.get_array()[i], input))
            to.push_back(std::move(input));
        else
            good = false;
    }
    return good;
}

// Configuration with the inputs of its document, which apply to all servers.
struct document_draft {
    connector_config& config;
    std::vector<input_variable> inputs;
};

inline void read_settings(config_reader const& where, json::value const& document, document_draft& to)
{
    using at = config_reader const&;
    using value = json::value const&;
    static constexpr auto skip = [](at, value, document_draft&) { return true; };
    static constexpr key_rule<document_draft> rules[] = {
        {"mcpServers", skip},
        {"servers", skip},
        {"mcp_servers", skip},
        {"inputs", [](at here, value v, auto& d) { return read_inputs(here, v, d.inputs); }},
        {"default_timeout",
         [](at here, value v, auto& d) {
             return d.config.has_default_timeout = here.read(v, d.config.default_timeout, min_timeout);
         }},
        {"validate_arguments",
         [](at here, value v, auto& d) { return here.read(v, d.config.validate_arguments.emplace()); }},
        {"validate_results",
         [](at here, value v, auto& d) { return here.read(v, d.config.validate_results.emplace()); }},
        {"max_retries", [](at here, value v,
                           auto& d) { return d.config.has_max_retries = here.read(v, d.config.max_retries, 0, 1000); }},
    };
    read_members(where, document, to, rules);
    if (document.get_object().contains("mcpServers") && document.get_object().contains("servers"))
        where.at("servers").fail("expected 'mcpServers' or 'servers', not both");
}

// Returns whether headers of a server have variables that are given by their names.
inline bool names_variables_of_headers(json::value const& server)
{
    return server.is_object() &&
           (server.get_object().contains("bearer_token_env_var") || server.get_object().contains("env_http_headers"));
}

inline void read_servers(config_reader const& where, json::value const& from, document_format const& format,
                         document_draft& to)
{
    if (!from.is_object()) {
        where.expected("an object", from);
        return;
    }
    bool is_restricted = false;
    for (auto const& [name, value] : from.get_object()) {
        auto dialect = format.dialect;
        auto expansion = format.expansion;
        // The plain format has no variables in headers, so that its other texts are escaped.
        if (expansion == expand::whole_value && names_variables_of_headers(value)) {
            dialect.is_literal = true;
            expansion = expand::interpolate;
        }
        auto server = read_server(where.for_server(name), name, value, dialect);
        if (!server)
            continue;
        server->expansion = expansion;
        server->inputs = to.inputs;
        is_restricted |= server->url.empty() && !value.get_object().contains("inherit_env");
        to.config.servers.push_back(std::move(*server));
    }
    if (is_restricted && format.expansion == expand::whole_value)
        where.warn("servers inherit only HOME, PATH and similar variables of this process; set 'inherit_env' "
                   "(\"all\" or \"safe\") for each server");
}

// Reports duplicate keys. A duplicate name of a server is an error, and the servers with this name are removed; for
// other duplicate keys, the last value is used.
inline void report_repeated_keys(std::vector<repeated_key> const& keys, config_reader const& document,
                                 std::string const& servers, connector_config& to)
{
    for (auto const& [object, key] : keys) {
        if (object == servers) {
            to.problems.push_back({{config_problem::severity::error, key, object + "/" + pointer_token(key),
                                    "two servers have this name"},
                                   document.origin()});
            std::erase_if(to.servers, [&](server_config const& server) { return server.name == key; });
        } else {
            to.problems.push_back({{config_problem::severity::warning,
                                    {},
                                    object + "/" + pointer_token(key),
                                    "duplicate key; the last value is used"},
                                   document.origin()});
        }
    }
}

// Removes all servers whose keys are equal. Servers with different names may have equal keys.
inline void drop_equal_keys(connector_config& config)
{
    std::map<std::string, std::vector<server_config const*>> sharing;
    for (auto const& server : config.servers)
        sharing[server.key()].push_back(&server);
    for (auto const& [key, servers] : sharing) {
        for (auto const* const server : std::span(servers).subspan(1))
            config.problems.push_back({{config_problem::severity::error, server->name, server->pointer,
                                        "key '" + key + "' is also the key of server '" + servers.front()->name +
                                            "'; both servers are ignored"},
                                       server->origin});
    }
    std::set<std::string> shared;
    for (auto const& [key, servers] : sharing)
        if (servers.size() > 1)
            shared.insert(key);
    std::erase_if(config.servers, [&](server_config const& server) { return shared.contains(server.key()); });
}

// Sets the timeouts of the servers. The attempt timeout is at least the idle timeout, which would otherwise have no
// effect.
inline void apply_timeouts(connector_config& config)
{
    for (auto& server : config.servers) {
        auto& session = server.options.session;
        if (server.uses_default_timeout)
            session.idle_timeout = config.default_timeout;
        session.attempt_timeout = std::max(session.attempt_timeout, session.idle_timeout);
    }
}

LINKSPAN_DECL connector_config read_document(json::value const& document, std::vector<repeated_key> const& repeated,
                                             std::string origin, std::optional<server_dialect> dialect)
{
    connector_config out;
    config_reader const where(out.problems, std::move(origin));
    auto format = document.is_object() ? find_format(document.get_object()) : std::nullopt;
    if (format && dialect)
        format->dialect = *dialect;
    if (!document.is_object()) {
        where.expected("an object", document);
        return out;
    }
    document_draft draft{out, {}};
    if (!format || !format->key.empty())
        read_settings(where, document, draft);
    if (document.get_object().empty()) {
        where.warn("the document is empty: no servers");
        return out;
    }
    if (!format) {
        where.fail("'mcpServers' or 'servers' is missing");
        return out;
    }
    bool const is_root = format->key.empty();
    auto const server_scope = is_root ? where : where.at(format->key);
    read_servers(server_scope, is_root ? document : document.get_object().at(format->key), *format, draft);
    report_repeated_keys(repeated, where, server_scope.pointer(), out);
    drop_equal_keys(out);
    apply_timeouts(out);
    return out;
}

} // namespace detail

LINKSPAN_DECL connector_config connector_config::from_value(boost::json::value const& document, std::string origin)
{
    return detail::read_document(document, {}, std::move(origin), std::nullopt);
}

LINKSPAN_DECL connector_config connector_config::from_json(std::string_view text, std::string origin)
{
    auto const plain = detail::blank_comments(text);
    error_code ec;
    auto const document = boost::json::parse(plain, ec);
    if (!ec)
        return detail::read_document(document, detail::find_repeated_keys(plain), std::move(origin), std::nullopt);
    connector_config out;
    detail::config_reader const where(out.problems, std::move(origin));
    where.fail("not valid JSON: " + ec.message() + " at " + detail::position_of_error(plain));
    return out;
}

LINKSPAN_DECL connector_config& connector_config::operator|=(connector_config later)
{
    for (auto& server : later.servers) {
        auto const same = std::ranges::find(servers, server.name, &server_config::name);
        if (same == servers.end())
            servers.push_back(std::move(server));
        else
            *same = std::move(server);
    }
    std::ranges::move(later.problems, std::back_inserter(problems));
    if (later.has_default_timeout) {
        default_timeout = later.default_timeout;
        has_default_timeout = true;
    }
    if (later.has_max_retries) {
        max_retries = later.max_retries;
        has_max_retries = true;
    }
    if (later.validate_arguments)
        validate_arguments = later.validate_arguments;
    if (later.validate_results)
        validate_results = later.validate_results;
    detail::drop_equal_keys(*this);
    detail::apply_timeouts(*this);
    return *this;
}

LINKSPAN_DECL server_config const* connector_config::find(std::string_view name) const
{
    auto found = std::ranges::find(servers, name, &server_config::name);
    if (found == servers.end())
        found = std::ranges::find_if(servers, [&](server_config const& server) { return server.key() == name; });
    return found == servers.end() ? nullptr : &*found;
}

LINKSPAN_DECL std::string to_string(connector_config const& config)
{
    std::string out;
    for (auto const& server : config.servers)
        out += to_string(server) + "\n";
    return out;
}

} // namespace linkspan

#endif
