#ifndef LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP
#define LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP

#include <string>
#include <string_view>

// Converts text of servers to text that is safe for a terminal or for a JSON parser.
namespace cli {

/// Returns a text of several lines. Control characters, characters that change the direction of text, and bytes that
/// are not UTF-8 are written as escapes (`\x1b`, `\u{202e}`); line feeds and tabs are kept. CR LF becomes LF.
std::string terminal_text(std::string_view text);

/// Returns a text on one line: as `terminal_text`, with a line feed as `\n` and a tab as `\t`.
std::string terminal_line(std::string_view text);

inline constexpr std::string_view malformed_key = "malformed";

/// Returns a JSON text on one line that every parser accepts.
///
/// Within strings, control characters are escaped, and invalid UTF-8, unpaired surrogates and invalid escapes are
/// replaced by U+FFFD. A text that is not JSON becomes an object with the key `malformed_key` and the text as value.
std::string clean_json(std::string_view json);

/// Returns a JSON string, with quotes, of any bytes.
std::string json_string(std::string_view text);

} // namespace cli

#endif
