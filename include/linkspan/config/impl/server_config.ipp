#ifndef LINKSPAN_CONFIG_IMPL_SERVER_CONFIG_IPP
#define LINKSPAN_CONFIG_IMPL_SERVER_CONFIG_IPP

#include <linkspan/config/detail/server_address.hpp>
#include <linkspan/config/server_config.hpp>
#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/detail/safe_variables.hpp>
#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/json/detail/json_pointer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns whether a header is an `Authorization` without credentials: blanks, or a scheme only.
inline bool is_empty_authorization(std::string_view name, std::string_view value)
{
    if (!equal_ignoring_case(name, "Authorization") && !equal_ignoring_case(name, "Proxy-Authorization"))
        return false;
    auto const first = value.find_first_not_of(" \t");
    if (first == value.npos)
        return true;
    value = value.substr(first, value.find_last_not_of(" \t") + 1 - first);
    return equal_ignoring_case(value, "Bearer") || equal_ignoring_case(value, "Basic");
}

inline bool is_address(std::string_view url) noexcept
{
    auto const scheme = url.find("://");
    auto const is_odd = [](unsigned char c) { return c <= 0x20 || c == 0x7f; };
    return scheme != url.npos && scheme != 0 && scheme + 3 != url.size() && std::ranges::none_of(url, is_odd);
}

// Replaces the variables of a server, and collects problems and secrets.
class server_resolver {
public:
    // Parts of an expanded text that are secret: none, the values of variables of the environment, or the whole text.
    // Values of inputs are always secret.
    enum class secrets { none, variables, whole_text };

    server_resolver(server_config const& server, variable_sources const& from, std::vector<config_problem>& problems,
                    redactor& secret)
        : server_(server), from_(from), problems_(problems), secret_(secret)
    {}

    // Expands a value of `env`. Empty: the value has an error, which is reported.
    std::optional<std::string> env(std::string const& name, std::string const& text)
    {
        auto const place = "/env/" + pointer_token(name);
        return expand_at(place, text, server_.expansion, secrets::whole_text, server_.when_missing);
    }

    std::optional<std::string> other(std::string const& place, std::string const& text, secrets hidden)
    {
        if (server_.expansion == expand::interpolate)
            return expand_at(place, text, expand::interpolate, hidden, missing::error);
        hide(text, {}, hidden);
        return text;
    }

    void add(config_problem::severity level, std::string const& place, std::string message)
    {
        problems_.push_back({{level, server_.name, server_.pointer + place, std::move(message)}, server_.origin});
    }

private:
    std::optional<std::string> expand_at(std::string const& place, std::string const& text, expand forms,
                                         secrets hidden, missing when_missing)
    {
        auto out = expand_text(text, forms, from_, server_.inputs);
        bool good = true;
        for (auto const& use : out.uses)
            good = accept(place, use, when_missing) && good;
        hide(out.text, out.uses, hidden);
        if (good && out.text.find('\0') != out.text.npos) {
            add(config_problem::severity::error, place, "the value of a variable has a NUL byte");
            good = false;
        }
        return good ? std::optional(std::move(out.text)) : std::nullopt;
    }

    bool accept(std::string const& place, variable_use const& use, missing when_missing)
    {
        if (use.status == variable_use::result::found || use.status == variable_use::result::defaulted)
            return true;
        if (use.status == variable_use::result::nested) {
            add(config_problem::severity::error, place,
                describe(use) + "the default after ':-' must not contain variables");
            return false;
        }
        bool const warn = when_missing == missing::empty_with_warning && use.of != variable_use::kind::input;
        add(warn ? config_problem::severity::warning : config_problem::severity::error, place,
            describe(use) + (warn ? "not set; an empty value is used" : reason(use)));
        return warn;
    }

    // The name is arbitrary text that may contain a part of a secret: only plain names are printed.
    std::string describe(variable_use const& use) const
    {
        if (use.of == variable_use::kind::input) {
            auto const* const input = find_input(use);
            return input                     ? "input '" + input->id + "'" + describe(*input) + ": "
                   : is_plain_name(use.name) ? "input '" + use.name + "': "
                                             : "an input: ";
        }
        return is_plain_name(use.name) ? "variable '" + use.name + "': " : "a variable: ";
    }

    static std::string describe(input_variable const& input)
    {
        return input.description.empty() ? "" : " (" + input.description + ")";
    }

