#ifndef LINKSPAN_AGENT_TOOL_EXPORT_HPP
#define LINKSPAN_AGENT_TOOL_EXPORT_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Formats of tools, requests and results for language models.
enum class tool_format {
    flat,             ///< A list of parameters per tool: `name`, `type`, `required`, `description`.
    openai,           ///< Function calling of OpenAI's Chat Completions API.
    anthropic,        ///< Tool use of Anthropic's Messages API.
    openai_responses, ///< Function calling of OpenAI's Responses API, with `"strict": false`.
};

/// Returns the tools of a catalog as one JSON array, in the order of the catalog, with their names for models
/// (`catalog_entry::display_name`).
///
///     auto const tools = export_tools(*hub.catalog(), tool_format::openai);
///
/// A request of a model for one of these names is executed with `async_execute`. `connector_base::async_invoke` calls a
/// tool by such a name. A tool without a name for models is omitted. A tool with the same name as an earlier tool is
/// omitted too. Such tools are interchangeable, except with `naming::bare`: if their input schemas differ, a call by
/// the name fails with `ambiguous_tool`. An input schema that is not an object becomes
/// `{"type":"object","properties":{}}`, which all providers accept; `type` and `properties` are added to a schema
/// without them.
///
/// A tool in the format `flat` has the members `name`, `description`, `parameters` and `_server`, the key of its
/// server. The type of a parameter is the `type` of its schema, or "any" if the schema has none or several. The schema
/// itself is the member `schema` of the parameter, if the schema has other keywords than `type`, `title` and
/// `description`, or if its `type` is not string, number, integer or boolean.
///
/// Names, descriptions and schemas are text of the servers: treat them as untrusted.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string export_tools(catalog const& from, tool_format format);

/// Returns the tools of a catalog as text for a prompt, one line per tool.
///
///     - files__read_file(path, encoding?): Reads a file.
///
/// A line contains the name for models, the parameters (with `?` after optional ones), and the first line of the
/// description. Equal catalogs result in equal texts. Names and descriptions are text of the servers: treat them as
/// untrusted.
///
/// \param from Catalog.
/// \param budget Limit of the text in bytes. If a line would exceed the limit, a last line states the number of omitted
/// tools; only that line may exceed the limit. Default: 16 KiB.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string render_tool_prompt(catalog const& from, std::size_t budget = std::size_t{16} << 10);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/agent/impl/tool_export.ipp>
#endif

#endif
