#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_PARSE_PARAMS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_PARSE_PARAMS_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/parse_json.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Parses `params` of a request. Returns an empty object if `params` is absent, and null if the text is not JSON.
inline boost::json::value parse_params(std::string_view text)
{
    error_code ec;
    return linkspan::detail::parse_json(text.empty() ? "{}" : text, ec);
}

// Returns whether a text is a JSON Pointer (RFC 6901): empty, or reference tokens, each with '/' before it, in which 0
// or 1 follows each '~'.
inline bool is_json_pointer(std::string_view text) noexcept
{
    for (std::size_t i = 0; i != text.size(); ++i)
        if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
            return false;
    return text.empty() || text.front() == '/';
}

// Returns the name of the header field that a pointer such as "#/http/headers/authorization" refers to; empty: it
// refers to another value.
inline std::string_view header_of_pointer(std::string_view pointer) noexcept
{
    constexpr std::string_view prefix = "#/http/headers/";
    return pointer.starts_with(prefix) ? pointer.substr(prefix.size()) : std::string_view();
}

} // namespace linkspan::test::detail

#endif
