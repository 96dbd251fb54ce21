#ifndef LINKSPAN_EXAMPLE_CLI_JSON_TEXT_HPP
#define LINKSPAN_EXAMPLE_CLI_JSON_TEXT_HPP

#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <string>
#include <string_view>

namespace cli {

/// Parses JSON text with at most 1000 levels: the library accepts 512 levels, and documents of the program add some.
/// Returns null on error. The program parses all JSON with this function.
boost::json::value parse_json(std::string_view text, boost::system::error_code& ec);

/// Parses JSON text. Returns null for text that is not JSON.
boost::json::value parse_json(std::string_view text);

/// Returns the member of an object with a key if it is a string; else an empty text.
std::string text_at(boost::json::value const& of, std::string_view key);
std::string text_at(boost::json::object const& of, std::string_view key);

/// Returns the kind of a value as a type of JSON Schema: "integer", "array", "null".
std::string_view kind_of(boost::json::value const& value);

} // namespace cli

#endif
