#ifndef LINKSPAN_CONFIG_DETAIL_CONFIG_TEXT_HPP
#define LINKSPAN_CONFIG_DETAIL_CONFIG_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>
#include <vector>

// Functions on the text of a configuration, before the text is parsed.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Replaces comments, trailing commas and a byte order mark with spaces. The result is JSON, and all other characters
// keep their positions.
LINKSPAN_DECL std::string blank_comments(std::string_view text);

// Key that occurs more than once in an object.
struct repeated_key {
    std::string object; // as a JSON Pointer
    std::string key;
};

// Finds the repeated keys of a text that is JSON, each once. A parsed object contains each key once, so the text is
// searched.
LINKSPAN_DECL std::vector<repeated_key> find_repeated_keys(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/config_text.ipp>
#endif

#endif
