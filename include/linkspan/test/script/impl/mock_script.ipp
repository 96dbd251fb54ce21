#ifndef LINKSPAN_TEST_SCRIPT_IMPL_MOCK_SCRIPT_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_MOCK_SCRIPT_IPP

#include <linkspan/bindgen/files.hpp>
#include <linkspan/core/detail/base64.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/declaration_of.hpp>
#include <linkspan/test/script/detail/entry_rules.hpp>
#include <linkspan/test/script/detail/for_each_action.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/repeated_names.hpp>
#include <linkspan/test/script/detail/responds.hpp>
#include <linkspan/test/script/detail/script_names.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/detail/script_tools.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/tape.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test {

struct mock_script::content {
    std::string name; // in messages
    script_format::script from;
    std::vector<protocol_version> protocol_versions;
    std::vector<rule> rules; // of the script, then the replies of the tools
    std::optional<chaos_options> faults;
    std::optional<tape> replayed;          // of `from.tape`
    replay_options replay;                 // of `replayed`
    std::vector<any_expectation> expected; // one for each element of `from.expect`
    std::set<std::string> added_later;     // tools that only actions add
    std::string capabilities;              // because of resources, prompts and log messages; empty: there are none
};

namespace detail {

// Reads the options of a replay, whose rules come after all others.
inline replay_options replay_of(script_format::replayed_tape const& from, script_reader& reader)
{
    replay_options out;
    out.match = from.match == script_format::tape_form::params   ? tape_match::params
                : from.match == script_format::tape_form::method ? tape_match::method
                                                                 : tape_match::order;
    out.order = from.order == script_format::tape_order::any          ? tape_order::any
                : from.order == script_format::tape_order::per_method ? tape_order::per_method
                                                                      : tape_order::all;
    out.is_paced = from.pace == script_format::tape_pace::recorded;
    out.priority = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i != from.ignore.size(); ++i) {
        if (from.ignore[i].empty() || !is_json_pointer(from.ignore[i]))
            reader.reject("/tape/ignore/" + std::to_string(i),
                          "a JSON Pointer into the parameters, such as '/arguments/requestId'");
        out.ignore.push_back(from.ignore[i]);
    }
    return out;
}

// Loads the tape of a script; empty: it is not valid. `name`: path of the script.
inline std::optional<tape> load_tape(script_format::replayed_tape const& from, std::string_view name,
                                     script_reader& reader)
{
    if (from.file.empty()) // was reported
        return {};
    try {
        return tape::load((std::filesystem::path(name).parent_path() / from.file).string());
    } catch (tape_error const& failed) {
        reader.reject("/tape/file", "a tape", short_json(from.file) + "; " + failed.what());
        return {};
    }
}

inline void check_passthrough(script_format::passthrough_target const& to, script_checks const& checks,
                              script_reader& reader)
{
    if (to.command.has_value() == to.url.has_value())
        reader.reject("/unmatched/passthrough", "exactly one of 'command' and 'url'");
    else if (to.command && !to.command->empty() && to.command->front().empty())
        reader.reject("/unmatched/passthrough/command/0", "the name of a program");
    else if (auto const why = to.url && checks.url ? checks.url(*to.url) : std::string(); !why.empty())
        reader.reject("/unmatched/passthrough/url", "the URL of a server", short_json(*to.url) + "; " + why);
}

// Reads the rule of a resource or a prompt. The locations of problems are those in the entry, from which the result of
// the rule was made.
inline rule read_entry(entry_rule const& from, script_reader& reader)
{
    auto const before = reader.problems().size();
    auto out = reader.read(from.rule, *from.rule.id, from.at);
    auto const result = from.at + "/do/0/result";
    reader.relocate(before, result + "/contents/0", from.at);
    reader.relocate(before, result, from.at);
    return out;
}

inline fault_kind kind_of(std::variant<fault_kind, script_format::fault> const& from)
{
    auto const* const kind = std::get_if<fault_kind>(&from);
    return kind ? *kind : std::get<script_format::fault>(from).kind;
}

} // namespace detail

LINKSPAN_DECL script_error::script_error(std::string_view name, std::vector<diagnostic> problems)
    : std::runtime_error(detail::join_problems(name, problems)),
      problems_(std::make_shared<std::vector<diagnostic> const>(std::move(problems)))
{}

