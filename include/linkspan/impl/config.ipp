#ifndef LINKSPAN_IMPL_CONFIG_IPP
#define LINKSPAN_IMPL_CONFIG_IPP

#include <linkspan/config.hpp>
#include <linkspan/json_scan.hpp>
#include <linkspan/nearest_names.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/stream_parser.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace linkspan {
namespace detail {

namespace json = boost::json;

inline std::string_view kind_name(json::value const& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_: return "a number";
    case json::kind::string: return "text";
    case json::kind::array: return "an array";
    case json::kind::object: return "an object";
    }
    return "?";
}

inline std::string pointer_token(std::string_view key)
{
    std::string out;
    for (char const c : key)
        c == '~' ? out += "~0" : c == '/' ? out += "~1" : out += c;
    return out;
}

// Reads one place of the document, and knows where it is.
class config_reader {
public:
    config_reader(configuration& out, std::string server, std::string pointer)
        : out_(&out), server_(std::move(server)), pointer_(std::move(pointer))
    {}

    config_reader at(std::string_view key) const { return {*out_, server_, pointer_ + "/" + pointer_token(key)}; }
    config_reader for_server(std::string_view name) const
    {
        auto inner = at(name);
        inner.server_ = name;
        return inner;
    }

    bool fail(std::string message) const
    {
        out_->problems.push_back({config_problem::severity::error, server_, pointer_, std::move(message)});
        return false;
    }

    void warn(std::string message) const
    {
        out_->problems.push_back({config_problem::severity::warning, server_, pointer_, std::move(message)});
    }

    bool expected(std::string_view what, json::value const& came) const
    {
        return fail("expected " + std::string(what) + ", and got " + std::string(kind_name(came)));
    }

    bool read(json::value const& from, std::string& to) const
    {
        if (!from.is_string())
            return expected("text", from);
        to.assign(from.get_string().data(), from.get_string().size());
        return true;
    }

    bool read(json::value const& from, bool& to) const
    {
        if (!from.is_bool())
            return expected("a boolean", from);
        to = from.get_bool();
        return true;
    }

    template<std::integral Number>
    bool read(json::value const& from, Number& to, std::int64_t least, std::int64_t most) const
    {
        auto const range = std::to_string(least) + " to " + std::to_string(most);
        if (!from.is_int64())
            return expected("an integer from " + range, from);
        if (from.get_int64() < least || from.get_int64() > most)
            return fail("expected an integer from " + range + ", and got " + std::to_string(from.get_int64()));
        to = static_cast<Number>(from.get_int64());
        return true;
    }

    bool read(json::value const& from, std::vector<std::string>& to) const
    {
        if (!from.is_array())
            return expected("an array of texts", from);
        bool good = true;
        for (std::size_t i = 0; i != from.get_array().size(); ++i)
            good = at(std::to_string(i)).read(from.get_array()[i], to.emplace_back()) && good;
        return good;
    }

    bool read(json::value const& from, std::map<std::string, std::string>& to) const
    {
        if (!from.is_object())
            return expected("an object of texts", from);
        bool good = true;
        for (auto const& [key, value] : from.get_object())
            good = at(key).read(value, to[std::string(key)]) && good;
        return good;
    }

    template<class Value, std::size_t N>
    bool read_choice(json::value const& from, Value& to,
                     std::array<std::pair<std::string_view, Value>, N> const& choices) const
    {
        std::string text, all;
        if (!read(from, text))
            return false;
        for (auto const& [name, value] : choices) {
            if (name == text) {
                to = value;
                return true;
            }
            all += (all.empty() ? "'" : ", '") + std::string(name) + "'";
        }
        return fail("expected one of " + all + ", and got '" + text + "'");
    }

    void unknown_key(std::string_view key, std::span<std::string_view const> known) const
    {
        auto const nearest = nearest_names(key, known, 1);
        at(key).warn(nearest.empty() ? "unknown key" : "unknown key; did you mean '" + nearest.front() + "'?");
    }

private:
    configuration* out_;
    std::string server_, pointer_;
};

