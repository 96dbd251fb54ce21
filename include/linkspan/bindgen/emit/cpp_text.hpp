#ifndef LINKSPAN_BINDGEN_EMIT_CPP_TEXT_HPP
#define LINKSPAN_BINDGEN_EMIT_CPP_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What a server says, as parts of a C++ source. Nothing that it says can end a comment or a literal, look other than it
// is, or make a compiler warn.

namespace linkspan::bindgen {

/// `text` as a reader may see it: without controls, marks of direction and the like, line ends as `\n`, U+FFFD for what
/// is no UTF-8, and no blanks at the ends of lines. What is beyond 16 KiB is left out, and "..." says so.
LINKSPAN_DECL std::string visible_text(std::string_view text);

/// The same on one line, which nothing in `text` ends: its line ends are a backslash and an `n`.
LINKSPAN_DECL std::string visible_line(std::string_view text);

/// `text` as `//` lines, made visible, each at most 120 columns wide with its indentation and ended by `\n`. Nothing
/// when nothing can be seen.
LINKSPAN_DECL std::string comment_lines(std::string_view text, std::size_t indentation = 0);

/// A literal with exactly these bytes.
LINKSPAN_DECL std::string string_literal(std::string_view text);

/// What a `std::string_view` of exactly these bytes is made from: a literal, or, where a zero byte would end that too
/// early, a view that has its size.
LINKSPAN_DECL std::string view_literal(std::string_view text);

/// The same as several literals with line ends between them, where it is longer than `width`.
LINKSPAN_DECL std::string wrapped_literal(std::string_view text, std::size_t width);

/// The same JSON, with every other `?` of a run escaped: two of them are half a trigraph, also in a raw literal.
LINKSPAN_DECL std::string without_trigraphs(std::string_view json);

/// Raw literals, with line ends between them, for a JSON text of visible characters, without trigraphs. None is as long
/// as 16 KiB, which is more than some compilers take.
LINKSPAN_DECL std::string json_literal(std::string_view json);

/// A number; nothing for other values, and for numbers that C++ has no literal for.
LINKSPAN_DECL std::optional<std::string> number_literal(boost::json::value const& value);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/emit/impl/cpp_text.ipp>
#endif

#endif
