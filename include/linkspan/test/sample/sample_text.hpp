#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_TEXT_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/pattern.hpp>
#include <linkspan/test/draws.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Generated texts. All are UTF-8, and sizes are numbers of code points.
namespace linkspan::inline LINKSPAN_ABI::test {

/// Returns the number of code points of a UTF-8 text.
LINKSPAN_DECL std::size_t count_characters(std::string_view text) noexcept;

/// Returns a text of exactly `size` code points.
///
/// Half of the texts consist of lower-case letters and digits; the others also contain quotes, control characters, and
/// characters from all of Unicode.
LINKSPAN_DECL std::string sample_text(std::size_t size, draws& draw);

/// Returns a text of the given format.
///
/// \param format A format of JSON Schema ("Validation", section 7), "url", or "byte" (base64).
/// \param draw Source of random choices.
/// \returns Empty if the format is not known.
LINKSPAN_DECL std::optional<std::string> sample_format(std::string_view format, draws& draw);

/// Returns a text that the pattern matches.
///
/// The size is from `min` to `max` code points if possible; the caller checks the size of the returned text.
///
/// \param pattern The compiled pattern.
/// \param min Minimum size in code points.
/// \param max Maximum size in code points.
/// \param is_short Whether to prefer a short text.
/// \param draw Source of random choices.
/// \returns Empty if the pattern matches no text, or if this attempt found none; another call may succeed.
/// \par Preconditions
/// `pattern.fault_kind()` is `schema_pattern::fault::none`.
LINKSPAN_DECL std::optional<std::string> sample_pattern(schema_pattern const& pattern, std::size_t min, std::size_t max,
                                                        bool is_short, draws& draw);

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_text.ipp>
#endif

#endif
