#ifndef LINKSPAN_SERVER_DETAIL_JSON_OBJECT_CHECK_HPP
#define LINKSPAN_SERVER_DETAIL_JSON_OBJECT_CHECK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_scan.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns whether a text of a handler is exactly one JSON object, so that it can be a part of a message.
inline bool is_json_object(std::string_view text) noexcept
{
    return json_scan::is_value(text) && json_scan::reader(text).is_object();
}

} // namespace linkspan::detail

#endif
