#ifndef LINKSPAN_EXAMPLE_CLI_JSON_TEXT_HPP
#define LINKSPAN_EXAMPLE_CLI_JSON_TEXT_HPP

#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <string>
#include <string_view>

namespace cli {

/// Parses JSON text that is nested at most 1000 levels deep: the library lets 512 levels through, and documents of the
/// program add some. On error the value is null. Every JSON text of the program is parsed by this function.
boost::json::value parse_json(std::string_view text, boost::system::error_code& ec);

/// The same; null for text that is no JSON.
boost::json::value parse_json(std::string_view text);

/// The member of an object with this key if it is a string; otherwise empty.
std::string text_at(boost::json::value const& of, std::string_view key);
std::string text_at(boost::json::object const& of, std::string_view key);

/// The kind of a value as a word of JSON Schema: "integer", "array", "null".
std::string_view kind_of(boost::json::value const& value);

} // namespace cli

#endif
