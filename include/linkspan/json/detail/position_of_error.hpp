#ifndef LINKSPAN_JSON_DETAIL_POSITION_OF_ERROR_HPP
#define LINKSPAN_JSON_DETAIL_POSITION_OF_ERROR_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the position at which a text is not JSON, counted from 1: "line 3, column 5".
LINKSPAN_DECL std::string position_of_error(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/position_of_error.ipp>
#endif

#endif
