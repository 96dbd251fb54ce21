#ifndef LINKSPAN_JSON_DETAIL_CANONICAL_JSON_HPP
#define LINKSPAN_JSON_DETAIL_CANONICAL_JSON_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Style of a canonical text.
struct canonical_style {
    bool has_lines = false;         // one line per member and element, indented by two spaces per level
    bool keeps_numbers = false;     // numbers keep their written form; otherwise 1, 1.0 and 1e0 become the same text
    bool escapes_invisible = false; // invisible characters are written as \uXXXX, and invalid UTF-8 as U+FFFD
};

// Appends a JSON text in a form that is the same for equal values.
//
// The members of objects are ordered by key. Of several members with the same key, the last one is kept. Strings have
// as few escapes as possible. The function works on the text instead of a parsed value, so that numbers lose no digits.
// The text is read a fixed number of times, independently of its depth. Returns false if `json` is not a well-formed
// value; `out` may then contain a part of the text.
LINKSPAN_DECL bool append_canonical_text(std::string& out, std::string_view json, canonical_style const& style = {});

// Appends `text` as a JSON string with quotes. Invisible characters are escaped, and invalid UTF-8 becomes U+FFFD.
LINKSPAN_DECL void append_visible_quoted(std::string& out, std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/canonical_json.ipp>
#endif

#endif
