#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_DELAY_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_DELAY_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <functional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace script_format {

struct distribution;

} // namespace script_format

namespace detail {

// Description of the form of a time, for messages.
inline constexpr std::string_view expected_span = "a time such as \"250ms\", \"2s\", \"1.5min\" or \"3h\"";

// Returns the delay for two independent draws, numbers from 0 to 1, without 1. The longest delay is 100 years.
using delay_function = std::function<duration(double first, double second)>;

// Reads a distribution. Empty: not exactly one member is set, or a time is invalid.
LINKSPAN_DECL delay_function read_distribution(script_format::distribution const& from);

} // namespace detail
} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/delay_text.ipp>
#endif

#endif
