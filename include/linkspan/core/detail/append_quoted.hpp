#ifndef LINKSPAN_CORE_DETAIL_APPEND_QUOTED_HPP
#define LINKSPAN_CORE_DETAIL_APPEND_QUOTED_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Appends `text` to `out` as a JSON string with quotes and the necessary escapes.
///
/// Bytes outside of ASCII are copied without a check.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL void append_quoted(std::string& out, std::string_view text);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/append_quoted.ipp>
#endif

#endif
