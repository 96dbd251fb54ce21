#ifndef LINKSPAN_SCHEMA_DETAIL_KEYWORDS_HPP
#define LINKSPAN_SCHEMA_DETAIL_KEYWORDS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/schema_dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

// Keywords of JSON Schema that concern the validation of values or references. All other keywords are annotations,
// which the validator ignores.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Keywords in the order of their names, so that an enumerator is the index of its row in `keyword_rows`. The suffix '_'
// avoids keywords of C++.
enum class keyword : std::uint8_t {
    anchor,
    defs,
    dynamic_anchor,
    dynamic_ref,
    id,
    ref,
    schema,
    additional_items,
    additional_properties,
    all_of,
    any_of,
    const_,
    contains,
    definitions,
    dependencies,
    dependent_required,
    dependent_schemas,
    else_,
    enum_,
    exclusive_maximum,
    exclusive_minimum,
    if_,
    items,
    max_contains,
    max_items,
    max_length,
    max_properties,
    maximum,
    min_contains,
    min_items,
    min_length,
    min_properties,
    minimum,
    multiple_of,
    not_,
    one_of,
    pattern,
    pattern_properties,
    prefix_items,
    properties,
    property_names,
    required,
    then_,
    type,
    unevaluated_items,
    unevaluated_properties,
    unique_items,
    end
};

inline constexpr auto keyword_count = static_cast<std::size_t>(keyword::end);

// Set of vocabularies, one bit each. A meta-schema of 2020-12 selects the vocabularies of its schemas.
//
// `core`: identifiers, references and definitions. `applicator`: keywords with subschemas. `unevaluated`: the two
// keywords for the rest of the items and properties. `validation`: all other assertions about values.
struct vocabularies {
    static constexpr std::uint8_t core = 1, applicator = 2, unevaluated = 4, validation = 8, all = 15;
};

// Properties of one keyword.
struct keyword_row {
    // Name in a schema.
    std::string_view name;

    // Vocabulary of 2020-12 that defines the keyword: one bit of `vocabularies`.
    std::uint8_t vocabulary;

    // Dialects that define the keyword.
    bool draft_7 = true, draft_2020_12 = true;
};

// All keywords, in the order of their names.
inline constexpr keyword_row keyword_rows[] = {
    {"$anchor", vocabularies::core, false},
    {"$defs", vocabularies::core, false},
    {"$dynamicAnchor", vocabularies::core, false},
    {"$dynamicRef", vocabularies::core, false},
    {"$id", vocabularies::core},
    {"$ref", vocabularies::core},
    {"$schema", vocabularies::core},
    {"additionalItems", vocabularies::applicator, true, false},
    {"additionalProperties", vocabularies::applicator},
    {"allOf", vocabularies::applicator},
    {"anyOf", vocabularies::applicator},
    {"const", vocabularies::validation},
    {"contains", vocabularies::applicator},
    {"definitions", vocabularies::core},
    {"dependencies", vocabularies::applicator},
    {"dependentRequired", vocabularies::validation, false},
    {"dependentSchemas", vocabularies::applicator, false},
    {"else", vocabularies::applicator},
    {"enum", vocabularies::validation},
    {"exclusiveMaximum", vocabularies::validation},
    {"exclusiveMinimum", vocabularies::validation},
    {"if", vocabularies::applicator},
    {"items", vocabularies::applicator},
    {"maxContains", vocabularies::validation, false},
    {"maxItems", vocabularies::validation},
    {"maxLength", vocabularies::validation},
    {"maxProperties", vocabularies::validation},
    {"maximum", vocabularies::validation},
    {"minContains", vocabularies::validation, false},
    {"minItems", vocabularies::validation},
    {"minLength", vocabularies::validation},
    {"minProperties", vocabularies::validation},
    {"minimum", vocabularies::validation},
    {"multipleOf", vocabularies::validation},
    {"not", vocabularies::applicator},
    {"oneOf", vocabularies::applicator},
    {"pattern", vocabularies::validation},
    {"patternProperties", vocabularies::applicator},
    {"prefixItems", vocabularies::applicator, false},
    {"properties", vocabularies::applicator},
    {"propertyNames", vocabularies::applicator},
    {"required", vocabularies::validation},
    {"then", vocabularies::applicator},
    {"type", vocabularies::validation},
    {"unevaluatedItems", vocabularies::unevaluated, false},
    {"unevaluatedProperties", vocabularies::unevaluated, false},
    {"uniqueItems", vocabularies::validation},
};
static_assert(std::size(keyword_rows) == keyword_count);
static_assert(std::ranges::is_sorted(keyword_rows, {}, &keyword_row::name));

// Returns the properties of a keyword.
constexpr keyword_row const& row_of(keyword k) noexcept { return keyword_rows[static_cast<std::size_t>(k)]; }

// Returns whether a dialect defines a keyword.
constexpr bool is_defined(keyword k, schema_dialect dialect) noexcept
{
    return dialect == schema_dialect::draft_7 ? row_of(k).draft_7 : row_of(k).draft_2020_12;
}

// Returns the name of a keyword in a schema.
constexpr std::string_view name_of(keyword k) noexcept { return row_of(k).name; }

// Returns the keyword with the given name, or `std::nullopt` for an annotation or an unknown name.
constexpr std::optional<keyword> find_keyword(std::string_view name) noexcept
{
    auto const* const row = std::ranges::lower_bound(keyword_rows, name, {}, &keyword_row::name);
    if (row == std::end(keyword_rows) || row->name != name)
        return std::nullopt;
    return static_cast<keyword>(row - std::begin(keyword_rows));
}

} // namespace linkspan::detail

#endif
