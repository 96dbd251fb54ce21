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
#include <string_view>
#include <utility>

namespace linkspan {
namespace detail {

template<class T, schema_dialect Dialect>
constexpr auto make_schema()
{
    static_assert(is_object<T>(), "linkspan: the schema of a tool is about objects: take a struct, a map, or a variant "
                                  "of structs");
    constexpr auto size = schema_writer(Dialect).template write<T>().view().size();
    std::array<char, size> out{};
    auto const text = schema_writer(Dialect).write<T>();
    std::ranges::copy(text.view(), out.begin());
    return out;
}

template<class T, schema_dialect Dialect>
inline constexpr auto schema_chars = make_schema<T, Dialect>();

} // namespace detail

/// The JSON Schema of a described struct, as text that is made while the program is compiled:
///
///     static_assert(linkspan::schema_text<point> ==
///                   R"({"type":"object","properties":{"x":{"type":"number"}},"required":["x"]})");
///
/// The root is always an inline object, as MCP asks for; structs that are used more than once, and those that refer to
/// themselves, stand in `$defs`. A member is required unless it is an optional or a nullable, or has a default. The
/// initialiser of an optional boolean, number, text or enumeration is its default, where the compiler can make the
/// struct: not with a `std::map` or a `boost::json::value` in it, and clang with libstdc++ 12 not with a `std::string`.
/// `default_value` tells it everywhere.
///
/// Specification: JSON Schema 2020-12, or draft 7; MCP 2025-11-25, server/tools, "Tool".
template<class T, schema_dialect Dialect = schema_dialect::draft_2020_12>
inline constexpr std::string_view schema_text{detail::schema_chars<T, Dialect>.data(),
                                              detail::schema_chars<T, Dialect>.size()};

/// The same as a value.
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