    std::string reason(variable_use const& use) const
    {
        if (use.of != variable_use::kind::input)
            return "not set";
        if (!find_input(use))
            return "not declared in 'inputs'";
        return from_.inputs ? "no value was entered" : "no input source is configured";
    }

    input_variable const* find_input(variable_use const& use) const
    {
        auto const found = std::ranges::find(server_.inputs, use.name, &input_variable::id);
        return found == server_.inputs.end() ? nullptr : &*found;
    }

    void hide(std::string_view text, std::vector<variable_use> const& uses, secrets hidden)
    {
        for (auto const& use : uses) {
            bool const is_secret = use.of == variable_use::kind::environment && hidden == secrets::variables &&
                                   use.status == variable_use::result::found && !is_safe_variable(use.name);
            if (is_secret || hidden == secrets::whole_text || use.of == variable_use::kind::input)
                secret_.add(use.value);
        }
        if (hidden == secrets::whole_text)
            secret_.add(text);
        secret_.add_address(text);
    }

    // Set by the constructor.
    server_config const& server_;
    variable_sources const& from_;
    std::vector<config_problem>& problems_; // receives the problems
    redactor& secret_;                      // receives the secrets
};

inline std::map<std::string, std::string> resolve_env(server_config const& server, server_resolver& resolver)
{
    std::map<std::string, std::string> out;
    for (auto const& [name, text] : server.env)
        if (auto value = resolver.env(name, text))
            out.emplace(name, std::move(*value));
    return out;
}

inline std::string_view trimmed_line(std::string_view text) noexcept
{
    constexpr std::string_view blanks = " \t\r";
    auto const begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Returns the value in a line of an environment file. A quoted value is literal; an unquoted one ends at " #".
inline std::string env_file_value(std::string_view text)
{
    if (text.size() > 1 && (text[0] == '"' || text[0] == '\''))
        if (auto const end = text.find(text[0], 1); end != text.npos)
            return std::string(text.substr(1, end - 1));
    return std::string(trimmed_line(text.substr(0, text.find(" #"))));
}

// Adds the variables of the environment file that `env` does not contain.
inline void add_env_file(server_config const& server, variable_sources const& from, server_resolver& resolver,
                         redactor& secret, std::map<std::string, std::string>& to)
{
    if (server.env_file.empty())
        return;
    auto const path = resolver.other("/envFile", server.env_file, server_resolver::secrets::none);
    if (!path)
        return;
    bool const is_relative = !path->starts_with('/') && !from.workspace_folder.empty();
    auto const text = from.files ? from.files(is_relative ? from.workspace_folder + "/" + *path : *path) : std::nullopt;
    if (!text)
        return resolver.add(config_problem::severity::error, "/envFile", "the file cannot be read");
    std::size_t number = 0;
    for (std::string_view rest = *text; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        auto line = trimmed_line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.starts_with("export "))
            line.remove_prefix(7);
        auto const equals = line.find('=');
        auto const name = trimmed_line(line.substr(0, equals));
        if (line.empty() || line.starts_with('#'))
            continue;
        if (equals == line.npos || !is_plain_name(name)) {
            resolver.add(config_problem::severity::warning, "/envFile",
                         "line " + std::to_string(number) + ": expected NAME=value; the line is ignored");
            continue;
        }
        auto value = env_file_value(trimmed_line(line.substr(equals + 1)));
        secret.add(value);
        to.emplace(name, std::move(value));
    }
}

inline std::map<std::string, std::string> resolve_headers(server_config const& server, server_resolver& resolver,
                                                          redactor& secret)
{
    std::map<std::string, std::string> out;
    for (auto const& [name, text] : server.headers) {
        auto const place = "/headers/" + pointer_token(name);
        auto value = resolver.other(place, text, server_resolver::secrets::whole_text);
        if (!value)
            continue;
        secret.add_header(*value);
        if (is_empty_authorization(name, *value))
            resolver.add(config_problem::severity::warning, place, "empty value; the header is not sent");
        else if (value->find_first_of("\r\n") != value->npos)
            resolver.add(config_problem::severity::error, place, "expected a value without line breaks");
        else
            out.emplace(name, std::move(*value));
    }
    return out;
}

