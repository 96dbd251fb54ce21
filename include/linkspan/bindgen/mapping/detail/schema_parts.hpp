#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_PARTS_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_PARTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reading of schemas that anybody may have written: what is not as it should be is not there.

namespace linkspan::bindgen::detail {

namespace json = boost::json;

inline std::string_view view(json::string_view text) noexcept { return {text.data(), text.size()}; }

inline json::value const* find(json::object const& schema, std::string_view key)
{
    return schema.if_contains(json::string_view(key.data(), key.size()));
}

inline std::string_view find_text(json::object const& schema, std::string_view key)
{
    auto const* const value = find(schema, key);
    return value && value->is_string() ? view(value->get_string()) : std::string_view();
}

inline json::array const* find_array(json::object const& schema, std::string_view key)
{
    auto const* const value = find(schema, key);
    return value ? value->if_array() : nullptr;
}

inline json::object const* find_object(json::object const& schema, std::string_view key)
{
    auto const* const value = find(schema, key);
    return value ? value->if_object() : nullptr;
}

/// Sets of kinds of JSON values by bits. A number may be an integer.
struct kinds {
    static constexpr unsigned null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32, object = 64;
    static constexpr unsigned number = integer | fraction, all = 127;
};

/// The one kind of a value; 3.0 is an integer.
LINKSPAN_DECL unsigned kind_of(json::value const& value);

/// Whether a schema is of draft 7, where nothing that stands beside `$ref` counts.
LINKSPAN_DECL bool is_draft_7(json::value const& root);

/// A schema, no deeper than our scanner takes.
LINKSPAN_DECL std::optional<json::value> parse_schema(std::string_view text);

/// `true`, `{}`, and what has nothing but annotations.
LINKSPAN_DECL bool takes_all(json::value const& schema);

/// That nothing of a value depends on.
LINKSPAN_DECL bool is_annotation(std::string_view keyword);

/// The types that it names, each once; what it says of members or elements counts for one. Empty: any.
LINKSPAN_DECL std::vector<std::string> types_of(json::object const& schema);

/// Names of required members in their order, each once.
LINKSPAN_DECL std::vector<std::string> required_of(json::object const& schema);

/// The one text that it takes: that of `const`, or of an `enum` of one.
LINKSPAN_DECL std::optional<std::string> literal_of(json::value const& schema);

/// Keywords that no C++ type says and no note, as they stand in a remark: "not", "if/then".
LINKSPAN_DECL std::vector<std::string> unmapped_keywords(json::object const& schema);

/// Whether it says that members may be there, or must, which its `properties` do not name.
LINKSPAN_DECL bool names_more_members(json::object const& schema);

/// What a JSON Pointer ends in, after `pointer`.
LINKSPAN_DECL std::string pointer_to(std::string_view pointer, std::string_view key);

/// The name of what stands at a JSON Pointer of a schema: "/$defs/a/properties/b" within "x" is "x_a_b".
LINKSPAN_DECL std::string name_at(std::string_view name, std::string_view pointer);

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/schema_parts.ipp>
#endif

#endif
