#ifndef LINKSPAN_JSON_DETAIL_CANONICAL_JSON_HPP
#define LINKSPAN_JSON_DETAIL_CANONICAL_JSON_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::detail {

struct canonical_style {
    bool has_lines = false;         // one for each member and element, indented by two blanks for each level
    bool keeps_numbers = false;     // as they are written; else 1, 1.0 and 1e0 are one text
    bool escapes_invisible = false; // what a reader cannot see is written as \uXXXX
};

// Appends a JSON text so that equal values get equal texts: the members of an object in the order of their keys, of
// equal keys the last one, strings with as few escapes as possible. It works on the text, so that no number loses a
// digit, and walks through it a fixed number of times, however deep it is. False when `json` is no well-formed value;
// then `out` has some of it.
LINKSPAN_DECL bool append_canonical_text(std::string& out, std::string_view json, canonical_style const& style = {});

// A string of JSON, with its quotes.
LINKSPAN_DECL void append_visible_quoted(std::string& out, std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/canonical_json.ipp>
#endif

#endif
