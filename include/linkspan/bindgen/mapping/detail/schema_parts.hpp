#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_PARTS_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_SCHEMA_PARTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/keyword_view.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Functions that read parts of untrusted schemas: a part of the wrong kind is treated as missing.

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

namespace json = boost::json;

inline std::string_view view(json::string_view text) noexcept { return {text.data(), text.size()}; }

using linkspan::detail::keyword_value;
using linkspan::detail::keyword_view;
using linkspan::detail::kind_of_value;
using linkspan::detail::kinds_of_type;
using kinds = linkspan::detail::value_kinds;

// Returns a member of an object; null: none.
inline json::value const* find(json::object const& from, std::string_view key) { return keyword_view(from)[key].get(); }

// Returns whether a schema is of draft 7, which ignores all keywords beside `$ref`.
LINKSPAN_DECL bool is_draft_7(json::value const& root);

// Parses a schema up to the depth `json_scan::max_depth`. Empty: not JSON, or nested too deeply.
LINKSPAN_DECL std::optional<json::value> parse_schema(std::string_view text);

// Returns whether every value is valid: for `true`, `{}`, and schemas of annotations only. For `false`: false.
LINKSPAN_DECL bool accepts_all(json::value const& schema);

// Returns whether a keyword has no effect on validation by itself.
LINKSPAN_DECL bool is_annotation(std::string_view keyword);

// Returns the types that a schema names, each once; the keywords of members or elements imply a type. Empty: any type.
LINKSPAN_DECL std::vector<std::string> types_of(json::object const& schema);

// Returns the names of required members in their order, each once.
LINKSPAN_DECL std::vector<std::string> required_of(json::object const& schema);

// Returns the only valid text: that of `const`, or of an `enum` with one value. Empty: there is none.
LINKSPAN_DECL std::optional<std::string> literal_of(json::value const& schema);

// Returns keywords that neither a C++ type nor a note expresses, as written in remarks: "not", "if/then".
LINKSPAN_DECL std::vector<std::string> unmapped_keywords(json::object const& schema);

// Returns whether a schema allows or requires members that its `properties` do not name.
LINKSPAN_DECL bool names_more_members(json::object const& schema);

// Returns a JSON Pointer with `key` appended.
LINKSPAN_DECL std::string pointer_to(std::string_view pointer, std::string_view key);

// Returns the name of a type at a JSON Pointer of a schema: "/$defs/a/properties/b" within "x" is "x_a_b".
LINKSPAN_DECL std::string name_at(std::string_view name, std::string_view pointer);

} // namespace linkspan::bindgen::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/mapping/impl/schema_parts.ipp>
#endif

#endif
