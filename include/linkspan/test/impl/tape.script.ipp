#ifndef LINKSPAN_TEST_IMPL_TAPE_SCRIPT_IPP
#define LINKSPAN_TEST_IMPL_TAPE_SCRIPT_IPP

#include <linkspan/describe/encode.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/detail/tape_requests.hpp>
#include <linkspan/test/script/detail/escape_expressions.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/detail/script_tools.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <map>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns the action that sends a recorded response; without one, the request stays pending.
inline boost::json::object action_of(tape_request const& from)
{
    if (!from.response)
        return {{"hang", true}};
    auto const result = json_scan::member(from.response->text, "result");
    if (result.starts_with('{')) {
        auto value = parse_params(result);
        escape_expressions(value);
        return {{"result", value}};
    }
    auto const error = json_scan::member(from.response->text, "error");
    boost::json::value message(
        boost::json::string(json_scan::string(json_scan::member(error, "message")).value_or("")));
    escape_expressions(message);
    boost::json::object made{{"code", json_scan::integer(json_scan::member(error, "code")).value_or(-32603)},
                             {"message", message}};
    if (auto const data = json_scan::member(error, "data"); !data.empty())
        escape_expressions(made["data"] = parse_params(data));
    return {{"rpcError", std::move(made)}};
}

// Returns the tools of a list in the form of a script. Calls of a tool without an output schema have no reply.
inline boost::json::array script_tools(tape_request const& list)
{
    boost::json::array out;
    auto const result = parse_params(list.response ? json_scan::member(list.response->text, "result") : "{}");
    auto const* const tools = result.is_object() ? result.get_object().if_contains("tools") : nullptr;
    if (!tools || !tools->is_array())
        return out;
    for (auto const& tool : tools->get_array()) {
        auto listed = listed_tool(tool, 0);
        if (!listed)
            continue;
        if (!listed->output_schema)
            listed->reply.reset();
        std::string text;
        encode(text, *listed);
        out.push_back(parse_params(text));
    }
    return out;
}

// Adds what the recorded server has said of itself.
inline void add_server(std::vector<tape_request> const& requests, boost::json::object& to)
{
    boost::json::object server;
    for (auto const& one : requests) {
        bool const is_opening = one.method == "initialize" || one.method == "server/discover";
        auto const result = is_opening && one.response ? json_scan::member(one.response->text, "result") : "";
        auto const capabilities = json_scan::member(result, "capabilities");
        if (capabilities.starts_with('{'))
            server["capabilities"] = parse_params(capabilities);
        if (auto const text = json_scan::string(json_scan::member(result, "instructions")))
            server["instructions"] = *text;
        auto info = json_scan::member(result, "serverInfo");
        if (info.empty())
            info = json_scan::member(json_scan::member(result, "_meta"), "io.modelcontextprotocol/serverInfo");
        auto const name = json_scan::string(json_scan::member(info, "name"));
        auto const version = json_scan::string(json_scan::member(info, "version"));
        if (name && version)
            server["info"] = {{"name", *name}, {"version", *version}};
    }
    if (!server.empty())
        to["server"] = std::move(server);
    boost::json::array versions;
    for (auto const version : versions_of(requests))
        versions.emplace_back(to_string(version));
    if (!versions.empty())
        to["protocolVersions"] = std::move(versions);
}

// Returns whether a value contains a text in place of a secret.
inline bool has_redaction(boost::json::value const& in)
{
    return json_text(in).find(redacted_text) != std::string::npos;
}

// Adds one condition for each member of an object. Values that contain replaced secrets must be present only.
inline void add_conditions(boost::json::object const& from, std::string const& at, boost::json::object& to)
{
    for (auto const& member : from) {
        auto& condition = to[at + "/" + linkspan::detail::pointer_token(member.key())];
        if (has_redaction(member.value()))
            condition = {{"present", true}};
        else
            condition = {{"eq", member.value()}};
    }
}

// Names of the parameters with which each method was requested, without `_meta`.
using parameter_names = std::map<std::string, std::set<std::string>>;

// Returns the names for the requests of a tape. Lists can have a cursor, also if none was recorded.
inline parameter_names names_of_parameters(std::vector<tape_request> const& from)
{
    parameter_names out;
    for (auto const& one : from) {
        auto& names = out[one.method];
        if (one.method.ends_with("/list"))
            names.insert("cursor");
        auto const params = parse_params(one.params);
        if (auto const* const members = params.if_object())
            for (auto const& member : *members)
                names.insert(std::string(member.key()));
        names.erase("_meta");
    }
    return out;
}

// Returns a trigger and the conditions of a rule for a request. A parameter of `known` that the request does not have
// must be absent, so that the rule does not match the requests with it.
// `tools`: names of the listed tools, as JSON; empty: no list was recorded.
inline boost::json::object rule_for(tape_request const& from, std::set<std::string> const& known,
                                    std::set<std::string> const& tools)
{
    auto params = parse_params(from.params);
    boost::json::object rule, where;
    if (from.method == "tools/call") {
        boost::json::value const name(
            boost::json::string(json_scan::string(json_scan::member(from.params, "name")).value_or("")));
        if (tools.empty() || tools.contains(json_text(name))) {
            rule["on"] = {{"call", name}};
        } else { // the trigger `call` would declare the tool
            rule["on"] = {{"request", from.method}};
            where["/name"] = {{"eq", name}};
        }
        auto const* const arguments = params.is_object() ? params.get_object().if_contains("arguments") : nullptr;
        if (arguments && arguments->is_object() && has_redaction(*arguments))
            add_conditions(arguments->get_object(), "/arguments", where);
        else if (arguments)
            where["/arguments"] = {{"eq", *arguments}};
        else
            where["/arguments"] = {{"absent", true}};
    } else {
        rule["on"] = {{"request", from.method}};
        if (params.is_object()) {
            params.get_object().erase("_meta");
            add_conditions(params.get_object(), {}, where);
        }
        for (auto const& name : known)
            where.emplace("/" + linkspan::detail::pointer_token(name), boost::json::object{{"absent", true}});
    }
    rule["where"] = std::move(where);
    return rule;
}

} // namespace detail

LINKSPAN_DECL std::string tape::to_script() const
{
    boost::json::object script{{"mock", 1}};
    boost::json::array rules, tools;
    std::set<std::string> names;              // of the tools, which can be on several pages or in several lists
    std::map<std::string, std::size_t> known; // indices of rules, by the text of trigger and conditions
    auto const requests = detail::requests_of(*entries_);
    auto const parameters = detail::names_of_parameters(requests);
    detail::add_server(requests, script);
    for (auto const& one : requests)
        if (one.method == "tools/list")
            for (auto& tool : detail::script_tools(one))
                if (names.insert(detail::json_text(tool.at("name"))).second)
                    tools.push_back(std::move(tool));
    for (auto const& one : requests) {
        if (one.method == "initialize" || one.method == "server/discover" || one.method == "ping" ||
            one.method == "tools/list")
            continue;
        auto rule = detail::rule_for(one, parameters.at(one.method), names);
        auto const [found, is_new] = known.emplace(detail::json_text(rule), rules.size());
        if (is_new) {
            rule["sequence"].emplace_array();
            rules.push_back(std::move(rule));
        }
        rules[found->second].get_object()["sequence"].get_array().push_back(boost::json::array{detail::action_of(one)});
    }
    script["tools"] = std::move(tools);
    script["rules"] = std::move(rules);
    return detail::json_text(script);
}

} // namespace linkspan::test

#endif