LINKSPAN_DECL mock_script mock_script::parse(std::string_view json, std::string_view name, script_checks const& checks)
{
    auto const made = std::make_shared<content>();
    made->name = name;
    auto& from = made->from;
    std::vector<diagnostic> problems;
    mismatches differences;
    decode(from, json, differences, {.max_mismatches = detail::max_script_problems});

    detail::script_reader reader(json, problems);
    reader.add(differences);
    std::ranges::move(detail::repeated_names(json), std::back_inserter(problems));
    if (differences.size() == detail::max_script_problems) // the later parts of the script were not read
        throw script_error(name, std::move(problems));
    auto const versions = from.protocol_versions.value_or(std::vector<std::string>());
    for (std::size_t i = 0; i != versions.size(); ++i)
        if (auto const known = protocol_version_from(versions[i]))
            made->protocol_versions.push_back(*known);
        else
            reader.reject("/protocolVersions/" + std::to_string(i), "a protocol version of MCP");
    detail::add_resource_list(from);
    reader.set_resources(detail::all_resources(from));
    reader.set_variables(from.vars);
    auto const entries = detail::entry_rules(from);
    made->capabilities = detail::entry_capabilities(from);
    detail::check_names(from, entries, reader);
    detail::check_scenarios(from, reader);
    detail::check_variables(from, reader);
    for (std::size_t i = 0; i != from.resources.size(); ++i)
        if (from.resources[i].text.has_value() == from.resources[i].blob.has_value())
            reader.reject("/resources/" + std::to_string(i), "exactly one of 'text' and 'blob'");
        else if (auto const& blob = from.resources[i].blob;
                 blob && blob->find("${") == blob->npos && !linkspan::detail::from_base64(*blob))
            reader.reject("/resources/" + std::to_string(i) + "/blob", "a text in base64");
    detail::add_listed_tools(from, name, reader);
    detail::tool_replies replies;
    for (std::size_t i = 0; i != from.tools.size(); ++i) {
        auto const at = "/tools/" + std::to_string(i);
        auto reply = detail::reply_of_tool(from.tools[i], from.seed, reader, at);
        if (!replies.emplace(from.tools[i].name, std::move(reply)).second)
            reader.reject(at + "/name", "a name that no other tool has");
    }
    made->added_later = detail::add_replies_of_added_tools(replies, from, reader);
    reader.set_replies(std::make_shared<detail::tool_replies const>(replies));
    for (std::size_t i = 0; i != from.rules.size(); ++i) {
        auto const number = std::to_string(i);
        made->rules.push_back(reader.read(from.rules[i], "#" + std::to_string(i + 1), "/rules/" + number));
    }
    for (auto const& one : entries)
        made->rules.push_back(detail::read_entry(one, reader));
    if (from.tape) {
        made->replay = detail::replay_of(*from.tape, reader);
        made->replayed = detail::load_tape(*from.tape, name, reader);
    }
    auto const* const unmatched = std::get_if<script_format::unmatched>(&from.unmatched);
    if (!unmatched)
        detail::check_passthrough(std::get<script_format::passthrough>(from.unmatched).target, checks, reader);
    for (auto const& [tool, reply] : replies)
        if (reply || (!from.tape && unmatched)) // the tape or the other server responds to the other calls
            detail::add_last_rule(made->rules, tool, reply, unmatched ? *unmatched : script_format::unmatched::respond);
    if (unmatched && !from.tape)
        detail::add_last_rules(made->rules, replies, *unmatched);
    if (from.chaos)
        made->faults = reader.read(*from.chaos, "/chaos");
    for (std::size_t i = 0; i != from.expect.size(); ++i) {
        auto const at = "/expect/" + std::to_string(i);
        made->expected.push_back(reader.read(from.expect[i], at));
        detail::check_order(from.expect[i], made->rules, reader, at);
    }
    if (checks.has_all_tools)
        detail::check_expected_tools(from, {}, reader);
    if (!problems.empty())
        throw script_error(name, std::move(problems));
    return mock_script(made);
}

LINKSPAN_DECL mock_script mock_script::load(std::string const& path, script_checks const& checks)
{
    std::error_code ec;
    auto const text = bindgen::read_file(path, ec);
    if (!text)
        throw script_error(path, {{.message = "expected a file that can be read, found '" + ec.message() + "'"}});
    if (text->empty())
        throw script_error(path, {{.message = "expected JSON, found an empty file"}});
    return parse(*text, path, checks);
}

LINKSPAN_DECL script_http mock_script::http() const
{
    auto const& from = content_->from.http;
    return {.sessions = from.session == script_format::session_form::stateful,
            .streams = from.respond == script_format::response_form::sse,
            .resumable = from.resumable,
            .bearer = from.auth ? from.auth->bearer : std::vector<std::string>()};
}

LINKSPAN_DECL std::optional<script_passthrough> mock_script::passthrough() const
{
    auto const* const to = std::get_if<script_format::passthrough>(&content_->from.unmatched);
    if (!to)
        return {};
    return script_passthrough{.command = to->target.command.value_or(std::vector<std::string>()),
                              .url = to->target.url.value_or("")};
}

