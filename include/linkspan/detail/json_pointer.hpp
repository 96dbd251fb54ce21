#ifndef LINKSPAN_DETAIL_JSON_POINTER_HPP
#define LINKSPAN_DETAIL_JSON_POINTER_HPP

#include <string>
#include <string_view>

namespace linkspan::detail {

// A key as one step of a JSON Pointer (RFC 6901).
inline std::string pointer_token(std::string_view key)
{
    std::string out;
    for (char const c : key)
        c == '~' ? out += "~0" : c == '/' ? out += "~1" : out += c;
    return out;
}

} // namespace linkspan::detail

#endif
