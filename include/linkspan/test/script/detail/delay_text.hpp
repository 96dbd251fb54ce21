#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_DELAY_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_DELAY_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace script_format {

struct distribution;

} // namespace script_format

namespace detail {

// Description of the form of a time, for messages.
inline constexpr std::string_view expected_span = "a time such as \"250ms\", \"2s\", \"1.5min\" or \"3h\"";

// Reads a time: a decimal number that is not negative, and one of the units us, ms, s, min, h. Empty: another text, or
// a time above 100 years.
LINKSPAN_DECL std::optional<duration> read_span(std::string_view text);

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
