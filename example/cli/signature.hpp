#ifndef LINKSPAN_EXAMPLE_CLI_SIGNATURE_HPP
#define LINKSPAN_EXAMPLE_CLI_SIGNATURE_HPP

#include <linkspan/connector/catalog.hpp>

#include <boost/json/value.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The type of a JSON Schema as a word: "string", "number[]", `"a"|"b"`, "any". Not safe for a terminal.
std::string type_of(boost::json::value const& schema, unsigned depth = 0);

/// "add(a: number, b?: number) -> {result: number}", safe for a terminal.
std::string signature(linkspan::tool const& tool, std::string_view name);

/// Everything that a server says about a tool, safe for a terminal.
std::string describe_tool(linkspan::catalog_entry const& entry);

/// A JSON array with an object for each tool.
std::string tools_as_json(std::span<linkspan::catalog_entry const* const> tools);

/// The arguments of a call from words KEY=VALUE and KEY:=JSON, typed by the input schema of the tool; with an empty
/// schema, a value that is a JSON number, boolean, array, object or null is taken as that. Several values of one key
/// make an array where the schema has one. Throws `usage_error`, naming the key and never the value.
std::string typed_arguments(std::span<std::string const> words, std::string_view input_schema);

} // namespace cli

#endif
