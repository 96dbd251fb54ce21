#ifndef LINKSPAN_SCHEMA_KEYWORDS_HPP
#define LINKSPAN_SCHEMA_KEYWORDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

// The keywords that say something about values or references; all others are annotations.
namespace linkspan::detail {

// In the order of their names.
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

// Sets of vocabularies by bits.
struct vocabularies {
    static constexpr std::uint8_t core = 1, applicator = 2, unevaluated = 4, validation = 8, all = 15;
};

struct keyword_row {
    std::string_view name;
    std::uint8_t vocabulary;
    bool draft_7 = true, draft_2020_12 = true;
};

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

constexpr keyword_row const& row_of(keyword k) noexcept { return keyword_rows[static_cast<std::size_t>(k)]; }
constexpr std::string_view name_of(keyword k) noexcept { return row_of(k).name; }

constexpr std::optional<keyword> find_keyword(std::string_view name) noexcept
{
    auto const* const row = std::ranges::lower_bound(keyword_rows, name, {}, &keyword_row::name);
    if (row == std::end(keyword_rows) || row->name != name)
        return std::nullopt;
    return static_cast<keyword>(row - std::begin(keyword_rows));
}

} // namespace linkspan::detail

#endif
