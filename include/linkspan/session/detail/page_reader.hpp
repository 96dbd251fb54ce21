#ifndef LINKSPAN_SESSION_DETAIL_PAGE_READER_HPP
#define LINKSPAN_SESSION_DETAIL_PAGE_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <cstddef>
#include <functional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reads the result of one page of a list. Returns the number of entries so far.
using page_reader = std::function<std::size_t(std::string_view page, error_code& ec)>;

} // namespace linkspan::detail

#endif
