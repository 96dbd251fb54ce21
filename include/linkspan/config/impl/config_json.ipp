#ifndef LINKSPAN_CONFIG_IMPL_CONFIG_JSON_IPP
#define LINKSPAN_CONFIG_IMPL_CONFIG_JSON_IPP

// Writes configurations as documents that `server_reader` and `connector_config` read.

#include <linkspan/config/config_json.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/redact.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::string_view redacted_text = "***";

inline double json_seconds(duration span) noexcept { return std::chrono::duration<double>(span).count(); }

// Returns whether a text is exactly one variable, without a default.
inline bool is_variable(std::string_view text) noexcept
{
    return text.size() > 3 && text.starts_with("${") && text.find('}') == text.size() - 1 &&
           text.find(":-") == text.npos;
}

inline bool names_a_secret(std::string_view name)
{
    constexpr std::array<std::string_view, 6> marks{"key", "token", "secret", "passw", "auth", "credential"};
    return std::ranges::any_of(marks, [&](std::string_view mark) {
        return !std::ranges::search(name, mark, [](char a, char b) { return (a | 0x20) == b; }).empty();
    });
}

// Writes the texts of one server, redacted and escaped as the document requires.
class server_texts {
public:
    // `interpolates`: whether the document replaces variables within texts; literal `${` is then escaped.
    server_texts(server_config const& server, literal_values literals, bool interpolates)
        : redacts_(literals == literal_values::redacted),
          escapes_(interpolates && server.expansion == expand::whole_value)
    {}

    std::string secret(std::string const& text) const
    {
        std::string_view variable = text;
        for (std::string_view const scheme : {"Bearer ", "Basic "})
            if (variable.starts_with(scheme))
                variable.remove_prefix(scheme.size());
        if (redacts_ && !text.empty() && !is_variable(variable))
            return std::string(redacted_text);
        return is_variable(text) ? text : plain(text);
    }

    std::string plain(std::string const& text) const
    {
        if (!escapes_)
            return text;
        std::string out;
        for (std::size_t i = 0; i != text.size(); ++i) {
            if (std::string_view(text).substr(i).starts_with("${"))
                out += '$';
            out += text[i];
        }
        return out;
    }

    std::string address(std::string const& text) const
    {
        redactor credentials;
        if (redacts_)
            credentials.add_address(text);
        return plain(credentials(text));
    }

    boost::json::array arguments(std::vector<std::string> const& args) const
    {
        boost::json::array out;
        bool follows_a_name = false; // the previous argument is a secret option without value, such as `--api-key`
        for (auto const& arg : args) {
            auto const equals = arg.find('=');
            auto const name = std::string_view(arg).substr(0, equals);
            bool const is_named = arg.starts_with('-') && names_a_secret(name);
            if (is_named && equals != arg.npos)
                out.push_back(boost::json::value(std::string(name) + "=" + secret(arg.substr(equals + 1))));
            else if (follows_a_name && !arg.starts_with('-'))
                out.push_back(boost::json::value(secret(arg)));
            else
                out.push_back(boost::json::value(address(arg)));
            follows_a_name = is_named && equals == arg.npos;
        }
        return out;
    }

    boost::json::object secrets(std::map<std::string, std::string> const& named) const
    {
        boost::json::object out;
        for (auto const& [name, text] : named)
            out[name] = secret(text);
        return out;
    }

private:
    bool redacts_, escapes_; // redacts_: literal secrets are redacted; escapes_: `${` is escaped
};

inline boost::json::object json_of(restart_options const& from)
{
    restart_options const defaults;
    boost::json::object out;
    auto const write = [&](char const* key, duration span, duration otherwise) {
        if (span != otherwise)
            out[key] = json_seconds(span);
    };
    if (from.max_restarts != defaults.max_restarts)
        out["max_restarts"] = from.max_restarts;
    write("window", from.window, defaults.window);
    write("wait", from.wait, defaults.wait);
    write("max_wait", from.max_wait, defaults.max_wait);
    write("settled_after", from.settled_after, defaults.settled_after);
    write("patience", from.patience, defaults.patience);
    write("max_slow_wait", from.max_slow_wait, defaults.max_slow_wait);
    write("unresponsive_after", from.unresponsive_after, defaults.unresponsive_after);
    if (from.give_up != defaults.give_up)
        out["give_up"] = from.give_up;
    return out;
}

inline boost::json::object json_of(std::map<std::string, tool_options, std::less<>> const& tools)
{
    boost::json::object out;
    for (auto const& [name, options] : tools) {
        boost::json::object tool;
        if (options.replay)
            tool["replay"] = to_string(*options.replay);
        if (!options.group.empty())
            tool["group"] = options.group;
        if (options.result_ttl)
            tool["result_ttl"] = json_seconds(*options.result_ttl);
        out[name] = std::move(tool);
    }
    return out;
}

inline void write_start(boost::json::object& out, server_config const& server, server_texts const& texts)
{
    out["command"] = texts.plain(server.command);
    out["args"] = texts.arguments(server.args);
    if (!server.env.empty())
        out["env"] = texts.secrets(server.env);
    if (!server.cwd.empty())
        out["cwd"] = texts.plain(server.cwd);
    if (!server.env_file.empty())
        out["envFile"] = texts.plain(server.env_file);
    out["inherit_env"] = server.inherit == environment::all ? "all" : "safe";
}

