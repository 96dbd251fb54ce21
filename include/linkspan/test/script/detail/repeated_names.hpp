#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_REPEATED_NAMES_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_REPEATED_NAMES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a problem for each member of an object whose name an earlier member has, of which a parser keeps one; the
// first 32 of them. No problem if the text is not JSON.
LINKSPAN_DECL std::vector<diagnostic> repeated_names(std::string_view json);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/repeated_names.ipp>
#endif

#endif