inline stdio_config resolve_stdio(server_config const& server, variable_sources const& from, server_resolver& resolver,
                                  redactor& secret)
{
    using secrets = server_resolver::secrets;
    stdio_config out;
    out.command = resolver.other("/command", server.command, secrets::none).value_or("");
    for (std::size_t i = 0; i != server.args.size(); ++i)
        out.args.push_back(
            resolver.other("/args/" + std::to_string(i), server.args[i], secrets::variables).value_or(""));
    out.env = resolve_env(server, resolver);
    add_env_file(server, from, resolver, secret, out.env);
    out.inherit = server.inherit;
    out.cwd = resolver.other("/cwd", server.cwd, secrets::none).value_or("");
    out.max_line = server.max_line;
    return out;
}

inline void append_names(std::string& out, std::string_view what, std::map<std::string, std::string> const& named)
{
    if (!named.empty())
        out += std::string(", ").append(what);
    for (auto const& [name, value] : named)
        out += " " + name;
}

} // namespace detail

LINKSPAN_DECL std::string server_key(std::string_view name)
{
    constexpr std::string_view legal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    constexpr std::size_t max_size = 32, digits = 8;
    if (!name.empty() && name.size() <= max_size && name.find_first_not_of(legal) == name.npos)
        return std::string(name);
    std::string key;
    for (std::size_t i = 0; i != name.size(); ++i) {
        if (legal.find(name[i]) != legal.npos)
            key += name[i];
        else if (!key.empty() && legal.find(name[i - 1]) != legal.npos && name.find_first_of(legal, i) != name.npos)
            key += '_';
    }
    if (!key.empty() && key.size() <= max_size)
        return key;
    key.resize(std::min(key.size(), max_size - digits - 1));
    return (key.empty() ? "server" : key) + "_" + detail::sha256_digits(name);
}

LINKSPAN_DECL std::map<std::string, std::string> server_config::resolve_env(variable_sources const& from,
                                                                            std::vector<config_problem>* problems) const
{
    std::vector<config_problem> ignored;
    redactor secret;
    detail::server_resolver resolver(*this, from, problems ? *problems : ignored, secret);
    return detail::resolve_env(*this, resolver);
}

LINKSPAN_DECL std::map<std::string, std::string> server_config::resolve_env(env_source const& from) const
{
    return resolve_env(variable_sources(from));
}

LINKSPAN_DECL resolved_server server_config::resolve(variable_sources const& from) const
{
    using severity = config_problem::severity;
    resolved_server out;
    detail::server_resolver resolver(*this, from, out.problems, out.secrets);
    if (url.empty()) {
        auto made = detail::resolve_stdio(*this, from, resolver, out.secrets);
        if (made.command.empty() && !has_errors(out.problems))
            resolver.add(severity::error, "/command", "empty");
        if (!has_errors(out.problems))
            out.stdio = std::move(made);
        return out;
    }
    auto const address = resolver.other("/url", url, detail::server_resolver::secrets::variables);
    auto made = detail::resolve_headers(*this, resolver, out.secrets);
    if (address && !detail::is_address(*address))
        resolver.add(severity::error, "/url", "expected a URL such as https://host/path");
    if (!has_errors(out.problems)) {
        out.url = *address;
        out.headers = std::move(made);
        out.unix_socket = unix_socket;
        out.max_line = max_line;
    }
    return out;
}

LINKSPAN_DECL bool server_config::allows_tool(std::string_view tool) const
{
    auto const has = [tool](std::vector<std::string> const& names) {
        return std::ranges::find(names, tool) != names.end();
    };
    return (!only_tools || has(*only_tools)) && !has(hidden_tools);
}

LINKSPAN_DECL std::string to_string(server_config const& server)
{
    std::string out = server.name + ": ";
    if (server.url.empty()) {
        out += server.command;
        if (auto const count = server.args.size(); count != 0)
            out += ", " + std::to_string(count) + (count == 1 ? " argument" : " arguments");
        detail::append_names(out, "env", server.env);
    } else {
        out += "over HTTP";
        detail::append_names(out, "headers", server.headers);
    }
    if (!server.options.enabled)
        out += ", disabled";
    return out + (server.origin.empty() ? "" : " (" + server.origin + ")");
}

LINKSPAN_DECL server_config server_config::from_url(std::string_view url) { return detail::read_server_url(url); }

LINKSPAN_DECL server_config server_config::from_string(std::string_view text) { return detail::read_server_text(text); }

} // namespace linkspan

#endif