inline void write_address(boost::json::object& out, server_config const& server, server_texts const& texts)
{
    if (server.framing != http_framing::automatic)
        out["type"] = server.framing == http_framing::sse ? "sse" : "streamable-http";
    out["url"] = texts.address(server.url);
    if (!server.headers.empty())
        out["headers"] = texts.secrets(server.headers);
    if (!server.unix_socket.empty())
        out["unix_socket"] = server.unix_socket;
}

inline void write_session(boost::json::object& out, server_config const& server)
{
    session_options const defaults;
    auto const& session = server.options.session;
    if (!server.uses_default_timeout)
        out["timeout"] = json_seconds(session.idle_timeout);
    if (session.startup_timeout != defaults.startup_timeout)
        out["startup_timeout"] = json_seconds(session.startup_timeout);
    if (session.max_in_flight != defaults.max_in_flight)
        out["max_in_flight"] = session.max_in_flight;
    if (session.strict)
        out["strict"] = true;
    if (server.max_line != line_framing::default_max_line)
        out["max_line"] = server.max_line;
    if (server.replicas != 1)
        out["replicas"] = server.replicas;
}

inline void write_options(boost::json::object& out, server_options const& options)
{
    if (!options.enabled)
        out["enabled"] = false;
    if (options.required)
        out["required"] = true;
    if (options.start != start_mode::eager)
        out["start"] = options.start == start_mode::lazy ? "lazy" : "manual";
    if (auto restart = json_of(options.restart); !restart.empty())
        out["restart"] = std::move(restart);
    if (options.priority != 0)
        out["priority"] = options.priority;
    if (!options.tags.empty())
        out["tags"] = boost::json::array(options.tags.begin(), options.tags.end());
    if (options.trust_annotations)
        out["trust_annotations"] = true;
    if (options.validate_arguments.has_value())
        out["validate_arguments"] = options.validate_arguments.value_or(false);
    if (options.validate_results.has_value())
        out["validate_results"] = options.validate_results.value_or(false);
    if (auto const* const known = options.result_classifier.target<decltype(&find_status_error)>();
        known && *known == &find_status_error)
        out["result_classifier"] = "status";
    if (options.result_ttl != duration::zero())
        out["result_ttl"] = json_seconds(options.result_ttl);
    if (!options.tools.empty())
        out["tools"] = json_of(options.tools);
}

inline boost::json::object json_of(server_config const& server, server_texts const& texts)
{
    boost::json::object out;
    if (server.url.empty())
        write_start(out, server, texts);
    else
        write_address(out, server, texts);
    if (!server.description.empty())
        out["description"] = server.description;
    if (server.only_tools)
        out["includeTools"] = boost::json::array(server.only_tools->begin(), server.only_tools->end());
    if (!server.hidden_tools.empty())
        out["excludeTools"] = boost::json::array(server.hidden_tools.begin(), server.hidden_tools.end());
    write_options(out, server.options);
    write_session(out, server);
    return out;
}

// Returns each input once: servers of one document share them.
inline boost::json::array inputs_of(connector_config const& config)
{
    std::vector<input_variable const*> all;
    for (auto const& server : config.servers)
        for (auto const& input : server.inputs)
            if (std::ranges::find(all, input.id, &input_variable::id) == all.end())
                all.push_back(&input);
    boost::json::array out;
    for (auto const* const input : all) {
        boost::json::object one;
        one["id"] = input->id;
        one["description"] = input->description;
        one["password"] = input->password;
        if (!input->fallback.empty() && !input->password)
            one["default"] = input->fallback;
        out.push_back(std::move(one));
    }
    return out;
}

// A document with "servers" and inputs, or with a type, would be read in the format of VS Code.
inline bool fits_plain_format(server_config const& server)
{
    return server.expansion == expand::whole_value && server.inputs.empty() &&
           (server.url.empty() || server.framing == http_framing::automatic);
}

} // namespace detail

LINKSPAN_DECL boost::json::object to_json(connector_config const& config, literal_values literals)
{
    bool const is_plain = std::ranges::all_of(config.servers, detail::fits_plain_format) && !config.servers.empty();
    boost::json::object servers, out;
    for (auto const& server : config.servers)
        servers[server.name] = detail::json_of(server, detail::server_texts(server, literals, !is_plain));
    if (auto inputs = detail::inputs_of(config); !inputs.empty())
        out["inputs"] = std::move(inputs);
    out[is_plain ? "servers" : "mcpServers"] = std::move(servers);
    if (config.has_default_timeout)
        out["default_timeout"] = detail::json_seconds(config.default_timeout);
    if (config.has_max_retries)
        out["max_retries"] = config.max_retries;
    if (config.validate_arguments)
        out["validate_arguments"] = *config.validate_arguments;
    if (config.validate_results)
        out["validate_results"] = *config.validate_results;
    return out;
}

} // namespace linkspan

#endif
