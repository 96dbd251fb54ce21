#ifndef LINKSPAN_DESCRIBE_JSON_AS_HPP
#define LINKSPAN_DESCRIBE_JSON_AS_HPP

namespace linkspan {

/// Specialise it for a type that stands in JSON as another one, such as a date as a text:
///
///     template<>
///     struct linkspan::json_as<date> {
///         using type = std::string;
///         static std::string to(date const& value);
///         static bool from(std::string const& text, date& value);      // false: it is none
///         static constexpr std::string_view expected = "a date";       // for errors
///     };
template<class T>
struct json_as;

} // namespace linkspan

#endif