LINKSPAN_DECL std::vector<std::string> mock_script::faults_without_effect(fault_carrier over) const
{
    std::vector<std::string> out;
    auto const add = [&out](std::string const& at, fault_kind kind, std::string const& why) {
        out.push_back(at + ": '" + std::string(name_of(kind)) + "' " + why);
    };
    auto const check = [&](script_format::rule const& of, std::span<script_format::action const> steps,
                           std::string const& at) {
        std::string const method = of.on.call ? "tools/call" : of.on.request.value_or("");
        for (std::size_t i = 0; i != steps.size(); ++i) {
            if (!steps[i].fault)
                continue;
            auto const kind = detail::kind_of(*steps[i].fault);
            auto const location = at + "/" + std::to_string(i) + "/fault";
            if (!description_of(kind).carriers.contains(over))
                add(location, kind, "does not occur over " + std::string(detail::name_of_carrier(over)));
            else if (!method.empty() && !applies(kind, true, method, over))
                add(location, kind, "does not occur in a response to " + method);
            else if (std::ranges::none_of(steps.subspan(i), detail::responds))
                add(location, kind, "precedes no action that responds");
        }
    };
    detail::for_each_list_of_actions(content_->from, check);
    auto const& chaos = content_->from.chaos;
    for (std::size_t i = 0; chaos && i != chaos->kinds.size(); ++i)
        if (!description_of(chaos->kinds[i]).carriers.contains(over))
            add("/chaos/kinds/" + std::to_string(i), chaos->kinds[i],
                "does not occur over " + std::string(detail::name_of_carrier(over)));
    return out;
}

LINKSPAN_DECL std::vector<std::string> mock_script::misspelled_tools() const
{
    return detail::misspelled_tools(content_->from);
}

LINKSPAN_DECL bool mock_script::has_expectations() const noexcept { return !content_->expected.empty(); }

LINKSPAN_DECL verification mock_script::verify(scripted_server const& server) const
{
    std::string out;
    auto const requests = !has_expectations() ? journal() : server.requests();
    auto const nearest_rule = [&server](std::size_t index) { return server.nearest_rule(index); };
    auto const report_of = [&](auto const& expected) {
        if constexpr (requires { expected.report(requests, nearest_rule); })
            return expected.report(requests, nearest_rule);
        else
            return server.verify(expected).report();
    };
    for (std::size_t i = 0; i != content_->expected.size(); ++i) {
        auto const report = std::visit(report_of, content_->expected[i]);
        if (!report.empty())
            out += (out.empty() ? "" : "\n") + content_->name + ": /expect/" + std::to_string(i) + ": " + report;
    }
    return verification(std::move(out));
}

LINKSPAN_DECL std::string mock_script::schema() { return make_schema_text<script_format::script>(); }

LINKSPAN_DECL void mock_script::add_to(scripted_server& server, std::optional<std::uint64_t> seed) const
{
    auto const& from = content_->from;
    if (!server.script_->has_server_behind()) {
        std::set<std::string> tools;
        for (auto const& one : server.script_->responses.tools)
            tools.insert(one.name);
        std::vector<diagnostic> problems;
        detail::script_reader reader({}, problems);
        detail::check_expected_tools(from, tools, reader);
        if (!problems.empty())
            throw script_error(content_->name, std::move(problems));
    }
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
        dialogue.capabilities = detail::json_text(*from.server.capabilities);
    else if (!content_->capabilities.empty())
        dialogue.capabilities = content_->capabilities;
    server.page_size(from.page_size);
    auto const* const unmatched = std::get_if<script_format::unmatched>(&from.unmatched);
    if (unmatched && *unmatched == script_format::unmatched::fail_fast)
        server.script_->responses.on_unknown = detail::fail_fast();

    for (auto const& tool : from.tools) {
        server.declare(detail::declaration_of(tool));
    }
    for (auto const& one : content_->rules) {
        if (one.name() == "unmatched" && server.script_->has_server_behind()) // which responds to these calls
            continue;
        if (content_->added_later.contains(one.when().tool))
            server.add(one);
        else
            server.on(one.when()) = one;
    }
    auto& values = server.values();
    values.seed = seed.value_or(from.seed);
    values.vars = from.vars;
    values.states = from.scenarios;
    if (content_->replayed)
        content_->replayed->add_to(server, content_->replay);
    if (from.protocol_versions)
        dialogue.protocol_versions = content_->protocol_versions;
    bool const has_chaos = server.script_->faults && !server.script_->faults->is_empty(); // that of a world
    if (content_->faults && !has_chaos)
        server.set_chaos(chaos(values.seed, *content_->faults));
}

} // namespace linkspan::test

#endif
