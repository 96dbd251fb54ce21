#ifndef LINKSPAN_TEST_SUPPORT_CONTAINS_HPP
#define LINKSPAN_TEST_SUPPORT_CONTAINS_HPP

#include <string_view>

namespace linkspan::test {

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace linkspan::test

#endif
