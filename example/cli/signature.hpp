#ifndef LINKSPAN_EXAMPLE_CLI_SIGNATURE_HPP
#define LINKSPAN_EXAMPLE_CLI_SIGNATURE_HPP

#include <linkspan/connector/catalog.hpp>

#include <boost/json/value.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Returns the type of a JSON Schema as text: "string", "number[]", `"a"|"b"`, "any". The text is not safe for a
/// terminal.
std::string type_of(boost::json::value const& schema, unsigned depth = 0);

/// Returns a signature such as "add(a: number, b?: number) -> {result: number}", safe for a terminal.
std::string signature(linkspan::tool const& tool, std::string_view name);

/// Returns the description of a tool with all details, safe for a terminal.
std::string describe_tool(linkspan::catalog_entry const& entry);

/// Returns a JSON array with an object per tool.
std::string tools_as_json(std::span<linkspan::catalog_entry const* const> tools);

/// Returns the arguments of a call, as a JSON object, from words KEY=VALUE and KEY:=JSON.
///
/// Values have the types of the input schema of the tool. With an empty schema, a value that is a JSON number, boolean,
/// array, object or null is used as JSON. Several values of one key form an array if the schema requires an array.
/// Throws `usage_error`, whose message contains the key but not the value.
std::string typed_arguments(std::span<std::string const> words, std::string_view input_schema);

} // namespace cli

#endif
