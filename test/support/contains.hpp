#ifndef LINKSPAN_TEST_SUPPORT_CONTAINS_HPP
#define LINKSPAN_TEST_SUPPORT_CONTAINS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace linkspan::test

#endif
