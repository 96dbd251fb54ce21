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

// Values that a delay depends on.
struct delay_input {
    double first = 0, second = 0; // independent draws, numbers from 0 to 1, without 1
    duration since_start{};       // time since the first connection of the server
};

// Returns a delay. The longest one is 100 years.
using delay_function = std::function<duration(delay_input const& from)>;

// Reads a distribution. Empty: not exactly one member is set, or a time is invalid.
LINKSPAN_DECL delay_function read_distribution(script_format::distribution const& from);

} // namespace detail
} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/delay_text.ipp>
#endif

#endif
