#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SPAN_TEXT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SPAN_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The longest time of a script.
inline constexpr std::chrono::years max_span{100};

// Reads a time: a decimal number that is not negative, and one of the units us, ms, s, min, h. Empty: another text, or
// a time above `max_span`.
LINKSPAN_DECL std::optional<duration> read_span(std::string_view text);

// Returns the text from which read_span() reads the same time, in the largest unit without a fraction, or in
// microseconds. A time that read_span() does not accept has a text too.
LINKSPAN_DECL std::string span_text(duration span);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/span_text.ipp>
#endif

#endif
