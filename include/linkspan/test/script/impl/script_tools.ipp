#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_TOOLS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_TOOLS_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/script/detail/for_each_action.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/script_tools.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns an action that sends a value for `schema`, which depends on the seed of the server and the number of the
// draw. `first`: a valid value, in case that none is drawn.
inline action drawn_value(boost::json::object const& schema, boost::json::object const& first)
{
    auto run = [schema, first](exchange& on, std::function<void()> const& next) {
        sampler drawn(schema, next_draw(on.values()));
        drawn.next(); // the smallest value, whatever the seed
        auto const value = drawn.next();
        on.reply(result_members(value && value->is_object() ? value->get_object() : first));
        next();
    };
    // In a script, this is the default response.
    return {std::move(run), action_needs::request, {R"({"default":true})", true}};
}

// Returns the tools of a result of `tools/list`, of a response with such a result, or of an array of tools; null: the
// text is none of these.
inline boost::json::array const* tools_in(boost::json::value const& dump)
{
    auto const* const object = dump.if_object();
    if (!object)
        return dump.if_array();
    if (auto const* const result = object->if_contains("result"); result && result->is_object())
        return tools_in(*result);
    auto const* const tools = object->if_contains("tools");
    return tools ? tools->if_array() : nullptr;
}

// Returns whether a result of `tools/list`, or a response with such a result, is not the last page of the list.
inline bool has_further_pages(boost::json::value const& dump)
{
    auto const* const object = dump.if_object();
    if (!object)
        return false;
    auto const* const result = object->if_contains("result");
    auto const* const cursor = object->if_contains("nextCursor");
    return result ? has_further_pages(*result) : cursor && !cursor->is_null();
}

LINKSPAN_DECL std::optional<script_format::tool> listed_tool(boost::json::value const& from, std::uint64_t seed)
{
    auto const* const object = from.if_object();
    auto const* const name = object ? object->if_contains("name") : nullptr;
    if (!name || !name->is_string() || name->get_string().empty())
        return {};
    auto const member = [&](char const* key) -> std::optional<boost::json::object> {
        auto const* const value = object->if_contains(key);
        return value && value->is_object() ? std::optional(value->get_object()) : std::nullopt;
    };
    auto const text = [&](char const* key) -> std::optional<std::string> {
        auto const* const value = object->if_contains(key);
        return value && value->is_string() ? std::optional(std::string(value->get_string())) : std::nullopt;
    };
    script_format::tool out;
    out.name = name->get_string();
    out.title = text("title");
    out.description = text("description");
    out.input_schema = member("inputSchema").value_or(boost::json::object());
    out.input_schema["type"] = "object";
    out.output_schema = member("outputSchema");
    out.annotations = member("annotations");
    out.execution = member("execution");
    if (auto const* const icons = object->if_contains("icons"); icons && icons->is_array())
        out.icons = icons->get_array();
    out.meta = member("_meta");
    auto const value = out.output_schema ? sampler(*out.output_schema, seed).next() : std::nullopt;
    if (!value || !value->is_object())
        out.reply.emplace().result.emplace()["content"].emplace_array();
    return out;
}

LINKSPAN_DECL void add_listed_tools(script_format::script& to, std::string_view name, script_reader& reader)
{
    if (!to.tools_from)
        return;
    auto const path = std::filesystem::path(name).parent_path() / *to.tools_from;
    std::error_code unread;
    auto const text = bindgen::read_file(path.string(), unread);
    error_code ec;
    auto const dump = linkspan::detail::parse_json(text.value_or(""), ec);
    auto const* const tools = text && !ec ? tools_in(dump) : nullptr;
    if (!tools)
        return reader.reject("/toolsFrom", "a file with a result of tools/list",
                             short_json(path.string()) + (text ? "" : ", which cannot be read: " + unread.message()));
    if (has_further_pages(dump))
        reader.reject("/toolsFrom", "a file with the whole list of tools", "the member 'nextCursor'");
    std::set<std::string> names;
    for (std::size_t i = 0; i != tools->size(); ++i) {
        auto added = listed_tool((*tools)[i], to.seed);
        if (!added)
            reader.reject("/toolsFrom", "a file with tools that have names",
                          short_json((*tools)[i]) + " in element " + std::to_string(i));
        else if (!names.insert(added->name).second)
            reader.reject("/toolsFrom", "a file with tools of different names",
                          detail::quoted(added->name) + " again in element " + std::to_string(i));
        else if (std::ranges::find(to.tools, added->name, &script_format::tool::name) == to.tools.end())
            to.tools.push_back(std::move(*added));
    }
}

LINKSPAN_DECL action reply_of_tool(script_format::tool const& tool, std::uint64_t seed, script_reader& reader,
                                   std::string const& at)
{
    if (tool.reply)
        return reader.read_reply(*tool.reply, at + "/reply");
    if (!tool.output_schema)
        return {};
    sampler values(*tool.output_schema, seed);
    auto const value = values.next();
    if (value && value->is_object())
        return drawn_value(*tool.output_schema, value->get_object());
    reader.reject(at + "/outputSchema", "a schema of an object, for which a value can be made, or a member 'reply'",
                  short_json(*tool.output_schema) + (values.reason().empty() ? "" : "; " + values.reason()));
    return {};
}

LINKSPAN_DECL std::set<std::string> add_replies_of_added_tools(tool_replies& to, script_format::script const& from,
                                                               script_reader& reader)
{
    std::set<std::string> out;
    for_each_action(from, [&](script_format::action const& one, std::string const& at) {
        for (std::size_t i = 0; one.tools && i != one.tools->add.size(); ++i) {
            script_format::tool added;
            added.name = one.tools->add[i].name;
            added.output_schema = one.tools->add[i].output_schema;
            if (to.contains(added.name))
                continue;
            to.emplace(added.name, reply_of_tool(added, from.seed, reader, at + "/tools/add/" + std::to_string(i)));
            out.insert(added.name);
        }
    });
    return out;
}

// Returns the action for calls of a tool that no other rule handles. Calls of a tool that an action has removed, or
// that no action has added yet, receive the error for an unknown tool.
inline action while_declared(action const& respond)
{
    auto run = [respond](exchange& on, std::function<void()> next) {
        if (on.has_tool(on.tool()))
            return respond(on, std::move(next));
        on.respond_by_default();
        next();
    };
    return {std::move(run), respond.needs(), respond.form()};
}

LINKSPAN_DECL void add_last_rule(std::vector<rule>& to, std::string const& tool, action const& reply,
                                 script_format::unmatched unmatched)
{
    if (!reply && unmatched == script_format::unmatched::respond)
        return;
    auto& last = to.emplace_back(call(tool));
    last.named(reply ? "reply of " + tool : "unmatched");
    last.conditions().priority = std::numeric_limits<int>::min();
    last.then(while_declared(reply                                              ? reply
                             : unmatched == script_format::unmatched::hang      ? hang()
                             : unmatched == script_format::unmatched::fail_fast ? fail_fast()
                                                                                : no_rule_error(tool)));
}

LINKSPAN_DECL void add_last_rules(std::vector<rule>& to, tool_replies const& known, script_format::unmatched unmatched)
{
    std::set<std::string> tools;
    for (auto const& one : to)
        if (auto const& tool = one.when().tool; !tool.empty() && !known.contains(tool))
            tools.insert(tool);
    for (auto const& tool : tools)
        add_last_rule(to, tool, {}, unmatched);
}

} // namespace linkspan::test::detail

#endif
