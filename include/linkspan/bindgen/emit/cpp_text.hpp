#ifndef LINKSPAN_BINDGEN_EMIT_CPP_TEXT_HPP
#define LINKSPAN_BINDGEN_EMIT_CPP_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Converts text that a server sent into parts of a C++ source. Invariants: a text cannot end the comment or literal
// that contains the text, an editor displays the text as the compiler reads it, and the text causes no compiler
// warning.

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Returns a text for display: without control characters and bidirectional marks, with `\n` as line end, with U+FFFD
/// for invalid UTF-8, and without spaces at the ends of lines. Text after 16 KiB is replaced by "...".
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string visible_text(std::string_view text);

/// Returns `visible_text(text)` on one line: line ends become a backslash and an `n`.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string visible_line(std::string_view text);

/// Returns `visible_text(text)` as lines of a `//` comment.
///
/// \param text Text of the comment. If the text has no visible character, the result is empty.
/// \param indentation Blanks in front of each line. Lines are wrapped at 120 columns.
/// \returns Lines that end in `\n`. Consecutive empty lines become one; empty lines at the beginning are dropped.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string comment_lines(std::string_view text, std::size_t indentation = 0);

/// Returns a string literal whose value consists of exactly the bytes of `text`.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string string_literal(std::string_view text);

/// Returns an expression from which a `std::string_view` of exactly the bytes of `text` is constructed: a literal, or a
/// view with an explicit size if the text contains a NUL byte.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string view_literal(std::string_view text);

/// Returns adjacent string literals on several lines, whose common value is that of `string_literal(text)`.
///
/// \param text Bytes of the value.
/// \param width Maximum number of bytes between the quotes of a literal. A single code point with its escape sequences
/// may exceed this limit.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string wrapped_literal(std::string_view text, std::size_t width);

/// Returns an equivalent JSON text without trigraphs: every second character of a sequence of `?` is escaped. Compilers
/// may replace trigraphs in raw literals too.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string without_trigraphs(std::string_view json);

/// Returns a JSON text as adjacent raw literals, without trigraphs. Each literal is shorter than 16 KiB, a limit of
/// some compilers.
///
/// \par Preconditions
/// `json` has no invisible characters, as in the output of `append_canonical_text` with `escapes_invisible`.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string json_literal(std::string_view json);

/// Returns the literal of a number. Empty for a value that is not a number, an integer above the range of
/// `std::int64_t`, and a number that is not finite.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::optional<std::string> number_literal(boost::json::value const& value);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/emit/impl/cpp_text.ipp>
#endif

#endif
