#ifndef LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP
#define LINKSPAN_EXAMPLE_CLI_CLEAN_TEXT_HPP

#include <string>
#include <string_view>

// Converts text of servers to text that is safe for a terminal or for a JSON parser.
namespace cli {

/// Returns the text in a form that is safe for a terminal, with its line feeds and tabs. Control characters, characters
/// that change the direction of text, and bytes that are not UTF-8 are replaced by escapes (`\x1b`, `\u{202e}`); CR LF
/// is replaced by LF.
std::string terminal_text(std::string_view text);

/// Returns the text on one line, in the form of `terminal_text`; a line feed is replaced by `\n`, and a tab by `\t`.
std::string terminal_line(std::string_view text);

/// Key of the object that `clean_json` returns for a text that is not JSON.
inline constexpr std::string_view malformed_key = "malformed";

/// Returns the JSON text on one line, in a form that every parser accepts.
///
/// Within strings, control characters are escaped, and invalid UTF-8, unpaired surrogates and invalid escapes are
/// replaced by U+FFFD. A text that is not JSON becomes an object with the key `malformed_key` and the text as value.
std::string clean_json(std::string_view json);

/// Returns any bytes as a JSON string with quotes, escaped as by `clean_json`.
std::string json_string(std::string_view text);

} // namespace cli

#endif
