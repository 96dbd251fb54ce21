#ifndef LINKSPAN_JSON_DETAIL_WITH_MEMBER_HPP
#define LINKSPAN_JSON_DETAIL_WITH_MEMBER_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the text of `object` with the member `key` in its member `outer`, an object that is added if it is missing.
// An existing member `key` is kept. `object` and `value`: valid JSON texts.
LINKSPAN_DECL std::string with_member(std::string_view object, std::string_view outer, std::string_view key,
                                      std::string_view value);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/with_member.ipp>
#endif

#endif
