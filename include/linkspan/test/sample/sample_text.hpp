#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_TEXT_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/pattern.hpp>
#include <linkspan/test/draws.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Texts for values that are made up. All are UTF-8, and sizes count its characters.
namespace linkspan::test {

LINKSPAN_DECL std::size_t count_characters(std::string_view text) noexcept;

/// Of exactly that size: letters, or in half of all texts also quotes, controls, and characters from all of Unicode.
LINKSPAN_DECL std::string sample_text(std::size_t size, draws& draw);

/// A text of a format of JSON Schema ("Validation", section 7), or of `byte`. Nothing for a format that is not known.
LINKSPAN_DECL std::optional<std::string> sample_format(std::string_view format, draws& draw);

/// A text in which the pattern is found, of a size from `min` to `max` where the pattern allows that: look at the size.
/// Nothing where there is none, or where chance did not find it; the latter may have better luck again.
/// Precondition: `pattern.why()` is `none`.
LINKSPAN_DECL std::optional<std::string> sample_pattern(schema_pattern const& pattern, std::size_t min, std::size_t max,
                                                        bool is_short, draws& draw);

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_text.ipp>
#endif

#endif
