#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_PARSE_PARAMS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_PARSE_PARAMS_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/parse_json.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
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

// Returns the JSON Pointer into the whole message that a pointer such as "#/method" has after '#'; empty optional: the
// pointer refers to another value, or is not valid.
inline std::optional<std::string_view> pointer_into_message(std::string_view pointer) noexcept
{
    bool const refers_to_message = pointer.starts_with('#') && !pointer.starts_with("#/http");
    if (!refers_to_message || !is_json_pointer(pointer.substr(1)))
        return std::nullopt;
    return pointer.substr(1);
}

} // namespace linkspan::test::detail

#endif
