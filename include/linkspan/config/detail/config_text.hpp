#ifndef LINKSPAN_CONFIG_DETAIL_CONFIG_TEXT_HPP
#define LINKSPAN_CONFIG_DETAIL_CONFIG_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>
#include <vector>

// The text of a configuration, as people write it.
namespace linkspan::detail {

// The same text with blanks for comments, for the comma behind a last member or element, and for a byte order mark; so
// it is JSON, and everything stands where it stood.
LINKSPAN_DECL std::string blank_comments(std::string_view text);

// Where a text stops being JSON, in lines and columns from 1: "line 3, column 5".
LINKSPAN_DECL std::string position_of_error(std::string_view text);

// A key that an object has more than once.
struct repeated_key {
    std::string object; // as a JSON Pointer
    std::string key;
};

// Each of them once, in a text that is JSON. A parsed object holds each key once, so the text is asked.
LINKSPAN_DECL std::vector<repeated_key> find_repeated_keys(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/config_text.ipp>
#endif

#endif
