#ifndef LINKSPAN_DESCRIBE_SCHEMA_OF_HPP
#define LINKSPAN_DESCRIBE_SCHEMA_OF_HPP

#include <linkspan/describe/detail/read_json.hpp>
#include <linkspan/describe/detail/schema_writer.hpp>
#include <linkspan/describe/detail/text_source.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/schema/schema_dialect.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the characters of the schema of a type.
template<class T, schema_dialect Dialect>
constexpr auto make_schema()
{
    static_assert(is_object<T>(), "linkspan: the schema of a tool must describe an object: use a struct, a map, or a "
                                  "variant of structs");
    constexpr auto size = schema_writer(Dialect).template write<T>().view().size();
    std::array<char, size> out{};
    auto const text = schema_writer(Dialect).write<T>();
    std::ranges::copy(text.view(), out.begin());
    return out;
}

// The characters of the schema, computed once per type and dialect.
template<class T, schema_dialect Dialect>
inline constexpr auto schema_chars = make_schema<T, Dialect>();

} // namespace detail

/// The JSON Schema of a type as text, produced at compile time.
///
///     static_assert(linkspan::schema_text<point> ==
///                   R"({"type":"object","properties":{"x":{"type":"number"}},"required":["x"]})");
///
/// The root is always an inline object schema, as MCP requires. Structs that are used more than once, and recursive
/// structs, are definitions in `$defs` (`definitions` in draft 7). Other structs are inline.
///
/// A member is required unless its type is `std::optional` or `nullable`, or it has the note `default_value`. The note
/// `required` makes any member required.
///
/// The schema of an optional boolean, number, string or enumeration has a `default` if the struct initializes the
/// member and the default constructor of the struct can be evaluated at compile time. Structs with a `std::map`, `box`
/// or `boost::json::value` and, with clang and libstdc++ 12, `std::string` have no such constructor. The note
/// `default_value` always works.
///
/// Schemas of types of members:
/// - `bool`, `double`, `float`, `std::string`, `boost::json::object`, `boost::json::array`: `type`;
/// - integers: `type` `integer`, and `minimum` 0 for unsigned types without a lower bound in the notes;
/// - enumerations: `type` `string` and `enum`; `literal` and `constant`: `const`;
/// - `std::optional<T>`: the schema of `T` for a member, and the schema of `nullable<T>` for an element of an array;
/// - `nullable<T>`: `type` with `null` for booleans, numbers and strings, else `anyOf` with the type `null`;
/// - `std::vector<T>`: `items`; `std::set<T>`: also `uniqueItems`; `std::array<T, N>`: also `minItems` and `maxItems`;
/// - `std::tuple`, `std::pair`: `prefixItems` and `items` `false` (draft 7: `items` and `additionalItems` `false`), and
///   `minItems` and `maxItems`;
/// - maps: `additionalProperties`; described structs: `properties` and `required`, or `$ref`;
/// - `std::variant`: `oneOf` if no value matches two alternatives, else `anyOf`; `one_or_many<T>`: `anyOf`;
/// - `box<T>`: the schema of `T`; a type `T` with a `json_as<T>`: the schema of `json_as<T>::type`;
/// - `boost::json::value`: the empty schema.
///
/// Notes add their keywords. In draft 7, a `$ref` with further keywords is written in an `allOf`.
///
/// \tparam T A type that is always an object in JSON: a described struct, a map, `boost::json::object`, or a
/// `std::variant` of these. Other types do not compile.
/// \tparam Dialect The dialect of the schema.
/// \par Specification
/// JSON Schema 2020-12 and draft 7; MCP 2025-11-25, server/tools, "Tool".
template<class T, schema_dialect Dialect = schema_dialect::draft_2020_12>
inline constexpr std::string_view schema_text{detail::schema_chars<T, Dialect>.data(),
                                              detail::schema_chars<T, Dialect>.size()};

/// Returns the JSON Schema of a type as text, equal to `schema_text<T, Dialect>`, but produced at run time.
///
/// Compilers limit the number of steps of a constant expression: a schema of more than about 8 KB exceeds the default
/// of clang (`-fconstexpr-steps`). The limit also applies to `schema_of`; for such a schema, use `boost::json::parse`
/// with the text that this function returns.
///
/// \tparam T A type that is always an object in JSON.
/// \tparam Dialect The dialect of the schema.
/// \throws std::bad_alloc If memory for the text cannot be allocated.
template<class T, schema_dialect Dialect = schema_dialect::draft_2020_12>
std::string make_schema_text()
{
    static_assert(detail::is_object<T>(),
                  "linkspan: the schema of a tool must describe an object: use a struct, a map, "
                  "or a variant of structs");
    return std::string(detail::schema_writer(Dialect).template write<T>().view());
}

/// Returns `schema_text<T, Dialect>` as a JSON object. For a schema of more than about 8 KB, see `make_schema_text`.
///
///     boost::json::object schema = linkspan::schema_of<point>();
///
/// \tparam T A type that is always an object in JSON.
/// \tparam Dialect The dialect of the schema.
/// \throws std::bad_alloc If memory for the object cannot be allocated.
template<class T, schema_dialect Dialect = schema_dialect::draft_2020_12>
boost::json::object schema_of()
{
    boost::json::value out;
    auto reader = json_scan::reader::at_value(schema_text<T, Dialect>);
    mismatches none;
    detail::findings found(none, json_scan::max_depth);
    detail::read_json(out, detail::text_source(reader), found, detail::place());
    return std::move(out.as_object());
}

} // namespace linkspan

#endif
