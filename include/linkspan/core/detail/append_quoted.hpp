#ifndef LINKSPAN_CORE_DETAIL_APPEND_QUOTED_HPP
#define LINKSPAN_CORE_DETAIL_APPEND_QUOTED_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan {

/// Appends `text` as a JSON string, with its quotes. Bytes that are not ASCII are taken for UTF-8 and kept.
LINKSPAN_DECL void append_quoted(std::string& out, std::string_view text);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/append_quoted.ipp>
#endif

#endif
