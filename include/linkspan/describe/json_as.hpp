#ifndef LINKSPAN_DESCRIBE_JSON_AS_HPP
#define LINKSPAN_DESCRIBE_JSON_AS_HPP

#include <linkspan/core/detail/config.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Customization point for a type whose JSON representation is that of another type, such as a date that is a string.
///
///     template<>
///     struct linkspan::json_as<date> {
///         using type = std::string;
///         static std::string to(date const& value);
///         static bool from(std::string const& value, date& out);
///         static constexpr std::string_view expected = "a date";
///     };
///
/// Requirements of a specialization:
/// - `type`: a type with a JSON representation. The schema of `T` is the schema of `type`.
/// - `to(value)`: returns a `type`. Called by `encode` and `check`.
/// - `from(value, out)`: assigns to `out` and returns true, or returns false if `value` does not represent a `T`.
///   Called by `decode`.
/// - `expected`: a noun phrase for mismatches, as in "expected a date, found another value".
///
/// \tparam T The type. A specialization takes precedence over all other representations of `T`.
template<class T>
struct json_as;

} // namespace linkspan

#endif
