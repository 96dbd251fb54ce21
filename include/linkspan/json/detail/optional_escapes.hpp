#ifndef LINKSPAN_JSON_DETAIL_OPTIONAL_ESCAPES_HPP
#define LINKSPAN_JSON_DETAIL_OPTIONAL_ESCAPES_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

// Escapes of printable ASCII characters, which JSON permits and does not require: `\/`, and `\u0069` for `i`. Some
// programs write them in all strings, PHP for example in `tools\/list`. Names in messages are compared as they are
// written, so that a message with such names is rewritten first.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns true if `text`, a part of a JSON text, contains an escape that `without_optional_escapes` decodes.
LINKSPAN_DECL bool has_optional_escape(std::string_view text) noexcept;

// Returns the same JSON value with the optional escapes decoded. The escapes of `"`, `\` and control characters, and
// those of characters outside of ASCII, are not changed. `json`: a JSON text; other text remains other text.
LINKSPAN_DECL std::string without_optional_escapes(std::string_view json);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/optional_escapes.ipp>
#endif

#endif
