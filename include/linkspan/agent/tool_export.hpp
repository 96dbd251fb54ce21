#ifndef LINKSPAN_AGENT_TOOL_EXPORT_HPP
#define LINKSPAN_AGENT_TOOL_EXPORT_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>

namespace linkspan {

/// How a list of tools is written for others.
enum class tool_format {
    flat,             ///< a list of parameters for each tool: `name`, `type`, `required`, `description`
    openai,           ///< "function calling" of OpenAI's chat API
    anthropic,        ///< "tool use" of Anthropic's messages API
    openai_responses, ///< "function calling" of OpenAI's Responses API, not strict
};

/// The tools of a catalogue as one JSON array, in the order of the catalogue, by their exposed names: what a language
/// model asks for under such a name is called with `async_call`.
///
/// A tool without an exposed name is left out, and so is one whose name stands there already: such tools stand in for
/// each other. An input schema that is no object becomes `{"type":"object","properties":{}}`, which all providers take.
///
/// `flat` has `_server`, the name of the server, beside `name`, `description` and `parameters`. The type of a parameter
/// is that of its schema, or "any" where that names none or several; what a name cannot say, such as the members of an
/// object or the values of an enumeration, is in `schema`.
///
/// Names, descriptions and schemas come from the servers: do not trust them.
///
/// Thread safety: as that of `catalog`.
LINKSPAN_DECL std::string export_tools(catalog const& from, tool_format format);

/// The tools as text for a prompt, a line each: exposed name, parameters with `?` behind those that are optional, and
/// the first line of the description. When the next line would exceed `budget` bytes, a last line says how many tools
/// were left out; it may exceed the budget.
///
/// The same catalogue gets the same text.
LINKSPAN_DECL std::string render_tool_prompt(catalog const& from, std::size_t budget = std::size_t{16} << 10);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/tool_export.ipp>
#endif

#endif
