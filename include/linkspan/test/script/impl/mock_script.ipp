#ifndef LINKSPAN_TEST_SCRIPT_IMPL_MOCK_SCRIPT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_MOCK_SCRIPT_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <boost/json/serialize.hpp>

#include <limits>
#include <map>

namespace linkspan::inline LINKSPAN_ABI::test {

struct mock_script::content {
    script_format::script from;
    std::vector<protocol_version> speaks;
    std::vector<rule> rules; // of the script, then the replies of the tools
};

namespace detail {

inline std::string join_problems(std::string_view name, std::vector<diagnostic> const& problems)
{
    std::string out;
    for (auto const& one : problems)
        (((out += out.empty() ? "" : "\n") += name) += ": ") += to_string(one);
    return out;
}

// Returns the response to the calls of a tool that no rule handles; empty: the tool has empty content.
inline std::vector<action> reply_of(script_format::tool const& tool, std::uint64_t seed, script_reader& reader,
                                    std::string const& at)
{
    if (tool.reply)
        return reader.read(*tool.reply, at + "/reply");
    if (!tool.output_schema)
        return {};
    sampler values(*tool.output_schema, seed);
    auto const value = values.next();
    if (value && value->is_object())
        return {structured(value->get_object())};
    reader.reject(at + "/outputSchema",
                  "a schema of an object, for which a value can be made, or a member 'reply': " + values.reason());
    return {};
}

} // namespace detail

LINKSPAN_DECL script_error::script_error(std::string_view name, std::vector<diagnostic> problems)
    : std::runtime_error(detail::join_problems(name, problems)),
      problems_(std::make_shared<std::vector<diagnostic> const>(std::move(problems)))
{}

LINKSPAN_DECL mock_script mock_script::parse(std::string_view json, std::string_view name)
{
    auto const made = std::make_shared<content>();
    auto& from = made->from;
    std::vector<diagnostic> problems;
    mismatches differences;
    decode(from, json, differences);
    for (auto const& one : differences)
        problems.push_back({.pointer = one.pointer, .message = "expected " + one.expected + ", found " + one.found});

    detail::script_reader reader(problems);
    auto const versions = from.speaks.value_or(std::vector<std::string>());
    for (std::size_t i = 0; i != versions.size(); ++i)
        if (auto const known = protocol_version_from(versions[i]))
            made->speaks.push_back(*known);
        else
            reader.reject("/speaks/" + std::to_string(i), "a protocol version of MCP, found '" + versions[i] + "'");
    detail::tool_replies replies;
    for (std::size_t i = 0; i != from.tools.size(); ++i) {
        auto const at = "/tools/" + std::to_string(i);
        auto reply = detail::reply_of(from.tools[i], from.seed, reader, at);
        if (!replies.emplace(from.tools[i].name, std::move(reply)).second)
            reader.reject(at + "/name", "a name that no other tool has");
    }
    reader.set_replies(std::make_shared<detail::tool_replies const>(replies));
    for (std::size_t i = 0; i != from.rules.size(); ++i) {
        auto const number = std::to_string(i);
        made->rules.push_back(reader.read(from.rules[i], "#" + std::to_string(i + 1), "/rules/" + number));
    }
    for (auto& [tool, reply] : replies)
        if (!reply.empty()) {
            rule& last = made->rules.emplace_back(call(tool));
            last.named("reply of " + tool).conditions().priority = std::numeric_limits<int>::min();
            last.add_phase(std::numeric_limits<std::size_t>::max(), std::move(reply));
        }
    if (!problems.empty())
        throw script_error(name, std::move(problems));
    return mock_script(made);
}

LINKSPAN_DECL mock_script mock_script::load(std::string const& path)
{
    auto const text = bindgen::read_file(path);
    if (!text)
        throw script_error(path, {{.message = "expected a file that can be read, of at most 256 MiB"}});
    return parse(*text, path);
}

LINKSPAN_DECL std::string_view mock_script::schema() noexcept { return schema_text<script_format::script>; }

LINKSPAN_DECL void mock_script::add_to(scripted_server& server, std::optional<std::uint64_t> seed) const
{
    auto const& from = content_->from;
    auto& dialogue = server.dialogue();
    if (from.name)
        dialogue.name = *from.name;
    if (from.server.info) {
        dialogue.name = from.server.info->name;
        dialogue.version = from.server.info->version;
    }
    if (from.server.instructions)
        dialogue.instructions = *from.server.instructions;
    if (from.server.capabilities)
        dialogue.capabilities = boost::json::serialize(*from.server.capabilities);
    if (from.speaks)
        dialogue.protocol_versions = content_->speaks;
    server.page_size(from.page_size);

    for (auto const& tool : from.tools) {
        auto const text = [](std::optional<boost::json::object> const& object) {
            return object ? boost::json::serialize(*object) : std::string();
        };
        server.tool(tool.name, boost::json::serialize(tool.input_schema), nullptr, text(tool.annotations),
                    text(tool.output_schema));
        server.describe(tool.name, tool.description.value_or(""));
    }
    for (auto const& one : content_->rules)
        server.add(one);
    auto& values = server.values();
    values.seed = seed.value_or(from.seed);
    values.vars = from.vars;
    values.states = from.scenarios;
}

} // namespace linkspan::test

#endif