inline bool read_tool(config_reader const& where, json::value const& from, tool_options& to)
{
    static constexpr std::array<std::string_view, 1> known{"replay"};
    static constexpr std::array<std::pair<std::string_view, replay_class>, 4> classes{{
        {"never", replay_class::never},
        {"idempotent", replay_class::idempotent},
        {"read_only", replay_class::read_only},
        {"keyed", replay_class::keyed},
    }};
    if (!from.is_object())
        return where.expected("an object", from);
    bool good = true;
    for (auto const& [key, value] : from.get_object()) {
        if (key == "replay")
            good = where.at(key).read_choice(value, to.replay.emplace(), classes) && good;
        else
            where.unknown_key(key, known);
    }
    return good;
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

inline bool read_key(config_reader const& where, std::string_view key, json::value const& value, configured_server& to)
{
    static constexpr std::array<std::string_view, 11> known{
        "command",           "args",          "env",  "cwd", "type", "priority", "tags", "inherit_env",
        "trust_annotations", "max_in_flight", "tools"};
    static constexpr std::array<std::pair<std::string_view, environment>, 2> environments{{
        {"safe", environment::safe},
        {"all", environment::all},
    }};
    static constexpr std::array<std::pair<std::string_view, bool>, 1> types{{{"stdio", true}}};
    auto const here = where.at(key);
    bool is_stdio = true;
    if (key == "command")
        return here.read(value, to.transport.command);
    if (key == "args")
        return here.read(value, to.transport.args);
    if (key == "env")
        return here.read(value, to.transport.env);
    if (key == "cwd")
        return here.read(value, to.transport.cwd);
    if (key == "type")
        return here.read_choice(value, is_stdio, types);
    if (key == "inherit_env")
        return here.read_choice(value, to.transport.inherit, environments);
    if (key == "priority")
        return here.read(value, to.options.priority, 0, 100);
    if (key == "tags")
        return here.read(value, to.options.tags);
    if (key == "trust_annotations")
        return here.read(value, to.options.trust_annotations);
    if (key == "max_in_flight")
        return here.read(value, to.options.session.max_in_flight, 1, 1'000'000);
    if (key == "tools")
        return read_tools(here, value, to.options);
    where.unknown_key(key, known);
    return true;
}

inline std::optional<configured_server> read_server(config_reader const& where, std::string_view name,
                                                    json::value const& from)
{
    configured_server server;
    server.name = name;
    if (!from.is_object()) {
        where.expected("an object", from);
        return std::nullopt;
    }
    bool good = true;
    for (auto const& [key, value] : from.get_object())
        good = read_key(where, key, value, server) && good;
    if (!from.get_object().contains("command"))
        good = where.fail("'command' is missing");
    else if (good && server.transport.command.empty())
        good = where.at("command").fail("'command' is empty");
    if (name.empty())
        good = where.fail("the name of a server is empty");
    return good ? std::optional(std::move(server)) : std::nullopt;
}

// The names that several servers have. A parsed object holds each key once, so the text is asked.
inline std::vector<std::string> find_duplicates(config_reader const& where, std::string_view servers)
{
    std::vector<std::string> seen, twice;
    json_scan::reader members(servers);
    while (auto const member = members.next()) {
        auto name = json_scan::string('"' + std::string(member->key) + '"').value_or("");
        if (std::ranges::find(seen, name) == seen.end()) {
            seen.push_back(std::move(name));
        } else if (std::ranges::find(twice, name) == twice.end()) {
            where.for_server(name).fail("two servers have this name");
            twice.push_back(std::move(name));
        }
    }
    return twice;
}

// Where a text stops being JSON, in lines and columns from 1.
inline std::string position_of_error(std::string_view text)
{
    json::stream_parser parser;
    error_code ec;
    auto const good = std::min(parser.write_some(text.data(), text.size(), ec), text.size());
    auto const before = text.substr(0, good);
    auto const line = std::ranges::count(before, '\n') + 1;
    auto const newline = before.rfind('\n');
    auto const column = newline == before.npos ? good + 1 : good - newline;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace detail

LINKSPAN_DECL std::string to_string(config_problem const& problem)
{
    std::string out = problem.how == config_problem::severity::warning ? "warning: " : "error: ";
    if (!problem.server.empty())
        out += "server '" + problem.server + "', ";
    return out + (problem.pointer.empty() ? "" : problem.pointer + ": ") + problem.message;
}

LINKSPAN_DECL bool configuration::has_errors() const noexcept
{
    return std::ranges::any_of(problems,
                               [](config_problem const& p) { return p.how == config_problem::severity::error; });
}

LINKSPAN_DECL configuration read_configuration(std::string_view text)
{
    static constexpr std::array<std::string_view, 1> known{"mcpServers"};
    configuration out;
    detail::config_reader const document(out, {}, {});
    error_code ec;
    auto const value = boost::json::parse({text.data(), text.size()}, ec);
    if (ec) {
        document.fail("not valid JSON: " + ec.message() + " at " + detail::position_of_error(text));
        return out;
    }
    if (!value.is_object()) {
        document.expected("an object", value);
        return out;
    }
    for (auto const& [key, ignored] : value.get_object())
        if (key != "mcpServers")
            document.unknown_key(key, known);
    auto const* const servers = value.get_object().if_contains("mcpServers");
    auto const where = document.at("mcpServers");
    if (!servers) {
        document.fail("'mcpServers' is missing");
    } else if (!servers->is_object()) {
        where.expected("an object", *servers);
    } else {
        auto const twice = detail::find_duplicates(where, json_scan::member(text, "mcpServers"));
        for (auto const& [name, server] : servers->get_object()) {
            auto read = detail::read_server(where.for_server(name), name, server);
            if (read && std::ranges::find(twice, read->name) == twice.end())
                out.servers.push_back(std::move(*read));
        }
    }
    return out;
}

} // namespace linkspan

#endif
