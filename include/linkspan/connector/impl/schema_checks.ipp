#ifndef LINKSPAN_CONNECTOR_IMPL_SCHEMA_CHECKS_IPP
#define LINKSPAN_CONNECTOR_IMPL_SCHEMA_CHECKS_IPP

#include <linkspan/connector/detail/schema_checks.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Maximum number of errors in a message.
inline constexpr std::size_t max_reported_errors = 5;

inline boost::json::value parse_for_check(std::string_view text, error_code& ec, boost::json::storage_ptr memory = {})
{
    boost::json::parse_options options;
    options.max_depth = json_scan::max_depth;
    return boost::json::parse({text.data(), text.size()}, ec, std::move(memory), options);
}

// Returns the errors as text, such as "'get_forecast': /days: must be at least 1 (/minimum)". Empty: none.
inline std::string validation_text(std::string_view tool, schema_validator const& check, std::string_view text)
{
    boost::json::monotonic_resource memory;
    error_code ec;
    auto const value = parse_for_check(text, ec, &memory);
    auto out = '\'' + std::string(tool) + "': ";
    if (ec)
        return out + "not valid JSON: " + ec.message();
    auto const verdict = check.validate(value);
    if (verdict)
        return {};
    for (std::size_t i = 0; i != verdict.errors.size() && i != max_reported_errors; ++i)
        (out += i == 0 ? "" : "; ") += to_string(verdict.errors[i]);
    return verdict.errors.size() > max_reported_errors ? out + "; further errors are omitted" : out;
}

LINKSPAN_DECL void schema_checks::set_tools(std::span<catalog_entry const> tools)
{
    auto before = std::exchange(tools_, {});
    for (auto const& entry : tools) {
        auto const [place, is_first] = tools_.try_emplace(entry.tool->name);
        if (!is_first)
            // A call executes the first of several tools with the same name.
            continue;
        auto& now = place->second;
        now.definition = entry.tool;
        auto const old = before.find(entry.tool->name);
        if (old == before.end())
            continue;
        if (old->second.definition->input_schema == entry.tool->input_schema)
            now.input = std::move(old->second.input);
        if (old->second.definition->output_schema == entry.tool->output_schema)
            now.output = std::move(old->second.output);
    }
}

LINKSPAN_DECL schema_checks::known_tool* schema_checks::find(std::string_view tool)
{
    auto const found = tools_.find(tool);
    return found == tools_.end() ? nullptr : &found->second;
}

LINKSPAN_DECL schema_validator const* schema_checks::compile(compiled& into, std::string const& tool, char const* which,
                                                             std::string_view schema, reporter const& report)
{
    if (!std::exchange(into.is_attempted, true)) {
        schema_options options;
        options.max_errors = max_reported_errors + 1;
        error_code ec;
        auto const parsed = parse_for_check(schema, ec);
        if (!ec)
            into.check.emplace(parsed, options);
        if (ec || !into.check->ok()) {
            report("schema of tool '" + tool + "' cannot be used: " + which + ": " +
                   (ec ? ec.message() : to_string(into.check->problems().front())));
            into.check.reset();
        }
    }
    return into.check ? &*into.check : nullptr;
}

LINKSPAN_DECL std::string schema_checks::argument_errors(std::string_view tool, std::string_view text,
                                                         reporter const& report)
{
    auto* const known = wanted_.arguments ? find(tool) : nullptr;
    if (!known)
        return {};
    auto const& definition = *known->definition;
    auto const* const check = compile(known->input, definition.name, "inputSchema", definition.input_schema, report);
    return check ? validation_text(tool, *check, text) : std::string();
}

// Results of failed tools and requests for input are not validated: the output schema does not apply to them.
//
// Specification: MCP 2025-11-25 and 2026-07-28, server/tools, "Output Schema".
LINKSPAN_DECL std::string schema_checks::result_errors(std::string_view tool, call_result const& result,
                                                       reporter const& report)
{
    auto* const known = wanted_.results ? find(tool) : nullptr;
    if (!known || known->definition->output_schema.empty() || result.is_error() || result.type() != "complete")
        return {};
    auto const& definition = *known->definition;
    auto const* const check = compile(known->output, definition.name, "outputSchema", definition.output_schema, report);
    if (!check)
        return {};
    auto const structured = result.structured();
    return structured.empty()
               ? '\'' + definition.name + "': structuredContent is missing, but the tool has an output schema"
               : validation_text(tool, *check, structured);
}

LINKSPAN_DECL std::shared_ptr<tool_checks> make_tool_checks(call_validation wanted)
{
    return std::make_shared<schema_checks>(wanted);
}

LINKSPAN_DECL std::shared_ptr<tool_checks> make_no_checks(call_validation) { return nullptr; }

} // namespace linkspan::detail

#endif
