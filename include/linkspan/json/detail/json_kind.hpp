#ifndef LINKSPAN_JSON_DETAIL_JSON_KIND_HPP
#define LINKSPAN_JSON_DETAIL_JSON_KIND_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Kind of a JSON value. `none`: the text is not JSON.
enum class json_kind : unsigned char { none, null, boolean, number, text, array, object };

// Returns the kind with its article, for messages.
constexpr std::string_view to_string(json_kind kind) noexcept
{
    switch (kind) {
    case json_kind::none: return "invalid JSON";
    case json_kind::null: return "null";
    case json_kind::boolean: return "a boolean";
    case json_kind::number: return "a number";
    case json_kind::text: return "a string";
    case json_kind::array: return "an array";
    case json_kind::object: return "an object";
    }
    return "?";
}

} // namespace linkspan::detail

#endif
