#ifndef LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP
#define LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP

#include <string>
#include <string_view>

// Text of servers, made safe for a terminal or for a JSON parser.
namespace cli {

/// Text of several lines. Control characters, characters that change the direction of writing, and bytes that are not
/// UTF-8 are written as escapes (`\x1b`, `\u{202e}`); line feeds and tabs stay. CR LF becomes LF.
std::string terminal_text(std::string_view text);

/// The same on one line: a line feed becomes `\n`, a tab `\t`.
std::string terminal_line(std::string_view text);

inline constexpr std::string_view malformed_key = "malformed";

/// JSON text on one line that every parser accepts: within strings, control characters are escaped, and bytes that are
/// not UTF-8, surrogates without a partner and invalid escapes are replaced by U+FFFD. Text that is no JSON even then
/// becomes an object whose only member is that text, with the key `malformed_key`.
std::string clean_json(std::string_view json);

/// A JSON string with its quotes, of any bytes.
std::string json_string(std::string_view text);

} // namespace cli

#endif
